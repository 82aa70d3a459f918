"""Nothing is held for nobody: not after the end, not for a connection that is gone."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from msgspec.structs import replace
from sqlalchemy import Executable

from parlour.games.api import SEATS
from parlour.games.quarto.rules import Leave
from parlour.play import rounds
from parlour.play.keeper import GRACE_MS
from parlour.play.kernel import Kernel
from parlour.play.match import Match
from parlour.play.player import Player
from parlour.store import queries
from parlour.store.api import Store
from parlour.store.change import Change, PutTicket
from tests.play.conftest import Lose, MakeKernel, MakePlayer, SetClock, live_on, policies, until

TTL_MS = 60_000


def nothing() -> None:
    pass


async def both(kernel: Kernel, player: MakePlayer, *names: str) -> tuple[Player, Player]:
    """Two who come with a connection each."""
    process_id = kernel.runtime.process_id
    first, second = [
        replace(await player(name), connection=f"{name}-1", process_id=process_id)
        for name in names or ("ann", "bob")
    ]
    return first, second


async def connections(store: Store, match: Match) -> list[str | None]:
    return [row.connection for row in await queries.presence(store, match.id)]


@pytest.fixture
def rooms() -> Any:
    """Rooms that lapse."""
    games = policies()
    games["quarto"] = replace(
        games["quarto"],
        held=True,
        waiting_ttl_ms=TTL_MS,
        active_ttl_ms=TTL_MS,
        finished_ttl_ms=TTL_MS,
    )
    return games


# --- after the end ----------------------------------------------------------------------------


async def test_a_departure_after_an_end_not_heard_of_only_frees_the_seat(
    make_kernel: MakeKernel, player: MakePlayer, store: Store
) -> None:
    here, there = make_kernel(), make_kernel()
    match = await here.seating.start("quarto", await both(here, player))
    here.runtime.bus.cut = True  # type: ignore[attr-defined]  # the hub's own switch
    await there.steps.act(match.id, 1, Leave())
    await here.connections.depart(match.id, 0, "ann-1")
    assert await connections(store, match) == [None, "bob-1"]
    assert [entry.kind for entry in await queries.journal(store, match.id)] == ["start", "act"]


async def test_a_departure_at_the_moment_of_the_end_only_frees_the_seat(
    kernel: Kernel, player: MakePlayer, clock: SetClock, store: Store
) -> None:
    match = await kernel.seating.start("quarto", await both(kernel, player))
    await kernel.connections.depart(match.id, 1, "bob-1")
    clock.pass_ms(120_000)
    await kernel.connections.depart(match.id, 0, "ann-1")
    assert await connections(store, match) == [None, None]
    after = await kernel.finder.find(match.id)
    assert after is not None
    assert (after.status, after.winner) == ("finished", 0)


async def test_a_departure_owed_from_before_the_end_does_not_fail_the_sweep(
    make_kernel: MakeKernel, player: MakePlayer, clock: SetClock, store: Store, lose: Lose
) -> None:
    here, there = make_kernel(), make_kernel()
    match = await here.seating.start("quarto", await both(here, player))
    here.runtime.bus.cut = True  # type: ignore[attr-defined]  # the hub's own switch
    lose(False)
    await here.connections.depart(match.id, 0, "ann-1")
    await there.steps.act(match.id, 1, Leave())
    overdue = await there.seating.open("connect4", await player("cid"))
    clock.pass_ms(900_000 + GRACE_MS)
    await here.keeper.sweep()
    assert await connections(store, match) == [None, "bob-1"]
    assert await here.finder.find(overdue.id) is None, "the rest was swept, too"


# --- let go -----------------------------------------------------------------------------------


async def test_who_does_not_stay_gets_up_in_the_commit_that_ends_the_game(
    kernel: Kernel, player: MakePlayer, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = await kernel.seating.start("quarto", await both(kernel, player))
    assert await kernel.connections.keep(match.id, 0, "ann-1", nothing, stays=False)
    assert await kernel.connections.keep(match.id, 1, "bob-1", nothing)
    assert await connections(store, match) == ["ann-1", "bob-1"]
    written: list[Change] = []
    commit = store.commit

    async def noted(change: Change) -> None:
        written.append(change)
        await commit(change)

    monkeypatch.setattr(store, "commit", noted)
    ended = await kernel.steps.act(match.id, 1, Leave())
    assert len(written) == 1
    assert await connections(store, match) == [None, "bob-1"]
    (row, _) = await queries.presence(store, match.id)
    assert row.left_at == ended.after.ended_at
    assert not kernel.connections.holds(match.id, 0, "ann-1")
    assert kernel.connections.holds(match.id, 1, "bob-1")


async def test_a_game_ends_though_who_does_not_stay_has_lost_the_seat_elsewhere(
    make_kernel: MakeKernel, player: MakePlayer, store: Store
) -> None:
    here, there = make_kernel(), make_kernel()
    match = await here.seating.start("quarto", await both(here, player))
    assert await here.connections.keep(match.id, 0, "ann-1", nothing, stays=False)
    await there.connections.arrive(match.id, 0, "ann-2", nothing)
    ended = await here.steps.act(match.id, 1, Leave())
    assert ended.after.status == "finished"
    assert await connections(store, match) == ["ann-2", "bob-1"]


@pytest.mark.parametrize("end", ["lapse", "cancel", "rematch"])
async def test_whatever_lets_a_match_go_frees_its_seats_in_the_same_commit(
    make_kernel: MakeKernel,
    player: MakePlayer,
    clock: SetClock,
    store: Store,
    rooms: Any,
    end: str,
) -> None:
    kernel = make_kernel(policies=rooms)
    ann, bob = await both(kernel, player)
    match = await kernel.seating.open("quarto", ann, code="ROOM01")
    assert await kernel.connections.keep(match.id, 0, "ann-1", nothing)
    if end == "cancel":
        await kernel.seating.cancel(match.id, 0)
    elif end == "rematch":
        await kernel.seating.join(match.id, bob)
        await kernel.steps.act(match.id, 1, Leave())
        for seat in SEATS:
            await kernel.rematches.ask(match.id, seat, swap=False, keep_code=True)
    else:
        other = make_kernel(policies=rooms)
        await live_on(clock, TTL_MS, other)  # and the first has died
        resident = await other.finder.playable(match.id, fresh=True)
        assert resident is not None
        await other.deadlines.due(resident)
    stored = await queries.match_by_id(store, match.id)
    assert stored is not None
    assert stored.match.status == {"lapse": "expired", "cancel": "cancelled"}.get(end, "finished")
    assert {row.connection for row in stored.presence} == {None}
    resident = kernel.residents.by_id.get(match.id)
    assert resident is not None
    await kernel.keeper.check()
    assert not resident.claims, "and nobody claims one of them"


# --- for nobody -------------------------------------------------------------------------------


async def test_a_seat_whose_connection_never_heard_of_it_is_given_up(
    kernel: Kernel, player: MakePlayer, clock: SetClock, store: Store
) -> None:
    match = await kernel.seating.start("memory", await both(kernel, player))
    assert await kernel.connections.keep(match.id, 1, "bob-1", nothing)
    for _ in range(4):
        await kernel.keeper.reconcile()
        assert await connections(store, match) == ["ann-1", "bob-1"], "it may be about to hear"
        await live_on(clock, 2_500, kernel)
    await kernel.keeper.reconcile()
    assert await connections(store, match) == [None, "bob-1"]
    entries = await queries.journal(store, match.id)
    assert [(entry.kind, entry.seat) for entry in entries] == [("start", None), ("gone", 0)]
    await live_on(clock, 60_000, kernel)
    await kernel.keeper.reconcile()
    assert await connections(store, match) == [None, "bob-1"], "who is there stays"


async def test_who_claims_the_seat_at_the_last_moment_keeps_it(
    kernel: Kernel, player: MakePlayer, clock: SetClock, store: Store
) -> None:
    match = await kernel.seating.start("memory", await both(kernel, player))
    assert await kernel.connections.keep(match.id, 1, "bob-1", nothing)
    await kernel.keeper.reconcile()
    await live_on(clock, 20_000, kernel)
    resident = await kernel.finder.playable(match.id)
    assert resident is not None
    async with resident.lock:
        claiming = asyncio.create_task(kernel.connections.keep(match.id, 0, "ann-1", nothing))
        await until(lambda: len(resident.lock._waiting or ()) == 1)
        comparing = asyncio.create_task(kernel.keeper.reconcile())
        await until(lambda: len(resident.lock._waiting or ()) == 2)
    assert await claiming
    await comparing
    assert await connections(store, match) == ["ann-1", "bob-1"]


async def test_what_is_held_is_compared_in_portions(
    kernel: Kernel,
    player: MakePlayer,
    clock: SetClock,
    store: Store,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(rounds, "PAGE", 3)
    monkeypatch.setattr(rounds, "ROUND_LIMIT", 6)
    matches = [
        await kernel.seating.start("quarto", await both(kernel, player, f"a{n}", f"b{n}"))
        for n in range(10)
    ]
    for _ in range(2 * 4):
        await kernel.keeper.reconcile()
        await live_on(clock, 3_000, kernel)
    for match in matches:
        assert await connections(store, match) == [None, None]


async def test_a_ticket_with_which_nobody_waits_is_given_up(
    kernel: Kernel, player: MakePlayer, clock: SetClock, store: Store
) -> None:
    ann, bob = await both(kernel, player)
    lost = await kernel.queue.join("memory", ann)
    assert isinstance(lost, PutTicket)
    await kernel.keeper.reconcile()
    await live_on(clock, 10_000, kernel)
    await kernel.keeper.reconcile()
    assert await queries.tickets(store, "memory") == []
    waits = await kernel.queue.join("memory", bob, lambda _: None)
    assert isinstance(waits, PutTicket)
    for _ in range(3):
        await kernel.keeper.reconcile()
        await live_on(clock, 10_000, kernel)
    assert await queries.tickets(store, "memory") == [waits]


# --- how dear it is ---------------------------------------------------------------------------


@pytest.mark.parametrize("alone", [True, False])
async def test_looking_after_many_games_takes_few_queries_and_none_alone(
    make_kernel: MakeKernel, store: Store, monkeypatch: pytest.MonkeyPatch, alone: bool
) -> None:
    kernel = make_kernel()
    kernel.runtime.bus.alone = alone  # type: ignore[misc]  # the hub's own switch
    count = 3 * rounds.PAGE + 1
    for number in range(count):
        players = (Player(name="ann"), Player(name="bob"))
        match = await kernel.seating.start("connect4", players)
        await kernel.connections.arrive(match.id, 0, f"ann-{number}", nothing)
    asked = 0
    real = store.rows

    async def rows(query: Executable, /, **params: Any) -> Any:
        nonlocal asked
        asked += 1
        return await real(query, **params)

    monkeypatch.setattr(store, "rows", rows)
    await kernel.keeper.check()
    assert asked == (0 if alone else -(-count // rounds.PAGE))
