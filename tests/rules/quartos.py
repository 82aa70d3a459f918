"""Boards of Quarto to think about."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from parlour.games.quarto.board import EMPTY, Board, first_line


def quiet_boards(random: Random, pieces: int) -> Iterator[Board]:
    """Random boards with so many pieces on them and no line, for ever."""
    while True:
        board = [*EMPTY]
        for square, piece in zip(
            random.sample(range(16), pieces), random.sample(range(16), pieces), strict=True
        ):
            board[square] = piece
        if first_line(tuple(board)) is None:
            yield tuple(board)
