"""Finished games are analysed once, whoever asks for it, and everybody hears how far it is."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from parlour.games.api import Refused, Weighed
from parlour.games.connect4.rules import Drop
from parlour.play import analyses
from parlour.play.analyses import Progress
from parlour.play.analysis import Analysis
from parlour.play.kernel import Kernel
from parlour.play.match import Match
from parlour.play.thinkers import NoThought
from parlour.play.weighing import Weighing, weigh_here
from parlour.store import queries
from parlour.store.api import Store
from parlour.store.change import Change, KeepAnalysis
from tests.play.analyst import OneAhead, analysing
from tests.play.conftest import MakeKernel, MakePlayer, until

WON = (0, 1, 0, 1, 2, 1, 0, 6, 0)
"""Red misses to block with the seventh disc, yellow to win with the eighth; then red wins."""


@pytest.fixture(autouse=True)
def analyst() -> Iterator[None]:
    with analysing(connect4=OneAhead()):
        yield


class Weighers:
    """Counts, and weighs when it is let to; fails as often as it is told."""

    def __init__(self) -> None:
        self.go = asyncio.Event()
        self.go.set()
        self.asked = 0
        self.failures = 0

    async def __call__(self, job: Weighing, whose: str) -> Weighed[Any]:
        self.asked += 1
        if self.failures:
            self.failures -= 1
            raise NoThought("failed")
        await self.go.wait()
        return await weigh_here(job, whose)


async def played(kernel: Kernel, player: MakePlayer, columns: tuple[int, ...] = WON) -> Match:
    ann, bob = await player("ann"), await player("bob")
    match = await kernel.seating.start("connect4", (ann, bob))
    for number, column in enumerate(columns):
        await kernel.steps.act(match.id, number % 2, Drop(column))
    return kernel.residents.by_id[match.id].match


async def made(kernel: Kernel, match: Match) -> Analysis:
    async def ready() -> bool:
        return isinstance(await kernel.analyses.find(match), bytes)

    await until(ready)
    stored = await kernel.analyses.find(match)
    assert isinstance(stored, bytes)
    return msgspec.json.decode(stored, type=Analysis)


async def test_every_move_is_weighed_and_mistakes_are_marked(
    kernel: Kernel, player: MakePlayer
) -> None:
    match = await played(kernel, player)
    assert await kernel.analyses.find(match) is None
    heard: list[Progress] = []
    kernel.analyses.subscribe(heard.append)
    assert kernel.analyses.begin(match) == Progress(match=match.id, done=0, total=0)
    analysis = await made(kernel, match)
    assert [move.version for move in analysis.moves] == list(range(2, 2 + len(WON)))
    assert [move.seat for move in analysis.moves] == [0, 1, 0, 1, 0, 1, 0, 1, 0]
    assert [(at, move.mistake) for at, move in enumerate(analysis.moves) if move.mistake] == [
        (6, "drawn_lost"),
        (7, "won_lost"),
    ]
    assert not analysis.moves[6].exact, "what was lost had only been estimated"
    # Yellow could have won: seen from seat 0 that was lost, and then it was won.
    missed = analysis.moves[7]
    assert (missed.before, missed.after, missed.exact) == (-1.0, 1.0, True)
    assert (missed.loss, missed.note) == (2.0, "wins in 1")
    assert missed.best == {"type": "drop", "column": 1}
    assert missed.best_after == -1.0
    won = analysis.moves[8]
    assert (won.before, won.after, won.loss, won.exact) == (1.0, 1.0, 0.0, True)
    assert not analysis.exact
    assert not analysis.moves[0].exact
    assert analysis.accuracy == (50.0, 0.0), "of two chances to go wrong red took one"
    total = len(WON)
    await until(lambda: heard[-1].ready)
    assert heard[0] == Progress(match=match.id, done=0, total=total)
    assert heard[-1] == Progress(match=match.id, done=total, total=total, ready=True)
    assert [each.done for each in heard] == [*range(total), total]


async def test_it_is_made_once_however_many_ask(
    make_kernel: MakeKernel, player: MakePlayer
) -> None:
    weigh = Weighers()
    one, two = make_kernel(weigh=weigh), make_kernel(weigh=weigh)
    for kernel in (one, two):
        kernel.analyses.start()
    match = await played(one, player)
    weigh.go.clear()
    for _ in range(3):
        one.analyses.begin(match)
    await until(lambda: weigh.asked == 1)

    async def heard() -> bool:
        return isinstance(await two.analyses.find(match), Progress)

    await until(heard)
    two.analyses.begin(match)
    weigh.go.set()
    once = await made(one, match)
    assert await made(two, match) == once
    await until(lambda: one.analyses.waiting + two.analyses.waiting == 0)
    assert weigh.asked == len(WON)
    assert (one.analyses.made, two.analyses.made) == (1, 0)
    for kernel in (one, two):
        await kernel.analyses.stop()


async def test_a_second_one_changes_nothing(
    kernel: Kernel, make_kernel: MakeKernel, player: MakePlayer, store: Store
) -> None:
    """As of two processes that have not heard of each other."""
    match = await played(kernel, player)
    other = make_kernel()
    kernel.analyses.begin(match)
    other.analyses.begin(match)
    await until(lambda: kernel.analyses.made + other.analyses.made == 2)
    kept = await queries.analysis(store, match.id)
    late = KeepAnalysis(match_id=match.id, analysis=b"{}", made_at=1)
    await store.commit(Change((late,)))
    assert await queries.analysis(store, match.id) == kept


async def test_nothing_is_said_of_a_game_that_is_played(kernel: Kernel, player: MakePlayer) -> None:
    match = await played(kernel, player, WON[:-1])
    with pytest.raises(Refused, match="GAME_NOT_FINISHED"):
        await kernel.analyses.find(match)
    with pytest.raises(Refused, match="GAME_NOT_FINISHED"):
        kernel.analyses.begin(match)
    assert kernel.analyses.waiting == 0


async def test_a_worker_that_dies_is_asked_again_and_no_position_holds_up_the_rest(
    make_kernel: MakeKernel, player: MakePlayer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(analyses, "AGAIN_S", 0)
    weigh = Weighers()
    kernel = make_kernel(weigh=weigh)
    match = await played(kernel, player)
    weigh.failures = analyses.TRIES + 1
    kernel.analyses.begin(match)
    analysis = await made(kernel, match)
    assert analysis.moves[0].before is None
    assert analysis.moves[0].mistake is None
    assert analysis.moves[1].before is not None


async def test_so_many_wait_and_no_more(
    make_kernel: MakeKernel, player: MakePlayer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(analyses, "MOST_WAITING", 1)
    weigh = Weighers()
    weigh.go.clear()
    kernel = make_kernel(weigh=weigh)
    match = await played(kernel, player)
    kernel.analyses.begin(match)
    with pytest.raises(Refused, match="TOO_MANY_ANALYSES"):
        kernel.analyses.begin(msgspec.structs.replace(match, id="another"))
    with analysing(), pytest.raises(Refused, match="NO_ANALYST"):
        kernel.analyses.begin(match)
    await kernel.analyses.stop()
    assert kernel.analyses.waiting == 0
