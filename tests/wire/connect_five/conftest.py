"""Servers for the tests of Connect Five's surface."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial
from typing import Any

import pytest

from parlour.net.services import Services
from parlour.play.clock import wall_clock
from parlour.settings import Settings
from tests.servers.parlour import Served, serving
from tests.servers.valkey import redis_url
from tests.wire.connect_five.people import Person, pair

__all__ = ["redis_url"]


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    """One server for all tests of a module."""
    with serving() as running:
        yield running


@pytest.fixture
def ann_and_bob(served: Served) -> tuple[Person, Person]:
    """Two people with a thousand each."""
    return pair(served)


def set_clock(later_ms: int, services: Services) -> None:
    """Have it be so much later than it is."""
    services.kernel.runtime.clock = lambda: wall_clock() + later_ms


class Host:
    """Starts and stops servers on one database, each with settings of its own."""

    def __init__(self, database: str) -> None:
        self.database = database
        self._running: dict[int, ExitStack] = {}

    def start(self, later_ms: int = 0, **settings: Any) -> Served:
        """A server to which it is so much later than it is."""
        told = Settings.given(database_url=self.database, **settings)
        stack = ExitStack()
        served = stack.enter_context(serving(told, alter=partial(set_clock, later_ms)))
        self._running[served.port] = stack
        return served

    def stop(self, served: Served) -> None:
        self._running.pop(served.port).close()

    def stop_all(self) -> None:
        for stack in self._running.values():
            stack.close()


@pytest.fixture
def host(database: str) -> Iterator[Host]:
    """Servers on an empty database, SQLite or PostgreSQL."""
    host = Host(database)
    yield host
    host.stop_all()
