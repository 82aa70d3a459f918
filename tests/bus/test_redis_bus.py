"""The bus between processes, on a real server that restarts, overflows and cuts off the slow."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable

import pytest
import redis
from structlog.testing import capture_logs

from parlour.bus import redis as redis_bus
from parlour.bus.redis import RedisBus
from tests.bus.ears import Ear, subscribed, until
from tests.servers.valkey import Valkey

Open = Callable[[str], Awaitable[RedisBus]]

ANOTHER = bytes(redis_bus.ORIGIN_BYTES)
"""The origin of a message that another process sent."""


@pytest.fixture
async def started() -> AsyncIterator[Open]:
    opened: list[RedisBus] = []

    async def start(url: str) -> RedisBus:
        bus = RedisBus(url)
        opened.append(bus)
        await bus.start()
        return bus

    yield start
    for bus in opened:
        await bus.close()


async def test_only_what_is_listened_to_is_subscribed_over_one_connection_each_way(
    valkey: Valkey, started: Open
) -> None:
    bus = await started(valkey.url)
    with redis.Redis.from_url(valkey.url) as server:
        leave = [bus.subscribe(f"match:{number}", Ear()) for number in range(600)]
        leave.append(bus.subscribe("match:0", Ear()))
        await until(lambda: len(server.pubsub_channels("parlour:0:match:*")) == 600)
        leave[0]()
        leave[1]()
        await until(lambda: len(server.pubsub_channels("parlour:0:match:*")) == 599)
        assert b"parlour:0:match:1" not in server.pubsub_channels()
        for each in leave:
            each()
        await until(lambda: server.pubsub_channels("parlour:0:match:*") == [])
        names = [client["name"] for client in server.client_list()]
        assert names.count("parlour") == 2


async def test_a_listener_that_was_cut_off_for_being_slow_is_told_to_check(
    valkey: Valkey, started: Open
) -> None:
    slow = await started(valkey.url)
    ear = await subscribed(slow, "match:1")
    with redis.Redis.from_url(valkey.url) as server:
        server.config_set("client-output-buffer-limit", "pubsub 100kb 100kb 1")

        def dawdle(payload: bytes) -> None:
            if payload == b"begin":
                for _ in range(1_000):
                    server.publish("parlour:0:match:1", ANOTHER + bytes(10_000))

        slow.subscribe("match:slow", dawdle)
        slow.publish("match:slow", b"begin")
        await ear.told_to_check()
        server.publish("parlour:0:match:1", ANOTHER + b"later")
        while await ear.next() != b"later":
            pass


async def test_databases_of_one_server_do_not_hear_each_other(
    valkey: Valkey, started: Open
) -> None:
    zero, one = await started(valkey.url), await started(f"{valkey.url}?db=1")
    ear = await subscribed(one, "match:1")
    sender = await started(f"{valkey.url}?db=1")
    zero.publish("match:1", b"from another world")
    await until(zero.backlog.all_sent.is_set)
    sender.publish("match:1", b"from this one")
    assert await ear.next() == b"from this one"


async def test_a_silent_server_counts_as_gone(
    valkey: Valkey, started: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(redis_bus, "SILENCE_SEC", 0.05)
    bus = await started(valkey.url)
    ear = await subscribed(bus, "match:1")
    with redis.Redis.from_url(valkey.url) as server:
        server.client_pause(1_000, all=True)
    await until(lambda: not bus.connected)
    await ear.told_to_check()


async def test_a_quiet_but_living_server_is_kept(
    valkey: Valkey, started: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(redis_bus, "SILENCE_SEC", 0.02)
    bus = await started(valkey.url)
    ear = await subscribed(bus, "match:1")
    with redis.Redis.from_url(valkey.url) as server:
        await until(lambda: server.info("commandstats")["cmdstat_ping"]["calls"] >= 5)
        server.publish("parlour:0:match:1", ANOTHER + b"moved")
    assert await asyncio.wait_for(ear.heard.get(), 20) == b"moved"
    assert bus.connected


async def test_a_listener_is_not_in_a_hurry(valkey: Valkey, started: Open) -> None:
    bus = await started(f"{valkey.url}?socket_timeout=0.05")
    ear = await subscribed(bus, "match:1")
    with redis.Redis.from_url(valkey.url) as server:
        before = server.info("stats")["total_connections_received"]
        await asyncio.sleep(0.3)
        assert server.info("stats")["total_connections_received"] == before
        server.publish("parlour:0:match:1", ANOTHER + b"moved")
    assert await ear.next() == b"moved"


async def test_who_may_not_listen_says_so_and_tries_again(valkey: Valkey, started: Open) -> None:
    with redis.Redis.from_url(valkey.url) as server, capture_logs() as logs:
        server.execute_command("ACL", "SETUSER", "deaf", "on", ">word", "~*", "&*", "+@all")
        server.execute_command("ACL", "SETUSER", "deaf", "-subscribe")
        bus = await started(f"{valkey.url}?username=deaf&password=word")
        await until(lambda: len(logs) > 1)
        assert not bus.connected
        server.execute_command("ACL", "SETUSER", "deaf", "+subscribe")
        ear = await subscribed(bus, "match:1")
        server.publish("parlour:0:match:1", ANOTHER + b"moved")
    assert await ear.next() == b"moved"
    assert {log["event"] for log in logs} == {"bus disconnected"}
    assert "subscribe" in logs[0]["error"]


async def test_what_is_not_answered_in_time_is_sent_again(valkey: Valkey, started: Open) -> None:
    sender, hearer = await started(f"{valkey.url}?socket_timeout=0.05"), await started(valkey.url)
    ear = await subscribed(hearer, "match:1")
    with redis.Redis.from_url(valkey.url) as server, capture_logs() as logs:
        server.client_pause(500, all=True)
        sender.publish("match:1", b"moved")
        await until(lambda: len(logs) > 0)
    assert await ear.next() == b"moved"
    assert {log["event"] for log in logs} == {"bus disconnected"}


async def test_what_may_not_be_sent_is_sent_when_it_may(valkey: Valkey, started: Open) -> None:
    ear = await subscribed(await started(valkey.url), "match:1")
    with redis.Redis.from_url(valkey.url) as server, capture_logs() as logs:
        server.execute_command("ACL", "SETUSER", "mute", "on", ">word", "~*", "&*", "+@all")
        server.execute_command("ACL", "SETUSER", "mute", "-eval")
        sender = await started(f"{valkey.url}?username=mute&password=word")
        sender.publish("match:1", b"moved")
        await until(lambda: len(logs) > 1)
        server.execute_command("ACL", "SETUSER", "mute", "+eval")
        assert await ear.next() == b"moved"
    assert {log["event"] for log in logs} == {"bus disconnected"}
    assert "eval" in logs[0]["error"]


async def test_it_closes_though_a_cancellation_was_forgotten(valkey: Valkey, started: Open) -> None:
    async def forgetful() -> None:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            await asyncio.Event().wait()

    bus = await started(valkey.url)
    bus._tasks.append(asyncio.create_task(forgetful()))
    await asyncio.sleep(0)
    async with asyncio.timeout(10):
        await bus.close()


def test_a_bad_address_is_an_error_at_once() -> None:
    with pytest.raises(ValueError, match="Redis URL"):
        RedisBus("http://127.0.0.1")
