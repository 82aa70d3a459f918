"""Reversi's board: 64 cells in an integer, a1 the lowest bit and h8 the highest, row by row.

Each direction is a shift, and the cells it may go over, so that a disc never wraps around an edge.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

SIZE: Final = 8
CELLS: Final = SIZE * SIZE
ALL: Final = (1 << CELLS) - 1

_INNER: Final = 0x7E7E7E7E7E7E7E7E
"""Where a disc may be enclosed sideways: not on an outer column."""

START: Final = ((1 << 28) | (1 << 35), (1 << 27) | (1 << 36))
"""Where the first two discs of each seat lie."""


@lru_cache(1024)
def moves(own: int, theirs: int) -> int:
    """The empty cells from which discs of theirs would be enclosed.

    Asked of each position several times: when it is reached, and for everybody who sees it.
    """
    inner, found = theirs & _INNER, 0
    for by, over in ((1, inner), (7, inner), (8, theirs), (9, inner)):
        ahead, back = own << by & over, own >> by & over
        for _ in range(SIZE - 3):
            ahead |= ahead << by & over
            back |= back >> by & over
        found |= ahead << by | back >> by
    return found & ~(own | theirs) & ALL


def flipped(own: int, theirs: int, disc: int) -> int:
    """The discs of theirs that one more of one's own encloses."""
    inner, turned = theirs & _INNER, 0
    for by, over in ((1, inner), (7, inner), (8, theirs), (9, inner)):
        line, run = 0, disc << by
        while run & over:
            line |= run
            run <<= by
        if run & own:
            turned |= line
        line, run = 0, disc >> by
        while run & over:
            line |= run
            run >>= by
        if run & own:
            turned |= line
    return turned


@lru_cache(1024)
def drawn(black: int, white: int) -> str:
    """Every cell as one letter, from a1: the number of the seat whose disc lies there, or a dot."""
    return "".join(
        ["0" if black >> cell & 1 else "1" if white >> cell & 1 else "." for cell in range(CELLS)]
    )


def cells_in(cells: int) -> Iterator[int]:
    """Their numbers, from the lowest.

    >>> list(cells_in(0b10110))
    [1, 2, 4]
    """
    while cells:
        lowest = cells & -cells
        yield lowest.bit_length() - 1
        cells ^= lowest
