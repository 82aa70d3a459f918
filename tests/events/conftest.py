"""Servers and kernels for the tests of events."""

from tests.play.conftest import clock, kernel, make_kernel, player
from tests.servers.kafka import kafka

__all__ = ["clock", "kafka", "kernel", "make_kernel", "player"]
