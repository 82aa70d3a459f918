"""librdkafka's mock cluster: real protocol on a real socket, and brokers that fail on demand.

The Python binding can start such a cluster but not command it, so this drives the same library
through its C interface.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from pathlib import Path

import confluent_kafka
import pytest
from confluent_kafka import OFFSET_BEGINNING, Consumer, Message, TopicPartition

PRODUCER = 0
PRODUCE_REQUEST = 0
BROKER = 1
PARTITIONS = 4


def _library() -> ctypes.CDLL:
    """The very library that the binding has loaded."""
    package = Path(confluent_kafka.__file__).parent
    for folder in (package.parent / "confluent_kafka.libs", package / ".dylibs"):
        for file in folder.glob("librdkafka*"):
            library = ctypes.CDLL(str(file))
            library.rd_kafka_conf_new.restype = ctypes.c_void_p
            library.rd_kafka_new.restype = ctypes.c_void_p
            library.rd_kafka_mock_cluster_new.restype = ctypes.c_void_p
            library.rd_kafka_mock_cluster_bootstraps.restype = ctypes.c_char_p
            return library
    raise FileNotFoundError("confluent-kafka without its library")


class MockKafka:
    """One broker."""

    def __init__(self) -> None:
        self._library = _library()
        error = ctypes.create_string_buffer(512)
        config = ctypes.c_void_p(self._library.rd_kafka_conf_new())
        self._library.rd_kafka_conf_set(config, b"log_level", b"0", error, len(error))
        client = self._library.rd_kafka_new(PRODUCER, config, error, len(error))
        if not client:
            raise RuntimeError(error.value.decode())
        self._client = ctypes.c_void_p(client)
        cluster = self._library.rd_kafka_mock_cluster_new(self._client, BROKER)
        self._cluster = ctypes.c_void_p(cluster)
        self.bootstrap_servers: str = self._library.rd_kafka_mock_cluster_bootstraps(
            self._cluster
        ).decode()

    def create(self, topic: str) -> None:
        self._library.rd_kafka_mock_topic_create(self._cluster, topic.encode(), PARTITIONS, 1)

    def down(self) -> None:
        """Connections break and new ones are refused."""
        self._library.rd_kafka_mock_broker_set_down(self._cluster, BROKER)

    def up(self) -> None:
        self._library.rd_kafka_mock_broker_set_up(self._cluster, BROKER)

    def answer_after(self, milliseconds: int) -> None:
        self._library.rd_kafka_mock_broker_set_rtt(self._cluster, BROKER, milliseconds)

    def refuse_next(self, *codes: int) -> None:
        """The next requests to produce are answered with these error codes."""
        errors = (ctypes.c_int * len(codes))(*codes)
        self._library.rd_kafka_mock_push_request_errors_array(
            self._cluster, ctypes.c_int16(PRODUCE_REQUEST), ctypes.c_size_t(len(codes)), errors
        )

    def read(self, topic: str) -> list[Message]:
        """All the topic holds, as another client gets it, in order per partition."""
        consumer = Consumer(
            {"bootstrap.servers": self.bootstrap_servers, "group.id": "reader", "log_level": 0}
        )
        try:
            partitions = [
                TopicPartition(topic, number, OFFSET_BEGINNING) for number in range(PARTITIONS)
            ]
            ends = [consumer.get_watermark_offsets(each, timeout=20) for each in partitions]
            count = sum(high - low for low, high in filter(None, ends))
            consumer.assign(partitions)
            messages: list[Message] = []
            while len(messages) < count:
                message = consumer.poll(20)
                assert message is not None, f"only {len(messages)} of {count} messages"
                assert message.error() is None, message.error()
                messages.append(message)
            return messages
        finally:
            consumer.close()

    def close(self) -> None:
        self._library.rd_kafka_mock_cluster_destroy(self._cluster)
        self._library.rd_kafka_destroy(self._client)


@pytest.fixture
def kafka() -> Iterator[MockKafka]:
    cluster = MockKafka()
    cluster.create("game-events")
    try:
        yield cluster
    finally:
        cluster.close()
