"""Who serves a SQLite file: one server, or several that can hear each other.

A lock of the operating system on a file beside the database, so that it goes with the process,
however that ends. Not on the database itself: closing a handle to that drops SQLite's own locks.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager

from parlour.store.change import Unavailable
from parlour.store.migrate import sqlite_path


@contextmanager
def serving(url: str, *, alone: bool) -> Iterator[None]:
    """Hold the file of that address while this lasts, `alone` or with others that are not.

    Raises `Unavailable` if another server stands in the way. Other databases need no holding.
    """
    path = sqlite_path(url) if url.startswith("sqlite:") else ""
    if not path:
        yield
        return
    path = os.path.realpath(path)  # the same for everyone, through whatever links they come
    try:
        handle = os.open(f"{path}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    except OSError as error:
        raise Unavailable(f"cannot open the database: {error}") from error
    try:
        _hold(handle, path, alone=alone)
        yield
    finally:
        os.close(handle)


def _hold(handle: int, path: str, *, alone: bool) -> None:
    try:
        fcntl.flock(handle, (fcntl.LOCK_EX if alone else fcntl.LOCK_SH) | fcntl.LOCK_NB)
    except BlockingIOError:
        holder = os.pread(handle, 20, 0).decode(errors="replace").strip() or "unknown"
        raise Unavailable(
            f"another server (process {holder}) serves {path} already: stop it, or set another "
            "DATABASE_URL; several servers on one database need PostgreSQL"
        ) from None
    os.ftruncate(handle, 0)
    os.pwrite(handle, f"{os.getpid()}\n".encode(), 0)
