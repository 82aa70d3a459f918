"""Moves are taken back against the computer, and whoever reads the journal comes to the same."""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec
import pytest
from msgspec import Raw

from parlour.games.api import Refused
from parlour.games.connect4.rules import Drop, Options
from parlour.games.registry import AnyRules
from parlour.play import takebacks
from parlour.play.kernel import Kernel
from parlour.play.match import Match, Position
from parlour.play.player import Player
from parlour.play.replay import replay
from parlour.play.thinkers import Job, choose
from parlour.store.api import Store
from tests.host.test_names import WITHOUT_A_DOCUMENT
from tests.play.conftest import Ear, MakeKernel, MakePlayer, SetClock, until

BOT = Player(name="Easy", bot="easy")
GAME = WITHOUT_A_DOCUMENT[0]


class Slow:
    """Thinks when it is let to, and knows whether anybody still waits."""

    def __init__(self) -> None:
        self.go = asyncio.Event()
        self.begun = asyncio.Event()
        self.cancelled = 0

    async def __call__(self, job: Job) -> Any:
        self.begun.set()
        try:
            await self.go.wait()
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
        return choose(job)


async def practice(kernel: Kernel, player: MakePlayer, **options: Any) -> Match:
    """Ann begins, against the computer."""
    ann = await player("ann")
    return await kernel.seating.start(
        "connect4", (ann, BOT), options=Options(starter=0, **options), mode="ai"
    )


def now(kernel: Kernel, match: Match) -> Match:
    resident = kernel.residents.by_id[match.id]
    return resident.match


async def answered(kernel: Kernel, clock: SetClock, match: Match, column: int) -> Match:
    """Ann drops a disc, and the computer answers."""
    await kernel.steps.act(match.id, 0, Drop(column))
    version = now(kernel, match).version
    clock.pass_ms(10_000)
    await kernel.deadlines.due(kernel.residents.by_id[match.id])
    await until(lambda: now(kernel, match).version > version)
    return now(kernel, match)


def dropped(match: Match) -> list[int]:
    return [column for column, _ in match.state.moves]


async def test_one_goes_back_to_before_ones_own_last_move(
    kernel: Kernel, make_kernel: MakeKernel, player: MakePlayer, clock: SetClock, store: Store
) -> None:
    match = await practice(kernel, player)
    ear = Ear()
    await kernel.watching.watch(match.id, ear)
    await answered(kernel, clock, match, 3)
    after_one = dropped(now(kernel, match))
    await answered(kernel, clock, match, 2)
    update = await kernel.takebacks.take_back(match.id, 0)
    assert update.entry.kind == "takeback"
    assert dropped(update.after) == after_one
    assert update.after.state.turn == 0
    assert update.after.bot_at is None
    again = await kernel.takebacks.take_back(match.id, 0)
    assert dropped(again.after) == []
    with pytest.raises(Refused, match="NOTHING_TO_TAKE_BACK"):
        await kernel.takebacks.take_back(match.id, 0)
    # It goes on from there, and goes back along the line that was played since.
    await answered(kernel, clock, match, 6)
    assert dropped(now(kernel, match))[0] == 6
    assert dropped((await kernel.takebacks.take_back(match.id, 0)).after) == []
    assert ear.versions == list(range(2, now(kernel, match).version + 1))
    # Replaying, restoring and following come to the very same.
    updates = await replay(store, kernel.runtime.rules["connect4"], match.id)
    assert updates[-1].after.state == now(kernel, match).state
    assert await make_kernel().finder.find(match.id) == now(kernel, match)


async def test_what_the_computer_thinks_about_is_given_up(
    make_kernel: MakeKernel, player: MakePlayer, clock: SetClock
) -> None:
    think = Slow()
    kernel = make_kernel(think=think)
    match = await practice(kernel, player)
    await kernel.steps.act(match.id, 0, Drop(3))
    clock.pass_ms(10_000)
    await kernel.deadlines.due(kernel.residents.by_id[match.id])
    await think.begun.wait()
    update = await kernel.takebacks.take_back(match.id, 0)
    assert dropped(update.after) == []
    await until(lambda: think.cancelled == 1)
    # And it answers the next move as ever.
    think.go.set()
    assert len(dropped(await answered(kernel, clock, match, 2))) == 2


