"""The queue: who is paired with whom, on one process and on several."""

from __future__ import annotations

import asyncio
import os
from collections import Counter
from collections.abc import AsyncIterator, Callable
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from parlour.bus.local import LocalBus
from parlour.games.registry import all_rules
from parlour.play.kernel import Kernel
from parlour.play.match import Match
from parlour.play.player import Busy, Player
from parlour.play.queue import AlreadyQueued
from parlour.play.tickets import seated_with
from parlour.store import queries
from parlour.store.api import Store
from parlour.store.change import (
    Change,
    ChangeRating,
    CreateMatch,
    PutTicket,
    QueueUp,
    TakeTicket,
    Unavailable,
    Write,
)
from parlour.store.sqlite.store import SqliteStore
from tests.play.conftest import Lose, MakeKernel, MakePlayer, SetClock, policies, think_here

LOT_BYTES = 16
"""What a lot is drawn from."""


def names(match: Match | PutTicket | None) -> list[str]:
    assert isinstance(match, Match)
    return [seat.name for seat in match.seats]


@pytest.mark.spec("A112", "A114", "A116", "A117")
async def test_first_come_first_served(kernel: Kernel, player: MakePlayer) -> None:
    ann, bob, eve = await player("ann"), await player("bob"), await player("eve")
    waiting = await kernel.queue.join("connect4", ann)
    assert isinstance(waiting, PutTicket)
    with pytest.raises(AlreadyQueued):
        await kernel.queue.join("connect4", ann)
    match = await kernel.queue.join("connect4", bob)
    assert names(match) == ["ann", "bob"], "who waited is player 1"
    assert isinstance(match, Match)
    assert [seat.rating_before for seat in match.seats] == [1000, 1000]
    with pytest.raises(Busy):
        await kernel.queue.join("connect4", ann)
    assert isinstance(await kernel.queue.join("connect4", eve), PutTicket)


@pytest.mark.spec("A119")
async def test_nobody_waits_who_sat_down_elsewhere(
    kernel: Kernel, player: MakePlayer, store: Store
) -> None:
    ann, bob = await player("ann"), await player("bob")
    await kernel.queue.join("connect4", ann)
    match = await kernel.seating.start("connect4", (ann, bob))
    found = await kernel.queue.poll("connect4", "user-ann")
    assert isinstance(found, Match)
    assert found.id == match.id
    assert await queries.ticket_of(store, "user-ann", "connect4") is None


