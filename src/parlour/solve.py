"""The command `parlour solve`: what positions are worth if both sides play their best.

One position a line comes in, as the columns that were played, and one answer a line goes out. A
line that is no position gets an error with its number, and the rest goes on.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import cache, partial
from multiprocessing import get_context
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import track

from parlour.games.connect4 import solver
from parlour.games.connect4.board import CELLS, COLUMNS, landing, makes_four

app = typer.Typer(name="solve", help="Solve positions.", no_args_is_help=True, add_completion=False)

ERROR = "error: "
PORTION = 16
"""So many lines are handed to a process at a time."""


class NoPosition(ValueError):
    """What is wrong with a line."""


@app.callback()
def games() -> None:
    """Solve positions of a game, one a line on standard input."""


@app.command()
def connect4(
    batch: Annotated[
        bool, typer.Option("--batch", help="Read all lines first, and use every core.")
    ] = False,
    moves: Annotated[
        bool, typer.Option("--moves", help="The score of each column; a dot: it is full.")
    ] = False,
) -> None:
    """Exact scores of Connect 4, from columns played (digits 1 to 7).

    0: a draw. +n: the side to move wins, and n is 22 less the discs it will have played then.
    -n: the other side does, likewise.
    """
    answer = partial(_answer, moves=moves)
    numbered = enumerate(sys.stdin, 1)
    failed = False
    for told in _spread(answer, list(numbered)) if batch else map(answer, numbered):
        failed = failed or told.startswith(ERROR)
        sys.stdout.write(told + "\n")
        sys.stdout.flush()
    raise typer.Exit(1 if failed else 0)


def _spread(answer: partial[str], lines: list[tuple[int, str]]) -> Iterator[str]:
    """Over processes, in order; with a bar where somebody looks on."""
    screen = Console(stderr=True)
    with ProcessPoolExecutor(os.cpu_count(), mp_context=get_context("spawn")) as workers:
        answers: Iterable[str] = workers.map(answer, lines, chunksize=PORTION)
        yield from track(
            answers, "Solving", len(lines), console=screen, disable=not screen.is_terminal
        )


@cache
def _solver() -> solver.Solver:
    solver.prepare()
    return solver.Solver()


def _answer(line: tuple[int, str], *, moves: bool) -> str:
    number, text = line
    try:
        mine, occupied = position(text.strip())
    except NoPosition as wrong:
        return f"{ERROR}line {number}: {wrong}"
    if (over := _over(mine, occupied)) is not None:
        return " ".join("." * COLUMNS) if moves else str(over)
    if not moves:
        return str(_solver().score(mine, occupied))
    scores = _solver().scores(mine, occupied) or ()
    return " ".join("." if score is None else str(score) for score in scores)


def position(columns: str) -> tuple[int, int]:
    """The discs of the one to move, and all discs, after those columns; or `NoPosition`."""
    mine = theirs = 0
    for number, letter in enumerate(columns, 1):
        column = "1234567".find(letter)
        if column < 0:
            raise NoPosition(f"{letter!r} is no column; they are 1 to {COLUMNS}")
        if _over(mine, mine | theirs) is not None:
            raise NoPosition(f"the game is over before move {number}")
        disc = landing(mine | theirs, column)
        if not disc:
            raise NoPosition(f"column {letter} is full at move {number}")
        mine, theirs = theirs, mine | disc
    return mine, mine | theirs


def _over(mine: int, occupied: int) -> int | None:
    """The score of a game that is over; None: it goes on."""
    theirs = mine ^ occupied
    discs = solver.count(occupied)
    tops = (landing(occupied, column) or 1 << 7 * column + 6 for column in range(COLUMNS))
    topmost = (top >> 1 & theirs for top in tops)
    if any(disc and makes_four(theirs, disc) for disc in topmost):
        return -((CELLS + 2 - discs) // 2)
    return 0 if discs == CELLS else None
