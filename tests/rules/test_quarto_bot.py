"""Opponents for Quarto: calling, not giving the game away, and the end played without a fault."""

from __future__ import annotations

from functools import cache
from random import Random

import pytest

from parlour.games.api import Dice, Env, Seat
from parlour.games.quarto import RULES
from parlour.games.quarto.board import Board, first_line
from parlour.games.quarto.bot import BOTS
from parlour.games.quarto.rules import Action, Call, Options, Place, Select, State, available
from parlour.games.quarto.search import best_piece, best_position

ENV = Env(0, Dice(b"lots", 1))


def no_time() -> float:
    return 0.0


def all_the_time() -> float:
    return 1.0


def chosen(name: str, state: State, dice: Dice) -> Action:
    view = RULES.view(state, state.turn)
    return BOTS[name].choose(None, view, RULES.legal(view), dice, no_time)


def quiet_state(random: Random, actions: int) -> State | None:
    """A state after so many random actions, if no line came about."""
    state = RULES.setup(Options(first=0), ENV)
    for _ in range(actions):
        action = random.choice(RULES.legal(RULES.view(state, state.turn)))
        state = RULES.act(state, state.turn, action, ENV).state
        if state.line is not None or state.outcome is not None:
            return None
    return state


def placed(board: Board, piece: int, position: int) -> Board:
    return (*board[:position], piece, *board[position + 1 :])


def wins_at_once(board: Board, piece: int) -> bool:
    return any(
        first_line(placed(board, piece, position))
        for position in range(16)
        if board[position] is None
    )


@pytest.mark.parametrize("name", ["medium", "hard"])
def test_a_line_is_called(name: str) -> None:
    state = RULES.setup(Options(first=0), ENV)
    for piece, position in ((8, 0), (9, 1), (10, 2), (13, 3)):
        state = RULES.act(state, state.turn, Select(piece), ENV).state
        state = RULES.act(state, state.turn, Place(position), ENV).state
    assert all(chosen(name, state, Dice(b"x", n)) == Call() for n in range(20))
    overlooked = RULES.act(state, state.turn, Select(0), ENV).state
    assert all(chosen(name, overlooked, Dice(b"x", n)) == Call() for n in range(20))


def test_even_easy_calls_when_nothing_else_is_left() -> None:
    state = RULES.setup(Options(first=0), ENV)
    for number in range(16):
        state = RULES.act(state, state.turn, Select(number), ENV).state
        state = RULES.act(state, state.turn, Place(number), ENV).state
    assert all(chosen("easy", state, Dice(b"x", n)) == Call() for n in range(20))


@pytest.mark.parametrize("name", ["medium", "hard"])
def test_a_winning_piece_is_placed_to_win_and_not_given_if_that_can_be_avoided(name: str) -> None:
    random = Random(8)
    given = taken = 0
    for number in range(600):
        state = quiet_state(random, random.randrange(12, 30))
        if state is None:
            continue
        action = chosen(name, state, Dice(b"x", number))
        if isinstance(action, Select):
            deadly = {piece for piece in available(state) if wins_at_once(state.board, piece)}
            if set(available(state)) - deadly:
                assert action.piece not in deadly
                given += bool(deadly)
        elif state.selected is not None and wins_at_once(state.board, state.selected):
            assert isinstance(action, Place)
            assert first_line(placed(state.board, state.selected, action.position))
            taken += 1
    assert given > 10
    assert taken > 10


@cache
def worth_placing(board: Board, piece: int) -> int:
    """1, 0 or -1 to the one who has to place a piece, by trying everything."""
    empty = [position for position in range(16) if board[position] is None]
    boards = [placed(board, piece, position) for position in empty]
    if any(first_line(after) for after in boards):
        return 1
    return max(worth_giving(after) for after in boards)


@cache
def worth_giving(board: Board) -> int:
    """The same for the one who has to give a piece."""
    left = [piece for piece in range(16) if piece not in board]
    return max((-worth_placing(board, piece) for piece in left), default=0)


def test_the_end_is_played_without_a_fault() -> None:
    random = Random(2)
    seen = set()
    for _ in range(300):
        state = quiet_state(random, random.randrange(24, 31))
        if state is None:
            continue
        board, piece = state.board, state.selected
        if piece is None:
            given = best_piece(board, available(state), 16, all_the_time)
            exact = worth_giving(board)
            assert -worth_placing(board, given) == exact
        else:
            empty = [position for position in range(16) if board[position] is None]
            after = placed(board, piece, best_position(board, piece, empty, 16, all_the_time))
            exact = worth_placing(board, piece)
            assert (1 if first_line(after) else worth_giving(after)) == exact
        seen.add((piece is None, exact))
    assert len(seen) == 6


def winner(first: str, second: str, seed: int) -> Seat | None:
    state = RULES.setup(Options(first=0), ENV)
    while state.outcome is None:
        dice = Dice(bytes([seed]), len(state.history))
        action = chosen((first, second)[state.turn], state, dice)
        state = RULES.act(state, state.turn, action, ENV).state
    return state.outcome.winner


@pytest.mark.parametrize("better", ["medium", "hard"])
def test_better_opponents_beat_easy(better: str) -> None:
    results = [winner(better, "easy", seed) == 0 for seed in range(8)]
    results += [winner("easy", better, seed) == 1 for seed in range(8)]
    assert sum(results) >= 11
