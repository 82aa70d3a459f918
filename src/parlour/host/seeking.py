"""One connection's search for opponents: where it waits, and the seat that comes of it.

Laws:

* Who meets somebody sits down with them: at once, after a wait, or just when giving up.
* A connection that is closed waits nowhere and holds no seat that came of waiting, even where the
  store failed to say what became of an attempt.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, Protocol

import structlog
from websockets.frames import CloseCode

from parlour.host.attendance import Attendance
from parlour.host.host import Host
from parlour.host.sight import Facts, SeatsOf, Sight
from parlour.net.session import Session
from parlour.play.match import Match
from parlour.play.player import Player
from parlour.store.change import PutTicket, Unavailable

log = structlog.get_logger()


class Seeker(Protocol):
    """What a surface makes of how a search goes."""

    def seated(self, sight: Sight[Any]) -> None:
        """Somebody came, be it the computer, and one sits with them."""
        ...

    def outbid(self) -> None:
        """Another connection of the same player waits instead."""
        ...


class Seeks:
    """All that a connection looks for."""

    __slots__ = ("_at", "_host", "_met", "_seats_of", "_seeker", "_session", "_tickets", "_unsure")

    def __init__(
        self, host: Host, session: Session, at: Attendance, seeker: Seeker, seats_of: SeatsOf
    ) -> None:
        self._host = host
        self._session = session
        self._at = at
        self._seeker = seeker
        self._seats_of = seats_of
        self._tickets: dict[str, PutTicket] = {}
        self._met: set[str] = set()
        """Matches in which one is about to sit down."""
        self._unsure: dict[str, Callable[[], Awaitable[Facts | None]]] = {}
        """For games where the store failed to say whether one waits or plays: how to find out."""

    def __len__(self) -> int:
        """How many tables may come of it."""
        return len(self._tickets) + len(self._met)

    def waits(self, game: str) -> bool:
        """Whether one waits for an opponent there."""
        return game in self._tickets

    async def join(self, game: str, player: Player) -> Facts | PutTicket:
        """The match with somebody who waits, in which to `sit`, or one's own ticket.

        `AlreadyQueued`, or `Busy` with the match to finish first.
        """
        assert player.user_id is not None
        queue = self._host.kernel.queue
        try:
            found = await queue.join(game, player, self._matched, partial(self._outbid, game))
        except Unavailable:
            self._unsure[game] = partial(self._host.matches.open_match_of, game, player.user_id)
            raise
        if isinstance(found, PutTicket):
            self._tickets[game] = found
        return found

    async def sit(self, match: Facts) -> None:
        """Where this connection has a seat from the start."""
        if self._sat_at_once(match):
            return
        self._met.add(match.id)
        try:
            sight = await self._at.sit(match.id, self._seats_of, kept=True)
        except Unavailable:
            # Nobody asked, so there is nobody to answer: the client comes back to its table.
            self._session.close(CloseCode.TRY_AGAIN_LATER)
            for seat in self._seats_of(match):
                await self._host.kernel.connections.depart(match.id, seat, self._session.id)
        else:
            if sight is not None:
                self._seeker.seated(sight)
        finally:
            self._met.discard(match.id)

    def _matched(self, match: Match) -> None:
        """A wait ended."""
        self._tickets.pop(match.game, None)
        if not self._sat_at_once(match):
            self._met.add(match.id)
            self._host.runtime.background.spawn(self.sit(match))

    def _sat_at_once(self, match: Facts) -> bool:
        """Whether one sits already, as nothing was in the way."""
        sight = self._at.sit_at_once(match.id, self._seats_of)
        if sight is None:
            return False
        self._seeker.seated(sight)
        return True

    def _outbid(self, game: str) -> None:
        self._tickets.pop(game, None)
        self._seeker.outbid()

    async def give_up(self, game: str) -> bool:
        """Stop waiting; False if one does not wait. Should an opponent just have come, one sits.

        A ticket that the store cannot be told of is seen to by the queue.
        """
        ticket = self._tickets.pop(game, None)
        if ticket is None:
            return False
        queue = self._host.kernel.queue
        try:
            if not await queue.tickets.drop(ticket):
                await self._sit_in(await queue.tickets.match_of(ticket))
        except Unavailable:
            self._unsure[game] = partial(queue.tickets.match_of, ticket)
        return True

    async def _sit_in(self, match: Facts | None) -> None:
        """The match that was made for this connection, if one was."""
        if match is not None:
            await self.sit(match)

    async def end(self) -> None:
        """The connection is closed, and has got up everywhere."""
        for game in tuple(self._tickets):
            await self.give_up(game)
        for game, find in self._unsure.items():
            try:
                await self._sit_in(await find())
            except Unavailable:
                log.warning("a seat may be held by nobody", game=game)
