"""Connect 4 as a library: six operations on any store, without a server.

    async with Engine.open("sqlite:///games.db") as engine:
        game = await engine.create_game("ada", "grace")
        await engine.make_move(game.id, "ada", 3)

Players are known by name. Player 1 is red and moves first; row 0 is the bottom. Every operation
either does all it says, durably, or raises a `GameError` and changes nothing.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import Any, ClassVar, Literal

from msgspec import Struct
from sqlalchemy import bindparam, select

from parlour.bus.api import Hear
from parlour.games.api import Dice, Env, Millis, Outcome, Refused, Seat
from parlour.games.connect4.board import COLUMNS, ROWS, bit, fours
from parlour.games.connect4.notation import Disc, cells
from parlour.games.connect4.rules import RULES, Drop, Move, Options, State, heights, history
from parlour.play.kernel import Kernel
from parlour.play.match import Gone, Match
from parlour.play.player import Player
from parlour.play.policy import Policy
from parlour.play.resident import Resident
from parlour.play.thinkers import Job
from parlour.store import schema
from parlour.store.api import Store, open_store

Color = Literal["red", "yellow"]
Status = Literal["waiting", "in_progress", "completed", "abandoned"]

COLORS: tuple[Color, Color] = ("red", "yellow")
MODE = "engine"
NEVER: Millis = 10**15
"""A player known by name alone is not seen between moves, and so is never gone."""
LONGEST_NAME = 100

_GAME_OF = select(schema.match.c.game).where(schema.match.c.id == bindparam("id"))
_ID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


# --- errors -----------------------------------------------------------------------------------


class GameError(Exception):
    """Why an operation was refused. `http_status` is what a web surface should answer."""

    code: ClassVar[str] = "GAME_ERROR"
    http_status: ClassVar[int] = 400

    def __init__(self, message: str, details: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.details = details

    @property
    def body(self) -> dict[str, str]:
        """The error as it goes over a wire."""
        told = {"code": self.code, "message": self.message}
        return told if self.details is None else told | {"details": self.details}


class InvalidMove(GameError):
    """The column does not exist or is full, or the game takes no moves from anyone yet."""

    code = "INVALID_MOVE"


class InvalidPlayers(GameError):
    """Two different names are needed."""

    code = "INVALID_PLAYERS"


class GameNotFound(GameError):
    """There is no game of that id."""

    code = "GAME_NOT_FOUND"
    http_status = 404


class NotPlayerTurn(GameError):
    """It is the other player's turn."""

    code = "NOT_PLAYER_TURN"
    http_status = 403


class GameEnded(GameError):
    """The game is over."""

    code = "GAME_ENDED"


class PlayerNotFound(GameError):
    """Nobody of that name plays this game."""

    code = "PLAYER_NOT_FOUND"
    http_status = 404


# --- what is answered -------------------------------------------------------------------------


class Board(Struct, frozen=True):
    """Six rows of seven, the bottom row first, and how many discs each column holds."""

    grid: tuple[tuple[Disc, ...], ...]
    height: tuple[int, ...]

    @property
    def is_full(self) -> bool:
        return all(height == ROWS for height in self.height)


class GameSession(Struct, frozen=True, kw_only=True):
    """A game as it stood when it was asked for."""

    id: str
    player1: str
    player2: str | None
    board: Board
    current_turn: Color
    status: Status
    winner: str | None
    moves: tuple[Move, ...]
    created_at: datetime
    updated_at: datetime

    def player_color(self, username: str) -> Color:
        """What a player plays; `PlayerNotFound` for anyone else."""
        if username == self.player1:
            return "red"
        if username == self.player2:
            return "yellow"
        raise PlayerNotFound("Nobody of that name plays this game.", username)


class GameEndResult(Struct, frozen=True):
    """Whether a game is over, and how it ended."""

    ended: bool
    winner: str | None = None
    is_draw: bool = False
    reason: str | None = None


class MoveResult(Struct, frozen=True):
    """A disc that was dropped, and the game after it."""

    player: str
    column: int
    row: int
    game: GameSession
    end: GameEndResult


# --- the engine -------------------------------------------------------------------------------


