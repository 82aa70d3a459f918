"""Quarto at large: random games beside a slow, obvious second implementation."""

from __future__ import annotations

from itertools import permutations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour.games.api import Dice, Env, Outcome
from parlour.games.quarto import RULES
from parlour.games.quarto.board import LINES, Board, Line, first_line
from parlour.games.quarto.rules import Action, Call, Options, Place, Select, State
from tests.rules.refusals import refusal

ENV = Env(0, Dice(b"lots", 1))
TRAITS = ("dark", "square", "hollow", "tall")


def described(piece: int) -> dict[str, bool]:
    return {trait: bool(piece >> bit & 1) for bit, trait in enumerate(TRAITS)}


def obvious_lines(board: Board) -> list[Line]:
    """Every line whose four pieces are alike in some trait, found by looking."""
    grid = [[board[4 * row + column] for column in range(4)] for row in range(4)]
    lines = [[(row, column) for column in range(4)] for row in range(4)]
    lines += [[(row, column) for row in range(4)] for column in range(4)]
    lines += [[(step, step) for step in range(4)], [(step, 3 - step) for step in range(4)]]
    found = []
    for line in lines:
        pieces = [piece for row, column in line if (piece := grid[row][column]) is not None]
        alike = [len({described(piece)[trait] for piece in pieces}) == 1 for trait in TRAITS]
        if len(pieces) == 4 and any(alike):
            a, b, c, d = (4 * row + column for row, column in line)
            found.append((a, b, c, d))
    return found


def start() -> State:
    return RULES.setup(Options(first=0), ENV)


pieces_or_gaps = st.permutations([*range(16), *[None] * 8]).map(lambda some: tuple(some[:16]))


@given(pieces_or_gaps)
def test_lines_are_found_exactly_where_they_are(board: Board) -> None:
    lines = obvious_lines(board)
    assert first_line(board) == (lines[0] if lines else None)


def test_every_four_pieces_on_every_line() -> None:
    """All 43,680 ways to lay a row, and each of the ten lines with pieces that do and do not."""
    empty: Board = (None,) * 12
    for four in permutations(range(16), 4):
        alike = any(len({described(piece)[trait] for piece in four}) == 1 for trait in TRAITS)
        assert (first_line((*four, *empty)) is not None) == alike
    for line in LINES:
        for four, alike in (((8, 9, 10, 13), True), ((8, 9, 10, 7), False)):
            board: list[int | None] = [None] * 16
            for position, piece in zip(line, four, strict=True):
                board[position] = piece
            assert first_line(tuple(board)) == (line if alike else None)


@pytest.mark.spec("D41", "D42", "D43")
@given(st.integers(0, 2**32))
def test_random_games_follow_the_obvious_rules(seed: int) -> None:
    random = Random(seed)
    state = start()
    board: list[int | None] = [None] * 16
    while RULES.outcome(state) is None and not RULES.deadline(state):
        mover, selected = state.turn, state.selected
        lines = obvious_lines(tuple(board))
        if lines and random.random() < 0.2:
            state = RULES.act(state, mover, Call(), ENV).state
            assert RULES.outcome(state) == Outcome(mover, "quarto")
            assert state.line == lines[0]
            return
        if not lines:
            assert refusal(RULES, state, mover, Call(), ENV) == "NO_QUARTO"
        guess = random.randrange(-2, 18)
        action: Action
        if selected is None:
            action, good = Select(guess), 0 <= guess < 16 and guess not in board
            code = "INVALID_PIECE"
        else:
            action, good = Place(guess), 0 <= guess < 16 and board[guess] is None
            code = "INVALID_POSITION"
        assert refusal(RULES, state, 1 - mover, action, ENV) == "NOT_YOUR_TURN"
        if not good:
            assert refusal(RULES, state, mover, action, ENV) == code
            continue
        state = RULES.act(state, mover, action, ENV).state
        if selected is None:
            assert (state.turn, state.selected) == (1 - mover, guess)
        else:
            board[guess] = selected
            assert (state.turn, state.selected) == (mover, None)
        assert state.board == tuple(board)
    assert (None not in board) == (RULES.outcome(state) is not None or bool(RULES.deadline(state)))
    assert (RULES.outcome(state) is None) == bool(obvious_lines(tuple(board)))
