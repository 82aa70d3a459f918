"""The bus over a PostgreSQL that processes share anyway: what is peculiar to it."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any
from uuid import uuid4

import asyncpg
import pytest

from parlour.bus import postgres as postgres_bus
from parlour.bus.postgres import PostgresBus
from tests.bus.conftest import acquainted, knows_of_others
from tests.bus.ears import subscribed, until
from tests.servers.postgres import Postgres

Open = Callable[[], Awaitable[PostgresBus]]


@pytest.fixture
async def database(postgres_server: Postgres) -> AsyncIterator[str]:
    """A database in which nobody else listens."""
    name = f"bus_{uuid4().hex[:12]}"
    server = await asyncpg.connect(postgres_server.url())
    await server.execute(f"CREATE DATABASE {name}")
    yield postgres_server.url(name)
    await server.execute(f"DROP DATABASE {name} WITH (FORCE)")
    await server.close()


@pytest.fixture
async def started(database: str) -> AsyncIterator[Open]:
    opened: list[PostgresBus] = []

    async def start() -> PostgresBus:
        bus = PostgresBus(database)
        opened.append(bus)
        await bus.start()
        return bus

    yield start
    for bus in opened:
        await bus.close()


@pytest.fixture
async def console(database: str) -> AsyncIterator[Any]:
    """Somebody at the database itself."""
    connection = await asyncpg.connect(database)
    yield connection
    await connection.close()


async def sessions(console: Any) -> list[int]:
    rows = await console.fetch(
        "SELECT pid FROM pg_stat_activity"
        " WHERE application_name = 'parlour-bus' AND datname = current_database()"
    )
    return [row["pid"] for row in rows]


async def notes(database: str) -> tuple[Any, list[str]]:
    """All that is sent, as it comes."""
    heard: list[str] = []
    eavesdropper = await asyncpg.connect(database)
    await eavesdropper.add_listener(postgres_bus.CHANNEL, lambda *said: heard.append(said[-1]))
    return eavesdropper, heard


async def test_what_is_too_long_for_a_note_says_to_look(started: Open) -> None:
    here, there = await acquainted(started)
    ear = await subscribed(there, "match:1")
    here.publish("match:1", bytes(range(256)) * 20)
    assert await ear.next() == bytes(range(256)) * 20
    here.publish("match:1", bytes(8_000))
    await ear.told_to_check()
    here.publish("match:1", b"short")
    assert await ear.next() == b"short"


async def test_a_topic_too_long_for_a_note_silences_nobody(started: Open) -> None:
    here, there = await acquainted(started)
    ear = await subscribed(there, "match:1")
    here.publish("m" * 10_000, b"moved")
    here.publish("match:1", b"moved")
    assert await ear.next() == b"moved"


async def test_messages_that_wait_together_share_notes_and_one_connection(
    started: Open, database: str, console: Any
) -> None:
    here, there = await acquainted(started)
    ears = [await subscribed(there, f"match:{number}") for number in range(1_000)]
    eavesdropper, heard = await notes(database)
    for number in range(1_000):
        here.publish(f"match:{number}", b"a step of about so many bytes")
    for ear in ears:
        assert await ear.next() == b"a step of about so many bytes"
    assert len(heard) < 20
    assert len(await sessions(console)) == 2
    await eavesdropper.close()


async def test_what_nobody_understands_makes_everyone_check(started: Open, console: Any) -> None:
    bus = await started()
    ear = await subscribed(bus, "match:1")
    for note in ("", "=", "no note of ours ¡", "AAAA", "kg=="):
        await console.execute("SELECT pg_notify($1, $2)", postgres_bus.CHANNEL, note)
        await ear.told_to_check()
    assert bus.connected


async def test_databases_of_one_server_do_not_hear_each_other(
    started: Open, postgres_server: Postgres
) -> None:
    elsewhere = [PostgresBus(postgres_server.url()) for _ in range(2)]
    for bus in elsewhere:
        await bus.start()
    try:
        for bus in elsewhere:
            await knows_of_others(bus)
        here, there = await acquainted(started)
        ear = await subscribed(there, "match:1")
        heard_elsewhere = await subscribed(elsewhere[1], "match:1")
        elsewhere[0].publish("match:1", b"from another world")
        assert await heard_elsewhere.next() == b"from another world"
        here.publish("match:1", b"from this one")
        assert await ear.next() == b"from this one"
    finally:
        for bus in elsewhere:
            await bus.close()


async def test_a_silent_server_counts_as_gone(
    started: Open, console: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres_bus, "SILENCE_SEC", 0.3)
    monkeypatch.setattr(postgres_bus, "PARTING_SEC", 0.1)
    bus = await started()
    ear = await subscribed(bus, "match:1")
    (session,) = await sessions(console)
    os.kill(session, signal.SIGSTOP)
    try:
        await until(lambda: not bus.connected)
        await ear.told_to_check()
        await until(lambda: bus.connected)
    finally:
        os.kill(session, signal.SIGCONT)


async def test_a_connection_that_is_ended_is_made_again(started: Open, console: Any) -> None:
    bus = await started()
    ear = await subscribed(bus, "match:1")
    for session in await sessions(console):
        await console.execute("SELECT pg_terminate_backend($1)", session)
    await ear.told_to_check()
    assert bus.connected


async def test_too_much_to_tell_becomes_the_word_to_check(
    started: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, there = await started(), await started()
    ear = await subscribed(there, "match:1")
    monkeypatch.setattr(postgres_bus, "NOTES_KEPT", 0)
    here.publish("match:1", b"moved")
    await ear.told_to_check()
    assert ear.heard.empty()


# --- while nobody else listens ----------------------------------------------------------------


async def test_a_process_by_itself_sends_nothing(started: Open, database: str) -> None:
    bus = await started()
    eavesdropper, heard = await notes(database)
    ear = await subscribed(bus, "match:1")
    bus.publish("match:1", b"moved")
    assert await ear.next() == b"moved"
    assert bus.backlog.all_sent.is_set()
    await eavesdropper.fetchval("SELECT 1")
    assert heard == []
    await eavesdropper.close()


async def test_from_a_newcomers_hello_on_everything_is_sent(started: Open) -> None:
    first = await started()
    assert not first.listened_to
    second = await started()
    assert second.listened_to
    ear = await subscribed(second, "match:1")
    await until(lambda: first.listened_to)
    first.publish("match:1", b"moved")
    assert await ear.next() == b"moved"


async def test_what_was_not_sent_before_the_hello_was_heard_is_made_up_for(
    database: str, started: Open
) -> None:
    hellos: list[tuple[Any, ...]] = []

    class SlowBus(PostgresBus):
        """Hears only when it is told to, as a process does that has much else to do."""

        def _hear(self, *said: Any) -> None:
            link, sender, *_ = said
            if sender != link.get_server_pid():
                hellos.append(said)

    slow = SlowBus(database)
    await slow.start()
    second = await started()
    ear = await subscribed(second, "match:1")
    await until(lambda: bool(hellos))
    assert not slow.listened_to
    slow.publish("match:1", b"not sent")
    ear.forget()
    for said in hellos:
        PostgresBus._hear(slow, *said)
    await ear.told_to_check()
    await slow.close()


async def test_who_is_left_behind_stops_sending(
    started: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres_bus, "SILENCE_SEC", 0.05)
    first, second = await started(), await started()
    await until(lambda: first.listened_to and second.listened_to)
    await second.close()
    await until(lambda: not first.listened_to)
    third = await started()
    ear = await subscribed(third, "match:1")
    await until(lambda: first.listened_to)
    first.publish("match:1", b"moved")
    assert await ear.next() == b"moved"


async def test_who_lost_its_connection_sends_to_be_safe(started: Open, console: Any) -> None:
    bus = await started()
    ear = await subscribed(bus, "match:1")
    assert not bus.listened_to
    (session,) = await sessions(console)
    await console.execute("SELECT pg_terminate_backend($1)", session)
    await until(lambda: not bus.connected)
    assert bus.listened_to
    bus.publish("match:1", b"kept")
    assert not bus.backlog.all_sent.is_set()
    await ear.told_to_check()
    await until(bus.backlog.all_sent.is_set)


async def test_many_who_begin_at_once_all_hear_each_other(started: Open) -> None:
    buses = await asyncio.gather(*(started() for _ in range(6)))
    ears = [await subscribed(bus, "match:1") for bus in buses]
    await until(lambda: all(bus.listened_to for bus in buses))
    for number, bus in enumerate(buses):
        bus.publish("match:1", b"%d" % number)
    for ear in ears:
        assert {await ear.next() for _ in buses} == {b"%d" % each for each in range(6)}
