"""The store in one SQLite file: one transaction after the other, and reads beside them.

Laws:

* Changes are written by the event loop, in transactions that do not wait for the disk, and synced
  by a process of its own (log.py). One group of them is under way at a time; what is asked for
  meanwhile makes up the next. Unless that is full it is begun when those of the last were told; if
  these were many, when they had the time to answer, so that they share its transaction.
* Who is patient waits for others of the kind, and holds up nobody: they are written when nobody
  else has anything to write, a few in a turn of the loop, and synced when all are, or together with
  others. Each has a turn when it is told, but none while others wait for the disk. After
  `LONGEST_PATIENCE_S` they wait no longer.
* What is told is on disk, and so is what is read: a read that comes before a sync waits for it.
  Reads of other processes would not, so where a file is shared every commit waits for the disk.
* A sync that failed may have left a gap in the log, behind which nothing would be found again.
  Until all of it is copied nothing more is written; nor after a commit that failed, as nobody knows
  whether it was made.
* The log is copied into the database beside what goes on (copier.py). What is written meanwhile the
  writer copies itself, between two groups: the first is told meanwhile, and only what comes then
  waits for it.
* What takes microseconds runs on the event loop's thread. What may have to wait, for another
  process that writes or until the log is copied, runs on a thread of its own, which is lent the
  connection for as long.
* A read that turns out to take longer, or is known to, runs beside as well.
"""

from __future__ import annotations

import asyncio
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
from parlour.store.change import Change, Unavailable, Withdrawn
from parlour.store.change.statement import Values
from parlour.store.migrate import migrate_sqlite, sqlite_path
from parlour.store.sqlite.commit import Group, connect
from parlour.store.sqlite.copier import Copier
from parlour.store.sqlite.log import Log
from parlour.store.sqlite.reads import LongReads, ShortReads
from parlour.store.texts import Texts

log = structlog.get_logger()

GROUP_LIMIT = 250
"""So many changes share a transaction at most: while they are synced the last are answered."""

CACHE_KIB = 16 * 1024
"""How much of the database is kept in memory for who writes."""

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

Waiting = tuple[Change, Answer]
Results = Sequence[Exception | None]
Written = list[tuple[Waiting, Exception | None]]
"""Who waits to be told, and what became of each."""


