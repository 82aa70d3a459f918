"""The queue: where one asks for an opponent, waits, asks how it goes, and gives up.

What a ticket is stands in `tickets`, how two find each other in `pairing`, who waits here in
`waiting`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

from parlour.bus.api import CHECK
from parlour.play.bot_accounts import BotAccounts
from parlour.play.finding import Finder
from parlour.play.lease import Lease
from parlour.play.match import Match
from parlour.play.pairing import Pairing
from parlour.play.player import Busy, Player
from parlour.play.rounds import PAGE, Worklist, one_of_many
from parlour.play.runtime import Runtime
from parlour.play.seating import Seating
from parlour.play.tickets import AlreadyQueued, Tickets, dated, seated_with
from parlour.play.waiting import Waiters, Waiting, nobody
from parlour.store import queries
from parlour.store.change import (
    Change,
    Conflict,
    PutTicket,
    TakeTicket,
    TouchTicket,
    Unavailable,
    Withdrawn,
    Write,
)

__all__ = ["AlreadyQueued", "Queue"]


class Queue:
    """Who waits, and what becomes of it."""

    def __init__(
        self,
        runtime: Runtime,
        lease: Lease,
        finder: Finder,
        seating: Seating,
        bots: BotAccounts,
    ) -> None:
        self._runtime = runtime
        self._finder = finder
        self._seating = seating
        self._bots = bots
        self._waiters = Waiters()
        self.tickets = Tickets(runtime, lease, finder, self._waiters)
        self._pairing = Pairing(runtime, self.tickets, self._waiters, seating)
        self._overdue = Worklist("overdue ticket", runtime.clock, dated)

    @property
    def worklists(self) -> tuple[Worklist[PutTicket], ...]:
        """What this works through, and what of it had to be set aside."""
        return (self._overdue, *self.tickets.worklists)

    # --- asking -----------------------------------------------------------------------------

    async def join(
        self,
        game: str,
        player: Player,
        matched: Callable[[Match], None] | None = None,
        replaced: Callable[[], None] = nobody,
        options: Any = None,
    ) -> Match | PutTicket:
        """Sit down with somebody who waits, or wait. `AlreadyQueued`, or `Busy` with the match.

        `options` are what this one would like to play by; None: as usual.
        `matched` is called when a wait that began here ends with a match, `replaced` when the same
        user waits with a newer connection instead. Without them one asks by `poll`.
        """
        ticket = self.tickets.new(game, player, options)
        if matched is None:
            self._waiters.polled.add(game)
            await self.tickets.place(ticket)
            match = await self._look(ticket)
        else:
            match = await self._pairing.meet(ticket)
            if match is None:
                match = await self._wait(Waiting(ticket, matched, replaced))
        if match is not None:
            return match
        self._arm(ticket)
        return ticket

    async def _look(self, ticket: PutTicket) -> Match | None:
        try:
            return await self._pairing.look(ticket)
        except Unavailable:
            self.tickets.drop_later(ticket)
            raise

    async def _wait(self, waiting: Waiting) -> Match | None:
        """Be there to be met even before the ticket is durable; None: nobody is there yet."""
        ticket = waiting.ticket
        self._waiters.enter(waiting)
        try:
            if not await self._placed(waiting):
                waiting.durable.set_result(False)
                return self._waiters.answer(waiting)
            waiting.durable.set_result(True)
            self._listen(waiting)
            # Whoever is about to sit down with them tells them.
            match = None if waiting.claimed else await self._look_around(ticket)
        except BaseException:
            self._waiters.leave(ticket.id)
            if not waiting.durable.done():
                waiting.durable.set_result(False)
            raise
        if match is not None:
            self._waiters.leave(ticket.id)
            return match
        return self._waiters.answer(waiting)

    async def _placed(self, waiting: Waiting) -> bool:
        """Whether they have a ticket now; else they met somebody before it was written down."""
        while waiting.met is None:
            try:
                await self.tickets.place(waiting.ticket)
            except Withdrawn:
                assert waiting.spared is not None
                await waiting.spared.wait()
                if waiting.met is None:  # or the store failed to say so
                    match = await self.tickets.seat_of(waiting.ticket)
                    if match is not None:
                        self._waiters.matched(waiting.ticket.id, match)
            else:
                return True
        return False

    async def _look_around(self, ticket: PutTicket) -> Match | None:
        """Somebody may have been left waiting while the ticket was being made durable."""
        if self._pairing.knows_all(ticket.game) and self._waiters.alone(ticket):
            return None
        return await self._look(ticket)

    def _listen(self, waiting: Waiting) -> None:
        """Other processes say when somebody of this one should look."""
        if self._runtime.bus.alone or waiting.ticket.id not in self._waiters:
            return

        def hear(payload: bytes) -> None:
            if payload == CHECK and waiting.ticket.id in self._waiters:
                self._runtime.background.spawn(self._pairing.look_after(waiting))

        waiting.unsubscribe = self._runtime.bus.subscribe(f"user:{waiting.ticket.user_id}", hear)

    async def poll(self, game: str, user_id: str) -> Match | PutTicket | None:
        """A heartbeat of one who waits, and another look for a partner; None: not queued."""
        self._waiters.polled.add(game)
        ticket = await self.tickets.of(game, user_id)
        if ticket is None:
            return None
        seated = await self._finder.open_match_of(game, user_id)
        if seated is not None:
            await self.tickets.drop(ticket)
            return seated
        now = self._runtime.clock()
        ttl = self._runtime.policies[game].ticket_ttl_ms
        touch = TouchTicket(id=ticket.id, seen_at=now, deadline_at=now + ttl)
        await self._runtime.store.commit(Change((touch,)))
        return await self._pairing.look(ticket) or ticket

    async def leave(self, game: str, user_id: str) -> bool:
        """Stop waiting; False if the user did not wait."""
        ticket = await self.tickets.of(game, user_id)
        return ticket is not None and await self.tickets.drop(ticket)

    # --- time -------------------------------------------------------------------------------

    def _arm(self, ticket: PutTicket) -> None:
        self._waiters.arm(
            ticket,
            self._runtime.clock(),
            lambda ticket: self._runtime.background.spawn(self.due(ticket)),
        )

    async def due(self, ticket: PutTicket) -> None:
        """Nobody came in time: a bot steps in, or the ticket lapses."""
        self._waiters.disarm(ticket.id)
        current = await queries.ticket_of(self._runtime.store, ticket.user_id, ticket.game)
        if current is None or current.id != ticket.id:
            return
        if current.deadline_at is None or current.deadline_at > self._runtime.clock():
            self._arm(current)
            return
        stand_ins = self._runtime.policies[ticket.game].stand_ins
        if current.connection is None or stand_ins is None:
            await self.tickets.drop(current)
            return
        name = stand_ins.names[self._runtime.chance.below(len(stand_ins.names))]
        bot = await self._bots.player(ticket.game, name)
        used: tuple[Write, ...] = (TakeTicket(id=current.id),)
        players = (seated_with(current), bot)
        try:
            match = await self._seating.start(
                ticket.game, players, mode="ai", together=lambda _: used
            )
        except Conflict:
            return
        except Busy:
            await self.tickets.drop(current)
            return
        self._pairing.tell(current, match)

    # --- periodic tasks ---------------------------------------------------------------------

    async def check(self) -> None:
        """Make sure that nobody here waits with a ticket that was used or lost elsewhere, and that
        no two wait for each other.
        """
        settled = self._waiters.settled()
        for start in range(0, len(settled), PAGE):
            portion = settled[start : start + PAGE]
            ids = [waiting.ticket.id for waiting in portion]
            existing = await queries.existing_tickets(self._runtime.store, ids)
            for waiting in portion:
                if waiting.ticket.id not in existing and waiting.ticket.id in self._waiters:
                    with one_of_many("ticket", ticket_id=waiting.ticket.id):
                        await self._pairing.look_after(waiting)
            await asyncio.sleep(0)
        first = {waiting.ticket.game: waiting for waiting in reversed(settled)}
        for waiting in first.values():
            with one_of_many("ticket", ticket_id=waiting.ticket.id):
                await self._pairing.seek(waiting)

    async def sweep(self, dead: Sequence[str]) -> None:
        """Look after tickets to be dropped, those that are due, and those of the dead."""
        await self.tickets.drop_pending()
        now = self._runtime.clock()
        await self._overdue.work(
            lambda after, limit: queries.overdue_tickets(self._runtime.store, now, after, limit),
            self.due,
        )
        await self.tickets.reap(dead)

    async def reconcile(self) -> None:
        """Compare a portion of what the store has of this process with who waits here."""
        await self.tickets.reconcile()

    def tidy(self) -> None:
        """Forget what was settled in another way."""
        self.tickets.tidy()
