"""Weighs positions of Quarto: proves what it has time to prove, and estimates the rest."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from parlour.games.api import Weighed
from parlour.games.quarto.rules import CALL, PLACES, SELECTS, Action, Place, Select, View
from parlour.games.quarto.search import Choice, alike, ranked
from parlour.games.quarto.solver import WON, laid
from parlour.games.thinking import OpenAnalyst

DEPTH: Final = 3
"""How many pieces ahead what cannot be proved is estimated."""
SCALE: Final = 40
"""By what the rule of thumb is divided, so that no estimate comes near what is known."""
PROVABLE_FROM: Final = 5
"""With fewer pieces on the board there is no use in trying."""
VERDICTS: Final = {1.0: "won", 0.0: "drawn", -1.0: "lost"}


class QuartoAnalyst(OpenAnalyst[View, Action]):
    """The board tells everything there is to know."""

    def weigh(
        self,
        mind: None,
        view: View,
        legal: Sequence[Action],
        time_left: Callable[[], float],
    ) -> Weighed[Action]:
        """Exact if every move could be proved to be won, drawn or lost."""
        if CALL in legal:
            return _callable(legal)
        board, given = view.state.board, view.state.selected
        numbers = [
            action.piece if isinstance(action, Select) else action.position
            for action in legal
            if isinstance(action, Select | Place)
        ]
        kinds = alike(board, given, numbers)
        position = laid(board)
        choice = Choice(position, given, time_left)
        firsts = [moves[0] for moves in kinds]
        # Looking ahead must leave time for proofs, and proofs need it from the middle on.
        provable = 16 - position.empty.bit_count() >= PROVABLE_FROM
        depth = min(1 if provable else DEPTH, position.rest.bit_count())
        ordered, seems = ranked(choice, firsts, depth, time_left)
        proved = {move: choice.worth(move) for move in ordered} if provable else {}
        exact = bool(proved) and None not in proved.values()
        named = PLACES if given is not None else SELECTS
        weighed: list[tuple[Action, float]] = []
        for moves in kinds:
            known = proved.get(moves[0])
            worth = _estimate(seems[moves[0]]) if known is None else float(known)
            weighed += [(named[move], worth) for move in moves]
        weighed.sort(key=lambda each: -each[1])
        value = weighed[0][1]
        return Weighed(value, exact, tuple(weighed), VERDICTS[value] if exact else "")


def _callable(legal: Sequence[Action]) -> Weighed[Action]:
    """There is a line: who calls it wins, and who gives a piece lets the other call it."""
    moves = [(action, -1.0 if isinstance(action, Select) else 1.0) for action in legal]
    moves.sort(key=lambda each: (-each[1], each[0] != CALL))
    return Weighed(1.0, exact=True, moves=tuple(moves), note="won")


def _estimate(worth: int) -> float:
    """Between the verdicts, but for what is seen to end within reach."""
    return max(-1.0, min(1.0, worth / (SCALE if abs(worth) < WON else WON)))


ANALYST: Final = QuartoAnalyst()
