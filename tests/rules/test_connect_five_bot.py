"""Opponents for Connect Five: what they see, what they buy, and proofs that bombs do not break."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from msgspec.structs import replace

from parlour.games.api import Dice, Seat
from parlour.games.clocks import Clocks
from parlour.games.connect_five import RULES, solver
from parlour.games.connect_five.analyst import ANALYST, number
from parlour.games.connect_five.bot import BOTS
from parlour.games.connect_five.search import Board, Budget, Eye
from parlour.games.connect_five.table import Action, Inventory, Move, Options, Purchase, State
from tests.rules.five import drawn, env, new

BARE = Inventory()
FOREVER = 1000.0


def with_money(state: State, mine: int, theirs: int) -> State:
    """The same, with so much left to spend for either."""
    most = max(mine, theirs)
    options = replace(state.options, max_spend=most)
    return replace(state, options=options, spent=(most - mine, most - theirs))


def choice(name: str, state: State, step: int = 1) -> Action:
    """What one does, with all the time it wants."""
    view = RULES.view(state, state.turn)
    dice = Dice(b"mind", step)
    return BOTS[name].choose(None, view, RULES.legal(view), dice, lambda: FOREVER)


def forced(state: State, seat: Seat, threats: int) -> int | None:
    board = Board(state, seat, Eye())
    budget = Budget(1_000_000, lambda: FOREVER)
    return board.forced(seat, range(1, threats + 1), 20, budget, 1.0)


FOUR = drawn("", ". . A A A A B", "", ". . . B B B", inventory=BARE)


@pytest.mark.parametrize("name", BOTS)
def test_everyone_sees_its_own_fifth_in_a_row(name: str) -> None:
    if not BOTS[name].hoards:
        assert choice(name, with_money(FOUR, 0, 0)) == Move("SINGLE", 1, 1)


THREE = drawn("", ". . A A A . .", "", "B B", "", "", "B", inventory=BARE)


def test_two_missing_stones_are_bought_and_placed_at_once() -> None:
    state = with_money(THREE, 4, 0)
    assert choice("master", state) == Purchase("H2")
    bought = RULES.act(state, 0, Purchase("H2"), env()).state
    placed = choice("master", bought)
    assert isinstance(placed, Move)
    assert RULES.outcome(RULES.act(bought, 0, placed, env()).state) is not None


def test_who_overlooks_diagonals_does_so() -> None:
    falling = drawn("B . A", ". B . A", ". . B", ". A . B", "A", inventory=BARE)
    state = with_money(falling, 0, 0)
    assert choice("master", state) == Move("SINGLE", 4, 4)
    assert choice("easy", state) != Move("SINGLE", 4, 4)


OPEN_THREE = drawn(
    "", "", "", "", ". . . . A A A", "", ". . . B . . . . . B", ". . B", inventory=BARE
)


def test_a_bomb_breaks_what_would_be_won_without() -> None:
    assert forced(with_money(OPEN_THREE, 0, 0), 0, 2) is not None
    assert forced(with_money(OPEN_THREE, 0, 3), 0, 1) is None


TWO_OPEN_THREES = drawn(
    *("", ". . . . A A A", "", ". B . B . B", "", "", "", "B . B . B", "", "", ""),
    ". . . . A A A",
    inventory=BARE,
)


@pytest.mark.parametrize(
    ("state", "theirs", "threats"), [(OPEN_THREE, 0, 1), (TWO_OPEN_THREES, 3, 2)]
)
def test_nothing_that_can_be_done_stops_a_proven_win(
    state: State, theirs: int, threats: int
) -> None:
    """Every answer the rules know is tried, everything that can be bought for it included."""
    state = with_money(state, 0, theirs)
    first = forced(state, 0, threats)
    assert first is not None
    assert first < 196, "there is no money for anything but a stone"
    moved = RULES.act(state, 0, Move("SINGLE", first % 14, first // 14), env()).state
    ready = [moved]
    ready += [
        RULES.act(moved, 1, each, env()).state
        for each in RULES.legal(RULES.view(moved, 1))
        if isinstance(each, Purchase)
    ]
    answers = [
        (state, action)
        for state in ready
        for action in RULES.legal(RULES.view(state, 1))
        if isinstance(action, Move)
    ]
    assert len(answers) > 150
    for state, action in answers:
        after = RULES.act(state, 1, action, env()).state
        assert RULES.outcome(after) is None
        assert forced(after, 0, threats_left(threats)) is not None, action


def threats_left(threats: int) -> int:
    """After one of them; none left still finds a five that is there to be made."""
    return max(threats - 1, 1)


def test_a_low_clock_is_not_thought_away() -> None:
    """With a second left it answers at once, however long it might think."""
    asked: list[float] = []

    def time_left() -> float:
        asked.append(1.0)
        return FOREVER

    state = replace(new(), stones=OPEN_THREE.stones, clocks=Clocks((900, 300_000), 0, 0))
    view = RULES.view(state, 0)
    BOTS["master"].choose(None, view, RULES.legal(view), Dice(b"mind", 1), time_left)
    assert len(asked) < 5
    assert BOTS["master"].delay(view, Dice(b"wait", 1)) < 50


def test_it_is_known_when_a_win_can_be_forced_and_estimated_otherwise() -> None:
    state = with_money(THREE, 4, 0)
    view = RULES.view(state, 0)
    found = ANALYST.weigh(None, view, RULES.legal(view), lambda: FOREVER)
    assert (found.value, found.exact, found.note) == (1.0, True, "wins by force")
    quiet = with_money(drawn("", "", ". . . . A B", inventory=BARE), 0, 0)
    view = RULES.view(quiet, 0)
    legal = RULES.legal(view)
    found = ANALYST.weigh(None, view, legal, lambda: 0.2)
    assert not found.exact
    assert {action for action, _ in found.moves} == set(legal)
    assert all(-1 <= worth <= 1 for _, worth in found.moves)
    assert [worth for _, worth in found.moves] == sorted(
        (worth for _, worth in found.moves), reverse=True
    )


def test_what_cannot_be_stopped_is_known_to_be_lost() -> None:
    open_four = drawn("", "", "", "", ". . . B B B B . .", "A . A . . A", inventory=BARE)
    view = RULES.view(with_money(open_four, 0, 0), 0)
    found = ANALYST.weigh(None, view, RULES.legal(view), lambda: FOREVER)
    assert (found.value, found.exact) == (-1.0, True)
    view = RULES.view(with_money(open_four, 3, 0), 0)
    assert not ANALYST.weigh(None, view, RULES.legal(view), lambda: FOREVER).exact


def won(players: tuple[str, str], seed: int) -> Seat | None:
    """Who wins a game between them; the first named moves first."""
    state, step = RULES.setup(Options(first=0), env()), 0
    while state.ended is None:
        step += 1
        view = RULES.view(state, state.turn)
        bot, dice = BOTS[players[state.turn]], Dice(bytes([seed]), step)
        action = bot.choose(None, view, RULES.legal(view), dice, lambda: FOREVER)
        state = RULES.act(state, state.turn, action, env(step)).state
    return state.ended.winner


@pytest.mark.parametrize(("lower", "upper"), [("first", "casual"), ("easy", "medium")])
def test_who_sees_more_wins_from_either_seat(lower: str, upper: str) -> None:
    for seed in range(2):
        assert won((upper, lower), seed) == 0
        assert won((lower, upper), seed) == 1


COMPARE = """
import json
from random import Random
from parlour.games.connect_five import search, solver
from parlour.games.connect_five.search import EVERY, _numbers

