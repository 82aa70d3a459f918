"""A game that nobody has heard of, without surface or policy, is played and audited like any."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pytest
import structlog
from msgspec import Struct
from msgspec.structs import replace

from parlour.games.api import Env, Millis, Outcome, Rating, Refused, Rules, Seat, Step
from tests.simulation.plan import plan_of
from tests.simulation.world import simulate


class Options(Struct, frozen=True):
    """How many matches lie on the table."""

    heap: int = 21


class Take(Struct, frozen=True, tag="take"):
    """One to three matches."""

    count: int


class State(Struct, frozen=True):
    """What lies there, and who is to take."""

    heap: int
    turn: Seat
    outcome: Outcome | None = None


class View(Struct, frozen=True):
    """Everything."""

    seat: Seat | None
    state: State


class Nim(Rules[State, Take, View]):
    """Who takes the last match wins."""

    key = "nim"
    options_type = Options
    state_type = State
    action_type = Take
    view_type = View
    rating: Rating | None = "zero_sum"
    asides = ()
    words: Mapping[str, str] = {
        "NOT_YOUR_TURN": "It is not your turn.",
        "NOT_SO_MANY": "Take one, two or three.",
    }
    longest = 21

    def setup(self, options: Options, env: Env) -> State:
        return State(options.heap, env.dice.below(2))

    def act(self, state: State, seat: Seat, action: Take, env: Env) -> Step[State]:  # noqa: ARG002
        if state.outcome is not None or seat != state.turn:
            raise Refused("NOT_YOUR_TURN")
        if not 1 <= action.count <= min(3, state.heap):
            raise Refused("NOT_SO_MANY")
        left = state.heap - action.count
        won = None if left else Outcome(seat, "last match")
        return Step(replace(state, heap=left, turn=1 - seat, outcome=won))

    def deadline(self, state: State) -> Millis | None:  # noqa: ARG002 (there is none)
        return None

    def expire(self, state: State, env: Env) -> Step[State]:  # noqa: ARG002 (it never comes)
        raise AssertionError("nothing is ever due")

    def presence(self, state: State, seat: Seat, here: bool, env: Env) -> Step[State]:  # noqa: ARG002
        return Step(state)

    def outcome(self, state: State) -> Outcome | None:
        return state.outcome

    def view(self, state: State, seat: Seat | None) -> View:
        return View(seat, state)

    def legal(self, view: View) -> tuple[Take, ...]:
        state = view.state
        if state.outcome is not None or view.seat != state.turn:
            return ()
        return tuple(Take(count) for count in range(1, min(3, state.heap) + 1))


@pytest.fixture(autouse=True)
def _log_as_before() -> Iterator[None]:
    yield
    structlog.reset_defaults()


@pytest.mark.parametrize("seed", [1, 2])
def test_a_fifth_game_needs_nothing_of_its_own(seed: int) -> None:
    plan = plan_of(seed)
    plan.play_s = 5.0
    rules: dict[str, Any] = {"nim": Nim()}
    tally = simulate(seed, rules, plan)
    assert tally["matches"] > 10
    assert tally["ends"] == 0, "nobody speaks any other game's language"
    assert tally["told"] > 50
