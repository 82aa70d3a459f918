"""One client of the live socket: at a game or looking on, it hears of everything as it happens."""

from __future__ import annotations

from functools import partial

from parlour.games.connect4.commands import Commands, is_shown, playing_seat
from parlour.games.connect4.events import SAID, LiveError, Ping, event
from parlour.games.connect4.problems import REFUSED, problem, problem_of
from parlour.games.connect4.rules import Drop
from parlour.games.connect4.voice import GameSight, GameVoice
from parlour.host.attendance import Attendance
from parlour.host.matches import seats_of
from parlour.host.sight import Facts, Seats
from parlour.net.errors import Problem
from parlour.net.failures import Gone
from parlour.net.session import LATER, Rest, Session, framed

NO_SUCH_GAME = 4404


class Visitor:
    """One socket at a game; all of a player's sit there together."""

    __slots__ = ("_at", "_commands", "_match_id", "_session", "_user_id", "_voice")

    def __init__(
        self, commands: Commands, session: Session, user_id: str, voice: GameVoice
    ) -> None:
        self._commands = commands
        self._session = session
        self._user_id = user_id
        self._voice = voice
        self._match_id = ""
        self._at = Attendance(
            commands.host, session, voice, self, shared=True, follows=lambda _: False
        )

    async def enter(self, match: Facts) -> None:
        """Take a place, and hear first how the game stands."""
        self._voice.names.update(await self._commands.names(match))
        sight: GameSight | None = await self._at.sit(match.id, self._seats, kept=False)
        if sight is None or not is_shown(sight.match):
            raise Gone
        self._match_id = sight.match.id  # the very text by which it is looked up at every move
        following = sight.match.rematch_id and await self._commands.host.matches.following(match.id)
        public_id = following.public_id if following else None
        self._session.send_framed(framed(*self._voice.arrived(sight, public_id)))

    async def ended(self) -> None:
        """The socket was closed."""
        await self._at.end()

    def _seats(self, match: Facts) -> Seats:
        """Players are seen to be there, also after the end: they may want to play again."""
        return seats_of(self._user_id)(match)

    def received(self, message: str | bytes) -> Rest:
        """Whatever is wrong with what it says is told to it alone."""
        try:
            said = SAID.decode(message if type(message) is str else b"")
        except REFUSED as refusal:
            self._refuse(refusal)
            return None
        if type(said) is Ping:
            self._session.send(event("pong", {}, self._commands.now()))
            return None
        column = said.payload.column
        if self._at.act_at_once(self._match_id, Drop(column), partial(self._told, column)):
            return LATER
        return self._drop(column)

    def _told(self, column: int, outcome: int | Exception | None) -> None:
        """What became of a disc that nobody waited for."""
        if outcome is None:
            self._session.handled(self._drop(column))
        elif isinstance(outcome, Exception):
            self._session.handled(self._fail(outcome))
        else:
            self._session.handled()

    def _refuse(self, refusal: Exception) -> None:
        self._session.refuse(self._error(problem_of(refusal)))

    async def _fail(self, error: Exception) -> None:
        try:
            raise error
        except REFUSED as refusal:
            self._refuse(refusal)

    async def _drop(self, column: int) -> None:
        try:
            await self._play(column)
        except REFUSED as refusal:
            self._refuse(refusal)

    async def _play(self, column: int) -> None:
        """What this process remembers may be old, and is no reason to refuse."""
        audience, seats = self._at.at(self._match_id), self._at.seats_at(self._match_id)
        if audience is not None and seats and audience.match.status == "active":
            # Whoever looks on sees all that matters here, and has just been shown it.
            await self._commands.drop(audience.sight(()), seats[0], column)
        else:
            sight = await self._commands.find(self._match_id, self._user_id)
            await self._commands.drop(sight, playing_seat(sight), column)

    def _error(self, refusal: Problem) -> bytes:
        return event("error", LiveError(refusal.code, refusal.message), self._commands.now())

    # --- what happens to it (see `Client`) --------------------------------------------------

    def goes_on(self, sight: GameSight) -> None:
        """Nobody is taken along to the next game."""

    def taken_over(self, match_id: str) -> None:
        """Seats are shared."""

    def dismissed(self, match_id: str) -> None:
        """The game is no more."""
        del match_id
        gone = problem("GAME_NOT_FOUND")
        self._session.send(self._error(gone))
        self._session.close(NO_SUCH_GAME, gone.message)
