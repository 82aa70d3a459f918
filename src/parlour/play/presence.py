"""Who is here and who was seen: kept apart from the match's version, and never in its way.

Laws:

* Only this writes who is here. What connections do becomes durable first (`Connections`,
  `Seating`), and is then noted here, with the match's lock held, so nobody is taken for replaced by
  what was read before they came.
* What is known of a seat held elsewhere may be a few seconds old; before anything is decided on it,
  the store is asked.
* Whoever holds a seat counts as here until this process may say otherwise.
* When somebody was last seen only ever gets later.
"""

from __future__ import annotations

from collections.abc import Iterable

import structlog
from msgspec.structs import replace

from parlour.games.api import Millis, Seat, Seen
from parlour.play.announcement import presence_changed
from parlour.play.lease import Lease
from parlour.play.peers import Peers
from parlour.play.resident import Claim, Here, Resident
from parlour.play.runtime import Runtime
from parlour.store import queries
from parlour.store.change import Arrive, Change, GetUp, Sighting, StoreError

log = structlog.get_logger()

SIGHTING_MS = 3_000
"""How old what is known of a seat may be, and how often it is written down at most."""


class Presence:
    """Presence at the matches in memory, as far as this process knows or can ask."""

    def __init__(
        self, runtime: Runtime, lease: Lease, peers: Peers, sighting_ms: Millis = SIGHTING_MS
    ) -> None:
        self._runtime = runtime
        self._lease = lease
        self._peers = peers
        self.sighting_ms = sighting_ms

    # --- what is known ----------------------------------------------------------------------

    def here(self, resident: Resident) -> tuple[bool, bool]:
        """Which seats have a connection right now, as far as is known."""
        first, second = resident.here
        if first.connection is None and second.connection is None:
            return (False, False)
        now = self._runtime.clock()
        return (self._connected(first, now), self._connected(second, now))

    def last_seen(self, resident: Resident, now: Millis | None = None) -> Seen:
        """When each seat was last heard of, as far as is known."""
        now = self._runtime.clock() if now is None else now
        return (self._last_seen(resident, 0, now), self._last_seen(resident, 1, now))

    def _last_seen(self, resident: Resident, seat: Seat, now: Millis) -> Millis | None:
        here = resident.here[seat]
        if self._connected(here, now) or _is_bot(resident, seat):
            return now
        last = resident.match.started_at
        acted_at = resident.match.acted_at[seat]
        if acted_at is not None and (last is None or last < acted_at):
            last = acted_at
        if here.seen_at is not None and (last is None or last < here.seen_at):
            last = here.seen_at
        if here.connection is not None:
            held_until = self._peers.until(here.process_id) or 0
            last = max(last or 0, held_until) or None
        return last

    def _connected(self, here: Here, now: Millis) -> bool:
        if here.connection is None:
            return False
        if (
            here.process_id == self._runtime.process_id
        ):  # as mostly, and this is asked at every move
            return True
        return self._peers.alive(here.process_id, now) or not self._lease.settled

    def in_doubt(self, resident: Resident) -> bool:
        """Whether a seat is held by a process that may be dead, and nobody can say so yet."""
        if self._lease.settled:
            return False
        now = self._runtime.clock()
        return any(
            here.connection and not self._peers.alive(here.process_id, now)
            for here in resident.here
        )

    def lost(self, resident: Resident) -> bool:
        """Whether a connection of this process claims a seat that it does not hold any more."""
        return any(
            resident.here[seat].connection != claim.connection
            for seat, claim in resident.claims.items()
        )

    async def seen(self, resident: Resident) -> Seen:
        """Sightings good enough to decide on: asks the store about a seat not heard of lately."""
        seen = self.seen_here(resident, self._runtime.clock())
        if seen is None:
            await self.look(resident)
            seen = self.last_seen(resident)
        return seen

    def seen_here(self, resident: Resident, now: Millis) -> Seen | None:
        """The same where nobody need be asked; None: the store must be."""
        if resident.both_here:
            return (now, now)
        other = resident.other_process
        if other is not None and self._peers.alive(other, now):
            return (now, now)
        seen = self.last_seen(resident, now)
        if self._runtime.bus.alone or not resident.rules.asks_seen:
            return seen
        first, second = seen
        if first is None or second is None or min(first, second) < now - self.sighting_ms:
            return None
        return seen

    # --- what the store has -----------------------------------------------------------------

    async def look(self, resident: Resident) -> None:
        """Ask the store who is here, for callers who hold the match's lock.

        Without it somebody may arrive between question and answer, and be taken for replaced.
        """
        rows = await queries.presence(self._runtime.store, resident.match.id)
        if any(row.process_id not in (None, self._runtime.process_id) for row in rows):
            await self._peers.look()
        if self.note(resident, rows):
            self.tell_here(resident)

    async def catch_up(self, resident: Resident, rows: Iterable[queries.PresenceRow]) -> None:
        """Take over what was just read together with the match, and tell the watchers here."""
        if self.note(resident, rows):
            # A seat counts as held by a process known to be alive: ask about one never heard of.
            await self._peers.meet(here.process_id for here in resident.here)
            self.tell_here(resident)

    def note(self, resident: Resident, rows: Iterable[queries.PresenceRow]) -> bool:
        """Take over what the store knows of who is here; True if somebody came or went."""
        before = [here.connection for here in resident.here]
        for row in rows:
            known = resident.here[row.seat]
            seen_at = max(filter(None, (row.seen_at, known.seen_at)), default=None)
            here = Here(seen_at, row.connection, row.process_id, row.left_at)
            self._set(resident, row.seat, here)
            claim = resident.claims.get(row.seat)
            if claim is not None and row.connection not in (None, claim.connection):
                del resident.claims[row.seat]
                claim.replaced()
        return before != [here.connection for here in resident.here]

    def differs(self, resident: Resident, standing: queries.Standing) -> bool:
        """Whether the store has anything about a match that is not known here.

        What was heard of somebody is taken over at once.
        """
        if standing.version > resident.match.version:
            return True
        for seat, connection, seen_at in standing.seats:
            if resident.here[seat].connection != connection:
                return True
            self._seen(resident, seat, seen_at)
        return False

    # --- what connections do ----------------------------------------------------------------

    def seated(self, resident: Resident, arrivals: Iterable[Arrive]) -> None:
        """These connections hold their seats, from the step that was just committed."""
        for row in arrivals:
            self._set(resident, row.seat, Here(row.seen_at, row.connection, row.process_id))

    def took(self, resident: Resident, arrival: Arrive, claim: Claim) -> None:
        """A connection of this process has taken a seat; who had it here before is told."""
        seat = arrival.seat
        older = resident.claims.get(seat)
        self.seated(resident, (arrival,))
        resident.claims[seat] = claim
        if older is not None and older.connection != claim.connection:
            older.replaced()

    def claim(self, resident: Resident, seat: Seat, claim: Claim) -> bool:
        """A connection that has held its seat from the start says so; False if it lost it."""
        if resident.here[seat].connection != claim.connection:
            return False
        resident.claims[seat] = claim
        return True

    def unclaim(self, resident: Resident, seat: Seat, connection: str) -> None:
        """A connection does not claim the seat any more, if it did."""
        claim = resident.claims.get(seat)
        if claim is not None and claim.connection == connection:
            del resident.claims[seat]

    def outrun(self, resident: Resident) -> list[tuple[Seat, Claim]]:
        """Claims to seats that nobody holds; those that another connection holds are told so."""
        free = []
        for seat, claim in tuple(resident.claims.items()):
            holder = resident.here[seat].connection
            if holder is None:
                free.append((seat, claim))
            elif holder != claim.connection:
                del resident.claims[seat]
                claim.replaced()
        return free

    def leaving(self, resident: Resident, at: Millis) -> GetUp | None:
        """What connections of this process write down that get up when the game is over, if any."""
        going = {seat: each.connection for seat, each in _leaving(resident)}
        if not going:
            return None
        return GetUp(
            match_id=resident.match.id,
            at=at,
            connection_0=going.get(0),
            connection_1=going.get(1),
        )

    def got_up(self, resident: Resident, at: Millis) -> bool:
        """They have; False: there was nobody."""
        going = _leaving(resident)
        for seat, claim in going:
            del resident.claims[seat]
            if resident.here[seat].connection == claim.connection:
                self.left(resident, seat, at)
        return bool(going)

    def left(self, resident: Resident, seat: Seat, at: Millis) -> None:
        """No connection holds the seat any more."""
        self._set(resident, seat, Here(at, left_at=at))

    def let_go(self, resident: Resident, at: Millis) -> None:
        """Nobody holds a seat any more; those who sat there hear of the step that made it so."""
        resident.claims.clear()
        for seat, here in enumerate(resident.here):
            if here.connection is not None:
                self._set(resident, seat, Here(here.seen_at, left_at=at))

    def saw(self, resident: Resident, seat: Seat) -> None:
        """A sign of life outside any connection, such as a poll; kept every few seconds."""
        at = self._runtime.clock()
        self._seen(resident, seat, at)
        held = resident.here[seat].connection is not None
        if not held and resident.kept_at[seat] + self.sighting_ms <= at:
            resident.kept_at[seat] = at
            sighting = Sighting(match_id=resident.match.id, seat=seat, seen_at=at)
            self._runtime.background.spawn(self._keep(Change((sighting,))))

    def _seen(self, resident: Resident, seat: Seat, at: Millis) -> None:
        here = resident.here[seat]
        if here.seen_at is None or here.seen_at < at:
            self._set(resident, seat, replace(here, seen_at=at))

    def _set(self, resident: Resident, seat: Seat, here: Here) -> None:
        resident.here[seat] = here
        first, second = resident.here
        resident.both_here, resident.other_process = False, None
        if first.connection is not None and second.connection is not None:
            others = {first.process_id, second.process_id} - {self._runtime.process_id}
            resident.both_here = not others
            resident.other_process = others.pop() if len(others) == 1 else None

    async def _keep(self, change: Change) -> None:
        try:
            await self._runtime.store.commit(change)
        except StoreError as error:
            log.warning("sighting not kept", error=repr(error))

    # --- telling ----------------------------------------------------------------------------

    def tell(self, resident: Resident) -> None:
        """Somebody's connection came or went: tell the watchers here and elsewhere."""
        self.tell_here(resident)
        if not self._runtime.bus.alone:
            match = resident.match
            self._runtime.bus.publish_elsewhere(
                f"match:{match.id}", presence_changed(match.version)
            )

    def tell_here(self, resident: Resident) -> None:
        """Tell the watchers of this process."""
        here = self.here(resident)
        for watcher in tuple(resident.watchers):
            try:
                watcher.presence(resident.match, here)
            except Exception:
                log.exception("watcher failed", match_id=resident.match.id)


def _leaving(resident: Resident) -> list[tuple[Seat, Claim]]:
    """Who does not stay when the game is over."""
    return [(seat, claim) for seat, claim in resident.claims.items() if not claim.stays]


def _is_bot(resident: Resident, seat: Seat) -> bool:
    """The computer has no connection, and is always there."""
    seats = resident.match.seats
    return seat < len(seats) and seats[seat].bot is not None
