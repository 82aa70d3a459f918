"""What Memory's analyst makes of a position: by what was seen, and nothing else."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from parlour.games.api import Weighed
from parlour.games.memory.analyst import ANALYST
from parlour.games.memory.board import State
from parlour.games.memory.rules import RULES, Action, Flip, UsePowerUp
from parlour.games.memory.solver import worth
from tests.rules.pairs import flips, holding, laid
from tests.rules.test_memory_bot import ATHENA, chosen, seen_singly, two_misses


def weighed(states: Sequence[State]) -> Weighed[Action]:
    mind = ANALYST.begin()
    for state in states:
        mind = ANALYST.observe(mind, RULES.view(state, 0))
    view = RULES.view(states[-1], 0)
    legal = RULES.legal(view)
    found = ANALYST.weigh(mind, view, legal, lambda: 1.0)
    assert {action for action, _ in found.moves} == set(legal)
    worths = [each for _, each in found.moves]
    assert worths == sorted(worths, reverse=True)
    assert found.value == worths[0]
    assert all(-1 <= each <= 1 for each in worths)
    return found


def best_of(found: Weighed[Action]) -> set[Action]:
    return {action for action, each in found.moves if each == pytest.approx(found.value)}


def test_the_beginning_is_nearly_even_and_no_card_better_than_another() -> None:
    found = weighed([laid()])
    assert not found.exact
    assert abs(found.value) < 0.05
    assert len(best_of(found)) == 16


def test_a_known_pair_is_the_best_move() -> None:
    found = weighed(two_misses())
    assert best_of(found) == {Flip(0), Flip(1)}
    assert found.value > 0.1
    then = weighed([*two_misses(), flips(two_misses()[-1], 0)])
    assert best_of(then) == {Flip(1)}
    assert then.value == pytest.approx(found.value)
    assert all(each < 0 for action, each in then.moves if action != Flip(1))


@pytest.mark.parametrize(
    ("pairs", "singles"), [(8, 1), (8, 2), (7, 1), (6, 1), (7, 2), (5, 4), (6, 3), (4, 2)]
)
def test_the_best_moves_are_those_of_the_best_play(pairs: int, singles: int) -> None:
    states = seen_singly(pairs, singles)
    moves = {chosen(ATHENA, 0, states, roll) for roll in range(60)}
    assert moves <= best_of(weighed(states))
    if not worth(pairs, singles).waits:
        states.append(flips(states[-1], 2 * pairs - 1))
        moves = {chosen(ATHENA, 0, states, roll) for roll in range(60)}
        assert moves <= best_of(weighed(states))


@pytest.mark.parametrize(("scores", "value"), [((0, 2), 1), ((0, 3), 0), ((0, 4), -1)])
def test_what_can_all_be_taken_now_is_known(scores: tuple[int, int], value: int) -> None:
    states = [replace(state, scores=scores) for state in seen_singly(3, 3)]
    found = weighed(states)
    assert (found.value, found.exact) == (value, True)


def test_power_ups_are_weighed_by_what_they_bring() -> None:
    found = weighed([holding("clairvoyance", "unveiling")])
    assert best_of(found) == {UsePowerUp("clairvoyance", index) for index in (5, 6, 9, 10)}
    worths = dict(found.moves)
    assert worths[UsePowerUp("unveiling")] == worths[Flip(0)]
    lost = [replace(state, scores=(1, 6)) for state in seen_singly(1, 0)]
    lost[-1] = holding("necromancy", state=lost[-1])
    assert best_of(weighed(lost)) == {UsePowerUp("necromancy")}


def test_it_sees_no_hidden_card() -> None:
    other_deck = laid("0 7 1 3  2 0 6 3  4 2 5 5  1 6 4 7")
    assert weighed([laid()]) == weighed([other_deck])
    assert weighed([flips(laid(), 0)]) == weighed([flips(other_deck, 0)])
