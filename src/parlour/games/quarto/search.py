"""Looks ahead in Quarto: who gives what, and who places it where.

A board is the marks of its sixteen positions (see `board.py`), 0 for an empty one; pieces still to
come are the bits of a number. What is called once a position is written in the part of Python that
numba knows: `prepare` compiles it, where numba is installed, and the same search sees further.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from parlour.games.quarto.board import LINES, MARKS, Board, first_line
from parlour.games.thinking import Numbers, blank, compile_into, deepen

MARK: Final = tuple(MARKS[piece] for piece in range(16))

WON: Final = 100
"""What a win is worth, and one more for every move by which it comes sooner."""


def completing(marks: Numbers) -> int:
    """The marks of which a piece must have one to complete a line somewhere."""
    found = 0
    for a, b, c, d in LINES:
        if marks[a] == 0:
            found |= marks[b] & marks[c] & marks[d]
        elif marks[b] == 0:
            found |= marks[a] & marks[c] & marks[d]
        elif marks[c] == 0:
            found |= marks[a] & marks[b] & marks[d]
        elif marks[d] == 0:
            found |= marks[a] & marks[b] & marks[c]
    return found


def placing(
    marks: Numbers, rest: int, piece: int, depth: int, alpha: int, beta: int, budget: Numbers
) -> int:
    """What it is worth to be given `piece` while `rest` is still to come, `depth` moves ahead.

    Once the budget is below zero the answer means nothing.
    """
    budget[0] -= 1
    if MARK[piece] & completing(marks):
        return WON + depth
    if rest == 0 or depth <= 0 or budget[0] < 0:
        return 0
    best = -WON - depth
    for position in range(16):
        if marks[position] == 0 and best < beta:
            marks[position] = MARK[piece]
            score = giving(marks, rest, depth, max(alpha, best), beta, budget)
            marks[position] = 0
            best = max(best, score)
    return best


def giving(marks: Numbers, rest: int, depth: int, alpha: int, beta: int, budget: Numbers) -> int:
    """What it is worth to have to give a piece of `rest`."""
    danger = completing(marks)
    best = -WON - depth + 1
    for piece in range(16):
        if rest >> piece & 1 and not MARK[piece] & danger and best < beta:
            lowest = max(alpha, best)
            score = -placing(marks, rest ^ 1 << piece, piece, depth - 1, -beta, -lowest, budget)
            best = max(best, score)
    return best


def best_piece(
    board: Board, pieces: Sequence[int], deepest: int, time_left: Callable[[], float]
) -> int:
    """Which of the pieces, all that are left, is the best to give."""
    marks, budget, rest = _laid(board), blank(1), _bits(pieces)

    def look(pieces: Sequence[int], depth: int, allowed: int) -> tuple[dict[int, int], int]:
        budget[0] = allowed
        worth: dict[int, int] = {}
        for piece in pieces:
            highest = max(worth.values(), default=-2 * WON)
            others = rest ^ 1 << piece
            worth[piece] = -placing(marks, others, piece, depth - 1, -2 * WON, -highest, budget)
        return worth, allowed - int(budget[0])

    return deepen(pieces, look, time_left, surely=1, deepest=min(deepest, len(pieces)), decided=WON)


def best_position(
    board: Board, piece: int, positions: Sequence[int], deepest: int, time_left: Callable[[], float]
) -> int:
    """Where the piece is best placed."""
    marks, budget = _laid(board), blank(1)
    rest = _bits(other for other in range(16) if other != piece and other not in board)

    def look(positions: Sequence[int], depth: int, allowed: int) -> tuple[dict[int, int], int]:
        budget[0] = allowed
        worth: dict[int, int] = {}
        for position in positions:
            highest = max(worth.values(), default=-2 * WON)
            if first_line((*board[:position], piece, *board[position + 1 :])):
                worth[position] = WON + depth
            elif rest:
                marks[position] = MARK[piece]
                worth[position] = giving(marks, rest, depth, highest, 2 * WON, budget)
                marks[position] = 0
            else:
                worth[position] = 0
        return worth, allowed - int(budget[0])

    return deepen(
        positions, look, time_left, surely=1, deepest=min(deepest, len(positions)), decided=WON
    )


def _laid(board: Board) -> Numbers:
    marks = blank(16)
    for position, piece in enumerate(board):
        marks[position] = MARKS[piece]
    return marks


def _bits(pieces: Iterable[int]) -> int:
    return sum(1 << piece for piece in pieces)


def prepare() -> None:
    """Compile the search, if numba is installed. It takes seconds, so not while somebody waits."""
    if compile_into(globals(), completing, placing, giving):
        best_piece((None,) * 16, range(16), 1, lambda: 0.0)
