"""Chess clocks: one runs at a time, and what has run is charged when something happens.

Laws: the clock of the seat not to move never changes; what leaves a clock is what has passed since
`started_at`; a clock never shows less than nothing.
"""

from __future__ import annotations

from msgspec import Struct

from parlour.games.api import Millis, Seat


class Clocks(Struct, frozen=True):
    """What each seat had left when the running clock was last looked at."""

    left_ms: tuple[Millis, Millis]
    running: Seat
    started_at: Millis

    @property
    def falls_at(self) -> Millis:
        """When the running clock shows nothing any more."""
        return self.started_at + self.left_ms[self.running]

    def none_falls_before(self, now: Millis) -> Millis:
        """When the first of the two clocks could show nothing, should the other run from now on."""
        resting = max(now, self.started_at) + self.left_ms[1 - self.running]
        return min(self.falls_at, resting)

    def charged(self, now: Millis) -> Clocks:
        """The same clocks with what has passed until `now` taken from the running one.

        Two servers may disagree a little about the time: it never runs backwards here.
        """
        elapsed = max(0, now - self.started_at)
        left = max(0, self.left_ms[self.running] - elapsed)
        both = (left, self.left_ms[1]) if self.running == 0 else (self.left_ms[0], left)
        return Clocks(both, self.running, self.started_at + elapsed)

    def pressed(self) -> Clocks:
        """The mover stops its clock and starts the other's."""
        return Clocks(self.left_ms, 1 - self.running, self.started_at)
