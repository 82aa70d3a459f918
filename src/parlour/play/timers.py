"""Wakes this process when a match in its memory is due.

Laws:

* A match has at most one timer. It rings at its deadline as last known; or before it, as most moves
  put it off and few deadlines are ever reached, and is then set anew. Nobody is told before the
  time, and what it rings for is decided anew then.
* Where several processes have a match in memory, the one that its first player is connected to is
  the first to be woken. The others hear of what it did, or are woken a little later.
"""

from __future__ import annotations

from collections.abc import Callable

from parlour.play.match import deadline
from parlour.play.resident import Resident
from parlour.play.robots import Robots
from parlour.play.runtime import Runtime

BEHIND_S = 0.1
"""How much later those are woken who are not the first: by then word of a step has come."""


class Timers:
    """One for every match that waits for something."""

    def __init__(self, runtime: Runtime, robots: Robots) -> None:
        self._runtime = runtime
        self._robots = robots
        self._ring: Callable[[Resident], None] = _nobody
        self._foresee: Callable[[Resident], None] = _nobody

    def subscribe(
        self, ring: Callable[[Resident], None], foresee: Callable[[Resident], None]
    ) -> None:
        """Who is told of every match that is due, and of every one that a bot will move in."""
        self._ring = ring
        self._foresee = foresee

    def unsubscribe(self) -> None:
        """Nobody is: this process looks at matches, and leaves those that are due to others."""
        self._ring = self._foresee = _nobody

    def arm(self, resident: Resident) -> None:
        """Wake when the match's deadline is due; not for a move that is being thought about."""
        match, armed_at = resident.match, resident.armed_at
        by_bot = match.bot_at is not None
        due = deadline(match, thinking=by_bot and self._robots.thinking(match.id))
        if (
            armed_at is not None
            and due is not None
            # One that rings too early is set anew then; but a bot that will move is told of now.
            and (armed_at == due or (armed_at < due and not by_bot))
        ):
            return
        if resident.timer is not None:
            self.disarm(resident)
        if due is None:
            return
        resident.armed_at = due
        delay = max(0, due - self._runtime.clock()) / 1000
        first = self._runtime.bus.alone or self._is_first(resident)
        if not first:
            delay += BEHIND_S
        resident.timer = self._runtime.background.loop.call_later(delay, self._rang, resident)
        if first and by_bot:
            self._foresee(resident)

    def disarm(self, resident: Resident) -> None:
        """Forget the timer."""
        if resident.timer is not None:
            resident.timer.cancel()
        resident.timer = None
        resident.armed_at = None

    def _is_first(self, resident: Resident) -> bool:
        """Whether the first player is connected here; where nobody is, all are the first."""
        for here in resident.here:
            if here.connection is not None:
                return here.process_id == self._runtime.process_id
        return True

    def _rang(self, resident: Resident) -> None:
        self.disarm(resident)
        if self._runtime.clock() < (deadline(resident.match) or 0):
            self.arm(resident)  # the deadline was put off, or the timer is a moment early
        else:
            self._ring(resident)


def _nobody(resident: Resident) -> None:
    """Nobody waits for it."""
