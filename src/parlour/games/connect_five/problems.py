"""What Connect Five refuses with: status, code and words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from parlour.games.api import Refused
from parlour.net.drf import Rejected

Doing = Literal["create", "move", "purchase", "accept", "cancel"]

STATUS: Mapping[str, int] = {
    "not_your_turn": 403,
    "max_spend_exceeded": 422,
    "match_ended": 409,
    "clock_expired": 409,
    "NOT_ACTIVE": 409,
    "challenge_accepted": 409,
    "challenge_cancelled": 409,
    "challenge_expired": 409,
}
"""Refusals that are not about the form of a request; all others are, and name their field."""

GONE: Mapping[Doing, frozenset[str]] = {
    "move": frozenset({"match_ended", "clock_expired"}),
    "accept": frozenset({"challenge_expired"}),
}
"""What was there but is over, to who wants to do this."""

SLUGS = {"NOT_ACTIVE": "match_not_active"}


def refusal(refused: Refused, doing: Doing) -> Rejected:
    """What the rules or the kernel refused, as a client gets it."""
    code = refused.code
    if code not in STATUS:
        return Rejected.fields({refused.field or "non_field_errors": [refused.detail]})
    status = 410 if code in GONE.get(doing, ()) else STATUS[code]
    return Rejected(status, SLUGS.get(code, code), refused.detail)


def no_challenge() -> Rejected:
    """To strangers there is none, whether or not there is one."""
    return Rejected(404, "not_found", "There is no such challenge.")


def no_match() -> Rejected:
    """To strangers there is none, whether or not there is one."""
    return Rejected(404, "not_found", "There is no such match.")


def no_opponent() -> Rejected:
    """Nobody has that id."""
    return Rejected(404, "opponent_not_found", "There is no such user to challenge.")


def not_yourself() -> Rejected:
    """It takes two."""
    return Rejected.fields({"opponent_id": ["You cannot challenge yourself."]})


def not_for_you(detail: str) -> Rejected:
    """Who may see something but not do this to it."""
    return Rejected(403, "permission_denied", detail)


def too_poor(currency: str) -> Rejected:
    """The wallet does not hold what this costs."""
    return Rejected(422, "insufficient_funds", f"You do not have enough {currency} for this.")
