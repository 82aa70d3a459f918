"""The 14x14 board as integers: which cells a move touches, where it fits, and where five stand.

A set of cells is one integer of 196 bits. Cell (x, y) is the digit y*14+x of its binary text, read
from the left, so that a set and the text of it that goes out tell the same story.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache, reduce
from operator import or_
from typing import Literal, NamedTuple

SIZE = 14
CELLS = SIZE * SIZE
CONNECT = 5

MoveType = Literal["SINGLE", "H2", "V2", "CROSS4", "BOMB"]

SHAPES: dict[MoveType, tuple[tuple[int, int], ...]] = {
    "SINGLE": ((0, 0),),
    "H2": ((0, 0), (1, 0)),
    "V2": ((0, 0), (0, 1)),
    "CROSS4": ((0, -1), (-1, 0), (1, 0), (0, 1)),
    "BOMB": ((0, 0),),
}
"""The cells a move touches, seen from the cell it names."""


class Cell(NamedTuple):
    """A place on the board, counted from 0: x to the right, y downwards."""

    x: int
    y: int


def on_board(x: int, y: int) -> bool:
    """Whether there is such a cell."""
    return 0 <= x < SIZE and 0 <= y < SIZE


def bit(x: int, y: int) -> int:
    """The set of this one cell."""
    return 1 << (CELLS - 1 - (y * SIZE + x))


def cell_set(cells: Iterable[tuple[int, int]]) -> int:
    """The set of these cells."""
    return reduce(or_, (bit(x, y) for x, y in cells), 0)


def cells_in(cells: int) -> tuple[Cell, ...]:
    """The cells of a set, row by row."""
    found: list[Cell] = []
    while cells:
        highest = cells.bit_length()
        cells ^= 1 << (highest - 1)
        found.append(_CELLS[CELLS - highest])
    return tuple(found)


_CELLS = tuple(Cell(at % SIZE, at // SIZE) for at in range(CELLS))


@lru_cache(maxsize=256)
def text(cells: int) -> str:
    """A set as 196 digits, cell (x, y) at y*14+x."""
    # All who look at a board are shown the same sets.
    return format(cells, f"0{CELLS}b")


def grid(stones: tuple[int, int]) -> tuple[tuple[int, ...], ...]:
    """Both seats' pieces as `[y][x]`: 0 empty, 1 seat 0, 2 seat 1."""
    ones, twos = stones
    return tuple(_row(ones >> below & _ROW, twos >> below & _ROW) for below in _BELOW)


@lru_cache(maxsize=4096)
def _row(ones: int, twos: int) -> tuple[int, ...]:
    # From one picture of a board to the next nearly all rows are the same.
    return tuple((ones >> at & 1) + 2 * (twos >> at & 1) for at in reversed(range(SIZE)))


EMPTY_GRID = str([[0] * SIZE] * SIZE).replace(" ", "")
"""The grid of a board without pieces, as JSON."""


def redrawn(grid: str, before: tuple[int, int], after: tuple[int, int]) -> str:
    """A grid as JSON, with the pieces of `after` where it shows those of `before`.

    >>> redrawn(EMPTY_GRID, (0, 0), (bit(1, 0), 0))[:10]
    '[[0,1,0,0,'
    """
    ones, twos = after
    changed = (before[0] ^ ones) | (before[1] ^ twos)
    while changed:
        highest = changed.bit_length()
        cell = 1 << (highest - 1)
        changed ^= cell
        at = _DRAWN[CELLS - highest]
        grid = f"{grid[:at]}{1 if ones & cell else 2 if twos & cell else 0}{grid[at + 1 :]}"
    return grid


_DRAWN = tuple(place for place, digit in enumerate(EMPTY_GRID) if digit == "0")
"""Where each cell stands in it: a cell is always one digit."""

_ROW = (1 << SIZE) - 1
_BELOW = tuple(SIZE * (SIZE - 1 - y) for y in range(SIZE))
"""How many digits follow each row's."""

FULL = (1 << CELLS) - 1


def _reach(shape: tuple[tuple[int, int], ...], x: int, y: int) -> tuple[Cell, ...]:
    cells = tuple(Cell(x + dx, y + dy) for dx, dy in shape)
    return cells if all(on_board(*cell) for cell in cells) else ()


REACH: dict[MoveType, tuple[tuple[Cell, ...], ...]] = {
    move_type: tuple(_reach(shape, at % SIZE, at // SIZE) for at in range(CELLS))
    for move_type, shape in SHAPES.items()
}
"""Per move type and cell named: the cells it touches, none where the shape leaves the board."""

TOUCHED: dict[MoveType, tuple[int, ...]] = {
    move_type: tuple(cell_set(cells) for cells in reach) for move_type, reach in REACH.items()
}
"""The same as sets."""

_FITS: dict[MoveType, int] = {
    move_type: int("".join("1" if cells else "0" for cells in touched), 2)
    for move_type, touched in TOUCHED.items()
}


_STEPS: dict[MoveType, tuple[int, ...]] = {
    move_type: tuple(dy * SIZE + dx for dx, dy in shape) for move_type, shape in SHAPES.items()
}
"""How many digits each cell that it touches lies behind the one it names."""


def anchors(move_type: MoveType, own: int, theirs: int) -> int:
    """The cells a move of this type may name now, inventory aside."""
    if move_type == "BOMB":
        return theirs
    empty = FULL & ~(own | theirs)
    free = _FITS[move_type]
    for step in _STEPS[move_type]:
        free &= empty << step if step >= 0 else empty >> -step
    return free


_LINES: tuple[tuple[int, int], ...] = tuple(
    (
        dy * SIZE + dx,
        cell_set(
            (x, y)
            for y in range(SIZE)
            for x in range(SIZE)
            if on_board(x + (CONNECT - 1) * dx, y + (CONNECT - 1) * dy)
        ),
    )
    for dx, dy in ((1, 0), (0, 1), (1, 1), (-1, 1))
)
"""Each direction as the distance between neighbours, with the cells from which five have room."""


def five_starts(stones: int, step: int, room: int) -> int:
    """The cells of `room` from which five stones stand, each `step` digits after the last."""
    pairs = stones & (stones << step)
    return pairs & (pairs << 2 * step) & (stones << 4 * step) & room


def has_five(stones: int) -> bool:
    """Whether five or more stand in a line."""
    return any(five_starts(stones, step, room) for step, room in _LINES)


def winning_five(stones: int, placed: int) -> tuple[Cell, ...]:
    """The first five in a line that the stones just placed are part of, if there is one."""
    for step, room in _LINES:
        for start in cells_in(five_starts(stones, step, room)):
            first = start.y * SIZE + start.x
            line = [first + n * step for n in range(CONNECT)]
            five = tuple(Cell(at % SIZE, at // SIZE) for at in line)
            if cell_set(five) & placed:
                return five
    return ()
