"""What one sees of a Reversi board at a glance: discs to turn, corners, and cells that give them.

No search: this is how the weaker opponents play, and all of them when there is no time.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from parlour.games.api import Dice
from parlour.games.reversi.board import CELLS, SIZE, flipped

Glance = Callable[[int, int, int], int]
"""How good a cell looks: one's own discs, the other's, and the cell."""

CORNER: Final = 100
EDGE: Final = 6
SLANTED: Final = -60
BESIDE: Final = -25


def _near(cell: int) -> int:
    """The corner that is nearest."""
    row, column = divmod(cell, SIZE)
    return (CELLS - SIZE if row >= SIZE // 2 else 0) + (SIZE - 1 if column >= SIZE // 2 else 0)


def _far(cell: int) -> tuple[int, int]:
    """How many rows and columns it is from there."""
    row, column = divmod(cell, SIZE)
    corner_row, corner_column = divmod(_near(cell), SIZE)
    return abs(row - corner_row), abs(column - corner_column)


NEAREST: Final = tuple(1 << _near(cell) for cell in range(CELLS))
TABLE: Final = tuple(
    CORNER if _far(cell) == (0, 0) else EDGE if 0 in _far(cell) else 0 for cell in range(CELLS)
)
"""What a cell is worth by where it lies, …"""
RISK: Final = tuple(
    SLANTED if _far(cell) == (1, 1) else BESIDE if sum(_far(cell)) == 1 else 0
    for cell in range(CELLS)
)
"""… and as long as the corner beside it is free."""


def most_discs(own: int, theirs: int, cell: int) -> int:
    """More is better."""
    return flipped(own, theirs, 1 << cell).bit_count()


def discs_and_corners(own: int, theirs: int, cell: int) -> int:
    """More is better; a corner is worth more than any row."""
    return (CORNER if TABLE[cell] == CORNER else 0) + most_discs(own, theirs, cell)


def most_in_line(own: int, theirs: int, cell: int) -> int:
    """More is better, of what lies in the same row or column: slants are overlooked."""
    row, column = divmod(cell, SIZE)
    line = 0xFF << SIZE * row | 0x0101010101010101 << column
    return (flipped(own, theirs, 1 << cell) & line).bit_count()


def good_cells(own: int, theirs: int, cell: int) -> int:
    """Corners are good, what gives them away is not; and the fewer discs are turned the better."""
    risk = 0 if (own | theirs) & NEAREST[cell] else RISK[cell]
    return TABLE[cell] + risk - 2 * most_discs(own, theirs, cell)


def glanced(own: int, theirs: int, cells: Sequence[int], glance: Glance, dice: Dice) -> int:
    """The cell that looks best; of those that look alike, any."""
    looks = {cell: glance(own, theirs, cell) for cell in cells}
    best = max(looks.values())
    return dice.choice([cell for cell in cells if looks[cell] == best])
