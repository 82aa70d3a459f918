"""The Connect 4 board as integers: one bit a disc, seven bits a column, row 0 at the bottom.

Cell (row, column) is bit ``7 * column + row``. The seventh bit of a column is never set: it keeps
lines from running over into the next column, and takes the carry when a full column is added to.

     5 12 19 26 33 40 47
     4 11 18 25 32 39 46
     3 10 17 24 31 38 45
     2  9 16 23 30 37 44
     1  8 15 22 29 36 43
     0  7 14 21 28 35 42
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

ROWS: Final = 6
COLUMNS: Final = 7
CELLS: Final = ROWS * COLUMNS

BOTTOM: Final = tuple(1 << 7 * column for column in range(COLUMNS))
"""The lowest cell of each column."""
COLUMN: Final = tuple(0b111111 * bottom for bottom in BOTTOM)
"""All six cells of each column."""
EVERYWHERE: Final = sum(COLUMN)
"""All cells."""
TOP_ROW: Final = sum(bottom << ROWS - 1 for bottom in BOTTOM)
"""The highest cell of every column: what is taken here is a full column."""

DIRECTIONS: Final = (7, 8, 6, 1)
"""From a cell to its neighbour: along the row, rising, falling, up the column."""


def landing(occupied: int, column: int) -> int:
    """The cell a disc dropped into `column` comes to rest in; 0 if the column is full.

    Adding one at the bottom of a column carries up to its first free cell.

    >>> bin(landing(0b0011, 0))
    '0b100'
    """
    return (occupied + BOTTOM[column]) & COLUMN[column]


def flaw(red: int, yellow: int) -> str | None:
    """What is wrong with discs that cannot have been dropped into this board; None: nothing.

    >>> flaw(0b01, 0b10), flaw(0b01, 0b01), flaw(0b01, 0b100)
    (None, 'a cell is taken twice', 'a disc has nothing below it')
    """
    occupied = red | yellow
    if occupied & ~EVERYWHERE:
        return "a disc lies outside the board"
    if red & yellow:
        return "a cell is taken twice"
    # Adding one at the bottom of a pile carries through all of it; through a gap nothing carries.
    if occupied & (occupied + sum(BOTTOM)):
        return "a disc has nothing below it"
    return None


def fours(discs: int) -> int:
    """Those of the discs that stand in a row of four or more.

    >>> fours(0b1111) == 0b1111, fours(0b110111)
    (True, 0)
    """
    found = 0
    for step in DIRECTIONS:
        pairs = discs & discs >> step
        first = pairs & pairs >> 2 * step
        found |= first | first << step | first << 2 * step | first << 3 * step
    return found


def bit(row: int, column: int) -> int:
    """The bit of a cell; 0 outside the board."""
    return 1 << 7 * column + row if 0 <= row < ROWS and 0 <= column < COLUMNS else 0


def cells(discs: int) -> tuple[tuple[int, int], ...]:
    """The (row, column) of every disc, column by column from the bottom."""
    return tuple(
        (row, column)
        for column in range(COLUMNS)
        for row in range(ROWS)
        if discs & bit(row, column)
    )


# A dropped disc makes four only with cells within three of its own, so it is enough to look at the
# upright cross through it (its row, and what lies below) and at the slanted one. Few enough
# fillings of a cross hold a four through its middle that all of them can be listed, and a move is
# judged by two lookups.


def _cross(row: int, column: int, *arms: tuple[int, int]) -> int:
    """The cells up to three steps away from a cell along each arm, without the cell itself."""
    reach = (1, 2, 3)
    return sum(bit(row + up * far, column + along * far) for up, along in arms for far in reach)


def _subsets(mask: int) -> Iterator[int]:
    """Every choice of the bits of `mask`."""
    subset = mask
    while subset:
        yield subset
        subset = (subset - 1) & mask
    yield 0


CROSSES: Final = {
    bit(row, column): (
        bit(row, column) | _cross(row, column, (0, -1), (0, 1), (-1, 0)),
        bit(row, column) | _cross(row, column, (-1, -1), (1, 1), (-1, 1), (1, -1)),
    )
    for row in range(ROWS)
    for column in range(COLUMNS)
}
"""The upright and the slanted cross through each cell."""


def _rows(disc: int, cross: int) -> Iterator[int]:
    """The rows of four through a disc that lie in its cross."""
    for step in DIRECTIONS:
        row = 1 | 1 << step | 1 << 2 * step | 1 << 3 * step
        for before in range(4):
            first = disc >> before * step
            if first << before * step == disc and not first * row & ~cross:
                yield first * row


FOURS: Final = frozenset(
    row | filling
    for disc, crosses in CROSSES.items()
    for cross in crosses
    for row in _rows(disc, cross)
    for filling in _subsets(cross ^ row)
)
"""Every filling of a cross in which the disc in the middle is one of four in a row."""


def makes_four(discs: int, disc: int) -> bool:
    """Whether `disc`, the topmost of its column, stands in a row of four of `discs`."""
    upright, slanted = CROSSES[disc]
    return discs & upright in FOURS or discs & slanted in FOURS
