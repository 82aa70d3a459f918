"""Ways to lay out Memory for its tests, and random games of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec
import pytest
from msgspec.structs import replace

from parlour.games.api import Dice, Env, Millis, Refused, Seat, Step
from parlour.games.memory.board import Card, Held, Options, State
from parlour.games.memory.rules import RULES, Action, Flip, Memory, UsePowerUp

ORDERLY = "0 0 1 1  2 2 3 3  4 4 5 5  6 6 7 7"
"""Pairs side by side: 0 and 1 match, 0 and 2 do not."""

NOBODY_AWAY = (None, None)


def env(now: Millis = 0, step: int = 1) -> Env:
    """A moment of a game."""
    return Env(now, Dice(b"memory", step))


def laid(layout: str = ORDERLY, options: Options | None = None, **changes: Any) -> State:
    """A game with the cards in that order, hidden, seat 0 to begin at time 0."""
    options = options or Options()
    cards = tuple(Card(int(pair_id)) for pair_id in layout.split())
    assert len(cards) == options.rows * options.cols
    state = State(options=options, cards=cards, turn=0, turn_ends_at=options.turn_limit_ms or None)
    return replace(state, **changes)


def holding(*power_up_ids: str, state: State | None = None) -> State:
    """A game in which seat 0 holds one copy of each."""
    hand = tuple(Held(power_up_id, 1) for power_up_id in power_up_ids)
    return replace(state or laid(), hands=(hand, ()))


def flips(state: State, *indices: int, now: Millis = 0, rules: Memory = RULES) -> State:
    """Flips one after another, each by whoever's turn it is."""
    for index in indices:
        state = rules.act(state, state.turn, Flip(index), env(now)).state
    return state


def use(state: State, power_up_id: str, target: int | None = None, now: Millis = 0) -> State:
    """A power-up used by whoever's turn it is."""
    return RULES.act(state, state.turn, UsePowerUp(power_up_id, target), env(now)).state


def expired(state: State, late_ms: Millis = 0) -> Step[State]:
    """What happens at the deadline, or somewhat later."""
    deadline = RULES.deadline(state)
    assert deadline is not None
    return RULES.expire(state, env(deadline + late_ms))


def open_cards(state: State) -> set[int]:
    """The cards that lie open without being matched."""
    return {index for index, card in enumerate(state.cards) if card.state == "revealed"}


def matched_cards(state: State) -> set[int]:
    """The cards that have been matched."""
    return {index for index, card in enumerate(state.cards) if card.state == "matched"}


def refusal(state: State, action: Action, seat: Seat = 0, now: Millis = 0) -> Refused:
    """How an action is refused; nothing may have changed."""
    before = msgspec.json.encode(state)
    with pytest.raises(Refused) as refused:
        RULES.act(state, seat, action, env(now))
    assert msgspec.json.encode(state) == before
    assert refused.value.detail
    return refused.value


class Taken(NamedTuple):
    """One step of a game: what was, who did what and when, and what came of it."""

    state: State
    seat: Seat | None
    action: Action | str
    """An action, or `expire`, `gone`, `back`."""
    env: Env
    step: Step[State]


def random_game(
    seed: int, options: Options, rules: Memory = RULES, wander: int = 0
) -> Iterator[Taken]:
    """A game of random legal actions and deadlines, with `wander` percent comings and goings."""
    chance = Dice(b"players", seed)
    state = rules.setup(options, Env(0, Dice(b"deck", seed)))
    now = 0
    number = 0
    while rules.outcome(state) is None:
        number += 1
        seat: Seat | None = state.turn
        legal = rules.legal(rules.view(state, state.turn))
        deadline = rules.deadline(state)
        if chance.chance(wander):
            seat = chance.below(2)
            here = state.away_until[seat] is not None
            action: Action | str = "back" if here else "gone"
        elif not legal or (deadline is not None and chance.chance(10)):
            action, seat = "expire", None
        else:
            action = chance.choice(legal)
        if action == "expire":
            assert deadline is not None
            now = max(now, deadline) + chance.below(3)
        elif deadline is not None:
            now = min(now + chance.below(500), max(now, deadline - 1))
        moment = Env(now, Dice(b"effects", seed * 100_000 + number))
        if seat is None:
            step = rules.expire(state, moment)
        elif isinstance(action, str):
            step = rules.presence(state, seat, action == "back", moment)
        else:
            step = rules.act(state, seat, action, moment)
        yield Taken(state, seat, action, moment, step)
        state = step.state
