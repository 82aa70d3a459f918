"""One connection's part at any number of tables: the seats it holds, and what it is told of.

Laws:

* A seat is held by one connection. Whoever it is taken from by another connection of the same
  player is told so, and hears no more of that table.
* Unless seats are shared: then all connections of a player sit there, one of them holds the seat,
  and when that one goes another does, without anybody noticing. Who looks on and then sits down by
  another way sits there, too, from when the game begins.
* Who is at a game that is followed by another is there, too, where the surface has it so.
* A seat that the store could not vouch for is not held.
* A connection that is closed holds nothing, whatever was under way when it was.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final, Protocol

from websockets.frames import CloseCode

from parlour.games.api import Seat
from parlour.host.audience import Audience, Voice
from parlour.host.host import Host
from parlour.host.sight import Facts, Seats, SeatsOf, Sight
from parlour.net.session import Session, framed
from parlour.play.match import Gone
from parlour.play.steps import Told
from parlour.store.change import Conflict, Unavailable


class Client(Protocol):
    """What a surface makes of what happens to its connection."""

    def goes_on(self, sight: Sight[Any]) -> None:
        """The next game at one's table has begun, and one sits there or looks on as before."""
        ...

    def taken_over(self, match_id: str) -> None:
        """Another connection of the same player has one's seat."""
        ...

    def dismissed(self, match_id: str) -> None:
        """There is no such table any more."""
        ...


class Nobody:
    """Whose connection is closed, and who hears of nothing."""

    def goes_on(self, sight: Sight[Any]) -> None: ...

    def taken_over(self, match_id: str) -> None: ...

    def dismissed(self, match_id: str) -> None: ...


NOBODY: Final = Nobody()


