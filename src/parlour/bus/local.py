"""The bus of a single process: what is published is heard here on the next turn of the loop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection

import structlog

from parlour.bus.api import Hear

log = structlog.get_logger()


class LocalBus:
    """Loses nothing, so nobody is ever told to check."""

    alone = True
    roomy = True

    def __init__(self) -> None:
        self._hearers: dict[str, dict[object, Hear]] = {}

    @property
    def topics(self) -> Collection[str]:
        """What anyone listens to."""
        return self._hearers.keys()

    async def start(self) -> None:
        """Ready as it is."""

    async def close(self) -> None:
        """Nobody hears anything from now on."""
        self._hearers.clear()

    def publish(self, topic: str, payload: bytes) -> None:
        """Heard on the next turn, so that no publisher runs a hearer's code inside its own."""
        if topic in self._hearers:
            asyncio.get_running_loop().call_soon(self.tell, topic, payload)

    def publish_elsewhere(self, topic: str, payload: bytes) -> None:
        """There is nobody."""

    def subscribe(self, topic: str, hear: Hear) -> Callable[[], None]:
        """The same function may listen more than once: each time it is called."""
        hearers = self._hearers.setdefault(topic, {})
        subscription = object()
        hearers[subscription] = hear

        def unsubscribe() -> None:
            hearers.pop(subscription, None)
            if not hearers and self._hearers.get(topic) is hearers:
                del self._hearers[topic]

        return unsubscribe

    def tell(self, topic: str, payload: bytes) -> None:
        """All who listen to the topic hear it now, whatever one of them makes of it."""
        for hear in tuple(self._hearers.get(topic, {}).values()):
            try:
                hear(payload)
            except Exception:  # one hearer's bug must not silence the others
                log.exception("bus hearer failed", topic=topic)
