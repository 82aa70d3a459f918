"""What a bus is. Nothing that must be true may rest on it: it may lose, repeat or reorder."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

Hear = Callable[[bytes], None]
"""Takes a payload. Runs on the event loop, so it must be quick; what it raises is logged."""

CHECK = b""
"""The payload of no publisher: "you may have missed something, look for yourself".

It comes whenever a subscription has come into force, the first time and after every gap.
"""


class Bus(Protocol):
    """Topics and those who listen to them, in this process and beyond. Used from one event loop."""

    @property
    def alone(self) -> bool:
        """No other process can be listening, so what is known here need not be published."""
        ...

    @property
    def roomy(self) -> bool:
        """Long payloads are hardly dearer than short ones, so more may be said than is needed."""
        ...

    async def start(self) -> None:
        """Begin; returns whether or not others could be reached."""
        ...

    async def close(self) -> None:
        """Send what is waiting, briefly, then stop."""
        ...

    def publish(self, topic: str, payload: bytes) -> None:
        """Tell all who listen. Never blocks and never raises; what cannot be kept is dropped."""
        ...

    def publish_elsewhere(self, topic: str, payload: bytes) -> None:
        """As `publish`, where all who listen here know already."""
        ...

    def subscribe(self, topic: str, hear: Hear) -> Callable[[], None]:
        """Listen until the returned function is called."""
        ...
