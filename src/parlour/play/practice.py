"""Games in which one may be helped: one person against the computer, for nothing.

Law: nothing that counts for anybody else, a rating or a stake, is ever helped.
"""

from __future__ import annotations

from parlour.games.api import Refused, Seat
from parlour.games.registry import AnyRules
from parlour.people.ratings import snapshots
from parlour.play.match import Match


def is_practice(rules: AnyRules, match: Match) -> bool:
    """Whether one person plays the computer there, and it counts for nothing."""
    people = [row for row in match.seats if row.bot is None]
    counts = match.escrow_id is not None or snapshots(rules.rating, match.seats) is not None
    return match.with_bot and len(people) == 1 and not counts


def must_be_practice(rules: AnyRules, match: Match, seat: Seat) -> None:
    """Refuses help, unless it is a game of practice that goes on."""
    if match.status != "active":
        raise Refused("NOT_ACTIVE", "This game is not being played.")
    if match.seats[seat].bot is not None or not match.with_bot:
        raise Refused("AGAINST_PEOPLE", "There is help only against the computer.")
    if not is_practice(rules, match):
        raise Refused("COUNTS", "There is no help in a game that counts.")
