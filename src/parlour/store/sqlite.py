"""The store in one SQLite file: a single writer thread, and reads beside it."""

from __future__ import annotations

import asyncio
import sqlite3
import tempfile
from collections.abc import Sequence
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any

from sqlalchemy import Executable
from sqlalchemy.dialects import sqlite

from parlour.store.api import Record, Store
from parlour.store.change import Change, StoreError, Unavailable
from parlour.store.migrate import migrate_sqlite, sqlite_path
from parlour.store.sqlite_commit import commit, connect

WAITING_LIMIT = 10_000
"""So many changes may wait; who comes then waits for a place first."""
GROUP_LIMIT = 1_000
"""So many changes share a transaction at most."""

Waiting = tuple[Change, asyncio.Future[None]]


class SqliteStore(Store):
    """Everything that waits is committed as one transaction, so many players share one sync.

    Queries run on the event loop's own thread: they take microseconds, as every one of them has a
    limit and an index, and handing them to a thread would cost more than that.
    """

    def __init__(self, url: str) -> None:
        super().__init__(sqlite.dialect(paramstyle="qmark"))
        self._path = sqlite_path(url)
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._reader: sqlite3.Connection | None = None
        self._thread: Thread | None = None
        self._gathered: list[Waiting] = []
        self._handed: SimpleQueue[list[Waiting] | None] = SimpleQueue()
        self._places = asyncio.Semaphore(WAITING_LIMIT)

    async def start(self) -> None:
        durable = bool(self._path)
        if not durable:
            self._folder = tempfile.TemporaryDirectory(prefix="parlour-")
            self._path = str(Path(self._folder.name) / "parlour.db")
        await asyncio.to_thread(migrate_sqlite, self._path)
        writer = connect(self._path, durable=durable)
        self._reader = connect(self._path)
        self._reader.execute("PRAGMA query_only = ON")
        loop = asyncio.get_running_loop()
        self._thread = Thread(target=self._write, args=(writer, loop), name="store", daemon=True)
        self._thread.start()

    async def close(self) -> None:
        if self._thread is None or self._reader is None:
            return
        self._hand_over()
        self._handed.put(None)
        await asyncio.to_thread(self._thread.join)
        self._thread = None
        self._reader.close()
        self._reader = None
        if self._folder is not None:
            self._folder.cleanup()

    async def commit(self, change: Change) -> None:
        await self._places.acquire()
        if self._thread is None:
            self._places.release()
            raise Unavailable("the store is closed")
        loop = asyncio.get_running_loop()
        done: asyncio.Future[None] = loop.create_future()
        if not self._gathered:
            # All that this turn of the loop wants to commit is handed over together.
            loop.call_soon(self._hand_over)
        self._gathered.append((change, done))
        await done

    def _hand_over(self) -> None:
        if self._gathered:
            self._handed.put(self._gathered)
            self._gathered = []

    def _write(self, connection: sqlite3.Connection, loop: asyncio.AbstractEventLoop) -> None:
        """The writer's thread: group after group until the store closes."""
        waiting: list[Waiting] = []
        open_ = True
        while open_ or waiting:
            open_ = self._take(waiting) and open_
            group, waiting = waiting[:GROUP_LIMIT], waiting[GROUP_LIMIT:]
            if group:
                results = commit(connection, [change for change, _ in group])
                loop.call_soon_threadsafe(self._answer, group, results)
        connection.close()

    def _take(self, waiting: list[Waiting]) -> bool:
        """Add all that was handed over, waiting for the first; False when the store closes."""
        try:
            while (handed := self._handed.get(block=not waiting)) is not None:
                waiting += handed
        except Empty:
            return True
        return False

    def _answer(self, group: list[Waiting], results: list[StoreError | None]) -> None:
        for (_, done), error in zip(group, results, strict=True):
            self._places.release()
            if done.done():
                continue  # whoever asked has gone
            if error is None:
                done.set_result(None)
            else:
                done.set_exception(error)

    async def rows(self, query: Executable, /, **params: Any) -> Sequence[Record]:
        if self._reader is None:
            raise Unavailable("the store is closed")
        sql, values = self.compiled(query, params)
        try:
            return self._reader.execute(sql, values).fetchall()
        except sqlite3.OperationalError as error:
            raise Unavailable(str(error)) from error
