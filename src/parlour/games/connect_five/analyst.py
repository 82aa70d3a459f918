"""Weighs positions of Connect Five: known where a win can be forced, estimated elsewhere.

A win is known only when no answer stops it, specials that the other can pay for included.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import tanh
from typing import Final

from parlour.games.api import Weighed, other
from parlour.games.connect_five import solver
from parlour.games.connect_five.board import CELLS, SIZE
from parlour.games.connect_five.search import KINDS, Board, Budget, Depth, Eye
from parlour.games.connect_five.table import Action, Move, View
from parlour.games.thinking import OpenAnalyst

LOOK: Final = Depth(ahead=4, wide=12, forcing=8, positions=200_000)
SCALE: Final = 250
"""A position worth this much is three quarters of the way to a win."""
LIKELY: Final = 0.95
"""The most that is said of what is not known."""


class Weigher(OpenAnalyst[View, Action]):
    """Looks at a position as the strongest opponent does."""

    def weigh(
        self, mind: None, view: View, legal: Sequence[Action], time_left: Callable[[], float]
    ) -> Weighed[Action]:
        """What each action is worth; a purchase as much as the position, as it costs no turn."""
        seat = view.state.turn
        board = Board(view.state, seat, Eye())
        budget = Budget(LOOK.positions, time_left)
        winning = board.forced(seat, range(LOOK.forcing + 1), 2 * LOOK.wide, budget, 0.4)
        worth = {move: _squashed(value) for move, value in _estimates(board, view, legal).items()}
        if winning is None:
            worth.update((move, _squashed(of)) for move, of in board.ranked(seat, LOOK, budget))
        lost = winning is None and board.threatened(seat) and not board.stops(seat)
        if winning is not None:
            worth[winning] = 1.0
        elif lost:
            worth = dict.fromkeys(worth, -1.0)
        value = max(worth.values(), default=0.0)
        found = [
            (action, worth[number(action)] if isinstance(action, Move) else value)
            for action in legal
        ]
        found.sort(key=lambda each: -each[1])
        note = "wins by force" if winning is not None else "cannot be stopped" if lost else ""
        return Weighed(value, winning is not None or lost, tuple(found), note)


def number(move: Move) -> int:
    """A move as the search counts them."""
    return KINDS.index(move.move_type) * CELLS + move.y * SIZE + move.x


def _estimates(board: Board, view: View, legal: Sequence[Action]) -> dict[int, int]:
    """What each move looks worth at a glance."""
    seat, found = view.state.turn, dict[int, int]()
    for action in legal:
        if isinstance(action, Move):
            move = number(action)
            bought = solver.play(board.at, board.lines, move, seat)
            found[move] = -int(solver.static(board.at, other(seat)))
            if board.threatened(seat):
                found[move] = -solver.WON
            solver.undo(board.at, board.lines, move, seat, bought)
    return found


def _squashed(worth: int) -> float:
    """Between lost and won, and short of both, as it is not known."""
    return LIKELY * tanh(worth / SCALE)


ANALYST: Final = Weigher()
