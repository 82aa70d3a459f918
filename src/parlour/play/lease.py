"""The lease by which a process says that it lives, and by which all that it holds is held.

Laws:

* What counts is what the store has confirmed, measured before it was asked. A process whose lease
  ran out knows that it is doubted: others may have taken back what it holds.
* A process whose own lease has not held for a whole term without a break declares nobody dead.
  After an outage of the database, or a sleep, everyone else gets as long to renew theirs.
"""

from __future__ import annotations

import asyncio

import structlog

from parlour.games.api import Millis
from parlour.play.clock import Clock
from parlour.store.api import Store
from parlour.store.change import Change, EndLease, HoldLease, StoreError, Unavailable

log = structlog.get_logger()

LEASE_MS: Millis = 10_000

RENEWALS = 3
"""How often a lease is renewed within its term; an attempt that takes longer is made again."""

RETRY_S = 0.5


class Lease:
    """This process's own."""

    def __init__(
        self, store: Store, clock: Clock, process_id: str, term_ms: Millis = LEASE_MS
    ) -> None:
        self._store = store
        self._clock = clock
        self._process_id = process_id
        self.term_ms = term_ms
        self._until: Millis = 0
        self._since: Millis | None = None
        """Since when it has been held without a break."""
        self._turn = asyncio.Lock()
        self.lapses = 0
        """How often it ran out before it was renewed: each time everything held is in doubt."""

    @property
    def held(self) -> bool:
        """Nobody has a reason to doubt that this process lives."""
        return self._clock() <= self._until

    @property
    def settled(self) -> bool:
        """Whether this process may declare others dead."""
        since = self._since
        return self.held and since is not None and self._clock() - since >= self.term_ms

    async def renew(self) -> None:
        """Say that this process lives; `Unavailable` unless the store confirms it soon."""
        until = self._clock() + self.term_ms
        hold = HoldLease(process_id=self._process_id, until=until)
        patience_s = self.term_ms / RENEWALS / 1000
        try:
            # Not `wait_for`, which on Python 3.11 may swallow that its task is cancelled.
            async with asyncio.timeout(patience_s):
                await self._store.commit(Change((hold,)))
        except TimeoutError as error:
            raise Unavailable(f"no answer within {patience_s:.1f} s") from error
        now = self._clock()
        if now > self._until:
            if self._since is not None:
                self.lapses += 1
                log.warning("lease lapsed", for_ms=now - self._until)
            self._since = now
        self._until = until

    async def ensure(self) -> None:
        """Before something is held: see to it that the lease is good for a while."""
        if self._lasting:
            return
        async with self._turn:  # many may come at once, and one renewal is good for all
            if not self._lasting:
                await self.renew()

    @property
    def _lasting(self) -> bool:
        return self._until - self._clock() > self.term_ms // 2

    async def keep(self) -> None:
        """Renew it again and again: a task of its own, which waits for nothing else."""
        failing = False
        while True:
            try:
                await self.renew()
            except Exception as error:
                if not failing:
                    cause = None if isinstance(error, StoreError) else error
                    log.warning("lease not renewed", error=repr(error), exc_info=cause)
                failing = True
                await asyncio.sleep(RETRY_S)
            else:
                failing = False
                await asyncio.sleep(self.term_ms / RENEWALS / 1000)

    async def end(self) -> None:
        """This process ends in order: it holds nothing any more."""
        await self._store.commit(Change((EndLease(process_id=self._process_id),)))
        self._until = 0
        self._since = None
