"""The real PostgreSQL store on a clock that jumps.

A real server answers in its own time and order, so these runs cannot be repeated to the byte. What
can be had is that nobody waits: while the database works, time passes as it does on the wall, and
as soon as it has nothing to do, time jumps to whatever is due next.
"""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Callable, Sequence
from time import perf_counter
from typing import Any, TypeVar

import asyncpg
from sqlalchemy import Executable

from parlour.store.api import Answer, Record
from parlour.store.change import Change, StoreError, Unavailable
from parlour.store.postgres.store import PostgresStore
from tests.simulation.audit.books import TABLES, Books, select
from tests.simulation.disk import Disk
from tests.simulation.loop import Scheduled

T = TypeVar("T")

LOOK_AGAIN_S = 0.05
"""How long the database is waited for before timers are looked at."""


class _Jumping(selectors.DefaultSelector):
    """Waits for the database only while it works."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0
        self.under_way = 0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if self.under_way:
            began = perf_counter()
            wait = LOOK_AGAIN_S if timeout is None else min(timeout, LOOK_AGAIN_S)
            events = super().select(wait)
            self.now += perf_counter() - began
            return events
        events = super().select(0)
        if not events:
            self.now += LOOK_AGAIN_S if timeout is None else timeout
        return events


class JumpingLoop(asyncio.SelectorEventLoop):
    """A real loop, on which time is made up whenever no answer is awaited."""

    def __init__(self) -> None:
        self.jumping = _Jumping()
        super().__init__(self.jumping)
        self._clock_resolution = 1e-9
        self.complaints: list[str] = []

    def time(self) -> float:
        return self.jumping.now

    def go_on(self, process: Scheduled) -> None:
        """Nobody stands still here."""

    def call_exception_handler(self, context: dict[str, Any]) -> None:
        self.complaints.append(f"{context.get('message')}: {context.get('exception')!r}")


class WatchedPostgres(PostgresStore):
    """One process's store: with faults of its own beside the server's; the dead get no answers."""

    def __init__(self, url: str, disk: Disk, process: Scheduled, die: Callable[[], None]) -> None:
        super().__init__(url)
        self._disk = disk
        self._process = process
        self._die = die

    async def start(self) -> None:
        await self._awaited(super().start())

    async def commit(self, change: Change) -> None:
        mishap = self._disk.mishap()
        if mishap == "store failure":
            raise Unavailable("connection refused")
        if mishap == "crash" and self._disk.random.random() < 0.5:
            await self._crash()
        await self._awaited(super().commit(change))
        if mishap == "crash":
            await self._crash()
        if mishap == "lost answer":
            raise Unavailable("the answer was lost")

    def submit(self, change: Change, answer: Answer) -> bool:
        """By way of `commit`, with all its mishaps."""
        self._spawn(self._submitted(change, answer))
        return True

    async def _submitted(self, change: Change, answer: Answer) -> None:
        error: StoreError | None = None
        try:
            await self.commit(change)
        except StoreError as refused:
            error = refused
        answer(error)

    async def rows(self, query: Executable, /, **params: Any) -> Sequence[Record]:
        found: Sequence[Record] = await self._awaited(super().rows(query, **params))
        return found

    async def _crash(self) -> None:
        self._die()
        await asyncio.get_running_loop().create_future()

    async def _awaited(self, work: Any) -> Any:
        """While this lasts time does not jump. The dead get no answer."""
        loop = asyncio.get_running_loop()
        assert isinstance(loop, JumpingLoop)
        if self._process.state == "dead":
            work.close()
            await loop.create_future()
        loop.jumping.under_way += 1
        try:
            return await work
        finally:
            loop.jumping.under_way -= 1
            if self._process.state == "dead":
                await loop.create_future()

    def cut_off(self) -> None:
        """The process is gone: the server notices that its connections are."""
        if self._pool is not None:
            self._pool.terminate()
            self._apart.terminate()


async def read_books(url: str) -> Books:
    """Read from a database that nobody writes to now."""
    loop = asyncio.get_running_loop()
    assert isinstance(loop, JumpingLoop)
    loop.jumping.under_way += 1
    try:
        connection = await asyncpg.connect(url)
        tables = {
            table: [dict(row) for row in await connection.fetch(select(table))] for table in TABLES
        }
        await connection.close()
    finally:
        loop.jumping.under_way -= 1
    return Books(tables)


async def break_connections(url: str) -> None:
    """The server ends every session of every process, whatever it is at."""
    loop = asyncio.get_running_loop()
    assert isinstance(loop, JumpingLoop)
    loop.jumping.under_way += 1
    try:
        connection = await asyncpg.connect(url)
        await connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE application_name = 'parlour' AND datname = current_database()"
        )
        await connection.close()
    finally:
        loop.jumping.under_way -= 1
