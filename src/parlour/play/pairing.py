"""How those who wait find each other: on the store, with those who wait here as a hint.

Laws:

* Taking tickets and seating their holders is one commit; a ticket is used once. The store's guard
  decides who was quicker, whatever is known here.
* Who comes tries those who wait in this process first, before having a ticket at all: a commit and
  a query less for both, and nobody else here tries the same one meanwhile.
* Who comes before the one who waits is written down sits down with them instead: neither ever has a
  ticket. Should that fail, the ticket is placed after all. It is done only where all who wait are
  known, and nobody by another ticket as well: that one would be left.
* Whoever waits looks into the store after their own ticket is durable, so of two who queue at the
  same moment, here or on different processes, at least one sees the other. Who is not met by
  whoever was about to looks then.
* What two would like to play by holds if both would like the same; else they play as usual.
* A process that is alone, and asked by nobody without a connection, knows all who wait, and saves
  the look unless one of them is free by then. Should it be wrong, the next round of `Queue.check`
  finds out.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from parlour.bus.api import CHECK
from parlour.play.match import Match
from parlour.play.player import Busy
from parlour.play.runtime import Runtime
from parlour.play.seating import Seating
from parlour.play.tickets import Tickets, seated_with
from parlour.play.waiting import Waiters, Waiting
from parlour.store import queries
from parlour.store.change import Change, Conflict, PutTicket, TakeTicket

LOOK_LIMIT = 50
"""How many of those waiting are considered at once."""

ATTEMPTS = 50


class Found(Struct, frozen=True):
    """Whom the holder of a ticket could meet, the first one first."""

    others: Sequence[PutTicket]
    stands: bool = True
    """False: the own ticket is not in the queue any more."""


Candidates = Callable[[PutTicket], Awaitable[Found]]


class Pairing:
    """Seats two who wait, or one who waits and one who comes."""

    def __init__(
        self, runtime: Runtime, tickets: Tickets, waiters: Waiters, seating: Seating
    ) -> None:
        self._runtime = runtime
        self._tickets = tickets
        self._waiters = waiters
        self._seating = seating
        self._turns: dict[str, asyncio.Lock] = {}

    async def meet(self, own: PutTicket) -> Match | None:
        """With somebody who waits here, for one who has not placed a ticket; None: with nobody.

        `Busy` if one is in another match.
        """
        return await self._pair(own, (), self._here)

    async def look(self, own: PutTicket) -> Match | None:
        """With anybody who waits, for one whose ticket is durable; None: there is nobody yet.

        If the ticket is gone, or good for nothing, it is the match that its holder is in.
        """
        # One of this process looks into the store at a time: it saves conflicts, not correctness.
        async with self._turns.setdefault(own.game, asyncio.Lock()):
            try:
                return await self._pair(own, (own.id,), self._stored)
            except Busy as busy:
                await self._tickets.drop(own)
                return busy.match

    async def _here(self, own: PutTicket) -> Found:
        others = self._waiters.free(own.game, own.user_id)
        # Who has a ticket already, from elsewhere, must use that one.
        if others and not self.knows_all(own.game):
            if await self._tickets.of(own.game, own.user_id) is not None:
                return Found(())
            others = self._waiters.free(own.game, own.user_id)
        return Found(others)

    def knows_all(self, game: str) -> bool:
        """Whether all who wait for a game are known here, so that the store need not be asked."""
        return self._runtime.bus.alone and game not in self._waiters.polled

    async def _stored(self, own: PutTicket) -> Found:
        there = await queries.tickets(self._runtime.store, own.game, LOOK_LIMIT)
        others = [
            ticket
            for ticket in there
            if ticket.user_id != own.user_id
            and not self._tickets.stale(ticket)
            and not self._waiters.claimed(ticket.id)
        ]
        stands = any(ticket.id == own.id for ticket in there)
        return Found(others, others != [] or stands or await self._tickets.stands(own))

    async def _pair(
        self, own: PutTicket, used: tuple[str, ...], candidates: Candidates
    ) -> Match | None:
        for _ in range(ATTEMPTS):
            found = await candidates(own)
            if not found.stands:
                return await self._tickets.match_of(own)
            if not found.others:
                return None
            partner = found.others[self._drawn(own.game, len(found.others))]
            match = await self._sit_down(partner, own, used)
            if match is not None:
                return match
            if used and not await self._tickets.stands(own):
                return await self._tickets.match_of(own)
        return None

    async def _sit_down(
        self, partner: PutTicket, own: PutTicket, used: tuple[str, ...]
    ) -> Match | None:
        """With one who waits, who is player 1; None: one of the tickets was used meanwhile."""
        waiting = None if used else self._waiters.only_of(partner)
        if waiting is not None and self.knows_all(own.game) and self._tickets.withdraw(partner):
            return await self._sit_down_first(waiting, own)
        # Tickets are locked in the same order everywhere.
        taken = tuple(TakeTicket(id=each) for each in sorted((partner.id, *used)))
        players = (seated_with(partner), seated_with(own))
        with self._waiters.claiming(partner.id):
            if not await self._waiters.durable(partner.id):
                return None
            try:
                match = await self._seating.start(
                    own.game, players, options=self._agreed(partner, own), together=lambda _: taken
                )
            except Conflict:
                match = None
            except Busy as busy:
                if busy.user_id == own.user_id:
                    self._left_waiting(partner)
                    raise
                self._waiters.matched(partner.id, busy.match)
                await self._tickets.drop(partner)
                return None
            except BaseException:
                self._left_waiting(partner)
                raise
        if match is None:
            await self._look_after(partner)
        else:
            self.tell(partner, match)
        return match

    async def _sit_down_first(self, waiting: Waiting, own: PutTicket) -> Match | None:
        """The same with one whose ticket was not written down yet, and is not to be."""
        partner, waiting.spared = waiting.ticket, asyncio.Event()
        players = (seated_with(partner), seated_with(own))
        try:
            with self._waiters.claiming(partner.id):
                options = self._agreed(partner, own)
                match = await self._seating.start(own.game, players, options=options)
            self.tell(partner, match)
        except Conflict:
            return None
        except Busy as busy:
            if busy.user_id == own.user_id:
                raise
            return None  # they hear so when their ticket is placed
        else:
            return match
        finally:
            waiting.spared.set()

    def _agreed(self, one: PutTicket, other: PutTicket) -> Any:
        """What both would like to play by; None: as usual."""
        if one.options is None or one.options != other.options:
            return None
        return msgspec.json.decode(one.options, type=self._runtime.rules[one.game].options_type)

    def tell(self, ticket: PutTicket, match: Match) -> None:
        """A wait is over; its holder may be at another process."""
        self._waiters.matched(ticket.id, match)
        if not self._runtime.bus.alone:
            self._runtime.bus.publish(f"user:{ticket.user_id}", CHECK)

    def _drawn(self, game: str, waiting: int) -> int:
        """Which of so many who wait, the first of whom came first."""
        uniform = self._runtime.policies[game].order == "uniform"
        return self._runtime.chance.below(waiting) if uniform and waiting > 1 else 0

    # --- those who wait here ----------------------------------------------------------------

    def _left_waiting(self, ticket: PutTicket) -> None:
        """Whoever was about to sit down with them did not, and others have looked past them."""
        waiting = self._waiters.get(ticket.id)
        if waiting is not None:
            self._runtime.background.spawn(self.seek(waiting))

    async def _look_after(self, ticket: PutTicket) -> None:
        waiting = self._waiters.get(ticket.id)
        if waiting is not None:
            await self.look_after(waiting)

    async def seek(self, waiting: Waiting) -> None:
        """Another look for a partner of one who waits here, unless somebody is about to come."""
        if waiting.ticket.id not in self._waiters or waiting.claimed:
            return
        match = await self.look(waiting.ticket)
        if match is not None:
            self._waiters.matched(waiting.ticket.id, match)

    async def look_after(self, waiting: Waiting) -> None:
        """Make sure that somebody here does not wait with a ticket that was used or lost."""
        ticket = waiting.ticket
        current = await queries.ticket_of(self._runtime.store, ticket.user_id, ticket.game)
        if current is not None and current.id == ticket.id:
            return
        match = await self._tickets.match_of(ticket)
        if match is not None:
            self._waiters.matched(ticket.id, match)
        elif current is not None:
            self._waiters.replaced(ticket.id)
        elif ticket.id in self._waiters:
            await self._runtime.store.commit(Change((ticket,)))
