"""The live socket: whoever sits at a game or watches it hears of everything as it happens.

All sockets of one game in this process share a `Table`. It builds each event once, and it holds a
player's seat for as long as any socket of that player is open.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Literal

import msgspec
from litestar.handlers import ASGIRouteHandler
from msgspec import Struct
from websockets.frames import CloseCode

from parlour.games.api import SEATS, Refused, Seat
from parlour.games.connect4.answers import NUMBERS, Game, end_reason, game_of, seated
from parlour.games.connect4.events import (
    Coming,
    Event,
    GameEnded,
    LiveError,
    NextGame,
    RematchOffer,
    move_made,
    turn_changed,
)
from parlour.games.connect4.hall import Hall, is_shown
from parlour.games.connect4.players import people_of
from parlour.games.connect4.problems import problem, problem_of
from parlour.games.connect4.rules import State
from parlour.net.errors import Problem
from parlour.net.services import Services
from parlour.net.sockets import Session, framed, socket
from parlour.net.times import iso
from parlour.play.live import Live
from parlour.play.match import Match, Update
from parlour.play.play import Gone
from parlour.store.change import Conflict, Unavailable

PATH = "/ws/connect4/{public_id:str}"
NO_SUCH_GAME = 4404


# --- what players say -------------------------------------------------------------------------


class Column(Struct, frozen=True, gc=False):
    """Where the disc shall fall."""

    column: int


class SaidMove(Struct, frozen=True, gc=False, tag="move"):
    """A player's disc."""

    payload: Column


class Ping(Struct, frozen=True, gc=False, tag="ping"):
    """Is anybody there?"""


DECODER = msgspec.json.Decoder(SaidMove | Ping)
ENCODER = msgspec.json.Encoder()

EventType = Literal[
    "game",
    "game_started",
    "move_made",
    "turn_changed",
    "game_ended",
    "rematch_requested",
    "rematch_accepted",
    "opponent_away",
    "opponent_back",
    "error",
    "pong",
]


def event(kind: EventType, payload: object, timestamp: str) -> bytes:
    """A message as it goes out."""
    return ENCODER.encode(Event(kind, payload, timestamp))


# --- sockets ----------------------------------------------------------------------------------


def live_socket(services: Services, hall: Hall) -> ASGIRouteHandler:
    """The route."""
    tables: dict[str, Table] = {}

    async def handle(session: Session) -> None:
        try:
            user = await session.authenticate()
            match = (await hall.find_public(session.path["public_id"])).match
            table = tables.get(match.id) or tables.setdefault(
                match.id, Table(services, hall, match.id)
            )
            guest = Guest(session, user.id)
            try:
                await table.enter(guest)
                async for message in session:
                    await table.hear(guest, message)
            finally:
                await table.leave(guest)
                if table.deserted and tables.get(match.id) is table:
                    del tables[match.id]
        except (Problem, Gone) as refusal:
            session.close(NO_SUCH_GAME, problem_of(refusal).message)
        except Unavailable as refusal:
            session.close(CloseCode.TRY_AGAIN_LATER, problem_of(refusal).message)

    def limited(words: str) -> bytes:
        told = LiveError("RATE_LIMITED", words)
        return event("error", told, iso(services.kernel.play.clock()))

    return socket(PATH, handle, services, limited)


class Guest:
    """One socket at a table."""

    __slots__ = ("seat", "session", "user_id")

    def __init__(self, session: Session, user_id: str) -> None:
        self.session = session
        self.user_id = user_id
        self.seat: Seat | None = None
        """Where its user sits; None: a spectator."""


