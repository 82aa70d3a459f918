"""An event loop whose time is made up: it passes only when everybody waits."""

from __future__ import annotations

import asyncio
import selectors


class Stuck(Exception):
    """Nothing can ever happen again, and the simulation is not over."""


class _NoWaiting(selectors.SelectSelector):
    """Instead of waiting for the outside world it lets time pass."""

    def __init__(self) -> None:
        super().__init__()
        self.time = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if timeout is None:
            raise Stuck
        self.time += max(0.0, timeout)
        return []


class FakeTimeLoop(asyncio.SelectorEventLoop):
    """Deterministic: no threads, no files, no wall clock."""

    def __init__(self) -> None:
        self._waiting = _NoWaiting()
        super().__init__(self._waiting)
        # Otherwise sleeps closer together than the resolution of the real clock are lumped.
        self._clock_resolution = 1e-9

    def time(self) -> float:
        return self._waiting.time
