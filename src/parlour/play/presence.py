"""Who is here: connections take and leave seats, each process by a lease on all it holds.

Laws:

* A seat is held by at most one connection; a newer one replaces an older one, whose late
  departure then changes nothing.
* Arriving and leaving become steps only where the rules care, in the same commit.
* A process that dies without a word loses its seats and tickets when its lease runs out.
* A departure that the store could not be told of is told it again until it knows.
"""

from __future__ import annotations

from collections.abc import Callable

from parlour.events import outbox
from parlour.games.api import Dice, Env, Millis, Seat
from parlour.play.live import Here, Live
from parlour.play.match import Kind
from parlour.play.play import Gone, Play, Proposal
from parlour.play.rounds import one_of_many
from parlour.store import queries
from parlour.store.change import (
    Arrive,
    Change,
    Conflict,
    Depart,
    EndLease,
    HoldLease,
    Unavailable,
    Write,
)

LEASE_MS = 10_000
REAP_LIMIT = 200


class Presence:
    """Seats held by the connections of this process, and by those of dead ones."""

    def __init__(self, play: Play, lease_ms: Millis = LEASE_MS) -> None:
        self._play = play
        self._lease_ms = lease_ms
        self._held_until = 0
        self._owed: set[tuple[str, Seat, str]] = set()

    async def arrive(
        self, match_id: str, seat: Seat, connection: str, replaced: Callable[[], None]
    ) -> Live:
        """A connection takes a seat; `replaced` is called should another one take it over."""
        play = self._play
        await self.hold()
        live = await play.live(match_id)
        if live is None:
            raise Gone
        async with live.lock:
            older = live.replaced.get(seat)
            now = play.clock()
            write = Arrive(
                match_id=match_id,
                seat=seat,
                seen_at=now,
                connection=connection,
                process_id=play.process_id,
            )
            await self._record(live, "back", seat, write)
            live.here[seat] = Here(now, connection, play.process_id)
            live.replaced[seat] = (connection, replaced)
        if older is not None and older[0] != connection:
            older[1]()
        play.tell_presence(live)
        return live

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

    async def _depart(self, match_id: str, seat: Seat, connection: str) -> None:
        play = self._play
        live = await play.live(match_id)
        if live is None:
            return
        async with live.lock:
            mine = live.replaced.get(seat)
            if mine is not None and mine[0] == connection:
                del live.replaced[seat]
            now = play.clock()
            write = Depart(match_id=match_id, seat=seat, seen_at=now, connection=connection)
            try:
                await self._record(live, "gone", seat, write)
            except Conflict:
                await play.look(live)
                return
            live.here[seat] = Here(now, left_at=now)
        play.tell_presence(live)

    async def _record(self, live: Live, kind: Kind, seat: Seat, write: Write) -> None:
        if self._cares(live, kind, seat):
            await self._play.step_locked(live, lambda _: Proposal(kind, seat, also=(write,)))
        else:
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

    async def hold(self) -> None:
        """Say that this process lives, well before it would be doubted."""
        now = self._play.clock()
        if self._held_until - now > self._lease_ms * 2 // 3:
            return
        until = now + self._lease_ms
        await self._play.store.commit(
            Change((HoldLease(process_id=self._play.process_id, until=until),))
        )
        self._held_until = until

    async def reap(self) -> None:
        """Take back what nobody holds any more: here, and where a process's lease ran out."""
        for owed in tuple(self._owed):
            self._owed.discard(owed)
            await self.depart(*owed)
        now = self._play.clock()
        leases = await queries.leases(self._play.store)
        self._play.note_leases(leases)
        lapsed = await queries.lapsed_seats(self._play.store, now, REAP_LIMIT)
        for row in lapsed:
            with one_of_many("lapsed seat", match_id=row.match_id):
                await self.depart(row.match_id, row.seat, row.connection or "")
        if len(lapsed) == REAP_LIMIT:
            return  # until when the others were here is known by their lease alone
        for process_id, until in leases:
            if until < now and process_id != self._play.process_id:
                await self._play.store.commit(Change((EndLease(process_id=process_id),)))

    async def check(self, live: Live) -> None:
        """Make sure that the seats of this process's connections are still theirs."""
        for seat, (connection, replaced) in tuple(live.replaced.items()):
            here = live.here[seat]
            if here.connection == connection:
                continue
            if here.connection is None:
                await self.arrive(live.match.id, seat, connection, replaced)
            else:
                live.replaced.pop(seat, None)
                replaced()

    async def release(self) -> None:
        """This process ends in order: it holds nothing any more."""
        await self._play.store.commit(Change((EndLease(process_id=self._play.process_id),)))
        self._held_until = 0