async def test_time_begins_anew(kernel: Kernel, player: MakePlayer, clock: SetClock) -> None:
    match = await practice(kernel, player, move_ms=30_000)
    await kernel.steps.act(match.id, 0, Drop(3))
    clock.pass_ms(29_000)
    update = await kernel.takebacks.take_back(match.id, 0)
    assert update.after.state.time.ends_at == clock() + 30_000
    clock.pass_ms(29_000)
    await kernel.steps.act(match.id, 0, Drop(3))


def first(rules: AnyRules, match: Match) -> Any:
    """Something that whoever begins may do."""
    return next(iter(rules.legal(rules.view(match.state, 0))))


async def test_nobody_takes_back_what_counts_for_others(
    kernel: Kernel, player: MakePlayer, clock: SetClock
) -> None:
    ann, bob = await player("ann"), await player("bob")
    rules = kernel.runtime.rules[GAME]
    between = await kernel.seating.start(GAME, (ann, bob))
    await kernel.steps.act(between.id, 0, first(rules, between))
    with pytest.raises(Refused, match="AGAINST_PEOPLE"):
        await kernel.takebacks.take_back(between.id, 0)
    robot = await player("robot")
    rated = await kernel.seating.start(
        GAME, (ann, Player(name="Easy", user_id=robot.user_id, bot="easy"))
    )
    with pytest.raises(Refused, match="COUNTS"):
        await kernel.takebacks.take_back(rated.id, 0)
    hidden = await kernel.seating.start("memory", (ann, Player(name="Thalia", bot="Thalia")))
    with pytest.raises(Refused, match="HIDDEN"):
        await kernel.takebacks.take_back(hidden.id, 0)
    match = await kernel.seating.start(GAME, (ann, BOT))
    await kernel.steps.act(match.id, 0, first(rules, match))
    with pytest.raises(Refused, match="AGAINST_PEOPLE"):
        await kernel.takebacks.take_back(match.id, 1)
    await kernel.steps.act(match.id, 0, rules.resignation)
    with pytest.raises(Refused, match="NOT_ACTIVE"):
        await kernel.takebacks.take_back(match.id, 0)
    assert now(kernel, between).version == 2


async def test_a_match_is_taken_back_so_often_and_no_more(
    kernel: Kernel, player: MakePlayer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(takebacks, "LIMIT", 2)
    match = await practice(kernel, player)
    for _ in range(2):
        await kernel.steps.act(match.id, 0, Drop(3))
        await kernel.takebacks.take_back(match.id, 0)
    await kernel.steps.act(match.id, 0, Drop(3))
    with pytest.raises(Refused, match="TOO_MANY_TAKEBACKS"):
        await kernel.takebacks.take_back(match.id, 0)


async def test_two_processes_take_back_once_each(
    kernel: Kernel, make_kernel: MakeKernel, player: MakePlayer, clock: SetClock
) -> None:
    other = make_kernel()
    match = await practice(kernel, player)
    await answered(kernel, clock, match, 3)
    await answered(kernel, clock, match, 2)
    await asyncio.gather(*(each.takebacks.take_back(match.id, 0) for each in (kernel, other)))
    found = await other.finder.find(match.id)
    assert found is not None
    assert dropped(found) == []


async def test_a_match_begins_in_mid_game(
    kernel: Kernel, make_kernel: MakeKernel, player: MakePlayer, clock: SetClock, store: Store
) -> None:
    old = await practice(kernel, player)
    await answered(kernel, clock, old, 3)
    there = now(kernel, old)
    position = Position(Raw(msgspec.json.encode(there.state)), there.version, old.id)
    clock.pass_ms(10**9)
    bob = await player("bob")
    match = await kernel.seating.start(
        "connect4", (bob, BOT), options=Options(move_ms=30_000), mode="ai", position=position
    )
    assert dropped(match) == dropped(there)
    assert match.state.time.ends_at == clock() + 30_000
    await kernel.steps.act(match.id, 0, Drop(6))
    assert dropped((await kernel.takebacks.take_back(match.id, 0)).after) == dropped(there)
    with pytest.raises(Refused, match="NOTHING_TO_TAKE_BACK"):
        await kernel.takebacks.take_back(match.id, 0)
    updates = await replay(store, kernel.runtime.rules["connect4"], match.id)
    assert updates[0].after.state == match.state
    assert updates[-1].after.state == now(kernel, match).state
    assert await make_kernel().finder.find(match.id) == now(kernel, match)
