"""A process says that it lives, whatever else it is at, and declares others dead only in time."""

from __future__ import annotations

import asyncio

import pytest
from msgspec.structs import replace

from parlour.play.clock import wall_clock
from parlour.play.kernel import Kernel
from parlour.play.match import Match
from parlour.store import queries
from parlour.store.api import Store
from parlour.store.change import Change, Unavailable
from tests.play.conftest import MakeKernel, MakePlayer, SetClock, live_on, until


async def quarto(kernel: Kernel, player: MakePlayer) -> Match:
    """A match whose seats are held by two connections of one process, which know of it."""
    process_id = kernel.runtime.process_id
    ann = replace(await player("ann"), connection="ann-1", process_id=process_id)
    bob = replace(await player("bob"), connection="bob-1", process_id=process_id)
    match = await kernel.seating.start("quarto", (ann, bob))
    assert await kernel.connections.keep(match.id, 0, "ann-1", nothing)
    assert await kernel.connections.keep(match.id, 1, "bob-1", nothing)
    return match


def nothing() -> None:
    pass


async def connections(store: Store, match_id: str) -> list[str | None]:
    return [row.connection for row in await queries.presence(store, match_id)]


async def test_a_sweep_that_hangs_does_not_hold_up_the_lease(
    make_kernel: MakeKernel, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    kernel = make_kernel(clock=wall_clock, lease_ms=3_000)
    swept = asyncio.Event()

    async def hang(*_: object) -> None:
        swept.set()
        await asyncio.Event().wait()

    monkeypatch.setattr(kernel.connections, "reap", hang)
    await kernel.start()
    await asyncio.wait_for(swept.wait(), 5)
    first = dict(await queries.leases(store))[kernel.runtime.process_id]

    async def renewed() -> bool:
        return dict(await queries.leases(store))[kernel.runtime.process_id] > first

    await until(renewed)


async def test_a_process_that_just_came_takes_nothing_back_for_a_whole_term(
    make_kernel: MakeKernel, player: MakePlayer, clock: SetClock, store: Store
) -> None:
    dead = make_kernel()
    await dead.lease.renew()
    match = await quarto(dead, player)
    clock.pass_ms(3_600_000)
    fresh = make_kernel()
    await fresh.lease.renew()
    await fresh.keeper.sweep()
    assert await connections(store, match.id) == ["ann-1", "bob-1"]
    await live_on(clock, 9_999, fresh)
    await fresh.keeper.sweep()
    assert await connections(store, match.id) == ["ann-1", "bob-1"]
    await live_on(clock, 1, fresh)
    await fresh.keeper.sweep()
    assert await connections(store, match.id) == [None, None]


async def test_after_an_outage_nobody_is_taken_for_dead_by_who_woke_first(
    make_kernel: MakeKernel, player: MakePlayer, clock: SetClock, store: Store
) -> None:
    first, second = make_kernel(), make_kernel()
    await live_on(clock, 20_000, first, second)
    match = await quarto(second, player)
    clock.pass_ms(60_000)  # the database was away, and nobody could renew
    await live_on(clock, 3_000, first)
    await first.keeper.sweep()
    resident = await first.finder.playable(match.id)
    assert resident is not None
    assert first.presence.here(resident) == (True, True), "there, as far as anybody can say"
    await live_on(clock, 20_000, first, second)
    for kernel in (first, second):
        await kernel.keeper.sweep()
    assert await connections(store, match.id) == ["ann-1", "bob-1"]
    assert [entry.kind for entry in await queries.journal(store, match.id)] == ["start"]


async def test_a_process_that_slept_knows_that_it_is_doubted_and_takes_its_seats_again(
    make_kernel: MakeKernel, player: MakePlayer, clock: SetClock, store: Store
) -> None:
    sleepy, living = make_kernel(), make_kernel()
    sleepy.runtime.bus.alone = True  # type: ignore[misc]  # or so it thinks
    await live_on(clock, 20_000, sleepy, living)
    match = await quarto(sleepy, player)
    await live_on(clock, 10_001, living)
    assert not sleepy.lease.held
    await living.keeper.sweep()
    assert await connections(store, match.id) == [None, None]
    await sleepy.lease.renew()
    assert sleepy.lease.held
    assert not sleepy.lease.settled, "it may have slept through others' renewals, too"
    await sleepy.keeper.check()
    assert await connections(store, match.id) == ["ann-1", "bob-1"]


async def test_a_store_that_does_not_answer_leaves_the_lease_unrenewed(
    make_kernel: MakeKernel, store: Store, clock: SetClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    lease = make_kernel().lease
    await lease.renew()
    lease.term_ms = 60
    real, asked = store.commit, asyncio.Event()

    async def commit(_: Change) -> None:
        asked.set()
        await asyncio.Event().wait()

    monkeypatch.setattr(store, "commit", commit)
    with pytest.raises(Unavailable):
        await lease.renew()
    assert asked.is_set()
    lease.term_ms = 10_000
    assert lease.held, "what was confirmed holds"
    clock.pass_ms(10_001)
    assert not lease.held
    monkeypatch.setattr(store, "commit", real)
    await lease.renew()
    assert lease.held
    assert lease.lapses == 1


async def test_of_the_dead_it_is_known_how_long_they_were_here(
    make_kernel: MakeKernel, player: MakePlayer, clock: SetClock
) -> None:
    dead, living = make_kernel(), make_kernel()
    match = await living.seating.start("connect4", (await player("ann"), await player("bob")))
    await dead.connections.arrive(match.id, 0, "ann-1", nothing)
    died_at = clock() + 10_000
    await live_on(clock, 45_000, living)
    await living.keeper.sweep()
    resident = await living.finder.playable(match.id, fresh=True)
    assert resident is not None
    assert resident.here[0].connection is None
    assert living.presence.last_seen(resident)[0] == died_at, "and not until somebody noticed"


async def test_a_server_that_is_alone_looks_while_an_operator_is_at_its_database(
    make_kernel: MakeKernel, player: MakePlayer
) -> None:
    server, operator = make_kernel(), make_kernel()
    server.runtime.bus.alone = True  # type: ignore[misc]  # no bus joins them
    operator.runtime.bus.cut = True  # type: ignore[attr-defined]  # the hub's own switch
    match = await quarto(server, player)
    await operator.lease.renew()
    await operator.seating.call_off(match.id)
    await server.keeper.sweep()
    await server.keeper.check()
    resident = server.residents.by_id.get(match.id)
    assert resident is not None
    assert resident.match.status == "cancelled"


async def test_a_renewal_that_is_answered_as_it_is_cancelled_does_not_go_on(
    kernel: Kernel, store: Store
) -> None:
    """Else a process that stops would renew its lease for ever, and never stop."""
    commit, asked = store.commit, asyncio.Event()

    async def answered(change: Change) -> None:
        await commit(change)
        asked.set()

    store.commit = answered  # type: ignore[method-assign]  # to know when
    keeping = asyncio.create_task(kernel.lease.keep())
    asked.clear()
    renewing = asyncio.create_task(kernel.lease.renew())
    await asked.wait()
    renewing.cancel()
    keeping.cancel()
    done, pending = await asyncio.wait({renewing, keeping}, timeout=5)
    assert not pending
    assert {keeping} <= done
    assert keeping.cancelled()
