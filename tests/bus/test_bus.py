"""What every bus promises, on each of them."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from structlog.testing import capture_logs

from parlour.bus import CHECK, Bus, open_bus
from tests.bus.ears import Ear


@pytest.fixture(params=["local", "redis", "postgres"])
async def bus(request: pytest.FixtureRequest) -> AsyncIterator[Bus]:
    redis, database = None, "sqlite://"
    if request.param == "redis":
        redis = request.getfixturevalue("redis_url")
    elif request.param == "postgres":
        database = request.getfixturevalue("postgres_server").url()
    opened = open_bus(redis, database)
    await opened.start()
    yield opened
    await opened.close()


async def test_everyone_who_listens_hears_in_order_and_not_before_the_next_turn(bus: Bus) -> None:
    first, second = Ear(), Ear()
    bus.subscribe("match:1", first)
    bus.subscribe("match:1", second)
    for number in range(5):
        bus.publish("match:1", b"%d" % number)
    assert first.heard.empty()
    for ear in (first, second):
        assert [await ear.next() for _ in range(5)] == [b"0", b"1", b"2", b"3", b"4"]


async def test_topics_are_apart_and_whoever_left_hears_nothing(bus: Bus) -> None:
    staying, leaving, elsewhere = Ear(), Ear(), Ear()
    bus.subscribe("match:1", staying)
    leave = bus.subscribe("match:1", leaving)
    bus.subscribe("match:2", elsewhere)
    leave()
    leave()
    bus.publish("match:1", b"moved")
    bus.publish("match:2", b"other")
    assert await staying.next() == b"moved"
    assert await elsewhere.next() == b"other"
    assert leaving.heard.empty()


async def test_whoever_comes_back_to_a_topic_hears_again(bus: Bus) -> None:
    leave = bus.subscribe("match:1", Ear())
    leave()
    again = Ear()
    bus.subscribe("match:1", again)
    leave()  # leaving twice takes nothing from the one who came later
    bus.publish("match:1", b"moved")
    assert await again.next() == b"moved"


async def test_one_hearers_failure_is_logged_and_does_not_silence_the_others(bus: Bus) -> None:
    def fail(payload: bytes) -> None:
        if payload != CHECK:
            raise RuntimeError("boom")

    well = Ear()
    bus.subscribe("match:1", fail)
    bus.subscribe("match:1", well)
    with capture_logs() as logs:
        bus.publish("match:1", b"moved")
        assert await well.next() == b"moved"
    assert [(entry["event"], entry["topic"]) for entry in logs] == [
        ("bus hearer failed", "match:1")
    ]


async def test_publishing_to_nobody_and_after_the_end_does_no_harm(bus: Bus) -> None:
    bus.publish("match:nobody", b"moved")
    await bus.close()
    bus.publish("match:1", b"late")


def test_only_beside_a_file_of_its_own_is_a_process_alone(redis_url: str) -> None:
    assert open_bus(None, "sqlite://").alone
    assert open_bus(None, "sqlite:///parlour.db").alone
    assert not open_bus(None, "postgresql://db/parlour").alone
    for database in ("sqlite:///parlour.db", "postgresql://db/parlour"):
        assert not open_bus(redis_url, database).alone
