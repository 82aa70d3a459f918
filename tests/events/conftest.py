"""Servers for the tests of events."""

from tests.servers.kafka import kafka

__all__ = ["kafka"]
