"""Sightings, connections, leases and what a process leaves behind; the queue; challenges."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from parlour.games.api import SEATS
from parlour.store import queries
from parlour.store.api import Store
from parlour.store.change import (
    AnswerChallenge,
    Arrive,
    CloseSeat,
    Conflict,
    Depart,
    EndLease,
    ForgetLease,
    FreeSeats,
    HoldLease,
    Impossible,
    QueueUp,
    Sighting,
    TakeLease,
    Taken,
    TakeTicket,
    TouchTicket,
)
from tests.store.rows import NOW, challenge, create, make, move, seat, ticket, unchanged, user


def arrive(connection: str = "socket", seat: int = 0, seen_at: int = NOW) -> Arrive:
    fields = {"match_id": "match", "seat": seat, "seen_at": seen_at, "process_id": "process"}
    return Arrive(connection=connection, **fields)  # type: ignore[arg-type]


def depart(connection: str = "socket", seen_at: int = NOW) -> Depart:
    return Depart(match_id="match", seat=0, seen_at=seen_at, connection=connection)


def here(
    seen_at: int, connection: str | None = None, left_at: int | None = None
) -> queries.PresenceRow:
    return queries.PresenceRow(
        match_id="match",
        seat=0,
        seen_at=seen_at,
        connection=connection,
        process_id="process" if connection else None,
        left_at=left_at,
    )


async def test_a_sighting_never_moves_back(store: Store) -> None:
    await make(store, create())
    for seen_at, expected in ((NOW, NOW), (NOW + 5, NOW + 5), (NOW + 2, NOW + 5)):
        await make(store, Sighting(match_id="match", seat=0, seen_at=seen_at))
        assert await queries.presence(store, "match") == [here(expected)]


async def test_a_connection_holds_its_seat_until_it_leaves(store: Store) -> None:
    await make(store, create())
    await make(store, arrive())
    await make(store, Sighting(match_id="match", seat=0, seen_at=NOW + 1))
    assert await queries.presence(store, "match") == [here(NOW + 1, "socket")]
    await make(store, depart(seen_at=NOW + 2))
    assert await queries.presence(store, "match") == [here(NOW + 2, left_at=NOW + 2)]
    await make(store, arrive("another", seen_at=NOW + 3))
    assert await queries.presence(store, "match") == [here(NOW + 3, "another")]


async def test_a_late_close_of_a_replaced_connection_changes_nothing(store: Store) -> None:
    await make(store, create())
    await make(store, arrive("old"))
    await make(store, arrive("new", seen_at=NOW - 5))
    assert await queries.presence(store, "match") == [here(NOW, "new")]
    async with unchanged(store):
        with pytest.raises(Conflict):
            await make(store, depart("old", NOW + 9))
    found = await queries.match_by_id(store, "match")
    assert found is not None
    assert found.presence == (here(NOW, "new"),)


async def test_presence_is_never_in_conflict_with_moves(store: Store) -> None:
    await make(store, create())
    await make(store, arrive())
    await store.commit(move(1))
    await make(store, depart())
    await store.commit(move(2))
    assert await queries.version(store, "match") == 2


async def test_nobody_is_at_a_match_that_is_none(store: Store) -> None:
    async with unchanged(store):
        with pytest.raises(Impossible):
            await make(store, arrive())


async def test_what_a_dead_process_holds_is_found(store: Store) -> None:
    await make(store, create(), create("second"), user("Ann"), user("Bob"), user("Cid"))
    await make(store, arrive(), replace(arrive(seat=1), process_id="alive", connection="s1"))
    await make(store, replace(arrive("s2"), match_id="second", process_id="unheard"))
    await make(store, Sighting(match_id="second", seat=1, seen_at=NOW))
    await make(store, ticket("Ann"), ticket("Bob", connection="s3", process_id="process"))
    await make(store, ticket("Cid", connection="s4", process_id="alive"))
    await make(
        store,
        HoldLease(process_id="process", until=NOW - 1),
        HoldLease(process_id="alive", until=NOW),
    )
    assert await queries.holders(store) == ["alive", "process", "unheard"]
    held = await queries.held_seats(store, "process")
    assert [row.connection for row in held] == ["socket"]
    assert [row.id for row in await queries.held_tickets(store, "process")] == ["ticket-Bob"]
    await make(store, HoldLease(process_id="process", until=NOW + 1))
    assert sorted(await queries.leases(store)) == [("alive", NOW), ("process", NOW + 1)]
    await make(store, EndLease(process_id="process"), EndLease(process_id="unheard"))
    assert await queries.leases(store) == [("alive", NOW)]
    assert await queries.holders(store) == ["alive", "process", "unheard"]


async def test_a_lease_that_was_renewed_is_not_forgotten(store: Store) -> None:
    await make(store, HoldLease(process_id="process", until=NOW))
    await make(store, HoldLease(process_id="process", until=NOW + 5))
    async with unchanged(store):
        await make(store, ForgetLease(process_id="process", until=NOW))
    await make(store, ForgetLease(process_id="process", until=NOW + 5))
    assert await queries.leases(store) == []


async def test_what_a_process_holds_is_read_in_portions(store: Store) -> None:
    names = [f"m{number:02}" for number in range(7)]
    await make(store, *map(create, names), *map(user, names))
    for name in names:
        await make(
            store,
            *(replace(arrive(f"s{seat}", seat), match_id=name) for seat in SEATS),
            ticket(name, id=name, connection="s", process_id="process"),
        )
    await make(store, replace(arrive("other"), match_id="m03", process_id="another"))
    seats: list[queries.PresenceRow] = []
    while rows := await queries.held_seats(store, "process", seats[-1] if seats else None, 3):
        seats += rows
    held = [(name, seat) for name in names for seat in SEATS if (name, seat) != ("m03", 0)]
    assert [(row.match_id, row.seat) for row in seats] == held
    first = await queries.held_tickets(store, "process", limit=5)
    rest = await queries.held_tickets(store, "process", first[-1], limit=5)
    assert [row.id for row in (*first, *rest)] == names
    assert await queries.existing_tickets(store, ["m00", "m06", "m99"]) == {"m00", "m06"}


async def test_what_is_overdue_is_read_in_portions_even_where_times_are_alike(store: Store) -> None:
    times = {"b": 5, "a": 5, "c": 4, "d": 6, "e": 5}
    await make(store, user("Ann"), user("Bob"))
    for name, at in times.items():
        await make(store, user(name), create(name, deadline_at=at))
        await make(store, ticket(name, id=name, deadline_at=at))
        await make(store, replace(challenge(), id=name, expires_at=at))
    ordered = [queries.Overdue(name, times[name]) for name in ("c", "a", "b", "e")]
    for overdue in (queries.overdue_matches, queries.overdue_challenges):
        first = await overdue(store, 5, None, 2)
        assert [*first, *await overdue(store, 5, first[-1], 9)] == ordered
    waiting = await queries.overdue_tickets(store, 5, None, 2)
    waiting += await queries.overdue_tickets(store, 5, waiting[-1], 9)
    assert [each.id for each in waiting] == [each.id for each in ordered]


async def test_a_match_that_is_let_go_is_held_by_nobody(store: Store) -> None:
    await make(store, create(), create("other"))
    await make(store, arrive(), replace(arrive("elsewhere"), match_id="other"))
    await make(store, Sighting(match_id="match", seat=1, seen_at=NOW - 3))
    await make(store, FreeSeats(match_id="match", at=NOW + 2))
    seat = queries.PresenceRow(match_id="match", seat=1, seen_at=NOW - 3)
    assert await queries.presence(store, "match") == [here(NOW, left_at=NOW + 2), seat]
    standings = await queries.standings(store, ["match", "other", "none"])
    assert {name: sorted(each.seats) for name, each in standings.items()} == {
        "match": [(0, None, NOW), (1, None, NOW - 3)],
        "other": [(0, "elsewhere", NOW)],
    }


async def test_a_lease_is_taken_over_by_one(store: Store) -> None:
    await make(store, TakeLease(process_id="relay", until=NOW, seen_until=None))
    async with unchanged(store):
        for seen in (None, NOW - 1):
            with pytest.raises(Conflict):
                await make(store, TakeLease(process_id="relay", until=NOW + 9, seen_until=seen))
    await make(store, TakeLease(process_id="relay", until=NOW + 9, seen_until=NOW))
    assert await queries.leases(store) == [("relay", NOW + 9)]


async def test_a_user_waits_once_for_a_game(store: Store) -> None:
    await make(store, user("Ann"))
    await make(store, ticket("Ann", deadline_at=NOW + 5))
    async with unchanged(store):
        for again in (ticket("Ann", id="second"), ticket("Ann", game="memory")):
            with pytest.raises(Taken) as taken:
                await make(store, again)
            assert taken.value.what == "ticket"
    await make(store, ticket("Ann", id="second", game="memory"))
    assert await queries.ticket_of(store, "user-Ann", "connect4") == ticket(
        "Ann", deadline_at=NOW + 5
    )
    assert await queries.ticket_of(store, "user-Ann", "quarto") is None


async def test_who_sits_at_an_open_game_does_not_queue_up_for_another(store: Store) -> None:
    seated = seat(0, "Ann", user_id="user-Ann", sole=True)
    await make(store, user("Ann"), create("match", seated))
    async with unchanged(store):
        with pytest.raises(Conflict):
            await make(store, QueueUp(ticket=ticket("Ann")))
    await make(store, QueueUp(ticket=ticket("Ann", game="memory")))
    await make(store, CloseSeat(match_id="match", seat=0, ending="connected"))
    await make(store, QueueUp(ticket=ticket("Ann", id="second")))
    assert await queries.ticket_of(store, "user-Ann", "connect4") == ticket("Ann", id="second")
    async with unchanged(store):
        with pytest.raises(Taken):
            await make(store, QueueUp(ticket=ticket("Ann", id="third")))


async def test_tickets_are_found_oldest_first_and_when_overdue(store: Store) -> None:
    for number, name in enumerate(("Cid", "Bob", "Ann")):
        await make(store, user(name))
        await make(store, ticket(name, joined_at=NOW + number, deadline_at=NOW - number))
    waiting = await queries.tickets(store, "connect4", 10)
    assert [each.name for each in waiting] == ["Cid", "Bob", "Ann"]
    assert [each.name for each in await queries.tickets(store, "connect4", 1)] == ["Cid"]
    assert await queries.tickets(store, "memory", 10) == []
    overdue = await queries.overdue_tickets(store, NOW - 1)
    assert [each.name for each in overdue] == ["Ann", "Bob"]


async def test_a_ticket_is_taken_once(store: Store) -> None:
    await make(store, user("Ann"))
    await make(store, ticket("Ann"))
    await make(store, TouchTicket(id="ticket-Ann", seen_at=NOW + 2, deadline_at=NOW + 9))
    await make(store, TouchTicket(id="ticket-Ann", seen_at=NOW + 1, deadline_at=NOW + 8))
    touched = await queries.ticket_of(store, "user-Ann", "connect4")
    assert touched == ticket("Ann", seen_at=NOW + 2, deadline_at=NOW + 9)
    await make(store, TakeTicket(id="ticket-Ann"))
    async with unchanged(store):
        with pytest.raises(Conflict):
            await make(store, TakeTicket(id="ticket-Ann"))
        await make(store, TouchTicket(id="ticket-Ann", seen_at=NOW + 3, deadline_at=None))


@pytest.mark.spec("C21", "C45")
async def test_a_challenge_is_answered_once(store: Store) -> None:
    await make(store, user("Ann"), user("Bob"))
    await make(store, challenge())
    accepted = AnswerChallenge(
        id="challenge", status="accepted", accepted_at=NOW, match_id="match", modified_at=NOW
    )
    await make(store, accepted, create())
    assert await queries.challenge(store, "challenge") == challenge(
        status="accepted", accepted_at=NOW, match_id="match"
    )
    async with unchanged(store):
        with pytest.raises(Conflict):
            await make(store, replace(accepted, status="cancelled"))
    assert await queries.challenge(store, "none") is None


@pytest.mark.spec("C20")
async def test_pending_challenges_are_found_when_they_expire(store: Store) -> None:
    await make(store, user("Ann"), user("Bob"))
    await make(store, challenge("late", expires_at=NOW), challenge("later", expires_at=NOW + 1))
    await make(store, challenge("gone", expires_at=NOW, status="cancelled"))
    assert await queries.overdue_challenges(store, NOW - 1) == []
    assert await queries.overdue_challenges(store, NOW + 1) == [
        queries.Overdue("late", NOW),
        queries.Overdue("later", NOW + 1),
    ]
    assert await queries.overdue_challenges(store, NOW + 1, limit=1) == [
        queries.Overdue("late", NOW)
    ]


async def test_nobody_challenges_themselves(store: Store) -> None:
    await make(store, user("Ann"), user("Bob"))
    async with unchanged(store):
        for bad in (challenge(opponent_id="user-Ann"), challenge(terms=None)):
            with pytest.raises(Impossible):
                await make(store, bad)
