"""One HTTP connection: uvicorn's protocol class, with bounds on what a client may send and when.

It continues the class in a few places and replaces its timers by one of its own. The laws:

- What has come in of a request and is not yet with the application is bounded in bytes; so is the
  number of requests that wait for their turn.
- The head, the body and the taking of the answer each have their time. The client's time does not
  run while it waits for us.
- A refusal is answered in its turn, and then what still comes is read and thrown away for a while:
  closing on data that nobody read would make the client's system forget our answer.
- A client that goes away is no failure: the application is told, and nobody else.
"""

from __future__ import annotations

from asyncio import AbstractEventLoop, BaseTransport, TimerHandle
from enum import Enum
from math import inf
from typing import Any, cast

import httptools
from msgspec import Struct
from uvicorn.config import Config
from uvicorn.protocols.http.httptools_impl import (
    STATUS_LINE,
    HttpToolsProtocol,
    RequestResponseCycle,
)
from uvicorn.server import ServerState

from parlour.net.admission import Slot
from parlour.net.errors import Problem
from parlour.net.handler import last_answer
from parlour.net.handshake import Opening, opening_key, socket_scope
from parlour.net.line import Line, Lines
from parlour.net.pages import Headers
from parlour.net.refusals import Refusals
from parlour.net.short import Short
from parlour.net.short_ways import ShortWay
from parlour.net.surface import PLAIN, Mounts


class HttpLimits(Struct, frozen=True, kw_only=True):
    """What a client may send, and how long it may take."""

    url_bytes: int = 8 * 1024
    headers: int = 100
    head_bytes: int = 32 * 1024
    body_bytes: int = 512 * 1024
    """As it comes over the wire, where in chunks of single bytes a body is six times its size."""
    pipelined: int = 32
    """Requests that wait while one is answered; after so many the connection is closed."""
    head_sec: float = 10.0
    """From connecting, or from the first byte of a next request."""
    body_sec: float = 30.0
    idle_sec: float = 30.0
    """Between two requests."""
    take_sec: float = 30.0
    """How long a client may take nothing of what it is sent."""
    linger_sec: float = 10.0
    linger_bytes: int = 32 * 2**20

    @property
    def shortest_sec(self) -> float:
        """Looking at the clock this often, no deadline is missed that is set meanwhile."""
        return min(self.head_sec, self.body_sec, self.idle_sec, self.take_sec, self.linger_sec)


class Stage(Enum):
    """What is to come next."""

    BETWEEN = "a request"
    HEAD = "more of a head"
    BODY = "more of a body"


_BETWEEN, _HEAD, _BODY = Stage


class _Stop(Exception):
    """Ends the parser's work from within one of its callbacks."""


