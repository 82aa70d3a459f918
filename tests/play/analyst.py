"""Analysts for the tests: one of Connect 4 that sees one move ahead, and one of any game."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import pytest

from parlour.games.api import Analyst, Dice, Env, Weighed
from parlour.games.connect4.rules import DROPS, RULES, Action, State, View
from parlour.games.registry import AnyAnalyst
from parlour.host import shown
from parlour.play import analyses, hints, weighing


class FirstOfAll(Analyst[Any, Any, None]):
    """Takes what is listed first for the best, whatever is played."""

    def begin(self) -> None:
        """Nothing to know."""

    def observe(self, mind: None, view: Any) -> None:
        """Nothing to remember."""

    def weigh(
        self,
        mind: None,  # noqa: ARG002 (it knows nothing)
        view: Any,  # noqa: ARG002
        legal: Sequence[Any],
        time_left: Callable[[], float],  # noqa: ARG002 (it needs next to none)
    ) -> Weighed[Any]:
        moves = tuple((action, 0.2 if action is legal[0] else -0.2) for action in legal)
        return Weighed(0.2, False, moves)


class OneAhead(Analyst[View, Action, int]):
    """What it sees is exact, all else estimated. It counts the views it was sent."""

    def begin(self) -> int:
        return 0

    def observe(self, mind: int, view: View) -> int:
        assert view.seat is not None, "an analyst sees what a seat sees"
        return mind + 1

    def weigh(
        self,
        mind: int,
        view: View,
        legal: Sequence[Action],
        time_left: Callable[[], float],  # noqa: ARG002 (it needs next to none)
    ) -> Weighed[Action]:
        state, seat = view.state, view.seat
        assert seat is not None
        assert mind == len(state.moves) + 1, "it saw every position"
        moves = sorted(((action, self._worth(state, seat, action)) for action in legal), key=_worst)
        value = moves[0][1]
        exact = abs(value) == 1
        return Weighed(value, exact, tuple(moves), "wins in 1" if value == 1 else "")

    def _worth(self, state: State, seat: int, action: Action) -> float:
        after = RULES.act(state, seat, action, Env(0, Dice(b"", 0))).state
        if after.outcome is not None:
            return 0.0 if after.outcome.winner is None else 1.0
        for drop in RULES.legal(View(1 - seat, after)):
            won = RULES.act(after, 1 - seat, drop, Env(0, Dice(b"", 0))).state.outcome
            if won is not None and won.winner is not None:
                return -1.0
        return 0.1


def _worst(move: tuple[Action, float]) -> tuple[float, int]:
    return -move[1], DROPS.index(move[0])


@contextmanager
def analysing(**by: AnyAnalyst) -> Iterator[None]:
    """In this process positions of these games are weighed by these, and of others by nobody."""
    with pytest.MonkeyPatch.context() as patch:
        for module in (analyses, hints, weighing, shown):
            patch.setattr(module, "analyst", by.get)
        yield
