"""What is particular to PostgreSQL: deadlocks, lost connections, and a server that restarts."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from typing import Any
from uuid import uuid4

import asyncpg
import pytest

from parlour.store import queries
from parlour.store.api import Store
from parlour.store.change import Change, Impossible, Sighting, StoreError, Unavailable
from parlour.store.postgres import apart
from parlour.store.postgres import store as postgres_store
from parlour.store.postgres.commit import transact
from parlour.store.postgres.connection import Again
from parlour.store.postgres.moves import move as make_moves
from tests.servers.postgres import Postgres
from tests.servers.stores import opened
from tests.store.rows import (
    advance,
    create,
    entry,
    make,
    move,
    pay,
    pot,
    unchanged,
    user,
    versions_of,
    wallet,
)


@pytest.fixture
def engine() -> str:
    return "postgres"


@pytest.fixture
async def console(database: str) -> AsyncIterator[Any]:
    """A connection beside the store's."""
    connection = await asyncpg.connect(database)
    yield connection
    await connection.execute("DROP SCHEMA IF EXISTS trouble CASCADE")
    await connection.close()


@pytest.fixture
def retried(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Why changes had to be made again."""
    reasons: list[str] = []

    async def noted(connection: Any, plan: Any) -> None:
        try:
            await transact(connection, plan)
        except Again as again:
            reasons.append(type(again.__cause__).__name__)
            raise

    monkeypatch.setattr(apart, "transact", noted)
    return reasons


async def backend(console: Any, activity: str) -> int:
    """The process of the server that is doing this for the store."""
    while True:
        await console.execute("SELECT pg_stat_clear_snapshot()")
        found = await console.fetchval(
            """SELECT pid FROM pg_stat_activity WHERE datname = current_database()
            AND application_name = 'parlour' AND state = 'active'
            AND (query LIKE $1 OR wait_event = $1)""",
            activity,
        )
        if found is not None:
            return int(found)


async def trouble(console: Any, body: str) -> None:
    """Whenever a user is stored, at the end of the transaction, run this first."""
    await console.execute(
        f"""CREATE SCHEMA trouble; CREATE SEQUENCE trouble.times;
        CREATE FUNCTION trouble.some() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN {body} RETURN NULL; END $$;
        CREATE CONSTRAINT TRIGGER trouble AFTER INSERT ON "user" DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW EXECUTE FUNCTION trouble.some()"""
    )


async def test_a_deadlock_is_tried_again(store: Store, console: Any, retried: list[str]) -> None:
    await make(store, user("Ann"), user("Bob"), wallet("Ann"), wallet("Bob"))
    await make(store, pay("mint:TNB", "wallet-Ann", 10))

    # Who waits first looks for a deadlock first: the store, not the console.
    await console.execute("SET deadlock_timeout = '1min'")
    async with console.transaction():
        lock = "SELECT FROM account WHERE id = $1 FOR UPDATE"
        await console.execute(lock, "wallet-Bob")
        paying = asyncio.create_task(make(store, pay("wallet-Ann", "wallet-Bob", 4)))
        await backend(console, "transactionid")  # it has Ann's, and waits for Bob's
        await console.execute(lock, "wallet-Ann")  # is granted when the store gives way
    await paying
    assert set(retried) == {"DeadlockDetectedError"}
    balances = dict(await console.fetch("SELECT id, balance FROM account"))
    assert balances == {"mint:TNB": -10, "wallet-Ann": 6, "wallet-Bob": 4}
    assert await console.fetchval("SELECT count(*) FROM ledger_entry") == 4


async def test_a_serialization_failure_is_tried_again(
    store: Store, console: Any, retried: list[str]
) -> None:
    await trouble(
        console,
        """IF nextval('trouble.times') < 4 THEN
            RAISE EXCEPTION USING ERRCODE = 'serialization_failure'; END IF;""",
    )
    await make(store, user("Ann"), user("Bob"))
    assert retried == ["SerializationError"] * 3


async def test_what_never_goes_through_is_given_up(
    store: Store, console: Any, retried: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(apart, "PAUSE_S", 0.0)
    await trouble(console, "RAISE EXCEPTION USING ERRCODE = 'deadlock_detected';")
    async with unchanged(store):
        with pytest.raises(Unavailable):
            await make(store, user("Ann"), user("Bob"))
    assert len(retried) == apart.ATTEMPTS


async def test_errors_of_the_server_do_not_get_out(store: Store, console: Any) -> None:
    await trouble(console, "PERFORM 1 / 0;")
    async with unchanged(store):
        for writes in ((user("Ann"),), (user("Ann"), user("Bob"))):
            with pytest.raises(Impossible) as impossible:
                await make(store, *writes)
            assert "division by zero" in impossible.value.rule
        with pytest.raises(Impossible):
            await make(store, user("A\0nn"))


async def test_a_connection_lost_before_the_commit_is_got_over(
    store: Store, console: Any, retried: list[str]
) -> None:
    await make(store, create())
    async with console.transaction():
        await console.execute("SELECT FROM match FOR UPDATE")
        change = Change((*move(1).writes, Sighting(match_id="match", seat=0, seen_at=1)))
        moving = asyncio.create_task(store.commit(change))
        await console.execute("SELECT pg_terminate_backend($1)", await backend(console, "WITH%"))
    await moving
    assert len(retried) == 1
    assert await versions_of(store, ["match"]) == {"match": 1}


async def test_a_connection_lost_in_the_commit_is_owned_up_to(
    store: Store, console: Any, retried: list[str]
) -> None:
    await trouble(console, "PERFORM pg_sleep(60);")
    for writes in ((user("Ann"),), (user("Ann"), user("Bob"))):
        async with unchanged(store):
            committing = asyncio.create_task(make(store, *writes))
            await console.execute(
                "SELECT pg_terminate_backend($1)", await backend(console, "PgSleep")
            )
            with pytest.raises(Unavailable):
                await committing
    assert retried == []


async def test_who_comes_behind_a_lost_connection_has_another(
    store: Store, console: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres_store, "GROUPS", 1)
    await make(store, create("one"))
    await make(store, create("two"))
    async with console.transaction():
        await console.execute("LOCK TABLE journal IN EXCLUSIVE MODE")
        first = asyncio.create_task(store.commit(move(1, "one")))
        lost = await backend(console, "%wanted%")
        second = asyncio.create_task(store.commit(move(1, "two")))
        await asyncio.sleep(0)
        await console.execute("SELECT pg_terminate_backend($1)", lost)
        with pytest.raises(Unavailable):
            await first
    await second
    assert await versions_of(store, ["one", "two"]) == {"one": 0, "two": 1}


async def test_a_query_survives_a_lost_connection(store: Store, console: Any) -> None:
    await make(store, create())
    await console.execute(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'parlour'"
        " AND datname = current_database()"
    )
    assert await versions_of(store, ["match"]) == {"match": 0}


@pytest.fixture
def own_server() -> Iterator[Postgres]:
    """A server for one test alone, which may stop it."""
    server = Postgres(f"own-{uuid4().hex[:12]}")
    yield server
    server.remove()


async def test_a_restart_of_the_server_loses_and_repeats_nothing(own_server: Postgres) -> None:
    async with opened(own_server.url()) as store:
        await make(store, user("Ann"), wallet("Ann"), pot())
        await make(store, pay("mint:TNB", "wallet-Ann", 1_000_000))
        matches = [f"m{number}" for number in range(12)]
        for match_id in matches:
            await make(store, create(match_id))
        done = dict.fromkeys(matches, 0)
        moved, stop = asyncio.Event(), asyncio.Event()

        async def all_beyond(version: int) -> None:
            while min(done.values()) < version:
                moved.clear()
                await moved.wait()

        async def play(match_id: str) -> None:
            """Like a player who looks what became of a move when the store cannot say."""
            while not stop.is_set():
                version = done[match_id] + 1
                writes = (entry(version, match_id), advance(version, match_id))
                paid = pay("wallet-Ann", "pot", 1, f"{match_id} {version}")
                uncommon = int(match_id[1:]) % 2 == 1
                try:
                    await make(store, *writes, *((paid,) if uncommon else ()))
                except Unavailable:
                    if await version_now(store, match_id) < version:
                        continue
                done[match_id] = version
                moved.set()

        async with asyncio.TaskGroup() as playing:
            for match_id in matches:
                playing.create_task(play(match_id))
            await all_beyond(5)
            await asyncio.to_thread(own_server.stop)
            await asyncio.to_thread(own_server.start)
            await all_beyond(max(done.values()) + 5)
            stop.set()

        assert await versions_of(store, matches) == done
        for match_id in matches:
            entries = await queries.journal(store, match_id)
            assert [each.version for each in entries] == list(range(1, done[match_id] + 1))
        console = await asyncpg.connect(own_server.url())
        spent = sum(done[match_id] for match_id in matches[1::2])
        assert await console.fetchval("SELECT balance FROM account WHERE id = 'pot'") == spent
        await console.close()


async def version_now(store: Store, match_id: str) -> int:
    while True:
        try:
            return (await versions_of(store, [match_id]))[match_id]
        except Unavailable:
            continue


async def test_a_server_that_is_gone_is_unavailable_until_it_is_back(
    own_server: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(apart, "PAUSE_S", 0.001)
    async with opened(own_server.url()) as store:
        await make(store, create())
        await asyncio.to_thread(own_server.stop)
        asked: list[StoreError] = []
        for ask in (store.commit(move(1)), make(store, user("Ann")), queries.leases(store)):
            try:
                await ask
            except StoreError as error:
                asked.append(error)
        assert [type(error) for error in asked] == [Unavailable] * 3
        await asyncio.to_thread(own_server.start)
        await store.commit(move(1))


@pytest.fixture
def sizes(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Of the groups that moves were made in."""
    found: list[int] = []

    async def noted(connection: Any, moves: dict[str, Change]) -> set[str]:
        found.append(len(moves))
        return await make_moves(connection, moves)

    monkeypatch.setattr(postgres_store, "move", noted)
    return found


async def turns(count: int = 10) -> None:
    """The loop goes on meanwhile."""
    for _ in range(count):
        await asyncio.sleep(0)


async def test_a_group_beside_others_is_as_large_as_they_are(
    store: Store, console: Any, sizes: list[int]
) -> None:
    matches = [f"m{number}" for number in range(7)]
    for match_id in matches:
        await make(store, create(match_id))
    moving: list[asyncio.Task[None]] = []
    async with console.transaction():
        await console.execute("LOCK TABLE journal IN EXCLUSIVE MODE")
        for match_id in matches:
            moving.append(asyncio.create_task(store.commit(move(1, match_id))))
            await turns()
    await asyncio.gather(*moving)
    assert sorted(sizes) == [1, 1, 2, 3]
    assert await versions_of(store, matches) == dict.fromkeys(matches, 1)


async def test_who_is_told_of_a_group_may_answer_before_the_next(
    store: Store, console: Any, sizes: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres_store, "GROUPS", 1)
    players, other = ["m0", "m1"], "m2"
    for match_id in (*players, other):
        await make(store, create(match_id))

    async def play(match_id: str) -> None:
        await store.commit(move(1, match_id))
        await asyncio.sleep(0)
        await store.commit(move(2, match_id))

    async with console.transaction():
        await console.execute("LOCK TABLE journal IN EXCLUSIVE MODE")
        playing = [asyncio.create_task(play(match_id)) for match_id in players]
        await backend(console, "%wanted%")
        waiting = asyncio.create_task(store.commit(move(1, other)))
        await turns()
    await asyncio.gather(*playing, waiting)
    assert sizes == [2, 3]
    assert await versions_of(store, [*players, other]) == {"m0": 2, "m1": 2, "m2": 1}


async def test_a_group_that_fails_keeps_nobody_waiting(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    matches = ["m0", "m1", "m2"]
    for match_id in matches:
        await make(store, create(match_id))
    all_wait = asyncio.Event()

    async def failing_once(connection: Any, moves: dict[str, Change]) -> set[str]:
        monkeypatch.setattr(postgres_store, "move", make_moves)
        await all_wait.wait()
        raise RuntimeError("a mistake of our own")

    monkeypatch.setattr(postgres_store, "move", failing_once)
    failing = asyncio.create_task(store.commit(move(1, "m0")))
    await turns()
    monkeypatch.setattr(postgres_store, "GROUPS", 1)
    others = [asyncio.create_task(store.commit(move(1, each))) for each in matches[1:]]
    await turns()
    all_wait.set()
    with pytest.raises(RuntimeError, match="mistake"):
        await failing
    await asyncio.gather(*others)
    assert await versions_of(store, matches[1:]) == {"m1": 1, "m2": 1}
