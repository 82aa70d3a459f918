"""Opponents for Quarto, from one who misses diagonals to one who reads the game to its end."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Annotated, Final

from msgspec import Meta, Struct

from parlour.games.api import Bot, Dice, Millis, Persona
from parlour.games.quarto import search, solver
from parlour.games.quarto.board import LINES
from parlour.games.quarto.rules import CALL, PLACES, SELECTS, Action, Place, Select, View
from parlour.games.quarto.search import Reach
from parlour.games.quarto.solver import BYTE, EVERY_MARK, ONES, laid
from parlour.games.thinking import SPARE_S

Percent = Annotated[int, Meta(ge=0, le=100)]

DIAGONALS: Final = sum(BYTE << 8 * (line - 5) for line in range(8, len(LINES)))
"""Their marks among those of the last five lines."""


class Faults(Struct, frozen=True, kw_only=True):
    """What somebody does wrong, and how often."""

    misses_diagonals: Percent = 0
    overlooks_a_trait: Percent = 0
    gives_unchecked: Percent = 0
    """Hands over a piece without a look at what it could complete."""
    forgets_to_call: Percent = 0


class Sight(Struct, frozen=True):
    """Which marks of which lines somebody looks at this time, as the solver keeps lines."""

    low: int = EVERY_MARK
    high: int = EVERY_MARK


WHOLE: Final = Sight()


def sight_of(faults: Faults, dice: Dice) -> Sight:
    """What is seen this time."""
    marks = BYTE
    if dice.chance(faults.overlooks_a_trait):
        marks ^= 0b10001 << dice.below(4)
    high = EVERY_MARK ^ DIAGONALS if dice.chance(faults.misses_diagonals) else EVERY_MARK
    return Sight(ONES * marks, high & ONES * marks)


class Opponent(Bot[View, Action, None]):
    """One who sees so far, and makes such mistakes. The board tells everything there is to know."""

    def __init__(
        self, name: str, persona: Persona, reach: Reach, faults: Faults | None = None
    ) -> None:
        self.name = name
        self.persona = persona
        self._reach = reach
        self._faults = faults or Faults()

    def begin(self) -> None:
        """Nothing to know."""

    def observe(self, mind: None, view: View, dice: Dice) -> None:
        """Nothing to remember."""

    def delay(self, view: View, dice: Dice) -> Millis:
        """Long enough to be seen to think; a turn is two thoughts."""
        return dice.between(100, 150)

    def choose(
        self,
        mind: None,
        view: View,
        legal: Sequence[Action],
        dice: Dice,
        time_left: Callable[[], float],
    ) -> Action:
        """A call if a line is noticed; else what looks best, alike by chance."""
        return self._decided(view, legal, dice, self._reach, time_left)

    def at_once(self, mind: None, view: View, legal: Sequence[Action], dice: Dice) -> Action:
        """A call, a line, or what leaves the most pieces to give: no further than the next one."""
        return self._decided(view, legal, dice, Reach(depth=0), _no_time)

    def _decided(
        self,
        view: View,
        legal: Sequence[Action],
        dice: Dice,
        reach: Reach,
        time_left: Callable[[], float],
    ) -> Action:
        sight = sight_of(self._faults, dice)
        forgetful = dice.chance(self._faults.forgets_to_call)
        unchecked = dice.chance(self._faults.gives_unchecked)
        moves = [action for action in legal if isinstance(action, Select | Place)]
        if CALL in legal and (not moves or (not forgetful and _noticed(view, sight))):
            return CALL
        dice.shuffle(moves)
        board, given = view.state.board, view.state.selected
        if given is None and unchecked:
            return moves[0]
        numbers = [move.piece if isinstance(move, Select) else move.position for move in moves]
        if time_left() > SPARE_S:
            numbers = [kind[0] for kind in search.alike(board, given, numbers)]
        position = laid(board, sight.low, sight.high)
        best = search.best(position, given, numbers, reach, time_left)
        return SELECTS[best] if given is None else PLACES[best]


def _no_time() -> float:
    return 0.0


def _noticed(view: View, sight: Sight) -> bool:
    """Whether any of the complete lines is seen."""
    return solver.complete(laid(view.state.board, sight.low, sight.high))


BOTS: Final[Mapping[str, Opponent]] = MappingProxyType(
    {
        bot.name: bot
        for bot in (
            Opponent(
                "first",
                Persona(
                    title="Pip",
                    character="Looks along rows and columns, and often forgets to say the word.",
                ),
                Reach(depth=1),
                Faults(
                    misses_diagonals=100,
                    overlooks_a_trait=60,
                    gives_unchecked=40,
                    forgets_to_call=35,
                ),
            ),
            Opponent(
                "easy",
                Persona(
                    title="Fern",
                    character="Likes how pieces look, and now and then overlooks a trait.",
                ),
                Reach(depth=1),
                Faults(
                    misses_diagonals=30,
                    overlooks_a_trait=35,
                    gives_unchecked=15,
                    forgets_to_call=10,
                ),
            ),
            Opponent(
                "casual",
                Persona(
                    title="Wren",
                    character="Knows all four traits by heart, but diagonals come as a surprise.",
                ),
                Reach(depth=1),
                Faults(misses_diagonals=35, overlooks_a_trait=5),
            ),
            Opponent(
                "medium",
                Persona(title="Basil", character="Never hands over a piece that wins at once."),
                Reach(depth=1),
            ),
            Opponent(
                "strong",
                Persona(
                    title="Juno",
                    character="Counts the pieces that are safe to give, and plans to run you out.",
                ),
                Reach(depth=2, exact_from=12),
            ),
            Opponent(
                "hard",
                Persona(title="Gioconda", character="Plays the end without a fault, and smiles."),
                Reach(depth=3, exact_from=9),
            ),
            Opponent(
                "master",
                Persona(
                    title="Leonardo",
                    character="Has read the game to its end before half the pieces are down.",
                ),
                Reach(depth=4, exact_from=4),
            ),
        )
    }
)

prepare = solver.prepare
"""Makes the bots of this process think faster; see there."""
