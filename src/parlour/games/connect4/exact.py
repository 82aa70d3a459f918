"""What columns of Connect 4 are worth, as exactly as there is time: who wins first, then how soon.

The bots and the analyst of a process share one solver, so that a game's next position costs less.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from typing import Final, TypeVar

from msgspec import Struct

from parlour.games.connect4 import solver
from parlour.games.connect4.book import opened
from parlour.games.thinking import GROWTH, SPARE_S

T = TypeVar("T")

FIRST: Final = 500
"""Positions to look at before it is known how fast that goes."""
SHARE: Final = 0.8
"""How much of the time left is given to one question: positions take about the same time each."""
REMEMBERED: Final = 22
"""As a power of two: 32 MB, as every process that thinks has its own."""
PLAINLY: Final = 14
"""… where the code is not compiled, and finds less to remember."""


class Known(Struct, frozen=True):
    """What the columns with room are worth to the one to move, as the solver scores them."""

    scores: dict[int, int]
    how_soon: bool
    """Whether the scores tell when somebody wins, or only who."""

    def best(self) -> list[int]:
        """The columns that are worth most, from the middle outwards."""
        most = max(self.scores.values())
        return [at for at in solver.CENTRE_FIRST if self.scores.get(at) == most]


def known(mine: int, occupied: int, time_left: Callable[[], float]) -> Known | None:
    """What there is time to find out; None: not even who wins. The game must not be over."""
    found = None
    for most in (1, solver.BEST):
        scores = patiently(partial(_scores, mine, occupied, most), time_left)
        if scores is None:
            break
        worth = {at: score for at, score in enumerate(scores) if score is not None}
        found = Known(worth, how_soon=most == solver.BEST)
    return found


def keeping(mine: int, occupied: int, time_left: Callable[[], float]) -> int | None:
    """A column after which nothing of the result is lost; None: there is too little time."""
    return patiently(lambda budget: _solver().keeping(mine, occupied, budget), time_left)


def patiently(ask: Callable[[int], T | None], time_left: Callable[[], float]) -> T | None:
    """An answer, asked for with budgets that grow as the time allows; None: there is too little.

    What was found on the way is remembered, so that asking again costs little. Without any time
    nothing is asked: the answer would hang on what was asked before.
    """
    allowed, left = FIRST, time_left()
    if left <= SPARE_S:
        return None
    while (answer := ask(allowed)) is None:
        before, left = left, time_left()
        rate = allowed / max(before - left, 0.0001)
        allowed = min(GROWTH * allowed, int(rate * (left - SPARE_S) * SHARE))
        if allowed < FIRST:
            break
    return answer


def _scores(mine: int, occupied: int, most: int, budget: int) -> list[int | None] | None:
    return _solver().scores(mine, occupied, budget, most=most)


@cache
def _solver() -> solver.Solver:
    return solver.Solver(REMEMBERED if solver.compiled() else PLAINLY, opened())


def prepare() -> bool:
    """Compile the solver, if numba is installed."""
    done = solver.prepare()
    _solver.cache_clear()
    return done
