"""Opponents for Connect 4: what each level must see, and how good its search is."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import count
from random import Random

import pytest

from parlour.games.api import Dice, Env, Seat
from parlour.games.connect4 import RULES
from parlour.games.connect4.board import COLUMNS, fours, landing
from parlour.games.connect4.bot import BOTS
from parlour.games.connect4.rules import Drop, Options, State
from parlour.games.connect4.search import WON, best_column, negamax

ENV = Env(0, Dice(b"lots", 1))


def no_time() -> float:
    return 0.0


def ticking() -> Callable[[], float]:
    """A clock that goes a little further each time it is looked at."""
    ticks = count()
    return lambda: 0.2 - 0.03 * next(ticks)


def all_the_time() -> float:
    return 1.0


def play(columns: str) -> State:
    state = RULES.setup(Options(starter=0), ENV)
    for column in columns:
        state = RULES.act(state, state.turn, Drop(int(column)), ENV).state
    return state


def chosen(name: str, state: State, dice: Dice, time_left: Callable[[], float] = no_time) -> int:
    view = RULES.view(state, state.turn)
    action = BOTS[name].choose(None, view, RULES.legal(view), dice, time_left)
    assert isinstance(action, Drop)
    return action.column


@pytest.mark.parametrize("name", ["hard", "medium"])
@pytest.mark.parametrize(
    ("columns", "best"),
    [
        ("334455", {2, 6}),  # three along, open at both ends: win
        ("060606", {0}),  # three upright
        ("06060", {0}),  # … or stop the one who has them
        ("3243434", {4}),
        ("3344", {2, 5}),  # two along: make three, open at both ends
        ("334", {2, 5}),  # … or stop them on one side
    ],
)
def test_wins_are_taken_and_threats_met(name: str, columns: str, best: set[int]) -> None:
    dice = [Dice(b"x", n) for n in range(9) if not Dice(b"x", n).chance(5)]
    assert {chosen(name, play(columns), each, ticking()) for each in dice} <= best


@cache
def solved(mine: int, occupied: int) -> int:
    """What a position is worth, by trying everything."""
    discs = occupied.bit_count()
    moves = [disc for column in range(COLUMNS) if (disc := landing(occupied, column))]
    if any(fours(mine | disc) for disc in moves):
        return WON - discs - 1
    return max((-solved(mine ^ occupied, occupied | disc) for disc in moves), default=0)


def late_position(random: Random) -> tuple[int, int]:
    """The discs of the one to move, and all discs, with some ten cells left."""
    while True:
        mine = occupied = 0
        for _ in range(random.randrange(30, 38)):
            disc = random.choice([d for c in range(COLUMNS) if (d := landing(occupied, c))])
            mine, occupied = mine ^ occupied, occupied | disc
            if fours(mine ^ occupied):
                break
        else:
            return mine, occupied


def test_the_search_agrees_with_trying_everything() -> None:
    random = Random(3)
    for _ in range(60):
        mine, occupied = late_position(random)
        exact = solved(mine, occupied)
        tables = [10**9], [0] * 1009, [0] * 1009
        assert negamax(mine, occupied, 42, -WON, WON, *tables) == exact
        columns = [column for column in range(COLUMNS) if landing(occupied, column)]
        disc = landing(occupied, best_column(mine, occupied, columns, 42, all_the_time))
        if fours(mine | disc):
            assert exact == WON - occupied.bit_count() - 1
        else:
            assert -solved(mine ^ occupied, occupied | disc) == exact


def winner(first: str, second: str, seed: int) -> Seat | None:
    state = play("")
    while state.outcome is None:
        name = (first, second)[state.turn]
        dice = Dice(bytes([seed]), len(state.moves))
        state = RULES.act(state, state.turn, Drop(chosen(name, state, dice, ticking())), ENV).state
    return state.outcome.winner


@pytest.mark.parametrize(
    ("better", "worse", "rounds"),
    [
        ("easy", "first", 20),
        ("casual", "easy", 20),
        ("medium", "easy", 6),
        ("hard", "easy", 3),
    ],
)
def test_better_opponents_beat_those_below(better: str, worse: str, rounds: int) -> None:
    results = [winner(better, worse, seed) == 0 for seed in range(rounds)]
    results += [winner(worse, better, seed) == 1 for seed in range(rounds)]
    assert sum(results) >= 0.65 * 2 * rounds


def glanced(name: str, columns: str, number: int = 1) -> int:
    state = play(columns)
    view = RULES.view(state, state.turn)
    action = BOTS[name].at_once(None, view, RULES.legal(view), Dice(b"x", number))
    assert isinstance(action, Drop)
    return action.column


@pytest.mark.parametrize("name", ["casual", "medium", "strong", "hard", "master"])
@pytest.mark.parametrize(
    ("columns", "best"),
    [
        ("", {3}),
        ("060606", {0}),  # win …
        ("06060", {0}),  # … or stop it
        ("3243434", {4}),
        ("00116262", {0, 1, 2, 4, 5, 6}),  # … and make no room for it
    ],
)
def test_at_a_glance_they_see_what_wins_at_once(name: str, columns: str, best: set[int]) -> None:
    assert {glanced(name, columns, number) for number in range(9)} <= best


SLANTED = "3301126223"
"""Three rising, and the cell on which the fourth would lie is free."""


def test_the_weaker_overlook_what_people_overlook() -> None:
    assert glanced("easy", "06060") == 0
    assert glanced("first", "06060") != 0, "it never looks at the other's"
    assert glanced("first", "060606") == 0, "… but at its own"
    assert glanced("casual", SLANTED) == 3
    assert glanced("easy", SLANTED) != 3, "it forgets that lines slant"


def test_without_time_it_still_answers() -> None:
    assert chosen("hard", play(""), Dice(b"x", 1), no_time) == 3
