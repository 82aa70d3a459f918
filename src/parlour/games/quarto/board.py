"""The Quarto board: sixteen positions row by row, pieces numbered by their traits, and lines.

A piece is a number from 0 to 15 whose bits are its traits: 1 dark, 2 square, 4 hollow, 8 tall.
"""

from __future__ import annotations

from typing import Final

PIECES: Final = range(16)
POSITIONS: Final = range(16)

Board = tuple[int | None, ...]
"""Which piece stands on each position."""
Line = tuple[int, int, int, int]

EMPTY: Final[Board] = (None,) * 16

LINES: Final[tuple[Line, ...]] = (
    *((4 * row, 4 * row + 1, 4 * row + 2, 4 * row + 3) for row in range(4)),
    *((column, column + 4, column + 8, column + 12) for column in range(4)),
    (0, 5, 10, 15),
    (3, 6, 9, 12),
)
"""Rows, columns, diagonals: where several are complete, the first one counts."""

MARKS: Final[dict[int | None, int]] = {None: 0} | {
    piece: piece | (piece ^ 0b1111) << 4 for piece in PIECES
}
"""What a piece is, in the low four bits, and what it is not, in the high four; nothing is neither.

Four pieces are a Quarto if their marks have a bit in common.
"""


def first_line(board: Board) -> Line | None:
    """The first line of four pieces that share a trait, or the lack of one.

    >>> first_line((8, 9, 10, 11) + EMPTY[4:])
    (0, 1, 2, 3)
    >>> first_line((8, 9, 10, 7) + EMPTY[4:]) is None
    True
    """
    marks = [MARKS[piece] for piece in board]
    for line in LINES:
        a, b, c, d = line
        if marks[a] & marks[b] & marks[c] & marks[d]:
            return line
    return None
