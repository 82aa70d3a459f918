"""Every line of five on the board, laid out in one row of numbers for the search.

A line is five cells in a row, a move its type and the cell it names (`type * 196 + cell`, the types
in the order of `SHAPES`). The row is made once; the search gets it handed in, as a list or as an
array, since compiled code cannot look into other files.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Final

from parlour.games.connect_five.board import CELLS, CONNECT, REACH, SHAPES, SIZE, on_board

STRAIGHT: Final = ((1, 0), (0, 1))
DIAGONAL: Final = ((1, 1), (-1, 1))

LINES: Final = 480
"""How many lines there are; who does not see some of them is given them empty."""
MOST: Final = 20
"""No cell is in more lines."""

THROUGH: Final = LINES * CONNECT
"""Per cell: how many lines go through it, and which."""
PAIRS: Final = THROUGH + CELLS * (MOST + 1)
"""Per line and two of its places: two moves that fill both at once, -1 for none."""
TOUCH: Final = PAIRS + LINES * 25 * 2
"""Per move: how many cells it touches, and which."""
SIZE_OF_ROW: Final = TOUCH + len(SHAPES) * CELLS * 5

PLACING: Final = ("H2", "V2", "CROSS4")


@cache
def row(directions: tuple[tuple[int, int], ...] = STRAIGHT + DIAGONAL) -> tuple[int, ...]:
    """All of it, for somebody who sees lines in these directions."""
    numbers = [0] * SIZE_OF_ROW
    filling = _filling()
    through: list[list[int]] = [[] for _ in range(CELLS)]
    for line, cells in enumerate(_lines(directions)):
        numbers[line * CONNECT : (line + 1) * CONNECT] = cells
        for cell in cells:
            through[cell].append(line)
        for first in range(CONNECT):
            for second in range(CONNECT):
                at = PAIRS + (line * 25 + first * CONNECT + second) * 2
                both = frozenset((cells[first], cells[second]))
                found = filling.get(both, ()) if first != second else ()
                numbers[at : at + 2] = [*found, -1, -1][:2]
    for cell, lines in enumerate(through):
        at = THROUGH + cell * (MOST + 1)
        numbers[at : at + 1 + len(lines)] = [len(lines), *lines]
    for kind, move_type in enumerate(SHAPES):
        for cell, touched in enumerate(REACH[move_type]):
            at = TOUCH + (kind * CELLS + cell) * 5
            numbers[at : at + 1 + len(touched)] = [
                len(touched),
                *(y * SIZE + x for x, y in touched),
            ]
    return tuple(numbers)


def _lines(directions: tuple[tuple[int, int], ...]) -> Iterator[list[int]]:
    for dx, dy in directions:
        for y in range(SIZE):
            for x in range(SIZE):
                if on_board(x + (CONNECT - 1) * dx, y + (CONNECT - 1) * dy):
                    yield [(y + n * dy) * SIZE + x + n * dx for n in range(CONNECT)]


def _filling() -> dict[frozenset[int], list[int]]:
    """Which specials place stones on two cells at once, the cheapest first."""
    found: dict[frozenset[int], list[int]] = {}
    for kind, move_type in enumerate(SHAPES):
        if move_type not in PLACING:
            continue
        for cell, touched in enumerate(REACH[move_type]):
            cells = [y * SIZE + x for x, y in touched]
            for first in cells:
                for second in cells:
                    if first < second:
                        found.setdefault(frozenset((first, second)), []).append(kind * CELLS + cell)
    return found
