"""Opponents for Connect 4, from one who slips to one who looks as far ahead as time allows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from parlour.games.api import Dice, Persona
from parlour.games.connect4 import search
from parlour.games.connect4.board import CELLS
from parlour.games.connect4.rules import DROPS, Action, Drop, View
from parlour.games.thinking import Searcher


class Opponent(Searcher[View, Action]):
    """One who looks ahead."""

    def choose(
        self,
        mind: None,
        view: View,
        legal: Sequence[Action],
        dice: Dice,
        time_left: Callable[[], float],
    ) -> Action:
        """A column. Those that look alike are taken by chance, or from the centre by the best."""
        columns = [drop.column for drop in legal if isinstance(drop, Drop)]
        if dice.chance(self.slips):
            return DROPS[dice.choice(columns)]
        if self.deepest < CELLS:
            dice.shuffle(columns)
        else:
            columns.sort(key=search.CENTRE_FIRST.index)
        state = view.state
        mine = state.red if view.seat == 0 else state.yellow
        occupied = state.red | state.yellow
        return DROPS[search.best_column(mine, occupied, columns, self.deepest, time_left)]


BOTS: Final[Mapping[str, Opponent]] = MappingProxyType(
    {
        bot.name: bot
        for bot in (
            Opponent(
                "easy",
                Persona(
                    title="Pip",
                    character="Drops where it feels right, and is glad about every row of three.",
                ),
                deepest=2,
                slips=25,
            ),
            Opponent(
                "medium",
                Persona(
                    title="Marlow", character="Sees the next threat, and seldom the one after it."
                ),
                deepest=4,
                slips=5,
            ),
            Opponent(
                "hard",
                Persona(title="Ada", character="Counts the game out, as far as time allows."),
                deepest=CELLS,
                slips=0,
            ),
        )
    }
)

prepare = search.prepare
"""Makes the bots of this process think faster; see there."""
