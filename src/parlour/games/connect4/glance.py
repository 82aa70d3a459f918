"""What one sees of a Connect 4 board at a glance: threes, open lines, what a disc gives away.

No search: this is how the weaker opponents play, and all of them when there is no time.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from parlour.games.api import Dice
from parlour.games.connect4.board import COLUMNS, DIRECTIONS, EVERYWHERE, ROWS, bit, landing

ALONG, RISING, FALLING, UPRIGHT = DIRECTIONS

_STEPS: Final = {ALONG: (0, 1), RISING: (1, 1), FALLING: (-1, 1), UPRIGHT: (1, 0)}
_LINES: Final = tuple(
    (way, sum(line))
    for way, (up, along) in _STEPS.items()
    for row in range(ROWS)
    for column in range(COLUMNS)
    if all(line := [bit(row + up * far, column + along * far) for far in range(4)])
)
THROUGH: Final = {
    disc: tuple((way, line ^ disc) for way, line in _LINES if line & disc)
    for row in range(ROWS)
    for column in range(COLUMNS)
    if (disc := bit(row, column))
}
"""The rest of each line of four through a cell, and which way it runs."""

PROMISE: Final = (1, 3, 9, 27)
"""What an open line is worth, by how many discs are in it already."""
ALIKE: Final = 85
"""What promises so many hundredths of the most looks as good."""


class Eye(Struct, frozen=True, kw_only=True):
    """What somebody notices."""

    ways: tuple[int, ...] = DIRECTIONS
    """Lines that run these ways."""
    theirs: bool = True
    """What the other is about to do."""
    above: bool = True
    """What a disc makes room for."""


ALL_OF_IT: Final = Eye()


def glanced(mine: int, occupied: int, columns: Sequence[int], eye: Eye, dice: Dice) -> int:
    """A column for somebody with that eye: a win, a block, or where lines are open."""
    theirs = mine ^ occupied
    discs = {column: landing(occupied, column) for column in columns}
    for side in (mine, theirs) if eye.theirs else (mine,):
        for column, disc in discs.items():
            if _makes_four(side, disc, eye):
                return column
    if eye.above:
        harmless = {
            column: disc
            for column, disc in discs.items()
            if not disc << 1 & EVERYWHERE or not _makes_four(theirs, disc << 1, eye)
        }
        discs = harmless or discs
    promises = {column: _promise(mine, theirs, disc, eye) for column, disc in discs.items()}
    least = ALIKE * max(promises.values()) // 100
    return dice.choice([column for column, worth in promises.items() if worth >= least])


def _makes_four(side: int, disc: int, eye: Eye) -> bool:
    return any(rest & side == rest and way in eye.ways for way, rest in THROUGH[disc])


def _promise(mine: int, theirs: int, disc: int, eye: Eye) -> int:
    """How much the lines through a cell promise, to oneself and to the other."""
    worth = 0
    for way, rest in THROUGH[disc]:
        if way in eye.ways:
            if not rest & theirs:
                worth += 2 * PROMISE[(rest & mine).bit_count()]
            if eye.theirs and not rest & mine:
                worth += PROMISE[(rest & theirs).bit_count()]
    return worth
