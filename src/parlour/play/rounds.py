"""How a periodic task works through many things of which each may be broken.

Laws:

* Whatever is wrong with one thing, the others do not wait for it; any number of bad ones leaves
  the rest moving.
* What failed is set aside, logged once, and looked at again later and later.
* A store that does not answer is wrong with all of them, and ends the round.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Generic, TypeVar

import structlog
from msgspec import Struct

from parlour.games.api import Millis
from parlour.play.clock import Clock
from parlour.store.change import StoreError, Unavailable

log = structlog.get_logger()

PAGE = 100
"""So many are read at a time."""

ROUND_LIMIT = 1_000
"""So many a round goes through; the rest is for the next, or another process."""

AGAIN_FIRST_MS: Millis = 10_000
AGAIN_LAST_MS: Millis = 3_600_000
"""After which time what failed is looked at again: at first, and at last."""

STALE_MS: Millis = 600_000
"""If nobody has come upon one for so long after its time, there is nothing to do any more."""

ASIDE_LIMIT = 50_000
"""So many are remembered at once. Beyond that nothing is skipped or logged singly."""

Item = TypeVar("Item")
Key = tuple[str | int | None, ...]


class Failed(Struct, frozen=True):
    """How often something failed in a row, and when it is looked at again."""

    times: int
    again_at: Millis


class Worklist(Generic[Item]):
    """Rows in a fixed order, worked through in portions, each round on from where one stopped."""

    def __init__(self, what: str, clock: Clock, key: Callable[[Item], Key]) -> None:
        """`key`: what one is known by as long as there is the same to do about it."""
        self.what = what
        self._clock = clock
        self._key = key
        self._after: Item | None = None
        self._aside: dict[Key, Failed] = {}
        self._overflowed = False

    @property
    def set_aside(self) -> int:
        """How many failed, and wait to be looked at again."""
        return len(self._aside)

    async def work(
        self,
        read: Callable[[Item | None, int], Awaitable[Sequence[Item]]],
        do: Callable[[Item], Awaitable[None]],
    ) -> None:
        """See to what there is. `read` gives those after one, in order, up to so many."""
        for _ in range(0, ROUND_LIMIT, PAGE):
            page = await read(self._after, PAGE)
            for item in page:
                self._after = item  # before anything can fail: the next round goes on behind it
                await self._one(item, do)
            if len(page) < PAGE:
                self._after = None
                return
            await asyncio.sleep(0)

    async def _one(self, item: Item, do: Callable[[Item], Awaitable[None]]) -> None:
        key = self._key(item)
        failed = self._aside.get(key)
        if failed is not None and failed.again_at > self._clock():
            return
        try:
            await do(item)
        except Unavailable:
            raise
        except Exception as error:  # noqa: BLE001 (whatever it is, it is this one's alone)
            self._set_aside(key, failed, error)
        else:
            self._aside.pop(key, None)

    def _set_aside(self, key: Key, failed: Failed | None, error: Exception) -> None:
        if failed is None and len(self._aside) >= ASIDE_LIMIT:
            if not self._overflowed:
                log.error("too many set aside", what=self.what, limit=ASIDE_LIMIT)
            self._overflowed = True
            return
        times = failed.times + 1 if failed else 1
        wait_ms = min(AGAIN_FIRST_MS << min(times - 1, 20), AGAIN_LAST_MS)
        self._aside[key] = Failed(times, self._clock() + wait_ms)
        if failed is None:
            # What the store refused says all; of anything else the traceback tells more.
            cause = None if isinstance(error, StoreError) else error
            log.error("set aside", what=self.what, key=key, error=repr(error), exc_info=cause)

    def tidy(self) -> None:
        """Forget those that somebody else saw to."""
        old = self._clock() - STALE_MS
        for key, failed in tuple(self._aside.items()):
            if failed.again_at < old:
                del self._aside[key]
        self._overflowed = self._overflowed and len(self._aside) >= ASIDE_LIMIT


@contextmanager
def one_of_many(what: str, **about: str) -> Iterator[None]:
    """For a few known ones: whatever is wrong with this one, the others must not wait for it."""
    try:
        yield
    except Unavailable:
        raise
    except StoreError as error:
        log.warning(f"{what} left as it is", error=repr(error), **about)
    except Exception:
        log.exception(f"{what} left as it is", **about)
