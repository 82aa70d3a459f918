"""Opponents for Connect 4, from one who sees only its own rows to one who makes no mistake.

The weaker ones overlook what people overlook: the other's threats, lines that slant, what a disc
makes room for, what comes after the next threat. The better they are, the later in a game their
mistakes end; the best one's end before the first move, where the book of openings is installed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from parlour.games.api import Dice, Persona
from parlour.games.connect4 import exact, search
from parlour.games.connect4.board import CELLS, COLUMNS
from parlour.games.connect4.glance import ALL_OF_IT, ALONG, UPRIGHT, Eye, glanced
from parlour.games.connect4.rules import DROPS, Action, Drop, View
from parlour.games.thinking import Forgetful

MIDDLE: Final = COLUMNS // 2


class Opponent(Forgetful[View, Action]):
    """One that goes by what it sees at a glance."""

    def __init__(self, name: str, persona: Persona, eye: Eye = ALL_OF_IT) -> None:
        super().__init__(name, persona)
        self._eye = eye

    def choose(
        self,
        mind: None,
        view: View,
        legal: Sequence[Action],
        dice: Dice,
        time_left: Callable[[], float],
    ) -> Action:
        """A column."""
        mine, occupied = discs(view)
        return DROPS[self._column(mine, occupied, _columns(legal), dice, time_left)]

    def at_once(self, mind: None, view: View, legal: Sequence[Action], dice: Dice) -> Action:
        """What it sees at a glance."""
        return DROPS[glanced(*discs(view), _columns(legal), self._eye, dice)]

    def _column(
        self,
        mine: int,
        occupied: int,
        columns: list[int],
        dice: Dice,
        time_left: Callable[[], float],
    ) -> int:
        return glanced(mine, occupied, columns, self._eye, dice)


class Reader(Opponent):
    """One that reads so many moves ahead, and takes any of those that look about as good."""

    def __init__(self, name: str, persona: Persona, *, ahead: int, about: int) -> None:
        super().__init__(name, persona)
        self._ahead = ahead
        self._about = about

    def _column(
        self,
        mine: int,
        occupied: int,
        columns: list[int],
        dice: Dice,
        time_left: Callable[[], float],
    ) -> int:
        dice.shuffle(columns)
        if not self._about:
            return search.best_column(mine, occupied, columns, self._ahead, time_left)
        worth = search.worths(mine, occupied, columns, self._ahead)
        best = max(worth.values())
        least = best if abs(best) >= search.DECIDED else best - self._about
        return next(column for column in columns if worth[column] >= least)


class Counter(Opponent):
    """One that counts the game out, from so many discs on; until then it reads as far as it can."""

    def __init__(self, name: str, persona: Persona, *, after: int) -> None:
        super().__init__(name, persona)
        self._after = after

    def _column(
        self,
        mine: int,
        occupied: int,
        columns: list[int],
        dice: Dice,
        time_left: Callable[[], float],
    ) -> int:
        columns.sort(key=search.CENTRE_FIRST.index)
        if not occupied:
            return MIDDLE
        kept = None
        if occupied.bit_count() >= self._after:
            kept = exact.keeping(mine, occupied, time_left)
        if kept is None:
            return search.best_column(mine, occupied, columns, CELLS, time_left)
        known = exact.known(mine, occupied, time_left)
        if known is None:
            return kept
        if known.how_soon:
            return known.best()[0]
        return search.best_column(mine, occupied, known.best(), CELLS, time_left)


def discs(view: View) -> tuple[int, int]:
    """One's own discs, and all."""
    state = view.state
    return state.red if view.seat == 0 else state.yellow, state.red | state.yellow


def _columns(legal: Sequence[Action]) -> list[int]:
    return [drop.column for drop in legal if isinstance(drop, Drop)]


BOTS: Final[Mapping[str, Opponent]] = MappingProxyType(
    {
        bot.name: bot
        for bot in (
            Opponent(
                "first",
                Persona(title="Dot", character="Builds its own row, and never looks at yours."),
                Eye(ways=(ALONG, UPRIGHT), theirs=False, above=False),
            ),
            Opponent(
                "easy",
                Persona(
                    title="Pip", character="Minds rows and columns, and forgets that lines slant."
                ),
                Eye(ways=(ALONG, UPRIGHT), above=False),
            ),
            Reader(
                "casual",
                Persona(
                    title="Juno", character="Walks into no trap it can see, and plays by feel."
                ),
                ahead=2,
                about=2,
            ),
            Reader(
                "medium",
                Persona(
                    title="Marlow", character="Sees the next threat, and seldom the one after it."
                ),
                ahead=4,
                about=1,
            ),
            Reader(
                "strong",
                Persona(
                    title="Sable", character="Plans seven moves ahead, and likes the middle best."
                ),
                ahead=7,
                about=0,
            ),
            Counter(
                "hard",
                Persona(
                    title="Ada", character="Feels its way into a game, and then counts it out."
                ),
                after=16,
            ),
            Counter(
                "master",
                Persona(
                    title="Vera", character="Never lets go of a game that is won, or that is even."
                ),
                after=0,
            ),
        )
    }
)


def prepare() -> None:
    """Make the bots of this process think faster, where numba is installed."""
    exact.prepare()
    search.prepare()
