"""What those in the rooms of Quarto ask for, whichever socket says it.

Every check that the rules do not make stands here or with the socket, in the order of the document.
"""

from __future__ import annotations

import unicodedata
from hashlib import sha256
from uuid import UUID

from msgspec.structs import replace

from parlour.games.api import Refused, Seat, other
from parlour.games.quarto.bot import BOTS
from parlour.games.quarto.messages import CreateRoom
from parlour.games.quarto.room import GAME, InRoom, Room
from parlour.games.quarto.rules import Action, Leave
from parlour.games.quarto.settings import QuartoSettings
from parlour.games.quarto.voice import RoomSight, RoomVoice
from parlour.host.host import Host
from parlour.host.sight import Facts, Seats
from parlour.net.failures import Gone
from parlour.net.limits import Who
from parlour.net.services import Services
from parlour.people.users import User
from parlour.play.player import Player

MAX_NAME = 20
SIGNS_OF_LIFE = 3
"""How often those in a room are noted in the time after which it would lapse."""


class Commands:
    """All rooms that have sockets in this process, and what is done in any room."""

    def __init__(self, services: Services, voice: RoomVoice, attentive: RoomVoice) -> None:
        self.host = Host(services)
        self.voice = voice
        self.attentive = attentive
        self._services = services
        self._limits = services.limits
        self._rooms: dict[str, Room] = {}
        lasts_ms = services.settings.of(QuartoSettings).quarto_room_ttl_ms
        self._kept_every_sec = lasts_ms / 1000 / SIGNS_OF_LIFE

    # --- who is where -----------------------------------------------------------------------

    def enter(self, code: str, visitor: InRoom) -> Room:
        """One more in the room of that name."""
        room = self._rooms.get(code) or Room(self.host, code, self._kept_every_sec)
        self._rooms[code] = room
        room.enter(visitor)
        return room

    def leave(self, room: Room, visitor: InRoom) -> None:
        """One less; a room that nobody is in is forgotten."""
        room.leave(visitor)
        if not room.visitors and self._rooms.get(room.code) is room:
            del self._rooms[room.code]

    async def sign_in(self, token: str, address: str | None) -> User:
        """Whose token this is."""
        return await self._services.user_of(token, address)

    # --- sitting down -----------------------------------------------------------------------

    def secret(self, code: str, key: str | None) -> str:
        """What proves a seat in that room to be one's own; for who has a key always the same."""
        if key is None:
            return self.host.secret()
        digest = sha256(f"quarto {code} {key}".encode()).digest()
        return str(UUID(bytes=digest[:16], version=4))

    async def open(self, code: str, first: Player, wish: CreateRoom, who: Who) -> Facts:
        """A room for a friend, for two at one device, or for a bot; `Taken` if there is one."""
        mode = {None: "online", "local": "local"}.get(wish.opponent, "ai")
        await self._admit(mode, who)
        second = None
        if wish.opponent == "local":
            second = replace(first, user_id=None, name="Player 2", secret=self.host.secret())
        elif wish.opponent is not None:
            title = BOTS[wish.opponent].persona.title
            second = Player(name=title, bot=wish.opponent, secret=self.host.secret())
        return await self.host.make(GAME, first, second, mode=mode, code=code)

    async def second_player(self, match: Facts, player: Player) -> Player:
        """Who is about to sit down across from the host, as somebody else than the host."""
        if player.user_id is not None and player.user_id == match.seats[0].user_id:
            # In two windows one plays for nothing, as at one device.
            player = replace(player, user_id=None)
        if 0 in await self.proven(match, player.secret or ""):
            player = replace(player, secret=self.host.secret())
        return player

    async def proven(self, match: Facts, secret: str) -> Seats:
        """Which seats are whose who knows that secret."""
        return await self.host.matches.proven(match.id, secret)

    async def held_before(self, match: Facts, code: str, key: str | None) -> Seats:
        """Where somebody with that key sat before; a game that is over is not returned to so."""
        if key is None or match.over:
            return ()
        return await self.proven(match, self.secret(code, key))

    async def taken_before(
        self, code: str, seat: Seat, key: str | None, user: User | None
    ) -> Facts:
        """The room is taken: who took that seat before, and was not answered, has it again."""
        match = await self.host.matches.by_code(GAME, code)
        if match.over or len(match.seats) <= seat:
            raise Refused("ROOM_FULL")
        by_key = key and seat in await self.proven(match, self.secret(code, key))
        by_user = user is not None and match.seats[seat].user_id == user.id
        if not (by_key or by_user):
            raise Refused("ROOM_FULL")
        return match

    async def _admit(self, mode: str, who: Who) -> None:
        """`RateLimited` if too many games were begun."""
        limit = self._limits.computer_games if mode == "ai" else self._limits.rooms
        await limit.admit(who)

    # --- playing ----------------------------------------------------------------------------

    async def look(self, code: str, seats: Seats) -> RoomSight | None:
        """The game in a room as the store has it; None: there is none."""
        try:
            match = await self.host.matches.by_code(GAME, code)
            return await self.host.matches.look(match.id, seats)
        except (Refused, Gone):
            return None

    async def act(self, sight: RoomSight | None, action: Action) -> None:
        """A player does something; what comes of it is told to all."""
        if sight is not None and sight.match.over:
            raise Refused("GAME_ENDED")
        if sight is None or not sight.seats:
            raise Refused("NOT_YOUR_TURN")
        if not isinstance(action, Leave):
            if not sight.begun:
                raise Refused("WRONG_PHASE")
            await self.host.do(sight, action)
        elif sight.begun:
            await self.host.do(sight, action, seat=sight.seats[0])
        else:
            await self.host.withdraw(sight)

    async def rematch(self, sight: RoomSight | None, who: Who) -> None:
        """Another game, once both want it; a bot and whoever sits alone always do."""
        if sight is None or not sight.seats:
            raise Refused("NOT_YOUR_TURN")
        if sight.match.status != "finished":
            raise Refused("WRONG_PHASE")
        await self._admit(sight.match.mode, who)
        last = sight.view.state
        first = last.history[0].seat if last.history else last.turn
        options = replace(self.host.options(GAME), first=other(first))
        try:
            await self.host.rematch(sight, swap=False, options=options)
        except Refused as refusal:
            raise Refused("WRONG_PHASE", refusal.detail) from None

    async def withdraw_rematch(self, sight: RoomSight | None) -> None:
        """No other game after all."""
        if sight is None or not sight.seats:
            raise Refused("NOT_YOUR_TURN")
        if sight.match.status != "finished":
            raise Refused("WRONG_PHASE")
        try:
            await self.host.withdraw(sight)
        except Refused as refusal:
            raise Refused("WRONG_PHASE", refusal.detail) from None


def must_be_known(opponent: str | None) -> None:
    """`Refused` if nobody of that name can be played here."""
    if opponent not in {None, "local", *BOTS}:
        raise Refused("INVALID_MESSAGE", "There is no such opponent.")


def proper(name: str) -> str:
    """A name as it will be shown, or `Refused`."""
    trimmed = name.strip()
    if not 1 <= len(trimmed) <= MAX_NAME:
        raise Refused("INVALID_MESSAGE", f"A name has 1 to {MAX_NAME} characters.")
    if any(unicodedata.category(letter) in {"Cc", "Cs"} for letter in trimmed):
        raise Refused("INVALID_MESSAGE", "A name has no control characters.")
    return trimmed
