"""Who just came is never thrown out by what was read before they came."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from msgspec.structs import replace
from sqlalchemy import Executable

from parlour.play.kernel import Kernel
from parlour.play.match import Match
from parlour.store.api import Store
from parlour.store.change import Change
from tests.play.conftest import MakeKernel, MakePlayer, SetClock, live_on, until


class SlowAnswers:
    """Holds back what one task has read, until it is told to go on."""

    def __init__(self, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
        self._real = store.rows
        self._go_on = asyncio.Event()
        self.read = asyncio.Event()
        self._of: asyncio.Task[Any] | None = None
        monkeypatch.setattr(store, "rows", self._rows)

    def hold(self, task: asyncio.Task[Any]) -> None:
        self._of = task

    def go_on(self) -> None:
        self._of = None
        self._go_on.set()

    async def _rows(self, query: Executable, /, **params: Any) -> Any:
        answer = await self._real(query, **params)
        if asyncio.current_task() is self._of and b"connection" in str(query).encode():
            self.read.set()
            await self._go_on.wait()
        return answer


async def quarto(kernel: Kernel, player: MakePlayer) -> Match:
    names = ("ann", "bob")
    ann, bob = [
        replace(await player(name), connection=f"{name}-1", process_id=kernel.runtime.process_id)
        for name in names
    ]
    return await kernel.seating.start("quarto", (ann, bob))


def nothing() -> None:
    pass


async def test_who_arrives_while_the_store_is_asked_who_is_here_stays(
    make_kernel: MakeKernel, player: MakePlayer, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, there = make_kernel(), make_kernel()
    match = await quarto(there, player)
    await here.connections.arrive(match.id, 0, "ann-2", nothing)
    await there.connections.arrive(match.id, 0, "ann-3", nothing)  # as after a stop of this process
    answers = SlowAnswers(store, monkeypatch)
    looking = asyncio.create_task(here.keeper.check())
    answers.hold(looking)
    await asyncio.wait_for(answers.read.wait(), 10)
    thrown_out: list[str] = []
    arriving = asyncio.create_task(
        here.connections.arrive(match.id, 0, "ann-4", lambda: thrown_out.append("ann-4"))
    )
    await asyncio.wait([arriving], timeout=0.5)
    answers.go_on()
    await asyncio.gather(looking, arriving)
    await here.keeper.check()
    resident = await here.finder.playable(match.id)
    assert resident is not None
    assert thrown_out == []
    assert resident.here[0].connection == "ann-4"


async def test_a_lost_seat_is_not_taken_again_from_who_came_meanwhile(
    make_kernel: MakeKernel, player: MakePlayer, clock: SetClock
) -> None:
    sleepy, living = make_kernel(), make_kernel()
    await sleepy.lease.renew()
    match = await quarto(sleepy, player)
    told: list[str] = []
    await sleepy.connections.arrive(match.id, 0, "ann-1", lambda: told.append("ann-1"))
    await sleepy.connections.arrive(match.id, 1, "bob-1", lambda: told.append("bob-1"))
    await live_on(clock, 10_001, living)
    await living.keeper.sweep()
    resident = await sleepy.finder.playable(match.id, fresh=True)
    assert resident is not None
    assert resident.here[0].connection is None, "it slept, and its seats were taken back"
    async with resident.lock:
        checking = asyncio.create_task(sleepy.keeper.check())
        await until(lambda: not resident.lock.free and bool(resident.lock._waiting))
        newer = asyncio.create_task(
            sleepy.connections.arrive(match.id, 0, "ann-2", lambda: told.append("ann-2"))
        )
        gone = asyncio.create_task(sleepy.connections.depart(match.id, 1, "bob-1"))
        for _ in range(20):
            await asyncio.sleep(0)
    await asyncio.gather(checking, newer, gone)
    await sleepy.keeper.check()
    assert "ann-2" not in told, "the newer socket is thrown out for an older one"
    assert resident.here[0].connection == "ann-2"
    assert resident.here[1].connection is None, "who has left holds no seat"


async def test_a_player_who_is_back_before_the_pairing_is_answered_stays(
    make_kernel: MakeKernel, player: MakePlayer, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    kernel = make_kernel()
    thrown_out: list[str] = []
    real = store.commit

    async def commit(change: Change) -> None:
        monkeypatch.setattr(store, "commit", real)
        await real(change)
        found = await kernel.finder.open_match_of("memory", "user-ann")
        assert found is not None
        await kernel.connections.arrive(found.id, 0, "ann-2", lambda: thrown_out.append("ann-2"))

    process_id = kernel.runtime.process_id
    ann = replace(await player("ann"), connection="ann-1", process_id=process_id)
    bob = replace(await player("bob"), connection="bob-1", process_id=process_id)
    monkeypatch.setattr(store, "commit", commit)
    match = await kernel.seating.start("memory", (ann, bob))
    assert not await kernel.connections.keep(match.id, 0, "ann-1", nothing), "it is too late"
    kernel.runtime.bus.alone = True  # type: ignore[misc]  # so that memory is believed
    await kernel.keeper.check()
    assert thrown_out == []
    resident = await kernel.finder.playable(match.id)
    assert resident is not None
    assert resident.here[0].connection == "ann-2"