class Table:
    """The sockets of one game in this process."""

    def __init__(self, services: Services, hall: Hall, match_id: str) -> None:
        self._store = services.store
        self._play = services.kernel.play
        self._presence = services.kernel.presence
        self._hall = hall
        self._match_id = match_id
        self._live: Live | None = None
        self._turn = asyncio.Lock()
        """One comes, goes or takes a seat at a time."""
        self._expected = 0
        self._guests: list[Guest] = []
        self._names: dict[str, str] = {}
        self._held: dict[Seat, str] = {}
        """Seats that this table holds for its players, and by which connection."""
        self._here = [False, False]
        """Who is known to be here, by a connection to any process."""
        self._next_game: Match | None = None
        """The rematch, once there is one."""

    # --- coming and going -------------------------------------------------------------------

    @property
    def deserted(self) -> bool:
        """Nobody is here, and nobody is coming."""
        return not self._expected

    @property
    def _match(self) -> Match:
        assert self._live is not None, "nobody has entered yet"
        return self._live.match

    async def enter(self, guest: Guest) -> None:
        """Take a place, and hear first how the game stands."""
        self._expected += 1
        async with self._turn:
            if self._live is None:
                await self._play.watch(self._match_id, self)
                self._live = await self._play.live(self._match_id)
                if self._live is not None:
                    self._here = list(self._play.here(self._live))
            if self._live is None or not is_shown(self._match):
                raise Gone
            people = await people_of(self._store, [self._match])
            self._names.update((person.id, person.username) for person in people.values())
            guest.seat = self._match.seat_of(guest.user_id)
            await self._hold(guest.seat, guest.session.id)
            if self._match.rematch_id is not None and self._next_game is None:
                self._next_game = await self._play.find(self._match.rematch_id)
        # From here on without waiting, so that nothing is missed and nothing told twice.
        self._guests.append(guest)
        guest.session.send(event("game", self._shown(), self._now()))
        if self._match.status == "active":
            self._tell_absence((guest,))

    async def leave(self, guest: Guest) -> None:
        """Give up the place; the last socket of a player gives up the seat."""
        if guest in self._guests:
            self._guests.remove(guest)
        try:
            async with self._turn:
                seat = guest.seat
                if seat is not None and seat in self._held and not self._sits(seat):
                    await self._presence.depart(self._match_id, seat, self._held.pop(seat))
        finally:
            self._expected -= 1
            if self.deserted:
                self._play.unwatch(self._match_id, self)

    def _sits(self, seat: Seat) -> bool:
        """Whether a socket of the player of that seat is open here."""
        return any(guest.seat == seat for guest in self._guests)

    async def _hold(self, seat: Seat | None, connection: str) -> None:
        """Players are seen to be there while a socket of theirs is open and play can go on."""
        if seat is None or seat in self._held or self._match.over:
            return
        self._held[seat] = connection
        try:
            await self._presence.arrive(
                self._match_id, seat, connection, lambda: self._give_way(seat, connection)
            )
        except BaseException:
            self._give_way(seat, connection)
            raise

    def _give_way(self, seat: Seat, connection: str) -> None:
        """Another process holds the seat now, for another socket of the same player."""
        if self._held.get(seat) == connection:
            del self._held[seat]

    async def _hold_again(self, seat: Seat) -> None:
        async with self._turn:
            ids = [guest.session.id for guest in self._guests if guest.seat == seat]
            if ids:
                await self._hold(seat, ids[0])

    # --- what players say -------------------------------------------------------------------

    async def hear(self, guest: Guest, message: str | bytes) -> None:
        """A message of one of the sockets; whatever is wrong with it is told to that one alone."""
        try:
            if type(message) is not str:
                raise problem("INVALID_BODY")
            said = DECODER.decode(message)
            if type(said) is Ping:
                guest.session.send(event("pong", {}, self._now()))
                return
            match = self._match
            if guest.seat is None or match.status != "active":
                # What this process remembers may be old, and is no reason to refuse.
                match = (await self._hall.find(self._match_id)).match
            await self._hall.drop(match, guest.user_id, said.payload.column)
        except (msgspec.DecodeError, RecursionError):
            guest.session.refuse(self._error(problem("INVALID_BODY")))
        except (Problem, Refused, Gone, Conflict, Unavailable) as error:
            guest.session.refuse(self._error(problem_of(error)))

    def _error(self, refusal: Problem) -> bytes:
        return event("error", LiveError(refusal.code, refusal.message), self._now())

    # --- what everyone hears ----------------------------------------------------------------

    def moved(self, update: Update) -> None:
        """A step became durable."""
        at = iso(update.entry.at)
        match update.entry.kind:
            case "act":
                self._tell(*self._act(update, at))
            case "start":
                self._tell(event("game_started", self._shown(), at))
                self._seat_guests()
                self._tell_absence(self._guests)
            case "rematch":
                offer = RematchOffer(NUMBERS[update.entry.seat or 0])
                self._tell(event("rematch_requested", offer, at))
            case "rematched":
                self._play.spawn(self._tell_next_game(update.after, at))
            case "cancel" | "lapse":
                self._close()

    def _act(self, update: Update, at: str) -> list[bytes]:
        """A disc and what follows from it, or a claim."""
        match = update.after
        before: State = update.before.state
        state: State = match.state
        told = []
        if len(state.moves) > len(before.moves):
            column = state.moves[-1][0]
            told.append(event("move_made", move_made(match, column, update.entry.seat or 0), at))
        if state.outcome is None:
            told.append(event("turn_changed", turn_changed(match), at))
        else:
            winner = None if match.winner is None else NUMBERS[match.winner]
            ended = GameEnded(winner=winner, reason=end_reason(match), game=self._shown())
            told.append(event("game_ended", ended, at))
        return told

    def _shown(self) -> Game:
        assert self._live is not None, "nobody has entered yet"
        match = self._live.match
        return game_of(
            match,
            seated(match, self._names),
            self._play.last_seen(self._live),
            self._next_game.public_id if self._next_game else None,
        )

    def _seat_guests(self) -> None:
        """Who watched the game when joining it is a player from now on."""
        for guest in self._guests:
            if guest.seat is None:
                guest.seat = self._match.seat_of(guest.user_id)
                if guest.seat is not None:
                    self._play.spawn(self._hold_again(guest.seat))

    async def _tell_next_game(self, match: Match, at: str) -> None:
        assert match.rematch_id is not None
        self._next_game = await self._play.find(match.rematch_id)
        if self._next_game is not None:
            following = NextGame(self._next_game.id, self._next_game.public_id)
            self._tell(event("rematch_accepted", following, at))

    def presence(self, match: Match, here: tuple[bool, bool]) -> None:
        """Somebody's connection came or went."""
        for seat in SEATS:
            if here[seat] == self._here[seat]:
                continue
            if not here[seat] and self._sits(seat):
                # The socket that held the seat elsewhere is gone, but one is still open here.
                self._play.spawn(self._hold_again(seat))
                continue
            self._here[seat] = here[seat]
            if match.status == "active":
                self._tell_presence(seat, here=here[seat], to=self._guests)

    def _tell_absence(self, to: Iterable[Guest]) -> None:
        """Who is not told of anybody's absence may take it that everybody is here."""
        for seat in SEATS:
            if not (self._here[seat] or self._sits(seat)):
                self._tell_presence(seat, here=False, to=to)

    def _tell_presence(self, seat: Seat, *, here: bool, to: Iterable[Guest]) -> None:
        kind: EventType = "opponent_back" if here else "opponent_away"
        told = event(kind, Coming(NUMBERS[seat]), self._now())
        for guest in to:
            if guest.seat != seat:
                guest.session.send(told)

    def _now(self) -> str:
        return iso(self._play.clock())

    def _tell(self, *messages: bytes) -> None:
        frames = framed(*messages)
        for guest in self._guests:
            guest.session.send_framed(frames)

    def _close(self) -> None:
        """The game is no more."""
        gone = problem("GAME_NOT_FOUND")
        for guest in self._guests:
            guest.session.send(self._error(gone))
            guest.session.close(NO_SUCH_GAME, gone.message)
