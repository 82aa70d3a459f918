"""Reversi against published counts, an independent implementation, and by hand."""

from __future__ import annotations

from random import Random

import pyspiel
import pytest

from parlour.games.api import Dice, Env, Refused
from parlour.games.giving_up import Resign
from parlour.games.reversi.bot import BOTS
from parlour.games.reversi.rules import RULES, Options, Passed, Place, State

ENV = Env(now=0, dice=Dice(b"seed", 1))


def begun() -> State:
    return RULES.setup(Options(), ENV)


def after(*cells: int) -> State:
    state = begun()
    for cell in cells:
        state = RULES.act(state, state.turn, Place(cell), ENV).state
    return state


def legal_cells(state: State) -> list[int]:
    legal = RULES.legal(RULES.view(state, state.turn))
    return [action.cell for action in legal if isinstance(action, Place)]


def perft(state: State, depth: int) -> int:
    if depth == 0:
        return 1
    following = (
        RULES.act(state, state.turn, Place(cell), ENV).state for cell in legal_cells(state)
    )
    return sum(perft(each, depth - 1) for each in following)


@pytest.mark.parametrize(
    ("depth", "positions"), [(1, 4), (2, 12), (3, 56), (4, 244), (5, 1396), (6, 8200)]
)
def test_as_many_games_begin_as_are_published(depth: int, positions: int) -> None:
    assert perft(begun(), depth) == positions


def test_whole_games_agree_with_open_spiel() -> None:
    game, random = pyspiel.load_game("othello"), Random(11)
    passes = draws = 0
    for _ in range(300):
        state, oracle = begun(), game.new_initial_state()
        while not oracle.is_terminal():
            if oracle.legal_actions() == [64]:  # its word for passing
                oracle.apply_action(64)
                passes += 1
                continue
            assert state.turn == oracle.current_player()
            assert legal_cells(state) == sorted(oracle.legal_actions())
            cell = random.choice(oracle.legal_actions())
            oracle.apply_action(cell)
            state = RULES.act(state, state.turn, Place(cell), ENV).state
        outcome = RULES.outcome(state)
        assert outcome is not None
        first, _ = oracle.returns()
        assert outcome.winner == {1.0: 0, -1.0: 1, 0.0: None}[first]
        draws += outcome.winner is None
    assert passes > 50
    assert draws > 0


def test_a_disc_turns_every_run_it_encloses_and_nothing_else() -> None:
    """A star: theirs lie around the cell, one's own behind them, and one of theirs beyond."""
    around = [27 + by for by in (-9, -8, -7, -1, 1, 7, 8, 9)]
    behind = [27 + 2 * by for by in (-9, -8, -7, -1, 1, 7, 8, 9)]
    own, theirs = sum(1 << cell for cell in behind), sum(1 << cell for cell in around)
    open_ended = 1 << 63
    state = State((own, theirs | open_ended), 0, (), 1)
    view = RULES.view(RULES.act(state, 0, Place(27), ENV).state, 0)
    assert [cell for cell, owner in enumerate(view.cells) if owner == "0"] == sorted(
        [27, *around, *behind]
    )
    assert [cell for cell, owner in enumerate(view.cells) if owner == "1"] == [63]
    assert view.counts == (17, 1)


def test_who_cannot_place_passes_and_is_told() -> None:
    random = Random(2)
    for _ in range(200):
        state, passed = begun(), None
        while RULES.outcome(state) is None:
            mover = state.turn
            step = RULES.act(state, mover, Place(random.choice(legal_cells(state))), ENV)
            state = step.state
            if step.events:
                passed = step.events[0]
                assert passed == Passed(1 - mover)
                assert state.turn == mover
                assert legal_cells(state)
        if passed is not None:
            return
    pytest.fail("nobody ever passed")


@pytest.mark.parametrize(
    ("cell", "code"),
    [(64, "INVALID_CELL"), (-1, "INVALID_CELL"), (27, "ENCLOSES_NOTHING"), (0, "ENCLOSES_NOTHING")],
)
def test_what_is_not_allowed_is_refused(cell: int, code: str) -> None:
    with pytest.raises(Refused) as refusal:
        RULES.act(begun(), 0, Place(cell), ENV)
    assert refusal.value.code == code


def test_giving_up_loses_at_any_time() -> None:
    outcome = RULES.outcome(RULES.act(begun(), 1, Resign(), ENV).state)
    assert outcome is not None
    assert (outcome.winner, outcome.reason) == (0, "resigned")


def play(black: str, white: str, seed: int) -> float:
    """What a game between two levels brings the first."""
    state, players = begun(), (BOTS[black], BOTS[white])
    while (outcome := RULES.outcome(state)) is None:
        view = RULES.view(state, state.turn)
        dice = Dice(seed.to_bytes(8, "big"), len(state.placed))
        chosen = players[state.turn].choose(None, view, RULES.legal(view), dice, lambda: 0.0)
        state = RULES.act(state, state.turn, chosen, ENV).state
    return 0.5 if outcome.winner is None else float(outcome.winner == 0)


@pytest.mark.parametrize(
    ("better", "worse", "share"),
    [("easy", "first", 0.8), ("casual", "easy", 0.7), ("medium", "easy", 0.7)],
)
def test_better_levels_beat_those_below(better: str, worse: str, share: float) -> None:
    """Without any time, so that the machine does not matter; the arena measures all of them."""
    rounds = 20
    won = sum(play(better, worse, seed) + 1 - play(worse, better, seed) for seed in range(rounds))
    assert won >= share * 2 * rounds