class Attendance:
    """A connection, as the tables know it."""

    __slots__ = (
        "_client",
        "_ended",
        "_follows",
        "_held",
        "_host",
        "_outrun",
        "_session",
        "_shared",
        "_stays",
        "_tables",
        "send_framed",
        "voice",
    )

    def __init__(
        self,
        host: Host,
        session: Session,
        voice: Voice[Any],
        client: Client,
        *,
        shared: bool = False,
        follows: Callable[[Seats], bool] = bool,
        stays: bool = True,
    ) -> None:
        """`follows`: whether who has these seats, or none, comes along to the next game; `stays`:
        whether one stays at a game that is over.
        """
        self._host = host
        self._session = session
        self._client: Client = client
        self._shared = shared
        self._follows = follows
        self._stays = stays
        self._tables: dict[str, Audience] = {}
        self._held: dict[str, tuple[Seats, SeatsOf]] = {}
        self._outrun: set[str] = set()
        """Tables where another connection was quicker while this one sat down."""
        self._ended = False
        self.voice = voice
        self.send_framed = session.send_framed
        """Messages for it, and perhaps for others."""

    # --- looking on -------------------------------------------------------------------------

    def __len__(self) -> int:
        return len(self._tables)

    def at(self, match_id: str) -> Audience | None:
        """A table that one is told of."""
        return self._tables.get(match_id)

    def seats_at(self, match_id: str) -> Seats:
        """Which seats one has there."""
        held = self._held.get(match_id)
        return () if held is None else held[0]

    def sight(self, match_id: str) -> Sight[Any] | None:
        """What one sees there; None: one is not told of it."""
        audience = self._tables.get(match_id)
        return None if audience is None else audience.sight(self.seats_at(match_id))

    def act_at_once(self, match_id: str, action: Any, told: Told) -> bool:
        """From one's seat at a table where nothing is in the way (see `Steps.act_at_once`)."""
        held = self._held.get(match_id)
        if held is None or not held[0]:
            return False
        return self._host.kernel.steps.act_at_once(match_id, held[0][0], action, None, told)

    @property
    def only(self) -> str | None:
        """The table of a connection that is told of one at most."""
        return next(iter(self._tables), None)

    async def watch(self, match_id: str) -> Sight[Any]:
        """Hear of a table as everybody may; `Gone` if there is none."""
        audience = self._tables.get(match_id)
        if audience is None:
            audience = await self._host.audience(match_id)
            if self._ended:
                self._host.release(match_id)
            else:
                self._tables[match_id] = audience
                audience.enter(self, ())
        return audience.sight(self.seats_at(match_id))

    # --- sitting ----------------------------------------------------------------------------

    async def sit(self, match_id: str, seats_of: SeatsOf, *, kept: bool) -> Sight[Any] | None:
        """Hold one's seats and hear of the table; `kept`: this connection came with the seat.

        Who looked on before hears nothing in between, so it can be told first that it sits.
        None: another connection of the same player was quicker, which one was told, or this one is
        closed.
        """
        audience = await self._host.audience(match_id)
        version = audience.match.version
        try:
            with audience.expecting(self):
                return await self._take_seats(audience, seats_of, kept)
        except BaseException:
            if match_id in self._tables and not self._ended:
                # It is where it was before, and hears on.
                sight = audience.enter(self, self.seats_at(match_id))
                if sight.match.version != version:
                    self.send_framed(framed(*self.voice.arrived(sight)))
            raise
        finally:
            self._host.release(match_id)

    def sit_at_once(self, match_id: str, seats_of: SeatsOf) -> Sight[Any] | None:
        """As `sit` at a new table, with the seats that this connection came with.

        None: something is in the way, and `sit` does it.
        """
        if self._ended or match_id in self._tables:
            return None
        audience = self._host.audience_at_once(match_id)
        if audience is None:
            return None
        match = audience.match
        seats = seats_of(match)
        if match.over or not all(self._keep_at_once(match_id, seat) for seat in seats):
            self._host.release(match_id)
            return None
        self._held[match_id] = (seats, seats_of)
        self._tables[match_id] = audience
        return audience.enter(self, seats)

    def _keep_at_once(self, match_id: str, seat: Seat) -> bool:
        return self._host.kernel.connections.keep_at_once(
            match_id,
            seat,
            self._session.id,
            partial(self._replaced, match_id),
            self._session.who.address,
            stays=self._stays,
        )

    async def _take_seats(
        self, audience: Audience, seats_of: SeatsOf, kept: bool
    ) -> Sight[Any] | None:
        match_id, seats = audience.match.id, seats_of(audience.match)
        held = await self._hold_all(match_id, seats, kept)
        if self._ended:
            await self._depart(audience, seats)
            return None
        if not self._shared and (match_id in self._outrun or not all(held)):
            self._lose(match_id)
            return None
        if audience.match.over and not self._stays:
            await self._depart(audience, seats)
            return audience.sight(seats)
        self._held[match_id] = (seats, seats_of)
        self._tables[match_id] = audience
        return audience.enter(self, seats)

    async def _hold_all(self, match_id: str, seats: Seats, kept: bool) -> list[bool]:
        """Whether this connection has each of these seats."""
        try:
            return [await self._hold(match_id, seat, kept) for seat in seats]
        except Unavailable:
            if match_id not in self._held:
                for seat in seats:  # it may have become durable all the same
                    await self._host.kernel.connections.depart(match_id, seat, self._session.id)
            raise

    async def _hold(self, match_id: str, seat: Seat, kept: bool) -> bool:
        connections, connection = self._host.kernel.connections, self._session.id
        origin, replaced = self._session.who.address, partial(self._replaced, match_id)
        if kept:
            return await connections.keep(
                match_id, seat, connection, replaced, origin, stays=self._stays
            )
        await connections.arrive(match_id, seat, connection, replaced, origin, stays=self._stays)
        return True

    def _replaced(self, match_id: str) -> None:
        """Another connection of the same player holds a seat that this one has, or is to have."""
        if self._shared:
            return
        if match_id in self._held:
            self._lose(match_id)
        else:
            self._outrun.add(match_id)

    def _lose(self, match_id: str) -> None:
        """Another connection of the same player has the seat."""
        self._outrun.discard(match_id)
        self._forget(match_id)
        self._client.taken_over(match_id)

    async def get_up(self, match_id: str) -> None:
        """Let go of a table; nothing happens to a seat that another connection holds."""
        audience, held = self._tables.get(match_id), self._held.get(match_id)
        self._forget(match_id)
        if audience is None or held is None:
            return
        seats, seats_of = held
        await self._depart(audience, seats)
        # The next game may have begun meanwhile, with this connection in its seat.
        while self._follows(seats) and (following := await self._host.matches.following(match_id)):
            match_id = following.id
            for seat in seats_of(following):
                await self._host.kernel.connections.depart(match_id, seat, self._session.id)

    async def _depart(self, audience: Audience, seats: Seats) -> None:
        match_id = audience.match.id
        for seat in seats:
            if not (self._shared and await self._handed_on(audience, seat)):
                await self._host.kernel.connections.depart(match_id, seat, self._session.id)

    async def _handed_on(self, audience: Audience, seat: Seat) -> bool:
        """Whether another connection of the same player holds the seat now.

        Should that fail, the seat is let go, and when that is known one of them takes it.
        """
        heirs = audience.others_at((seat,), self)
        try:
            for heir in heirs[:1]:
                await heir.reclaim(audience.match.id, seat)
        except (Unavailable, Conflict, Gone):
            return False
        return bool(heirs)

    async def end(self) -> None:
        """The connection is closed."""
        self._ended = True
        for match_id in tuple(self._tables):
            await self.get_up(match_id)
        self._client = NOBODY  # they would hold each other

    def _forget(self, match_id: str) -> None:
        self._held.pop(match_id, None)
        audience = self._tables.pop(match_id, None)
        if audience is not None:
            audience.leave(self)
        self._host.release(match_id)

    # --- as audiences know it (see `Viewer`) ------------------------------------------------

    @property
    def reclaims(self) -> bool:
        """Whether it stays seated when the connection that holds the seat is gone."""
        return self._shared

    async def reclaim(self, match_id: str, seat: Seat) -> None:
        """Hold a seat again that another connection of the same player held."""
        await self._hold(match_id, seat, kept=False)
        if seat not in self.seats_at(match_id):  # it got up meanwhile
            await self._host.kernel.connections.depart(match_id, seat, self._session.id)

    def claims(self, match: Facts) -> Seats:
        """Which seats have become its own while it looked on, now that the game begins."""
        held = self._held.get(match.id)
        if held is None or not self._shared:
            return ()
        self._held[match.id] = (held[1](match), held[1])
        return self.seats_at(match.id)

    def dismissed(self, match_id: str) -> None:
        """There is no such table any more."""
        self._tables.pop(match_id, None)
        self._held.pop(match_id, None)
        self._host.release(match_id)
        self._client.dismissed(match_id)

    def ended(self, match_id: str) -> None:
        """The game was played to its end."""
        audience, seats = self._tables.get(match_id), self.seats_at(match_id)
        if audience is not None and not self._stays:
            self._forget(match_id)
            # Mostly it got up with the last step.
            connections, own = self._host.kernel.connections, self._session.id
            if any(connections.holds(match_id, seat, own) for seat in seats):
                self._host.runtime.background.spawn(self._depart(audience, seats))

    def goes_on(self, old_id: str, following_id: str) -> None:
        """The next game of this table has begun."""
        if self._follows(self.seats_at(old_id)):
            self._host.runtime.background.spawn(self._follow(old_id, following_id))

    async def _follow(self, old_id: str, following_id: str) -> None:
        held = self._held.get(old_id)
        try:
            if held is None:
                sight: Sight[Any] | None = await self.watch(following_id)
            else:
                sight = await self.sit(following_id, held[1], kept=True)
        except Unavailable:
            # Nobody asked, so there is nobody to answer: the client comes back.
            self._session.close(CloseCode.TRY_AGAIN_LATER)
            return
        self._forget(old_id)
        if sight is not None:
            self._client.goes_on(sight)
