"""Connect 4 for the laws."""

from __future__ import annotations

from random import Random

from parlour.games.connect4.rules import Action, Claim, Drop, Options
from parlour.games.giving_up import Resign
from tests.laws.game import Game, Script, Try

HUGE = 10**30


def wild(random: Random) -> Action:
    """Any column, a claim, or now and then giving up."""
    chosen = random.random()
    if chosen < 0.1:
        return Resign() if chosen < 0.01 else Claim()
    return Drop(random.choice((random.randrange(7), random.randrange(-9, 16), HUGE, -HUGE)))


def drops(columns: str) -> tuple[Try, ...]:
    return tuple(Try(action=Drop(int(column))) for column in columns)


GAME = Game(
    options=(
        Options(),
        Options(starter=0),
        Options(starter=1, abandon_ms=4_000),
        Options(move_ms=30_000),
    ),
    wild=wild,
    undecided=lambda action: isinstance(action, Claim | Resign),
    scripts={
        "won-along": Script(Options(starter=0), drops("3344556")),
        "won-rising": Script(Options(starter=1), drops("01122323363")),
        "drawn": Script(Options(starter=0), drops("021502303610232351235414544062346666450151")),
        "won-by-the-last-disc": Script(
            Options(starter=0), drops("123615046113131330226523645522460454406005")
        ),
        "claimed": Script(
            Options(starter=0),
            (
                *drops("33"),
                Try(seat=0, action=Claim(), unseen_ms=(0, 30_000)),
                Try(seat=0, action=Drop(2), unseen_ms=(0, 30_001)),
                Try(seat=0, action=Claim(), unseen_ms=(0, 30_001)),
                Try(seat=0, action=Claim(), unseen_ms=(0, 30_001)),
            ),
        ),
        "out-of-time": Script(
            Options(starter=0, move_ms=30_000),
            (*drops("33"), Try(), Try(seat=0, action=Drop(1))),
        ),
        "out-of-time-alone": Script(
            Options(starter=0, move_ms=60_000),
            (*drops("33"), Try(unseen_ms=(0, 60_000))),
        ),
        "resigned": Script(Options(starter=0), (*drops("33"), Try(seat=1, action=Resign()))),
        "refused": Script(
            Options(starter=0),
            (
                Try(seat=1, action=Drop(3)),
                *drops("333333"),
                Try(seat=0, action=Drop(3)),
                Try(seat=0, action=Drop(7)),
                Try(seat=0, action=Drop(-HUGE)),
                Try(seat=0, action=Claim()),
                *drops("0101010"),
                Try(seat=1, action=Drop(6)),
            ),
        ),
        "at-random": Script(Options(), seed=7),
    },
)
