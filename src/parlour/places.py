"""Waiting for one's turn."""

from __future__ import annotations

import asyncio
from collections import deque


class Places:
    """So many at a time, in the order they came; with one place, a lock.

    One is taken for every move. What asyncio has for this takes several times as long while there
    is room, as there mostly is.
    """

    __slots__ = ("_waiting", "free")

    def __init__(self, count: int = 1) -> None:
        self.free = count
        """How many there are left."""
        self._waiting: deque[asyncio.Future[None]] | None = None
        """Who waits; made when somebody does: it is large, and every match has a lock."""

    def take(self) -> bool:
        """Take a place if there is one."""
        if not self.free:
            return False
        self.free -= 1
        return True

    async def enter(self) -> None:
        """Take a place, once there is one."""
        if self.free:
            self.free -= 1
            return
        mine: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        if self._waiting is None:
            self._waiting = deque()
        self._waiting.append(mine)
        try:
            await mine
        except asyncio.CancelledError:
            if mine.done() and not mine.cancelled():
                self.leave()  # it was ours already
            raise

    def leave(self) -> None:
        """Give the place to who waits longest for one."""
        while self._waiting:
            following = self._waiting.popleft()
            if not following.done():
                following.set_result(None)
                return
        self.free += 1

    async def __aenter__(self) -> None:
        if self.free:
            self.free -= 1
        else:
            await self.enter()

    async def __aexit__(self, *_: object) -> None:
        self.leave()
