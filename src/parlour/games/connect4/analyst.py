"""Weighs positions of Connect 4: known wherever the solver gets there in time, else estimated."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from parlour.games.api import Weighed
from parlour.games.connect4 import exact, search
from parlour.games.connect4.board import CELLS
from parlour.games.connect4.bot import discs
from parlour.games.connect4.exact import Known
from parlour.games.connect4.rules import DROPS, Action, Drop, View
from parlour.games.thinking import OpenAnalyst

HALF: Final = 12
"""An estimate that is worth half a win."""
AHEAD: Final = 6
"""How far an estimate looks."""


class Connect4Analyst(OpenAnalyst[View, Action]):
    """Asks the solver first."""

    def weigh(
        self,
        mind: None,
        view: View,
        legal: Sequence[Action],
        time_left: Callable[[], float],
    ) -> Weighed[Action]:
        """Won, drawn or lost, and the soonest win first; or what it looks like."""
        mine, occupied = discs(view)
        columns = [drop.column for drop in legal if isinstance(drop, Drop)]
        known = exact.known(mine, occupied, time_left)
        if known is None:
            found = search.worths(mine, occupied, columns, AHEAD)
            return _weighed({at: _squashed(worth) for at, worth in found.items()}, found)
        worth = {at: float((score > 0) - (score < 0)) for at, score in known.scores.items()}
        note = _verdict(known, occupied.bit_count())
        return _weighed(worth, known.scores, exact=True, note=note)


def _weighed(
    worth: dict[int, float], order: dict[int, int], *, exact: bool = False, note: str = ""
) -> Weighed[Action]:
    columns = sorted(worth, key=lambda column: (-order[column], search.CENTRE_FIRST.index(column)))
    moves = tuple((DROPS[column], worth[column]) for column in columns)
    return Weighed(moves[0][1], exact, moves, note)


def _squashed(worth: int) -> float:
    """A search's worth between a loss and a win; what it saw to its end is one."""
    if abs(worth) >= search.DECIDED:
        return 1.0 if worth > 0 else -1.0
    return worth / (abs(worth) + HALF)


def _verdict(known: Known, discs: int) -> str:
    """In moves of whoever wins, the winning one included."""
    score = max(known.scores.values())
    if score == 0:
        return "draw"
    if not known.how_soon:
        return "wins" if score > 0 else "loses"
    if score > 0:
        return f"wins in {CELLS // 2 + 1 - score - discs // 2}"
    return f"loses in {CELLS // 2 + 1 + score - (discs + 1) // 2}"


ANALYST: Final = Connect4Analyst()