class SqliteStore(Store):
    """Everything that waits is committed as one transaction, so many players share one sync."""

    def __init__(self, url: str, *, shared: bool = False) -> None:
        super().__init__(TEXTS)
        self._shared = shared
        self._path = sqlite_path(url)
        self._durable = bool(self._path)
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._short: ShortReads | None = None
        self._long: LongReads | None = None
        self._reported: set[str] = set()
        self._writer: sqlite3.Connection | None = None
        self._thread: Thread | None = None
        self._open = False
        self._copier: Copier | None = None
        self._copied_at = 0
        """How many rows the writer had written when the log was last copied."""
        self._copying = False
        """Whether the log is being copied beside the writer."""
        self._rest_to_copy = False
        """Whether it was, and the writer is to copy what came meanwhile."""
        self._loop: asyncio.AbstractEventLoop
        """Kept: asking for it takes as long as all else a commit does here."""
        self._waiting: list[Waiting] = []
        self._patient: list[Waiting] = []
        self._patience: asyncio.TimerHandle | None = None
        """Until when they wait for others of the kind, and then let others go first."""
        self._ready = False
        """Whether they go as soon as nobody else does."""
        self._written: Written = []
        """Those who wait for the next sync."""
        self._reading: list[asyncio.Future[None]] = []
        """Reads that wait for it as well, as they may have seen what was written."""
        self._unsynced: list[asyncio.Future[None]] | None = None
        """Reads that wait for the sync under way; None: there is none."""
        self._log: Log | None = None
        self._torn = False
        """A sync has failed, and not all of the log was copied since."""
        self._hurried = False
        """Whether what is under way is for others than the patient."""
        self._untold: deque[tuple[Answer, Exception | None]] = deque()
        self._telling = False
        self._under_way = False
        self._idle = asyncio.Event()
        self._handed: SimpleQueue[tuple[Callable[[], Results], Callable[[Results], None]] | None]
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
        self._copier = Copier(self._path, durable=self._durable)
        if self._durable and not self._shared:
            self._log = Log(self._path)
        self._loop = asyncio.get_running_loop()
        self._thread = Thread(target=self._finish_all, name="store", daemon=True)
        self._thread.start()
        self._open = True

    def _connected(self) -> sqlite3.Connection:
        writer = connect(self._path, durable=self._durable, patient=False)
        writer.execute(f"PRAGMA cache_size = -{CACHE_KIB}")
        if self._durable:
            writer.execute("PRAGMA synchronous = NORMAL")  # `Log` syncs
        return writer

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
        for connection in (self._short, self._writer, self._copier):
            if connection is not None:
                connection.close()
        if self._log is not None:
            self._log.close()
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

    def withdraw(self, change: Change) -> bool:
        for place, (waiting, answer) in enumerate(self._waiting):
            if waiting is change:
                del self._waiting[place]
                self._tell(answer, Withdrawn())
                return True
        return False

    def _hand_over(self, change: Change, answer: Answer) -> None:
        if not change.patient:
            self._waiting.append((change, answer))
            if not self._under_way:
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
        """Unless a group is under way: all that is asked for meanwhile goes together."""
        if not self._under_way:
            self._under_way = True
            self.microtasks.put_off(self._loop, self._next_group)

    async def rows(self, query: Executable, /, **params: Any) -> Sequence[Record]:
        if not self._open or self._short is None:
            raise Unavailable("the store is closed")
        sql, values = self.compiled(query, params)
        found = self._short.rows(sql, values)
        if found is not None:
            await self._settled()
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
        await self._settled()
        return found

    async def _settled(self) -> None:
        """Until all that was written before is on disk."""
        waiting = self._reading if self._written else self._unsynced
        if waiting is not None:
            synced = self._loop.create_future()
            waiting.append(synced)
            await synced

    def _report_overlong(self, sql: str) -> None:
        """Once for each query: it lacks an index, or belongs beside from the start."""
        self.overlong_reads += 1
        if sql not in self._reported:
            self._reported.add(sql)
            log.warning("overlong read", sql=sql)

    # --- groups -------------------------------------------------------------------------------

    def _next_group(self) -> None:
        """Write what waits and have it synced; or some of the patient; else rest."""
        self._hurried = bool(self._waiting)
        if self._torn:
            self._lend([], self._mended)
        elif self._hurried:
            group, self._waiting = self._waiting[:GROUP_LIMIT], self._waiting[GROUP_LIMIT:]
            if self._write(group):
                self._sync()
        elif self._ready:
            portion = self._patient[:PORTION]
            self._leave_patients(portion)
            if self._write(portion):
                self._loop.call_soon(self._next_group)
        elif self._written:
            self._sync()
        else:
            self._under_way = False
            self._idle.set()

    def _write(self, group: list[Waiting]) -> bool:
        """Whether these wait for a sync now; if something is in the way it is the thread's."""
        assert self._writer is not None
        changes = [change for change, _ in group]
        work = Group(self._writer, changes)
        try:
            results = None if self._shared else work.at_once()
        except Exception as error:  # noqa: BLE001 (whoever waits must hear of it)
            self._torn |= isinstance(error, sqlite3.Error)  # it may have been made all the same
            self._lend(group, partial(self._failed, changes, error))
            return False
        if results is None:
            self._lend(group, partial(self._made_beside, work, changes))
            return False
        self._written += zip(group, results, strict=True)
        return True

    def _sync(self) -> None:
        """Have on disk what was written."""
        written, self._written = self._written, []
        self._unsynced, self._reading = self._reading, []
        synced = partial(self._synced, written)
        if self._log is None:
            self._loop.call_soon(synced, None)
        else:
            self._log.sync(synced)

    def _synced(self, written: Written, error: OSError | None) -> None:
        if error is not None:
            log.warning("log not synced", problem=str(error))
            self._torn = True
            lost = Unavailable(str(error))
            written = [(each, result or lost) for each, result in written]
        self.microtasks.run(self._answer, written)

    def _leave_patients(self, gone: list[Waiting]) -> None:
        """These are patient no longer."""
        self._patient = self._patient[len(gone) :]
        if not self._patient:
            self._patients()

    def _lend(self, group: list[Waiting], finish: Callable[[], Results]) -> None:
        """The thread has the connection until it is done with these."""
        self._handed.put((finish, partial(self._returned, group)))

    def _returned(self, group: list[Waiting], results: Results) -> None:
        self._answer(list(zip(group, results, strict=True)))

    # What the thread does:

    def _finish_all(self) -> None:
        while (handed := self._handed.get()) is not None:
            work, done = handed
            self._loop.call_soon_threadsafe(self.microtasks.run, done, work())

    def _made_beside(self, group: Group, changes: Sequence[Change]) -> Results:
        """However long others write; with a sync of its own, before which nobody can read it."""
        try:
            self._wait_for_disk(True)
            results = group.at_once()
            if results is None:
                results = group.patiently()
            self._wait_for_disk(False)
        except Exception as error:  # noqa: BLE001 (whoever waits must hear of it)
            return self._failed(changes, error)
        return results

    def _wait_for_disk(self, wanted: bool) -> None:
        """Whether a commit syncs the log by itself."""
        assert self._writer is not None
        if self._durable:
            self._writer.execute(f"PRAGMA synchronous = {'FULL' if wanted else 'NORMAL'}")

    def _failed(self, changes: Sequence[Change], error: Exception) -> Results:
        """Undo it, and go on with a fresh connection, lest this one does not get over it."""
        assert self._writer is not None
        with suppress(sqlite3.Error):
            self._writer.rollback()
        with suppress(sqlite3.Error):
            fresh = self._connected()
            self._writer.close()
            self._writer = fresh
        if isinstance(error, sqlite3.Error):
            self._torn |= bool(self._written)  # it may have been the sync that these wait for
            return [Unavailable(str(error)) for _ in changes]
        return [error for _ in changes]

    def _mended(self) -> Results:
        """Have all of the log on disk where it belongs, after a sync that failed."""
        assert self._writer is not None
        with suppress(sqlite3.Error):
            busy, logged, copied = self._writer.execute("PRAGMA wal_checkpoint(FULL)").fetchone()
            self._torn = bool(busy) or logged != copied
        return ()

    def _copied(self) -> Results:
        """Copy the rest of the log; if that fails it is tried again, or else done by a commit."""
        assert self._writer is not None
        with suppress(sqlite3.Error):
            self._writer.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
        return ()

    def _copied_beside(self) -> Results:
        """Copy what is in the log by now; if that fails it is all left to the writer."""
        assert self._copier is not None
        with suppress(sqlite3.Error, OSError):
            self._copier.copy()
        return ()

    # What the loop does:

    def _copy_if_due(self) -> None:
        """Begin to copy the log, beside what goes on."""
        assert self._writer is not None
        written = self._writer.total_changes
        if 0 <= written - self._copied_at < COPY_ROWS or self._copying or self._torn:
            return
        self._copied_at, self._copying = written, True
        self._handed.put((self._copied_beside, self._nearly_copied))

    def _nearly_copied(self, _: Results) -> None:
        """If nothing was written meanwhile it is copied whole, and there is nobody to tell."""
        self._copying, self._rest_to_copy = False, True

    def _answer(self, answers: Written) -> None:
        goes_on = False
        self._let_readers_go()
        self._copy_if_due()
        if self._torn and not answers:
            self._refuse_all()
        elif self._rest_to_copy and not self._torn:
            self._rest_to_copy = False
            self._lend([], self._copied)
        elif len(self._waiting) >= GROUP_LIMIT:
            self._next_group()  # as it is full it is synced meanwhile
        elif len(answers) >= MANY_TOLD and self._hurried and self._waiting:
            self._loop.call_soon(self._linger, TURNS_TO_ANSWER)
        else:
            goes_on = True
        for (change, answer), error in answers:
            if not change.patient:
                self._tell(answer, error)
                continue
            self._untold.append((answer, error))
        if goes_on:
            # Behind what those who were told are sent: what they answer goes with it.
            self.microtasks.put_off(self._loop, self._next_group)
        if self._untold and not self._telling:
            self._telling = True
            self._loop.call_soon(self.microtasks.run, self._tell_next)

    def _let_readers_go(self) -> None:
        """What they read is on disk; or nobody knows, and who made it hears so."""
        waiting, self._unsynced = self._unsynced, None
        for synced in waiting or ():
            if not synced.done():
                synced.set_result(None)

    def _refuse_all(self) -> None:
        """The log has a gap that could not be mended; whoever comes next has it tried again."""
        refused = [*self._written, *((each, None) for each in (*self._waiting, *self._patients()))]
        self._written, self._waiting = [], []
        self._unsynced, self._reading = self._reading, []
        self._let_readers_go()
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

        While others wait for the disk none is told: they would be told later by as much.
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
