"""Which bots play under an account of their own."""

from __future__ import annotations

import pytest

from parlour.games.memory.bot import BOTS
from parlour.games.memory.policy import policy
from parlour.settings import Settings
from tests.play.conftest import MakeKernel, policies


@pytest.mark.spec("B86")
async def test_only_those_of_the_document_have_accounts_and_are_rated(
    make_kernel: MakeKernel,
) -> None:
    kernel = make_kernel(policies=policies() | {"memory": policy(Settings())})
    found = {name: (await kernel.bot_accounts.player("memory", name)).user_id for name in BOTS}
    rated = {name: user_id for name, user_id in found.items() if user_id is not None}
    assert rated == {name: f"ai:{name}" for name in ("Thalia", "Calliope", "Mnemosyne")}
    assert len(found) > len(rated)
