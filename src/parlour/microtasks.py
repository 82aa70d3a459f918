"""What follows from a callback of the event loop, before the loop goes on to anything else.

A message that is heard leads to a change, and one that is durable to words for two players. Were
each step of that a callback of its own, whatever else the loop has to do would come in between.

Laws:

* What is put off within `run` is done when that has ended, in the order in which it was put off and
  in the same callback; what is put off elsewhere, in the loop's next turn.
* If something fails the rest is done in the loop's next turn.
"""

from __future__ import annotations

from asyncio import AbstractEventLoop
from collections import deque
from collections.abc import Callable
from typing import Any


class Microtasks:
    """Those of one event loop."""

    __slots__ = ("_put_off", "_running")

    def __init__(self) -> None:
        self._running = False
        self._put_off: deque[tuple[AbstractEventLoop, Callable[[], None]]] = deque()

    def put_off(self, loop: AbstractEventLoop, work: Callable[[], None]) -> None:
        """Have this done when what is being done is."""
        if self._running:
            self._put_off.append((loop, work))
        else:
            loop.call_soon(work)

    def run(self, work: Callable[..., None], *args: Any) -> None:
        """Do this, and then what was put off meanwhile."""
        if self._running:
            work(*args)
            return
        self._running = True
        try:
            work(*args)
            while self._put_off:
                self._put_off.popleft()[1]()
        finally:
            self._running = False
            while self._put_off:
                loop, left = self._put_off.popleft()
                loop.call_soon(left)
