"""Each against each, from both sides, spread over processes."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from itertools import combinations
from multiprocessing import active_children, get_context
from typing import Self

from msgspec import Struct

from parlour.arena.contest import Budget, Contest
from parlour.arena.ratings import Pair, Score
from parlour.games.registry import all_rules, bots, prepare_bots


class Bout(Struct, frozen=True):
    """Two games from one beginning, in which two bots take either side once."""

    game: str
    pair: Pair
    number: int
    """Among those of the pair, from 1 on."""
    base: int
    budget: Budget

    @property
    def seed(self) -> bytes:
        """What decides about chance in both."""
        return f"arena {self.base} {self.game} {' '.join(self.pair)} {self.number}".encode()


def played(bout: Bout) -> Score:
    """How the first of the pair did in both games."""
    rules, found = all_rules()[bout.game], bots(bout.game)
    one, other = (found[name] for name in bout.pair)
    forth = Contest(rules, (one, other), bout.seed, bout.budget).play().winner
    back = Contest(rules, (other, one), bout.seed, bout.budget).play().winner
    winners = (None if forth is None else forth == 0, None if back is None else back == 1)
    return Score(winners.count(True), winners.count(None), winners.count(False))


class Tally:
    """What has come of a tournament so far."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = tuple(names)
        self._scores = {pair: Score() for pair in combinations(self.names, 2)}

    def add(self, pair: Pair, score: Score) -> None:
        """One more bout."""
        before = self._scores[pair]
        self._scores[pair] = Score(
            before.won + score.won, before.drawn + score.drawn, before.lost + score.lost
        )

    @property
    def scores(self) -> Mapping[Pair, Score]:
        """Of every pair, as the first of it sees them."""
        return self._scores

    @property
    def games(self) -> int:
        """So many were played."""
        return sum(score.games for score in self._scores.values())

    def between(self, one: str, other: str) -> Score:
        """As the first sees it."""
        score = self._scores.get((one, other))
        return self._scores[other, one].reversed() if score is None else score


class Workers:
    """Processes that play bouts. Leaving them early ends those that are at it."""

    def __init__(self, game: str, count: int | None = None) -> None:
        self._pool = ProcessPoolExecutor(
            count or os.cpu_count(),
            mp_context=get_context("spawn"),
            initializer=_begin,
            initargs=(game,),
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is not None:
            for child in active_children():
                child.terminate()
        # Once, as only the first shutdown waits until the processes are gone.
        self._pool.shutdown(cancel_futures=True)

    def play(self, bouts: Sequence[Bout]) -> Iterator[tuple[Bout, Score]]:
        """All of them, as they come to their ends."""
        asked: dict[Future[Score], Bout] = {self._pool.submit(played, bout): bout for bout in bouts}
        for done in as_completed(asked):
            yield asked[done], done.result()


def _begin(game: str) -> None:
    # Whoever started all this decides when it ends, not each process by itself.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    prepare_bots(game)


def bouts_of(game: str, names: Sequence[str], games: int, base: int, budget: Budget) -> list[Bout]:
    """Of each against each, `games` of each pair; pairs take turns, so that all advance alike."""
    return [
        Bout(game, pair, number, base, budget)
        for number in range(1, games // 2 + 1)
        for pair in combinations(names, 2)
    ]
