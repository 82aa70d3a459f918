"""What Quarto's searches say: the truth where they prove it, alike for what is alike."""

from __future__ import annotations

import json
import subprocess
import sys
from functools import cache
from itertools import islice
from random import Random

import pytest

from parlour.games.quarto.board import EMPTY, LINES, Board, first_line
from parlour.games.quarto.search import DRAWN, LOST, WINS, Choice, Reach, alike, best
from parlour.games.quarto.solver import (
    BUDGET_AT,
    SAFE_AT,
    at_hand,
    complete,
    empty_table,
    laid,
    look,
    proves,
    winning,
)
from parlour.games.quarto.symmetry import TURNS, canonical
from tests.rules.quartos import quiet_boards


def placed(board: Board, piece: int, square: int) -> Board:
    return (*board[:square], piece, *board[square + 1 :])


def left(board: Board) -> list[int]:
    return [piece for piece in range(16) if piece not in board]


def free(board: Board) -> list[int]:
    return [square for square in range(16) if board[square] is None]


@cache
def worth_placing(board: Board, piece: int) -> int:
    """1, 0 or -1 to the one who has to place a piece, by trying everything."""
    boards = [placed(board, piece, square) for square in free(board)]
    if any(first_line(after) for after in boards):
        return 1
    return max(worth_giving(after) for after in boards)


@cache
def worth_giving(board: Board) -> int:
    """The same for the one who has to give a piece."""
    return max((-worth_placing(board, piece) for piece in left(board)), default=0)


def all_the_time() -> float:
    return 1.0


@pytest.mark.parametrize("pieces", [11, 12, 13, 14])
def test_every_move_near_the_end_is_proved_to_be_what_it_is(pieces: int) -> None:
    found = set()
    for board in islice(quiet_boards(Random(pieces), pieces), 12 if pieces == 11 else 40):
        given = left(board)[0]
        choice = Choice(laid(board), given, all_the_time)
        for square in free(board):
            after = placed(board, given, square)
            exact = 1 if first_line(after) else worth_giving(after)
            assert choice.worth(square) == exact
            found.add(exact)
        choice = Choice(laid(board), None, all_the_time)
        for piece in left(board):
            assert choice.worth(piece) == -worth_placing(board, piece)
    assert found == {LOST, DRAWN, WINS}


def test_the_end_is_played_without_a_fault() -> None:
    seen = set()
    for pieces in (11, 12, 13, 14, 15):
        for board in islice(quiet_boards(Random(pieces + 50), pieces), 20):
            for given in (None, left(board)[-1]):
                moves = left(board) if given is None else free(board)
                move = best(laid(board), given, moves, Reach(1, 9), all_the_time)
                if given is None:
                    exact = worth_giving(board)
                    assert -worth_placing(board, move) == exact
                else:
                    after = placed(board, given, move)
                    exact = worth_placing(board, given)
                    assert (1 if first_line(after) else worth_giving(after)) == exact
                seen.add((given is None, exact))
    assert len(seen) == 6


def test_seven_empty_squares_are_few_positions_to_a_proof() -> None:
    """Far fewer than there is time for in a second, compiled or not."""
    known = at_hand()
    for board in islice(quiet_boards(Random(9), 9), 30):
        known[BUDGET_AT] = 20_000
        proves(1, *laid(board), empty_table(), known)
        proves(0, *laid(board), empty_table(), known)
        assert known[BUDGET_AT] >= 0


def test_a_proof_that_was_given_up_leaves_nothing_wrong_behind() -> None:
    known, table = at_hand(), empty_table()
    for board in islice(quiet_boards(Random(4), 11), 10):
        for budget in (1, 5, 20, 80):
            known[BUDGET_AT] = budget
            proves(0, *laid(board), table, known)
        known[BUDGET_AT] = 10**6
        assert proves(0, *laid(board), table, known) == (worth_giving(board) >= DRAWN)
        assert proves(1, *laid(board), table, known) == (worth_giving(board) == WINS)


def test_looking_ahead_finds_what_is_won_and_lost_within_reach() -> None:
    known = at_hand()
    found = set()
    for board in islice(quiet_boards(Random(3), 12), 60):
        known[BUDGET_AT] = 10**6
        worth = look(16, -200, 200, *laid(board), known)
        assert (worth > 0) - (worth < 0) == worth_giving(board)
        found.add(worth_giving(board))
    assert found == {LOST, DRAWN, WINS}


