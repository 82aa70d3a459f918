"""Reads the events back from Kafka, as anybody may who counts them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

import msgspec
import structlog
from confluent_kafka import OFFSET_BEGINNING, OFFSET_END, Consumer, Message, TopicPartition

from parlour.events.outbox import Event
from parlour.games.api import Millis

log = structlog.get_logger()

ANSWER_SEC = 10.0
"""How long Kafka may take to say what there is."""
PAUSE_SEC = 0.5
"""After so long without an event there are none to be had just now."""

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
        }
    )
    try:
        consumer.assign(_places(consumer, topic, since))
        while True:
            message = consumer.poll(PAUSE_SEC)
            if message is None:
                yield None
            elif message.error() is not None:
                log.warning("analytics cannot read", error=str(message.error()))
            elif (event := _event(message)) is not None:
                yield event
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


def _event(message: Message) -> tuple[Event, int] | None:
    """None for what is not one of ours; anybody may write to a topic."""
    headers = dict(message.headers() or ())
    try:
        event = _DECODER.decode(message.value() or b"")
        datetime.fromisoformat(event.timestamp)
        return event, int(headers["outbox-position"] or b"")
    except (msgspec.DecodeError, KeyError, ValueError):
        return None
