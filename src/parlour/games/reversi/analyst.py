"""Weighs positions of Reversi: known once the end is in reach, estimated before."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from parlour.games.api import Weighed
from parlour.games.reversi import search
from parlour.games.reversi.board import CELLS
from parlour.games.reversi.bot import cells_of, discs
from parlour.games.reversi.rules import PLACES, Action, View
from parlour.games.thinking import OpenAnalyst

HALF: Final = 1200
"""An estimate that is worth half a win."""


class ReversiAnalyst(OpenAnalyst[View, Action]):
    """Counts the end out where it is in reach."""

    def weigh(
        self,
        mind: None,
        view: View,
        legal: Sequence[Action],
        time_left: Callable[[], float],
    ) -> Weighed[Action]:
        """Won, drawn or lost and by how many discs; or what it looks like."""
        own, theirs = discs(view)
        found = search.each_cell(own, theirs, cells_of(legal), time_left)
        moves = tuple(
            (PLACES[cell], _squashed(worth))
            for cell, worth in sorted(found.worth.items(), key=lambda each: -each[1])
        )
        best = max(found.worth.values())
        exact = found.ahead >= CELLS - (own | theirs).bit_count()
        return Weighed(moves[0][1], exact, moves, _verdict(best) if exact else "")


def _squashed(worth: int) -> float:
    """Between a loss and a win, which are what was seen to its end."""
    if abs(worth) >= search.WON:
        return 1.0 if worth > 0 else -1.0
    return worth / (abs(worth) + HALF)


def _verdict(worth: int) -> str:
    if worth == 0:
        return "draw"
    ahead = (abs(worth) - search.WON) // search.DISC_WORTH
    return f"{'wins' if worth > 0 else 'loses'} by {ahead}"


ANALYST: Final = ReversiAnalyst()
