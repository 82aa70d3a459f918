"""One client of a room: what it says is done in order, and it hears what happens there."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Any, Final
from urllib.parse import parse_qs

from websockets.frames import CloseCode

from parlour.games.api import SEATS, Refused, Seat
from parlour.games.quarto import messages
from parlour.games.quarto.commands import Commands, must_be_known, proper
from parlour.games.quarto.messages import (
    SAID,
    CreateRoom,
    Pong,
    RoomCreated,
    RoomJoined,
    error,
    frame,
    game_of,
)
from parlour.games.quarto.rules import Call, Leave, Place, Select
from parlour.games.quarto.voice import RoomSight, joined, state
from parlour.host.attendance import Attendance
from parlour.host.sight import Facts, Seats
from parlour.net.failures import FAILURES, Gone, failure_of
from parlour.net.limits import RateLimited
from parlour.net.session import Session
from parlour.people.users import User
from parlour.play.player import Player
from parlour.store.change import Conflict, StoreError, Taken, Unavailable

MIN_KEY, MAX_KEY = 16, 128
"""Characters of a key: a shorter one could be guessed."""
REPLACED = 4409
"""Close code for a socket whose seat another one has taken."""
PONG: Final = frame(Pong())
CODES: Final[Mapping[str, str]] = {
    "NOT_ACTIVE": "GAME_ENDED",
    "NO_SUCH_TABLE": "ROOM_NOT_FOUND",
    "CONFLICT": "UNAVAILABLE",
    "BAD_TOKEN": "UNAUTHORIZED",
}
"""What the document calls what the host refuses with."""


class Visitor:
    """One socket in a room."""

    def __init__(self, commands: Commands, code: str, session: Session) -> None:
        self._session = session
        self._commands = commands
        self._user: User | None = None
        self._key = connection_key(session.query)
        """What the client knows itself by from one socket to the next, if it does."""
        self._voice = commands.voice
        self._at = Attendance(commands.host, session, self._voice, self, follows=lambda _: True)
        self._sits_down = False
        """It is about to: what it hears first is that it does."""
        self._greeted = False
        """It was told that it sits here, by its key, before it asked."""
        self._room = commands.enter(code, self)

    async def enter(self) -> None:
        """The socket was opened: it looks on, or has the seat again that its key held before."""
        try:
            match = await self._room.keep()
            if match is None:
                return
            await self._room.turn_to(match.id)
            seats = await self._commands.held_before(match, self._room.code, self._key)
            if seats:
                self._greeted = True
                await self._return_to(match, seats)
        except (Refused, Gone, Conflict):
            pass  # the room is no more, or changes just now; whoever asks is told

    async def end(self) -> None:
        """The socket was closed: its seats are free for it to return to."""
        self._commands.leave(self._room, self)
        await self._at.end()

    async def hear(self, message: str | bytes) -> None:
        """Do what the client asks; whatever is wrong with it is told to it alone."""
        try:
            said = SAID.decode(message if isinstance(message, str) else b"")
            await ANSWERS[type(said)](self, said)
        except FAILURES as refusal:
            failure = failure_of(refusal)
            code = CODES.get(failure.code, failure.code)
            words = failure.words if isinstance(refusal, Refused | RateLimited) else ""
            self._session.refuse(frame(error(code, words)))

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
        self._session.close(REPLACED, "your seat was taken over")

    def dismissed(self, match_id: str) -> None:
        """The room is no more, as everybody in it was told."""
        if self._room.match_id == match_id:
            self._room.match_id = None

    # --- sitting down -----------------------------------------------------------------------

    @property
    def _seats(self) -> Seats:
        """Where it sits: nowhere, on one side, or on both of a game at one device."""
        return self._at.seats_at(self._room.match_id or "")

    async def create(self, said: CreateRoom) -> None:
        """The host opens the room; with a bot or at one device play begins at once."""
        name = proper(said.player_name)
        must_be_known(said.opponent)
        if self._answered(0):
            return
        player = self._player(name)
        try:
            match = await self._commands.open(self._room.code, player, said, self._session.who)
        except Taken:
            await self._come_again(0)
            return
        sight = await self._sit(match.id, SEATS if match.mode == "local" else (0,), kept=True)
        if sight is None:
            return
        self._send([frame(RoomCreated(self._room.code, player.secret or ""))])
        if match.mode == "online" and sight.begun:
            # Somebody came before the host was greeted; the others know.
            self._send([joined(sight), state(sight)])
        await self._room.turn_to(match.id)
        if match.mode != "online":
            self._tell_state()

    async def join(self, said: messages.JoinRoom) -> None:
        """Somebody takes the second seat."""
        name = proper(said.player_name)
        if self._answered(1):
            return
        player = self._player(name)
        match = await self._room.find()
        player = await self._commands.second_player(match, player)
        await self._at.get_up(match.id)
        self._sits_down = True
        try:
            await self._commands.host.join(match.id, player)
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
            self._session.close(CloseCode.TRY_AGAIN_LATER)

    async def _come_again(self, seat: Seat) -> None:
        match = await self._commands.taken_before(self._room.code, seat, self._key, self._user)
        await self._return_to(match, (seat,))

    async def reconnect(self, said: messages.Reconnect) -> None:
        """A player returns to a seat whose socket is gone, or takes it from an older one."""
        match = await self._room.find()
        seats = await self._commands.proven(match, said.player_id)
        if not seats:
            raise Refused("ROOM_NOT_FOUND")
        if self._seats and self._seats[0] != seats[0]:
            raise Refused("INVALID_MESSAGE")
        if not self._answered(seats[0]):
            await self._return_to(match, seats)

    def _answered(self, seat: Seat) -> bool:
        """Whether it was told already, once, what it would be told for taking that seat."""
        told, self._greeted = self._greeted, False
        return told and self._seats[:1] == (seat,)

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
        if self._seats:
            raise Refused("INVALID_MESSAGE", "You sit in this room already.")
        return self._commands.host.player(
            self._user,
            self._session.id,
            name=name,
            secret=self._commands.secret(self._room.code, self._key),
        )

    async def sign_in(self, said: messages.Auth) -> None:
        """Who the player is."""
        self._user = await self._commands.sign_in(said.token, self._session.who.address)
        self._session.count_for(self._user)

    # --- playing ----------------------------------------------------------------------------

    async def select(self, said: messages.SelectPiece) -> None:
        """Hand over a piece."""
        await self._commands.act(await self._sight(), Select(said.piece_id))

    async def place(self, said: messages.PlacePiece) -> None:
        """Put a piece down."""
        await self._commands.act(await self._sight(), Place(said.position))

    async def call(self, _: messages.CallQuarto) -> None:
        """Claim the win."""
        await self._commands.act(await self._sight(), Call())

    async def leave(self, _: messages.LeaveRoom) -> None:
        """Give up."""
        await self._commands.act(await self._sight(), Leave())

    async def _sight(self) -> RoomSight | None:
        """The game; what this process remembers may be old, and is no reason to refuse."""
        audience = self._at.at(self._room.match_id or "")
        if audience is not None and self._seats and audience.match.status == "active":
            return audience.sight(self._seats)
        return await self._commands.look(self._room.code, self._seats)

    async def rematch(self, _: messages.Rematch) -> None:
        """Another game in this room."""
        sight = await self._commands.look(self._room.code, self._seats)
        await self._commands.rematch(sight, self._session.who)

    async def withdraw_rematch(self, _: messages.WithdrawRematch) -> None:
        """No other game after all."""
        await self._commands.withdraw_rematch(
            await self._commands.look(self._room.code, self._seats)
        )

    # --- talking ----------------------------------------------------------------------------

    async def watch(self, _: messages.Watch) -> None:
        """Somebody wants to see the game, and what is waited for in it."""
        match = await self._room.find()
        self._voice = self._at.voice = self._commands.attentive
        sight = await self._at.watch(match.id)
        self._send([state(sight), self._voice.waited_for(sight), *self._voice.company(sight)])

    async def pong(self, _: messages.Ping) -> None:
        """A sign of life."""
        self._session.send(PONG)

    def _tell_state(self) -> None:
        """To everyone in the room, the game as it stands."""
        audience = self._at.at(self._room.match_id or "")
        if audience is not None:
            audience.tell(lambda _, seats: [state(audience.sight(seats))])

    def _send(self, frames: Iterable[bytes]) -> None:
        for each in frames:
            self._session.send(each)


ANSWERS: Final[Mapping[type, Callable[[Visitor, Any], Awaitable[None]]]] = {
    messages.CreateRoom: Visitor.create,
    messages.JoinRoom: Visitor.join,
    messages.SelectPiece: Visitor.select,
    messages.PlacePiece: Visitor.place,
    messages.CallQuarto: Visitor.call,
    messages.LeaveRoom: Visitor.leave,
    messages.Reconnect: Visitor.reconnect,
    messages.Rematch: Visitor.rematch,
    messages.WithdrawRematch: Visitor.withdraw_rematch,
    messages.Watch: Visitor.watch,
    messages.Ping: Visitor.pong,
    messages.Auth: Visitor.sign_in,
}


def connection_key(query: bytes) -> str | None:
    """The secret by which `partysocket` names itself on each of its sockets, if it is one."""
    try:
        keys = parse_qs(query.decode("latin-1"), max_num_fields=20).get("_pk", [])
    except ValueError:
        return None
    return keys[0] if len(keys) == 1 and MIN_KEY <= len(keys[0]) <= MAX_KEY else None
