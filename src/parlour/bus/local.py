"""The bus of a single process: what is published is heard here on the next turn of the loop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Iterable
from functools import partial

import structlog

from parlour.bus.api import Hear
from parlour.bus.backlog import Message

log = structlog.get_logger()


class LocalBus:
    """Loses nothing, so nobody is ever told to check."""

    alone = True
    roomy = True

    def __init__(self) -> None:
        self._hearers: dict[str, tuple[Hear, ...]] = {}

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
        ours = partial(hear)  # told from all others by being itself
        self._hearers[topic] = (*self._hearers.get(topic, ()), ours)
        subscription: Hear | None = ours

        def unsubscribe() -> None:
            nonlocal subscription
            hearers = self._hearers.get(topic, ())
            left = tuple([each for each in hearers if each is not subscription])
            subscription = None  # who hears may keep this function, and they would hold each other
            if left:
                self._hearers[topic] = left
            elif hearers:
                del self._hearers[topic]

        return unsubscribe

    def tell(self, topic: str, payload: bytes) -> None:
        """All who listen to the topic hear it now, whatever one of them makes of it."""
        self.tell_all(((topic, payload),))

    def tell_all(self, messages: Iterable[Message]) -> None:
        """The same of each of these, in order. Most of them may be for nobody here."""
        hearers = self._hearers
        for topic, payload in messages:
            for hear in hearers.get(topic, ()):
                try:
                    hear(payload)
                except Exception:  # one hearer's bug must not silence the others
                    log.exception("bus hearer failed", topic=topic)
