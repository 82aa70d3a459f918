"""The producer: hands events to Kafka and says which of them have arrived."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import structlog
from confluent_kafka import KafkaError, KafkaException, Message, Producer

from parlour.events.relay import DELIVERY_MS, Outgoing, Receipt

log = structlog.get_logger()

LOOK_UP_SEC = 0.2
"""How soon a producer that waits for Kafka notices that it should stop."""

HOPELESS = frozenset(
    {
        KafkaError.MSG_SIZE_TOO_LARGE,
        KafkaError.INVALID_MSG,
        KafkaError.INVALID_MSG_SIZE,
        KafkaError.INVALID_RECORD,
    }
)
"""Refusals of the event itself: sending it again would hold up all others for ever."""


class Kafka:
    """An idempotent producer. Its waiting happens in a thread of its own."""

    def __init__(self, bootstrap_servers: str, topic: str) -> None:
        self.topic = topic
        self._config = {
            "bootstrap.servers": bootstrap_servers,
            "client.id": "parlour",
            "enable.idempotence": True,
            "message.timeout.ms": DELIVERY_MS,
            # The way every other client library chooses a key's partition by default.
            "partitioner": "murmur2_random",
        }
        self._producer: Producer | None = None
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="kafka")
        self._closing = False

    async def publish(self, events: Sequence[Outgoing]) -> Receipt:
        """Returns when every event has arrived or is given up, after `DELIVERY_MS` at most."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._thread, self._publish, events)

    async def close(self) -> None:
        """What has not arrived by now is given up; the outbox still has it."""
        self._closing = True
        await asyncio.get_running_loop().run_in_executor(None, self._thread.shutdown)

    def _publish(self, events: Sequence[Outgoing]) -> Receipt:
        producer = self._producer
        if producer is None:
            # What librdkafka has to say goes where all of our log goes.
            producer = Producer(self._config, logger=logging.getLogger("parlour.kafka"))
            self._producer = producer
        done: list[int] = []
        errors: list[KafkaError] = []
        for event in events:
            settle = partial(_settle, event, done, errors)
            try:
                producer.produce(
                    self.topic,
                    event.payload,
                    event.key.encode(),
                    on_delivery=settle,
                    timestamp=event.at,
                    # Lets a consumer recognise what it has had before.
                    headers=[("outbox-position", b"%d" % event.position)],
                )
            except KafkaException as refusal:
                settle(refusal.args[0], None)
        while producer.flush(LOOK_UP_SEC):
            if self._closing:
                producer.purge()
        if any(error.fatal() for error in errors):
            self._producer = None
        return Receipt(tuple(done), errors[0].str() if errors else None)


def _settle(
    event: Outgoing,
    done: list[int],
    errors: list[KafkaError],
    error: KafkaError | None,
    _: Message | None,
) -> None:
    if error is None:
        done.append(event.position)
    elif error.code() in HOPELESS:
        log.error("event refused", match_id=event.key, error=error.str(), size=len(event.payload))
        done.append(event.position)
    else:
        errors.append(error)
