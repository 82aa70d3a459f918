"""A bus between processes of one test, which may drop, repeat and reorder on demand."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextvars import copy_context
from random import Random

from parlour.bus.api import Hear


class Hub:
    """What the buses of a test share. Without a seed nothing is lost."""

    def __init__(self, random: Random | None = None, *, drop: float = 0, repeat: float = 0) -> None:
        self._random = random
        self.drop = drop
        self.repeat = repeat
        self._buses: list[HubBus] = []

    def bus(self, *, alone: bool = False) -> HubBus:
        """`alone`: there is no other process, as on the embedded database."""
        bus = HubBus(self, alone=alone)
        self._buses.append(bus)
        return bus

    def carry(self, topic: str, payload: bytes) -> None:
        later = asyncio.get_running_loop().call_later
        for bus in self._buses:
            if not bus.cut:
                for delay in self._deliveries():
                    later(delay, bus.tell, topic, payload, context=bus.context)

    def _deliveries(self) -> list[float]:
        random = self._random
        if random is None:
            return [0.0]
        if random.random() < self.drop:
            return []
        copies = 2 if random.random() < self.repeat else 1
        return [random.expovariate(100) for _ in range(copies)]


class HubBus:
    """One process's end."""

    def __init__(self, hub: Hub, *, alone: bool) -> None:
        self._hub = hub
        self.alone = alone
        self.roomy = True
        self._hearers: dict[str, list[Hear]] = {}
        self.cut = False
        self.context = copy_context()
        """Of who hears: what a process does about a word ends with it, not with who said it."""

    async def start(self) -> None:
        self.context = copy_context()

    async def close(self) -> None:
        self._hearers.clear()

    def publish(self, topic: str, payload: bytes) -> None:
        if not self.cut:
            self._hub.carry(topic, payload)

    def publish_elsewhere(self, topic: str, payload: bytes) -> None:
        self.publish(topic, payload)

    def subscribe(self, topic: str, hear: Hear) -> Callable[[], None]:
        self._hearers.setdefault(topic, []).append(hear)
        return lambda: self._hearers[topic].remove(hear)

    def tell(self, topic: str, payload: bytes) -> None:
        if not self.cut:
            for hear in tuple(self._hearers.get(topic, ())):
                hear(payload)