class HttpConnection(HttpToolsProtocol):
    """A connection, until it is lost or becomes a socket's `Line`."""

    # Beside uvicorn's attributes these would make each connection's dictionary one of its own.
    __slots__ = (
        "_deaf",
        "_due",
        "_held",
        "_leaving",
        "_limits",
        "_lines",
        "_lingering",
        "_mounts",
        "_owed",
        "_piece",
        "_proven",
        "_received",
        "_refusals",
        "_refused_as",
        "_short",
        "_slot",
        "_spare",
        "_stage",
        "_timer",
        "_trailers",
        "_unsaid",
        "_unsent",
        "_verdict",
        "_whole",
    )

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        loop: AbstractEventLoop,
        *,
        slot: Slot,
        lines: Lines,
        limits: HttpLimits,
        refusals: Refusals,
        mounts: Mounts,
        short: Short,
    ) -> None:
        super().__init__(config, server_state, app_state, loop)
        self._short = short
        self._held: ShortWay | None = None
        """By which the request may be answered whose body is still to come."""
        self._slot = slot
        self._lines = lines
        self._limits = limits
        self._refusals = refusals
        self._mounts = mounts
        self._stage = _BETWEEN
        self._owed = 0
        """Requests whose head came in whole, and that have not been answered."""
        self._proven = False
        """Whether a head came in whole at all."""
        self._whole = False
        """Whether a request was completed by the piece of data in hand."""
        self._received = 0
        """Bytes of the present stage; 0 when it has only just begun."""
        self._piece = 0
        """Bytes of the piece of data in hand."""
        self._trailers = 0
        self._refused_as: str | None = None
        self._deaf = False
        """Nothing more is taken in; after what is owed has been answered, `_verdict` is said."""
        self._verdict = b""
        self._leaving = False
        self._lingering = False
        self._spare = limits.linger_bytes
        self._due = 0.0
        self._unsaid = b""
        """Answers of this turn of the loop, which are not written yet."""
        self._unsent: float = inf
        self._timer: TimerHandle | None = None

    # --- beginning and end

    def connection_made(self, transport: BaseTransport) -> None:
        super().connection_made(cast("Any", transport))  # uvloop's are no subclasses of asyncio's
        self._slot.unproven(self.transport.abort)
        self._due = self.loop.time() + self._limits.head_sec
        self._timer = self.loop.call_later(self._limits.shortest_sec, self._tick)

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_timer()
        self._slot.release()
        self._unsaid = b""
        super().connection_lost(exc)
        asked: RequestResponseCycle | None = cast("Any", self.cycle)  # none before the first
        if asked is not None and asked.response_complete:
            asked.transport = self.transport  # they would hold each other

    def shutdown(self) -> None:
        """The server stops. A request that has not arrived is not waited for."""
        self.flush()
        if self._lingering:
            self.transport.abort()
        elif self._stage is _BODY and not self.pipeline and not self.cycle.response_started:
            self._dismiss()
            self.transport.write(self._answer("UNAVAILABLE"))
            self.transport.close()
        else:
            super().shutdown()

    def _upgrade(self, early: bytes) -> None:
        """`early`: what followed the request."""
        if not self._should_upgrade():
            # It is answered as if it had not asked, but where the next request begins is unknown.
            self.cycle.keep_alive = False
            self._deaf = True
        elif self._owed:
            self._refuse("MALFORMED_REQUEST")
        else:
            self._open_line(early)

    def _open_line(self, early: bytes) -> None:
        """From here on the connection is a line's."""
        self._stop_timer()
        self._slot.settle()
        self.connections.discard(self)
        line = Line(self._lines, self.transport, self._slot)
        self.transport.set_protocol(line)
        scope = cast("dict[str, Any]", self.scope)
        always = self.server_state.default_headers
        try:
            key = opening_key(scope["method"], scope["http_version"], self.headers)
            told = socket_scope(scope, self.url, line)
        except Problem as problem:
            self._refusals.note(_WHY[problem.code])
            line.refuse(last_answer(problem, PLAIN, always))
        else:
            if early:
                line.data_received(early)
            self._lines.spawn(Opening(line, key, always).run(self.app, told))
        # It refers back to us, and an idle socket would weigh what both do.
        del self.parser

    # --- coming in

    def data_received(self, data: bytes) -> None:
        if self._deaf or self._leaving:
            self._throw_away(len(data))
            return
        if self._unsaid:
            self.flush()  # before whatever this leads to
        self._whole = False
        self._piece = len(data)
        try:
            self.parser.feed_data(data)
        except httptools.HttpParserUpgrade as found:
            self._upgrade(data[found.args[0] :])
            return
        except httptools.HttpParserError:
            if not self._deaf:
                self._refuse(self._refused_as or "MALFORMED_REQUEST")
            return
        if self._stage is not _BETWEEN or not self._whole:
            self._measure()

    def _measure(self) -> None:
        """Something incomplete is left: how much has come of it, and until when may the rest?"""
        if self._received == 0:
            self._allow_time()
        # How much of a piece that completed a request belongs to the next, nobody says.
        self._received += 1 if self._whole else self._piece
        if self._stage is _BODY:
            if self._received > self._limits.body_bytes:
                self._refuse("BODY_TOO_LARGE")
        elif self._received > self._limits.head_bytes:
            self._refuse("HEADERS_TOO_LARGE")

    def _weigh_head(self) -> None:
        """As much has come as makes a head too large; what of it is not the head, nobody says."""
        if sum(len(name) + len(value) for name, value in self.headers) > self._limits.head_bytes:
            self._stop("HEADERS_TOO_LARGE")

    def _allow_time(self) -> None:
        if self._stage is _BODY:
            self._due = self.loop.time() + self._limits.body_sec
        elif self._stage is _HEAD and self._proven:
            self._due = self.loop.time() + self._limits.head_sec

    def _throw_away(self, size: int) -> None:
        self._spare -= size
        if self._spare < 0:
            self.flow.pause_reading()

    # --- the parser's callbacks

    def on_message_begin(self) -> None:
        if len(self.pipeline) >= self._limits.pipelined:
            self.cycle.keep_alive = False
            self._deaf = True
            raise _Stop
        super().on_message_begin()
        self._stage = _HEAD
        self._received = 0
        self._trailers = 0

    def on_url(self, url: bytes) -> None:
        self.url += url
        if len(self.url) > self._limits.url_bytes:
            self._stop("URL_TOO_LONG")

    def on_header(self, name: bytes, value: bytes) -> None:
        if self._stage is _HEAD:
            name = name.lower()
            if name == b"expect" and value.lower() == b"100-continue":
                self.expect_100_continue = True
            self.headers.append((name, value))
        else:
            # What trails a body is no header: the request has been judged by those it began with.
            self._trailers += 1
        if len(self.headers) + self._trailers > self._limits.headers:
            self._stop("HEADERS_TOO_LARGE")

    def on_headers_complete(self) -> None:
        if self._received + self._piece > self._limits.head_bytes:
            self._weigh_head()
        before = self.cycle
        super().on_headers_complete()
        if self.cycle is not before:
            # The exchange writes and closes through us.
            self.cycle.transport = cast("Any", self)
            self._owed += 1
        self._proven = True
        self._stage = _BODY
        self._received = 0

    def on_message_complete(self) -> None:
        super().on_message_complete()
        self._stage = _BETWEEN
        self._whole = True
        self._received = 0
        if self._owed:
            self._slot.busy()
        else:
            self._rest()
        if (way := self._held) is not None:
            self._held = None
            self._short.came(self, way, self.cycle)

    def _stop(self, code: str) -> None:
        self._refused_as = code
        raise _Stop

    # --- short ways

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: Any) -> None:
        """Not yet, if it might be answered without: that is seen when all of it is there."""
        self._held = None if cycle.waiting_for_100_continue else self._short.ways.find(cycle.scope)
        if self._held is None:
            super()._start_asgi_task(cycle, app)

    def go_by(self, way: ShortWay, cycle: RequestResponseCycle) -> None:
        """A whole request is answered by a short way, or else as any other."""
        held_back = self.flow.write_paused or cycle.disconnected
        exchange = _Exchange(self, cycle)
        if held_back or not self._short.cut.take(way, cycle.scope, bytes(cycle.body), exchange):
            super()._start_asgi_task(cycle, self.app)

    def answered(
        self, cycle: RequestResponseCycle, status: int, headers: Headers, body: bytes
    ) -> None:
        """A whole answer, as the exchange would have written it."""
        if cycle.disconnected:
            return
        lines = [
            STATUS_LINE[status],
            self._short.lines_of(self.server_state.default_headers),
            b"content-type: application/json\r\ncontent-length: %d\r\n" % len(body),
            *(b"%s: %s\r\n" % header for header in headers),
            self._short.headers,
        ]
        if not cycle.keep_alive:
            lines.append(b"connection: close\r\n")
        answer = b"".join((*lines, b"\r\n", body))
        if self._unsaid:
            self._unsaid += answer
        else:
            self._unsaid = answer
            self._short.said(self)
        cycle.response_started = cycle.response_complete = True
        if not cycle.keep_alive:
            self.close()
        self.on_response_complete()

    # --- for the exchange: its transport

    def write(self, data: bytes) -> None:
        """A part of an answer."""
        self.flush()
        self.transport.write(data)

    def flush(self) -> None:
        """Write what was said by a short way."""
        unsaid, self._unsaid = self._unsaid, b""
        if unsaid:
            self.transport.write(unsaid)

    def is_closing(self) -> bool:
        """Whether what is written now would go nowhere."""
        return self._leaving or self.transport.is_closing()

    def close(self) -> None:
        """After this answer there is no other."""
        self.flush()
        if self._leaving:
            return
        if self._stage is not _BETWEEN or self._deaf:
            self._leave(b"")
            return
        self._leaving = True
        self._due = self.loop.time() + self._limits.take_sec
        self.transport.close()

    def on_response_complete(self) -> None:
        self.server_state.total_requests += 1
        self._owed -= 1
        if self.is_closing():
            return
        if not self._deaf:
            self.flow.resume_reading()
        if self.pipeline:
            super()._start_asgi_task(*self.pipeline.pop())
        elif self._deaf:
            self._leave(self._verdict)
            return
        if self._stage is not _BETWEEN:
            self._allow_time()
        elif not self._owed:
            self._rest()

    def _rest(self) -> None:
        self._due = self.loop.time() + self._limits.idle_sec
        self._slot.idle()

    # --- refusing

    def _refuse(self, code: str) -> None:
        """The request that is coming in is answered with that, in its turn, and is the last."""
        self._refusals.note(_WHY[code])
        answer = self._answer(code)
        if self._stage is _BODY and not self.pipeline:
            answered = self.cycle.response_started
            self._dismiss()
            self._leave(b"" if answered else answer)
        elif self._stage is not _BODY and not self._owed:
            self._leave(answer)
        else:
            if self._stage is _BODY:
                self.pipeline.popleft()
                self._owed -= 1
            self._deaf = True
            self._verdict = answer
            self.flow.pause_reading()

    def _dismiss(self) -> None:
        """The application is told that nobody waits for its answer."""
        if not self.cycle.response_complete:
            self.cycle.disconnected = True
            self.cycle.message_event.set()

    def _answer(self, code: str) -> bytes:
        surface = self._mounts.at(self.scope["path"]) if self._stage is _BODY else PLAIN
        return last_answer(Problem.general(code), surface, self.server_state.default_headers)

    def _leave(self, last_words: bytes) -> None:
        """Says them, and that nothing follows; then listens for a while, for nothing."""
        self.flush()
        self._leaving = self._lingering = True
        if self.transport.is_closing():
            return
        if last_words:
            self.transport.write(last_words)
        if self.transport.can_write_eof():
            self.transport.write_eof()
        self.flow.resume_reading()
        self._slot.leaving()
        self._due = self.loop.time() + self._limits.linger_sec

    # --- time

    def _tick(self) -> None:
        now = self.loop.time()
        if now >= self._due:
            self.flush()
            self._due = now + self._limits.take_sec
            self._expire()
        wait = min(self._due - now, self._limits.shortest_sec)
        self._timer = self.loop.call_later(wait, self._tick)

    def _expire(self) -> None:
        if not self._is_taking():
            self._refusals.note("unread")
            self.transport.abort()
        elif self._unsent < inf:
            pass  # it is still taking what it was sent
        elif self._lingering:
            self.transport.abort()
        elif self._stage is _BODY and not self.pipeline:
            self._refuse("REQUEST_TIMEOUT")
        elif self._owed:
            pass  # it waits for us
        elif self._stage is _HEAD:
            self._refuse("REQUEST_TIMEOUT")
        else:
            self.transport.close()

    def _is_taking(self) -> bool:
        """Whether less waits to be taken than when this was last asked, or nothing does."""
        unsent = self.transport.get_write_buffer_size()
        before, self._unsent = self._unsent, unsent or inf
        return unsent == 0 or unsent < before

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()


class _Exchange:
    """One request that goes by a short way (see `Exchange`)."""

    __slots__ = ("_connection", "_cycle")

    def __init__(self, connection: HttpConnection, cycle: RequestResponseCycle) -> None:
        self._connection = connection
        self._cycle = cycle

    def answer(self, status: int, headers: Headers, body: bytes) -> None:
        self._connection.answered(self._cycle, status, headers, body)


_WHY = {
    "MALFORMED_REQUEST": "malformed",
    "REQUEST_TIMEOUT": "slow",
    "BODY_TOO_LARGE": "body",
    "URL_TOO_LONG": "url",
    "HEADERS_TOO_LARGE": "headers",
    "UPGRADE_REQUIRED": "malformed",
}
"""By what word a refusal is counted."""
