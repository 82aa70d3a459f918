"""What searching opponents share: a mind, looking deeper while there is time, and compiled code.

A search counts the positions it looks at, and gives up once it has seen as many as it was allowed:
code that may be compiled cannot look at a clock.
"""

from __future__ import annotations

from collections.abc import Callable, MutableSequence, Sequence
from typing import Any, Final, TypeVar

from parlour.games.api import Analyst, Bot, Dice, Millis, Persona

T = TypeVar("T")
A = TypeVar("A")
Seen_contra = TypeVar("Seen_contra", contravariant=True)

Numbers = MutableSequence[int]

Look = Callable[[Sequence[T], int, int], tuple[dict[T, int], int]]
"""Weigh options, looking so many moves ahead at so many positions at most.

The answer is what each is worth, and at how many positions it looked: at more than it was allowed,
and the weights mean nothing.
"""

SPARE_S: Final = 0.01
"""How much of the time is kept for the way back."""
DARED: Final = 0.3
"""How much of what should fit into the time left is tried at once, as speed differs by position."""
GROWTH: Final = 8
"""No more at once than so many times what has been measured."""
SURELY: Final = 10_000
"""Positions it may look at without any time left."""
A_SECOND: Final = 100_000
"""So many positions are a second, where they are counted instead of time."""
GLANCE: Final = 16
"""So many positions is a look at such a clock."""


class Ration:
    """A `time_left` that counts positions instead of seconds: a thought is then the same anywhere.

    A search says what it has looked at. Every look at this clock counts for some positions, too, so
    that a search that says nothing comes to its end as well.
    """

    __slots__ = ("left",)

    def __init__(self, positions: int) -> None:
        self.left = positions

    def __call__(self) -> float:
        """Seconds, for one who looks at `A_SECOND` positions in each."""
        self.left -= GLANCE
        return self.left / A_SECOND

    def looked(self, positions: int) -> None:
        """So many more were looked at."""
        self.left -= positions


def count(time_left: Callable[[], float], positions: int) -> None:
    """Say what a search has looked at, should its time be counted so."""
    if isinstance(time_left, Ration):
        time_left.looked(positions)


class OpenAnalyst(Analyst[Seen_contra, A, None]):
    """One that remembers nothing, as the board tells everything there is to know."""

    def begin(self) -> None:
        """Nothing to know."""

    def observe(self, mind: None, view: Seen_contra) -> None:
        """Nothing to remember."""


class Forgetful(Bot[Seen_contra, A, None]):
    """An opponent that remembers nothing, as the board tells everything there is to know."""

    remembers = False

    def __init__(self, name: str, persona: Persona) -> None:
        self.name = name
        self.persona = persona

    def begin(self) -> None:
        """Nothing to know."""

    def observe(self, mind: None, view: Seen_contra, dice: Dice) -> None:
        """Nothing to remember."""

    def delay(self, view: Seen_contra, dice: Dice) -> Millis:
        """Long enough to be seen to think; meanwhile it does."""
        return dice.between(150, 350)


def deepen(
    options: Sequence[T],
    look: Look[T],
    time_left: Callable[[], float],
    *,
    surely: int,
    deepest: int,
    decided: int,
) -> T:
    """The best option, looking `surely` so many moves ahead, then further while there is time.

    Stops at `deepest`, or when the best is worth `decided` or more, or less than its opposite. Of
    options that are worth the same the one named first is taken.
    """
    best = list(options)
    depth, allowed, rate = 1, SURELY, 0.0
    while depth <= deepest and len(best) > 1:
        left = time_left() - SPARE_S
        if depth > surely:
            allowed = min(int(rate * left * DARED), allowed)
            if allowed <= 0:
                break
        worth, seen = look(best, depth, allowed)
        count(time_left, seen)
        spent = left + SPARE_S - time_left()
        rate = seen / max(spent, 0.0001)
        if seen <= allowed:
            best.sort(key=lambda option: -worth[option])
            if abs(worth[best[0]]) >= decided:
                break
            depth += 1
        elif left - spent < spent:
            break
        allowed = GROWTH * seen
    return best[0]


def blank(size: int) -> Numbers:
    """So many zeros, for a search that is not compiled."""
    return [0] * size


def compile_into(
    module: dict[str, Any], *functions: Callable[..., int], keep: bool = False
) -> bool:
    """Put compiled functions, and arrays for them, in their place in a module, if numba is here.

    They call each other by their names there, and are compiled when they are first called. With
    `keep` what was compiled is kept on disk until the file changes in which they stand: they must
    then call nothing of another.
    """
    try:
        import numba  # noqa: PLC0415 half a second, and only who asks to compile needs it
        import numpy as np  # noqa: PLC0415 (as above)
    except ImportError:
        return False
    for function in functions:
        plain = getattr(function, "py_func", function)
        try:
            compiled = numba.njit(plain, nogil=True, cache=keep)
        except RuntimeError:  # there is nowhere to keep it
            compiled = numba.njit(plain, nogil=True)
        module[function.__name__] = compiled
    module["blank"] = lambda size: np.zeros(size, np.int64)
    return True
