"""Giving up, for rules that let a seat do so at any time: the other wins."""

from __future__ import annotations

from typing import final

from msgspec import Struct

from parlour.games.api import Outcome, Seat, other


@final
class Resign(Struct, frozen=True, gc=False, tag="resign"):
    """Give up."""


def given_up(seat: Seat, reason: str = "resigned") -> Outcome:
    """What it decides that a seat gave up.

    >>> given_up(0).winner
    1
    """
    return Outcome(other(seat), reason)
