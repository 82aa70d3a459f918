"""Opponents for Connect Five, from one who sees only its own rows to one who forces its wins.

Buying costs no turn: who wants a special that it does not have buys it first, and uses it when it
is asked again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from parlour.games.api import Dice, Millis, Persona
from parlour.games.connect_five import search
from parlour.games.connect_five.board import CELLS, SIZE, MoveType
from parlour.games.connect_five.lines import STRAIGHT
from parlour.games.connect_five.search import KINDS, Board, Budget, Depth, Eye
from parlour.games.connect_five.table import Action, Move, Purchase, View
from parlour.games.thinking import Forgetful

MOVES_TO_COME: Final = 30
"""For so many more moves a clock should last."""
ALIKE: Final = 80
"""Moves that look at least so many hundredths as good as the best are as good to who only looks."""


BOMB: Final = Purchase("BOMB")
EVERYTHING: Final = Eye()
GLANCE: Final = Depth()


class Opponent(Forgetful[View, Action]):
    """One with its own eye and its own patience."""

    def __init__(
        self,
        name: str,
        persona: Persona,
        *,
        eye: Eye = EVERYTHING,
        depth: Depth = GLANCE,
        attention: int = 100,
        hoards: bool = False,
    ) -> None:
        super().__init__(name, persona)
        self.eye = eye
        self.depth = depth
        self.attention = attention
        """In so many moves of a hundred it looks at what the other is up to."""
        self.hoards = hoards
        """It buys bombs as soon as it can."""

    def delay(self, view: View, dice: Dice) -> Millis:
        """Long enough to be seen to think; shorter on a low clock, or to use what was bought."""
        state, seat = view.state, view.seat
        assert seat is not None
        if state.turn != seat or _holding(view, self.eye) or not any(state.stones):
            return dice.between(60, 120)
        left = state.clocks.left_ms[seat] // MOVES_TO_COME
        return min(dice.between(200, 400), left // 2)

    def choose(
        self,
        mind: None,
        view: View,
        legal: Sequence[Action],
        dice: Dice,
        time_left: Callable[[], float],
    ) -> Action:
        """A win, an answer to a threat, or what looks best as far as this one looks."""
        patience = _patience(view, time_left, self.eye)
        if not _begun(view) or patience() <= search.SPARE_S:
            return self.at_once(mind, view, legal, dice)
        if self._hoarding(view, legal):
            return BOMB
        seat = view.state.turn
        board = Board(view.state, seat, self.eye)
        if not self.depth.looks or not dice.chance(self.attention):
            return self._glanced(board, view, legal, dice)
        budget = Budget(self.depth.positions, patience)
        return _action(board.best(seat, self.depth, budget, dice), view, legal, dice)

    def at_once(self, mind: None, view: View, legal: Sequence[Action], dice: Dice) -> Action:
        """A win, what stops one, or the stone that does most."""
        if not _begun(view):
            return _opened(legal, dice)
        if self._hoarding(view, legal):
            return BOMB
        board = Board(view.state, view.state.turn, self.eye)
        guard = int(dice.chance(self.attention))
        return _action(board.quick(view.state.turn, guard), view, legal, dice)

    def _hoarding(self, view: View, legal: Sequence[Action]) -> bool:
        return self.hoards and view.state.turn_number > 2 and BOMB in legal

    def _glanced(self, board: Board, view: View, legal: Sequence[Action], dice: Dice) -> Action:
        """What is seen without looking ahead: a win, what stops one, or any of what looks best."""
        seat = view.state.turn
        if (winning := board.win(seat)) is not None:
            return _action(winning, view, legal, dice)
        attentive = dice.chance(self.attention)
        if attentive and board.threatened(seat) and (stops := board.stops(seat)):
            return _action(stops[0][0], view, legal, dice)
        found = board.good(seat, self.depth.wide, int(attentive))
        enough = found[0][1] * ALIKE // 100 if found else 0
        alike = [move for move, worth in found if worth >= enough]
        return _action(dice.choice(alike) if alike else None, view, legal, dice)


def _begun(view: View) -> bool:
    """Whether it is this seat's turn in a match in which something stands."""
    return view.seat == view.state.turn and any(view.state.stones)


def _opened(legal: Sequence[Action], dice: Dice) -> Action:
    """The first stone lies near the middle."""
    first = Move("SINGLE", dice.between(4, SIZE - 5), dice.between(4, SIZE - 5))
    return first if first in legal else legal[0]


def _holding(view: View, eye: Eye) -> bool:
    """Whether it has something in hand that it bought to use at once."""
    assert view.seat is not None
    held = view.state.inventories[view.seat]
    return any(held.count(each) for each in eye.uses)


def _patience(view: View, time_left: Callable[[], float], eye: Eye) -> Callable[[], float]:
    """The time for a thought: what it is given, less when the clock is low or it thought before."""
    assert view.seat is not None
    given = time_left()
    fair = view.state.clocks.left_ms[view.seat] / 1000 / MOVES_TO_COME
    if _holding(view, eye):
        fair = min(fair, given / 3)
    kept = max(0.0, given - fair)
    return lambda: time_left() - kept


def _action(move: int | None, view: View, legal: Sequence[Action], dice: Dice) -> Action:
    """A move, or the purchase that it needs first; without one, a stone anywhere."""
    assert view.seat is not None
    if move is not None:
        move_type: MoveType = KINDS[move // CELLS]
        x, y = move % CELLS % SIZE, move % CELLS // SIZE
        if move_type != "SINGLE" and not view.state.inventories[view.seat].count(move_type):
            return Purchase(move_type)
        return Move(move_type, x, y)
    stones = [each for each in legal if isinstance(each, Move) and each.move_type == "SINGLE"]
    return dice.choice(stones or legal)


THRIFTY: Final = Eye(uses=("H2", "V2", "BOMB"))

BOTS: Final[Mapping[str, Opponent]] = MappingProxyType(
    {
        bot.name: bot
        for bot in (
            Opponent(
                "first",
                Persona(title="Dot", character="Builds rows of its own, and seldom sees yours."),
                eye=Eye(directions=STRAIGHT, uses=(), wary=False),
                attention=35,
            ),
            Opponent(
                "easy",
                Persona(
                    title="Ruler",
                    character="Watches rows and columns, overlooks diagonals, and never buys.",
                ),
                eye=Eye(directions=STRAIGHT, uses=(), wary=False),
                attention=90,
            ),
            Opponent(
                "casual",
                Persona(
                    title="Magpie", character="Sees every line, and hoards bombs for a rainy day."
                ),
                eye=Eye(uses=("BOMB",), wary=False),
                hoards=True,
            ),
            Opponent(
                "medium",
                Persona(
                    title="Brass",
                    character="Places two at a time, finds crosses too dear, and plans nothing.",
                ),
                eye=THRIFTY,
            ),
            Opponent(
                "hard",
                Persona(
                    title="Anvil",
                    character="Never misses a threat that has no answer; crosses are beneath it.",
                ),
                eye=THRIFTY,
                depth=Depth(wide=10, forcing=1, positions=10_000),
            ),
            Opponent(
                "master",
                Persona(
                    title="Quintus",
                    character="Once it has begun to threaten, it does not stop before five.",
                ),
                depth=Depth(ahead=8, wide=10, forcing=12, guarding=2, positions=100_000),
            ),
        )
    }
)

prepare = search.prepare
"""Makes the bots of this process think faster; see there."""
