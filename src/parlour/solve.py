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
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from parlour.games.connect4 import solver
from parlour.games.connect4.board import CELLS, COLUMNS, landing, makes_four
from parlour.games.connect4.book import opened

app = typer.Typer(name="solve", help="Solve positions.", no_args_is_help=True, add_completion=False)

ERROR = "error: "
PORTION = 16
"""So many lines are handed to a process at a time."""
SHOWN = (
    TextColumn("{task.description}"),
    BarColumn(),
    MofNCompleteColumn(),
    TimeElapsedColumn(),
)


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
    numbered = enumerate(sys.stdin.buffer, 1)
    if batch:
        lines = list(numbered)
        answers = _shown(_spread(answer, lines), len(lines))
    else:
        answers = _shown(map(answer, numbered))
    failed = False
    for told in answers:
        failed = failed or told.startswith(ERROR)
        sys.stdout.write(told + "\n")
        sys.stdout.flush()
    raise typer.Exit(1 if failed else 0)


def _spread(answer: partial[str], lines: list[tuple[int, bytes]]) -> Iterator[str]:
    """Over processes, in order."""
    with ProcessPoolExecutor(os.cpu_count(), mp_context=get_context("spawn")) as workers:
        yield from workers.map(answer, lines, chunksize=PORTION)


def _shown(answers: Iterable[str], total: int | None = None) -> Iterator[str]:
    """With a bar where somebody looks on who does not type the lines."""
    screen = Console(stderr=True)
    if not screen.is_terminal or sys.stdin.isatty():
        yield from answers
        return
    # Otherwise it would take answers that go elsewhere to its own screen.
    same = sys.stdout.isatty()
    with Progress(*SHOWN, console=screen, redirect_stdout=same, transient=True) as bar:
        yield from bar.track(answers, total, description="Solving")


@cache
def _solver() -> solver.Solver:
    solver.prepare()
    return solver.Solver(book=opened())


def _answer(line: tuple[int, bytes], *, moves: bool) -> str:
    number, text = line
    try:
        mine, occupied = position(text.decode(errors="replace").strip())
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
