"""Opponents for Reversi: one takes what it can get, one looks ahead, one counts the end out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from parlour.games.api import Dice, Persona
from parlour.games.reversi.board import flipped
from parlour.games.reversi.rules import PLACES, Action, Place, View
from parlour.games.reversi.search import best_cell
from parlour.games.thinking import Searcher


class Opponent(Searcher[View, Action]):
    """One who looks ahead, unless it does not."""

    def choose(
        self,
        mind: None,
        view: View,
        legal: Sequence[Action],
        dice: Dice,
        time_left: Callable[[], float],
    ) -> Action:
        """What looks best; of what looks alike, any. When careless, what turns most discs over."""
        cells = [action.cell for action in legal if isinstance(action, Place)]
        dice.shuffle(cells)
        own, theirs = _discs(view)
        if dice.chance(self.slips):
            return PLACES[max(cells, key=lambda cell: flipped(own, theirs, 1 << cell).bit_count())]
        return PLACES[best_cell(own, theirs, cells, self.deepest, time_left)]


def _discs(view: View) -> tuple[int, int]:
    """One's own and the other's."""
    mine = str(view.seat)
    own = sum(1 << cell for cell, owner in enumerate(view.cells) if owner == mine)
    every = sum(1 << cell for cell, owner in enumerate(view.cells) if owner != ".")
    return own, every ^ own


BOTS: Final[Mapping[str, Opponent]] = MappingProxyType(
    {
        bot.name: bot
        for bot in (
            Opponent(
                "easy",
                Persona(title="Olive", character="Turns over as many discs as it can."),
                deepest=1,
                slips=60,
            ),
            Opponent(
                "medium",
                Persona(title="Rook", character="Looks two moves ahead, and minds the corners."),
                deepest=2,
                slips=0,
            ),
            Opponent(
                "hard",
                Persona(title="Iago", character="Counts the end out, disc by disc."),
                deepest=60,
                slips=0,
            ),
        )
    }
)
