"""Those of this process who wait for an opponent, or are about to, known before the store knows."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from parlour.play.match import Match
from parlour.store.change import PutTicket


def nobody() -> None:
    """There is nobody to tell."""


class Waiting:
    """Somebody who waits, and what to call when that ends."""

    __slots__ = ("claimed", "durable", "hush", "matched", "replaced", "ticket")

    def __init__(
        self,
        ticket: PutTicket,
        matched: Callable[[Match], None],
        replaced: Callable[[], None],
    ) -> None:
        self.ticket = ticket
        self.matched = matched
        self.replaced = replaced
        self.hush: Callable[[], None] = nobody
        """Stops listening for what other processes say."""
        self.durable: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        """Whether the ticket is in the store, once that is known."""
        self.claimed = False
        """Somebody is about to sit down with them."""


class WaitingRoom:
    """All of them, by ticket."""

    def __init__(self) -> None:
        self._all: dict[str, Waiting] = {}

    def __contains__(self, ticket_id: str) -> bool:
        return ticket_id in self._all

    def enter(self, waiting: Waiting) -> None:
        """Somebody waits, or is about to."""
        self._all[waiting.ticket.id] = waiting

    def leave(self, ticket_id: str) -> Waiting | None:
        """Somebody no longer waits."""
        waiting = self._all.pop(ticket_id, None)
        if waiting is not None:
            waiting.hush()
        return waiting

    def settled(self) -> tuple[Waiting, ...]:
        """Those whose tickets are in the store, unless they are being seated."""
        return tuple(
            each for each in self._all.values() if each.durable.done() and not each.claimed
        )

    def free(self, game: str, user_id: str) -> list[Waiting]:
        """Those of a game whom a user could meet, the first one first; nobody meets oneself."""
        there = [each for each in self._all.values() if each.ticket.game == game]
        if any(each.ticket.user_id == user_id and not each.claimed for each in there):
            return []
        return [each for each in there if not each.claimed and each.ticket.user_id != user_id]
