"""One game between two bots, by the rules and on a clock of its own.

They are handed what players are: the views of their seat, what is legal there, and some time.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, Final

from msgspec import Struct

from parlour.games.api import SEATS, Dice, Env, Millis, Outcome, Seat
from parlour.games.registry import AnyBot, AnyRules
from parlour.games.thinking import A_SECOND, Ration

START: Final[Millis] = 1_700_000_000_000


class Budget(Struct, frozen=True):
    """How long a bot may think about a move: so many positions, or else so many seconds."""

    positions: int | None = None
    seconds: float = 0.0

    @property
    def whole_s(self) -> float:
        """All of it, in seconds of its own clock."""
        return self.seconds if self.positions is None else self.positions / A_SECOND

    def begin(self) -> Callable[[], float]:
        """What is left of it from now on."""
        if self.positions is not None:
            return Ration(self.positions)
        ends = time.monotonic() + self.seconds
        return lambda: ends - time.monotonic()


class Contest:
    """A game in progress. Steps are numbered as a journal numbers them, the start being 1."""

    def __init__(
        self, rules: AnyRules, players: tuple[AnyBot, AnyBot], seed: bytes, budget: Budget
    ) -> None:
        self._rules = rules
        self._players = players
        self._seed = seed
        self._budget = budget
        self._now = START
        self._number = 1
        self._state = rules.setup(rules.options_type(), self._env(1))
        self._minds: list[Any] = [bot.begin() for bot in players]

    def play(self) -> Outcome:
        """To the end."""
        rules = self._rules
        while True:
            self._look()
            outcome = rules.outcome(self._state)
            if outcome is not None:
                return outcome
            if self._number > rules.longest:
                raise RuntimeError(f"{rules.key}: longer than any game can be")
            self._go_on()

    def _look(self) -> None:
        """Both see what their seat sees, after every step."""
        dice = Dice(self._seed, self._number, b"observe")
        for seat, bot in enumerate(self._players):
            view = self._rules.view(self._state, seat)
            self._minds[seat] = bot.observe(self._minds[seat], view, dice)

    def _go_on(self) -> None:
        """Whoever is to move moves, unless time is up before."""
        rules = self._rules
        due = rules.deadline(self._state)
        seat = self._to_move()
        if seat is not None:
            at, action = self._chosen(seat)
            if due is None or at < due:
                self._now = at
                step = rules.act(self._state, seat, action, self._env(self._number + 1))
                self._state, self._number = step.state, self._number + 1
                return
        if due is None:
            raise RuntimeError(f"{rules.key}: nobody can move, and nothing is waited for")
        self._now = max(self._now, due)
        self._state = rules.expire(self._state, self._env(self._number + 1)).state
        self._number += 1

    def _to_move(self) -> Seat | None:
        """Who may act; of two, whose turn it is, or else the first."""
        rules, state = self._rules, self._state
        movers = [seat for seat in SEATS if rules.legal(rules.view(state, seat))]
        turn = rules.turn(state)
        return turn if turn in movers else next(iter(movers), None)

    def _chosen(self, seat: Seat) -> tuple[Millis, Any]:
        """What that seat's bot does, and when: after its pause, and its thought."""
        bot, view = self._players[seat], self._rules.view(self._state, seat)
        legal = tuple(self._rules.legal(view))
        pause = bot.delay(view, Dice(self._seed, self._number, b"delay"))
        time_left = self._budget.begin()
        dice = Dice(self._seed, self._number, b"choose")
        action = bot.choose(self._minds[seat], view, legal, dice, time_left)
        if action not in legal:
            raise RuntimeError(f"{self._rules.key}: {bot.name} chose {action}, which is not legal")
        thought_s = max(0.0, self._budget.whole_s - time_left())
        return self._now + pause + round(thought_s * 1000), action

    def _env(self, number: int) -> Env:
        return Env(self._now, Dice(self._seed, number), (self._now, self._now))
