"""What processes hold in the store, seats and tickets alike: gone through, and compared."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Generic, Protocol, TypeVar

from parlour.games.api import Millis
from parlour.play.clock import Clock
from parlour.play.rounds import STALE_MS


class Held(Protocol):
    """Something held for a connection of a process."""

    @property
    def process_id(self) -> str | None: ...


Row = TypeVar("Row", bound=Held)
Key = TypeVar("Key")


async def held_by(
    processes: Sequence[str],
    after: Row | None,
    limit: int,
    read: Callable[[str, Row | None, int], Awaitable[list[Row]]],
) -> list[Row]:
    """What these hold, one process after the other in the order of their ids; up to so many."""
    rows: list[Row] = []
    reached = (after.process_id or "") if after is not None else ""
    for process_id in sorted(processes):
        if process_id >= reached and len(rows) < limit:
            behind = after if process_id == reached else None
            rows += await read(process_id, behind, limit - len(rows))
    return rows


class Unclaimed(Generic[Key]):
    """What is held in this process's name, though nobody here says that it is theirs.

    Between a commit and whoever hears of it there is a moment in which that is as it should be.
    """

    def __init__(self, clock: Clock, term_ms: Millis) -> None:
        self._clock = clock
        self._term_ms = term_ms
        self._since: dict[Key, Millis] = {}

    def for_long(self, key: Key) -> bool:
        """Nobody claims it; True once that has been so for a whole term."""
        now = self._clock()
        return now - self._since.setdefault(key, now) >= self._term_ms

    def forget(self, key: Key) -> None:
        """Somebody claims it, or it is held no more."""
        self._since.pop(key, None)

    def tidy(self) -> None:
        """Forget what was given up in another way."""
        old = self._clock() - STALE_MS
        for key, since in tuple(self._since.items()):
            if since < old:
                del self._since[key]
