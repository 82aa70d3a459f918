"""The queue: tickets in the store, so that it survives a restart and spans processes.

Laws:

* A user has at most one ticket per game, and none once seated.
* Taking tickets and seating their holders is one commit; a ticket is used once. The secret of the
  seat follows from the ticket, so whoever waited finds their match, among any number of others.
* A ticket is held by at most one connection; a newer one of the same user replaces an older one.
* Everybody looks for a partner after their own ticket is durable, so of two who queue at the
  same moment on different processes at least one sees the other. A process that is alone knows
  all who wait, and looks before.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from hashlib import blake2b
from uuid import UUID

from parlour.bus.api import CHECK
from parlour.games.api import Millis
from parlour.play.holdings import Unclaimed, held_by
from parlour.play.match import Match
from parlour.play.play import Play
from parlour.play.rounds import PAGE, Worklist, one_of_many
from parlour.play.seating import Busy, Player, Seating
from parlour.play.waiting import Waiting, WaitingRoom, nobody
from parlour.store import queries
from parlour.store.change import (
    Change,
    Conflict,
    PutTicket,
    Taken,
    TakeTicket,
    TouchTicket,
    Unavailable,
    Write,
)

LOOK_LIMIT = 50
"""How many of those waiting are considered at once."""

ATTEMPTS = 50
MEETINGS = 5
"""How often somebody who came tries to sit down with one who waits, before waiting too."""

CLOCKS_APART_MS = 60_000
"""By how much the clocks of two processes may differ at most."""


class AlreadyQueued(Exception):
    """The user waits in this queue already."""


BotPlayer = Callable[[str, str], Awaitable[Player]]
"""Finds the bot of a game by name, with its account where bots have one."""


class Queue:
    """Who waits, and how they find each other."""

    def __init__(self, play: Play, seating: Seating, bot_player: BotPlayer) -> None:
        self._play = play
        self._seating = seating
        self._bot_player = bot_player
        self._turns: dict[str, asyncio.Lock] = {}
        self._room = WaitingRoom()
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._owed: dict[str, PutTicket] = {}
        """Tickets nobody waits with, which the store could not be told at the time."""
        self._overdue = Worklist("overdue ticket", play.clock, _dated)
        self._lapsed = Worklist("lapsed ticket", play.clock, _dated)
        self._ours = Worklist("held ticket", play.clock, _dated)
        self._unclaimed = Unclaimed[str](play.clock, play.lease.term_ms)

    async def join(
        self,
        game: str,
        player: Player,
        matched: Callable[[Match], None] | None = None,
        replaced: Callable[[], None] = nobody,
    ) -> Match | PutTicket:
        """Sit down with somebody who waits, or wait. `AlreadyQueued`, or `Busy` with the match.

        `matched` is called when a wait that began here ends with a match, `replaced` when the same
        user waits with a newer connection instead.
        """
        ticket = self._ticket(game, player)
        if matched is None:
            await self._place(ticket)
            return await self._look(ticket) or ticket
        waiting = Waiting(ticket, matched, replaced)
        if self._play.bus.alone:
            # All who wait are known here, so nobody needs to look into the store for them.
            match = await self._meet(ticket)
            if match is None:
                await self._wait(waiting)
        else:
            await self._place(ticket)
            match = await self._look(ticket)
            if match is None:
                waiting.durable.set_result(True)
                self._room.enter(waiting)
                self._listen(waiting)
        if match is not None:
            return match
        self._arm(ticket)
        return ticket

    # --- taking one's place -----------------------------------------------------------------

    async def _place(self, ticket: PutTicket) -> None:
        """Make a ticket durable, in place of one that an older connection of its user holds."""
        for _ in range(ATTEMPTS):
            own = await self.ticket_of(ticket.game, ticket.user_id)
            # One that is owed is left from an attempt that the store did not answer.
            stands = own is not None and own.id not in self._owed
            if own is not None and stands and own.connection == ticket.connection:
                raise AlreadyQueued
            open_match = await self._play.open_match_of(ticket.game, ticket.user_id)
            if open_match is not None:
                raise Busy(ticket.user_id, open_match)
            try:
                await self._put(ticket, own)
            except Conflict:
                continue  # the older one has just been used, or given up
            # Who sat down elsewhere meanwhile waits no more; a ticket that is gone was used.
            open_match = await self._play.open_match_of(ticket.game, ticket.user_id)
            if open_match is not None and await self.drop(ticket):
                raise Busy(ticket.user_id, open_match)
            return
        raise Conflict

    async def _put(self, ticket: PutTicket, older: PutTicket | None) -> None:
        used = () if older is None else (TakeTicket(id=older.id),)
        try:
            await self._play.store.commit(Change((*used, ticket)))
        except Taken:
            raise AlreadyQueued from None
        except Unavailable:
            self._owed[ticket.id] = ticket
            raise
        if older is not None:
            self._owed.pop(older.id, None)
            self._replaced(older.id)
            self._play.bus.publish(f"user:{older.user_id}", CHECK)

    def _replaced(self, ticket_id: str) -> None:
        waiting = self._room.leave(ticket_id)
        self._disarm(ticket_id)
        if waiting is not None:
            waiting.replaced()

    async def _look(self, ticket: PutTicket) -> Match | None:
        """For a partner in the store; None: there is none yet."""
        try:
            async with self._turn(ticket.game):
                return await self._pair(ticket.game, ticket)
        except Unavailable:
            self._owed[ticket.id] = ticket
            raise

    def _listen(self, waiting: Waiting) -> None:
        """Other processes say when somebody of this one should look."""

        def hear(payload: bytes) -> None:
            if payload == CHECK and waiting.ticket.id in self._room:
                self._play.spawn(self._look_after(waiting))

        waiting.hush = self._play.bus.subscribe(f"user:{waiting.ticket.user_id}", hear)

    # --- one process ------------------------------------------------------------------------

    async def _wait(self, waiting: Waiting) -> None:
        """Wait, and be there to be met even before the ticket is durable."""
        self._room.enter(waiting)
        try:
            await self._place(waiting.ticket)
        except BaseException:
            self._room.leave(waiting.ticket.id)
            waiting.durable.set_result(False)
            raise
        waiting.durable.set_result(True)

    async def _meet(self, own: PutTicket, used: tuple[str, ...] = ()) -> Match | None:
        """Sit down with somebody who waits here; one's own ticket need not even be durable."""
        for _ in range(MEETINGS):
            others = self._room.free(own.game, own.user_id)
            if not others:
                return None
            waiting = others[self._drawn(own.game, len(others))]
            waiting.claimed = True
            try:
                if not await asyncio.shield(waiting.durable):
                    continue
                match = await self._seat(waiting.ticket, own, used)
            except Conflict:
                pass
            except Busy as busy:
                if busy.user_id == own.user_id:
                    raise
                self.tell(waiting.ticket.id, busy.match)
                await self.drop(waiting.ticket)
            else:
                self.tell(waiting.ticket.id, match)
                return match
            finally:
                waiting.claimed = False
            if waiting.ticket.id in self._room:
                await self._look_after(waiting)
        return None

    async def _introduce(self) -> None:
        """Bring together two who wait though a third, who was to sit down with one, did not."""
        for waiting in self._room.settled():
            ticket = waiting.ticket
            if waiting.claimed or ticket.id not in self._room:
                continue
            waiting.claimed = True
            try:
                match = await self._meet(ticket, (ticket.id,))
                if match is not None:
                    self.tell(ticket.id, match)
            except Busy as busy:
                self.tell(ticket.id, busy.match)
                await self.drop(ticket)
            finally:
                waiting.claimed = False

    async def poll(self, game: str, user_id: str) -> Match | PutTicket | None:
        """A heartbeat of one who waits, and another look for a partner; None: not queued."""
        async with self._turn(game):
            ticket = await self.ticket_of(game, user_id)
            if ticket is None:
                return None
            seated = await self._play.open_match_of(game, user_id)
            if seated is not None:
                await self.drop(ticket)
                return seated
            now = self._play.clock()
            ttl = self._play.policies[game].ticket_ttl_ms
            touch = TouchTicket(id=ticket.id, seen_at=now, deadline_at=now + ttl)
            await self._play.store.commit(Change((touch,)))
            return await self._pair(game, ticket) or ticket

    async def leave(self, game: str, user_id: str) -> bool:
        """Stop waiting; False if the user did not wait."""
        ticket = await self.ticket_of(game, user_id)
        return ticket is not None and await self.drop(ticket)

    async def drop(self, ticket: PutTicket) -> bool:
        """Take a ticket out of the queue; False if it was gone already.

        If the store does not answer, the next round sees to it.
        """
        self._room.leave(ticket.id)
        self._disarm(ticket.id)
        try:
            await self._play.store.commit(Change((TakeTicket(id=ticket.id),)))
        except Conflict:
            return False
        except Unavailable:
            self._owed[ticket.id] = ticket
            raise
        return True

    async def ticket_of(self, game: str, user_id: str) -> PutTicket | None:
        """The user's ticket; one that went stale counts as none, and is taken away."""
        ticket = await queries.ticket_of(self._play.store, user_id, game)
        if ticket is not None and self._stale(ticket, self._play.clock()):
            await self.drop(ticket)
            return None
        return ticket

    async def match_of(self, ticket: PutTicket) -> Match | None:
        """What a ticket that is gone led to; None: nothing that is still open.

        In a game that allows one match at a time it is also the one that its holder sat down to
        elsewhere, for which the ticket was given up.
        """
        game, user_id = ticket.game, ticket.user_id
        since = ticket.joined_at - CLOCKS_APART_MS
        own = await self._play.seated_by(game, user_id, _seat_secret(ticket), since)
        return own or await self._play.open_match_of(game, user_id)

    # --- pairing ----------------------------------------------------------------------------

    def _turn(self, game: str) -> asyncio.Lock:
        # One of this process looks for partners at a time: it saves conflicts, not correctness.
        return self._turns.setdefault(game, asyncio.Lock())

    def _ticket(self, game: str, player: Player) -> PutTicket:
        policy, now = self._play.policies[game], self._play.clock()
        held = player.connection is not None
        wait = policy.bot_after_ms if held else policy.ticket_ttl_ms
        assert player.user_id is not None
        return PutTicket(
            id=self._play.chance.id(),
            game=game,
            user_id=player.user_id,
            name=player.name,
            joined_at=now,
            seen_at=now,
            deadline_at=None if wait is None else now + wait,
            connection=player.connection,
            process_id=player.process_id,
        )

    def _stale(self, ticket: PutTicket, now: Millis) -> bool:
        if ticket.connection is not None:
            return False
        return now - ticket.seen_at > self._play.policies[ticket.game].ticket_ttl_ms

    async def _pair(self, game: str, own: PutTicket) -> Match | None:
        """Seat the holder of a ticket with somebody who waits; None if nobody does."""
        for _ in range(ATTEMPTS):
            now = self._play.clock()
            waiting = await queries.tickets(self._play.store, game, LOOK_LIMIT)
            others = [
                ticket
                for ticket in waiting
                if ticket.user_id != own.user_id and not self._stale(ticket, now)
            ]
            if not others:
                alone = any(ticket.id == own.id for ticket in waiting)
                return None if alone else await self.match_of(own)
            partner = others[self._drawn(game, len(others))]
            try:
                match = await self._seat(partner, own, (own.id,))
            except Busy as busy:
                if busy.user_id == own.user_id:
                    await self.drop(own)
                    return busy.match
                await self.drop(partner)
            except Conflict:
                # One of the tickets was used: by somebody else, or by a partner for the two of us.
                current = await queries.ticket_of(self._play.store, own.user_id, game)
                if current is None or current.id != own.id:
                    return await self.match_of(own)
            else:
                self.tell(partner.id, match)
                self._play.bus.publish(f"user:{partner.user_id}", CHECK)
                return match
        return None

    def _drawn(self, game: str, waiting: int) -> int:
        """Which of so many who wait, the first of whom came first."""
        uniform = self._play.policies[game].order == "uniform"
        return self._play.chance.below(waiting) if uniform and waiting > 1 else 0

    async def _seat(self, partner: PutTicket, own: PutTicket, used: tuple[str, ...]) -> Match:
        """Who waited is player 1; of one's own ticket only the name is needed if it is not used."""
        # Tickets are locked in the same order everywhere.
        taken = tuple(TakeTicket(id=each) for each in sorted((partner.id, *used)))
        players = (self._player(partner), self._player(own))
        return await self._seating.start(own.game, players, also=lambda _: taken)

    def _player(self, ticket: PutTicket) -> Player:
        return Player(
            name=ticket.name,
            user_id=ticket.user_id,
            secret=_seat_secret(ticket),
            connection=ticket.connection,
            process_id=ticket.process_id,
        )

    def tell(self, ticket_id: str, match: Match) -> None:
        """The wait is over."""
        waiting = self._room.leave(ticket_id)
        self._disarm(ticket_id)
        if waiting is not None:
            waiting.matched(match)

    # --- time -------------------------------------------------------------------------------

    def _arm(self, ticket: PutTicket) -> None:
        if ticket.deadline_at is None:
            return
        delay = max(0, ticket.deadline_at - self._play.clock()) / 1000
        self._timers[ticket.id] = asyncio.get_running_loop().call_later(
            delay, lambda: self._play.spawn(self.due(ticket))
        )

    def _disarm(self, ticket_id: str) -> None:
        timer = self._timers.pop(ticket_id, None)
        if timer is not None:
            timer.cancel()

    async def due(self, ticket: PutTicket) -> None:
        """Nobody came in time: a bot steps in, or the ticket lapses."""
        self._disarm(ticket.id)
        now = self._play.clock()
        current = await queries.ticket_of(self._play.store, ticket.user_id, ticket.game)
        if current is None or current.id != ticket.id:
            return
        if current.deadline_at is None or current.deadline_at > now:
            self._arm(current)
            return
        policy = self._play.policies[ticket.game]
        if current.connection is None or not policy.bots:
            await self.drop(current)
            return
        name = policy.bots[self._play.chance.below(len(policy.bots))]
        bot = await self._bot_player(ticket.game, name)
        used: tuple[Write, ...] = (TakeTicket(id=current.id),)
        try:
            match = await self._seating.start(
                ticket.game, (self._player(current), bot), mode="ai", also=lambda _: used
            )
        except Conflict:
            return
        except Busy:
            await self.drop(current)
            return
        self.tell(current.id, match)
        self._play.bus.publish(f"user:{current.user_id}", CHECK)

    async def check(self) -> None:
        """Make sure that nobody here waits with a ticket that was used or lost elsewhere."""
        settled = self._room.settled()
        for start in range(0, len(settled), PAGE):
            portion = settled[start : start + PAGE]
            ids = [waiting.ticket.id for waiting in portion]
            existing = await queries.existing_tickets(self._play.store, ids)
            for waiting in portion:
                if waiting.ticket.id not in existing and waiting.ticket.id in self._room:
                    with one_of_many("ticket", ticket_id=waiting.ticket.id):
                        await self._look_after(waiting)
            await asyncio.sleep(0)
        if self._play.bus.alone:
            await self._introduce()

    async def _look_after(self, waiting: Waiting) -> None:
        ticket = waiting.ticket
        current = await queries.ticket_of(self._play.store, ticket.user_id, ticket.game)
        if current is not None and current.id == ticket.id:
            return
        match = await self.match_of(ticket)
        if match is not None:
            self.tell(ticket.id, match)
        elif current is not None:
            self._replaced(ticket.id)
        elif ticket.id in self._room:
            await self._play.store.commit(Change((ticket,)))

    async def sweep(self, dead: Sequence[str]) -> None:
        """Look after tickets that are due, those of processes that died, and those owed."""
        store, now = self._play.store, self._play.clock()
        for ticket in tuple(self._owed.values()):
            with one_of_many("ticket", ticket_id=ticket.id):
                await self.drop(ticket)
            self._owed.pop(ticket.id, None)
        await self._overdue.work(
            lambda after, limit: queries.overdue_tickets(store, now, after, limit), self.due
        )
        await self._lapsed.work(
            lambda after, limit: held_by(dead, after, limit, partial(queries.held_tickets, store)),
            self._take_back,
        )

    async def _take_back(self, ticket: PutTicket) -> None:
        await self.drop(ticket)

    async def reconcile(self) -> None:
        """Compare a portion of what the store has of this process with who waits here."""
        store, process_id = self._play.store, self._play.process_id
        await self._ours.work(
            lambda after, limit: queries.held_tickets(store, process_id, after, limit),
            self._compare,
        )

    async def _compare(self, ticket: PutTicket) -> None:
        """Give a ticket up with which nobody has waited for a whole term."""
        if ticket.id in self._room or ticket.id in self._owed:
            self._unclaimed.forget(ticket.id)
        elif self._unclaimed.for_long(ticket.id):
            await self.drop(ticket)
            self._unclaimed.forget(ticket.id)

    @property
    def worklists(self) -> tuple[Worklist[PutTicket], ...]:
        """What this works through, and what of it had to be set aside."""
        return (self._overdue, self._lapsed, self._ours)

    def tidy(self) -> None:
        """Forget what was settled in another way."""
        self._unclaimed.tidy()


def _seat_secret(ticket: PutTicket) -> str:
    """What proves the seat that a ticket leads to. A ticket's id has 74 bits of chance in it, and
    is told to nobody.
    """
    digest = blake2b(ticket.id.encode(), digest_size=16, person=b"seat of a ticket")
    return str(UUID(bytes=digest.digest(), version=4))


def _dated(ticket: PutTicket) -> tuple[str, Millis | None]:
    return (ticket.id, ticket.deadline_at)
