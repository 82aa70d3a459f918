"""Five in a row without specials, against open_spiel's own reading of the game."""

from __future__ import annotations

from typing import Any

import pyspiel
import pytest

from parlour.games.api import Dice
from parlour.games.connect_five.board import anchors, bit, cells_in, has_five
from parlour.games.connect_five.rules import RULES
from parlour.games.connect_five.table import Move, Options, State
from tests.rules.five import env

TERMS = Options(first=0, max_spend=0)


def agree(state: State, oracle: Any) -> None:
    """Both say the same of whether it goes on, what may be done and who won."""
    outcome = RULES.outcome(state)
    assert oracle.is_terminal() == (outcome is not None)
    if outcome is None:
        cells = anchors("SINGLE", state.stones[state.turn], state.stones[1 - state.turn])
        assert oracle.current_player() == state.turn
        assert oracle.legal_actions() == [y * 14 + x for x, y in cells_in(cells)]
    else:
        expected = [0.0, 0.0] if outcome.winner is None else [-1.0, -1.0]
        if outcome.winner is not None:
            expected[outcome.winner] = 1.0
        assert oracle.returns() == expected


def play(oracle: Any, chance: Dice, reluctant: bool) -> str:
    """One game, move by move on both; the reluctant avoid five while they can. Why it ended."""
    state = RULES.setup(TERMS, env())
    open_cells = list(range(196))
    chance.shuffle(open_cells)
    while (outcome := RULES.outcome(state)) is None:
        pick = len(open_cells) - 1
        if reluctant:
            mine = state.stones[state.turn]
            while pick and has_five(mine | bit(open_cells[pick] % 14, open_cells[pick] // 14)):
                pick -= 1
        cell = open_cells.pop(pick)
        move = Move("SINGLE", cell % 14, cell // 14)
        state = RULES.act(state, state.turn, move, env()).state
        oracle.apply_action(cell)
        if len(open_cells) % 8 == 0 or RULES.outcome(state) is not None:
            agree(state, oracle)
        else:
            assert oracle.is_terminal() == (RULES.outcome(state) is not None)
    return outcome.reason


@pytest.mark.spec("C4", "C25", "C27", "C56", "C63", "C65")
@pytest.mark.parametrize(
    ("name", "games"), [("gomoku(size=14)", 3_000), ("mnk(m=14,n=14,k=5)", 300)]
)
def test_random_games_agree_with_open_spiel(name: str, games: int) -> None:
    game = pyspiel.load_game(name)
    for number in range(games):
        play(game.new_initial_state(), Dice(b"random", number), reluctant=False)


@pytest.mark.spec("C4", "C27", "C65")
def test_games_of_players_who_avoid_five_agree_with_open_spiel_and_reach_draws() -> None:
    game = pyspiel.load_game("gomoku(size=14)")
    reasons = [
        play(game.new_initial_state(), Dice(b"reluctant", number), reluctant=True)
        for number in range(400)
    ]
    assert reasons.count("draw") >= 5
    assert reasons.count("connect5") >= 10


@pytest.mark.spec("C63")
def test_six_in_a_row_win_for_open_spiel_too() -> None:
    oracle = pyspiel.load_game("gomoku(size=14)").new_initial_state()
    state = RULES.setup(TERMS, env())
    for cell in (0, 28, 1, 30, 2, 32, 4, 34, 5, 60, 3):
        assert not oracle.is_terminal()
        oracle.apply_action(cell)
        state = RULES.act(state, state.turn, Move("SINGLE", cell % 14, cell // 14), env()).state
    agree(state, oracle)
    assert oracle.is_terminal()
