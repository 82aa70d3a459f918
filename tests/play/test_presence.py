"""Connections, leases, and what becomes of the seats of those who go."""

from __future__ import annotations

import asyncio

import pytest
from msgspec.structs import replace

from parlour.games.api import SEATS
from parlour.play import rounds
from parlour.play.kernel import Kernel
from parlour.play.match import Match
from parlour.play.player import Player
from parlour.store import queries
from parlour.store.api import Store
from parlour.store.change import PutTicket
from tests.play.conftest import Ear, Lose, MakeKernel, MakePlayer, SetClock, live_on
from tests.store.rows import around


async def quarto(kernel: Kernel, player: MakePlayer) -> Match:
    """A match whose seats are held by two connections of one process."""
    process_id = kernel.runtime.process_id
    ann = replace(await player("ann"), connection="ann-1", process_id=process_id)
    bob = replace(await player("bob"), connection="bob-1", process_id=process_id)
    return await kernel.seating.start("quarto", (ann, bob))


def nothing() -> None:
    pass


@pytest.mark.spec("D46", "D51")
async def test_leaving_and_coming_back_are_steps_where_the_rules_care(
    kernel: Kernel, player: MakePlayer, clock: SetClock
) -> None:
    match = await quarto(kernel, player)
    ear = Ear()
    await kernel.watching.watch(match.id, ear)
    await kernel.connections.depart(match.id, 0, "ann-1")
    assert ear.updates[-1].entry.kind == "gone"
    assert ear.updates[-1].after.state.away_until[0] == clock() + 120_000
    assert ear.here[-1] == (False, True)
    await kernel.connections.arrive(match.id, 0, "ann-2", nothing)
    assert ear.updates[-1].entry.kind == "back"
    assert ear.updates[-1].after.state.away_until == (None, None)
    assert ear.here[-1] == (True, True)


async def test_where_they_do_not_care_it_is_only_written_down(
    kernel: Kernel, player: MakePlayer, clock: SetClock, store: Store
) -> None:
    ann, bob = await player("ann"), await player("bob")
    match = await kernel.seating.start("connect4", (ann, bob))
    resident = await kernel.connections.arrive(match.id, 1, "bob-1", nothing)
    clock.pass_ms(100_000)
    assert kernel.presence.last_seen(resident)[1] == clock(), "connected is seen"
    await kernel.connections.depart(match.id, 1, "bob-1")
    clock.pass_ms(5_000)
    assert kernel.presence.last_seen(resident)[1] == clock() - 5_000
    assert len(await queries.journal(store, match.id)) == 1


async def test_a_newer_connection_replaces_an_older_one_whose_departure_then_means_nothing(
    kernel: Kernel, player: MakePlayer
) -> None:
    match = await quarto(kernel, player)
    told: list[str] = []
    await kernel.connections.arrive(match.id, 0, "ann-1", lambda: told.append("first"))
    await kernel.connections.arrive(match.id, 0, "ann-2", lambda: told.append("second"))
    assert told == ["first"]
    await kernel.connections.depart(match.id, 0, "ann-1")
    resident = await kernel.finder.playable(match.id)
    assert resident is not None
    assert kernel.presence.here(resident) == (True, True)
    assert resident.match.state.away_until == (None, None)


async def test_both_are_here_while_connections_of_this_process_hold_both_seats(
    make_kernel: MakeKernel, player: MakePlayer
) -> None:
    here, there = make_kernel(), make_kernel()
    match = await quarto(here, player)
    resident = await here.finder.playable(match.id)
    assert resident is not None
    both = [resident.both_here]
    await here.connections.depart(match.id, 1, "bob-1")
    both.append(resident.both_here)
    await here.connections.arrive(match.id, 1, "bob-1", nothing)
    both.append(resident.both_here)
    await there.connections.arrive(match.id, 1, "bob-2", nothing)
    await here.keeper.check()
    both.append(resident.both_here)
    assert (resident.here[1].connection, both) == ("bob-2", [True, False, True, False])


async def test_who_is_at_another_process_counts_as_here_while_that_one_lives(
    make_kernel: MakeKernel, player: MakePlayer, clock: SetClock
) -> None:
    here, there = make_kernel(), make_kernel()
    match = await quarto(here, player)
    await here.connections.arrive(match.id, 0, "ann-1", nothing)
    await live_on(clock, here.lease.term_ms, here, there)
    await there.connections.arrive(match.id, 1, "bob-2", nothing)
    await here.keeper.check()
    resident = await here.finder.playable(match.id)
    assert resident is not None
    now = clock()
    assert resident.other_process == there.runtime.process_id
    assert here.presence.seen_here(resident, now) == (now, now)
    await live_on(clock, 2 * there.lease.term_ms, here)
    assert here.presence.seen_here(resident, clock()) != (clock(), clock())
    await there.connections.depart(match.id, 1, "bob-2")
    await here.keeper.check()
    assert resident.other_process is None