def test_lines_are_seen_as_the_rules_see_them() -> None:
    known, random = at_hand(), Random(1)
    for _ in range(300):
        board = [*EMPTY]
        pieces = random.sample(range(16), random.randrange(3, 16))
        for square, piece in zip(random.sample(range(16), 16), pieces, strict=False):
            board[square] = piece
        position = laid(tuple(board))
        assert complete(position) == (first_line(tuple(board)) is not None)
        if not complete(position):
            safe = known[SAFE_AT + winning(*position[:4])]
            for piece in left(tuple(board)):
                wins = any(first_line(placed(tuple(board), piece, at)) for at in free(tuple(board)))
                assert wins == any(position.completed(piece, at) for at in free(tuple(board)))
                assert wins != bool(safe >> piece & 1)


# --- symmetry ---------------------------------------------------------------------------------


def test_there_are_32_ways_to_turn_a_board() -> None:
    lines = {frozenset(line) for line in LINES}
    assert len(set(TURNS)) == 32
    for turn in TURNS:
        assert {frozenset(turn[square] for square in line) for line in LINES} == lines


def test_boards_that_are_alike_have_one_form() -> None:
    random = Random(5)
    for pieces in range(1, 16):
        for board in islice(quiet_boards(random, pieces), 4):
            turn, flipped = random.choice(TURNS), random.randrange(16)
            order = random.sample(range(4), 4)

            def turned(piece: int, order: list[int] = order, flipped: int = flipped) -> int:
                return sum((piece >> trait & 1) << order[trait] for trait in range(4)) ^ flipped

            given = left(board)[0]
            other = tuple(
                None if (piece := board[square]) is None else turned(piece) for square in turn
            )
            assert canonical(other) == canonical(board)
            assert canonical(other, turned(given)) == canonical(board, given)
            if pieces >= 11:
                assert worth_giving(other) == worth_giving(board)


def test_boards_that_differ_have_different_forms() -> None:
    corner, edge = placed(EMPTY, 0, 0), placed(EMPTY, 0, 1)
    assert canonical(corner) != canonical(edge)
    assert canonical(placed(corner, 1, 5)) != canonical(placed(corner, 3, 5))
    assert canonical(corner, 1) != canonical(corner, 3)


def test_the_first_moves_are_few() -> None:
    assert alike(EMPTY, None, range(16)) == [[*range(16)]]
    assert len(alike(EMPTY, 0, range(16))) == 2
    assert len(alike(placed(EMPTY, 0, 0), None, range(1, 16))) == 4


# --- compiled ---------------------------------------------------------------------------------

COMPILED = """
import json
from itertools import islice
from random import Random
from benchmarks import quarto as benchmark
from parlour.games.quarto import solver
from parlour.games.quarto.bot import BOTS
from parlour.games.thinking import compile_into
from tests.rules.quartos import quiet_boards

def answers():
    known, found = solver.at_hand(), []
    for pieces in range(9, 16):
        for board in islice(quiet_boards(Random(pieces), pieces), 12):
            table = solver.empty_table()
            for goal in (0, 1):
                known[solver.BUDGET_AT] = 5_000
                found.append(int(solver.proves(goal, *solver.laid(board), table, known)))
            found.append(int(solver.look(2, -200, 200, *solver.laid(board), known)))
    return found

plain = answers()
solver.prepare()
compiled = answers()

# The clock of these games is the number of positions looked at, so that they are always the same.
spent = 0

def counted(function):
    def call(*arguments):
        global spent
        known = arguments[-1]
        before = known[solver.BUDGET_AT]
        answer = function(*arguments)
        spent += before - known[solver.BUDGET_AT]
        return answer
    return call

was_compiled = hasattr(solver.proves, "py_func")
solver.look, solver.proves = counted(solver.look), counted(solver.proves)
compile_into(benchmark.__dict__, benchmark.completing, benchmark.placing, benchmark.giving)

def master(state, legal, dice):
    ends = spent + 1_500_000
    view = benchmark.RULES.view(state, state.turn)
    return BOTS["master"].choose(None, view, legal, dice, lambda: (ends - spent) / 5_000_000)

players = master, benchmark.minimax
lost = [benchmark.result(players, 0) == 1, benchmark.result(players[::-1], 1) == 0]
print(json.dumps([plain, compiled, was_compiled, lost]))
"""


def test_the_compiled_search_finds_the_same_and_does_not_lose_to_minimax_of_depth_4() -> None:
    """In a process of its own, as compiling changes the modules for good.

    `benchmarks/quarto.py` plays hundreds of such games.
    """
    done = subprocess.run([sys.executable, "-c", COMPILED], capture_output=True, check=True)  # noqa: S603 our own text
    plain, compiled, was_compiled, lost = json.loads(done.stdout)
    assert was_compiled
    assert compiled == plain
    assert len(set(plain)) > 8
    assert not any(lost)
