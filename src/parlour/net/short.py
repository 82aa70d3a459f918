"""Requests by short ways, turn by turn of the event loop."""

from __future__ import annotations

from asyncio import AbstractEventLoop, Transport
from typing import Protocol

import structlog
from uvicorn.protocols.http.httptools_impl import RequestResponseCycle

from parlour.microtasks import Microtasks
from parlour.net.pages import Headers
from parlour.net.short_ways import Shortcut, ShortWay, ShortWays

log = structlog.get_logger()


class Connection(Protocol):
    """Who is asked, and answers."""

    loop: AbstractEventLoop
    transport: Transport

    def go_by(self, way: ShortWay, cycle: RequestResponseCycle) -> None:
        """A whole request is answered by a short way, or else as any other."""
        ...

    def flush(self) -> None:
        """Write what was said by a short way."""
        ...


class Short:
    """What all connections need to answer by short ways.

    Requests that came in one turn of the event loop are acted on when all of them were read, and
    answers are written when all of that is done, as with lines (see line.py).
    """

    def __init__(
        self, ways: ShortWays, cut: Shortcut, microtasks: Microtasks, headers: Headers
    ) -> None:
        """`headers`: those that every answer of the application has."""
        self.ways = ways
        self.cut = cut
        self._microtasks = microtasks
        self.headers = b"".join(b"%s: %s\r\n" % header for header in headers)
        self._always: Headers = []
        self._always_lines = b""
        self._came: list[tuple[Connection, ShortWay, RequestResponseCycle]] = []
        self._said: list[Connection] = []

    def lines_of(self, always: Headers) -> bytes:
        """Headers that every answer of the server has, as they go out: others once a second."""
        if always is not self._always:
            self._always = always
            self._always_lines = b"".join(b"%s: %s\r\n" % header for header in always)
        return self._always_lines

    def came(self, asked: Connection, way: ShortWay, cycle: RequestResponseCycle) -> None:
        """A request is there that may be answered so."""
        if not self._came:
            asked.loop.call_soon(self._microtasks.run, self._try)
        self._came.append((asked, way, cycle))

    def said(self, by: Connection) -> None:
        """A connection has something to write."""
        if not self._said:
            self._microtasks.put_off(by.loop, self._write)
        self._said.append(by)

    def _try(self) -> None:
        came, self._came = self._came, []
        for asked, way, cycle in came:
            try:
                asked.go_by(way, cycle)
            except Exception:
                log.exception("request failed")
                asked.transport.abort()

    def _write(self) -> None:
        said, self._said = self._said, []
        for connection in said:
            connection.flush()
