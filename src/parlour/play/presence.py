"""Who is here: connections take and leave seats, each process by a lease on all it holds.

Laws:

* A seat is held by at most one connection; a newer one replaces an older one, whose late
  departure then changes nothing.
* Arriving and leaving become steps only where the rules care, in the same commit.
* A process that dies without a word loses its seats when its lease runs out; they are taken back
  by a process whose own lease has held for a whole term.
* What the store has of this process is what its connections claim: a seat that nobody claims is
  given up, a claim that was lost is made again.
* What is known of a seat changes with the match's lock held, so nobody is taken for replaced by
  what was read before they came.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from parlour.events import outbox
from parlour.games.api import Dice, Env, Millis, Refused, Seat
from parlour.play.holdings import Unclaimed, held_by
from parlour.play.live import Here, Live
from parlour.play.match import Kind
from parlour.play.play import Gone, Play, Proposal
from parlour.play.rounds import Worklist, one_of_many
from parlour.store import queries
from parlour.store.change import (
    Arrive,
    Change,
    Conflict,
    Depart,
    Unavailable,
    Write,
)
from parlour.store.queries import PresenceRow

Held = tuple[str, Seat, str]
"""A match, a seat of it, and the connection that holds it."""


class Presence:
    """Seats held by the connections of this process, and by those of dead ones."""

    def __init__(self, play: Play) -> None:
        self._play = play
        self._owed: set[Held] = set()
        """Departures that the store could not be told of at the time."""
        self._lapsed = Worklist("lapsed seat", play.clock, _held)
        self._ours = Worklist("held seat", play.clock, _held)
        self._unclaimed = Unclaimed[Held](play.clock, play.lease.term_ms)

    @property
    def worklists(self) -> tuple[Worklist[PresenceRow], ...]:
        """What this works through, and what of it had to be set aside."""
        return (self._lapsed, self._ours)

    async def arrive(
        self, match_id: str, seat: Seat, connection: str, replaced: Callable[[], None]
    ) -> Live:
        """A connection takes a seat; `replaced` is called should another one take it over."""
        play = self._play
        await play.lease.ensure()
        live = await play.live(match_id)
        if live is None:
            raise Gone
        async with live.lock:
            await self._take(live, seat, connection, replaced)
        play.tell_presence(live)
        return live

    async def _take(
        self, live: Live, seat: Seat, connection: str, replaced: Callable[[], None]
    ) -> None:
        play = self._play
        now = play.clock()
        write = Arrive(
            match_id=live.match.id,
            seat=seat,
            seen_at=now,
            connection=connection,
            process_id=play.process_id,
        )
        await self._record(live, "back", seat, write)
        older = live.replaced.get(seat)
        live.here[seat] = Here(now, connection, play.process_id)
        live.replaced[seat] = (connection, replaced)
        if older is not None and older[0] != connection:
            older[1]()

    async def keep(
        self, match_id: str, seat: Seat, connection: str, replaced: Callable[[], None]
    ) -> bool:
        """As `arrive`, for a connection that has held the seat since the match began.

        False: it has lost it to another one already.
        """
        live = await self._play.live(match_id)
        if live is None:
            return False
        async with live.lock:  # it may be about to depart
            if live.here[seat].connection != connection:
                return False
            live.replaced[seat] = (connection, replaced)
        return True

    async def depart(self, match_id: str, seat: Seat, connection: str) -> None:
        """A connection is gone. If it no longer holds the seat nothing happens.

        If the store does not answer, the next round sees to it.
        """
        try:
            await self._depart(match_id, seat, connection)
        except Unavailable:
            self._owed.add((match_id, seat, connection))

    async def _depart(
        self, match_id: str, seat: Seat, connection: str, seen_at: Millis | None = None
    ) -> None:
        """`seen_at`: until when it is known to have been there, if not until now."""
        live = await self._play.known(match_id)
        if live is None:
            return
        async with live.lock:
            claim = live.replaced.get(seat)
            if claim is not None and claim[0] == connection:
                del live.replaced[seat]
            left = await self._leave(live, seat, connection, seen_at)
        if left:
            self._play.tell_presence(live)

    async def _leave(
        self, live: Live, seat: Seat, connection: str, seen_at: Millis | None = None
    ) -> bool:
        """False: it does not hold the seat any more."""
        at = self._play.clock() if seen_at is None else seen_at
        write = Depart(match_id=live.match.id, seat=seat, seen_at=at, connection=connection)
        try:
            await self._record(live, "gone", seat, write)
        except Conflict:
            await self._play.look_locked(live)
            return False
        live.here[seat] = Here(at, left_at=at)
        return True

    async def _record(self, live: Live, kind: Kind, seat: Seat, write: Write) -> None:
        if self._cares(live, kind, seat):
            try:
                await self._play.step_locked(live, lambda _: Proposal(kind, seat, also=(write,)))
            except Refused:
                if live.match.status == "active":
                    raise
                # The match has ended meanwhile, and then nobody cares.
            else:
                return
        await self._play.store.commit(Change((write, *self._events(live, kind, seat))))

    def _events(self, live: Live, kind: Kind, seat: Seat) -> tuple[Write, ...]:
        """Coming and going as analytics have it, where it is no step. The first time is neither."""
        match = live.match
        if not self._play.analytics or match.status != "active":
            return ()
        if kind == "gone":
            return (outbox.player_left(match, match.seats[seat], self._play.clock()),)
        if live.here[seat].left_at is None:
            return ()
        return (outbox.player_reconnected(match, match.seats[seat], self._play.clock()),)

    def _cares(self, live: Live, kind: Kind, seat: Seat) -> bool:
        """Whether the rules make anything of it."""
        match = live.match
        if match.status != "active":
            return False
        env = Env(self._play.clock(), Dice(match.seed, match.version + 1))
        step = live.rules.presence(match.state, seat, kind == "back", env)
        return step.state is not match.state or bool(step.events)

    # --- what dead processes hold -----------------------------------------------------------

    async def reap(self, dead: Sequence[str]) -> None:
        """Take back what nobody holds any more: here, and where a process is dead."""
        for owed in tuple(self._owed):
            self._owed.discard(owed)
            with one_of_many("departure", match_id=owed[0]):
                await self.depart(*owed)
        store = self._play.store
        await self._lapsed.work(
            lambda after, limit: held_by(dead, after, limit, partial(queries.held_seats, store)),
            self._take_back,
        )
        # As long as they hold anything, it is by their lease that one knows when they were here.
        for lapsed in self._play.lapsed_leases(but=dead):
            await store.commit(Change((lapsed,)))

    async def _take_back(self, row: PresenceRow) -> None:
        """Its holder was there as long as its process was known to live."""
        until = self._play.lease_until(row.process_id)
        seen_at = row.seen_at if until is None else max(row.seen_at, until)
        await self._depart(row.match_id, row.seat, row.connection or "", seen_at)

    # --- what this process holds ------------------------------------------------------------

    def lost(self, live: Live) -> bool:
        """Whether a connection of this process claims a seat that it does not hold any more."""
        for seat, (connection, _) in live.replaced.items():
            if live.here[seat].connection != connection:
                return True
        return False

    async def retake(self, live: Live) -> None:
        """Claim again what was taken back in our absence; who was replaced meanwhile hears so."""
        await self._play.lease.ensure()
        async with live.lock:
            for seat, (connection, replaced) in tuple(live.replaced.items()):
                holder = live.here[seat].connection
                if holder is None:
                    await self._take(live, seat, connection, replaced)
                elif holder != connection:
                    del live.replaced[seat]
                    replaced()
        self._play.tell_presence(live)

    async def reconcile(self) -> None:
        """Compare a portion of what the store has of this process with what is claimed here."""
        play = self._play
        await self._ours.work(
            lambda after, limit: queries.held_seats(play.store, play.process_id, after, limit),
            self._compare,
        )

    async def _compare(self, row: PresenceRow) -> None:
        """Give a seat up that nobody has claimed for a whole term.

        The connection it is held for went before it heard of it, or nobody could tell it.
        """
        held = _held(row)
        live = self._play.remembered(row.match_id)
        if live is not None and _claims(live, row):
            self._unclaimed.forget(held)
        elif self._unclaimed.for_long(held):
            await self._give_up(row)
            self._unclaimed.forget(held)

    async def _give_up(self, row: PresenceRow) -> None:
        live = await self._play.known(row.match_id)
        if live is None:
            return
        async with live.lock:
            left = not _claims(live, row) and await self._leave(
                live, row.seat, row.connection or ""
            )
        if left:
            self._play.tell_presence(live)

    def tidy(self) -> None:
        """Forget what was settled in another way."""
        self._unclaimed.tidy()


def _held(row: PresenceRow) -> Held:
    return (row.match_id, row.seat, row.connection or "")


def _claims(live: Live, row: PresenceRow) -> bool:
    """Whether the connection that holds a seat is known here to do so."""
    claim = live.replaced.get(row.seat)
    return claim is not None and claim[0] == row.connection
