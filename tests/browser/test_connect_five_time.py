"""Connect Five when time runs out: of a challenge, and on a clock."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.async_api import expect

from parlour.settings import Settings
from tests.browser.conftest import Visit
from tests.servers.parlour import Served, serving
from tests.wire.connect_five.people import audited, pair, playing

pytestmark = pytest.mark.asyncio(loop_scope="session")

CHALLENGE_SEC = 6.0
CLOCK_SCALE = 0.05
"""Five minutes become fifteen seconds."""
PATIENCE_MS = 30_000
"""Longer than the whole clock."""


@pytest.fixture(scope="module")
def house() -> Iterator[Served]:
    """A server in a hurry."""
    hurried = Settings.given(
        database_url="sqlite://",
        challenge_ttl_sec=CHALLENGE_SEC,
        connect_five_clock_scale=CLOCK_SCALE,
    )
    with serving(hurried) as served:
        yield served


@pytest.mark.spec("C20", "C36", "C86")
async def test_a_challenge_that_nobody_answers_expires_and_pays_back(
    visit: Visit, house: Served
) -> None:
    ann, bob = pair(house)
    visitor, other = await visit(ann.token), await visit(bob.token)
    await other.open("/connect-five")
    await expect(other.page.get_by_text("Nobody challenges you right now.")).to_be_visible()
    await visitor.open("/connect-five")
    challenge = ann.challenge(bob)
    await expect(other.button("Accept the challenge")).to_be_visible()
    await visitor.open(f"/connect-five/games/{challenge['id']}")
    await expect(visitor.page.get_by_text("This challenge expired")).to_be_visible()
    await expect(visitor.page.get_by_text("100 TNB went back to your wallet.")).to_be_visible()
    await expect(other.page.get_by_text("Nobody challenges you right now.")).to_be_visible()
    await visitor.finds_no_barrier()
    assert ann.balance == 1000
    audited(house)


@pytest.mark.spec("C26", "C50", "C100")
async def test_a_clock_runs_down_before_both_and_decides_the_match(
    visit: Visit, house: Served
) -> None:
    ann, bob = pair(house)
    match, slow, quick = playing(ann, bob)
    loser, winner = await visit(slow.token), await visit(quick.token)
    for each in (loser, winner):
        await each.open(f"/connect-five/games/{match['challenge']}")
        await each.sees_board()
    clock = loser.page.get_by_role("timer", name=f"Clock of {slow.name}")
    await expect(clock).to_have_attribute("data-low", "true", timeout=PATIENCE_MS)
    await expect(clock).to_have_text(re.compile(r"0:0[0-5]\.\d"), timeout=PATIENCE_MS)
    still = loser.page.get_by_role("timer", name=f"Clock of {quick.name}")
    await expect(still).to_have_attribute("data-low", "false")
    await expect(winner.result()).to_contain_text("You win", timeout=PATIENCE_MS)
    await expect(winner.result()).to_contain_text(
        f"{slow.name}\N{RIGHT SINGLE QUOTATION MARK}s clock ran out."
    )
    await expect(loser.result()).to_contain_text("Your clock ran out.")
    await winner.finds_no_barrier()
    assert (slow.balance, quick.balance) == (900, 1100)
    audited(house)
