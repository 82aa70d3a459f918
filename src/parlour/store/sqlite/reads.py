"""How the SQLite store reads: short reads on the event loop's thread, long ones on their own.

A read cannot be known to be short before it has run. So whatever runs on the event loop's thread
has a budget of work; what exceeds it is given up there and read again on a thread beside.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from math import inf
from time import monotonic
from typing import Any

from parlour.places import Places
from parlour.store.api import Record
from parlour.store.change import Unavailable
from parlour.store.change.statement import Values
from parlour.store.sqlite.commit import connect

BUDGET_STEPS = 30_000
"""After one to two times so many instructions of SQLite's machine (a millisecond or two) a read
does not go on on the event loop's thread. SQLite counts on from read to read, hence the range."""

READERS = 2
"""So many long reads run at once; with more the event loop would find no processor."""

LOOK_STEPS = 20_000
"""How often a long read looks whether its time is over."""


Booleans = Mapping[str, tuple[int, ...]]
"""Which columns of an answer are booleans, by the text of the query, if any are."""


def fetched(
    connection: sqlite3.Connection, sql: str, values: Values, booleans: Booleans
) -> list[Record]:
    """The answer to a query.

    SQLite has no booleans. The driver could tell them by how a column is declared, but would then
    look up the declaration of every column of every answer, which takes as long as to read it.
    """
    cursor = connection.execute(sql, values)
    places = booleans.get(sql)
    if places is not None:
        cursor.row_factory = partial(_with_booleans, places)
    return cursor.fetchall()


def _with_booleans(
    places: tuple[int, ...], cursor: sqlite3.Cursor, values: tuple[Any, ...]
) -> sqlite3.Row:
    told = list(values)
    for place in places:
        told[place] = None if told[place] is None else told[place] == 1
    return sqlite3.Row(cursor, tuple(told))


def _open(path: str) -> sqlite3.Connection:
    connection = connect(path)
    connection.execute("PRAGMA query_only = ON")
    return connection


def _is_given_up(error: sqlite3.Error) -> bool:
    return getattr(error, "sqlite_errorcode", 0) == sqlite3.SQLITE_INTERRUPT


class ShortReads:
    """Reads on the calling thread, each within the budget."""

    def __init__(self, path: str, booleans: Booleans) -> None:
        self._connection = _open(path)
        self._booleans = booleans
        self._connection.set_progress_handler(self._spend, BUDGET_STEPS)
        self._spent = 0

    def rows(self, sql: str, values: Values) -> Sequence[Record] | None:
        """The answer; None if it takes longer than it may."""
        self._spent = 0
        try:
            return fetched(self._connection, sql, values, self._booleans)
        except sqlite3.OperationalError as error:
            if _is_given_up(error):
                return None
            raise Unavailable(str(error)) from error

    def _spend(self) -> bool:
        self._spent += 1
        return self._spent > 1

    def close(self) -> None:
        """Let go of the database."""
        self._connection.close()


class LongReads:
    """Reads on a few threads beside the event loop's, the rest in the order they came."""

    def __init__(self, path: str, booleans: Booleans) -> None:
        self._loop = asyncio.get_running_loop()
        self._idle = [_Reader(path, booleans) for _ in range(READERS)]
        self._places = Places(READERS)
        self._threads = ThreadPoolExecutor(READERS, thread_name_prefix="reader")

    async def rows(self, sql: str, values: Values, limit_s: float) -> Sequence[Record]:
        """The answer, or `Unavailable` once the time is over; waiting for a thread has no limit."""
        await self._places.enter()
        reader = self._idle.pop()
        reading = self._loop.run_in_executor(self._threads, reader.rows, sql, values, limit_s)
        reading.add_done_callback(lambda done: self._leave(reader, done))
        # The thread goes on, and needs its place, if whoever asked has gone.
        return await asyncio.shield(reading)

    def _leave(self, reader: _Reader, reading: asyncio.Future[Sequence[Record]]) -> None:
        reading.exception()  # perhaps nobody else looks at it any more
        self._idle.append(reader)
        self._places.leave()

    async def close(self) -> None:
        """Finish what was begun, then let go of the database."""
        await asyncio.to_thread(self._threads.shutdown)
        for reader in self._idle:
            reader.close()


class _Reader:
    """One thread's connection."""

    def __init__(self, path: str, booleans: Booleans) -> None:
        self._connection = _open(path)
        self._booleans = booleans
        self._connection.set_progress_handler(self._is_late, LOOK_STEPS)
        self._give_up_at = inf

    def rows(self, sql: str, values: Values, limit_s: float) -> Sequence[Record]:
        self._give_up_at = monotonic() + limit_s
        try:
            return fetched(self._connection, sql, values, self._booleans)
        except sqlite3.OperationalError as error:
            reason = "the read took too long" if _is_given_up(error) else str(error)
            raise Unavailable(reason) from error

    def _is_late(self) -> bool:
        return monotonic() > self._give_up_at

    def close(self) -> None:
        self._connection.close()
