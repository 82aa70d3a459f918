"""Publishes the outbox: at least once, in order per game, one relay at a time.

Laws:

* An event leaves the outbox only after it has arrived, so a crash repeats it but never loses it.
* Of one game no event is sent before the one ahead of it has arrived.
* Whoever publishes holds the lease for longer than anything it hands over can still be under way.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Protocol

import structlog
from msgspec import Struct
from sqlalchemy import bindparam, select

from parlour.bus.api import Bus
from parlour.games.api import Millis
from parlour.store.api import Store
from parlour.store.change import Change, ClearOutbox, Conflict, StoreError, TakeLease
from parlour.store.schema import lease, outbox

log = structlog.get_logger()

DELIVERY_MS: Millis = 10_000
"""An event that has not arrived so long after it was handed over never will by itself."""

LEASE = "relay"
LEASE_MS: Millis = 3 * DELIVERY_MS
SPARE_MS: Millis = DELIVERY_MS + 5_000
"""With less than this left nothing is handed over; the rest is for clocks that disagree."""

WINDOW = 1_000
"""Events held in memory at a time."""

BELL = "outbox"
"""The topic on which other processes say that there is something to publish."""

BACKSTOP_SEC = 1.0
"""How often to look without being told, as word may be lost."""
STANDBY_SEC = 5.0
"""How often to look whether whoever publishes has stopped."""
RETRY_SHORTEST_SEC = 1.0
RETRY_LONGEST_SEC = 30.0
BELL_SEC = 0.05
"""How often at most others are told."""

OLDEST = (
    select(outbox.c.position, outbox.c.key, outbox.c.payload, outbox.c.at)
    .order_by(outbox.c.position)
    .limit(bindparam("count"))
)
HELD_UNTIL = select(lease.c.until).where(lease.c.process_id == LEASE)


class Outgoing(Struct, frozen=True):
    """An event on its way, under the number it has in the outbox."""

    position: int
    key: str
    payload: bytes
    at: Millis


class Receipt(Struct, frozen=True):
    """What became of a batch: which events are done with, and why others are not."""

    done: tuple[int, ...]
    error: str | None


class Sink(Protocol):
    """Where events go."""

    async def publish(self, events: Sequence[Outgoing]) -> Receipt:
        """Returns when every event has arrived or is given up, `DELIVERY_MS` later at most."""
        ...

    async def close(self) -> None:
        """What has not arrived by now is given up."""
        ...


class Relay:
    """One in every process; whichever holds the lease publishes for all."""

    def __init__(self, store: Store, bus: Bus, sink: Sink, clock: Callable[[], Millis]) -> None:
        self._store = store
        self._bus = bus
        self._sink = sink
        self._clock = clock
        self._until: Millis | None = None
        """How long we hold the lease; None: we do not."""
        self._arrived: tuple[int, ...] = ()
        """What is published but still in the outbox."""
        self._work = asyncio.Event()
        self._rang_at = 0.0
        self._task: asyncio.Task[None] | None = None
        self._unsubscribe: Callable[[], None] | None = None
        self.published = 0
        """Events that have left the outbox through this process."""

    async def start(self) -> None:
        """Begin to publish, or to wait for one's turn."""
        self._unsubscribe = self._bus.subscribe(BELL, lambda _: self._work.set())
        self._task = asyncio.create_task(self._run(), name="relay")

    async def close(self) -> None:
        """Stop, and let another process begin at once."""
        if self._unsubscribe is not None:
            self._unsubscribe()
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        await self._sink.close()
        if self._until is not None:
            try:
                await self._take_lease(self._until, self._clock())
            except StoreError as error:
                log.warning("relay lease not returned", error=repr(error))

    def wake(self) -> None:
        """Something was written to the outbox. Cheap, so it may be called after every commit."""
        if self._until is not None or self._bus.alone:
            self._work.set()
            return
        now = asyncio.get_running_loop().time()
        if now - self._rang_at >= BELL_SEC:
            self._rang_at = now
            self._bus.publish(BELL, b"!")

    async def _run(self) -> None:
        delay = RETRY_SHORTEST_SEC
        while True:
            error = await self._turn()
            if error is None:
                delay = RETRY_SHORTEST_SEC
            else:
                log.warning("relay cannot publish", error=error, retry_in_sec=delay)
                await asyncio.sleep(delay * random.uniform(0.5, 1.0))  # noqa: S311 -- no secret
                delay = min(2 * delay, RETRY_LONGEST_SEC)

    async def _turn(self) -> str | None:
        """Publishes what there is and waits for more, or waits for the lease; else why not."""
        try:
            if not await self._hold_lease():
                await asyncio.sleep(STANDBY_SEC)
            elif (error := await self._publish_window()) is not None:
                return error
            else:
                with suppress(TimeoutError):
                    async with asyncio.timeout(BACKSTOP_SEC):
                        await self._work.wait()
        except StoreError as failure:
            return repr(failure)
        except Exception as failure:
            log.exception("relay failed")
            return repr(failure)
        return None

    async def _hold_lease(self) -> bool:
        """Whether we may publish now; renews the lease, or takes it if it ran out."""
        now = self._clock()
        if self._until is not None:
            if self._until - now > SPARE_MS:
                return True
            seen: Millis | None = self._until
        else:
            row = await self._store.row(HELD_UNTIL)
            seen = row["until"] if row else None
            if seen is not None and seen > now:
                return False
        self._until = None
        try:
            await self._take_lease(seen, now + LEASE_MS)
        except Conflict:
            return False
        self._until = now + LEASE_MS
        return True

    async def _take_lease(self, seen: Millis | None, until: Millis) -> None:
        write = TakeLease(process_id=LEASE, seen_until=seen, until=until)
        await self._store.commit(Change((write,)))

    async def _publish_window(self) -> str | None:
        """The oldest events; the reason if some could not be published."""
        await self._clear()
        self._work.clear()
        rows = await self._store.rows(OLDEST, count=WINDOW)
        waiting = [Outgoing(row["position"], row["key"], row["payload"], row["at"]) for row in rows]
        while waiting:
            if not await self._hold_lease():
                return None
            batch = _first_of_each_game(waiting)
            receipt = await self._sink.publish(batch)
            self._arrived = receipt.done
            await self._clear()
            if receipt.error is not None:
                return receipt.error
            sent = {event.position for event in batch}
            waiting = [event for event in waiting if event.position not in sent]
        if len(rows) == WINDOW:
            self._work.set()
        return None

    async def _clear(self) -> None:
        if self._arrived:
            await self._store.commit(Change((ClearOutbox(positions=self._arrived),)))
            self.published += len(self._arrived)
            self._arrived = ()


async def trim(store: Store) -> None:
    """Without Kafka nobody waits for what is left in the outbox from a time with it."""
    while rows := await store.rows(OLDEST, count=WINDOW):
        positions = tuple(row["position"] for row in rows)
        await store.commit(Change((ClearOutbox(positions=positions),)))


def _first_of_each_game(events: Sequence[Outgoing]) -> list[Outgoing]:
    first: dict[str, Outgoing] = {}
    for event in events:
        first.setdefault(event.key, event)
    return list(first.values())
