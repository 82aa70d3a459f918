"""One WebSocket connection below the session: frames straight to and fro.

No task and no event per message. What comes to all lines in one turn of the event loop is read
first and heard then, and what is said meanwhile is written when all of it was: the system's work
and Python's each go quicker in a row than in turns, and who is told twice is written to once.
The buffer of a client that does not read is measured and bounded rather than hoped for.

A client that does not read can pin `UNREAD` bytes and one message here, and `KERNEL_BUFFER` in the
kernel; one that sends without end, one message and what its session's inbox holds.
"""

from __future__ import annotations

import asyncio
import socket
from asyncio import AbstractEventLoop, Task, TimerHandle, Transport
from collections.abc import Coroutine, Iterable
from typing import Any, Protocol

import structlog
from websockets.frames import Close, CloseCode, Opcode

from parlour.microtasks import Microtasks
from parlour.net import tidying
from parlour.net.admission import Slot
from parlour.net.errors import Problem
from parlour.net.frames import (
    Control,
    Farewell,
    Message,
    Reader,
    close_frame,
    control_frame,
    text_frame,
)
from parlour.net.handler import last_answer
from parlour.net.pulse import Beating, Pulse

KEY = "parlour.line"
"""Where a connection's ASGI state holds its line."""

LARGEST_MESSAGE = 64 * 1024
UNREAD = 256 * 1024
KERNEL_BUFFER = 128 * 1024
AT_LEISURE = 4 * 1024
"""More than this of one line is heard at once, and written at once, lest it piles up."""
FRAMES_PER_SEC = 1000
"""What a client may send for long, control frames and fragments counted; nobody honest does."""
BURST = 2 * FRAMES_PER_SEC
GRACE_SEC = 1.0
"""How long a closed line waits for the other side to say goodbye as well."""
LINGER_SEC = 5.0
"""How long it then still takes in what comes, for nothing."""

_PING = control_frame(Opcode.PING)

log = structlog.get_logger()


class Listener(Protocol):
    """Who is told what comes in."""

    def hear(self, message: str | bytes) -> None:
        """A message came: text as str, binary data as bytes."""
        ...

    def hang_up(self, code: int, why: str) -> None:
        """Nothing more will come. Told once; `why` is given if the line was cut by itself."""
        ...

    def finish(self) -> None:
        """The server stops: close the line as soon as what is under way is done."""
        ...


