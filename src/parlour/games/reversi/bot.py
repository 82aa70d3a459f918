"""Opponents for Reversi, from one who counts discs to one who counts the end out.

The weaker ones fall for what people fall for: many discs early, cells that give corners away, a
quiet move of the other's. The better they are, the farther they look.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from parlour.games.api import Dice, Persona
from parlour.games.reversi import search
from parlour.games.reversi.board import CELLS
from parlour.games.reversi.glance import (
    Glance,
    discs_and_corners,
    glanced,
    good_cells,
    most_in_line,
)
from parlour.games.reversi.rules import PLACES, Action, Place, View
from parlour.games.thinking import Forgetful


class Opponent(Forgetful[View, Action]):
    """One that goes by what it sees at a glance."""

    def __init__(self, name: str, persona: Persona, glance: Glance = good_cells) -> None:
        super().__init__(name, persona)
        self._glance = glance

    def choose(
        self,
        mind: None,
        view: View,
        legal: Sequence[Action],
        dice: Dice,
        time_left: Callable[[], float],
    ) -> Action:
        """A cell."""
        return self.at_once(mind, view, legal, dice)

    def at_once(self, mind: None, view: View, legal: Sequence[Action], dice: Dice) -> Action:
        """What looks best at a glance."""
        return PLACES[glanced(*discs(view), cells_of(legal), self._glance, dice)]


class Reader(Opponent):
    """One that looks so many moves ahead while there is time, and to the end when it is near."""

    def __init__(self, name: str, persona: Persona, *, ahead: int, ending: int) -> None:
        super().__init__(name, persona)
        self._ahead = ahead
        self._ending = ending

    def choose(
        self,
        mind: None,
        view: View,
        legal: Sequence[Action],
        dice: Dice,
        time_left: Callable[[], float],
    ) -> Action:
        """What turns out best; of what turns out alike, any."""
        cells = cells_of(legal)
        dice.shuffle(cells)
        own, theirs = discs(view)
        best = search.best_cell(
            own, theirs, cells, time_left, deepest=self._ahead, ending=self._ending
        )
        return PLACES[best]


def discs(view: View) -> tuple[int, int]:
    """One's own and the other's."""
    mine = str(view.seat)
    own = sum(1 << cell for cell, owner in enumerate(view.cells) if owner == mine)
    every = sum(1 << cell for cell, owner in enumerate(view.cells) if owner != ".")
    return own, every ^ own


def cells_of(legal: Sequence[Action]) -> list[int]:
    """Where one may place."""
    return [action.cell for action in legal if isinstance(action, Place)]


BOTS: Final[Mapping[str, Opponent]] = MappingProxyType(
    {
        bot.name: bot
        for bot in (
            Opponent(
                "first",
                Persona(
                    title="Clover", character="Turns over long rows, and forgets that lines slant."
                ),
                most_in_line,
            ),
            Opponent(
                "easy",
                Persona(
                    title="Olive",
                    character="Turns over as many discs as it can, and grabs corners.",
                ),
                discs_and_corners,
            ),
            Opponent(
                "casual",
                Persona(
                    title="Hazel", character="Knows which cells are good, and looks no further."
                ),
            ),
            Reader(
                "medium",
                Persona(title="Rook", character="Looks two moves ahead, and minds the corners."),
                ahead=2,
                ending=4,
            ),
            Reader(
                "strong",
                Persona(
                    title="Sage", character="Leaves you little to do, and looks four moves ahead."
                ),
                ahead=4,
                ending=8,
            ),
            Reader(
                "hard",
                Persona(title="Iago", character="Counts the end out, disc by disc."),
                ahead=6,
                ending=12,
            ),
            Reader(
                "master",
                Persona(
                    title="Juniper",
                    character="Reads as deep as there is time, and ends without a slip.",
                ),
                ahead=CELLS,
                ending=CELLS,
            ),
        )
    }
)


def prepare() -> None:
    """Make the bots of this process think faster, where numba is installed."""
    search.prepare()
