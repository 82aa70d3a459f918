"""The store in one SQLite file: one transaction after the other, and reads beside them.

Laws:

* One group of changes is under way at a time; what is asked for meanwhile makes up the next. Unless
  that is full it is begun when those of the last were told; if these were many, when they had the
  time to answer, so that they share its transaction.
* Who is patient waits for others of the kind, and holds up nobody: they are written when nobody
  else has anything to write, a few in a turn of the loop, and synced when all are. Each has a turn
  when it is told, but none while others wait for the disk. After `LONGEST_PATIENCE_S` they wait no
  longer.
* What is told is on disk, and so is what is read: a read that comes before a sync waits for it.
* A sync that failed may have left a gap in the log, behind which nothing would be found again.
  Until all of it is copied nothing more is written.
* The log is copied into the database between two groups: the first is told meanwhile, and only what
  comes then waits for it. It is done by the connection that writes, so never beside a write.
* What takes microseconds runs on the event loop's thread. What may have to wait, for the disk or
  for another process that writes, runs on a thread of its own.
* A read that turns out to take longer, or is known to, runs beside as well.
* As long as nothing fails the two do not run statement after statement beside each other: at each
  they would take Python's lock from one another, which costs more than the statements.
"""

from __future__ import annotations

import asyncio
import os
import sqlite3
import tempfile
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from math import inf
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import Any

import structlog
from sqlalchemy import Executable
from sqlalchemy.dialects import sqlite

from parlour.store.api import READ_LIMIT_S, Answer, Record, Store, resolve
from parlour.store.change import Change, StoreError, Unavailable
from parlour.store.change.statement import Values
from parlour.store.migrate import migrate_sqlite, sqlite_path
from parlour.store.sqlite.commit import Group, connect
from parlour.store.sqlite.reads import LongReads, ShortReads
from parlour.store.texts import Texts

log = structlog.get_logger()

GROUP_LIMIT = 250
"""So many changes share a transaction at most: while they are written the last are answered."""

TURNS_TO_ANSWER = 3
"""Of the event loop: in so many those who were told are heard, should they answer at once."""

MANY_TOLD = 5
"""Of fewer nobody is likely to answer at once."""

COPY_ROWS = 8_000
"""After so many rows the log is copied: seldom enough that most pages changed many times."""

PATIENCE_S = 0.03
"""How long changes that are patient wait for others of their kind, to share a sync with them."""

PORTION = 8
"""So many of them are written in a turn of the loop: others wait for no more than that."""

LONGEST_PATIENCE_S = 0.1
"""How long they let others go before them after that."""

MANY_UNTOLD = 100
"""When so many of the patient are to be told, others who wait for the disk do not put that off."""

TEXTS = Texts(sqlite.dialect(paramstyle="qmark"))

_sync = getattr(os, "fdatasync", os.fsync)

Waiting = tuple[Change, Answer]
Results = Sequence[Exception | None]


