"""The bus between processes, on a real server that restarts, overflows and cuts off the slow."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from itertools import pairwise

import pytest
import redis

from parlour.bus import CHECK
from parlour.bus import redis as redis_bus
from parlour.bus.redis import RedisBus
from tests.bus.test_bus import Ear
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


async def subscribed(bus: RedisBus, topic: str) -> Ear:
    """An ear whose subscription is in force."""
    ear = Ear()
    bus.subscribe(topic, ear)
    await ear.told_to_check()
    return ear


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(20):
        while not condition():  # noqa: ASYNC110 -- the server cannot call back
            await asyncio.sleep(0.005)


async def test_two_processes_hear_each_other_once(valkey: Valkey, started: Open) -> None:
    here, there = await started(valkey.url), await started(valkey.url)
    ear_here = await subscribed(here, "match:1")
    ear_there = await subscribed(there, "match:1")
    here.publish("match:1", b"from here")
    there.publish("match:1", b"from there")
    there.publish("match:1", b"the end")
    assert {await ear_here.next() for _ in range(3)} == {b"from here", b"from there", b"the end"}
    assert {await ear_there.next() for _ in range(3)} == {b"from here", b"from there", b"the end"}
    await until(lambda: here._all_sent.is_set() and there._all_sent.is_set())
    assert ear_here.heard.empty()
    assert ear_there.heard.empty()


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


async def test_a_restart_of_the_server_tells_every_subscriber_to_check(
    valkey: Valkey, started: Open
) -> None:
    here, there = await started(valkey.url), await started(valkey.url)
    ears = [await subscribed(there, f"match:{number}") for number in range(20)]
    here.publish("match:0", b"before")
    assert await ears[0].next() == b"before"

    valkey.stop()
    await until(lambda: not there.connected)
    here.publish("match:0", b"while it was away")
    late = Ear()
    there.subscribe("match:late", late)
    valkey.start()

    for ear in [*ears, late]:
        await ear.told_to_check()
    here.publish("match:late", b"after")
    assert await late.next() == b"after"


async def test_hearers_of_the_same_process_need_no_server(valkey: Valkey, started: Open) -> None:
    bus = await started(valkey.url)
    ear = await subscribed(bus, "user:1")
    valkey.stop()
    await until(lambda: not bus.connected)
    bus.publish("user:1", b"hello")
    assert await ear.next() == b"hello"


async def test_a_server_that_comes_late_is_found(valkey: Valkey, started: Open) -> None:
    valkey.stop()
    here, there = await started(valkey.url), await started(valkey.url)
    ear = Ear()
    there.subscribe("match:1", ear)
    valkey.start()
    await ear.told_to_check()
    here.publish("match:1", b"moved")
    assert await ear.next() == b"moved"


async def test_a_flood_beyond_the_queue_keeps_the_newest_and_tells_everyone_to_check(
    valkey: Valkey, started: Open
) -> None:
    here, there = await started(valkey.url), await started(valkey.url)
    flooded = await subscribed(there, "match:1")
    quiet = await subscribed(there, "match:2")
    for number in range(redis_bus.WAITING_MAX + 5_000):
        here.publish("match:1", b"%d" % number)
    assert here.dropped == 5_000
    await quiet.told_to_check()
    heard = [await flooded.next() for _ in range(redis_bus.WAITING_MAX)]
    assert heard == [b"%d" % number for number in range(5_000, redis_bus.WAITING_MAX + 5_000)]


async def test_the_loop_stays_free_while_a_flood_arrives(valkey: Valkey, started: Open) -> None:
    here, there = await started(valkey.url), await started(valkey.url)
    heard = 0
    turns_at: list[int] = []

    def hear(payload: bytes) -> None:
        nonlocal heard
        heard += payload != CHECK

    there.subscribe("match:1", hear)
    await subscribed(there, "match:2")
    for number in range(5_000):
        here.publish("match:1", b"%d" % number)
    async with asyncio.timeout(20):
        while heard < 5_000:
            turns_at.append(heard)
            await asyncio.sleep(0)
    longest = max(later - earlier for earlier, later in pairwise(turns_at))
    assert longest <= redis_bus.TURN


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
    await until(zero._all_sent.is_set)
    sender.publish("match:1", b"from this one")
    assert await ear.next() == b"from this one"


async def test_what_waits_at_the_end_is_still_sent(valkey: Valkey, started: Open) -> None:
    here, there = await started(valkey.url), await started(valkey.url)
    ear = await subscribed(there, "match:1")
    for number in range(1_000):
        here.publish("match:1", b"%d" % number)
    await here.close()
    assert [await ear.next() for _ in range(1_000)][-1] == b"999"


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


def test_a_bad_address_is_an_error_at_once() -> None:
    with pytest.raises(ValueError, match="Redis URL"):
        RedisBus("http://127.0.0.1")
