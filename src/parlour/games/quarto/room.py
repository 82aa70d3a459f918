"""A room: the sockets that are in it in this process, and the match they play or watch.

The room follows its match, and after a rematch the next one. Every frame is built from what became
durable, once per kind of viewer: the host, the guest, everybody else.
"""

from __future__ import annotations

import asyncio
import unicodedata
from hashlib import sha256
from typing import Any
from urllib.parse import parse_qs
from uuid import UUID

from msgspec.structs import replace

from parlour.games.api import SEATS, Refused, Seat, other
from parlour.games.quarto.messages import (
    CreateRoom,
    GameOver,
    PlayerJoined,
    PlayerLeft,
    RematchRequested,
    RoomCreated,
    RoomJoined,
    StateUpdate,
    deadlines_of,
    error,
    frame,
    game_of,
    shown_id,
    winner_of,
)
from parlour.games.quarto.rules import Action, Leave, Options, State, winning_line
from parlour.net.services import Services
from parlour.net.sockets import Session
from parlour.play.match import Match, Update
from parlour.play.play import Gone
from parlour.play.seating import Player
from parlour.store.change import Taken, UserRow

GAME = "quarto"
MAX_NAME = 20
MIN_KEY, MAX_KEY = 16, 128
"""Characters of a key: a shorter one could be guessed."""
REPLACED = 4409
"""Close code for a socket whose seat another one has taken."""


class Guest:
    """One socket in the room."""

    __slots__ = ("attentive", "greeted", "key", "seats", "secret", "session", "user")

    def __init__(self, session: Session) -> None:
        self.session = session
        self.key = connection_key(session.query)
        """What the client knows itself by from one socket to the next, if it does."""
        self.user: UserRow | None = None
        self.seats: tuple[Seat, ...] = ()
        """Where it sits: nowhere, on one side, or on both of a game at one device."""
        self.greeted = True
        """False while it takes its seat again: what it hears first is that it has."""
        self.secret: str | None = None
        """What will be its seat's secret, while it is about to sit down."""
        self.attentive = False
        """It has asked to hear what time is running out."""


