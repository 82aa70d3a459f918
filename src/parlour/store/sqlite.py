"""The store in one SQLite file: a single writer thread, and reads beside it."""

from __future__ import annotations

import asyncio
import sqlite3
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any

from sqlalchemy import Executable
from sqlalchemy.dialects import sqlite

from parlour.store.api import Record, Store
from parlour.store.change import Change, Unavailable
from parlour.store.migrate import migrate_sqlite, sqlite_path
from parlour.store.sqlite_commit import commit, connect

GROUP_LIMIT = 250
"""So many changes share a transaction at most: while they are written the last are answered."""

Waiting = tuple[Change, asyncio.Future[None]]


class SqliteStore(Store):
    """Everything that waits is committed as one transaction, so many players share one sync.

    Queries run on the event loop's own thread: they take microseconds, as every one of them has a
    limit and an index, and handing them to a thread would cost more than that.
    """

    def __init__(self, url: str) -> None:
        super().__init__(sqlite.dialect(paramstyle="qmark"))
        self._path = sqlite_path(url)
        self._durable = bool(self._path)
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._reader: sqlite3.Connection | None = None
        self._thread: Thread | None = None
        self._open = False
        self._gathered: list[Waiting] = []
        self._handed: SimpleQueue[list[Waiting] | None] = SimpleQueue()

    async def start(self) -> None:
        if not self._durable:
            # A file as well, so that it works the same; it goes with the store.
            self._folder = tempfile.TemporaryDirectory(prefix="parlour-")
            self._path = str(Path(self._folder.name) / "parlour.db")
        await asyncio.to_thread(migrate_sqlite, self._path)
        self._reader = connect(self._path)
        self._reader.execute("PRAGMA query_only = ON")
        loop = asyncio.get_running_loop()
        writer = connect(self._path, durable=self._durable)
        self._thread = Thread(target=self._write, args=(writer, loop), name="store", daemon=True)
        self._thread.start()
        self._open = True

    async def close(self) -> None:
        if not self._open:
            return
        self._open = False
        self._hand_over()
        self._handed.put(None)
        if self._thread is not None:
            await asyncio.to_thread(self._thread.join)
        if self._reader is not None:
            self._reader.close()
        if self._folder is not None:
            self._folder.cleanup()

    async def commit(self, change: Change) -> None:
        await self._places.acquire()
        if not self._open:
            self._places.release()
            raise Unavailable("the store is closed")
        loop = asyncio.get_running_loop()
        done: asyncio.Future[None] = loop.create_future()
        if not self._gathered:
            # All that this turn of the loop wants to commit is handed over together.
            loop.call_soon(self._hand_over)
        self._gathered.append((change, done))
        await done

    async def rows(self, query: Executable, /, **params: Any) -> Sequence[Record]:
        if not self._open or self._reader is None:
            raise Unavailable("the store is closed")
        sql, values = self.compiled(query, params)
        try:
            return self._reader.execute(sql, values).fetchall()
        except sqlite3.OperationalError as error:
            raise Unavailable(str(error)) from error

    def _hand_over(self) -> None:
        if self._gathered:
            self._handed.put(self._gathered)
            self._gathered = []

    # --- the writer's thread ------------------------------------------------------------------

    def _write(self, connection: sqlite3.Connection, loop: asyncio.AbstractEventLoop) -> None:
        """Group after group until the store closes and nothing waits any more."""
        waiting: list[Waiting] = []
        last = False
        while waiting or not last:
            last = last or self._take(waiting)
            group, waiting = waiting[:GROUP_LIMIT], waiting[GROUP_LIMIT:]
            if not group:
                continue
            results: Sequence[Exception | None]
            try:
                results = commit(connection, [change for change, _ in group])
                failed = isinstance(results[0], Unavailable)
            except Exception as error:  # noqa: BLE001 (whoever waits must hear of it)
                results, failed = [error] * len(group), True
            if failed:
                connection = self._reconnected(connection)
            loop.call_soon_threadsafe(self._answer, group, results)
        connection.close()

    def _take(self, waiting: list[Waiting]) -> bool:
        """Add all that was handed over, if need be waiting for it; True: there is no more."""
        try:
            while (handed := self._handed.get(block=not waiting)) is not None:
                waiting += handed
        except Empty:
            return False
        return True

    def _reconnected(self, connection: sqlite3.Connection) -> sqlite3.Connection:
        """A fresh connection after a failure that this one may not get over."""
        with suppress(sqlite3.Error):
            fresh = connect(self._path, durable=self._durable)
            connection.close()
            return fresh
        return connection

    def _answer(self, group: list[Waiting], results: Sequence[Exception | None]) -> None:
        for (_, done), error in zip(group, results, strict=True):
            self._places.release()
            if done.done():
                continue  # whoever asked has gone
            if error is None:
                done.set_result(None)
            else:
                done.set_exception(error)
