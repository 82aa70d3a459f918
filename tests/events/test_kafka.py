"""The producer, against a cluster that is slow, refuses or goes away."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
from confluent_kafka import KafkaError
from structlog.testing import capture_logs

from parlour.events import kafka as kafka_module
from parlour.events.kafka import Kafka
from parlour.events.relay import Outgoing
from tests.servers.kafka import MockKafka

TOPIC = "game-events"


@pytest.fixture
async def sink(kafka: MockKafka) -> AsyncIterator[Kafka]:
    opened = Kafka(kafka.bootstrap_servers, TOPIC)
    yield opened
    await opened.close()


def event(position: int, key: str = "game-1", payload: bytes = b"{}") -> Outgoing:
    return Outgoing(position, key, payload, at=1_700_000_000_123)


@pytest.mark.spec("E44")
async def test_an_event_arrives_with_its_key_time_and_number(sink: Kafka, kafka: MockKafka) -> None:
    receipt = await sink.publish([event(7, payload=b'{"eventType":"game_started"}')])
    assert receipt.done == (7,)
    assert receipt.error is None
    (message,) = kafka.read(TOPIC)
    assert message.key() == b"game-1"
    assert message.value() == b'{"eventType":"game_started"}'
    assert message.timestamp()[1] == 1_700_000_000_123
    assert message.headers() == [("outbox-position", b"7")]


async def test_a_games_events_share_a_partition_and_games_spread(
    sink: Kafka, kafka: MockKafka
) -> None:
    await sink.publish([event(n, key=f"game-{n % 40}") for n in range(200)])
    messages = kafka.read(TOPIC)
    assert len(messages) == 200
    partitions: dict[bytes | None, set[int | None]] = {}
    for message in messages:
        partitions.setdefault(message.key(), set()).add(message.partition())
    assert all(len(of_one_game) == 1 for of_one_game in partitions.values())
    assert len(set().union(*partitions.values())) > 1


async def test_passing_errors_of_a_broker_are_no_ones_business(
    sink: Kafka, kafka: MockKafka
) -> None:
    kafka.refuse_next(KafkaError.NOT_LEADER_FOR_PARTITION, KafkaError.REQUEST_TIMED_OUT)
    receipt = await sink.publish([event(1)])
    assert receipt.done == (1,)
    assert len(kafka.read(TOPIC)) == 1


async def test_what_does_not_arrive_in_time_is_not_done_and_arrives_later(
    kafka: MockKafka, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kafka_module, "DELIVERY_MS", 300)
    sink = Kafka(kafka.bootstrap_servers, TOPIC)
    kafka.down()
    receipt = await sink.publish([event(1)])
    assert receipt.done == ()
    assert receipt.error
    kafka.up()
    async with asyncio.timeout(20):
        while not (await sink.publish([event(1)])).done:
            pass
    (message,) = kafka.read(TOPIC)
    assert message.headers() == [("outbox-position", b"1")]
    await sink.close()


async def test_an_event_that_can_never_be_taken_does_not_hold_up_the_others(
    sink: Kafka, kafka: MockKafka
) -> None:
    with capture_logs() as logs:
        receipt = await sink.publish([event(1, payload=bytes(2_000_000)), event(2, key="game-2")])
    assert sorted(receipt.done) == [1, 2]
    assert receipt.error is None
    assert [entry["event"] for entry in logs] == ["event refused"]
    (message,) = kafka.read(TOPIC)
    assert message.key() == b"game-2"


async def test_waiting_for_kafka_leaves_the_loop_free_and_ends_with_the_server(
    sink: Kafka, kafka: MockKafka
) -> None:
    kafka.down()
    publishing = asyncio.create_task(sink.publish([event(1)]))
    for _ in range(100):
        await asyncio.sleep(0)
    assert not publishing.done()
    async with asyncio.timeout(5):
        await sink.close()
        receipt = await publishing
    assert receipt.done == ()
    assert receipt.error
