"""Opponents for Quarto: calling, not giving the game away, and mistakes that people make."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from parlour.games.api import Dice, Env, Seat
from parlour.games.quarto import RULES
from parlour.games.quarto.analyst import ANALYST
from parlour.games.quarto.board import Board, first_line
from parlour.games.quarto.bot import BOTS, Faults, Opponent
from parlour.games.quarto.rules import Action, Call, Options, Place, Select, State, available
from parlour.games.quarto.search import Reach
from tests.rules.test_quarto_solver import free, left, placed, worth_giving, worth_placing

ENV = Env(0, Dice(b"lots", 1))
WITHOUT_FAULT = ["medium", "strong", "hard", "master"]


def no_time() -> float:
    return 0.0


def a_while() -> float:
    return 1.0


def chosen(name: str, state: State, dice: Dice) -> Action:
    view = RULES.view(state, state.turn)
    return BOTS[name].choose(None, view, RULES.legal(view), dice, no_time)


def at_once(name: str, state: State, dice: Dice) -> Action:
    view = RULES.view(state, state.turn)
    return BOTS[name].at_once(None, view, RULES.legal(view), dice)


def after(*moves: tuple[int, int]) -> State:
    """Pieces given and placed from the beginning on."""
    state = RULES.setup(Options(first=0), ENV)
    for piece, position in moves:
        state = RULES.act(state, state.turn, Select(piece), ENV).state
        state = RULES.act(state, state.turn, Place(position), ENV).state
    return state


def quiet_states(seed: int, count: int) -> Iterator[State]:
    """States after random actions in which no line came about."""
    random = Random(seed)
    for _ in range(count):
        state = RULES.setup(Options(first=0), ENV)
        for _ in range(random.randrange(12, 31)):
            action = random.choice(RULES.legal(RULES.view(state, state.turn)))
            state = RULES.act(state, state.turn, action, ENV).state
            if state.line is not None or state.outcome is not None:
                break
        else:
            yield state


def wins_at_once(board: Board, piece: int) -> bool:
    return any(first_line(placed(board, piece, square)) for square in free(board))


def test_the_levels_go_from_weak_to_strong_and_the_documents_are_among_them() -> None:
    assert list(BOTS) == ["first", "easy", "casual", "medium", "strong", "hard", "master"]
    assert len({bot.persona.title for bot in BOTS.values()}) == len(BOTS)


ROW = (8, 0), (9, 1), (10, 2), (13, 3)
DIAGONAL = (8, 0), (9, 5), (10, 10), (13, 15)


@pytest.mark.parametrize("line", [ROW, DIAGONAL])
@pytest.mark.parametrize("name", WITHOUT_FAULT)
def test_a_line_is_called(name: str, line: tuple[tuple[int, int], ...]) -> None:
    state = after(*line)
    overlooked = RULES.act(state, state.turn, Select(0), ENV).state
    for number in range(20):
        for each in (state, overlooked):
            assert chosen(name, each, Dice(b"x", number)) == Call()
            assert at_once(name, each, Dice(b"x", number)) == Call()


def test_the_weakest_sees_rows_but_no_diagonals_and_forgets_the_word() -> None:
    def calls(line: tuple[tuple[int, int], ...]) -> int:
        state = after(*line)
        return sum(chosen("first", state, Dice(b"x", n)) == Call() for n in range(200))

    assert calls(DIAGONAL) == 0
    # A tall line, of which it overlooks the trait in 15 of a hundred, and the word in 35.
    assert 80 < calls(ROW) < 140


def test_even_the_weakest_calls_when_nothing_else_is_left() -> None:
    state = after(*((number, number) for number in range(16)))
    assert all(chosen("first", state, Dice(b"x", n)) == Call() for n in range(20))


def test_who_misses_diagonals_hands_over_what_completes_one() -> None:
    state = after((8, 0), (9, 5), (10, 10))
    dice = [Dice(b"x", number) for number in range(100)]
    given = {chosen("casual", state, each) for each in dice}
    assert {Select(14), Select(15)} & given
    assert not {Select(14), Select(15)} & {chosen("medium", state, each) for each in dice}


def test_who_gives_unchecked_does_so_as_often_as_told() -> None:
    state = after((8, 0), (9, 1), (10, 2))
    view = RULES.view(state, state.turn)
    hasty = Opponent("x", BOTS["easy"].persona, Reach(1), Faults(gives_unchecked=40))
    deadly = {piece for piece in available(state) if wins_at_once(state.board, piece)}
    given = [
        hasty.choose(None, view, RULES.legal(view), Dice(b"x", number), no_time)
        for number in range(500)
    ]
    share = sum(action.piece in deadly for action in given if isinstance(action, Select)) / 500
    assert abs(share - 0.4 * len(deadly) / 13) < 0.06


@pytest.mark.parametrize("name", WITHOUT_FAULT)
def test_a_winning_piece_is_placed_to_win_and_not_given_if_that_can_be_avoided(name: str) -> None:
    given = taken = 0
    for number, state in enumerate(quiet_states(8, 250)):
        for decide in (chosen, at_once):
            action = decide(name, state, Dice(b"x", number))
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


def winner(first: str, second: str, seed: int) -> Seat | None:
    state = RULES.setup(Options(first=0), ENV)
    while state.outcome is None:
        dice = Dice(bytes([seed]), len(state.history))
        action = chosen((first, second)[state.turn], state, dice)
        state = RULES.act(state, state.turn, action, ENV).state
    return state.outcome.winner


@pytest.mark.parametrize(
    ("better", "worse"), [("easy", "first"), ("medium", "easy"), ("hard", "easy")]
)
def test_better_opponents_win_more_often(better: str, worse: str) -> None:
    results = [winner(better, worse, seed) == 0 for seed in range(8)]
    results += [winner(worse, better, seed) == 1 for seed in range(8)]
    assert sum(results) >= 11


# --- the analyst ------------------------------------------------------------------------------


def test_near_the_end_every_move_is_weighed_exactly() -> None:
    found = set()
    for state in quiet_states(5, 300):
        board, given = state.board, state.selected
        if len(left(board)) > 5:
            continue
        view = RULES.view(state, state.turn)
        legal = RULES.legal(view)
        weighed = ANALYST.weigh(None, view, legal, a_while)
        assert weighed.exact
        assert {action for action, _ in weighed.moves} == set(legal)
        assert [worth for _, worth in weighed.moves] == sorted(
            (worth for _, worth in weighed.moves), reverse=True
        )
        for action, worth in weighed.moves:
            if isinstance(action, Select):
                assert worth == -worth_placing(board, action.piece)
            elif isinstance(action, Place) and given is not None:
                then = placed(board, given, action.position)
                assert worth == (1 if first_line(then) else worth_giving(then))
        assert weighed.value == weighed.moves[0][1]
        found.add((weighed.value, weighed.note))
    assert found == {(1, "won"), (0, "drawn"), (-1, "lost")}


def test_the_beginning_is_estimated() -> None:
    state = after((0, 0), (15, 5))
    view = RULES.view(state, state.turn)
    weighed = ANALYST.weigh(None, view, RULES.legal(view), no_time)
    assert not weighed.exact
    assert weighed.note == ""
    assert {action for action, _ in weighed.moves} == set(RULES.legal(view))
    assert -1 < weighed.value < 1


def test_a_line_that_may_be_called_is_won_and_given_away_with_a_piece() -> None:
    state = after(*ROW)
    view = RULES.view(state, state.turn)
    weighed = ANALYST.weigh(None, view, RULES.legal(view), no_time)
    assert (weighed.value, weighed.exact) == (1, True)
    assert weighed.moves[0] == (Call(), 1)
    assert all(worth == -1 for _, worth in weighed.moves[1:])