class Room:
    """The sockets of one room in this process."""

    def __init__(self, services: Services, code: str) -> None:
        self._limits = services.limits
        self._kernel = services.kernel
        self._play = services.kernel.play
        self._code = code
        self._guests: list[Guest] = []
        self._match: Match | None = None
        self._turn = asyncio.Lock()
        """The room turns to another match one at a time."""

    # --- coming and going -------------------------------------------------------------------

    @property
    def deserted(self) -> bool:
        """Nobody is here."""
        return not self._guests

    def enter(self, guest: Guest) -> None:
        """A socket was opened."""
        self._guests.append(guest)

    async def leave(self, guest: Guest) -> None:
        """A socket was closed: its seats are free for it to return to."""
        self._guests.remove(guest)
        match = self._match
        if self.deserted and match is not None:
            self._play.unwatch(match.id, self)
            self._match = None
        while match is not None:
            for seat in guest.seats:
                await self._kernel.presence.depart(match.id, seat, guest.session.id)
            # The next game may have begun meanwhile, with this socket in its seat.
            left = await self._play.find(match.id)
            following = left.rematch_id if left is not None else None
            match = await self._play.find(following) if following is not None else None

    async def attend(self) -> Match:
        """The match that is played in this room now, watched from here on; `Refused` if none."""
        found = await self._play.find_code(GAME, self._code)
        if found is None:
            raise Refused("ROOM_NOT_FOUND")
        await self._turn_to(found.id)
        assert self._match is not None
        return self._match

    async def _turn_to(self, match_id: str) -> None:
        async with self._turn:
            old = self._match
            if old is not None and old.id == match_id:
                return
            try:
                self._match = await self._play.watch(match_id, self)
            except Gone:
                raise Refused("ROOM_NOT_FOUND") from None
            if old is not None:
                self._play.unwatch(old.id, self)

    # --- sitting down -----------------------------------------------------------------------

    async def create(self, guest: Guest, said: CreateRoom) -> None:
        """The host opens the room; with a bot or at one device play begins at once."""
        host = self._player(guest, said.player_name)
        mode = "online" if said.opponent is None else "ai"
        if said.opponent == "local":
            mode = "local"
        await self._admit(guest, mode)
        try:
            if said.opponent is None:
                match = await self._kernel.seating.open(GAME, host, code=self._code)
            else:
                if said.opponent == "local":
                    second = replace(host, user_id=None, name="Player 2")
                else:
                    second = Player(name=said.opponent.capitalize(), bot=said.opponent)
                second = replace(second, secret=self._play.chance.secret())
                match = await self._kernel.seating.start(
                    GAME, (host, second), code=self._code, mode=mode
                )
        except Taken:
            await self._come_again(guest, 0)
            return
        guest.greeted = False
        try:
            await self._turn_to(match.id)
            await self._sit(guest, SEATS if mode == "local" else (0,))
        finally:
            guest.greeted = True
        guest.session.send(frame(RoomCreated(self._code, host.secret or "")))
        if mode != "online":
            self._tell_state()
        elif self._match is not None and self._match.status != "waiting":
            # Somebody came before the host was greeted; the others know.
            newcomer = self._match.seats[1].name
            guest.session.send(frame(PlayerJoined(newcomer, game_of(self._match, guest.seats))))
            self.show(guest)

    async def _admit(self, guest: Guest, mode: str) -> None:
        """`RateLimited` if the guest has begun too many games."""
        limit = self._limits.computer_games if mode == "ai" else self._limits.rooms
        await limit.admit(guest.session.who)

    async def join(self, guest: Guest, name: str) -> None:
        """Somebody takes the second seat. What is told is told when the step is."""
        player = self._player(guest, name)
        match = await self.attend()
        if player.user_id is not None and player.user_id == match.seats[0].user_id:
            # In two windows one plays for nothing, as at one device.
            player = replace(player, user_id=None)
        if player.secret == match.seats[0].secret:
            player = replace(player, secret=self._play.chance.secret())
        guest.secret = player.secret
        try:
            await self._kernel.seating.join(match.id, player)
        except (Refused, Gone):
            await self._come_again(guest, 1)
            return
        finally:
            guest.secret = None
        if guest.seats:
            await self._keep(guest)

    async def _come_again(self, guest: Guest, seat: Seat) -> None:
        """The room is taken. Who took that seat before, and was not answered, has it again."""
        match = await self._play.find_code(GAME, self._code)
        if match is None or match.over or len(match.seats) <= seat:
            raise Refused("ROOM_FULL")
        held = match.seats[seat]
        by_key = guest.key is not None and held.secret == self._secret(guest.key)
        by_user = guest.user is not None and held.user_id == guest.user.id
        if held.secret is None or not (by_key or by_user):
            raise Refused("ROOM_FULL")
        await self.reconnect(guest, held.secret)

    def _secret(self, key: str) -> str:
        """A player's secret in this room, where the client has a key: for it always the same."""
        digest = sha256(f"quarto {self._code} {key}".encode()).digest()
        return str(UUID(bytes=digest[:16], version=4))

    async def reconnect(self, guest: Guest, player_id: str) -> None:
        """A player returns to a seat whose socket is gone, or takes it from an older one."""
        match = await self.attend()
        seats = tuple(seat.seat for seat in match.seats if seat.secret == player_id and player_id)
        if not seats:
            raise Refused("ROOM_NOT_FOUND")
        if guest.seats and guest.seats[0] != seats[0]:
            raise Refused("INVALID_MESSAGE")
        version = match.version
        guest.greeted = False
        try:
            await self._sit(guest, SEATS if match.mode == "local" else seats)
        finally:
            guest.greeted = True
        assert self._match is not None
        if seats[0] == 0:
            guest.session.send(frame(RoomCreated(self._code, player_id)))
        else:
            guest.session.send(frame(RoomJoined(player_id, game_of(self._match, seats))))
        if self._match.version == version:
            self._tell_state()
        else:
            self.show(guest)  # the others heard of the step

    async def _sit(self, guest: Guest, seats: tuple[Seat, ...]) -> None:
        """The guest's socket holds these seats from now on, and no other socket does."""
        assert self._match is not None
        match_id = self._match.id
        for older in self._guests:
            if older is not guest and set(older.seats) & set(seats):
                self._give_way(older)
        guest.seats = seats
        for seat in seats:
            await self._kernel.presence.arrive(
                match_id, seat, guest.session.id, lambda: self._give_way(guest)
            )

    async def _keep(self, guest: Guest) -> None:
        """As `_sit`, for a guest whose socket came with the seat."""
        assert self._match is not None
        for seat in guest.seats:
            kept = await self._kernel.presence.keep(
                self._match.id, seat, guest.session.id, lambda: self._give_way(guest)
            )
            if not kept:
                self._give_way(guest)

    def _give_way(self, guest: Guest) -> None:
        guest.seats = ()
        guest.session.close(REPLACED, "your seat was taken over")

    def _player(self, guest: Guest, name: str) -> Player:
        if guest.seats:
            raise Refused("INVALID_MESSAGE", "You sit in this room already.")
        return Player(
            name=_proper(name),
            user_id=guest.user.id if guest.user else None,
            secret=self._secret(guest.key) if guest.key else self._play.chance.secret(),
            connection=guest.session.id,
            process_id=self._play.process_id,
        )

    # --- playing ----------------------------------------------------------------------------

    async def act(self, guest: Guest, action: Action) -> None:
        """A player does something; what comes of it is told to all."""
        match = self._match
        if match is None or match.status != "active" or not guest.seats:
            # What this process remembers may be old, and is no reason to refuse.
            match = await self._play.find_code(GAME, self._code)
        if match is not None and match.over:
            raise Refused("GAME_ENDED")
        if match is None or not guest.seats:
            raise Refused("NOT_YOUR_TURN")
        if match.status == "waiting":
            if not isinstance(action, Leave):
                raise Refused("WRONG_PHASE")
            await self._kernel.seating.cancel(match.id, guest.seats[0])
            return
        seat = guest.seats[0]
        if len(guest.seats) == len(SEATS) and not isinstance(action, Leave):
            state: State = match.state
            seat = state.turn
        await self._play.act(match.id, seat, action)

    async def rematch(self, guest: Guest) -> None:
        """Another game, once both want it; a bot and whoever sits alone always do."""
        match = await self._play.find_code(GAME, self._code)
        if match is None or not guest.seats:
            raise Refused("NOT_YOUR_TURN")
        if match.status != "finished":
            raise Refused("WRONG_PHASE")
        await self._admit(guest, match.mode)
        state: State = match.state
        first = state.history[0].seat if state.history else state.turn
        options = replace(self._play.policies[GAME].options, first=other(first))
        willing = guest.seats if match.mode == "online" else SEATS
        for seat in willing:
            await self._ask(match, seat, options)

    async def _ask(self, match: Match, seat: Seat, options: Options) -> None:
        try:
            await self._kernel.seating.rematch(
                match.id, seat, swap=False, options=options, keep_code=True
            )
        except Refused as refusal:
            raise Refused("WRONG_PHASE", refusal.detail) from None

    def show(self, guest: Guest) -> None:
        """The game as it stands."""
        assert self._match is not None
        guest.session.send(frame(StateUpdate(game_of(self._match, guest.seats))))

    async def watch(self, guest: Guest) -> None:
        """Somebody wants to see the game, and what is waited for in it."""
        match = await self.attend()
        guest.attentive = True
        self.show(guest)
        guest.session.send(frame(deadlines_of(match, self._play.clock())))

    # --- what everyone hears ----------------------------------------------------------------

    def moved(self, update: Update) -> None:
        """A step became durable."""
        if self._match is None or update.after.id != self._match.id:
            return
        self._match = update.after
        match update.entry.kind:
            case "start":
                self._tell_joined(update.after)
                self._tell_state()
            case "gone":
                self._tell_left(update.entry.seat, "disconnect")
            case "rematch":
                self._tell(RematchRequested(update.entry.seat or 0))
            case "rematched":
                self._play.spawn(self._go_on(update.after))
            case "cancel" | "lapse" if update.after.status != "finished":
                self._close()
            case "act" | "expire" | "back":
                self._tell_step(update)
            case _:
                pass
        self._tell_deadlines(update.before, update.after)

    def presence(self, match: Match, here: tuple[bool, bool]) -> None:
        """Where it matters to the game it is a step."""

    @property
    def _audience(self) -> list[Guest]:
        return [guest for guest in self._guests if guest.greeted]

    def _tell_step(self, update: Update) -> None:
        """The new state, and how the game ended if it did."""
        state: State = update.after.state
        outcome = state.outcome
        ended = outcome is not None and update.before.status == "active"
        if ended and outcome is not None and outcome.reason in ("forfeit", "timeout"):
            loser = None if outcome.winner is None else other(outcome.winner)
            self._tell_left(loser, "forfeit" if outcome.reason == "forfeit" else "timeout")
        self._tell_state()
        if ended:
            self._tell_over(update.after)

    def _tell_joined(self, match: Match) -> None:
        """Who just sat down hears so, and so does the host."""
        newcomer = match.seats[1]
        for guest in self._audience:
            if guest.secret is not None and guest.secret == newcomer.secret:
                guest.seats = (1,)
                joined = RoomJoined(guest.secret, game_of(match, guest.seats))
                guest.session.send(frame(joined))
            elif 0 in guest.seats:
                told = PlayerJoined(newcomer.name, game_of(match, guest.seats))
                guest.session.send(frame(told))

    def _tell_left(self, gone: Seat | None, reason: Any) -> None:
        told = frame(PlayerLeft(reason))
        for guest in self._audience:
            if gone not in guest.seats:
                guest.session.send(told)

    def _tell_state(self) -> None:
        match = self._match
        if match is None:
            return
        frames: dict[tuple[Seat, ...], bytes] = {}
        for guest in self._audience:
            if guest.seats not in frames:
                frames[guest.seats] = frame(StateUpdate(game_of(match, guest.seats)))
            guest.session.send(frames[guest.seats])

    def _tell_over(self, match: Match) -> None:
        state: State = match.state
        line = winning_line(state)
        for guest in self._audience:
            winner_id = None
            if match.winner is not None:
                winner_id = shown_id(match.seats[match.winner], match.winner in guest.seats)
            game = game_of(match, guest.seats)
            guest.session.send(frame(GameOver(winner_of(state), game, winner_id, line)))

    def _tell_deadlines(self, before: Match, after: Match) -> None:
        now = self._play.clock()
        deadlines = deadlines_of(after, now)
        if deadlines == deadlines_of(before, now):
            return
        told = frame(deadlines)
        for guest in self._audience:
            if guest.attentive:
                guest.session.send(told)

    def _tell(self, message: Any) -> None:
        told = frame(message)
        for guest in self._audience:
            guest.session.send(told)

    async def _go_on(self, old: Match) -> None:
        """The next game in this room: everyone keeps the seat they had."""
        assert old.rematch_id is not None
        await self._turn_to(old.rematch_id)
        assert self._match is not None
        self._tell_state()
        state: State = self._match.state
        for seat in SEATS:
            if state.away_until[seat] is not None:
                self._tell_left(seat, "disconnect")
        self._tell_deadlines(old, self._match)
        for guest in tuple(self._guests):
            await self._keep(guest)

    def _close(self) -> None:
        """The room is no more."""
        match, self._match = self._match, None
        if match is not None:
            self._play.unwatch(match.id, self)
        gone = frame(error("ROOM_NOT_FOUND"))
        for guest in self._audience:
            guest.seats = ()
            guest.session.send(gone)


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
