"""Connections take and leave seats, each process by a lease on all it holds.

Laws:

* A seat is held by at most one connection; a newer one replaces an older one, whose late
  departure then changes nothing.
* Arriving and leaving become steps only where the rules care, in the same commit.
* A process that dies without a word loses its seats when its lease runs out; they are taken back
  by a process whose own lease has held for a whole term.
* What the store has of this process is what its connections claim: a seat that nobody claims is
  given up, a claim that was lost is made again.
* What is known of a seat changes (`Presence`) after it is durable, with the match's lock held.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from parlour.events import outbox
from parlour.games.api import Dice, Env, Millis, Refused, Seat
from parlour.play.deciding import Plan, Wanted
from parlour.play.finding import Finder
from parlour.play.holdings import Unclaimed, held_by
from parlour.play.lease import Lease
from parlour.play.match import Kind
from parlour.play.peers import Peers
from parlour.play.presence import Presence
from parlour.play.resident import Claim, Resident
from parlour.play.residents import Residents
from parlour.play.rounds import Worklist, one_of_many
from parlour.play.runtime import Runtime
from parlour.play.steps import Steps
from parlour.store import queries
from parlour.store.change import Arrive, Change, Conflict, Depart, Unavailable, Write
from parlour.store.queries import PresenceRow

HeldSeat = tuple[str, Seat, str]
"""A match, a seat of it, and the connection that holds it."""


class Connections:
    """Seats held by the connections of this process, and by those of dead ones."""

    def __init__(
        self,
        runtime: Runtime,
        lease: Lease,
        peers: Peers,
        presence: Presence,
        residents: Residents,
        steps: Steps,
        finder: Finder,
    ) -> None:
        self._runtime = runtime
        self._lease = lease
        self._peers = peers
        self._presence = presence
        self._residents = residents
        self._steps = steps
        self._finder = finder
        self._pending_departures: set[HeldSeat] = set()
        """Those that the store could not be told of at the time."""
        self._lapsed = Worklist("lapsed seat", runtime.clock, _held)
        self._ours = Worklist("held seat", runtime.clock, _held)
        self._unclaimed = Unclaimed[HeldSeat](runtime.clock, lease.term_ms)

    @property
    def worklists(self) -> tuple[Worklist[PresenceRow], ...]:
        """What this works through, and what of it had to be set aside."""
        return (self._lapsed, self._ours)

    # --- coming and going -------------------------------------------------------------------

    async def arrive(
        self,
        match_id: str,
        seat: Seat,
        connection: str,
        replaced: Callable[[], None],
        origin: str | None = None,
        *,
        stays: bool = True,
    ) -> Resident:
        """A connection takes a seat; `replaced` is called should another one take it over.

        `origin`: the address it comes from; `stays`: whether it sits there when the game is over.
        """
        await self._lease.ensure()
        resident = await self._finder.must_be_playable(match_id)
        async with resident.lock:
            await self._take(resident, seat, Claim(connection, replaced, origin, stays))
        self._presence.tell(resident)
        return resident

    async def _take(self, resident: Resident, seat: Seat, claim: Claim) -> None:
        arrival = Arrive(
            match_id=resident.match.id,
            seat=seat,
            seen_at=self._runtime.clock(),
            connection=claim.connection,
            process_id=self._runtime.process_id,
        )
        await self._record(resident, "back", seat, arrival)
        self._presence.took(resident, arrival, claim)

    async def keep(
        self,
        match_id: str,
        seat: Seat,
        connection: str,
        replaced: Callable[[], None],
        origin: str | None = None,
        *,
        stays: bool = True,
    ) -> bool:
        """As `arrive`, for a connection that has held the seat since the match began.

        False: it has lost it to another one already.
        """
        resident = await self._finder.playable(match_id)
        if resident is None:
            return False
        async with resident.lock:  # it may be about to depart
            claim = Claim(connection, replaced, origin, stays)
            return self._presence.claim(resident, seat, claim)

    def keep_at_once(
        self,
        match_id: str,
        seat: Seat,
        connection: str,
        replaced: Callable[[], None],
        origin: str | None = None,
        *,
        stays: bool = True,
    ) -> bool:
        """The same where nothing is in the way; False: `keep` does it, or says why not."""
        resident = self._residents.by_id.get(match_id)
        if resident is None or not resident.playable or not resident.lock.free:
            return False
        return self._presence.claim(resident, seat, Claim(connection, replaced, origin, stays))

    def holds(self, match_id: str, seat: Seat, connection: str) -> bool:
        """Whether a connection of this process has a seat, as far as is known."""
        resident = self._residents.by_id.get(match_id)
        return resident is None or resident.here[seat].connection == connection

    async def depart(self, match_id: str, seat: Seat, connection: str) -> None:
        """A connection is gone. If it no longer holds the seat nothing happens.

        If the store does not answer, the next round sees to it.
        """
        try:
            await self._depart(match_id, seat, connection)
        except Unavailable:
            self._pending_departures.add((match_id, seat, connection))

    async def _depart(
        self, match_id: str, seat: Seat, connection: str, seen_at: Millis | None = None
    ) -> None:
        """`seen_at`: until when it is known to have been there, if not until now."""
        resident = await self._residents.get(match_id)
        if resident is None:
            return
        async with resident.lock:
            self._presence.unclaim(resident, seat, connection)
            left = await self._leave(resident, seat, connection, seen_at)
        if left:
            self._presence.tell(resident)

    async def _leave(
        self, resident: Resident, seat: Seat, connection: str, seen_at: Millis | None = None
    ) -> bool:
        """False: it does not hold the seat any more."""
        at = self._runtime.clock() if seen_at is None else seen_at
        write = Depart(match_id=resident.match.id, seat=seat, seen_at=at, connection=connection)
        try:
            await self._record(resident, "gone", seat, write)
        except Conflict:
            await self._presence.look(resident)
            return False
        self._presence.left(resident, seat, at)
        return True

    async def _record(self, resident: Resident, kind: Kind, seat: Seat, write: Write) -> None:
        if self._cares(resident, kind, seat):
            plan = Plan((Wanted(kind, seat),), (write,))
            try:
                await self._steps.step_locked(resident, lambda _: plan)
            except Refused:
                if resident.match.status == "active":
                    raise
                # The match has ended meanwhile, and then nobody cares.
            else:
                return
        # Whoever leaves the computer keeps nobody waiting for it.
        patient = kind == "gone" and resident.match.with_bot
        made = (write, *self._events(resident, kind, seat))
        await self._runtime.store.commit(Change(made, patient=patient))

    def _events(self, resident: Resident, kind: Kind, seat: Seat) -> tuple[Write, ...]:
        """Coming and going as analytics have it, where it is no step. The first time is neither."""
        match = resident.match
        if not self._runtime.analytics or match.status != "active":
            return ()
        if kind == "gone":
            return (outbox.player_left(match, match.seats[seat], self._runtime.clock()),)
        if resident.here[seat].left_at is None:
            return ()
        return (outbox.player_reconnected(match, match.seats[seat], self._runtime.clock()),)

    def _cares(self, resident: Resident, kind: Kind, seat: Seat) -> bool:
        """Whether the rules make anything of it."""
        match = resident.match
        if match.status != "active":
            return False
        env = Env(self._runtime.clock(), Dice(match.seed, match.version + 1))
        step = resident.rules.presence(match.state, seat, kind == "back", env)
        return step.state is not match.state or bool(step.events)

    # --- what dead processes hold -----------------------------------------------------------

    async def reap(self, dead: Sequence[str]) -> None:
        """Take back what nobody holds any more: here, and where a process is dead."""
        for departure in tuple(self._pending_departures):
            self._pending_departures.discard(departure)
            with one_of_many("departure", match_id=departure[0]):
                await self.depart(*departure)
        store = self._runtime.store
        await self._lapsed.work(
            lambda after, limit: held_by(dead, after, limit, partial(queries.held_seats, store)),
            self._take_back,
        )
        # As long as they hold anything, it is by their lease that one knows when they were here.
        for lapsed in self._peers.lapsed(but=dead):
            await store.commit(Change((lapsed,)))

    async def _take_back(self, row: PresenceRow) -> None:
        """Its holder was there as long as its process was known to live."""
        until = self._peers.until(row.process_id)
        seen_at = row.seen_at if until is None else max(row.seen_at, until)
        await self._depart(row.match_id, row.seat, row.connection or "", seen_at)

    # --- what this process holds ------------------------------------------------------------

    async def retake(self, resident: Resident) -> None:
        """Claim again what was taken back in our absence; who was replaced meanwhile hears so."""
        await self._lease.ensure()
        async with resident.lock:
            for seat, claim in self._presence.outrun(resident):
                await self._take(resident, seat, claim)
        self._presence.tell(resident)

    async def reconcile(self) -> None:
        """Compare a portion of what the store has of this process with what is claimed here."""
        await self._ours.work(
            lambda after, limit: queries.held_seats(
                self._runtime.store, self._runtime.process_id, after, limit
            ),
            self._compare,
        )

    async def _compare(self, row: PresenceRow) -> None:
        """Give a seat up that nobody has claimed for a whole term.

        The connection it is held for went before it heard of it, or nobody could tell it.
        """
        held = _held(row)
        resident = self._residents.by_id.get(row.match_id)
        if resident is not None and _claims(resident, row):
            self._unclaimed.forget(held)
        elif self._unclaimed.for_long(held):
            await self._give_up(row)
            self._unclaimed.forget(held)

    async def _give_up(self, row: PresenceRow) -> None:
        resident = await self._residents.get(row.match_id)
        if resident is None:
            return
        async with resident.lock:
            left = not _claims(resident, row) and await self._leave(
                resident, row.seat, row.connection or ""
            )
        if left:
            self._presence.tell(resident)

    def tidy(self) -> None:
        """Forget what was settled in another way."""
        self._unclaimed.tidy()


def _held(row: PresenceRow) -> HeldSeat:
    return (row.match_id, row.seat, row.connection or "")


def _claims(resident: Resident, row: PresenceRow) -> bool:
    """Whether the connection that holds a seat is known here to do so."""
    claim = resident.claims.get(row.seat)
    return claim is not None and claim.connection == row.connection
