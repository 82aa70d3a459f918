"""A database that fails: the real SQLite store, without its thread, its log and its file.

What the store's thread would do is done at once, and answered a moment later, as a sync is; every
statement may fail before it is run, a commit's answer may be lost, a sync may fail, and the process
may end at any of them.
"""

from __future__ import annotations

import asyncio
import sqlite3
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from msgspec import Struct
from sqlalchemy import Executable

from parlour.play.rounds import PAGE
from parlour.store.api import Record
from parlour.store.change import Unavailable
from parlour.store.migrate import migrate_sqlite
from parlour.store.sqlite.log import Done
from parlour.store.sqlite.reads import fetched
from parlour.store.sqlite.store import GROUP_LIMIT, TEXTS, SqliteStore


class Crash(BaseException):
    """The process ends here and now."""


class Faults(Struct):
    """How likely each mishap is, per transaction; of reads a tenth of it."""

    crash: float = 0.0
    failure: float = 0.0
    lost_answer: float = 0.0

    def end(self) -> None:
        """From now on the disk is as good as new."""
        self.crash = self.failure = self.lost_answer = 0.0


@cache
def _template() -> sqlite3.Connection:
    """An empty database of the present schema, made once."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "template.db"
        migrate_sqlite(str(path))
        copy = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        with sqlite3.connect(path) as made:
            made.backup(copy)
        made.close()
    return copy


class Disk:
    """What survives every crash: one database for all processes of a simulation."""

    def __init__(self, random: Random, faults: Faults, tally: Counter[str], *, far: bool) -> None:
        self.random = random
        self.faults = faults
        self.tally = tally
        self.far = far
        """Whether it is reached over a network, so that others get a turn while it answers."""
        self.connection = sqlite3.connect(":memory:", isolation_level=None, cached_statements=512)
        _template().backup(self.connection)
        self.connection.row_factory = sqlite3.Row
        self.connection.execute("PRAGMA foreign_keys = ON")

    def close(self) -> None:
        self.connection.close()

    def way(self) -> Way:
        """A connection for the next transaction, on which something may be going to happen."""
        mishap = self.mishap()
        if mishap is None:
            return Way(self.connection)
        return BadWay(self.connection, mishap, self.random.randrange(10), self.tally)

    def mishap(self) -> str | None:
        """What is to go wrong with the next transaction; mostly nothing."""
        faults = self.faults
        draw = self.random.random()
        if draw >= faults.crash + faults.failure + faults.lost_answer:
            return None
        if draw < faults.crash:
            return "crash"
        return "store failure" if draw < faults.crash + faults.failure else "lost answer"


class Way:
    """A connection as the store uses it, which may be closed without closing the database."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.execute: Callable[..., sqlite3.Cursor] = connection.execute
        self.rollback = connection.rollback
        self._database = connection

    @property
    def total_changes(self) -> int:
        return self._database.total_changes

    def commit(self) -> None:
        self.execute("COMMIT")

    def close(self) -> None:
        pass


class BadWay(Way):
    """One on which a mishap comes after some statements, or right after the commit."""

    def __init__(
        self, connection: sqlite3.Connection, mishap: str, after: int, tally: Counter[str]
    ) -> None:
        super().__init__(connection)
        self._connection = connection
        self._mishap: str | None = mishap
        self._left = after
        self._tally = tally
        self.execute = self._execute

    def _execute(self, sql: str, values: Sequence[Any] = ()) -> sqlite3.Cursor:
        committing = sql == "COMMIT"
        if self._mishap == "lost answer":
            if committing:
                self._connection.execute(sql)
                self._strike("the answer was lost")
        elif self._mishap is not None:
            self._left -= 1
            if self._left < 0 or committing:
                if committing and self._mishap == "crash" and self._left % 2:
                    self._connection.execute(sql)  # durable, but nobody will be told
                self._strike("disk I/O error")
        return self._connection.execute(sql, values)

    def _strike(self, words: str) -> None:
        mishap, self._mishap = self._mishap, None
        self._tally[str(mishap)] += 1
        if mishap == "crash":
            if self._connection.in_transaction:
                self._connection.rollback()
            raise Crash
        raise sqlite3.OperationalError(words)


def _table_of(sql: str) -> str:
    """What a query asks for, for the tally."""
    return sql.split("FROM", 1)[1].split(None, 1)[0].strip('",')


class DiskStore(SqliteStore):
    """One process's store on the shared disk."""

    def __init__(self, disk: Disk, crash: Callable[[], None]) -> None:
        super().__init__("sqlite://")
        self._disk = disk
        self._crash = crash
        self._handed = self  # type: ignore[assignment]  # this takes the thread's place
        self._log = self  # type: ignore[assignment]  # … and the log's

    async def start(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._open = True

    async def close(self) -> None:
        self._open = False

    async def rows(self, query: Executable, /, **params: Any) -> Sequence[Record]:
        disk = self._disk
        draw = disk.random.random()
        if disk.far and draw < 0.2:
            await asyncio.sleep(draw / 20)
        elif draw > 1 - disk.faults.failure / 10:
            disk.tally["failed read"] += 1
            raise Unavailable("disk I/O error")
        sql, values = self.compiled(query, params)
        found = fetched(disk.connection, sql, values, TEXTS.booleans)
        if len(params.get("ids", ())) >= PAGE:
            disk.tally["limit of a list"] += 1
        if "limit" in params and len(found) >= params["limit"] > 1:
            disk.tally[f"limit of {_table_of(sql)}"] += 1
        return found

    async def list_rows(self, query: Executable, /, **params: Any) -> Sequence[Record]:
        return await self.rows(query, **params)

    async def scan(self, query: Executable, /, **params: Any) -> Sequence[Record]:
        return await self.rows(query, **params)

    # --- what the threads and the log did ----------------------------------------------------

    def _connected(self) -> Any:
        return self._disk.way()

    def _copied_beside(self) -> Sequence[Exception | None]:
        return ()  # there is one connection for all, and it copies by itself

    def _next_group(self) -> None:
        self._writer = self._connected()
        if len(self._waiting) > GROUP_LIMIT:
            self._disk.tally["group limit"] += 1
        try:
            super()._next_group()
        except Crash:
            self._crash()

    def put(self, handed: Any) -> None:
        """The thread gets something to do."""
        work, done = handed
        self._later(done, work())

    def sync(self, done: Done) -> None:
        """What was written is on disk in a moment, unless the disk fails."""
        disk = self._disk
        if disk.random.random() < disk.faults.failure:
            disk.tally["failed sync"] += 1
            self._later(done, OSError("disk I/O error"))
        else:
            self._later(done, None)

    def _later(self, tell: Callable[[Any], None], what: Any) -> None:
        self._loop.call_later(self._disk.random.random() / 25, tell, what)
