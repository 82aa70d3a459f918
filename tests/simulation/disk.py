"""A database that fails: the store's own code, run inline, with faults before any statement."""

from __future__ import annotations

import asyncio
import sqlite3
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from sqlalchemy import Executable
from sqlalchemy.dialects import sqlite

from parlour.store.api import Record, Store
from parlour.store.change import Change, StoreError, Unavailable
from parlour.store.migrate import migrate_sqlite
from parlour.store.sqlite_commit import AFTER_COMMIT, commit


class Crash(BaseException):
    """The process ends here and now."""


class Faults:
    """How likely each mishap is, per commit."""

    def __init__(self, crash: float = 0, failure: float = 0, lost_answer: float = 0) -> None:
        self.crash = crash
        self.failure = failure
        self.lost_answer = lost_answer


@cache
def template() -> sqlite3.Connection:
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

    def __init__(self, random: Random, faults: Faults) -> None:
        self.random = random
        self.faults = faults
        self.connection = sqlite3.connect(":memory:", isolation_level=None)
        template().backup(self.connection)
        self.connection.row_factory = sqlite3.Row
        self.connection.execute("PRAGMA foreign_keys = ON")

    def commit(self, changes: list[Change]) -> list[StoreError | None]:
        """Run the store's commit; maybe fail or crash at some statement, or after the commit."""
        return commit(self.connection, changes, self._mishap(sum(len(c.writes) for c in changes)))

    def _mishap(self, size: int) -> Any:
        draw = self.random.random()
        faults = self.faults
        countdown = self.random.randrange(2 * size + 4)

        def before(statement: str) -> None:
            nonlocal countdown
            countdown -= 1
            if draw < faults.crash:
                if countdown < 0 or statement == AFTER_COMMIT:
                    raise Crash
            elif draw < faults.crash + faults.failure:
                if countdown < 0 and statement != AFTER_COMMIT:
                    raise sqlite3.OperationalError("disk I/O error")
            elif statement == AFTER_COMMIT:
                raise sqlite3.OperationalError("the answer was lost")

        return before if draw < faults.crash + faults.failure + faults.lost_answer else None


class DiskStore(Store):
    """One process's store on the shared disk. Once the process has crashed nothing returns."""

    def __init__(self, disk: Disk) -> None:
        super().__init__(sqlite.dialect(paramstyle="qmark"))
        self._disk = disk
        self._gathered: list[tuple[Change, asyncio.Future[None]]] = []
        self.crashed = False

    async def start(self) -> None:
        pass

    async def close(self) -> None:
        pass

    async def commit(self, change: Change) -> None:
        loop = asyncio.get_running_loop()
        done: asyncio.Future[None] = loop.create_future()
        if not self._gathered:
            loop.call_later(self._disk.random.expovariate(500), self._write)
        self._gathered.append((change, done))
        await done

    def _write(self) -> None:
        group, self._gathered = self._gathered, []
        if self.crashed:
            return
        try:
            results = self._disk.commit([change for change, _ in group])
        except Crash:
            if self._disk.connection.in_transaction:
                self._disk.connection.rollback()
            self.crashed = True
            return
        for (_, done), error in zip(group, results, strict=True):
            if not done.done():
                if error is None:
                    done.set_result(None)
                else:
                    done.set_exception(error)

    async def rows(self, query: Executable, /, **params: Any) -> Sequence[Record]:
        if self.crashed:
            await asyncio.get_running_loop().create_future()
        await asyncio.sleep(self._disk.random.expovariate(1000))
        if self._disk.random.random() < self._disk.faults.failure / 10:
            raise Unavailable("disk I/O error")
        sql, values = self.compiled(query, params)
        return self._disk.connection.execute(sql, values).fetchall()