class Lines:
    """What all lines of a server share."""

    __slots__ = ("_tasks", "_turns", "came", "connections", "loop", "microtasks", "pulse", "said")

    def __init__(
        self,
        loop: AbstractEventLoop,
        connections: set[Any],
        tasks: set[Task[None]],
        microtasks: Microtasks,
        ping_every_sec: float,
    ) -> None:
        """`connections` are told when the server stops, and `tasks` are then waited for."""
        self.loop = loop
        self.microtasks = microtasks
        self.connections = connections
        self.pulse = Pulse(loop, ping_every_sec)
        self._tasks = tasks
        self.came: list[tuple[Line, bytes]] = []
        """What was read; whoever adds the first sees to it that it is heard soon."""
        self.said: list[Line] = []
        """Who has something to write; likewise."""
        self._turns = 0

    def hear(self) -> None:
        """All that was read, in the order in which it came."""
        came, self.came = self.came, []
        for line, data in came:
            try:
                line.hear(data)
            except Exception:
                log.exception("line failed")
                line.drop()

    def write(self) -> None:
        """All that was said."""
        said, self.said = self.said, []
        for line in said:
            line.flush()
        self._turns += 1
        if self._turns % tidying.EVERY == 0:
            tidying.tidy(self._turns)

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Does what has to wait for something; a stop waits for it."""
        task = self.loop.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


class Line(asyncio.Protocol):
    """A connection. From `open` on it is its listener's; what comes before that is kept."""

    __slots__ = (
        "_allowance",
        "_allowance_at",
        "_closed",
        "_congested",
        "_early",
        "_farewell",
        "_heard",
        "_lines",
        "_listener",
        "_pulse",
        "_reader",
        "_slot",
        "_timer",
        "_transport",
        "_unsent",
        "paused",
    )

    def __init__(self, lines: Lines, transport: Transport, slot: Slot) -> None:
        """`slot`: its place among all connections, which it has until it is lost."""
        self._lines = lines
        self._transport = transport
        self._slot = slot
        self._listener: Listener | None = None
        self._reader = Reader(LARGEST_MESSAGE)
        self._early = b""
        self._allowance = float(BURST)
        self._allowance_at = 0.0
        self._closed = False
        self._congested = False
        self.paused = False
        """Whether nothing is taken in for a while."""
        self._heard = True
        self._unsent = b""
        """What was said in this turn of the loop."""
        self._farewell: Farewell | None = None
        self._timer: TimerHandle | None = None
        self._pulse: set[Beating] | None = None
        lines.connections.add(self)

    # --- the handshake

    def answer(self, head: bytes) -> None:
        """The handshake's answer."""
        if not self._closed:
            self._transport.write(head)

    def refuse(self, answer: bytes) -> None:
        """What should have been a handshake is none, or is refused: says so, and is gone."""
        if not self._closed:
            self._transport.write(answer)
            self._end(CloseCode.ABNORMAL_CLOSURE)
            self._stop_waiting()

    @property
    def opened(self) -> bool:
        """Whether somebody listens, or did."""
        return self._listener is not None

    def open(self, listener: Listener) -> None:
        """The handshake has been answered: from here on the listener hears what comes."""
        self._listener = listener
        self._allowance_at = self._lines.loop.time()
        raw = self._transport.get_extra_info("socket")
        if raw is not None and raw.family != socket.AF_UNIX:
            raw.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, KERNEL_BUFFER)
        if self._closed:
            listener.hang_up(CloseCode.ABNORMAL_CLOSURE, "")
        elif self._transport.is_closing():
            self._end(CloseCode.ABNORMAL_CLOSURE)
        else:
            self._pulse = self._lines.pulse.join(self)
            if self._early:
                early, self._early = self._early, b""
                self.data_received(early)

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Does what has to wait for something; a stop of the server waits for it."""
        self._lines.spawn(work)

    # --- coming in

    def data_received(self, data: bytes) -> None:
        self._heard = True
        lines = self._lines
        if not lines.came:
            lines.loop.call_soon(lines.microtasks.run, lines.hear)
        lines.came.append((self, data))
        if len(data) > AT_LEISURE:
            lines.hear()

    def hear(self, data: bytes) -> None:
        """What came, if anybody still listens."""
        if self._closed:
            self._await_goodbye(data)
            return
        listener = self._listener
        if listener is None:
            self._received_early(data)
            return
        reader = self._reader
        text = reader.lone_text(data)
        if text is not None:
            self._allowance -= 1
            if self._allowance >= 0 or self._refill():
                listener.hear(text)
                return
        else:
            messages = reader.feed(data)
            self._allowance -= reader.frames
            if self._allowance >= 0 or self._refill():
                self._hear_all(listener, messages)
                return
        self.close(CloseCode.POLICY_VIOLATION, "too many messages", why="flood")

    def _hear_all(self, listener: Listener, messages: Iterable[Message]) -> None:
        for message in messages:
            if isinstance(message, Control):
                self._control(message)
            else:
                listener.hear(message)
            if self._closed:
                return
        if self._reader.failure is not None:
            self.close(self._reader.failure.code, self._reader.failure.reason, why="broken")

    def _refill(self) -> bool:
        now = self._lines.loop.time()
        earned = (now - self._allowance_at) * FRAMES_PER_SEC
        self._allowance = min(self._allowance + earned, float(BURST))
        self._allowance_at = now
        return self._allowance >= 0

    def _received_early(self, data: bytes) -> None:
        """Frames of a client that did not wait for the answer to its request."""
        if len(self._early) + len(data) > LARGEST_MESSAGE:
            self._transport.abort()
        else:
            self._early += data

    def pause(self) -> None:
        """Take nothing in for a while; the client's sending backs up to the client."""
        if not self.paused and not self._closed:
            self.paused = True
            self._transport.pause_reading()

    def resume(self) -> None:
        """Go on taking in."""
        if self.paused and not self._transport.is_closing():
            self.paused = False
            self._transport.resume_reading()

    def _control(self, frame: Control) -> None:
        if frame.opcode is Opcode.PING:
            self.pass_on(control_frame(Opcode.PONG, frame.payload))
        elif frame.opcode is Opcode.CLOSE:
            self.pass_on(control_frame(Opcode.CLOSE, frame.payload[:2]))
            self.flush()
            self._transport.close()
            self._end(Close.parse(frame.payload).code)

    # --- going out

    def say(self, payload: bytes) -> None:
        """Sends a text message, given as UTF-8. On a closed line it does nothing."""
        self.pass_on(text_frame(payload))

    def pass_on(self, frames: bytes) -> None:
        """Sends messages that were framed beforehand, because others get the same."""
        if self._closed:
            return
        if self._unsent:
            self._unsent += frames
            if len(self._unsent) > AT_LEISURE:
                self.flush()
            return
        self._unsent = frames
        lines = self._lines
        if not lines.said:
            lines.microtasks.put_off(lines.loop, lines.write)
        lines.said.append(self)

    def flush(self) -> None:
        """Writes what was said."""
        unsent, self._unsent = self._unsent, b""
        if unsent:
            self._transport.write(unsent)
            if self._congested and self._transport.get_write_buffer_size() > UNREAD:
                self.drop("unread")

    def close(
        self, code: int = CloseCode.NORMAL_CLOSURE, reason: str = "", *, why: str = ""
    ) -> None:
        """Says goodbye after all that was sent; what still comes in is not heard.

        A client that did nothing wrong is waited for until it has said goodbye, too.
        """
        if self._closed:
            return
        self.pass_on(close_frame(code, reason))
        self.flush()
        # Closing on data that nobody read would make the other side's system forget our goodbye.
        self.resume()
        self._end(code, why)
        if why:
            self._stop_waiting()
        else:
            self._farewell = self._reader.farewell()
            self._await_goodbye(b"")

    def drop(self, why: str = "") -> None:
        """Ends it without a word."""
        self._unsent = b""
        self._transport.abort()
        self._end(CloseCode.ABNORMAL_CLOSURE, why)

    def pause_writing(self) -> None:
        self._congested = True

    def resume_writing(self) -> None:
        self._congested = False

    # --- the end

    def _await_goodbye(self, data: bytes) -> None:
        if self._farewell is not None and self._farewell.heard(data):
            self._farewell = None
            self._transport.close()

    def _stop_waiting(self) -> None:
        """It learns from the end of the stream that nothing follows, if it listens at all."""
        if self._timer is not None:
            self._timer.cancel()
        if self._transport.can_write_eof() and not self._transport.is_closing():
            self._transport.write_eof()
        self._timer = self._lines.loop.call_later(LINGER_SEC, self._transport.abort)

    def _end(self, code: int, why: str = "") -> None:
        if self._closed:
            return
        self._closed = True
        if self._pulse is not None:
            self._lines.pulse.leave(self, self._pulse)
        self._timer = self._lines.loop.call_later(GRACE_SEC, self._stop_waiting)
        if self._listener is not None:
            self._listener.hang_up(int(code), why)

    def connection_lost(self, exc: Exception | None) -> None:
        del exc
        self._lines.hear()  # what was read before it was lost
        self._unsent = b""
        self._slot.release()
        self._end(CloseCode.ABNORMAL_CLOSURE)
        if self._timer is not None:
            self._timer.cancel()
        self._lines.connections.discard(self)
        self._listener = None  # they would hold each other

    def shutdown(self) -> None:
        """The server stops."""
        if self._listener is None:
            self.refuse(last_answer(Problem.general("UNAVAILABLE")))
        else:
            self._listener.finish()

    # --- is anybody there?

    def beat(self) -> None:
        """Asks for a sign of life; who gave none since the last time is gone."""
        if self._heard or self.paused:
            self._heard = False
            self.pass_on(_PING)
        else:
            self.drop("silent")