def found():
    lines, stack, told = _numbers(EVERY), solver.numbers(solver.STACK), []
    for seed in range(12):
        random, at = Random(seed), solver.numbers(solver.WHOLE)
        at[solver.EMPTY] = 196
        at[solver.PURSE] = at[solver.PURSE + 5] = seed
        middle = [y * 14 + x for y in range(4, 10) for x in range(4, 10)]
        cells = random.sample(middle, 8 + seed % 5)
        for turn, cell in enumerate(cells):
            solver.put(at, lines, cell, turn % 2, 1)
        looks = (solver.attack, (0, 3, 0, 8)), (solver.negamax, (0, 2, 0, -1000, 1000, 5))
        for look, rest in looks:
            at[solver.BUDGET] = 300
            told += [int(look(at, lines, stack, *rest)), int(at[solver.BUDGET])]
    return told

plain = found()
search.prepare()
print(json.dumps([plain, found(), hasattr(solver.negamax, "py_func")]))
"""


def test_compiled_it_finds_the_same() -> None:
    """In a process of its own, as compiling changes the modules for good."""
    done = subprocess.run([sys.executable, "-c", COMPARE], capture_output=True, check=True)  # noqa: S603 our own text
    plain, compiled, was_compiled = json.loads(done.stdout)
    assert was_compiled
    assert compiled == plain
    assert len(set(plain)) > 20


def test_a_board_is_the_same_after_a_move_was_taken_back() -> None:
    board = Board(with_money(OPEN_THREE, 40, 40), 0, Eye())
    before = list(board.at)
    view = RULES.view(drawn(". . . . A A A", "B B"), 0)
    for action in RULES.legal(view)[::7]:
        if isinstance(action, Move) and action.move_type != "BOMB":
            move = number(action)
            if solver.fits(board.at, board.lines, move):
                bought = solver.play(board.at, board.lines, move, 0)
                solver.undo(board.at, board.lines, move, 0, bought)
    after = list(board.at)
    before[solver.BUDGET] = after[solver.BUDGET]
    assert after == before
