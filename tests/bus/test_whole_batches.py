"""Processes at a Redis say to each other all at once, and nobody else is left out by that."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator

import pytest
import redis

from parlour.bus import others
from parlour.bus import redis as redis_bus
from parlour.bus.redis import RedisBus
from tests.bus.ears import Ear, subscribed, until
from tests.servers.valkey import Valkey

Start = Callable[..., Awaitable[RedisBus]]

MANY = 200


@pytest.fixture
async def start(valkey: Valkey) -> AsyncIterator[Start]:
    """Starts the bus of one more process."""
    opened: list[RedisBus] = []

    async def start(who: str = "") -> RedisBus:
        bus = RedisBus(f"{valkey.url}{who}")
        opened.append(bus)
        await bus.start()
        return bus

    yield start
    for bus in opened:
        await bus.close()


@pytest.fixture
def server(valkey: Valkey) -> Iterator[redis.Redis]:
    with redis.Redis.from_url(valkey.url) as console:
        console.config_resetstat()
        yield console


class Elder:
    """A process of before there were inboxes: all it knows are topics."""

    def __init__(self, server: redis.Redis) -> None:
        self._link = server.pubsub(ignore_subscribe_messages=True)  # type: ignore[no-untyped-call]  # so in redis-py
        self._link.subscribe("parlour:0:lost", "parlour:0:match:0")
        self._link.get_message(timeout=20)
        self._link.get_message(timeout=20)

    def next(self) -> bytes:
        """What it hears, without whose it is."""
        while (heard := self._link.get_message(timeout=20)) is None:
            pass
        payload: bytes = heard["data"][redis_bus.ORIGIN_BYTES :]
        return payload

    def leave(self) -> None:
        self._link.close()


async def acquainted(*buses: RedisBus) -> None:
    """They have heard of each other."""
    await until(lambda: all(bus.others.known == len(buses) - 1 for bus in buses))


async def sent(bus: RedisBus, server: redis.Redis) -> int:
    """How many messages Redis was given for a step of each of many matches."""
    before = published(server)
    for number in range(MANY):
        bus.publish_elsewhere(f"match:{number}", b"%d" % number)
    await until(bus.backlog.all_sent.is_set)
    return published(server) - before


def published(server: redis.Redis) -> int:
    calls: int = server.info("commandstats").get("cmdstat_publish", {"calls": 0})["calls"]
    return calls


async def hears_all(ears: list[Ear]) -> bool:
    """Each of many matches once, and nothing else."""
    heard = [await ear.next() for ear in ears]
    return heard == [b"%d" % n for n in range(MANY)] and not any(ear.has_more for ear in ears)


async def at_all(bus: RedisBus) -> list[Ear]:
    return [await subscribed(bus, f"match:{number}") for number in range(MANY)]


async def test_what_waits_goes_to_each_other_process_as_one_message(
    start: Start, server: redis.Redis
) -> None:
    here, there, third = await start(), await start(), await start()
    await acquainted(here, there, third)
    ears = [await at_all(bus) for bus in (here, there, third)]
    assert await sent(here, server) == 2
    assert await hears_all(ears[1])
    assert await hears_all(ears[2])
    assert not any(ear.has_more for ear in ears[0])


async def test_who_is_alone_sends_nothing(server: redis.Redis, start: Start) -> None:
    bus = await start()
    await until(lambda: published(server) > 0)
    assert await sent(bus, server) == 0


async def test_one_who_knows_nothing_of_inboxes_hears_every_step_of_its_topics(
    start: Start, server: redis.Redis
) -> None:
    here, there = await start(), await start()
    await acquainted(here, there)
    ears = await at_all(there)
    elder = Elder(server)
    assert await sent(here, server) == MANY
    assert elder.next() == b"0"
    assert await hears_all(ears)
    server.publish("parlour:0:match:0", bytes(redis_bus.ORIGIN_BYTES) + b"from the elder")
    assert await ears[0].next() == b"from the elder"
    elder.leave()


async def test_when_the_count_is_right_again_so_is_the_way(
    start: Start, server: redis.Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(redis_bus, "SILENCE_SEC", 0.05)
    here, there, gone = await start(), await start(), await start()
    ears = await at_all(there)
    elder = Elder(server)
    assert await sent(here, server) >= MANY  # and what they ask each other
    assert await hears_all(ears)
    elder.leave()
    await gone.close()
    while await sent(here, server) >= MANY:
        assert await hears_all(ears)
    assert await hears_all(ears)


async def test_so_many_that_most_is_not_theirs_hear_by_topics(
    start: Start, server: redis.Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(others, "FEW", 1)
    buses = [await start() for _ in range(3)]
    await acquainted(*buses)
    ears = [await at_all(bus) for bus in buses]
    assert await sent(buses[0], server) == MANY
    assert await hears_all(ears[1])
    assert await hears_all(ears[2])


async def test_steps_of_one_match_keep_their_order_whichever_way_they_go(
    start: Start, server: redis.Redis
) -> None:
    here, there = await start(), await start()
    await acquainted(here, there)
    ear = await subscribed(there, "match:0")
    for number in range(MANY):
        if number == MANY // 2:
            Elder(server)
        here.publish_elsewhere("match:0", b"%d" % number)
        await until(here.backlog.all_sent.is_set)
    assert [await ear.next() for _ in range(MANY)] == [b"%d" % n for n in range(MANY)]


async def test_who_cannot_be_understood_may_have_said_anything(
    start: Start, server: redis.Redis
) -> None:
    bus = await start()
    ears = [await subscribed(bus, f"match:{number}") for number in range(3)]
    (inbox,) = server.pubsub_channels("parlour:0:to:*")
    server.publish(inbox, b"\xc1 is no word of ours")
    for ear in ears:
        await ear.told_to_check()
    assert bus.connected


async def test_a_server_that_does_not_let_itself_be_counted_is_used_by_topics(
    start: Start, server: redis.Redis
) -> None:
    server.acl_setuser(
        "blind", True, passwords="+word", keys="*", channels="*", commands=["+@all", "-pubsub"]
    )
    here, there = await start("?username=blind&password=word"), await start()
    ears = await at_all(there)
    assert await sent(here, server) == MANY
    assert await hears_all(ears)
