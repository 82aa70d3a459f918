"""One WebSocket connection below the session: uvicorn's handshake, then frames straight to and fro.

uvicorn lets a server bring its own protocol class. This one keeps uvicorn's handshake and scope,
and from then on speaks frames itself: no queue, no task and no event per message, and the buffer
of a client that does not read is measured and bounded rather than hoped for.

A client that does not read can pin `UNREAD` bytes and one message here, and `KERNEL_BUFFER` in the
kernel; one that sends without end, one message and what its session's inbox holds.
"""

from __future__ import annotations

import socket
from asyncio import TimerHandle
from typing import Protocol

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Close, CloseCode, Opcode
from websockets.http11 import Request

from parlour.net.admission import Slot
from parlour.net.frames import (
    Control,
    Farewell,
    Reader,
    close_frame,
    control_frame,
    text_frame,
)

KEY = "parlour.line"
"""Where a connection's ASGI state holds its line."""

LARGEST_MESSAGE = 64 * 1024
UNREAD = 256 * 1024
KERNEL_BUFFER = 128 * 1024
FRAMES_PER_SEC = 1000
"""What a client may send for long, control frames and fragments counted; nobody honest does."""
BURST = 2 * FRAMES_PER_SEC
GRACE_SEC = 1.0
"""How long a closed line waits for the other side to say goodbye as well."""
LINGER_SEC = 5.0
"""How long it then still takes in what comes, for nothing."""


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


