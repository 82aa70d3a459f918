"""An analyst of Connect 4 that sees one move ahead: what it sees is exact, all else estimated."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import pytest

from parlour.games.api import Analyst, Dice, Env, Weighed
from parlour.games.connect4.rules import DROPS, RULES, Action, State, View
from parlour.games.registry import AnyAnalyst
from parlour.host import shown
from parlour.play import analyses, hints, weighing


class OneAhead(Analyst[View, Action, int]):
    """It counts the views it was sent, and whether all were of one seat."""

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
def analysing(by: AnyAnalyst | None) -> Iterator[None]:
    """In this process every game's positions are weighed by that one."""
    with pytest.MonkeyPatch.context() as patch:
        for module in (analyses, hints, weighing, shown):
            patch.setattr(module, "analyst", lambda _: by)
        yield