async def test_a_connection_on_another_process_takes_over(
    make_kernel: MakeKernel, player: MakePlayer
) -> None:
    here, there = make_kernel(), make_kernel()
    match = await quarto(here, player)
    told: list[str] = []
    await here.connections.arrive(match.id, 0, "ann-1", lambda: told.append("lost"))
    await there.connections.arrive(match.id, 0, "ann-2", nothing)
    await here.keeper.check()
    assert told == ["lost"]
    await here.connections.depart(match.id, 0, "ann-1")
    resident = await there.finder.playable(match.id, fresh=True)
    assert resident is not None
    assert resident.match.state.away_until == (None, None)


async def test_a_process_that_dies_without_a_word_loses_its_seats_with_its_lease(
    make_kernel: MakeKernel, player: MakePlayer, clock: SetClock, store: Store
) -> None:
    dead, living = make_kernel(), make_kernel()
    await dead.lease.renew()
    match = await quarto(dead, player)
    await living.keeper.sweep()
    stored = await living.finder.find(match.id)
    assert stored is not None
    assert stored.state.away_until == (None, None), "its lease still runs"

    await live_on(clock, 10_001, living)
    await living.keeper.sweep()
    after = await living.finder.find(match.id)
    assert after is not None
    assert after.state.away_until == (clock() + 120_000,) * 2
    assert all(row.connection is None for row in await queries.presence(store, match.id))


