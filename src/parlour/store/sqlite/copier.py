"""Copies SQLite's log into the database beside who writes.

SQLite syncs the database when the last of the log was copied, and nobody can write meanwhile. So
nearly all of it is copied and synced here first, which holds up nobody, and who writes is left with
what was logged meanwhile.
"""

from __future__ import annotations

import os

from parlour.store.sqlite.commit import connect


class Copier:
    """A connection of its own, for a thread that may wait for the disk."""

    def __init__(self, path: str, *, durable: bool) -> None:
        self._connection = connect(path, durable=durable, patient=False)
        # Open as long as any connection of this process is: closing it would give up their locks.
        self._file = os.open(path, os.O_RDWR | os.O_CLOEXEC) if durable else None

    def copy(self) -> None:
        """All that is in the log by now."""
        self._connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
        if self._file is not None:
            os.fsync(self._file)

    def close(self) -> None:
        """To be called when all others are closed."""
        self._connection.close()
        if self._file is not None:
            os.close(self._file)
