"""Quarto for the laws."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

from parlour.games.quarto.rules import Action, Call, Leave, Options, Place, Select
from tests.laws.game import Game, Script, Try

HUGE = 10**30


def wild(random: Random) -> Action:
    """Any piece or position, a call, or now and then leaving."""
    number = random.choice((random.randrange(16), random.randrange(-9, 25), HUGE, -HUGE))
    chosen = random.random()
    if chosen < 0.02:
        return Leave()
    if chosen < 0.2:
        return Call()
    return Select(number) if chosen < 0.6 else Place(number)


def placings(pairs: Iterable[tuple[int, int]]) -> tuple[Try, ...]:
    """Each (piece, position) given and placed."""
    return tuple(
        Try(action=action)
        for piece, position in pairs
        for action in (Select(piece), Place(position))
    )


TALL_ROW = placings([(8, 0), (9, 1), (10, 2), (13, 3)])
IN_ORDER = placings((number, number) for number in range(16))
WITHOUT_A_LINE = placings(
    zip((12, 8, 2, 7, 5, 0, 10, 4, 11, 14, 9, 3, 1, 13, 6, 15), range(16), strict=True)
)

GAME = Game(
    options=(Options(), Options(first=0, reconnect_ms=3_000), Options(first=1, final_call_ms=500)),
    wild=wild,
    undecided=lambda action: isinstance(action, Leave),
    scripts={
        "called": Script(Options(first=0), (*TALL_ROW, Try(seat=0, action=Call()))),
        "called-a-turn-later": Script(
            Options(first=1), (*TALL_ROW, Try(action=Select(0)), Try(seat=0, action=Call()))
        ),
        "drawn": Script(Options(first=0), WITHOUT_A_LINE),
        "called-on-a-full-board": Script(
            Options(first=0), (*IN_ORDER, Try(seat=0, action=Call(), after_ms=29_999))
        ),
        "uncalled-on-a-full-board": Script(Options(first=0), (*IN_ORDER, Try())),
        "left": Script(Options(first=0), (*TALL_ROW[:3], Try(seat=0, action=Leave()))),
        "stayed-away": Script(
            Options(first=0),
            (
                *TALL_ROW[:2],
                Try(seat=1, here=False),
                Try(seat=0, here=False),
                Try(seat=1, here=True),
                Try(action=Select(1)),
                Try(),
                Try(seat=0, here=True),
            ),
        ),
        "refused": Script(
            Options(first=0),
            (
                Try(seat=1, action=Select(3)),
                Try(seat=0, action=Place(3)),
                Try(seat=0, action=Select(16)),
                Try(seat=0, action=Select(3)),
                Try(seat=1, action=Select(4)),
                Try(seat=1, action=Place(-HUGE)),
                Try(seat=1, action=Place(3)),
                Try(seat=1, action=Select(3)),
                Try(seat=1, action=Call()),
                Try(seat=1, action=Leave()),
                Try(seat=0, action=Call()),
            ),
        ),
        "at-random": Script(Options(), seed=5),
    },
)
