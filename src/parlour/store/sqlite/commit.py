"""The synchronous heart of the SQLite store: many changes in one transaction.

Whatever runs it (the store, or a simulation on its own clock) gets the same statements in the same
order, and may look on or interfere before every one of them.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from time import monotonic, sleep

from parlour.store.change import Change, Impossible, StoreError, Unavailable
from parlour.store.change.statement import Statement, Values
from parlour.store.change.steps import is_move, is_purchase, steps
from parlour.store.refusals import sqlite_refusal
from parlour.store.sqlite import moves

BUSY_S = 10.0
"""How long to wait for another process that writes to the same file."""

PAUSE_S = 0.002
"""How long to leave it alone in between."""

CHECKPOINT_PAGES = 16_000
"""When a commit copies the log into the database, if it was not copied between two groups."""

FEW_MOVES = 16
"""So many take less time than it takes to hand Python's lock to and fro for their statements."""

FEW_PURCHASES = 3
"""So many take less time one by one than in statements for many."""

Before = Callable[[str], None]
"""Called with each statement before it runs, and with AFTER_COMMIT when a commit is done.

Raising `sqlite3.OperationalError` there is a disk that fails; anything else passes through and
leaves the transaction open, as the end of the process would.
"""

AFTER_COMMIT = "-- committed"

UNFIT = (
    sqlite3.DataError,
    sqlite3.InterfaceError,
    sqlite3.ProgrammingError,
    OverflowError,
    UnicodeError,
)
"""A value is not of a kind that can be stored."""

# As they are: without a word from us the driver looks for methods of theirs, at every value.
sqlite3.register_adapter(bytes, bytes)
sqlite3.register_adapter(type(None), lambda none: none)


def connect(path: str | Path, *, durable: bool = True, patient: bool = True) -> sqlite3.Connection:
    """A connection as the store uses it; transactions are begun and ended by hand.

    `patient`: it waits by itself for others that write.
    """
    connection = sqlite3.connect(
        path,
        timeout=BUSY_S if patient else 0,
        isolation_level=None,
        check_same_thread=False,
        cached_statements=512,
    )
    connection.row_factory = sqlite3.Row
    _use_log(connection)
    connection.execute(f"PRAGMA synchronous = {'FULL' if durable else 'OFF'}")
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA temp_store = MEMORY")  # where statements keep what to undo
    connection.execute(f"PRAGMA wal_autocheckpoint = {CHECKPOINT_PAGES}")
    return connection


def _use_log(connection: sqlite3.Connection) -> None:
    """Switch the file to a write-ahead log, for good; SQLite itself does not wait its turn here."""
    give_up_at = monotonic() + BUSY_S
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError:
            if monotonic() > give_up_at:
                raise
            sleep(PAUSE_S)
        else:
            return


def commit(
    connection: sqlite3.Connection, changes: Sequence[Change], before: Before | None = None
) -> list[StoreError | None]:
    """Commit what can be committed of `changes` together; say for each what became of it."""
    group = Group(connection, changes, before)
    try:
        group.begin()
        return group.finish()
    except sqlite3.Error as error:
        group.abandon()
        return [Unavailable(str(error)) for _ in changes]


class Spoilt(Exception):
    """A change failed halfway: what it did must be undone."""


class Group:
    """One transaction over many changes, in two parts.

    `begin` takes little time, and never waits. `finish` is for a thread that may wait for the disk
    and for other processes; most of its time Python is free for others.
    """

    def __init__(
        self,
        connection: sqlite3.Connection,
        changes: Sequence[Change],
        before: Before | None = None,
    ) -> None:
        self._connection = connection
        self._changes = changes
        self._before = before
        self._execute = connection.execute if before is None else self._watched
        # By itself Python's lock is let go of once for it, as a statement several times.
        self._commit = connection.commit if before is None else partial(self._watched, "COMMIT")
        self._begun = False
        self._results: list[StoreError | None] = []
        self._moves: list[Change] = []

    def begin(self) -> None:
        """Make all but many moves. What is in the way is left to `finish`."""
        try:
            self._execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError as error:
            if not _busy(error):
                raise
            return
        many = sum(map(is_purchase, self._changes)) > FEW_PURCHASES
        try:
            self._moves, self._results = [], []
            for change in self._changes:
                if is_move(change) or (many and is_purchase(change)):
                    self._moves.append(change)
                    self._results.append(None)
                else:
                    self._results.append(self._make(change))
        except Spoilt:
            self._execute("ROLLBACK")
            return
        self._begun = True
        if len(self._moves) <= FEW_MOVES:
            self._make_moves_or_undo()

    def finish(self) -> list[StoreError | None]:
        """Make the moves, and everything durable; say for each change what became of it."""
        if self._begun:
            self._make_moves_or_undo()
        if not self._begun:
            self._start_over()
        self._commit()
        if self._before:
            self._before(AFTER_COMMIT)
        return self._results

    def finish_at_once(self) -> list[StoreError | None] | None:
        """Begin and commit a few changes without waiting for anybody; None if that cannot be."""
        self.begin()
        if not self._begun:
            return None
        self._commit()
        return self._results

    def abandon(self) -> None:
        """Give up after a failure; SQLite may have undone everything by itself."""
        with suppress(sqlite3.Error):
            self._connection.rollback()

    def _make_moves_or_undo(self) -> None:
        """Unless they were made; if one cannot be, nothing has begun."""
        waiting, self._moves = self._moves, []
        try:
            made = not waiting or moves.make(self._execute, waiting)
        except (sqlite3.IntegrityError, *UNFIT):
            made = False
        if not made:
            self._execute("ROLLBACK")
            self._begun = False

    def _start_over(self) -> None:
        """One by one; and with savepoints, should one fail when it is half made."""
        self._begin_patiently()
        try:
            self._results = [self._make(change) for change in self._changes]
        except Spoilt:
            self._execute("ROLLBACK")
            self._begin_patiently()
            self._results = [self._make_apart(change) for change in self._changes]

    def _begin_patiently(self) -> None:
        give_up_at = monotonic() + BUSY_S
        while True:
            try:
                self._execute("BEGIN IMMEDIATE")
            except sqlite3.OperationalError as error:
                if not _busy(error) or monotonic() > give_up_at:
                    raise
                sleep(PAUSE_S)
            else:
                return

    def _make(self, change: Change) -> StoreError | None:
        touched = False
        for statement, values in steps(change):
            if (error := self._step(statement, values)) is not None:
                if touched:
                    raise Spoilt
                return error
            touched = True
        return None

    def _make_apart(self, change: Change) -> StoreError | None:
        self._execute("SAVEPOINT change")
        for statement, values in steps(change):
            if (error := self._step(statement, values)) is not None:
                self._execute("ROLLBACK TO change")
                self._execute("RELEASE change")
                return error
        self._execute("RELEASE change")
        return None

    def _step(self, statement: Statement, values: Values) -> StoreError | None:
        try:
            if self._execute(statement.sqlite, values).rowcount > 0:
                return None
        except sqlite3.IntegrityError as error:
            return sqlite_refusal(error)
        except UNFIT as error:
            return Impossible(str(error))
        return statement.unmet() if statement.unmet else None

    def _watched(self, sql: str, values: Values = ()) -> sqlite3.Cursor:
        assert self._before is not None
        self._before(sql)
        return self._connection.execute(sql, values)


def _busy(error: sqlite3.Error) -> bool:
    """Whether another process is writing."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_BUSY