async def test_until_the_last_seat_of_a_dead_process_is_taken_back_its_lease_tells_of_them(
    make_kernel: MakeKernel,
    player: MakePlayer,
    clock: SetClock,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(rounds, "PAGE", 1)
    monkeypatch.setattr(rounds, "ROUND_LIMIT", 1)
    dead, living = make_kernel(), make_kernel()
    match = await dead.seating.start("connect4", (await player("ann"), await player("bob")))
    for seat in SEATS:
        await dead.connections.arrive(match.id, seat, f"connection-{seat}", nothing)
    await live_on(clock, 20_000, living)
    died_at = clock() - 10_000
    await living.keeper.sweep()
    for _ in range(3):
        resident = await living.finder.playable(match.id, fresh=True)
        assert resident is not None
        assert all(
            seen is not None and seen >= died_at for seen in living.presence.last_seen(resident)
        )
        await living.keeper.sweep()
    rows = await queries.presence(living.runtime.store, match.id)
    assert [row.connection for row in rows] == [None, None]
    assert dead.runtime.process_id not in dict(await queries.leases(living.runtime.store))


async def test_a_match_that_cannot_be_read_keeps_nobody_else_waiting(
    make_kernel: MakeKernel, player: MakePlayer, clock: SetClock, store: Store, database: str
) -> None:
    dead, living = make_kernel(), make_kernel()
    await dead.lease.renew()
    broken = await quarto(dead, player)
    await around(database, "UPDATE match SET state = options")
    cleo, dora = [
        replace(await player(name), connection=f"{name}-1", process_id=dead.runtime.process_id)
        for name in ("cleo", "dora")
    ]
    clock.pass_ms(1)
    whole = await dead.seating.start("quarto", (cleo, dora))
    assert broken.id < whole.id, "it comes later in every round"
    await dead.queue.join("memory", cleo)
    await live_on(clock, 10_001, living)
    await living.keeper.sweep()
    assert all(row.connection is None for row in await queries.presence(store, whole.id))
    assert await queries.tickets(store, "memory", 10) == []


async def test_a_process_that_dies_leaves_no_ticket_waiting(
    make_kernel: MakeKernel, player: MakePlayer, clock: SetClock, store: Store
) -> None:
    dead, living = make_kernel(), make_kernel()
    await dead.lease.renew()
    ann = replace(await player("ann"), connection="ann-1", process_id=dead.runtime.process_id)
    assert isinstance(await dead.queue.join("memory", ann), PutTicket)
    await live_on(clock, 10_001, living)
    await living.keeper.sweep()
    assert await queries.tickets(store, "memory", 10) == []


async def test_a_process_that_slept_through_its_lease_takes_its_seats_again(
    make_kernel: MakeKernel, player: MakePlayer, clock: SetClock
) -> None:
    sleepy, living = make_kernel(), make_kernel()
    await sleepy.lease.renew()
    match = await quarto(sleepy, player)
    await sleepy.connections.arrive(match.id, 0, "ann-1", nothing)
    await live_on(clock, 10_001, living)
    await living.keeper.sweep()
    gone = await living.finder.find(match.id)
    assert gone is not None
    assert gone.state.away_until[0] is not None
    await sleepy.keeper.sweep()
    await sleepy.keeper.check()
    back = await living.finder.find(match.id)
    assert back is not None
    assert back.state.away_until[0] is None


@pytest.mark.spec("D44")
async def test_a_guest_may_join_while_the_host_is_away_and_then_the_window_begins(
    kernel: Kernel, player: MakePlayer, clock: SetClock
) -> None:
    games = dict(kernel.runtime.policies)
    games["quarto"] = replace(games["quarto"], held=True)
    kernel.runtime.policies = games
    process_id = kernel.runtime.process_id
    host = Player(name="host", secret="s0", connection="host-1", process_id=process_id)
    match = await kernel.seating.open("quarto", host, code="ROOM01")
    await kernel.connections.depart(match.id, 0, "host-1")
    guest = Player(name="guest", secret="s1", connection="guest-1", process_id=process_id)
    await kernel.seating.join(match.id, guest)
    after = await kernel.finder.find(match.id)
    assert after is not None
    assert after.state.away_until == (clock() + 120_000, None)
    assert after.version == 3


async def test_a_connection_that_sat_down_with_the_match_hears_when_it_is_replaced(
    kernel: Kernel, player: MakePlayer
) -> None:
    match = await quarto(kernel, player)
    told: list[str] = []
    assert await kernel.connections.keep(match.id, 0, "ann-1", lambda: told.append("lost"))
    await kernel.connections.arrive(match.id, 0, "ann-2", nothing)
    assert told == ["lost"]
    assert not await kernel.connections.keep(match.id, 0, "ann-1", nothing), "it came too late"
    resident = await kernel.finder.playable(match.id)
    assert resident is not None
    assert resident.here[0].connection == "ann-2"


async def test_a_seat_is_kept_at_once_where_nothing_is_in_the_way(
    kernel: Kernel, player: MakePlayer
) -> None:
    match = await quarto(kernel, player)
    resident = await kernel.finder.playable(match.id)
    assert resident is not None
    told: list[str] = []

    def keep(connection: str) -> bool:
        return kernel.connections.keep_at_once(
            match.id, 0, connection, lambda: told.append(connection)
        )

    async with resident.lock:
        assert not keep("ann-1"), "a step is being taken"
    assert not keep("ann-0"), "it never had the seat"
    assert not resident.claims
    assert keep("ann-1")
    await kernel.connections.arrive(match.id, 0, "ann-2", nothing)
    assert told == ["ann-1"], "it hears of who takes its place"
    assert not keep("ann-1"), "it came too late"


async def test_a_match_is_watched_at_once_only_by_a_process_that_is_alone(
    kernel: Kernel, player: MakePlayer
) -> None:
    match = await quarto(kernel, player)
    ear = Ear()
    assert kernel.watching.watch_at_once(match.id, ear) is None, "another may have moved it on"
    kernel.runtime.bus.alone = True  # type: ignore[misc]  # the hub's own switch
    assert kernel.watching.watch_at_once("no such match", ear) is None
    assert kernel.watching.watch_at_once(match.id, ear) == match
    await kernel.connections.depart(match.id, 0, "ann-1")
    assert [update.entry.kind for update in ear.updates] == ["gone"]


async def test_a_connection_that_is_gone_already_does_not_keep_its_seat(
    kernel: Kernel, player: MakePlayer
) -> None:
    match = await quarto(kernel, player)
    _, kept = await asyncio.gather(
        kernel.connections.depart(match.id, 0, "ann-1"),
        kernel.connections.keep(match.id, 0, "ann-1", nothing),
    )
    assert not kept
    await kernel.keeper.check()
    resident = await kernel.finder.playable(match.id)
    assert resident is not None
    assert kernel.presence.here(resident) == (False, True)


@pytest.mark.parametrize("landed", [True, False])
async def test_a_departure_the_store_did_not_confirm_is_told_again(
    kernel: Kernel, player: MakePlayer, clock: SetClock, store: Store, lose: Lose, landed: bool
) -> None:
    match = await quarto(kernel, player)
    lose(landed)
    await kernel.connections.depart(match.id, 0, "ann-1")
    clock.pass_ms(1_000)
    await kernel.keeper.sweep()
    after = await kernel.finder.find(match.id)
    assert after is not None
    assert after.state.away_until[0] is not None
    assert [row.connection for row in await queries.presence(store, match.id)] == [None, "bob-1"]
    assert [entry.kind for entry in await queries.journal(store, match.id)] == ["start", "gone"]


async def test_the_first_connection_of_a_process_never_heard_of_is_told(
    make_kernel: MakeKernel, player: MakePlayer
) -> None:
    here, there = make_kernel(), make_kernel()
    match = await here.seating.start("connect4", (await player("ann"), await player("bob")))
    ear = Ear()
    await here.watching.watch(match.id, ear)
    await there.connections.arrive(match.id, 1, "bob-1", nothing)
    await ear.told(1)
    assert ear.here == [(False, True)]
