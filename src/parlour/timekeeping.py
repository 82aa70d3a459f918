"""What time it is: the same for all processes that share a database; and how it is told.

Laws:

* The database's clock counts where it has one of its own (PostgreSQL), else this machine's.
* Between two looks at it only time that passes is counted, so a clock that is set anew, there or
  here, moves nothing by itself.
* What is then found to be off is made up for little by little, slower than other processes need to
  notice, too; only far ahead, as after a machine's sleep, is gone at once. Time never goes back.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from functools import lru_cache

import structlog
from msgspec import Struct

from parlour.games.api import Millis
from parlour.store.change import StoreError

log = structlog.get_logger()

EVERY_SEC = 10.0
SAMPLES = 5
SLEW = 100
"""Thousandths of a second that a second is longer or shorter while something is made up for."""
WORTH_A_WORD_MS: Millis = 1_000
FAR_AHEAD_MS: Millis = 60_000
"""From here on it is gone at once: nobody waits ten times as long for it."""

NS = 1_000_000


def wall_clock() -> Millis:
    """Milliseconds since the epoch, as this machine has it."""
    return time.time_ns() // NS


Ask = Callable[[], Awaitable[Millis | None]]
"""Asks the database for its time; None: it has none but this machine's."""


class Sample(Struct, frozen=True, order=True):
    """One look at the clock that counts."""

    took_ns: int
    """How long the answer was under way: it was given some time within."""
    ahead_ns: int
    """How far that clock was ahead of the monotonic one, half-way through."""


class Timekeeper:
    """A clock to be called. Started, it follows the one that counts."""

    def __init__(
        self,
        ask: Ask,
        *,
        local: Callable[[], Millis] = wall_clock,
        monotonic_ns: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        self._ask = ask
        self._local = local
        self._monotonic_ns = monotonic_ns
        self._since_ns = monotonic_ns()
        self._time_ns = local() * NS
        """What time it was then."""
        self._slew = 0
        self._slew_for_ns = 0
        self._told_ms: Millis = 0
        """The difference that the log last spoke of."""
        self._task: asyncio.Task[None] | None = None
        self.offset_ms: Millis = 0
        """How far the clock that counts was ahead of this machine's, when last looked at."""

    def __call__(self) -> Millis:
        return self.now()

    def now(self) -> Millis:
        """What time it is; as a method it is called with less ado, for who asks at every step."""
        passed = self._monotonic_ns() - self._since_ns
        if self._slew:
            passed += min(passed, self._slew_for_ns) * self._slew // 1000
        return (self._time_ns + passed) // NS

    async def start(self) -> None:
        """Set the clock, and keep it right from now on."""
        found = await self._sampled()
        self._since_ns = self._monotonic_ns()
        self._time_ns = self._since_ns + found.ahead_ns
        self._note(found)
        self._task = asyncio.create_task(self._keep(), name="timekeeper")

    async def close(self) -> None:
        """The clock goes on, but nobody looks after it."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
            self._task = None

    async def _keep(self) -> None:
        while True:
            await asyncio.sleep(EVERY_SEC)
            try:
                await self.look()
            except StoreError as error:
                log.warning("clock not compared", error=repr(error))
            except Exception:
                log.exception("clock not compared")

    async def look(self) -> None:
        """Compare, and begin to make up for what is off."""
        found = await self._sampled()
        self._note(found)
        since_ns = self._monotonic_ns()
        passed = since_ns - self._since_ns
        self._time_ns += passed + min(passed, self._slew_for_ns) * self._slew // 1000
        self._since_ns = since_ns
        off_ns = since_ns + found.ahead_ns - self._time_ns
        if abs(off_ns) > WORTH_A_WORD_MS * NS and not self._slew:
            log.warning("clock was set anew", by_ms=off_ns // NS)
        self._slew, self._slew_for_ns = 0, 0
        if off_ns > FAR_AHEAD_MS * NS:
            self._time_ns += off_ns
        elif abs(off_ns) > found.took_ns // 2 + NS:  # more than the answer leaves open
            self._slew = SLEW if off_ns > 0 else -SLEW
            self._slew_for_ns = abs(off_ns) * 1000 // SLEW

    async def _sampled(self) -> Sample:
        """Of several looks the quickest, as it says most."""
        return min([await self._sample() for _ in range(SAMPLES)])

    async def _sample(self) -> Sample:
        before_ns = self._monotonic_ns()
        told = await self._ask()
        after_ns = self._monotonic_ns()
        time_ns = (self._local() if told is None else told) * NS
        return Sample(after_ns - before_ns, time_ns - (before_ns + after_ns) // 2)

    def _note(self, found: Sample) -> None:
        self.offset_ms = (self._monotonic_ns() + found.ahead_ns) // NS - self._local()
        if abs(self.offset_ms - self._told_ms) > WORTH_A_WORD_MS:
            self._told_ms = self.offset_ms
            log.warning("clock differs from the database's", ahead_ms=-self.offset_ms)


@lru_cache(maxsize=4096)
def iso(at: Millis) -> str:
    """ISO 8601 in UTC with milliseconds.

    >>> iso(1_700_000_000_007)
    '2023-11-14T22:13:20.007Z'
    """
    # One step is told with the same few times to all who hear of it, and with the next again.
    second, rest = divmod(at, 1000)
    return f"{_second(second)}.{rest:03}Z"


@lru_cache(maxsize=64)
def _second(at: int) -> str:
    # Most times that are told are of now, and many of them of the same second.
    return datetime.fromtimestamp(at, UTC).isoformat().removesuffix("+00:00")
