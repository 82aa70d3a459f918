"""The synchronous heart of the SQLite store: many changes in one transaction.

Whatever runs it (the store, or a simulation on its own clock) gets the same statements in the same
order, and may look on or interfere before every one of them.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from time import monotonic, sleep

from parlour.store.change import Change, Impossible, StoreError, Unavailable
from parlour.store.change.statement import Statement, Values
from parlour.store.change.steps import kind_of, steps
from parlour.store.refusals import sqlite_refusal
from parlour.store.sqlite import moves

BUSY_S = 10.0
"""How long to wait for another process that writes to the same file."""

PAUSE_S = 0.002
"""How long to leave it alone in between."""

CHECKPOINT_PAGES = 16_000
"""When a commit copies the log into the database, if it was not copied between two groups."""

FEW_ALIKE = 3
"""So many purchases or endings take less time one by one than in statements for many."""

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
        results = group.at_once()
        return group.patiently() if results is None else results
    except sqlite3.Error as error:
        group.abandon()
        return [Unavailable(str(error)) for _ in changes]


class Spoilt(Exception):
    """A change failed halfway: what it did must be undone."""


class Group:
    """One transaction over many changes."""

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

    def at_once(self) -> list[StoreError | None] | None:
        """Make and commit the changes without waiting for anybody; what became of each.

        None: that cannot be, as another process writes or one of them cannot be made, and nothing
        was changed.
        """
        try:
            self._execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError as error:
            if not _busy(error):
                raise
            return None
        results = self._made_together()
        if results is None:
            self._execute("ROLLBACK")
            return None
        return self._committed(results)

    def patiently(self) -> list[StoreError | None]:
        """One by one, once others have written; with savepoints, should one fail half made."""
        self._begin_patiently()
        try:
            results = [self._make(change) for change in self._changes]
        except Spoilt:
            self._execute("ROLLBACK")
            self._begin_patiently()
            results = [self._make_apart(change) for change in self._changes]
        return self._committed(results)

    def _committed(self, results: list[StoreError | None]) -> list[StoreError | None]:
        self._commit()
        if self._before:
            self._before(AFTER_COMMIT)
        return results

    def _made_together(self) -> list[StoreError | None] | None:
        """Moves, purchases and endings many at a time, others one by one; None: one cannot be."""
        changes = self._changes
        kinds = [kind_of(change) for change in changes]
        counts = Counter(kinds)
        many = {kind for kind in counts if kind is not None and counts[kind] > FEW_ALIKE} | {"move"}
        together: list[Change] = []
        results: list[StoreError | None] = [None] * len(changes)
        try:
            for place, (change, kind) in enumerate(zip(changes, kinds, strict=True)):
                if kind in many:
                    together.append(change)
                else:
                    results[place] = self._make(change)
            made = not together or moves.make(self._execute, together)
        except (Spoilt, sqlite3.IntegrityError, *UNFIT):
            return None
        return results if made else None

    def abandon(self) -> None:
        """Give up after a failure; SQLite may have undone everything by itself."""
        with suppress(sqlite3.Error):
            self._connection.rollback()

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
