"""How the tests of rules look at a refusal: its code, and that nothing changed."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from parlour.games.api import Env, Refused, Seat
from parlour.games.registry import AnyRules


def refusal(rules: AnyRules, state: Any, seat: Seat, action: Any, env: Env) -> str:
    """The code with which the rules refuse an action."""
    before = msgspec.json.encode(state)
    with pytest.raises(Refused) as caught:
        rules.act(state, seat, action, env)
    assert msgspec.json.encode(state) == before
    return caught.value.code
