"""The strongest opponent of Connect 4 and the analyst, judged by bitbully."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from random import Random

import pytest
from bitbully import BitBully, Board

from parlour.games.api import Dice, Env, Weighed
from parlour.games.connect4 import RULES, exact, search, solver
from parlour.games.connect4.analyst import ANALYST
from parlour.games.connect4.book import NO_BOOK, opened
from parlour.games.connect4.bot import BOTS
from parlour.games.connect4.rules import Action, Drop, Options, State
from parlour.solve import position
from tests.rules.positions import positions

ENV = Env(0, Dice(b"lots", 1))
LOOKS = 60


def patience() -> Callable[[], float]:
    """Time that is counted in looks at the clock, not in seconds."""
    left = [LOOKS]

    def time_left() -> float:
        left[0] -= 1
        return 10.0 if left[0] > 0 else 0.0

    return time_left


@pytest.fixture(scope="module", autouse=True)
def compiled() -> Iterator[None]:
    """With what stood in the modules before put back, for the others that look at them."""
    before = {
        module: {name: getattr(module, name) for name in vars(module)}
        for module in (solver, search)
    }
    assert exact.prepare()
    yield
    for module, names in before.items():
        for name, value in names.items():
            setattr(module, name, value)
    exact._solver.cache_clear()


@pytest.fixture(scope="module")
def oracle() -> BitBully:
    return BitBully(opening_book="12-ply-dist")


def begun(columns: str = "") -> State:
    state = RULES.setup(Options(starter=0), ENV)
    for column in columns:
        state = RULES.act(state, state.turn, Drop(int(column) - 1), ENV).state
    return state


def scores(oracle: BitBully, state: State) -> dict[int, int]:
    board = Board()
    for column, _ in state.moves:
        board.play(column)
    found: dict[int, int] = oracle.score_all_moves(board)
    return found


def sign(score: int) -> int:
    return (score > 0) - (score < 0)


def mastered(state: State, number: int) -> int:
    view = RULES.view(state, state.turn)
    dice = Dice(b"master", number)
    action = BOTS["master"].choose(None, view, RULES.legal(view), dice, patience())
    assert isinstance(action, Drop)
    return action.column


def test_the_book_agrees_with_the_solver() -> None:
    assert len(opened()) > 10_000_000, "the tests have the openings installed"
    alone, missing = solver.Solver(), 0
    for columns in islice(positions(Random(40), 12), 6):
        found = solver.in_book(*position(columns), opened())
        missing += found == solver.UNKNOWN
        assert found in {solver.UNKNOWN, alone.score(*position(columns))}
    assert missing < 4


@pytest.mark.parametrize("columns", ["", "4", "44", "1", "3", "172634", "44444"])
def test_openings_are_known_exactly(oracle: BitBully, columns: str) -> None:
    known = exact.known(*position(columns), patience())
    assert known is not None
    assert known.how_soon
    assert known.scores == scores(oracle, begun(columns))


@pytest.mark.parametrize(("opponent", "games"), [("random", 3), ("perfect", 1)])
@pytest.mark.parametrize("seat", [0, 1])
def test_the_master_never_gives_a_result_away(
    oracle: BitBully, opponent: str, games: int, seat: int
) -> None:
    for game in range(games):
        random, state = Random(10 * game + seat), begun()
        while state.outcome is None:
            worth = scores(oracle, state)
            if state.turn == seat:
                column = mastered(state, len(state.moves))
                assert sign(worth[column]) == sign(max(worth.values())), state.moves
            elif opponent == "random":
                column = random.choice(list(worth))
            else:
                best = max(worth.values())
                column = random.choice([at for at, score in worth.items() if score == best])
            state = RULES.act(state, state.turn, Drop(column), ENV).state
        assert state.outcome.winner == seat or (opponent, seat) == ("perfect", 1)


@pytest.mark.parametrize("ply", range(1, 30, 2))
def test_the_master_keeps_what_any_position_is_worth(oracle: BitBully, ply: int) -> None:
    for columns in islice(positions(Random(ply), ply), 2):
        state = begun(columns)
        worth = scores(oracle, state)
        assert sign(worth[mastered(state, ply)]) == sign(max(worth.values())), columns


def weighed(columns: str, time_left: Callable[[], float]) -> Weighed[Action]:
    state = begun(columns)
    view = RULES.view(state, state.turn)
    return ANALYST.weigh(None, view, RULES.legal(view), time_left)


@pytest.mark.parametrize(
    ("columns", "note"),
    [
        ("", "wins in 21"),
        ("4", "loses in 20"),
        ("3", "draw"),
        ("414141", "wins in 1"),
        ("4455", "wins in 2"),
        ("44553", "loses in 1"),
    ],
)
def test_the_analyst_says_who_wins_and_in_how_many_moves(columns: str, note: str) -> None:
    found = weighed(columns, patience())
    assert found.exact
    assert found.note == note
    assert found.value == {"wins": 1, "draw": 0, "loses": -1}[note.split(maxsplit=1)[0]]


def test_the_analyst_names_the_soonest_win_first(oracle: BitBully) -> None:
    for columns in islice(positions(Random(3), 20), 10):
        worth, found = scores(oracle, begun(columns)), weighed(columns, patience())
        order = [worth[action.column] for action, _ in found.moves if isinstance(action, Drop)]
        assert order == sorted(worth.values(), reverse=True)
        assert [value for _, value in found.moves] == [sign(score) for score in order]


def test_without_time_the_analyst_estimates_and_says_so() -> None:
    found = weighed("44", lambda: 0.0)
    assert not found.exact
    assert found.note == ""
    assert -1 < found.value < 1
    assert len(found.moves) == 7
    assert found.value == max(value for _, value in found.moves)


def test_without_the_book_late_positions_are_still_exact(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exact, "opened", lambda: NO_BOOK)
    exact._solver.cache_clear()
    assert weighed(next(positions(Random(2), 22)), patience()).exact
    exact._solver.cache_clear()
