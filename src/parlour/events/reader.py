"""Reads the events back from Kafka, as anybody may who counts them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

import msgspec
import structlog
from confluent_kafka import (
    OFFSET_BEGINNING,
    OFFSET_END,
    Consumer,
    KafkaError,
    Message,
    TopicPartition,
)

from parlour.events.outbox import Event
from parlour.games.api import Millis

log = structlog.get_logger()

ANSWER_SEC = 10.0
"""How long Kafka may take to say what there is."""
PAUSE_SEC = 0.5
"""How often one hears that there is nothing new."""

_DECODER = msgspec.json.Decoder(Event)


def read(
    bootstrap_servers: str, topic: str, since: Millis | None = None
) -> Iterator[tuple[Event, int] | None]:
    """Every event with its number in the outbox, for ever; None whenever all have been read.

    Begins with the first one, or with those that happened at `since` or later.
    """
    consumer = Consumer(
        {
            "bootstrap.servers": bootstrap_servers,
            "client.id": "parlour-analytics",
            "group.id": "parlour-analytics",
            "enable.auto.commit": False,
            "enable.partition.eof": True,
        }
    )
    try:
        places = _places(consumer, topic, since)
        consumer.assign(places)
        ends: set[int | None] = set()
        """Partitions that have been read to their end."""
        while True:
            message = consumer.poll(PAUSE_SEC)
            if message is not None and message.error() is None:
                if (event := _event(message)) is not None:
                    yield event
                continue
            if message is not None and _is_end(message):
                ends.add(message.partition())
            if len(ends) == len(places):
                yield None
    finally:
        consumer.close()


def _places(consumer: Consumer, topic: str, since: Millis | None) -> list[TopicPartition]:
    partitions = consumer.list_topics(topic, timeout=ANSWER_SEC).topics[topic].partitions
    if since is None:
        return [TopicPartition(topic, number, OFFSET_BEGINNING) for number in partitions]
    wanted = [TopicPartition(topic, number, since) for number in partitions]
    found = consumer.offsets_for_times(wanted, timeout=ANSWER_SEC)
    for place in found:
        if place.offset < 0:
            place.offset = OFFSET_END
    return found


def _is_end(message: Message) -> bool:
    """Whether it says that a partition has no more; anything else is a complaint."""
    error = message.error()
    if error is not None and error.code() == KafkaError._PARTITION_EOF:  # noqa: SLF001 (its name)
        return True
    log.warning("analytics cannot read", error=str(error))
    return False


def _event(message: Message) -> tuple[Event, int] | None:
    """None for what is not one of ours; anybody may write to a topic."""
    headers = dict(message.headers() or ())
    try:
        event = _DECODER.decode(message.value() or b"")
        datetime.fromisoformat(event.timestamp)
        return event, int(headers["outbox-position"] or b"")
    except (msgspec.DecodeError, KeyError, ValueError):
        return None
