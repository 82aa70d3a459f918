"""SQLite's log on its way to the disk.

What waits for the disk must not hold up the event loop. A thread would have to have Python's lock
before and after each sync, and so wait for the loop, or the loop for it. A process need not
(ADR 69).

Laws:

* One sync at a time is asked for. Who asked hears once how it ended, from the event loop.
* If the process dies meanwhile nobody knows whether the sync was made: then it has failed.
* Without a process the log is synced by a thread: so it is for a second at first, as starting one
  takes the processor while others wait for the server.
"""

from __future__ import annotations

import asyncio
import errno
import os
import socket
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from time import monotonic

import structlog

COMMAND = (sys.executable, "-I", "-S", str(Path(__file__).with_name("syncer.py")))
RING = (1).to_bytes(8, sys.byteorder)
START_AFTER_S = 1.0
LIVES_S = 10.0
"""A process that dies sooner than this is not replaced."""

sync_file = getattr(os, "fdatasync", os.fsync)

log = structlog.get_logger()

Done = Callable[[OSError | None], None]
"""Hears that all that was written before is on disk, or why not."""


class Log:
    """The file of a database's log; it is the same as long as somebody has the database open."""

    def __init__(self, path: str) -> None:
        self._file = os.open(f"{path}-wal", os.O_RDWR | os.O_CLOEXEC)
        self._loop = asyncio.get_running_loop()
        self._socket: socket.socket | None = None
        self._bell: tuple[int, int] = (-1, -1)
        """What wakes the process up: where it looks, and where it is rung."""
        self._process: subprocess.Popen[bytes] | None = None
        self._started_at = 0.0
        self._done: Done | None = None
        """Who waits for the sync that is under way."""
        self._starting = self._loop.call_later(START_AFTER_S, self.start)

    @property
    def process_id(self) -> int | None:
        """Of the process that syncs; None: a thread does."""
        return None if self._process is None else self._process.pid

    def sync(self, done: Done) -> None:
        """Have on disk what was written until now."""
        if self._socket is None:
            synced = self._loop.run_in_executor(None, sync_file, self._file)
            synced.add_done_callback(partial(_tell, done))
            return
        self._done = done
        os.write(self._bell[1], RING)  # if nobody is there any more the socket says so

    def start(self) -> None:
        """Have a process sync from now on."""
        self._starting.cancel()
        self._started_at = monotonic()
        ours, theirs = socket.socketpair()
        self._bell = _bell()
        with theirs:
            try:
                self._process = subprocess.Popen(  # noqa: S603 (a program of our own)
                    (*COMMAND, str(self._file), str(self._bell[0])),
                    stdin=theirs.fileno(),
                    stdout=subprocess.DEVNULL,
                    pass_fds=(self._file, self._bell[0]),
                    process_group=0,
                )
            except OSError as error:
                log.warning("log is synced by a thread", problem=str(error))
                self._let_go(ours)
                return
        ours.setblocking(False)
        self._socket = ours
        self._loop.add_reader(ours, self._hear)

    def close(self) -> None:
        """Nothing is under way, and nothing will be."""
        self._starting.cancel()
        self._end()
        os.close(self._file)

    def _hear(self) -> None:
        assert self._socket is not None
        try:
            told = self._socket.recv(1)
        except BlockingIOError:
            return
        except OSError:
            told = b""
        if not told:
            self._died()
        elif self._done is not None:
            done, self._done = self._done, None
            done(OSError(told[0], os.strerror(told[0])) if told[0] else None)

    def _died(self) -> None:
        if self._socket is None:
            return
        self._end()
        replaced = monotonic() - self._started_at > LIVES_S
        log.warning("process that synced the log died", replaced=replaced)
        if replaced:
            self.start()
        if self._done is not None:
            done, self._done = self._done, None
            done(OSError(errno.EIO, "the process that syncs died"))

    def _end(self) -> None:
        if self._socket is not None:
            self._loop.remove_reader(self._socket)
            self._let_go(self._socket)
        if self._process is not None:
            self._process.kill()  # it has nothing to do
            self._process.wait()
        self._socket = self._process = None

    def _let_go(self, ours: socket.socket) -> None:
        ours.close()
        for end in {*self._bell}:
            os.close(end)


def _bell() -> tuple[int, int]:
    """Where eight bytes can be read once they were written: one descriptor, or two.

    By one of its own kind Linux wakes who waits wherever there is room. By a socket or a pipe it
    would do so where the event loop runs, as if that were about to rest, and there the process
    would have to wait for it.
    """
    if sys.platform == "linux":
        bell = os.eventfd(0, os.EFD_CLOEXEC)
        return bell, bell
    return os.pipe()


def _tell(done: Done, synced: asyncio.Future[None]) -> None:
    error = synced.exception()
    done(error if isinstance(error, OSError) or error is None else OSError(str(error)))
