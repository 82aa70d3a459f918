"""Sightings, connections, leases and what a process leaves behind; the queue; challenges."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from parlour.store import queries
from parlour.store.api import Store
from parlour.store.change import (
    AnswerChallenge,
    Arrive,
    Conflict,
    Depart,
    EndLease,
    HoldLease,
    Impossible,
    Sighting,
    TakeLease,
    Taken,
    TakeTicket,
    TouchTicket,
)
from tests.store.rows import NOW, challenge, create, make, move, ticket, unchanged, user


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
    assert await queries.versions(store, ["match"]) == {"match": 2}


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
    held = {row.connection for row in await queries.lapsed_seats(store, NOW)}
    assert held == {"socket", "s2"}
    assert len(await queries.lapsed_seats(store, NOW, limit=1)) == 1
    assert [row.id for row in await queries.lapsed_tickets(store, NOW)] == ["ticket-Bob"]
    await make(store, HoldLease(process_id="process", until=NOW + 1))
    assert [row.connection for row in await queries.lapsed_seats(store, NOW)] == ["s2"]
    assert sorted(await queries.leases(store)) == [("alive", NOW), ("process", NOW + 1)]
    await make(store, EndLease(process_id="process"), EndLease(process_id="unheard"))
    assert await queries.leases(store) == [("alive", NOW)]
    assert len(await queries.lapsed_seats(store, NOW)) == 2


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
    assert await queries.overdue_challenges(store, NOW + 1) == ["late", "later"]
    assert await queries.overdue_challenges(store, NOW + 1, limit=1) == ["late"]


async def test_nobody_challenges_themselves(store: Store) -> None:
    await make(store, user("Ann"), user("Bob"))
    async with unchanged(store):
        for bad in (challenge(opponent_id="user-Ann"), challenge(stake_amount=-1)):
            with pytest.raises(Impossible):
                await make(store, bad)
