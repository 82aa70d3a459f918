"""Rates, such as 600 in ten minutes, and how much of one each key has used up.

Laws of `Buckets`, where `each` is a rate's time for one and its bucket holds `count`:

* Whoever asks before spending is granted at most `count + t / each` within any time `t`.
* What is refused costs nothing, and is granted after the time that was named.
* What was spent without asking, elsewhere or in advance, is owed, but never more than `owed_ns`.
* At most `size` keys are known. The one unused for longest is forgotten first, and is full again.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from typing import Final

from msgspec import Struct

Nanos = int

SIZE: Final = 50_000
"""Keys that are known at once: about 10 MB in the worst case."""
LARGEST_COUNT: Final = 1_000_000
_TEXT = re.compile(r"([0-9]{1,7})/([0-9]{0,5})(s|m|h)", re.ASCII)
_UNITS_MS = {"s": 1000, "m": 60_000, "h": 3_600_000}
_LONGEST_MS = 24 * 3_600_000


class Rate(Struct, frozen=True):
    """So many in that time, and as many at once."""

    count: int
    per_ms: int

    def __post_init__(self) -> None:
        if not 1 <= self.count <= LARGEST_COUNT or not 1 <= self.per_ms <= _LONGEST_MS:
            raise ValueError("a rate is 1 to 1,000,000 in up to 24 hours")

    @classmethod
    def read(cls, text: str) -> Rate:
        """What `600/10m` or `50/s` says.

        >>> Rate.read("600/10m")
        Rate(count=600, per_ms=600000)
        >>> str(Rate.read("50/1s"))
        '50/s'
        """
        found = _TEXT.fullmatch(text)
        if found is None:
            raise ValueError("expected a number and a time, such as 600/10m or 50/s")
        count, span, unit = found.groups()
        return cls(int(count), int(span or 1) * _UNITS_MS[unit])

    def __str__(self) -> str:
        for unit, ms in reversed(_UNITS_MS.items()):
            span, rest = divmod(self.per_ms, ms)
            if not rest:
                return f"{self.count}/{'' if span == 1 else span}{unit}"
        return f"{self.count}/{self.per_ms}ms"


class Buckets:
    """One bucket for each key: it holds a rate's count, and fills up again steadily.

    Of each key only the time is kept at which its bucket will be full (this is known as GCRA).
    """

    __slots__ = ("_clock", "_each", "_full_at", "_holds", "_most_owed", "_size", "rate")

    def __init__(
        self,
        rate: Rate,
        *,
        owed_ns: Nanos = 0,
        size: int = SIZE,
        clock: Callable[[], Nanos] = time.monotonic_ns,
    ) -> None:
        self.rate = rate
        self._each: Nanos = rate.per_ms * 1_000_000 // rate.count
        self._holds: Nanos = self._each * rate.count
        self._most_owed = owed_ns
        self._size = size
        self._clock = clock
        self._full_at: dict[str, Nanos] = {}
        """In the order of last use."""

    def __len__(self) -> int:
        return len(self._full_at)

    def wait(self, key: str) -> Nanos:
        """How long until there is one to spend; 0: there is."""
        full_at = self._full_at.get(key)
        if full_at is None:
            return 0
        return max(0, full_at + self._each - self._holds - self._clock())

    def spend(self, key: str, count: int = 1) -> None:
        """Take so many, whether or not they are there."""
        now = self._clock()
        full_at = max(now, self._full_at.pop(key, now)) + self._each * count
        self._full_at[key] = min(full_at, now + self._holds + self._most_owed)
        if len(self._full_at) > self._size:
            del self._full_at[next(iter(self._full_at))]
