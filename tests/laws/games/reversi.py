"""Reversi for the laws."""

from __future__ import annotations

from random import Random

from parlour.games.giving_up import Resign
from parlour.games.reversi.rules import Action, Options, Place
from tests.laws.game import Game, Script, Try

HUGE = 10**30


def wild(random: Random) -> Action:
    """Any cell, or now and then giving up."""
    if random.random() < 0.01:
        return Resign()
    return Place(random.choice((random.randrange(64), random.randrange(-9, 80), HUGE, -HUGE)))


def placings(squares: str) -> tuple[Try, ...]:
    """Discs on these squares in turn: a column's letter and a row's number each."""
    cells = [("abcdefgh".index(name[0]), int(name[1]) - 1) for name in squares.split()]
    return tuple(Try(action=Place(row * 8 + column)) for column, row in cells)


WIPED_OUT = placings("e6 f4 e3 f6 g5 d6 e7 f5 c5")
"""The shortest game: black has turned everything over."""

GAME = Game(
    options=(Options(), Options(reconnect_ms=3_000)),
    wild=wild,
    undecided=lambda action: isinstance(action, Resign),
    scripts={
        "wiped-out": Script(Options(), WIPED_OUT),
        "resigned": Script(Options(), (*WIPED_OUT[:2], Try(seat=0, action=Resign()))),
        "stayed-away": Script(
            Options(), (*WIPED_OUT[:1], Try(seat=0, here=False), Try(), Try(seat=0, here=True))
        ),
        "both-stayed-away": Script(
            Options(), (Try(seat=0, here=False), Try(seat=1, here=False, after_ms=0), Try())
        ),
        "refused": Script(
            Options(),
            (
                Try(seat=1, action=Place(19)),
                Try(seat=0, action=Place(0)),
                Try(seat=0, action=Place(27)),
                Try(seat=0, action=Place(64)),
                Try(seat=0, action=Place(-HUGE)),
                *WIPED_OUT,
                Try(seat=0, action=Place(0)),
            ),
        ),
        "at-random": Script(Options(), seed=3),
        "at-random-again": Script(Options(), seed=4),
    },
)