class Engine:
    """The operations, on a store that is open."""

    def __init__(self, store: Store, *, analytics: bool = False) -> None:
        options = Options(starter=0, abandon_ms=NEVER)
        self._store = store
        # Not started: it holds no lease and keeps no time.
        self._kernel = Kernel(
            store,
            _Silence(),
            {RULES.key: RULES},
            {RULES.key: Policy(options=options)},
            _nobody_thinks,
            analytics=analytics,
        )

    @classmethod
    @asynccontextmanager
    async def open(cls, url: str, *, analytics: bool = False) -> AsyncIterator[Engine]:
        """An engine on the database of that address, closed at the end of the block."""
        store = open_store(url, shared=True)
        await store.start()
        try:
            engine = cls(store, analytics=analytics)
            yield engine
            await engine.close()
        finally:
            await store.close()

    async def close(self) -> None:
        """Finish what is under way. The store stays open."""
        await self._kernel.drain()

    async def create_game(self, player1: str, player2: str) -> GameSession:
        """A game of two, begun."""
        for name in (player1, player2):
            if not name or len(name) > LONGEST_NAME or not name.isprintable():
                raise InvalidPlayers(f"A name has 1 to {LONGEST_NAME} printable characters.")
        if player1 == player2:
            raise InvalidPlayers("A game needs two different players.", player1)
        players = (Player(name=player1), Player(name=player2))
        return _session(await self._kernel.seating.start(RULES.key, players, mode=MODE))

    async def get_game(self, game_id: str) -> GameSession:
        """The game as it is now."""
        async with self._at(game_id) as resident:
            return _session(resident.match)

    async def make_move(self, game_id: str, player: str, column: int) -> MoveResult:
        """Drop a player's disc into a column."""
        async with self._at(game_id) as resident:
            seat = self._validated(resident, player, column)
            try:
                update = await self._kernel.steps.act(game_id, seat, Drop(column))
            except Refused as refused:
                raise _error(refused, player, column) from None
            except Gone:
                raise GameNotFound("There is no such game.", game_id) from None
        game = _session(update.after)
        landed = game.moves[-1]
        return MoveResult(player, column, landed.row, game, await self.check_game_end(game))

    async def validate_move(self, game_id: str, player: str, column: int) -> None:
        """Raises what `make_move` would raise, and otherwise does nothing."""
        async with self._at(game_id) as resident:
            self._validated(resident, player, column)

    async def check_game_end(self, game: GameSession) -> GameEndResult:
        """Whether the board of a session is won or full, or its game was abandoned."""
        if game.status == "abandoned":
            return GameEndResult(ended=True, winner=game.winner, reason="ABANDONED")
        for color, player in zip(COLORS, (game.player1, game.player2), strict=True):
            if fours(_discs(game.board, color)):
                return GameEndResult(ended=True, winner=player, reason="CONNECT4")
        if game.board.is_full:
            return GameEndResult(ended=True, is_draw=True, reason="BOARD_FULL")
        return GameEndResult(ended=False)

    async def is_player_turn(self, game: GameSession, player: str) -> bool:
        """Whether a player is to move; nobody is in a game that is not being played."""
        if game.status != "in_progress" or player not in (game.player1, game.player2):
            return False
        return game.player_color(player) == game.current_turn

    def _validated(self, resident: Resident, player: str, column: int) -> Seat:
        """Whose move it is, if the rules allow it: the game, the player, the turn, the column."""
        match = resident.match
        if match.status == "waiting":
            raise InvalidMove("The game has not begun.")
        if match.over:
            raise GameEnded("The game is over.")
        seat = next((seat.seat for seat in match.seats if seat.name == player), None)
        if seat is None:
            raise PlayerNotFound("Nobody of that name plays this game.", player)
        if type(column) is not int:
            raise InvalidMove("A column is a whole number.", repr(column))
        now, seen = self._kernel.runtime.clock(), self._kernel.presence.last_seen(resident)
        env = Env(now, Dice(match.seed, match.version + 1), seen)
        try:
            RULES.act(match.state, seat, Drop(column), env)
        except Refused as refused:
            raise _error(refused, player, column) from None
        return seat

    @asynccontextmanager
    async def _at(self, game_id: str) -> AsyncIterator[Resident]:
        """The game in memory, as the store has it."""
        resident = None
        if _ID.fullmatch(game_id):
            found = await self._store.row(_GAME_OF, id=game_id)
            if found is not None and found["game"] == RULES.key:
                resident = await self._kernel.finder.playable(game_id, fresh=True)
        if resident is None or resident.match.status == "cancelled":
            raise GameNotFound("There is no such game.", game_id)
        try:
            yield resident
        finally:
            # When a game of the web is given up is the server's business.
            self._kernel.timers.disarm(resident)


class _Silence:
    """A bus without listeners. Others may use the same store, so what is remembered may be old."""

    alone = False
    roomy = False

    async def start(self) -> None:
        pass

    async def close(self) -> None:
        pass

    def publish(self, topic: str, payload: bytes) -> None:
        pass

    def publish_elsewhere(self, topic: str, payload: bytes) -> None:
        pass

    def subscribe(self, topic: str, hear: Hear) -> Callable[[], None]:  # noqa: ARG002 (a Bus)
        return lambda: None


async def _nobody_thinks(job: Job) -> Any:
    raise AssertionError(f"no bot plays here: {job.bot}")


def _error(refused: Refused, player: str, column: int) -> GameError:
    match refused.code:
        case "GAME_NOT_ACTIVE":
            return GameEnded("The game is over.")
        case "NOT_YOUR_TURN":
            return NotPlayerTurn("It is the other player's turn.", player)
        case "INVALID_COLUMN":
            return InvalidMove("There is no such column.", str(column))
        case "COLUMN_FULL":
            return InvalidMove("This column is full.", str(column))
        case "USE_CLAIM_ABANDONED_ENDPOINT":
            return InvalidMove("The opponent has left.", refused.code)
    return GameNotFound("There is no such game.")


# --- a match as a session ---------------------------------------------------------------------


def _session(match: Match) -> GameSession:
    state: State = match.state or _EMPTY
    outcome: Outcome | None = state.outcome
    names = [seat.name for seat in match.seats]
    return GameSession(
        id=match.id,
        player1=names[0],
        player2=names[1] if len(names) > 1 else None,
        board=Board(cells(state), heights(state)),
        current_turn=COLORS[state.turn],
        status=_status(match),
        winner=names[outcome.winner] if outcome and outcome.winner is not None else None,
        moves=history(state),
        created_at=_moment(match.created_at),
        updated_at=_moment(match.updated_at),
    )


def _status(match: Match) -> Status:
    if match.status == "waiting":
        return "waiting"
    if match.status == "active":
        return "in_progress"
    return "abandoned" if match.reason == "ABANDONED" else "completed"


def _moment(at: Millis) -> datetime:
    return datetime.fromtimestamp(at / 1000, UTC)


def _discs(board: Board, color: Color) -> int:
    return sum(
        bit(row, column)
        for row in range(ROWS)
        for column in range(COLUMNS)
        if board.grid[row][column] == color
    )


_EMPTY = State(0, 0, 0, (), 0)