async def test_who_sits_down_while_joining_the_queue_does_not_wait(
    kernel: Kernel, player: MakePlayer, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, bob = await player("ann"), await player("bob")
    commit = store.commit

    async def meanwhile(change: Change) -> None:
        monkeypatch.setattr(store, "commit", commit)
        await kernel.seating.start("connect4", (ann, bob))
        await commit(change)

    monkeypatch.setattr(store, "commit", meanwhile)
    with pytest.raises(Busy):
        await kernel.queue.join("connect4", ann)
    assert await queries.ticket_of(store, "user-ann", "connect4") is None


@pytest.mark.spec("A110")
async def test_a_ticket_says_who_waits_since_when_and_was_last_heard_of(
    kernel: Kernel, player: MakePlayer, clock: SetClock, store: Store
) -> None:
    joined_at = clock()
    ticket = await kernel.queue.join("connect4", await player("ann"))
    clock.pass_ms(2_000)
    await kernel.queue.poll("connect4", "user-ann")
    assert isinstance(ticket, PutTicket)
    assert await queries.tickets(store, "connect4", 10) == [
        PutTicket(
            id=ticket.id,
            game="connect4",
            user_id="user-ann",
            name="ann",
            joined_at=joined_at,
            seen_at=clock(),
            deadline_at=clock() + 30_000,
        )
    ]


@pytest.mark.spec("A110", "A116")
async def test_ratings_count_as_they_are_when_two_are_paired(
    kernel: Kernel, player: MakePlayer, store: Store
) -> None:
    ann, bob = await player("ann"), await player("bob")
    await kernel.queue.join("connect4", ann)
    won = ChangeRating(user_id="user-ann", game="connect4", delta=7, result="win", at=1)
    await store.commit(Change((won,)))
    match = await kernel.queue.join("connect4", bob)
    assert isinstance(match, Match)
    assert [seat.rating_before for seat in match.seats] == [1007, 1000]


@pytest.mark.spec("A122")
async def test_one_may_leave(kernel: Kernel, player: MakePlayer) -> None:
    ann = await player("ann")
    await kernel.queue.join("connect4", ann)
    assert await kernel.queue.leave("connect4", "user-ann")
    assert not await kernel.queue.leave("connect4", "user-ann")
    assert isinstance(await kernel.queue.join("connect4", await player("bob")), PutTicket)


@pytest.mark.spec("A111", "A118", "A121")
async def test_a_heartbeat_keeps_a_ticket(
    kernel: Kernel, player: MakePlayer, clock: SetClock
) -> None:
    ann, bob = await player("ann"), await player("bob")
    ticket = await kernel.queue.join("connect4", ann)
    clock.pass_ms(25_000)
    polled = await kernel.queue.poll("connect4", "user-ann")
    assert isinstance(polled, PutTicket)
    assert isinstance(ticket, PutTicket)
    assert polled.joined_at == ticket.joined_at
    clock.pass_ms(30_000)
    assert names(await kernel.queue.join("connect4", bob)) == ["ann", "bob"]


@pytest.mark.spec("A114", "A123")
async def test_a_stale_ticket_counts_as_none(
    kernel: Kernel, player: MakePlayer, clock: SetClock, store: Store
) -> None:
    ann, bob = await player("ann"), await player("bob")
    await kernel.queue.join("connect4", ann)
    clock.pass_ms(30_001)
    assert isinstance(await kernel.queue.join("connect4", bob), PutTicket)
    assert await kernel.queue.poll("connect4", "user-ann") is None
    clock.pass_ms(30_001)
    await kernel.keeper.sweep()
    assert await queries.tickets(store, "connect4", 10) == []


@pytest.mark.spec("A115")
async def test_a_partner_who_turns_out_busy_is_dropped_and_the_next_one_tried(
    kernel: Kernel, player: MakePlayer, clock: SetClock
) -> None:
    ann, bob, eve, zoe = [await player(name) for name in ("ann", "bob", "eve", "zoe")]
    await kernel.queue.join("connect4", ann)
    await kernel.seating.start("connect4", (ann, zoe))
    ticket = await kernel.queue.join("connect4", bob)
    assert isinstance(ticket, PutTicket), "ann sits elsewhere"
    assert names(await kernel.queue.join("connect4", eve)) == ["bob", "eve"]


async def test_forty_at_once_on_two_processes_make_twenty_games(
    make_kernel: MakeKernel, player: MakePlayer, store: Store
) -> None:
    kernels = [make_kernel(), make_kernel()]
    people = [await player(f"p{n}") for n in range(40)]
    await asyncio.gather(
        *(kernels[n % 2].queue.join("connect4", person) for n, person in enumerate(people))
    )
    seated: Counter[str] = Counter()
    matches = set()
    for person in people:
        assert person.user_id is not None
        match = await kernels[0].finder.open_match_of("connect4", person.user_id)
        if match is None:
            # Two who waited on different processes meet at the next heartbeat at the latest.
            polled = await kernels[1].queue.poll("connect4", person.user_id)
            assert isinstance(polled, Match)
            match = polled
        matches.add(match.id)
        seated[person.user_id] += 1
    assert len(matches) == 20
    assert set(seated.values()) == {1}
    assert await queries.tickets(store, "connect4", 100) == []


async def test_two_who_queue_at_the_same_moment_on_two_processes_find_each_other(
    make_kernel: MakeKernel, player: MakePlayer
) -> None:
    here, there = make_kernel(), make_kernel()
    for n in range(10):
        ann, bob = await player(f"ann{n}"), await player(f"bob{n}")
        results = await asyncio.gather(
            here.queue.join("connect4", ann), there.queue.join("connect4", bob)
        )
        assert any(isinstance(result, Match) for result in results)


def lots(drawn: int) -> Callable[[int], bytes]:
    """Chance whose first lot is this number; whatever else it is asked for is never the same."""
    first, rest = iter((drawn,)), Random(drawn)

    def entropy(count: int) -> bytes:
        lot = next(first, None) if count == LOT_BYTES else None
        return rest.randbytes(count) if lot is None else lot.to_bytes(count, "big")

    return entropy


@pytest.mark.spec("B8")
@pytest.mark.parametrize("drawn", range(8))
async def test_uniform_pairing_takes_the_one_who_is_drawn(
    make_kernel: MakeKernel, player: MakePlayer, store: Store, clock: SetClock, drawn: int
) -> None:
    games = policies()
    games["connect4"] = replace(games["connect4"], order="uniform")
    kernel = make_kernel(policies=games, entropy=lots(drawn))
    for number in range(4):
        ticket = kernel.queue.tickets.new("connect4", await player(f"w{number}"))
        await store.commit(Change((ticket,)))
        clock.pass_ms(1)
    match = await kernel.queue.join("connect4", await player("eve"))
    assert names(match) == [f"w{drawn % 4}", "eve"]


async def test_waiting_ends_with_a_call(kernel: Kernel, player: MakePlayer) -> None:
    told: list[Match] = []
    await kernel.queue.join("connect4", await player("ann"), told.append)
    match = await kernel.queue.join("connect4", await player("bob"))
    assert told == [match]


async def test_waiting_elsewhere_ends_with_a_call_too(
    make_kernel: MakeKernel, player: MakePlayer
) -> None:
    here, there = make_kernel(), make_kernel()
    told: list[Match] = []
    await here.queue.join("connect4", await player("ann"), told.append)
    match = await there.queue.join("connect4", await player("bob"))
    assert isinstance(match, Match)
    await here.queue.check()
    assert [each.id for each in told] == [match.id]


# --- connections ------------------------------------------------------------------------------


def held(kernel: Kernel, player: Player, connection: str) -> Player:
    return replace(player, connection=connection, process_id=kernel.runtime.process_id)


async def test_a_newer_connection_waits_in_the_place_of_an_older_one(
    kernel: Kernel, player: MakePlayer, store: Store
) -> None:
    ann = await player("ann")
    told: list[object] = []
    older = await kernel.queue.join(
        "memory", held(kernel, ann, "ann-1"), told.append, lambda: told.append("replaced")
    )
    with pytest.raises(AlreadyQueued):
        await kernel.queue.join("memory", held(kernel, ann, "ann-1"))
    newer = await kernel.queue.join("memory", held(kernel, ann, "ann-2"), told.append)
    assert told == ["replaced"]
    assert await queries.tickets(store, "memory", 10) == [newer]
    assert isinstance(older, PutTicket)
    assert not await kernel.queue.tickets.drop(older), "its late departure changes nothing"
    match = await kernel.queue.join("memory", held(kernel, await player("bob"), "bob-1"))
    assert told == ["replaced", match]


async def test_a_newer_connection_on_another_process_is_heard_of(
    make_kernel: MakeKernel, player: MakePlayer
) -> None:
    here, there = make_kernel(), make_kernel()
    ann, told = await player("ann"), asyncio.Event()
    await here.queue.join("memory", held(here, ann, "ann-1"), lambda _: None, told.set)
    await there.queue.join("memory", held(there, ann, "ann-2"))
    await told.wait()


@pytest.mark.parametrize("game", ["memory", "quarto"])
async def test_word_of_a_match_made_elsewhere_comes_over_the_bus(
    make_kernel: MakeKernel, player: MakePlayer, game: str
) -> None:
    """Also of a game that one may play at any number of tables."""
    here, there = make_kernel(), make_kernel()
    told: asyncio.Queue[Match] = asyncio.Queue()
    await here.queue.join(game, held(here, await player("ann"), "ann-1"), told.put_nowait)
    bob = held(there, await player("bob"), "bob-1")
    match = await there.queue.join(game, bob)
    assert isinstance(match, Match)
    async with asyncio.timeout(20):
        assert (await told.get()).id == match.id


@pytest.mark.parametrize("landed", [True, False])
async def test_a_ticket_whose_fate_is_unknown_is_resumed_or_taken_back(
    kernel: Kernel, player: MakePlayer, store: Store, lose: Lose, landed: bool
) -> None:
    ann = held(kernel, await player("ann"), "ann-1")
    lose(landed)
    with pytest.raises(Unavailable):
        await kernel.queue.join("memory", ann)
    assert len(await queries.tickets(store, "memory", 10)) == landed
    ticket = await kernel.queue.join("memory", ann)
    assert await queries.tickets(store, "memory", 10) == [ticket]
    await kernel.keeper.sweep()
    assert await queries.tickets(store, "memory", 10) == [ticket], "it is waited with"

    bob = held(kernel, await player("bob"), "bob-1")
    assert isinstance(ticket, PutTicket)
    assert await kernel.queue.tickets.drop(ticket)
    lose(landed)
    with pytest.raises(Unavailable):
        await kernel.queue.join("memory", bob)
    await kernel.keeper.sweep()
    assert await queries.tickets(store, "memory", 10) == [], "nobody waits with it"


async def test_leaving_while_the_store_is_away_is_seen_to_later(
    kernel: Kernel, player: MakePlayer, store: Store, lose: Lose
) -> None:
    ticket = await kernel.queue.join("memory", held(kernel, await player("ann"), "ann-1"))
    assert isinstance(ticket, PutTicket)
    lose(False)
    with pytest.raises(Unavailable):
        await kernel.queue.tickets.drop(ticket)
    assert await queries.tickets(store, "memory", 10) == [ticket]
    await kernel.keeper.sweep()
    assert await queries.tickets(store, "memory", 10) == []


# --- one process ------------------------------------------------------------------------------


def kernel_alone(store: Store, clock: SetClock, entropy: Callable[[int], bytes]) -> Kernel:
    """A process that knows it is the only one."""
    games = policies()
    games["memory"] = replace(games["memory"], order="uniform")
    return Kernel(store, LocalBus(), all_rules(), games, think_here, clock=clock, entropy=entropy)


@pytest.fixture
async def alone(store: Store, clock: SetClock) -> AsyncIterator[Kernel]:
    kernel = kernel_alone(store, clock, os.urandom)
    yield kernel
    await kernel.drain()


async def test_who_meets_somebody_known_to_wait_needs_no_ticket(
    alone: Kernel, player: MakePlayer, store: Store
) -> None:
    told: list[Match] = []
    await alone.queue.join("memory", held(alone, await player("ann"), "ann-1"), told.append)
    match = await alone.queue.join("memory", held(alone, await player("bob"), "bob-1"), told.append)
    assert told == [match]
    assert names(match) == ["ann", "bob"]
    assert isinstance(match, Match)
    assert None not in {seat.secret for seat in match.seats}
    assert await queries.tickets(store, "memory", 10) == []


async def test_forty_at_once_on_one_process_make_twenty_games(
    alone: Kernel, player: MakePlayer, store: Store
) -> None:
    told: dict[str, list[Match]] = {}

    async def join(name: str) -> None:
        heard = told.setdefault(name, [])
        found = await alone.queue.join(
            "memory", held(alone, await player(name), f"{name}-1"), heard.append
        )
        if isinstance(found, Match):
            heard.append(found)

    await asyncio.gather(*(join(f"p{number}") for number in range(40)))
    assert {len(heard) for heard in told.values()} == {1}, "everyone is told once"
    seated = Counter(heard[0].id for heard in told.values())
    assert set(seated.values()) == {2}
    assert await queries.tickets(store, "memory", 100) == []


async def test_who_is_busy_does_not_take_anybody_out_of_the_queue(
    alone: Kernel, player: MakePlayer, store: Store
) -> None:
    ann, bob, cleo = [await player(name) for name in ("ann", "bob", "cleo")]
    told: list[Match] = []
    await alone.seating.start("memory", (held(alone, bob, "bob-1"), held(alone, cleo, "cleo-1")))
    ticket = await alone.queue.join("memory", held(alone, ann, "ann-1"), told.append)
    with pytest.raises(Busy):
        await alone.queue.join("memory", held(alone, bob, "bob-2"), told.append)
    assert await queries.tickets(store, "memory", 10) == [ticket]
    dan = held(alone, await player("dan"), "dan-1")
    match = await alone.queue.join("memory", dan, told.append)
    assert told == [match]


async def test_who_waits_is_told_even_if_somebody_else_was_quicker(
    alone: Kernel, player: MakePlayer, store: Store
) -> None:
    """Their ticket was used behind this process's back, as a sweep elsewhere might."""
    told: list[Match] = []
    ticket = await alone.queue.join(
        "memory", held(alone, await player("ann"), "ann-1"), told.append
    )
    assert isinstance(ticket, PutTicket)
    partners = (held(alone, await player("zoe"), "zoe-1"), seated_with(ticket))
    used = (TakeTicket(id=ticket.id),)
    match = await alone.seating.start("memory", partners, together=lambda _: used)
    late = await alone.queue.join("memory", held(alone, await player("bob"), "bob-1"), told.append)
    assert isinstance(late, PutTicket)
    assert told == [match]


@pytest.mark.parametrize("landed", [True, False])
async def test_a_meeting_the_store_did_not_confirm_loses_nobody(
    alone: Kernel, player: MakePlayer, store: Store, lose: Lose, landed: bool
) -> None:
    told: list[Match] = []
    await alone.queue.join("memory", held(alone, await player("ann"), "ann-1"), told.append)
    bob = held(alone, await player("bob"), "bob-1")
    lose(landed)
    if not landed:
        with pytest.raises(Unavailable):
            await alone.queue.join("memory", bob, told.append)
    match = await alone.queue.join("memory", bob, told.append)
    assert told == [match]
    assert await queries.tickets(store, "memory", 10) == []


async def test_two_whom_a_third_kept_apart_are_brought_together(
    alone: Kernel, player: MakePlayer, store: Store
) -> None:
    """Bob means to sit down with Ann, so Dan waits too; but Bob turns out to be busy."""
    ann, bob, cleo, dan = [await player(name) for name in ("ann", "bob", "cleo", "dan")]
    told: list[Match] = []
    await alone.seating.start("memory", (held(alone, bob, "bob-1"), held(alone, cleo, "cleo-1")))
    await alone.queue.join("memory", held(alone, ann, "ann-1"), told.append)
    late = asyncio.create_task(alone.queue.join("memory", held(alone, bob, "bob-2"), told.append))
    await asyncio.sleep(0)
    found = await alone.queue.join("memory", held(alone, dan, "dan-1"), told.append)
    with pytest.raises(Busy):
        await late
    await alone.runtime.background.drain()
    met = [*told, *([found] if isinstance(found, Match) else ())]
    assert len(met) == 2, "each is told once"
    assert met[0] == met[1]
    assert sorted(names(met[0])) == ["ann", "dan"]
    assert await queries.tickets(store, "memory", 10) == []


async def test_two_who_looked_past_each_other_are_brought_together(
    alone: Kernel, player: MakePlayer, store: Store
) -> None:
    told: list[Match] = []
    for name in ("ann", "dan"):
        await alone.queue.join("memory", held(alone, await player(name), f"{name}-1"), told.append)
        for waiting in alone.queue._waiters.settled():
            waiting.claimed = True  # by somebody who then does not come
    for waiting in alone.queue._waiters._all.values():
        waiting.claimed = False
    assert len(await queries.tickets(store, "memory", 10)) == 2
    await alone.queue.check()
    assert len(told) == 2
    assert told[0] == told[1]
    assert await queries.tickets(store, "memory", 10) == []


async def test_who_comes_together_meets_before_anybody_is_in_the_store(
    alone: Kernel, player: MakePlayer, store: Store, made: list[Write]
) -> None:
    ann, bob = held(alone, await player("ann"), "a-1"), held(alone, await player("bob"), "b-1")
    told: list[Match] = []
    first, second = await asyncio.gather(
        alone.queue.join("memory", ann, told.append), alone.queue.join("memory", bob, told.append)
    )
    assert isinstance(second, Match)
    assert names(second) == ["ann", "bob"]
    tickets = [write for write in made if isinstance(write, QueueUp | TakeTicket)]
    if isinstance(store, SqliteStore):
        assert (first, told, tickets) == (second, [], []), "neither ever had a ticket"
    else:
        assert isinstance(first, PutTicket)
        assert told == [second]
    assert await queries.tickets(store, "memory", 10) == []


async def test_who_was_to_be_met_before_having_a_ticket_has_one_if_nothing_comes_of_it(
    alone: Kernel, player: MakePlayer, store: Store
) -> None:
    """Bob is busy elsewhere, which is seen when they are about to sit down."""
    ann, bob, cleo = [await player(name) for name in ("ann", "bob", "cleo")]
    told: list[Match] = []
    await alone.seating.start("memory", (held(alone, bob, "bob-1"), held(alone, cleo, "cleo-1")))
    first, second = await asyncio.gather(
        alone.queue.join("memory", held(alone, ann, "ann-1"), told.append),
        alone.queue.join("memory", held(alone, bob, "bob-2"), told.append),
        return_exceptions=True,
    )
    assert isinstance(second, Busy)
    assert await queries.tickets(store, "memory", 10) == [first]
    match = await alone.queue.join("memory", held(alone, await player("dan"), "d-1"), told.append)
    assert told == [match]


async def test_who_is_busy_hears_so_even_if_somebody_wanted_to_sit_down_with_them(
    alone: Kernel, player: MakePlayer, store: Store
) -> None:
    ann, bob, cleo = [await player(name) for name in ("ann", "bob", "cleo")]
    busy = await alone.seating.start(
        "memory", (held(alone, ann, "ann-1"), held(alone, cleo, "cleo-1"))
    )
    told: list[Match] = []
    first, second = await asyncio.gather(
        alone.queue.join("memory", held(alone, ann, "ann-2"), told.append),
        alone.queue.join("memory", held(alone, bob, "bob-1"), told.append),
        return_exceptions=True,
    )
    assert isinstance(first, Busy)
    assert first.match == busy
    assert await queries.tickets(store, "memory", 10) == [second]
    assert told == []


@pytest.mark.parametrize("landed", [True, False])
async def test_two_who_come_together_are_not_lost_if_the_store_does_not_confirm(
    alone: Kernel,
    player: MakePlayer,
    store: Store,
    monkeypatch: pytest.MonkeyPatch,
    landed: bool,
) -> None:
    ann, bob = held(alone, await player("ann"), "a-1"), held(alone, await player("bob"), "b-1")
    told: list[Match] = []
    commit = store.commit
    lost: list[Change] = []

    async def loses_a_match(change: Change) -> None:
        if lost or not isinstance(change.writes[0], CreateMatch):
            await commit(change)
            return
        lost.append(change)
        if landed:
            await commit(change)
        raise Unavailable

    monkeypatch.setattr(store, "commit", loses_a_match)
    first, second = await asyncio.gather(
        alone.queue.join("memory", ann, told.append),
        alone.queue.join("memory", bob, told.append),
        return_exceptions=True,
    )
    assert lost
    if not landed:
        assert isinstance(second, Unavailable)
        assert await queries.tickets(store, "memory", 10) == [first]
        second = await alone.queue.join("memory", bob, told.append)
    assert isinstance(second, Match)
    assert [*told, *([first] if isinstance(first, Match) else ())] == [second]
    assert await queries.tickets(store, "memory", 10) == []


ON_SQLITE = pytest.mark.parametrize("engine", ["sqlite"])
"""PostgreSQL begins to write a ticket as soon as it is asked to."""


async def begin_together(
    alone: Kernel, told: Callable[[Match], None], *players: Player
) -> list[asyncio.Task[Match | PutTicket]]:
    """They have asked in this order, and nothing of it is written yet."""
    joins = [asyncio.create_task(alone.queue.join("memory", each, told)) for each in players]
    await asyncio.sleep(0)
    return joins


@ON_SQLITE
async def test_who_goes_away_keeps_nobody_from_sitting_down_with_them(
    alone: Kernel, player: MakePlayer, store: Store
) -> None:
    """As with a ticket: that they are not there is seen to by who looks after connections."""
    ann, bob = held(alone, await player("ann"), "a-1"), held(alone, await player("bob"), "b-1")
    told: list[Match] = []
    first, second = await begin_together(alone, told.append, ann, bob)
    await asyncio.sleep(0)
    first.cancel()
    with pytest.raises(asyncio.CancelledError):
        await first
    assert names(await second) == ["ann", "bob"]
    assert await queries.tickets(store, "memory", 10) == []
    cleo = await alone.queue.join("memory", held(alone, await player("cleo"), "c-1"), told.append)
    assert isinstance(cleo, PutTicket), "nobody waits any more"


@ON_SQLITE
async def test_a_seat_that_the_store_did_not_tell_of_ends_the_wait(
    alone: Kernel, player: MakePlayer, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who finds it afterwards waits no longer, and nobody waits for them."""
    ann, bob = held(alone, await player("ann"), "a-1"), held(alone, await player("bob"), "b-1")
    told: list[Match] = []
    start = alone.seating.start

    async def unsaid(*args: Any, **kwargs: Any) -> Match:
        monkeypatch.undo()
        await start(*args, **kwargs)
        raise Unavailable

    monkeypatch.setattr(alone.seating, "start", unsaid)
    first, second = await begin_together(alone, told.append, ann, bob)
    with pytest.raises(Unavailable):
        await second
    assert names(await first) == ["ann", "bob"]
    cleo = await alone.queue.join("memory", held(alone, await player("cleo"), "c-1"), told.append)
    assert isinstance(cleo, PutTicket)
    assert await queries.tickets(store, "memory", 10) == [cleo]


@pytest.mark.parametrize("polled", [False, True])
async def test_nobody_who_has_a_ticket_already_leaves_it_behind(
    alone: Kernel, player: MakePlayer, store: Store, polled: bool
) -> None:
    """Ann waits, and again from elsewhere when Bob comes: they sit down, and no ticket stays."""
    ann, bob = await player("ann"), held(alone, await player("bob"), "b-1")
    told: list[Match] = []
    if polled:
        await alone.queue.join("connect4", ann)
    else:
        await alone.queue.join("connect4", held(alone, ann, "a-1"), told.append)
    newer = held(alone, ann, "a-2")
    _, match = await asyncio.gather(
        alone.queue.join("connect4", newer, told.append),
        alone.queue.join("connect4", bob, told.append),
        return_exceptions=True,
    )
    await alone.runtime.background.drain()
    assert await queries.tickets(store, "connect4", 10) == []
    assert names(match if isinstance(match, Match) else told[0]) == ["ann", "bob"]


async def test_who_could_not_queue_is_not_met(
    alone: Kernel, player: MakePlayer, store: Store, lose: Lose
) -> None:
    ann, bob = held(alone, await player("ann"), "a-1"), held(alone, await player("bob"), "b-1")
    told: list[Match] = []
    lose(False)
    results = await asyncio.gather(
        alone.queue.join("memory", ann, told.append),
        alone.queue.join("memory", bob, told.append),
        return_exceptions=True,
    )
    assert isinstance(results[0], Unavailable)
    assert await queries.tickets(store, "memory", 10) == [results[1]]
    assert told == []


@pytest.mark.spec("B8")
@pytest.mark.parametrize("drawn", range(6))
async def test_the_one_who_is_drawn_is_met(
    store: Store, clock: SetClock, player: MakePlayer, drawn: int
) -> None:
    """Several wait at once only if somebody was about to sit down with each of them."""
    alone = kernel_alone(store, clock, lots(drawn))
    told: list[Match] = []
    for name in ("bob", "cleo", "dan"):
        await alone.queue.join("memory", held(alone, await player(name), f"{name}-1"), told.append)
        for waiting in alone.queue._waiters.settled():
            waiting.claimed = True
    for waiting in alone.queue._waiters._all.values():
        waiting.claimed = False
    match = await alone.queue.join("memory", held(alone, await player("ann"), "ann-1"), told.append)
    assert names(match) == [("bob", "cleo", "dan")[drawn % 3], "ann"]
    assert told == [match]
    await alone.drain()
