"""Connect Five for the laws."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

from parlour.games.api import Seat
from parlour.games.connect_five.board import SHAPES
from parlour.games.connect_five.table import PRICES, Action, Move, Options, Purchase
from tests.laws.game import Game, Script, Try

HUGE = 10**30


def wild(random: Random) -> Action:
    """Any kind of move, on the board or far off it, or a purchase of any number."""
    if random.random() < 0.2:
        quantity = random.choice((1, 1, 2, 0, -1, HUGE, -HUGE))
        return Purchase(random.choice(tuple(PRICES)), quantity)
    near, off = random.randrange(14), random.choice((-1, 13, 14, HUGE, -HUGE))
    x, y = random.choice(((near, random.randrange(14)), (near, off), (off, near)))
    return Move(random.choice(tuple(SHAPES)), x, y)


def by_turns(first: Seat, moves: Iterable[Move]) -> tuple[Try, ...]:
    """The moves, made by the seats in turn."""
    return tuple(Try(seat=(first + number) % 2, action=move) for number, move in enumerate(moves))


def singles(*cells: tuple[int, int]) -> tuple[Move, ...]:
    return tuple(Move("SINGLE", x, y) for x, y in cells)


TWOS = tuple(Move("H2", x, y) for y in range(14) for x in range(0, 14, 2))
"""By turns AABBAABB… and BBAABBAA…: a full board without five in any line."""

GAME = Game(
    options=(
        Options(),
        Options(first=0, max_spend=0),
        Options(first=1, max_spend=39, time_limit_ms=60_000),
    ),
    wild=wild,
    undecided=lambda action: isinstance(action, Purchase) and action.quantity > 1,
    scripts={
        "five-along": Script(
            Options(first=0),
            by_turns(
                0,
                singles((0, 0), (0, 1), (1, 0), (1, 1), (2, 0), (2, 1), (3, 0), (3, 1), (4, 0)),
            ),
        ),
        "six-rising": Script(
            Options(first=1),
            by_turns(
                1,
                singles(
                    *((0, 13), (5, 5), (1, 12), (6, 5), (2, 11), (7, 6), (4, 9), (9, 9), (5, 8)),
                    *((0, 0), (3, 10)),
                ),
            ),
        ),
        "each-special-once": Script(
            Options(first=0, max_spend=19, stake=50),
            (
                *(Try(seat=seat, action=Purchase(each)) for each in PRICES for seat in (0, 1)),
                *by_turns(
                    0,
                    (
                        *(Move("H2", 4, 4), Move("V2", 6, 4), Move("BOMB", 6, 4)),
                        *(Move("BOMB", 5, 4), Move("V2", 5, 3), Move("CROSS4", 9, 9)),
                        *(Move("CROSS4", 3, 5), Move("H2", 9, 12), *singles((6, 4), (0, 0))),
                        *singles((7, 4), (0, 2), (3, 4)),
                    ),
                ),
            ),
        ),
        "drawn": Script(
            Options(first=0, max_spend=196),
            (*(Try(seat=seat, action=Purchase("H2", 49)) for seat in (1, 0)), *by_turns(0, TWOS)),
        ),
        "flag-fell": Script(
            Options(first=0, time_limit_ms=10_000),
            (
                Try(seat=0, action=Move("SINGLE", 7, 7), after_ms=9_999),
                Try(seat=0, action=Purchase("BOMB"), after_ms=4_000),
                Try(seat=1, action=Move("SINGLE", 7, 8), after_ms=5_999),
                Try(seat=0, action=Move("SINGLE", 8, 8), after_ms=1),
                Try(seat=0, here=False, after_ms=0),
                Try(),
                Try(seat=0, action=Move("SINGLE", 8, 8)),
            ),
        ),
        "refused": Script(
            Options(first=0, max_spend=10),
            (
                Try(seat=1, action=Move("SINGLE", 0, 0)),
                Try(seat=0, action=Move("SINGLE", 14, 0)),
                Try(seat=0, action=Move("SINGLE", 0, -HUGE)),
                Try(seat=0, action=Move("BOMB", 0, 0)),
                Try(seat=0, action=Purchase("H2", 0)),
                Try(seat=0, action=Purchase("CROSS4", 2)),
                Try(seat=0, action=Purchase("BOMB", HUGE)),
                Try(seat=0, action=Purchase("BOMB", 3)),
                Try(seat=0, action=Purchase("BOMB")),
                Try(seat=0, action=Move("BOMB", 0, 0)),
                *by_turns(0, singles((5, 5), (5, 6))),
                Try(seat=0, action=Move("SINGLE", 5, 6)),
                Try(seat=0, action=Move("BOMB", 5, 5)),
                Try(seat=1, action=Purchase("V2", 2)),
                Try(seat=0, action=Move("BOMB", 5, 6)),
                Try(seat=1, action=Move("V2", 5, 4)),
                Try(seat=1, action=Move("V2", 5, 13)),
                Try(seat=1, action=Move("V2", 5, 6)),
            ),
        ),
        "at-random": Script(Options(max_spend=100), seed=11),
    },
)
