"""Connect 4 at large: what holds on every board, published counts, and a second opinion."""

from __future__ import annotations

from random import Random

import pyspiel
import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour.games.api import Dice, Env, Outcome
from parlour.games.connect4 import RULES
from parlour.games.connect4.board import COLUMN, bit, cells, fours, landing, makes_four
from parlour.games.connect4.rules import Drop, Options, State, grid, heights
from tests.rules.refusals import refusal

ENV = Env(0, Dice(b"lots", 1))

LINES = [
    tuple((row + up * step, column + along * step) for step in range(4))
    for up, along, rows, columns in (
        (0, 1, range(6), range(4)),
        (1, 0, range(3), range(7)),
        (1, 1, range(3), range(4)),
        (1, -1, range(3), range(3, 7)),
    )
    for row in rows
    for column in columns
]
"""Every place for four in a row, listed as the document does."""


def mask(line: tuple[tuple[int, int], ...]) -> int:
    return sum(bit(row, column) for row, column in line)


def on_top(discs: int) -> list[tuple[int, int]]:
    """Where the discs are that may have been dropped last."""
    return [
        (row, column)
        for row, column in cells(discs)
        if not discs & COLUMN[column] & -(2 * bit(row, column))
    ]


def start() -> State:
    return RULES.setup(Options(starter=0), ENV)


boards = st.integers(0, (1 << 49) - 1).map(lambda bits: bits & sum(COLUMN))


@pytest.mark.spec("E34")
@given(st.lists(st.one_of(st.integers(0, 6), st.integers(-2, 9), st.integers()), max_size=60))
def test_a_column_is_accepted_exactly_when_it_has_room(columns: list[int]) -> None:
    state = start()
    model: list[list[int]] = [[] for _ in range(7)]
    for column in columns:
        if RULES.outcome(state) is not None:
            assert refusal(RULES, state, state.turn, Drop(column), ENV) == "GAME_NOT_ACTIVE"
            return
        mover = state.turn
        assert refusal(RULES, state, 1 - mover, Drop(column), ENV) == "NOT_YOUR_TURN"
        if not 0 <= column <= 6:
            assert refusal(RULES, state, mover, Drop(column), ENV) == "INVALID_COLUMN"
        elif len(model[column]) == 6:
            assert refusal(RULES, state, mover, Drop(column), ENV) == "COLUMN_FULL"
        else:
            state = RULES.act(state, mover, Drop(column), ENV).state
            model[column].append(mover)
            assert state.turn == (mover if RULES.outcome(state) else 1 - mover)
    assert heights(state) == tuple(len(pile) for pile in model)
    assert grid(state) == tuple(
        tuple(pile[row] if row < len(pile) else None for pile in model) for row in range(6)
    )


@pytest.mark.spec("E15", "E16", "E17", "E35")
def test_each_of_the_69_lines_is_found_by_any_disc_that_completes_it() -> None:
    assert len(set(LINES)) == 69
    for line in LINES:
        discs = mask(line)
        assert fours(discs) == discs
        for row, column in line:
            assert fours(discs ^ bit(row, column)) == 0
        for row, column in on_top(discs):
            assert makes_four(discs, bit(row, column))


@pytest.mark.spec("E35")
@given(boards)
def test_four_in_a_row_is_found_exactly_where_it_is(discs: int) -> None:
    lines = [line for line in LINES if discs & mask(line) == mask(line)]
    assert set(cells(fours(discs))) == {cell for line in lines for cell in line}
    for row, column in on_top(discs):
        through = any((row, column) in line for line in lines)
        assert makes_four(discs, bit(row, column)) == through


@given(boards, st.integers(0, 6))
def test_a_disc_lands_on_the_pile(discs: int, column: int) -> None:
    height = (discs & COLUMN[column]).bit_count()
    piled = discs & ~COLUMN[column] | (COLUMN[column] & ((1 << 7 * column + height) - 1))
    assert landing(piled, column) == bit(height, column)


@pytest.mark.spec("E18", "E36")
@given(st.integers(0, 2**32))
def test_only_a_full_board_without_four_is_a_draw(seed: int) -> None:
    random = Random(seed)
    state = start()
    while RULES.outcome(state) is None:
        assert len(state.moves) < 42
        assert not fours(state.red) | fours(state.yellow)
        drop = random.choice(RULES.legal(RULES.view(state, state.turn)))
        mover, state = state.turn, RULES.act(state, state.turn, drop, ENV).state
    if fours(state.red) | fours(state.yellow):
        assert RULES.outcome(state) == Outcome(mover, "CONNECT4")
    else:
        assert heights(state) == (6,) * 7
        assert RULES.outcome(state) == Outcome(None, "BOARD_FULL")


@pytest.mark.spec("E36")
def test_boards_filled_without_a_four_are_draws() -> None:
    """Random games rarely fill the board; these avoid fours as long as they can."""
    random = Random(4)
    draws = 0
    for _ in range(60):
        state = start()
        while RULES.outcome(state) is None:
            drops = list(RULES.legal(RULES.view(state, state.turn)))
            random.shuffle(drops)
            steps = [RULES.act(state, state.turn, drop, ENV).state for drop in drops]
            state = next((each for each in steps if each.outcome is None), steps[0])
        full = heights(state) == (6,) * 7
        drawn = RULES.outcome(state) == Outcome(None, "BOARD_FULL")
        assert drawn == (full and not fours(state.red) | fours(state.yellow))
        draws += drawn
    assert draws


@pytest.mark.spec("E34", "E35")
def test_as_many_positions_by_ply_as_published() -> None:
    """https://oeis.org/A212693: positions after n discs, play ending with the first four."""
    level = {(0, 0): start()}
    counts = [1]
    for _ in range(8):
        level = {
            (after.red, after.yellow): after
            for state in level.values()
            for drop in RULES.legal(RULES.view(state, state.turn))
            for after in [RULES.act(state, state.turn, drop, ENV).state]
        }
        counts.append(len(level))
    assert counts == [1, 7, 49, 238, 1120, 4263, 16422, 54859, 184275]


@pytest.mark.spec("E35", "E36")
def test_open_spiel_agrees_on_random_games() -> None:
    game = pyspiel.load_game("connect_four")
    random = Random(42)
    results = dict.fromkeys(((1.0, -1.0), (-1.0, 1.0), (0.0, 0.0)), 0)
    for _ in range(3000):
        theirs, ours = game.new_initial_state(), start()
        while not theirs.is_terminal():
            assert RULES.outcome(ours) is None
            assert ours.turn == theirs.current_player()
            drops = RULES.legal(RULES.view(ours, ours.turn))
            assert [drop.column for drop in drops] == theirs.legal_actions()
            drop = random.choice(drops)
            theirs.apply_action(drop.column)
            ours = RULES.act(ours, ours.turn, drop, ENV).state
        outcome = RULES.outcome(ours)
        assert outcome is not None
        returns = (
            (0.0, 0.0) if outcome.winner is None else ((1.0, -1.0), (-1.0, 1.0))[outcome.winner]
        )
        assert tuple(theirs.returns()) == returns
        results[returns] += 1
    assert all(results.values())
