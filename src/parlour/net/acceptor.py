"""Takes connections from a listening socket, as far as there are slots for them.

The event loop's own server would do, but for two things: it makes a transport and a protocol before
anybody can say no, and when the process has no file left it closes what comes, or itself, without a
word.
"""

from __future__ import annotations

import asyncio
import errno
import socket
from collections.abc import Callable
from contextlib import suppress

import structlog

from parlour.net.admission import Admission, Slot
from parlour.net.errors import Problem
from parlour.net.handler import last_answer
from parlour.net.refusals import Refusals

BACKLOG = 2048
AT_ONCE = 32
"""Connections taken before everybody else has a turn."""
REST_SEC = 0.1
"""How long to wait before trying again when the system has nothing left for a connection."""

_EXHAUSTED = {errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM}

log = structlog.get_logger()


class Acceptor:
    """Accepts on one listening socket until it is closed."""

    def __init__(
        self,
        listening: socket.socket,
        protocol: Callable[[Slot], asyncio.Protocol],
        admission: Admission,
        refusals: Refusals,
    ) -> None:
        self._listening = listening
        self._protocol = protocol
        self._admission = admission
        self._refusals = refusals
        self._loop = asyncio.get_running_loop()
        self._opening: set[asyncio.Task[None]] = set()
        self._rest: asyncio.TimerHandle | None = None
        listening.setblocking(False)
        listening.listen(BACKLOG)
        # Connections inherit it: an answer goes out at once.
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._loop.add_reader(listening, self._accept)

    async def close(self) -> None:
        """Accepts no more; what was accepted is a connection when this returns."""
        if self._rest is not None:
            self._rest.cancel()
        self._loop.remove_reader(self._listening)
        await asyncio.gather(*self._opening)

    def _accept(self) -> None:
        for _ in range(AT_ONCE):
            try:
                connection, peer = self._listening.accept()
            except (BlockingIOError, InterruptedError):
                return
            except ConnectionAbortedError:
                continue  # it was gone before we had it
            except OSError as error:
                self._pause(error)
                return
            self._take(connection, peer[0])

    def _take(self, connection: socket.socket, host: str) -> None:
        try:
            slot = self._admission.admit(host)
        except Problem as problem:
            _turn_away(connection, problem)
            return
        connection.setblocking(False)
        task = self._loop.create_task(self._open(connection, slot))
        self._opening.add(task)
        task.add_done_callback(self._opening.discard)

    async def _open(self, connection: socket.socket, slot: Slot) -> None:
        try:
            await self._loop.connect_accepted_socket(lambda: self._protocol(slot), connection)
        except OSError:
            slot.release()
            connection.close()

    def _pause(self, error: OSError) -> None:
        """Whoever waits keeps waiting, while those who lose nothing make room."""
        self._refusals.note("accept", problem=error.strerror)
        self._loop.remove_reader(self._listening)
        if error.errno in _EXHAUSTED:
            for _ in range(AT_ONCE):
                self._admission.make_room()
        self._rest = self._loop.call_later(REST_SEC, self._resume)

    def _resume(self) -> None:
        self._loop.add_reader(self._listening, self._accept)


def _turn_away(connection: socket.socket, problem: Problem) -> None:
    """Says why, as far as that takes no waiting."""
    connection.setblocking(False)
    with connection, suppress(OSError):
        connection.send(last_answer(problem))
        connection.shutdown(socket.SHUT_WR)
