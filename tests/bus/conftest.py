"""Servers for the tests of the bus."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from typing import Protocol
from uuid import uuid4

import pytest

from parlour.bus import open_bus
from parlour.bus.postgres import PostgresBus
from parlour.bus.redis import RedisBus
from tests.bus.ears import until
from tests.servers.postgres import Postgres
from tests.servers.valkey import Valkey, redis_url, valkey

__all__ = ["redis_url", "valkey"]

SharedBus = RedisBus | PostgresBus
Open = Callable[[], Awaitable[SharedBus]]


class Stoppable(Protocol):
    """A server that a test may stop and start."""

    def start(self) -> None: ...
    def stop(self) -> None: ...


@pytest.fixture(scope="session")
def own_postgres() -> Iterator[Postgres]:
    """A server that the tests of the bus may stop, if they start it again."""
    server = Postgres(f"bus-{uuid4().hex[:12]}")
    yield server
    server.remove()


@pytest.fixture(params=["redis", "postgres"])
def server(request: pytest.FixtureRequest) -> Iterator[Stoppable]:
    """What carries the messages between processes."""
    if request.param == "redis":
        yield request.getfixturevalue("valkey")
        return
    postgres: Postgres = request.getfixturevalue("own_postgres")
    yield postgres
    postgres.start()


@pytest.fixture
async def started(server: Stoppable) -> AsyncIterator[Open]:
    """Opens the buses of several processes on that server."""
    opened: list[SharedBus] = []

    async def start() -> SharedBus:
        if isinstance(server, Valkey):
            bus = open_bus(server.url, "sqlite://")
        else:
            assert isinstance(server, Postgres)
            bus = open_bus(None, server.url())
        assert isinstance(bus, SharedBus)
        opened.append(bus)
        await bus.start()
        # What is published before the others know of it would be made up for, but not heard.
        await until(lambda: len(opened) == 1 or all(sends(each) for each in opened))
        return bus

    yield start
    for bus in opened:
        await bus.close()


def sends(bus: SharedBus) -> bool:
    """Whether what is published goes out, as somebody else may be listening."""
    return bus.listened_to if isinstance(bus, PostgresBus) else True


async def knows_of_others(bus: SharedBus) -> None:
    """Who connected first, and was alone then, sends nothing until it has heard of another."""
    await until(lambda: bus.connected and sends(bus))


async def acquainted(started: Open) -> tuple[SharedBus, SharedBus]:
    """Two that have heard of each other."""
    here, there = await started(), await started()
    await knows_of_others(here)
    await knows_of_others(there)
    return here, there
