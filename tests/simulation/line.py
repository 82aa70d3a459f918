"""A socket without a network: in order and whole until it is cut, at either end and unequally.

The server's end is what a session needs of `net.line.Line`; the client's end is for players.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Coroutine
from contextvars import Context
from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    from parlour.net.line import Listener
    from tests.simulation.process import Process

ABNORMAL = 1006

_decode = msgspec.json.Decoder().decode
_encode = msgspec.json.Encoder().encode


class HungUp(Exception):
    """The line is closed; `code` says how, 1006 that it just broke."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


class Line:
    """One connection between a player and a process."""

    def __init__(self, process: Process, latency: float, client: Context) -> None:
        self._loop = asyncio.get_running_loop()
        self._process = process
        self._latency = latency
        self._client = client
        self._listener: Listener | None = None
        self._early: list[str] = []
        self._closed = False
        """The server's end."""
        self.paused = False
        """Never, as what players send is never that much."""
        self.code: int | None = None
        """The client's end: how it was closed."""
        self._going: deque[bytes | int] = deque()
        self._coming: deque[str] = deque()
        """What is under way to the client, a goodbye's code among it, and to the server. Whose turn
        it is is decided on arrival, as timers of one instant may ring in any order."""
        self._inbox: deque[bytes] = deque()
        self._waiter: asyncio.Future[None] | None = None
        self.heard: list[bytes] | None = None
        """All that the client was ever sent, if somebody wants to know."""

    # --- the server's end

    def open(self, listener: Listener) -> None:
        """The session begins."""
        self._listener = listener
        if self._closed:
            listener.hang_up(ABNORMAL, "")
        for message in self._early:
            listener.hear(message)

    def say(self, payload: bytes) -> None:
        if not self._closed:
            self._going.append(payload)
            self._loop.call_later(self._latency, self._arrive, context=self._client)

    def pass_on(self, frames: bytes) -> None:
        for payload in _unframed(frames):
            self.say(payload)

    def close(
        self,
        code: int = 1000,
        reason: str = "",  # noqa: ARG002 (as `net.line.Line` has it)
        *,
        why: str = "",
    ) -> None:
        if not self._closed:
            self._going.append(code)
            self._loop.call_later(self._latency, self._arrive, context=self._client)
            self._end(code, why)

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Whoever calls runs as the process does, and so does the task."""
        self._loop.create_task(work)

    def pause(self) -> None:
        """See `paused`."""

    def resume(self) -> None:
        pass

    def _hear(self) -> None:
        message = self._coming.popleft()
        if self._closed:
            return
        if self._listener is None:
            self._early.append(message)
        else:
            self._listener.hear(message)

    def _end(self, code: int, why: str = "") -> None:
        if not self._closed:
            self._closed = True
            if self._listener is not None:
                self._listener.hang_up(code, why)

    # --- the client's end

    def send(self, **message: Any) -> None:
        """Say something; on a line that is closed nobody hears it."""
        if self.code is None:
            self._coming.append(_encode(message).decode())
            self._loop.call_later(self._latency, self._hear, context=self._process.context.copy())

    async def receive(self) -> dict[str, Any]:
        """What was said next, or `HungUp`."""
        while not self._inbox:
            if self.code is not None:
                raise HungUp(self.code)
            self._waiter = self._loop.create_future()
            await self._waiter
        message: dict[str, Any] = _decode(self._inbox.popleft())
        return message

    async def listen(self, seconds: float) -> bool:
        """Wait so long at most until something was said, or the line is closed."""
        if not self._inbox and self.code is None:
            self._waiter = self._loop.create_future()
            timer = self._loop.call_later(seconds, self._wake)
            await self._waiter
            timer.cancel()
        return bool(self._inbox) or self.code is not None

    @property
    def unread(self) -> bool:
        """Whether something has come that its client has not looked at."""
        return bool(self._inbox)

    def hang_up(self, code: int = 1000) -> None:
        """The client leaves, in order."""
        self.cut(self._latency, code)

    def cut(self, noticed_after: float, code: int = ABNORMAL) -> None:
        """The line breaks. What was under way is lost; the server notices after a while."""
        if self.code is None:
            self.break_off(code)
            self._loop.call_later(
                noticed_after, self._end, code, context=self._process.context.copy()
            )

    def break_off(self, code: int) -> None:
        """The client's end is closed."""
        if self.code is None:
            self.code = code
            self._process.lines.pop(self, None)
            self._wake()

    def _arrive(self) -> None:
        payload = self._going.popleft()
        if isinstance(payload, int):
            self.break_off(payload)
        elif self.code is None:
            self._inbox.append(payload)
            if self.heard is not None:
                self.heard.append(payload)
            self._wake()

    def _wake(self) -> None:
        waiter, self._waiter = self._waiter, None
        if waiter is not None and not waiter.done():
            waiter.set_result(None)


def _unframed(frames: bytes) -> list[bytes]:
    """The texts of frames that were put together for many sockets."""
    payloads, at = [], 0
    while at < len(frames):
        size, at = frames[at + 1], at + 2
        if size == 126:
            size, at = int.from_bytes(frames[at : at + 2], "big"), at + 2
        elif size == 127:
            size, at = int.from_bytes(frames[at : at + 8], "big"), at + 8
        payloads.append(frames[at : at + size])
        at += size
    return payloads
