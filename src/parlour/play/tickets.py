"""Tickets of the queue: in the store, so that it survives a restart and spans processes.

Laws:

* A user has at most one ticket per game, and none once seated.
* A ticket is held by at most one connection; a newer one of the same user replaces an older one.
* The secret of the seat follows from the ticket, so whoever waited finds their match, among any
  number of others.
* A ticket that nobody waits with goes: at once, or, if the store did not answer, in a later round.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from hashlib import blake2b
from typing import Any

import msgspec

from parlour.bus.api import CHECK
from parlour.games.api import Millis
from parlour.play.clock import uuid
from parlour.play.finding import Finder
from parlour.play.holdings import Unclaimed, held_by
from parlour.play.lease import Lease
from parlour.play.match import Match
from parlour.play.player import Busy, Player
from parlour.play.rounds import Worklist, one_of_many
from parlour.play.runtime import Runtime
from parlour.play.waiting import Waiters
from parlour.store import queries
from parlour.store.change import (
    Change,
    Conflict,
    PutTicket,
    QueueUp,
    Taken,
    TakeTicket,
    Unavailable,
)

ATTEMPTS = 50

CLOCKS_APART_MS = 60_000
"""By how much the clocks of two processes may differ at most."""


class AlreadyQueued(Exception):
    """The user waits in this queue already."""


class Tickets:
    """Made, placed, found and dropped."""

    def __init__(self, runtime: Runtime, lease: Lease, finder: Finder, waiters: Waiters) -> None:
        self._runtime = runtime
        self._finder = finder
        self._waiters = waiters
        self._pending_drops: dict[str, PutTicket] = {}
        """Tickets nobody waits with, which the store could not be told at the time."""
        self._lapsed = Worklist("lapsed ticket", runtime.clock, dated)
        self._ours = Worklist("held ticket", runtime.clock, dated)
        self._unclaimed = Unclaimed[str](runtime.clock, lease.term_ms)
        self._placing: dict[str, Change] = {}
        """How tickets are to become durable, until they are."""

    @property
    def worklists(self) -> tuple[Worklist[PutTicket], ...]:
        """What this works through, and what of it had to be set aside."""
        return (self._lapsed, self._ours)

    def new(self, game: str, player: Player, options: Any = None) -> PutTicket:
        """One for a player, who may have wishes what to play by; not placed yet."""
        policy, now = self._runtime.policies[game], self._runtime.clock()
        held = player.connection is not None
        stand_in_ms = policy.stand_ins.after_ms if policy.stand_ins else None
        wait = stand_in_ms if held else policy.ticket_ttl_ms
        assert player.user_id is not None
        return PutTicket(
            id=self._runtime.chance.id(),
            game=game,
            user_id=player.user_id,
            name=player.name,
            joined_at=now,
            seen_at=now,
            deadline_at=None if wait is None else now + wait,
            connection=player.connection,
            process_id=player.process_id,
            options=None if options is None else msgspec.json.encode(options),
        )

    def stale(self, ticket: PutTicket) -> bool:
        """Whether nobody holds it, nor has asked about it lately."""
        if ticket.connection is not None:
            return False
        return (
            self._runtime.clock() - ticket.seen_at
            > self._runtime.policies[ticket.game].ticket_ttl_ms
        )

    async def of(self, game: str, user_id: str) -> PutTicket | None:
        """The user's ticket; one that went stale counts as none, and is taken away."""
        ticket = await queries.ticket_of(self._runtime.store, user_id, game)
        if ticket is not None and self.stale(ticket):
            await self.drop(ticket)
            return None
        return ticket

    async def stands(self, ticket: PutTicket) -> bool:
        """Whether it is still in the queue."""
        current = await queries.ticket_of(self._runtime.store, ticket.user_id, ticket.game)
        return current is not None and current.id == ticket.id

    async def match_of(self, ticket: PutTicket) -> Match | None:
        """What a ticket that is gone led to; None: nothing that is still open.

        In a game that allows one match at a time it is also the one that its holder sat down to
        elsewhere, for which the ticket was given up.
        """
        seated = await self.seat_of(ticket)
        return seated or await self._finder.open_match_of(ticket.game, ticket.user_id)

    async def seat_of(self, ticket: PutTicket) -> Match | None:
        """The open match in which its holder has the seat that it led to."""
        since = ticket.joined_at - CLOCKS_APART_MS
        secret = _seat_secret(ticket)
        return await self._finder.seated_by(ticket.game, ticket.user_id, secret, since)

    # --- placing and dropping ---------------------------------------------------------------

    async def place(self, ticket: PutTicket) -> None:
        """Make a ticket durable, in place of one that an older connection of its user holds.

        `AlreadyQueued`, or `Busy` with the match to finish first; `Withdrawn` if it was.
        """
        if await self._is_placed(ticket):
            return
        for _ in range(ATTEMPTS):
            own = await self.of(ticket.game, ticket.user_id)
            # One that is to be dropped is left from an attempt that the store did not answer.
            stands = own is not None and own.id not in self._pending_drops
            if own is not None and stands and own.connection == ticket.connection:
                raise AlreadyQueued
            open_match = await self._finder.open_match_of(ticket.game, ticket.user_id)
            if open_match is not None:
                raise Busy(ticket.user_id, open_match)
            try:
                await self._put(ticket, own)
            except Conflict:
                continue  # the older one has just been used, or given up
            # Who sat down elsewhere meanwhile waits no more; a ticket that is gone was used.
            open_match = await self._finder.open_match_of(ticket.game, ticket.user_id)
            if open_match is not None and await self.drop(ticket):
                raise Busy(ticket.user_id, open_match)
            return
        raise Conflict

    async def _is_placed(self, ticket: PutTicket) -> bool:
        """Nothing is asked before: of one process alone the store takes one change after the other,
        so its guards know all there is to know. False: something is in the way.
        """
        if not self._runtime.bus.alone:
            return False
        change = self._placing[ticket.id] = Change((QueueUp(ticket=ticket),))
        try:
            await self._runtime.store.commit(change)
        except (Conflict, Taken):
            return False
        except Unavailable:
            self.drop_later(ticket)
            raise
        finally:
            del self._placing[ticket.id]
        return True

    def withdraw(self, ticket: PutTicket) -> bool:
        """Whether a ticket that is being placed was not written down yet, and now will not be."""
        change = self._placing.get(ticket.id)
        return change is not None and self._runtime.store.withdraw(change)

    async def _put(self, ticket: PutTicket, older: PutTicket | None) -> None:
        used = () if older is None else (TakeTicket(id=older.id),)
        try:
            await self._runtime.store.commit(Change((*used, ticket)))
        except Taken:
            raise AlreadyQueued from None
        except Unavailable:
            self.drop_later(ticket)
            raise
        if older is not None:
            self._pending_drops.pop(older.id, None)
            self._waiters.replaced(older.id)
            self._runtime.bus.publish(f"user:{older.user_id}", CHECK)

    async def drop(self, ticket: PutTicket) -> bool:
        """Take a ticket out of the queue; False if it was gone already.

        If the store does not answer, the next round sees to it.
        """
        self._waiters.leave(ticket.id)
        try:
            await self._runtime.store.commit(Change((TakeTicket(id=ticket.id),)))
        except Conflict:
            return False
        except Unavailable:
            self.drop_later(ticket)
            raise
        return True

    def drop_later(self, ticket: PutTicket) -> None:
        """Nobody waits with it, though it may be durable."""
        self._pending_drops[ticket.id] = ticket

    # --- what processes hold ----------------------------------------------------------------

    async def drop_pending(self) -> None:
        """Those that the store could not be told of before."""
        for ticket in tuple(self._pending_drops.values()):
            with one_of_many("ticket", ticket_id=ticket.id):
                await self.drop(ticket)
            self._pending_drops.pop(ticket.id, None)

    async def reap(self, dead: Sequence[str]) -> None:
        """Take back what processes hold that died."""
        read = partial(queries.held_tickets, self._runtime.store)
        await self._lapsed.work(
            lambda after, limit: held_by(dead, after, limit, read), self._take_back
        )

    async def _take_back(self, ticket: PutTicket) -> None:
        await self.drop(ticket)

    async def reconcile(self) -> None:
        """Compare a portion of what the store has of this process with who waits here."""
        await self._ours.work(
            lambda after, limit: queries.held_tickets(
                self._runtime.store, self._runtime.process_id, after, limit
            ),
            self._compare,
        )

    async def _compare(self, ticket: PutTicket) -> None:
        """Give a ticket up with which nobody has waited for a whole term."""
        if ticket.id in self._waiters or ticket.id in self._pending_drops:
            self._unclaimed.forget(ticket.id)
        elif self._unclaimed.for_long(ticket.id):
            await self.drop(ticket)
            self._unclaimed.forget(ticket.id)

    def tidy(self) -> None:
        """Forget what was settled in another way."""
        self._unclaimed.tidy()


def seated_with(ticket: PutTicket) -> Player:
    """Who holds a ticket, about to sit down."""
    return Player(
        name=ticket.name,
        user_id=ticket.user_id,
        secret=_seat_secret(ticket),
        connection=ticket.connection,
        process_id=ticket.process_id,
    )


def _seat_secret(ticket: PutTicket) -> str:
    """What proves the seat that a ticket leads to. A ticket's id has 74 bits of chance in it, and
    is told to nobody.
    """
    digest = blake2b(ticket.id.encode(), digest_size=16, person=b"seat of a ticket")
    return uuid(int.from_bytes(digest.digest(), "big"), 4)


def dated(ticket: PutTicket) -> tuple[str, Millis | None]:
    """What a ticket is known by as long as there is the same to do about it."""
    return (ticket.id, ticket.deadline_at)
