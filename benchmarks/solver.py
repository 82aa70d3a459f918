"""Positions of Connect 4 solved per second of processor, beside bitbully's C++ in the same run.

    python -m benchmarks.solver [--quick] [--json]

Both get the same random positions, one after the other, with empty memories and without a book, and
must agree on every score. Rounds take turns, so that a busy machine slows both alike.
"""

from __future__ import annotations

from itertools import islice
from random import Random
from time import process_time

from bitbully import BitBully, Board

from benchmarks.report import Figure, asked, show
from parlour.games.connect4 import solver
from parlour.solve import position
from tests.rules.positions import positions

PLIES = {24: 3000, 20: 600, 16: 80, 12: 16}
QUICK = {24: 600, 20: 100, 16: 12, 12: 2}
ROUNDS = 4


def main() -> None:
    asks = asked(__doc__)
    solver.prepare()
    figures = []
    for ply, count in (QUICK if asks.quick else PLIES).items():
        ours = theirs = 0.0
        for turn in range(ROUNDS):
            some = list(islice(positions(Random(100 * ply + turn), ply), count // ROUNDS or 1))
            mine, spent = _ours(some)
            ours += spent
            other, spent = _bitbully(some)
            theirs += spent
            assert mine == other, "the scores differ"
        total = ROUNDS * (count // ROUNDS or 1)
        figures += [
            Figure(f"bitbully, ply {ply}", total / theirs, "positions/s"),
            Figure(
                f"parlour, ply {ply}",
                total / ours,
                "positions/s",
                theirs / ours,
                f"bitbully, ply {ply}",
            ),
        ]
    show("Exact scores of Connect 4", figures, as_json=asks.json)


def _ours(some: list[str]) -> tuple[list[int | None], float]:
    known = solver.Solver()
    asked_for = [position(columns) for columns in some]
    began = process_time()
    scores = [known.score(*each) for each in asked_for]
    return scores, process_time() - began


def _bitbully(some: list[str]) -> tuple[list[int | None], float]:
    oracle = BitBully(opening_book=None)
    boards = []
    for columns in some:
        board = Board()
        for column in columns:
            board.play(int(column) - 1)
        boards.append(board)
    began = process_time()
    scores: list[int | None] = [oracle.mtdf(board) for board in boards]
    return scores, process_time() - began


if __name__ == "__main__":
    main()
