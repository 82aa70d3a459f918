"""Who is here and who was seen: kept apart from the match's version, and never in its way.

What is known of a seat held elsewhere may be a few seconds old; before anything is decided on it,
the store is asked. Whoever holds a seat counts as here until this process may say otherwise.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

import structlog
from msgspec.structs import replace

from parlour.events.relay import LEASE as RELAY
from parlour.games.api import Millis, Seat
from parlour.play.lease import LEASE_MS, Lease
from parlour.play.live import Here, Live
from parlour.play.tables import Tables
from parlour.play.words import presence_changed
from parlour.store import queries
from parlour.store.change import Change, ForgetLease, Sighting, StoreError

log = structlog.get_logger()

SIGHTING_MS = 3_000
"""How old what is known of a seat may be, and how often it is written down at most."""


class Sightings(Tables):
    """The first floor of `Play`: presence, as far as this process knows or can ask."""

    def __init__(
        self,
        *parts: Any,
        sighting_ms: Millis = SIGHTING_MS,
        lease_ms: Millis = LEASE_MS,
        **more: Any,
    ) -> None:
        super().__init__(*parts, **more)
        self.sighting_ms = sighting_ms
        self.lease = Lease(self.store, self.clock, self.process_id, lease_ms)
        self._leases: dict[str, Millis] = {}

    def here(self, live: Live) -> tuple[bool, bool]:
        """Which seats have a connection right now, as far as is known."""
        now = self.clock()
        return (self._connected(live.here[0], now), self._connected(live.here[1], now))

    def last_seen(self, live: Live) -> tuple[Millis | None, Millis | None]:
        """When each seat was last heard of, as far as is known."""
        now = self.clock()
        return (self._last_seen(live, 0, now), self._last_seen(live, 1, now))

    def _connected(self, here: Here, now: Millis) -> bool:
        if here.connection is None:
            return False
        return self._alive(here, now) or not self.lease.settled

    def _alive(self, here: Here, now: Millis) -> bool:
        """Whether the process that holds a seat is known to live."""
        if here.process_id == self.process_id:
            return True
        return self._leases.get(here.process_id or "", 0) >= now

    def in_doubt(self, live: Live) -> bool:
        """Whether a seat is held by a process that may be dead, and nobody can say so yet."""
        if self.lease.settled:
            return False
        now = self.clock()
        return any(here.connection and not self._alive(here, now) for here in live.here)

    @property
    def others(self) -> bool:
        """Whether another process was at this database lately."""
        now = self.clock()
        return any(
            until >= now and process_id not in (self.process_id, RELAY)
            for process_id, until in self._leases.items()
        )

    def _last_seen(self, live: Live, seat: Seat, now: Millis) -> Millis | None:
        here = live.here[seat]
        if self._connected(here, now) or _is_bot(live, seat):
            return now
        last = live.match.started_at
        acted_at = live.match.acted_at[seat]
        if acted_at is not None and (last is None or last < acted_at):
            last = acted_at
        if here.seen_at is not None and (last is None or last < here.seen_at):
            last = here.seen_at
        if here.connection is not None:
            held_until = self._leases.get(here.process_id or "", 0)
            last = max(last or 0, held_until) or None
        return last

    async def _seen(self, live: Live) -> tuple[Millis | None, Millis | None]:
        """Sightings good enough to decide on: asks the store about a seat not heard of lately."""
        seen = self.last_seen(live)
        if not self.bus.alone:
            old = self.clock() - self.sighting_ms
            if any(at is None or at < old for at in seen):
                await self.look_locked(live)
                seen = self.last_seen(live)
        return seen

    async def look_locked(self, live: Live) -> None:
        """Ask the store who is here, for callers who hold the match's lock.

        Without it somebody may arrive between question and answer, and be taken for replaced.
        """
        for process_id, until in await queries.leases(self.store):
            self._leases[process_id] = until
        rows = await queries.presence(self.store, live.match.id)
        if self._note_presence(live, rows):
            self._tell_presence(live)

    def differs(self, live: Live, standing: queries.Standing) -> bool:
        """Whether the store has anything about a match that is not known here.

        What was heard of somebody is taken over at once: it only ever gets later.
        """
        if standing.version > live.match.version:
            return True
        for seat, connection, seen_at in standing.seats:
            here = live.here[seat]
            if here.connection != connection:
                return True
            if here.seen_at is None or here.seen_at < seen_at:
                live.here[seat] = replace(here, seen_at=seen_at)
        return False

    def saw(self, live: Live, seat: Seat) -> None:
        """A sign of life outside any connection, such as a poll."""
        self._saw(live, seat, self.clock())

    def _saw(self, live: Live, seat: Seat, at: Millis) -> None:
        here = live.here[seat]
        if here.seen_at is None or here.seen_at < at:
            live.here[seat] = replace(here, seen_at=at)
        if live.kept_at[seat] + self.sighting_ms <= at and here.connection is None:
            live.kept_at[seat] = at
            sighting = Sighting(match_id=live.match.id, seat=seat, seen_at=at)
            self.spawn(self._keep(Change((sighting,))))

    async def _keep(self, change: Change) -> None:
        try:
            await self.store.commit(change)
        except StoreError as error:
            log.warning("sighting not kept", error=repr(error))

    def tell_presence(self, live: Live) -> None:
        """Somebody's connection came or went: tell the watchers here and elsewhere."""
        self._tell_presence(live)
        if not self.bus.alone:
            self.bus.publish(f"match:{live.match.id}", presence_changed(live.match.version))

    def _tell_presence(self, live: Live) -> None:
        here = self.here(live)
        for watcher in tuple(live.watchers):
            try:
                watcher.presence(live.match, here)
            except Exception:
                log.exception("watcher failed", match_id=live.match.id)

    async def _know_holders(self, live: Live) -> None:
        """A seat counts as held by a process known to be alive: ask about one never heard of."""
        holders = {here.process_id for here in live.here} - {None, self.process_id}
        if not holders <= self._leases.keys():
            self.note_leases(await queries.leases(self.store))

    async def dead(self) -> list[str]:
        """Processes that hold something though their lease ran out; none while that is in doubt."""
        self.note_leases(await queries.leases(self.store))
        if not self.lease.settled:
            return []
        now = self.clock()
        return [
            process_id
            for process_id in await queries.holders(self.store)
            if process_id != self.process_id and self._leases.get(process_id, 0) < now
        ]

    def lease_until(self, process_id: str | None) -> Millis | None:
        """Until when a process said that it lives, as far as is known."""
        return self._leases.get(process_id or "")

    def lapsed_leases(self, but: Collection[str]) -> list[ForgetLease]:
        """The leases of the dead, to be forgotten, but for those who still hold something."""
        if not self.lease.settled:
            return []
        now = self.clock()
        return [
            ForgetLease(process_id=process_id, until=until)
            for process_id, until in self._leases.items()
            if until < now and process_id != self.process_id and process_id not in but
        ]

    def note_leases(self, leases: Iterable[tuple[str, Millis]]) -> None:
        """Which processes are alive, and until when they say so."""
        self._leases = dict(leases)


def _is_bot(live: Live, seat: Seat) -> bool:
    """The computer has no connection, and is always there."""
    seats = live.match.seats
    return seat < len(seats) and seats[seat].bot is not None
