"""One clock that asks every open line for a sign of life, a few lines at a time.

A timer for each line would weigh more than all else that an idle line needs; asked all at once,
thousands would hold up everybody else.
"""

from __future__ import annotations

from asyncio import AbstractEventLoop, TimerHandle
from typing import Protocol

TICK_SEC = 0.25
FEWEST_TICKS = 4
"""In a round, so that who joins between two ticks is asked little earlier than others."""


class Beating(Protocol):
    """What is asked once in a while."""

    def beat(self) -> None:
        """It is time."""
        ...


class Pulse:
    """Everyone who has joined is asked every so many seconds, for the first time after as many."""

    def __init__(self, loop: AbstractEventLoop, every_sec: float) -> None:
        self._loop = loop
        slots = max(FEWEST_TICKS, round(every_sec / TICK_SEC))
        self._tick_sec = every_sec / slots
        self._slots: list[set[Beating]] = [set() for _ in range(slots)]
        self._at = 0
        """Who is asked with the last tick of this round."""
        self._joined = 0
        self._timer: TimerHandle | None = None

    def join(self, line: Beating) -> set[Beating]:
        """From now on it is asked; the answer is what to `leave` by."""
        # With the tick that is due now its time would be shorter than that of everybody else.
        slot = self._slots[self._at]
        slot.add(line)
        self._joined += 1
        if self._timer is None:
            self._timer = self._loop.call_later(self._tick_sec, self._tick)
        return slot

    def leave(self, line: Beating, slot: set[Beating]) -> None:
        """It is asked no more."""
        slot.remove(line)
        self._joined -= 1

    def _tick(self) -> None:
        self._at = (self._at + 1) % len(self._slots)
        for line in tuple(self._slots[self._at]):
            line.beat()
        more = self._joined > 0
        self._timer = self._loop.call_later(self._tick_sec, self._tick) if more else None
