"""Servers for the tests of the bus."""

from tests.servers.valkey import redis_url, valkey

__all__ = ["redis_url", "valkey"]
