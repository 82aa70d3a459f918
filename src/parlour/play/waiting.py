"""Those of this process who wait for an opponent, or are about to, known before the store knows.

It is a hint: it says whom to try first, and whom somebody here is about to sit down with. Whether a
ticket is still good is for the store to say.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import structlog

from parlour.games.api import Millis
from parlour.play.match import Match
from parlour.store.change import PutTicket

log = structlog.get_logger()


def nobody() -> None:
    """There is nobody to tell."""


class Waiting:
    """Somebody who waits, and what to call when that ends."""

    __slots__ = (
        "claimed",
        "durable",
        "joining",
        "matched",
        "met",
        "outbid",
        "replaced",
        "spared",
        "ticket",
        "unsubscribe",
    )

    def __init__(
        self,
        ticket: PutTicket,
        matched: Callable[[Match], None],
        replaced: Callable[[], None],
    ) -> None:
        self.ticket = ticket
        self.matched = matched
        self.replaced = replaced
        self.unsubscribe: Callable[[], None] = nobody
        """From what other processes say."""
        self.durable: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        """Whether the ticket is in the store, once that is known."""
        self.claimed = False
        """Somebody here is about to sit down with them."""
        self.joining = True
        """They have not been answered yet, so what becomes of it is the answer."""
        self.met: Match | None = None
        self.spared: asyncio.Event | None = None
        """Set when somebody who came before there was a ticket sat down with them, or did not."""
        self.outbid = False


class Waiters:
    """All of them, by ticket; and when each ticket is due."""

    def __init__(self) -> None:
        self._all: dict[str, Waiting] = {}
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self.polled: set[str] = set()
        """Games in whose queue somebody waits, or has waited, without a connection."""

    def __contains__(self, ticket_id: str) -> bool:
        return ticket_id in self._all

    def get(self, ticket_id: str) -> Waiting | None:
        """Who waits with a ticket, if it is somebody here."""
        return self._all.get(ticket_id)

    def only_of(self, ticket: PutTicket) -> Waiting | None:
        """The same, unless that user waits for the game with another ticket as well."""
        for waiting in self._all.values():
            each = waiting.ticket
            if (each.user_id, each.game) == (ticket.user_id, ticket.game) and each.id != ticket.id:
                return None
        return self._all.get(ticket.id)

    def enter(self, waiting: Waiting) -> None:
        """Somebody waits, or is about to."""
        self._all[waiting.ticket.id] = waiting

    def leave(self, ticket_id: str) -> Waiting | None:
        """Somebody no longer waits."""
        self.disarm(ticket_id)
        waiting = self._all.pop(ticket_id, None)
        if waiting is not None:
            waiting.unsubscribe()
        return waiting

    def matched(self, ticket_id: str, match: Match) -> None:
        """A wait is over."""
        waiting = self.leave(ticket_id)
        if waiting is None:
            return
        if waiting.joining:
            waiting.met = match
            return
        try:
            waiting.matched(match)
        except Exception:  # whoever has met them sits all the same
            log.exception("who waited was not told", match_id=match.id)

    def replaced(self, ticket_id: str) -> None:
        """The same user waits with a newer connection instead."""
        waiting = self.leave(ticket_id)
        if waiting is None:
            return
        if waiting.joining:
            waiting.outbid = True
        else:
            waiting.replaced()

    def answer(self, waiting: Waiting) -> Match | None:
        """What has become of it by now; from now on they are called. None: they wait."""
        waiting.joining = False
        if waiting.outbid:
            asyncio.get_running_loop().call_soon(waiting.replaced)
        return waiting.met

    # --- who could be met -------------------------------------------------------------------

    def settled(self) -> tuple[Waiting, ...]:
        """Those whose tickets are in the store, unless they are being seated."""
        return tuple(
            each for each in self._all.values() if each.durable.done() and not each.claimed
        )

    def free(self, game: str, user_id: str) -> list[PutTicket]:
        """Tickets of a game whose holders a user could meet, the first one first.

        Nobody meets oneself, nor anybody else while one waits already.
        """
        found: list[PutTicket] = []
        for waiting in self._all.values():
            ticket = waiting.ticket
            if ticket.game != game or waiting.claimed:
                continue
            if ticket.user_id == user_id:
                return []
            found.append(ticket)
        return found

    def alone(self, ticket: PutTicket) -> bool:
        """Whether no one else waits here for that game whom nobody is about to sit down with."""
        return not any(
            each.ticket.game == ticket.game and each.ticket.id != ticket.id and not each.claimed
            for each in self._all.values()
        )

    def claimed(self, ticket_id: str) -> bool:
        """Whether somebody here is about to sit down with its holder."""
        waiting = self._all.get(ticket_id)
        return waiting is not None and waiting.claimed

    @contextmanager
    def claiming(self, ticket_id: str) -> Iterator[None]:
        """Meanwhile nobody else here tries to sit down with its holder."""
        waiting = self._all.get(ticket_id)
        if waiting is None:
            yield
            return
        waiting.claimed = True
        try:
            yield
        finally:
            waiting.claimed = False

    async def durable(self, ticket_id: str) -> bool:
        """Whether a ticket is in the store, as far as is known here once it is."""
        waiting = self._all.get(ticket_id)
        if waiting is None:
            return True
        known = waiting.durable
        return known.result() if known.done() else await asyncio.shield(known)

    # --- time -------------------------------------------------------------------------------

    def arm(self, ticket: PutTicket, now: Millis, due: Callable[[PutTicket], None]) -> None:
        """Have something done when a ticket is due."""
        if ticket.deadline_at is not None:
            delay = max(0, ticket.deadline_at - now) / 1000
            loop = asyncio.get_running_loop()
            self._timers[ticket.id] = loop.call_later(delay, due, ticket)

    def disarm(self, ticket_id: str) -> None:
        """Forget the timer."""
        timer = self._timers.pop(ticket_id, None)
        if timer is not None:
            timer.cancel()
