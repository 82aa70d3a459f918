"""Elo with K = 32, from the ratings both players had when play began.

Laws:

* A game moves ratings once, when it ends, and only if both seats are users of their own.
* `zero_sum`: what one gains the other loses, to the point, without a floor.
* `floor_zero`: each change is rounded by itself, and no rating falls below 0.
"""

from __future__ import annotations

import math
from typing import Literal

from msgspec.structs import replace

from parlour.games.api import SEATS, Millis, Outcome, Rating, Seat
from parlour.store.change import ChangeRating, SeatRow

K = 32
START = 1000
"""The rating of a player who has not played a game of that kind yet."""

SETTLED_GAP = 4000
"""Beyond this difference the better player's win changes nothing; powers of ten stay finite."""


def elo(rating: Rating, before: tuple[int, int], winner: Seat | None) -> tuple[int, int]:
    """How much each seat's rating changes; `winner` is None for a draw.

    >>> elo("zero_sum", (1000, 1000), 0)
    (16, -16)
    >>> elo("zero_sum", (1400, 1000), None)
    (-13, 13)
    >>> elo("floor_zero", (5, 5), 1)
    (-5, 16)
    """
    if rating == "zero_sum":
        # The winner's change is the one that is rounded; in a draw it is the first seat's.
        seat = winner or 0
        change = _change(before, seat, winner)
        return (change, -change) if seat == 0 else (-change, change)
    first, second = (max(_change(before, seat, winner), -before[seat]) for seat in SEATS)
    return first, second


def _change(before: tuple[int, int], seat: Seat, winner: Seat | None) -> int:
    gap = min(max(before[1 - seat] - before[seat], -SETTLED_GAP), SETTLED_GAP)
    expected = 1 / (1 + 10 ** (gap / 400))
    score = 0.5 if winner is None else float(winner == seat)
    return _round_half_up(K * (score - expected))


def _round_half_up(value: float) -> int:
    """To the nearest whole number, and from the middle upwards, where Python goes to the even."""
    below = math.floor(value)
    return below + (value - below >= 0.5)


def rated(
    rating: Rating | None, seats: tuple[SeatRow, ...], outcome: Outcome
) -> tuple[SeatRow, ...]:
    """The seats with what the outcome does to their ratings, or as they were if it is unrated."""
    before = snapshots(rating, seats) if outcome.rated else None
    if rating is None or before is None:
        return seats
    deltas = elo(rating, before, outcome.winner)
    return tuple(
        replace(seat, rating_delta=delta) for seat, delta in zip(seats, deltas, strict=True)
    )


def snapshots(rating: Rating | None, seats: tuple[SeatRow, ...]) -> tuple[int, int] | None:
    """The ratings that a game counts from; None: it is unrated. That one is missing is fatal."""
    users = {seat.user_id for seat in seats} - {None}
    if rating is None or len(users) < len(SEATS):
        return None
    first, second = (seat.rating_before for seat in seats)
    if first is None or second is None:
        raise ValueError("of a rated game the ratings at the start were not kept")
    return first, second


def rating_changes(
    game: str,
    rating: Rating | None,
    seats: tuple[SeatRow, ...],
    winner: Seat | None,
    at: Millis,
) -> tuple[ChangeRating, ...]:
    """What seats that were `rated` mean for the users who sat there."""
    return tuple(
        ChangeRating(
            user_id=seat.user_id,
            game=game,
            delta=seat.rating_delta,
            floor=0 if rating == "floor_zero" else None,
            result=_result(seat.seat, winner),
            at=at,
        )
        for seat in seats
        if seat.user_id is not None and seat.rating_delta is not None
    )


def _result(seat: Seat, winner: Seat | None) -> Literal["win", "loss", "draw"]:
    if winner is None:
        return "draw"
    return "win" if seat == winner else "loss"