class SqliteStore(Store):
    """Everything that waits is committed as one transaction, so many players share one sync."""

    def __init__(self, url: str) -> None:
        super().__init__(TEXTS)
        self._path = sqlite_path(url)
        self._durable = bool(self._path)
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._short: ShortReads | None = None
        self._long: LongReads | None = None
        self._reported: set[str] = set()
        self._writer: sqlite3.Connection | None = None
        self._thread: Thread | None = None
        self._open = False
        self._copied_at = 0
        """How many rows the writer had written when the log was last copied."""
        self._loop: asyncio.AbstractEventLoop
        """Kept: asking for it takes as long as all else a commit does here."""
        self._waiting: list[Waiting] = []
        self._patient: list[Waiting] = []
        self._patience: asyncio.TimerHandle | None = None
        """Until when they wait for others of the kind, and then let others go first."""
        self._ready = False
        """Whether they go as soon as nobody else does."""
        self._written: list[tuple[Waiting, StoreError | None]] = []
        """Those of them who wait for the sync, with what became of each."""
        self._settled = asyncio.Event()
        """All that was written is on disk."""
        self._settled.set()
        self._syncs = True
        """Whether the writer waits for the disk when it commits."""
        self._log: int | None = None
        """The file of SQLite's log; it is the same as long as somebody has the database open."""
        self._torn = False
        """A sync has failed, and not all of the log was copied since."""
        self._hurried = False
        """Whether what is under way is for others than the patient."""
        self._untold: deque[tuple[Answer, Exception | None]] = deque()
        self._telling = False
        self._under_way = False
        self._idle = asyncio.Event()
        self._handed: SimpleQueue[tuple[list[Waiting], Callable[[], Results]] | None]
        self._handed = SimpleQueue()

    async def start(self) -> None:
        if not self._durable:
            # A file as well, so that it works the same; it goes with the store.
            self._folder = tempfile.TemporaryDirectory(prefix="parlour-")
            self._path = str(Path(self._folder.name) / "parlour.db")
        await asyncio.to_thread(migrate_sqlite, self._path)
        self._short = ShortReads(self._path, TEXTS.booleans)
        self._long = LongReads(self._path, TEXTS.booleans)
        self._writer = self._connected()
        if self._durable:
            self._log = os.open(f"{self._path}-wal", os.O_RDWR | os.O_CLOEXEC)
        self._loop = asyncio.get_running_loop()
        self._thread = Thread(target=self._finish_all, name="store", daemon=True)
        self._thread.start()
        self._open = True

    def _connected(self) -> sqlite3.Connection:
        return connect(self._path, durable=self._durable, patient=False)

    async def close(self) -> None:
        if not self._open:
            return
        self._open = False
        while self._waiting or self._patient or self._under_way or self._untold:
            self._end_patience()
            self._idle.clear()
            await self._idle.wait()
        self._handed.put(None)
        if self._thread is not None:
            await asyncio.to_thread(self._thread.join)
        if self._long is not None:
            await self._long.close()
        for connection in (self._short, self._writer):
            if connection is not None:
                connection.close()
        if self._log is not None:
            os.close(self._log)
        if self._folder is not None:
            self._folder.cleanup()

    async def commit(self, change: Change) -> None:
        await self._places.enter()
        if not self._open:
            self._places.leave()
            raise Unavailable("the store is closed")
        done: asyncio.Future[None] = self._loop.create_future()
        self._hand_over(change, partial(resolve, done))
        try:
            await done
        finally:
            del done  # an error that it holds will hold this frame

    def submit(self, change: Change, answer: Answer) -> bool:
        if not self._open or not self._places.take():
            return False
        self._hand_over(change, answer)
        return True

    def _hand_over(self, change: Change, answer: Answer) -> None:
        if not change.patient:
            self._waiting.append((change, answer))
            self._go()
            return
        self._patient.append((change, answer))
        if len(self._patient) == 1:
            self._patience = self._loop.call_later(PATIENCE_S, self._grow_ready)

    def _grow_ready(self) -> None:
        """Who is patient goes next, if nobody else wants to."""
        self._ready = True
        self._patience = self._loop.call_later(LONGEST_PATIENCE_S, self._end_patience)
        self._go()

    def _end_patience(self) -> None:
        """Who was patient is in as much of a hurry as anybody."""
        self._waiting += self._patients()
        if self._waiting:
            self._go()

    def _patients(self) -> list[Waiting]:
        """Those who were patient until now."""
        if self._patience is not None:
            self._patience.cancel()
        self._patience, self._ready = None, False
        taken, self._patient = self._patient, []
        return taken

    def _go(self) -> None:
        if not self._under_way:
            # All that is asked for meanwhile goes together.
            self._under_way = True
            self.microtasks.put_off(self._loop, self._next_group)

    async def rows(self, query: Executable, /, **params: Any) -> Sequence[Record]:
        if not self._open or self._short is None:
            raise Unavailable("the store is closed")
        sql, values = self.compiled(query, params)
        found = self._short.rows(sql, values)
        if found is not None:
            await self._settled.wait()
            return found
        self._report_overlong(sql)
        return await self._beside(sql, values, READ_LIMIT_S)

    async def list_rows(self, query: Executable, /, **params: Any) -> Sequence[Record]:
        return await self._beside(*self.compiled(query, params), READ_LIMIT_S)

    async def scan(self, query: Executable, /, **params: Any) -> Sequence[Record]:
        return await self._beside(*self.compiled(query, params), inf)

    async def _beside(self, sql: str, values: Values, limit_s: float) -> Sequence[Record]:
        if not self._open or self._long is None:
            raise Unavailable("the store is closed")
        found = await self._long.rows(sql, values, limit_s)
        await self._settled.wait()
        return found

    def _report_overlong(self, sql: str) -> None:
        """Once for each query: it lacks an index, or belongs beside from the start."""
        self.overlong_reads += 1
        if sql not in self._reported:
            self._reported.add(sql)
            log.warning("overlong read", sql=sql)

    # --- groups -------------------------------------------------------------------------------

    def _next_group(self) -> None:
        """Begin with what waits, and hand it to the thread; then with the patient; else rest."""
        self._hurried = bool(self._waiting)
        if self._torn:
            self._handed.put(([], self._mended))
        elif self._hurried:
            group, self._waiting = self._waiting[:GROUP_LIMIT], self._waiting[GROUP_LIMIT:]
            self._handed.put((group, self._begun([change for change, _ in group])))
        elif self._ready:
            self._write_portion()
        elif self._written:
            written, self._written = self._written, []
            results = [error for _, error in written]
            self._handed.put(([each for each, _ in written], partial(self._synced, results)))
        else:
            self._under_way = False
            self._idle.set()

    def _write_portion(self) -> None:
        """Some of the patient; if something is in the way they go the way of all others."""
        assert self._writer is not None
        portion = self._patient[:PORTION]
        changes = [change for change, _ in portion]
        group = Group(self._writer, changes)
        try:
            self._let_sync(False)
            results = group.finish_at_once()
        except Exception as error:  # noqa: BLE001 (whoever waits must hear of it)
            self._leave_patients(portion)
            self._handed.put((portion, partial(self._failed, changes, error)))
            return
        if results is None:
            self._end_patience()
        else:
            self._settled.clear()
            self._written += zip(portion, results, strict=True)
            self._leave_patients(portion)
        self._loop.call_soon(self._next_group)

    def _leave_patients(self, gone: list[Waiting]) -> None:
        """These are patient no longer."""
        self._patient = self._patient[len(gone) :]
        if not self._patient:
            self._patients()

    def _let_sync(self, wanted: bool) -> None:
        """Have commits wait for the disk, or not."""
        assert self._writer is not None
        if self._durable and wanted is not self._syncs:
            self._writer.execute(f"PRAGMA synchronous = {'FULL' if wanted else 'NORMAL'}")
            self._syncs = wanted

    def _begun(self, changes: Sequence[Change]) -> Callable[[], Results]:
        """How the thread is to finish these changes."""
        assert self._writer is not None
        group = Group(self._writer, changes)
        try:
            self._let_sync(True)
            group.begin()
        except Exception as error:  # noqa: BLE001 (whoever waits must hear of it)
            return partial(self._failed, changes, error)
        return partial(self._finished, group, changes)

    # What the thread does:

    def _finish_all(self) -> None:
        while (handed := self._handed.get()) is not None:
            group, finish = handed
            results = finish()
            self._loop.call_soon_threadsafe(self.microtasks.run, self._answer, group, results)

    def _finished(self, group: Group, changes: Sequence[Change]) -> Results:
        try:
            return group.finish()
        except Exception as error:  # noqa: BLE001 (whoever waits must hear of it)
            return self._failed(changes, error)

    def _failed(self, changes: Sequence[Change], error: Exception) -> Results:
        """Undo it, and go on with a fresh connection, lest this one does not get over it."""
        assert self._writer is not None
        with suppress(sqlite3.Error):
            self._writer.rollback()
        with suppress(sqlite3.Error):
            fresh = self._connected()
            self._writer.close()
            self._writer, self._syncs = fresh, True
        if isinstance(error, sqlite3.Error):
            self._torn |= bool(self._written)  # it may have been the sync that these wait for
            return [Unavailable(str(error)) for _ in changes]
        return [error for _ in changes]

    def _synced(self, results: Results) -> Results:
        """Have on disk what was written without waiting for it."""
        try:
            if self._log is not None:
                _sync(self._log)
        except OSError as error:
            log.exception("sync failed")
            self._torn = True
            return [result or Unavailable(str(error)) for result in results]
        return results

    def _mended(self) -> Results:
        """Have all of the log on disk where it belongs, after a sync that failed."""
        assert self._writer is not None
        with suppress(sqlite3.Error):
            busy, logged, copied = self._writer.execute("PRAGMA wal_checkpoint(FULL)").fetchone()
            self._torn = bool(busy) or logged != copied
        return ()

    def _copied(self) -> Results:
        """Copy the log; if that fails it is tried again, or else done by a commit."""
        assert self._writer is not None
        with suppress(sqlite3.Error):
            self._writer.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
        return ()

    def _copy_is_due(self) -> bool:
        assert self._writer is not None
        written = self._writer.total_changes
        if 0 <= written - self._copied_at < COPY_ROWS:
            return False
        self._copied_at = written
        return True

    def _answer(self, group: list[Waiting], results: Results) -> None:
        goes_on = False
        if not self._written:
            self._settled.set()
        if self._torn and not group:
            self._refuse_all()
        elif not self._torn and self._copy_is_due():
            self._handed.put(([], self._copied))
        elif len(self._waiting) >= GROUP_LIMIT:
            self._next_group()  # as it is full it is written meanwhile
        elif len(group) >= MANY_TOLD and self._hurried and self._waiting:
            self._loop.call_soon(self._linger, TURNS_TO_ANSWER)
        else:
            goes_on = True
        for (change, answer), error in zip(group, results, strict=True):
            if not change.patient:
                self._tell(answer, error)
                continue
            self._untold.append((answer, error))
        if goes_on:
            # Behind what those who were told are sent: its thread would want Python's lock.
            self.microtasks.put_off(self._loop, self._next_group)
        if self._untold and not self._telling:
            self._telling = True
            self._loop.call_soon(self.microtasks.run, self._tell_next)

    def _refuse_all(self) -> None:
        """The log has a gap that could not be mended; whoever comes next has it tried again."""
        refused: list[tuple[Waiting, StoreError | None]]
        refused = [*self._written, *((each, None) for each in (*self._waiting, *self._patients()))]
        self._written, self._waiting = [], []
        self._settled.set()
        self._under_way = False
        self._idle.set()
        for (_, answer), error in refused:
            self._tell(answer, error or Unavailable("the disk has failed"))

    def _linger(self, turns: int) -> None:
        """Let those who were told add to what waits: a transaction costs as much as a few moves."""
        if turns > 1:
            self._loop.call_soon(self._linger, turns - 1)
        else:
            self._next_group()

    def _tell_next(self) -> None:
        """One who is patient in each turn of the loop, so that others get in between.

        While others wait for the disk none is told: its thread would wait for Python's lock.
        """
        self._tell(*self._untold.popleft())
        others_wait = self._waiting or (self._hurried and self._under_way)
        held_up = others_wait and len(self._untold) < MANY_UNTOLD
        self._telling = bool(self._untold) and not held_up
        if self._telling:
            self._loop.call_soon(self.microtasks.run, self._tell_next)
        elif not self._untold:
            self._idle.set()

    def _tell(self, answer: Answer, error: Exception | None) -> None:
        self._places.leave()
        try:
            answer(error)
        except Exception:  # it keeps nobody else from hearing
            log.exception("answer failed")