class Line(WebSocketsSansIOProtocol):
    """A connection. Until `open` is called it is uvicorn's; from then on its listener's."""

    _listener: Listener | None = None
    _slot: Slot | None = None
    _early = b""
    _closed = False
    _congested = False
    _paused = False
    _heard = True
    _farewell: Farewell | None = None

    # --- the handshake, uvicorn's

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if not self.handshake_complete:
            self.scope["state"][KEY] = self

    def occupy(self, slot: Slot) -> None:
        """The place among all connections that this one has, until it is lost."""
        self._slot = slot

    def refuse(self, answer: bytes) -> None:
        """What should have been a handshake is none: answers that, and is gone."""
        self.transport.write(answer)
        self._end(CloseCode.ABNORMAL_CLOSURE)
        self._stop_waiting()

    def open(self, listener: Listener) -> None:
        """The handshake has been answered: from here on the listener hears what comes."""
        # What only the handshake needed is a quarter of what an idle connection would weigh.
        del self.conn, self.request, self.response
        self._listener = listener
        self._reader = Reader(LARGEST_MESSAGE)
        self._allowance = float(BURST)
        self._allowance_at = self.loop.time()
        raw = self.transport.get_extra_info("socket")
        if raw is not None and raw.family != socket.AF_UNIX:
            raw.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, KERNEL_BUFFER)
        if self.disconnected or self.transport.is_closing():
            self._end(CloseCode.ABNORMAL_CLOSURE)
        elif self._early:
            self.data_received(b"")

    # --- coming in

    def data_received(self, data: bytes) -> None:
        self._heard = True
        if self._closed:
            self._await_goodbye(data)
            return
        if self._listener is None:
            self._received_early(data)
            return
        if self._early:
            data, self._early = self._early + data, b""
        messages = self._reader.feed(data)
        self._allowance -= self._reader.frames
        if self._allowance < 0 and not self._refill():
            self.close(CloseCode.POLICY_VIOLATION, "too many messages", why="flood")
            return
        for message in messages:
            if isinstance(message, Control):
                self._control(message)
            else:
                self._listener.hear(message)
            if self._closed:
                return
        if self._reader.failure is not None:
            self.close(self._reader.failure.code, self._reader.failure.reason, why="broken")

    def _refill(self) -> bool:
        now = self.loop.time()
        earned = (now - self._allowance_at) * FRAMES_PER_SEC
        self._allowance = min(self._allowance + earned, float(BURST))
        self._allowance_at = now
        return self._allowance >= 0

    def _received_early(self, data: bytes) -> None:
        """The request itself, or frames of a client that did not wait for the answer to it."""
        if not self.handshake_initiated:
            super().data_received(data)
        elif len(self._early) + len(data) > LARGEST_MESSAGE:
            self.transport.abort()
        else:
            self._early += data

    def pause(self) -> None:
        """Take nothing in for a while; the client's sending backs up to the client."""
        if not self._paused and not self._closed:
            self._paused = True
            self.transport.pause_reading()

    def resume(self) -> None:
        """Go on taking in."""
        if self._paused and not self.transport.is_closing():
            self._paused = False
            self.transport.resume_reading()

    def _control(self, frame: Control) -> None:
        if frame.opcode is Opcode.PING:
            self._write(control_frame(Opcode.PONG, frame.payload))
        elif frame.opcode is Opcode.CLOSE:
            self._write(control_frame(Opcode.CLOSE, frame.payload[:2]))
            self.transport.close()
            self._end(Close.parse(frame.payload).code)

    # --- going out

    def say(self, payload: bytes) -> None:
        """Sends a text message, given as UTF-8. On a closed line it does nothing."""
        if not self._closed:
            self._write(text_frame(payload))

    def pass_on(self, frames: bytes) -> None:
        """Sends messages that were framed beforehand, because others get the same."""
        if not self._closed:
            self._write(frames)

    def close(
        self, code: int = CloseCode.NORMAL_CLOSURE, reason: str = "", *, why: str = ""
    ) -> None:
        """Says goodbye after all that was sent; what still comes in is not heard.

        A client that did nothing wrong is waited for until it has said goodbye, too.
        """
        if self._closed:
            return
        self._write(close_frame(code, reason))
        # Closing on data that nobody read would make the other side's system forget our goodbye.
        self.resume()
        self._end(code, why)
        if why:
            self._stop_waiting()
        else:
            self._farewell = self._reader.farewell()
            self._await_goodbye(b"")

    def _write(self, frame: bytes) -> None:
        self.transport.write(frame)
        if self._congested and self.transport.get_write_buffer_size() > UNREAD:
            self._drop("unread")

    def _drop(self, why: str) -> None:
        self.transport.abort()
        self._end(CloseCode.ABNORMAL_CLOSURE, why)

    def pause_writing(self) -> None:
        self._congested = True

    def resume_writing(self) -> None:
        self._congested = False

    # --- the end

    def _await_goodbye(self, data: bytes) -> None:
        if self._farewell is not None and self._farewell.heard(data):
            self._farewell = None
            self.transport.close()

    def _stop_waiting(self) -> None:
        """It learns from the end of the stream that nothing follows, if it listens at all."""
        if self.close_timer is not None:
            self.close_timer.cancel()
        if self.transport.can_write_eof() and not self.transport.is_closing():
            self.transport.write_eof()
        self.close_timer = self.loop.call_later(LINGER_SEC, self.transport.abort)

    def _end(self, code: int, why: str = "") -> None:
        if self._closed:
            return
        self._closed = True
        self.stop_keepalive()
        # uvicorn leaves the transport to whoever holds this timer.
        self.close_timer = self.loop.call_later(GRACE_SEC, self._stop_waiting)
        if self._listener is not None:
            self._listener.hang_up(int(code), why)

    def connection_lost(self, exc: Exception | None) -> None:
        if self._slot is not None:
            self._slot.release()
        self._end(CloseCode.ABNORMAL_CLOSURE)
        super().connection_lost(exc)

    def shutdown(self) -> None:
        """The server stops."""
        if self._listener is None:
            super().shutdown()
        else:
            self._listener.finish()

    # --- is anybody there?

    def start_keepalive(self) -> None:
        if self.ping_interval:
            self.ping_timer: TimerHandle | None = self.loop.call_later(
                self.ping_interval, self._beat
            )

    def _beat(self) -> None:
        if not self._heard and not self._paused:
            self._drop("silent")
            return
        self._heard = False
        self._write(control_frame(Opcode.PING))
        if not self._closed:
            self.start_keepalive()
