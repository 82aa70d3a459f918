"""What waits to be sent to other processes: bounded, and it says when something was dropped."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Collection
from itertools import chain

import structlog

log = structlog.get_logger()

WAITING_MAX = 10_000
"""Messages kept while the server is slow or away; the oldest go first, as the newest say more."""

FRAMING = 10
"""Bytes that a message takes beside its topic and its payload, at most."""

Message = tuple[str, bytes]
"""Topic and payload."""


class Backlog:
    """Messages in the order they were published."""

    def __init__(self) -> None:
        self._waiting: deque[Message] = deque()
        self._to_send = asyncio.Event()
        self.all_sent = asyncio.Event()
        """Nothing waits, and nothing that was taken is still under way."""
        self.all_sent.set()
        self._must_tell_lost = False
        self.dropped = 0
        """Messages that found no room since the start."""

    def add(self, topic: str, payload: bytes) -> None:
        """The oldest makes room if there is none."""
        waiting = self._waiting
        if not waiting:
            self.all_sent.clear()
            self._to_send.set()
        elif len(waiting) == WAITING_MAX:
            waiting.popleft()
            self.dropped += 1
            self._must_tell_lost = True
        waiting.append((topic, payload))

    def call(self) -> None:
        """Have who waits go on, be there a message or not."""
        self._to_send.set()

    async def wait(self) -> None:
        """Until there is something to send."""
        await self._to_send.wait()

    def take_lost(self) -> bool:
        """Whether something was dropped since the last time, so that everybody must check."""
        if lost := self._must_tell_lost:
            self._must_tell_lost = False
            log.warning("bus dropped messages", dropped=self.dropped)
        return lost

    def take(self, messages: int, size: int) -> list[Message]:
        """The oldest, up to so many and so many bytes; at least one, if there is any."""
        waiting = self._waiting
        taken: list[Message] = []
        if len(waiting) <= messages and _size(waiting) <= size:  # as mostly
            taken.extend(waiting)
            waiting.clear()
            return taken
        while waiting and len(taken) < messages:
            size -= _size((waiting[0],))
            if taken and size < 0:
                break
            taken.append(waiting.popleft())
        return taken

    def sent(self) -> None:
        """What was taken has arrived at the server."""
        if not self._waiting:
            self._to_send.clear()
            self.all_sent.set()


def _size(messages: Collection[Message]) -> int:
    return sum(map(len, chain.from_iterable(messages))) + FRAMING * len(messages)
