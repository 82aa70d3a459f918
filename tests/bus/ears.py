"""Who listens in the tests of the bus."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from parlour.bus import CHECK, Bus


class Ear:
    """Keeps what it hears; may also wait for it."""

    def __init__(self) -> None:
        self.heard: asyncio.Queue[bytes] = asyncio.Queue()

    def __call__(self, payload: bytes) -> None:
        self.heard.put_nowait(payload)

    async def next(self) -> bytes:
        """The next payload, the word to check aside."""
        async with asyncio.timeout(20):
            while (payload := await self.heard.get()) == CHECK:
                pass
            return payload

    async def told_to_check(self) -> None:
        async with asyncio.timeout(20):
            while await self.heard.get() != CHECK:
                pass

    def forget(self) -> None:
        """All that it heard so far."""
        while not self.heard.empty():
            self.heard.get_nowait()

    @property
    def has_more(self) -> bool:
        """Whether it heard anything it was not asked for yet, the word to check aside."""
        heard = [self.heard.get_nowait() for _ in range(self.heard.qsize())]
        return any(payload != CHECK for payload in heard)


async def subscribed(bus: Bus, topic: str) -> Ear:
    """An ear whose subscription is in force."""
    ear = Ear()
    bus.subscribe(topic, ear)
    await ear.told_to_check()
    return ear


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(20):
        while not condition():  # noqa: ASYNC110 -- the server cannot call back
            await asyncio.sleep(0.005)
