"""The symmetries of Quarto: 32 of the board, 24 orders of traits, 16 ways to name their sides."""

from __future__ import annotations

from itertools import permutations
from typing import Final

from parlour.games.quarto.board import Board

_SIDES: Final = [
    order
    for order in permutations(range(4))
    if all(order[3 - at] == 3 - order[at] for at in (0, 1))
]
"""How rows may change places so that what was on a diagonal stays on one."""

TURNS: Final = tuple(
    tuple(
        4 * down + across if upright else 4 * across + down for down in rows for across in columns
    )
    for rows in _SIDES
    for columns in (rows, rows[::-1])
    for upright in (True, False)
)
"""By square where its piece comes from: all ways to turn a board that make lines of lines."""


def canonical(board: Board, given: int | None = None) -> tuple[int, ...]:
    """The same for all boards, with a piece to be placed or without, that are alike.

    >>> one, other = [None] * 16, [None] * 16
    >>> one[0], other[5] = 3, 12
    >>> canonical(tuple(one)) == canonical(tuple(other))
    True
    """
    return min(_turned([board[square] for square in turn] + [given]) for turn in TURNS)


def _turned(pieces: list[int | None]) -> tuple[int, ...]:
    """Where pieces are, and each trait as a column of bits; the first piece has none of them."""
    first = next((piece for piece in pieces if piece is not None), 0)
    places = 0
    traits = [0, 0, 0, 0]
    for at, piece in enumerate(pieces):
        if piece is not None:
            places |= 1 << at
            turned = piece ^ first
            for trait in range(4):
                traits[trait] |= (turned >> trait & 1) << at
    return (places, *sorted(traits))
