"""Opponents for Quarto, from one who overlooks things to one who plays the end without a fault."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from parlour.games.api import Dice, Persona
from parlour.games.quarto import search
from parlour.games.quarto.rules import CALL, PLACES, SELECTS, Action, Place, Select, View
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
        """A call if there is a line and it is noticed; else what looks best, alike by chance."""
        careless = dice.chance(self.slips)
        moves = [action for action in legal if isinstance(action, Select | Place)]
        if CALL in legal and not (careless and moves):
            return CALL
        if careless:
            return dice.choice(moves)
        dice.shuffle(moves)
        board, piece = view.state.board, view.state.selected
        if piece is None:
            pieces = [action.piece for action in moves if isinstance(action, Select)]
            return SELECTS[search.best_piece(board, pieces, self.deepest, time_left)]
        positions = [action.position for action in moves if isinstance(action, Place)]
        return PLACES[search.best_position(board, piece, positions, self.deepest, time_left)]


BOTS: Final[Mapping[str, Opponent]] = MappingProxyType(
    {
        bot.name: bot
        for bot in (
            Opponent(
                "easy",
                Persona(
                    title="Fern",
                    character="Likes how pieces look, and now and then overlooks a line.",
                ),
                deepest=1,
                slips=30,
            ),
            Opponent(
                "medium",
                Persona(title="Basil", character="Never hands over a piece that wins at once."),
                deepest=2,
                slips=0,
            ),
            Opponent(
                "hard",
                Persona(title="Gioconda", character="Plays the end without a fault."),
                deepest=16,
                slips=0,
            ),
        )
    }
)

prepare = search.prepare
"""Makes the bots of this process think faster; see there."""
