"""The solver of Connect 4 against bitbully, an independent one, and against itself uncompiled."""

from __future__ import annotations

import contextlib
import os
import pty
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from pathlib import Path
from random import Random

import pytest
from bitbully import BitBully, Board

from parlour.games.connect4 import solver
from parlour.solve import NoPosition, position
from tests.rules.positions import positions


@pytest.fixture(scope="module")
def compiled() -> Iterator[solver.Solver]:
    """With what stood in the module before put back, for the others that look at it."""
    names = ("blank", *(each.__name__ for each in solver.COMPILED))
    before = {name: getattr(solver, name) for name in names}
    assert solver.prepare(), "numba is installed for the tests"
    yield solver.Solver()
    for name, function in before.items():
        setattr(solver, name, function)


def by_bitbully(oracle: BitBully, columns: str) -> int:
    board = Board()
    for column in columns:
        board.play(int(column) - 1)
    score: int = oracle.mtdf(board)
    return score


@pytest.mark.parametrize(
    ("ply", "count"), [(8, 1), (10, 2), (12, 6), (14, 15), (16, 40), (18, 80), (20, 200)]
)
def test_scores_are_those_of_bitbully(compiled: solver.Solver, ply: int, count: int) -> None:
    oracle = BitBully(opening_book=None)
    for columns in islice(positions(Random(ply), ply), count):
        assert compiled.score(*position(columns)) == by_bitbully(oracle, columns), columns


def test_late_scores_are_those_of_bitbully(compiled: solver.Solver) -> None:
    oracle = BitBully(opening_book=None)
    for ply in range(21, 37):
        for columns in islice(positions(Random(ply), ply), 40):
            assert compiled.score(*position(columns)) == by_bitbully(oracle, columns), columns


def test_every_column_is_worth_what_the_position_after_it_is(compiled: solver.Solver) -> None:
    oracle = BitBully(opening_book=None)
    for columns in islice(positions(Random(7), 24), 40):
        scores = compiled.scores(*position(columns))
        assert scores is not None
        board = Board()
        for column in columns:
            board.play(int(column) - 1)
        theirs = oracle.score_all_moves(board)
        assert {at: score for at, score in enumerate(scores) if score is not None} == theirs
        assert max(score for score in scores if score is not None) == compiled.score(
            *position(columns)
        )


def test_without_numba_the_answers_are_the_same(compiled: solver.Solver) -> None:
    program = """
from parlour.games.connect4 import solver
from parlour.solve import position
import sys
plain = solver.Solver(12)
assert isinstance(plain._table, list)
for line in sys.stdin:
    print(plain.score(*position(line.strip())))
"""
    asked = [
        columns for ply in (26, 30, 34, 38) for columns in islice(positions(Random(ply), ply), 15)
    ]
    done = subprocess.run(  # noqa: S603 - a process of ours, in which nothing is compiled
        [sys.executable, "-c", program],
        input="\n".join(asked),
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == [str(compiled.score(*position(columns))) for columns in asked]


def test_a_budget_ends_a_search_that_takes_too_long(compiled: solver.Solver) -> None:
    fresh = solver.Solver(10)
    assert fresh.score(0, 0, budget=10_000) is None
    assert fresh.scores(0, 0, budget=10_000) is None
    late = next(positions(Random(1), 30))
    assert fresh.score(*position(late), budget=1_000_000) == compiled.score(*position(late))


@pytest.mark.parametrize(
    ("columns", "problem"),
    [
        ("12x", "'x' is no column"),
        ("18", "'8' is no column"),
        ("4444444", "column 4 is full at move 7"),
        ("12121212", "the game is over before move 8"),
    ],
)
def test_what_is_no_position_is_said_to_be_none(columns: str, problem: str) -> None:
    with pytest.raises(NoPosition, match=problem):
        position(columns)


LINES = "3642756176227637211322113551637574556\n9\n1212121\n444444333333222222\n"


@pytest.mark.parametrize("flags", [[], ["--batch"]])
def test_the_command_answers_line_by_line_and_goes_on_after_a_bad_one(flags: list[str]) -> None:
    command = Path(sys.executable).with_name("parlour")
    done = subprocess.run(  # noqa: S603 - our own command
        [command, "solve", "connect4", *flags],
        input=LINES,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr == ""
    assert done.stdout.splitlines() == [
        "2",
        "error: line 2: '9' is no column; they are 1 to 7",
        "-18",
        "12",
    ]


def test_the_command_scores_every_column() -> None:
    command = Path(sys.executable).with_name("parlour")
    done = subprocess.run(  # noqa: S603 - our own command
        [command, "solve", "connect4", "--moves"],
        input="444444333333222222\n3642756176227637211322113551637574556\n",
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.splitlines() == ["12 . . . 12 11 11", ". . 2 -2 . . ."]
    assert done.returncode == 0


def test_the_command_knows_openings_and_goes_on_after_what_is_no_text() -> None:
    command = Path(sys.executable).with_name("parlour")
    done = subprocess.run(  # noqa: S603 - our own command
        [command, "solve", "connect4"],
        input=b"\n\xff\xfe\n4\n44444\n",
        capture_output=True,
        check=False,
    )
    lines = done.stdout.decode().splitlines()
    assert lines[1].startswith("error: line 2: ")
    assert [lines[0], *lines[2:]] == ["1", "-1", "-1"]


def test_progress_shows_on_a_terminal_and_answers_go_where_they_are_sent() -> None:
    command, (terminal, theirs) = Path(sys.executable).with_name("parlour"), pty.openpty()
    with ThreadPoolExecutor(1) as eyes, os.fdopen(theirs, "wb", buffering=0) as error:
        shown = eyes.submit(read_all, terminal)
        done = subprocess.run(  # noqa: S603 - our own command
            [command, "solve", "connect4"],
            input=LINES,
            stdout=subprocess.PIPE,
            stderr=error,
            text=True,
            check=False,
        )
        error.close()
    assert [line[:5] for line in done.stdout.splitlines()] == ["2", "error", "-18", "12"]
    assert b"Solving" in shown.result()


def read_all(terminal: int) -> bytes:
    """What is written to a terminal until nobody has it open any more."""
    read = b""
    with contextlib.suppress(OSError):  # which is how a terminal says so
        while more := os.read(terminal, 65536):
            read += more
    os.close(terminal)
    return read
