"""Thoughts are waited for in turn, and by no more than so many."""

from __future__ import annotations

from parlour.play.turns import Turns


def drained(turns: Turns[str]) -> list[str]:
    return [turns.take() for _ in range(len(turns))]


def test_one_with_many_games_does_not_hold_up_another() -> None:
    turns = Turns[str](most=100)
    for number in range(30):
        turns.enter("greedy", f"greedy {number}")
    turns.enter("ann", "ann 0")
    turns.enter("bob", "bob 0")
    assert drained(turns)[:4] == ["greedy 0", "ann 0", "bob 0", "greedy 1"]


def test_one_who_comes_again_and_again_is_served_in_turn() -> None:
    turns = Turns[str](most=100)
    for number in range(30):
        turns.enter("greedy", f"greedy {number}")
    served = []
    for number in range(5):
        turns.enter("ann", f"ann {number}")
        served += [turns.take(), turns.take()]
    assert [each for each in served if each.startswith("ann")] == [f"ann {n}" for n in range(5)]


def test_when_too_many_wait_who_asks_for_most_gives_way() -> None:
    turns = Turns[str](most=3)
    for number in range(3):
        assert turns.enter("greedy", f"greedy {number}") is None
    assert turns.enter("ann", "ann 0") == "greedy 2"
    assert turns.enter("greedy", "greedy 3") == "greedy 3"
    assert drained(turns) == ["greedy 0", "ann 0", "greedy 1"]


def test_who_leaves_is_not_served() -> None:
    turns = Turns[str](most=3)
    turns.enter("ann", "ann 0")
    turns.enter("bob", "bob 0")
    turns.leave("ann", "ann 0")
    turns.leave("ann", "ann 0")
    assert drained(turns) == ["bob 0"]
    assert len(turns) == 0
