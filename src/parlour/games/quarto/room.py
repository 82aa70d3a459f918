"""A room: the sockets in it in this process, and how one comes to sit there.

Whoever is connected to a room is there: it hears what happens, and of the next game too.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from hashlib import sha256
from typing import Final
from urllib.parse import parse_qs
from uuid import UUID

from msgspec.structs import replace
from websockets.frames import CloseCode

from parlour.games.api import SEATS, Refused, Seat, other
from parlour.games.quarto.messages import CreateRoom, RoomCreated, RoomJoined, frame, game_of
from parlour.games.quarto.rules import Action, Leave
from parlour.games.quarto.voice import RoomSight, RoomVoice, joined, state
from parlour.host.attendance import Attendance
from parlour.host.host import Host
from parlour.host.sight import Facts, Seats
from parlour.net.failures import Gone
from parlour.net.services import Services
from parlour.net.sockets import Session
from parlour.play.player import Player
from parlour.store.change import StoreError, Taken, Unavailable, UserRow

GAME: Final = "quarto"
MAX_NAME = 20
MIN_KEY, MAX_KEY = 16, 128
"""Characters of a key: a shorter one could be guessed."""
REPLACED = 4409
"""Close code for a socket whose seat another one has taken."""


class Rooms:
    """All rooms that have sockets in this process."""

    def __init__(self, services: Services, voice: RoomVoice, attentive: RoomVoice) -> None:
        self.host = Host(services)
        self.services = services
        self.voice = voice
        self.attentive = attentive
        self._rooms: dict[str, Room] = {}

    def enter(self, code: str) -> Room:
        """The room of that name."""
        return self._rooms.get(code) or self._rooms.setdefault(code, Room(self, code))

    def leave(self, room: Room, guest: Guest) -> None:
        """One less; a room that nobody is in is forgotten."""
        room.guests.remove(guest)
        if not room.guests and self._rooms.get(room.code) is room:
            del self._rooms[room.code]


class Room:
    """The sockets of one room."""

    def __init__(self, rooms: Rooms, code: str) -> None:
        self.code = code
        self.guests: list[Guest] = []
        self.match_id: str | None = None
        """The match that is played here, once somebody in this process had to know."""
        self._host = rooms.host

    async def find(self) -> Facts:
        """The match that is played in this room now; `Refused` if there is none."""
        match = await self._host.matches.by_code(GAME, self.code)
        await self.turn_to(match.id)
        return match

    async def turn_to(self, match_id: str) -> None:
        """Everybody in the room hears of that match."""
        self.match_id = match_id
        for guest in tuple(self.guests):
            await guest.look_on(match_id)


class Guest:
    """One socket in a room."""

    def __init__(self, rooms: Rooms, room: Room, session: Session) -> None:
        self.session = session
        self.user: UserRow | None = None
        self._rooms = rooms
        self._room = room
        self._host = rooms.host
        self._limits = rooms.services.limits
        self._key = connection_key(session.query)
        """What the client knows itself by from one socket to the next, if it does."""
        self._voice, self._attentive = rooms.voice, rooms.attentive
        self._at = Attendance(rooms.host, session, self._voice, self, follows=lambda _: True)
        self._sits_down = False
        """It is about to: what it hears first is that it does."""
        room.guests.append(self)

    async def enter(self) -> None:
        """The socket was opened."""
        if self._room.match_id is not None:
            await self.look_on(self._room.match_id)

    async def leave(self) -> None:
        """The socket was closed: its seats are free for it to return to."""
        self._rooms.leave(self._room, self)
        await self._at.end()

    async def look_on(self, match_id: str) -> None:
        """Hear of a match, without being told how it stands."""
        if not self._sits_down and self._at.at(match_id) is None:
            try:
                await self._at.watch(match_id)
            except Gone:
                raise Refused("ROOM_NOT_FOUND") from None

    # --- what happens to it (see `Client`) --------------------------------------------------

    def goes_on(self, sight: RoomSight) -> None:
        """The next game in this room: everyone keeps the seat they had."""
        self._room.match_id = sight.match.id
        self._send(self._voice.arrived(sight))

    def taken_over(self, match_id: str) -> None:
        """Another socket of the same player has the seat."""
        del match_id
        self.session.close(REPLACED, "your seat was taken over")

    def dismissed(self, match_id: str) -> None:
        """The room is no more, as everybody in it was told."""
        if self._room.match_id == match_id:
            self._room.match_id = None

    # --- sitting down -----------------------------------------------------------------------

    @property
    def seats(self) -> Seats:
        """Where it sits: nowhere, on one side, or on both of a game at one device."""
        return self._at.seats_at(self._room.match_id or "")

    async def create(self, said: CreateRoom) -> None:
        """The host opens the room; with a bot or at one device play begins at once."""
        player = self._player(said.player_name)
        mode = {None: "online", "local": "local"}.get(said.opponent, "ai")
        await self._admit(mode)
        second = None
        if said.opponent == "local":
            second = replace(player, user_id=None, name="Player 2", secret=self._host.secret())
        elif said.opponent is not None:
            name = said.opponent.capitalize()
            second = Player(name=name, bot=said.opponent, secret=self._host.secret())
        try:
            match = await self._host.make(GAME, player, second, mode=mode, code=self._room.code)
        except Taken:
            await self._come_again(0)
            return
        sight = await self._sit(match.id, SEATS if mode == "local" else (0,), kept=True)
        if sight is None:
            return
        self._send([frame(RoomCreated(self._room.code, player.secret or ""))])
        if mode == "online" and sight.begun:
            # Somebody came before the host was greeted; the others know.
            self._send([joined(sight), state(sight)])
        await self._room.turn_to(match.id)
        if mode != "online":
            self._tell_state()

    async def join(self, name: str) -> None:
        """Somebody takes the second seat."""
        player = self._player(name)
        match = await self._room.find()
        if player.user_id is not None and player.user_id == match.seats[0].user_id:
            # In two windows one plays for nothing, as at one device.
            player = replace(player, user_id=None)
        if 0 in await self._host.matches.proven(match.id, player.secret or ""):
            player = replace(player, secret=self._host.secret())
        await self._at.get_up(match.id)
        self._sits_down = True
        try:
            await self._host.join(match.id, player)
        except (Refused, Gone):
            await self._stay(match.id)
            await self._come_again(1)
            return
        except StoreError:
            await self._stay(match.id)
            raise
        self._sits_down = False
        sight = await self._sit(match.id, (1,), kept=True)
        if sight is not None:
            self._send([frame(RoomJoined(player.secret or "", game_of(sight)))])
            self._send(self._voice.arrived(sight))

    async def _stay(self, match_id: str) -> None:
        """Nothing came of sitting down: it looks on as before."""
        self._sits_down = False
        try:
            await self.look_on(match_id)
        except Unavailable:
            self.session.close(CloseCode.TRY_AGAIN_LATER)

    async def _come_again(self, seat: Seat) -> None:
        """The room is taken. Who took that seat before, and was not answered, has it again."""
        match = await self._host.matches.by_code(GAME, self._room.code)
        if match.over or len(match.seats) <= seat:
            raise Refused("ROOM_FULL")
        by_key = self._key and seat in await self._host.matches.proven(
            match.id, self._secret(self._key)
        )
        by_user = self.user is not None and match.seats[seat].user_id == self.user.id
        if not (by_key or by_user):
            raise Refused("ROOM_FULL")
        await self._return_to(match, (seat,))

    async def reconnect(self, player_id: str) -> None:
        """A player returns to a seat whose socket is gone, or takes it from an older one."""
        match = await self._room.find()
        seats = await self._host.matches.proven(match.id, player_id)
        if not seats:
            raise Refused("ROOM_NOT_FOUND")
        if self.seats and self.seats[0] != seats[0]:
            raise Refused("INVALID_MESSAGE")
        await self._return_to(match, seats)

    async def _return_to(self, match: Facts, seats: Seats) -> None:
        sight = await self._sit(match.id, SEATS if match.mode == "local" else seats, kept=False)
        if sight is None:
            return
        mine = sight.key_of(seats[0]) or ""
        if seats[0] == 0:
            self._send([frame(RoomCreated(self._room.code, mine))])
        else:
            self._send([frame(RoomJoined(mine, game_of(sight)))])
        if sight.match.version == match.version:
            self._tell_state()
        else:
            self._send([state(sight)])  # the others heard of the step

    async def _sit(self, match_id: str, seats: Seats, *, kept: bool) -> RoomSight | None:
        self._room.match_id = match_id
        return await self._at.sit(match_id, lambda _: seats, kept=kept)

    def _player(self, name: str) -> Player:
        if self.seats:
            raise Refused("INVALID_MESSAGE", "You sit in this room already.")
        proper = _proper(name)
        secret = self._secret(self._key) if self._key else self._host.secret()
        return self._host.player(self.user, self.session.id, name=proper, secret=secret)

    def _secret(self, key: str) -> str:
        """A player's secret in this room, where the client has a key: for it always the same."""
        digest = sha256(f"quarto {self._room.code} {key}".encode()).digest()
        return str(UUID(bytes=digest[:16], version=4))

    async def _admit(self, mode: str) -> None:
        """`RateLimited` if the guest has begun too many games."""
        limit = self._limits.computer_games if mode == "ai" else self._limits.rooms
        await limit.admit(self.session.who)

    # --- playing ----------------------------------------------------------------------------

    async def act(self, action: Action) -> None:
        """A player does something; what comes of it is told to all."""
        sight = await self._sight()
        if sight is not None and sight.match.over:
            raise Refused("GAME_ENDED")
        if sight is None or not sight.seats:
            raise Refused("NOT_YOUR_TURN")
        if not isinstance(action, Leave):
            if not sight.begun:
                raise Refused("WRONG_PHASE")
            await self._host.do(sight, action)
        elif sight.begun:
            await self._host.do(sight, action, seat=sight.seats[0])
        else:
            await self._host.withdraw(sight)

    async def _sight(self) -> RoomSight | None:
        """The game; what this process remembers may be old, and is no reason to refuse."""
        audience = self._at.at(self._room.match_id or "")
        if audience is not None and self.seats and audience.match.status == "active":
            return audience.sight(self.seats)
        return await self._fresh()

    async def _fresh(self) -> RoomSight | None:
        try:
            match = await self._host.matches.by_code(GAME, self._room.code)
            return await self._host.matches.look(match.id, self.seats)
        except (Refused, Gone):
            return None

    async def rematch(self) -> None:
        """Another game, once both want it; a bot and whoever sits alone always do."""
        sight = await self._fresh()
        if sight is None or not sight.seats:
            raise Refused("NOT_YOUR_TURN")
        if sight.match.status != "finished":
            raise Refused("WRONG_PHASE")
        await self._admit(sight.match.mode)
        last = sight.view.state
        first = last.history[0].seat if last.history else last.turn
        options = replace(self._host.options(GAME), first=other(first))
        try:
            await self._host.rematch(sight, swap=False, options=options)
        except Refused as refusal:
            raise Refused("WRONG_PHASE", refusal.detail) from None

    async def watch(self) -> None:
        """Somebody wants to see the game, and what is waited for in it."""
        match = await self._room.find()
        self._voice = self._at.voice = self._attentive
        sight = await self._at.watch(match.id)
        self._send([state(sight), self._voice.waited_for(sight)])

    def _tell_state(self) -> None:
        """To everyone in the room, the game as it stands."""
        audience = self._at.at(self._room.match_id or "")
        if audience is not None:
            audience.tell(lambda _, seats: [state(audience.sight(seats))])

    def _send(self, frames: Iterable[bytes]) -> None:
        for each in frames:
            self.session.send(each)


def connection_key(query: bytes) -> str | None:
    """The secret by which `partysocket` names itself on each of its sockets, if it is one."""
    try:
        keys = parse_qs(query.decode("latin-1"), max_num_fields=20).get("_pk", [])
    except ValueError:
        return None
    return keys[0] if len(keys) == 1 and MIN_KEY <= len(keys[0]) <= MAX_KEY else None


def _proper(name: str) -> str:
    """A name as it will be shown, or `Refused`."""
    trimmed = name.strip()
    if not 1 <= len(trimmed) <= MAX_NAME:
        raise Refused("INVALID_MESSAGE", f"A name has 1 to {MAX_NAME} characters.")
    if any(unicodedata.category(letter) in {"Cc", "Cs"} for letter in trimmed):
        raise Refused("INVALID_MESSAGE", "A name has no control characters.")
    return trimmed
