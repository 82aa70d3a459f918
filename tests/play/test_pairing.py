"""One way of pairing, on the store: what memory knows saves steps and changes nothing."""

from __future__ import annotations

import asyncio

import pytest

from parlour.bus.local import LocalBus
from parlour.games.registry import all_rules
from parlour.play.kernel import Kernel
from parlour.play.match import Match
from parlour.play.player import Player
from parlour.play.waiting import Waiters, Waiting
from parlour.store import queries
from parlour.store.api import Store
from parlour.store.change import PutTicket, Write
from tests.play.conftest import MakeKernel, MakePlayer, SetClock, policies, think_here


def connected(kernel: Kernel, player: Player, connection: str) -> Player:
    process_id = kernel.runtime.process_id
    return Player(
        name=player.name, user_id=player.user_id, connection=connection, process_id=process_id
    )


def nobody(_: Match) -> None:
    raise AssertionError("who is answered is not called as well")


@pytest.mark.parametrize("by_socket_first", [False, True])
async def test_who_asks_now_and_then_and_who_holds_a_socket_meet(
    store: Store, clock: SetClock, player: MakePlayer, by_socket_first: bool
) -> None:
    """On one process as on many: neither waits for a periodic task."""
    alone = Kernel(store, LocalBus(), all_rules(), policies(), think_here, clock=clock)
    ann, bob = await player("ann"), await player("bob")
    told: list[Match] = []
    held = connected(alone, ann, "ann-1")
    if by_socket_first:
        assert isinstance(await alone.queue.join("connect4", held, told.append), PutTicket)
        match = await alone.queue.join("connect4", bob)
        assert told == [match]
    else:
        assert isinstance(await alone.queue.join("connect4", bob), PutTicket)
        match = await alone.queue.join("connect4", held, nobody)
    assert isinstance(match, Match)
    assert await queries.tickets(store, "connect4", 10) == []
    await alone.drain()


async def test_two_of_one_process_meet_without_a_second_ticket(
    make_kernel: MakeKernel, player: MakePlayer, made: list[Write]
) -> None:
    """Also where there may be other processes."""
    kernel, _ = make_kernel(), make_kernel()
    ann, bob = await player("ann"), await player("bob")
    told: list[Match] = []
    await kernel.queue.join("memory", connected(kernel, ann, "a-1"), told.append)
    match = await kernel.queue.join("memory", connected(kernel, bob, "b-1"), nobody)
    assert told == [match]
    assert sum(isinstance(write, PutTicket) for write in made) == 1


async def test_two_of_different_processes_meet_whoever_came_first(
    make_kernel: MakeKernel, player: MakePlayer, store: Store
) -> None:
    kernels = [make_kernel() for _ in range(4)]
    people = [await player(f"p{number}") for number in range(12)]
    told: list[Match] = []
    found = await asyncio.gather(
        *(
            kernels[n % 4].queue.join(
                "memory", connected(kernels[n % 4], who, f"c{n}"), told.append
            )
            for n, who in enumerate(people)
        )
    )
    for kernel in kernels * 2:  # what the last of them finds is the first one's news
        await kernel.queue.check()
        await kernel.runtime.background.drain()
    met = [*told, *(each for each in found if isinstance(each, Match))]
    assert sorted(
        seat.name for match in {m.id: m for m in met}.values() for seat in match.seats
    ) == (sorted(who.name for who in people))
    assert len(met) == len(people), "each is told once"
    assert await queries.tickets(store, "memory", 20) == []


# --- those who wait ---------------------------------------------------------------------------


def ticket(name: str = "ann", game: str = "memory") -> PutTicket:
    return PutTicket(
        id=f"ticket-{name}", game=game, user_id=name, name=name, joined_at=1, seen_at=1
    )


def a_match() -> Match:
    return Match(
        id="m",
        game="memory",
        public_id="M",
        status="active",
        version=1,
        options=b"{}",
        seed=b"",
        seats=(),
        created_at=1,
        updated_at=1,
    )


async def test_what_becomes_of_a_wait_before_it_was_answered_is_the_answer() -> None:
    waiters, match = Waiters(), a_match()
    waiting = Waiting(ticket(), nobody, lambda: None)
    waiters.enter(waiting)
    waiters.matched(waiting.ticket.id, match)
    assert waiters.answer(waiting) == match
    assert waiting.ticket.id not in waiters


async def test_who_was_answered_is_called() -> None:
    waiters, match, told = Waiters(), a_match(), list[Match]()
    waiting = Waiting(ticket(), told.append, lambda: None)
    waiters.enter(waiting)
    assert waiters.answer(waiting) is None
    waiters.matched(waiting.ticket.id, match)
    waiters.matched(waiting.ticket.id, match)
    assert told == [match], "once"


async def test_who_is_replaced_before_being_answered_hears_it_afterwards() -> None:
    waiters, replaced = Waiters(), asyncio.Event()
    waiting = Waiting(ticket(), nobody, replaced.set)
    waiters.enter(waiting)
    waiters.replaced(waiting.ticket.id)
    assert not replaced.is_set()
    assert waiters.answer(waiting) is None
    assert not replaced.is_set(), "not before it has the answer"
    await asyncio.sleep(0)
    assert replaced.is_set()


async def test_nobody_is_tried_by_two_at_once_nor_meets_oneself() -> None:
    waiters = Waiters()
    for name in ("ann", "bob"):
        waiters.enter(Waiting(ticket(name), nobody, lambda: None))
    assert [each.name for each in waiters.free("memory", "eve")] == ["ann", "bob"]
    assert waiters.free("memory", "ann") == [], "who waits already waits on"
    assert waiters.free("connect4", "eve") == []
    with waiters.claiming("ticket-ann"):
        assert [each.name for each in waiters.free("memory", "eve")] == ["bob"]
        assert waiters.claimed("ticket-ann")
    assert not waiters.claimed("ticket-ann")
