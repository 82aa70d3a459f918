"""What is said in a Quarto room, in both directions, with the names clients know.

A seat's `playerId` is its secret: whoever has it can take the seat. Everyone else sees a public id
in its place, from which the secret cannot be found.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec
from msgspec import UNSET, Struct, UnsetType

from parlour.games.api import Millis, Seat
from parlour.games.quarto.board import Line
from parlour.games.quarto.rules import Entry, State, View, available, winning_line
from parlour.host.sight import SeatFacts, Sight

# --- what clients say -------------------------------------------------------------------------


class CreateRoom(Struct, frozen=True, tag="CREATE_ROOM", rename="camel"):
    """The host opens the room, for a friend, for two at one device, or for a bot."""

    player_name: str
    opponent: str | None = None
    """None: a friend; "local": whoever sits beside one; else the name of a bot."""


class JoinRoom(Struct, frozen=True, tag="JOIN_ROOM", rename="camel"):
    """The guest sits down."""

    player_name: str


class SelectPiece(Struct, frozen=True, tag="SELECT_PIECE", rename="camel"):
    """Hand over a piece."""

    piece_id: int


class PlacePiece(Struct, frozen=True, tag="PLACE_PIECE", rename="camel"):
    """Put down the piece that was handed over."""

    position: int


class CallQuarto(Struct, frozen=True, tag="CALL_QUARTO"):
    """Claim the win."""


class LeaveRoom(Struct, frozen=True, tag="LEAVE_ROOM"):
    """Give up."""


class Reconnect(Struct, frozen=True, tag="RECONNECT", rename="camel"):
    """Take one's seat again."""

    player_id: str


class Rematch(Struct, frozen=True, tag="REMATCH"):
    """Another game in the same room."""


class WithdrawRematch(Struct, frozen=True, tag="WITHDRAW_REMATCH"):
    """No other game after all."""


class Watch(Struct, frozen=True, tag="WATCH"):
    """Show me the game as it stands, and from now on what time is running out."""


class Ping(Struct, frozen=True, tag="ping"):
    """Are you there?"""


class Auth(Struct, frozen=True, tag="auth"):
    """Who the player is; without it the game counts for nobody."""

    token: str


Said = (
    CreateRoom
    | JoinRoom
    | SelectPiece
    | PlacePiece
    | CallQuarto
    | LeaveRoom
    | Reconnect
    | Rematch
    | WithdrawRematch
    | Watch
    | Ping
    | Auth
)

SAID = msgspec.json.Decoder(Said)


# --- the game ---------------------------------------------------------------------------------


class Player(Struct, frozen=True):
    """Who sits at one side."""

    id: str
    type: Literal["human-remote", "human-local", "ai"]
    name: str


class Board(Struct, frozen=True):
    """Sixteen positions, row by row: a piece, or none."""

    positions: tuple[int | None, ...]


class HistoryEntry(Struct, frozen=True, rename="camel", omit_defaults=True):
    """One thing that was done."""

    type: Literal["select", "place", "quarto"]
    player: Seat
    timestamp: Millis
    piece_id: int | UnsetType = UNSET
    position: int | UnsetType = UNSET


Winner = Seat | Literal["draw"] | None


class Game(Struct, frozen=True, kw_only=True, rename="camel"):
    """All there is to see."""

    id: str
    mode: str
    status: Literal["waiting", "playing", "finished"]
    players: tuple[Player, ...]
    board: Board
    available_pieces: tuple[int, ...]
    current_turn: Seat
    phase: Literal["selecting", "placing"]
    selected_piece: int | None
    winner: Winner
    winning_line: Line | None
    history: tuple[HistoryEntry, ...]
    created_at: Millis
    updated_at: Millis


def game_of(sight: Sight[View]) -> Game:
    """The game as a viewer sees it."""
    match = sight.match
    state = sight.view.state if sight.begun else WAITING
    return Game(
        id=match.id,
        mode=match.mode,
        status=status_of(sight),
        players=tuple(_player(sight, seat) for seat in match.seats),
        board=Board(state.board),
        available_pieces=available(state),
        current_turn=state.turn,
        phase=state.phase,
        selected_piece=state.selected,
        winner=winner_of(state),
        winning_line=winning_line(state),
        history=tuple(_entry(entry) for entry in state.history),
        created_at=match.created_at,
        updated_at=match.updated_at,
    )


WAITING = State(turn=0, reconnect_ms=0, final_call_ms=0)
"""What is shown of a game before it begins."""


def status_of(sight: Sight[View]) -> Literal["waiting", "playing", "finished"]:
    """The document's word for where a game stands."""
    if not sight.begun:
        return "waiting"
    return "finished" if sight.view.state.outcome else "playing"


def deadlines_of(sight: Sight[View], now: Millis) -> Deadlines:
    """What is waited for; before the beginning and after the end, nothing."""
    if status_of(sight) != "playing":
        return Deadlines(now, None, (None, None))
    state = sight.view.state
    return Deadlines(now, state.final_call_until, state.away_until)


def winner_of(state: State) -> Winner:
    """Who won, "draw", or None while the game goes on."""
    if state.outcome is None:
        return None
    return "draw" if state.outcome.winner is None else state.outcome.winner


def _player(sight: Sight[View], seat: SeatFacts) -> Player:
    kind: Literal["human-remote", "human-local", "ai"] = "human-local"
    if seat.bot is not None:
        kind = "ai"
    elif sight.match.mode == "online":
        kind = "human-remote"
    return Player(sight.key_of(seat.seat) or "", kind, seat.name)


def _entry(entry: Entry) -> HistoryEntry:
    return HistoryEntry(
        type=entry.type,
        player=entry.seat,
        timestamp=entry.at,
        piece_id=UNSET if entry.piece is None else entry.piece,
        position=UNSET if entry.position is None else entry.position,
    )


# --- what the room says -----------------------------------------------------------------------


class RoomCreated(Struct, frozen=True, tag="ROOM_CREATED", rename="camel"):
    """To the host, when the room is made and when the host returns."""

    room_id: str
    player_id: str


class RoomJoined(Struct, frozen=True, tag="ROOM_JOINED", rename="camel"):
    """To the guest, on sitting down and on returning."""

    player_id: str
    game: Game


class PlayerJoined(Struct, frozen=True, tag="PLAYER_JOINED", rename="camel"):
    """To the host: somebody came."""

    player_name: str
    game: Game


class StateUpdate(Struct, frozen=True, tag="STATE_UPDATE"):
    """To everyone, after everything."""

    game: Game


class PlayerLeft(Struct, frozen=True, tag="PLAYER_LEFT"):
    """To the others: somebody is gone, for a while or for good."""

    reason: Literal["disconnect", "forfeit", "timeout"]


class GameOver(Struct, frozen=True, tag="GAME_OVER", rename="camel"):
    """To everyone, after the last state."""

    winner: Winner
    game: Game
    winner_id: str | None
    winning_positions: Line | None


class RematchRequested(Struct, frozen=True, tag="REMATCH_REQUESTED"):
    """To everyone: that player would like another game."""

    player: Seat


class RematchWithdrawn(Struct, frozen=True, tag="REMATCH_WITHDRAWN"):
    """To everyone: nobody wants another game any more."""


class Presence(Struct, frozen=True, tag="PRESENCE"):
    """To those who sent `WATCH`, once a game is over: who is still in the room."""

    here: tuple[bool, bool]


class Deadlines(Struct, frozen=True, tag="DEADLINES", rename="camel"):
    """To those who sent `WATCH`: what is waited for, and until when."""

    now: Millis
    """The server's time."""
    final_call: Millis | None
    """When a line on the full board can no longer be called."""
    away: tuple[Millis | None, Millis | None]
    """When each player who is away loses; None for one who is here."""


class Pong(Struct, frozen=True, tag="pong"):
    """I am."""


class Error(Struct, frozen=True, tag="ERROR"):
    """To the sender alone."""

    code: str
    message: str


Heard = (
    RoomCreated
    | RoomJoined
    | PlayerJoined
    | StateUpdate
    | PlayerLeft
    | GameOver
    | RematchRequested
    | RematchWithdrawn
    | Presence
    | Deadlines
    | Pong
    | Error
)


WORDS = {
    "INVALID_MESSAGE": "That message makes no sense here.",
    "UNAUTHORIZED": "That token is not valid.",
    "ROOM_NOT_FOUND": "There is no such room, or it has expired.",
    "ROOM_FULL": "This room is taken.",
    "NOT_YOUR_TURN": "It is not your turn.",
    "WRONG_PHASE": "That is not what is to be done now.",
    "INVALID_PIECE": "That piece is not to be had.",
    "INVALID_POSITION": "That place is taken, or not on the board.",
    "NO_QUARTO": "There is no line of four that share a trait.",
    "GAME_ENDED": "The game is over.",
    "RATE_LIMITED": "Too much at once. Please wait a moment.",
    "UNAVAILABLE": "We cannot do this right now. Please try again.",
}
"""Every code a client may get, and what it says to people."""


def error(code: str, detail: str = "") -> Error:
    """A refusal in words."""
    return Error(code, detail or WORDS[code])


ENCODER = msgspec.json.Encoder()


def frame(message: Any) -> bytes:
    """A message as it goes out."""
    return ENCODER.encode(message)


def limited(words: str) -> bytes:
    """That it was too much at once, as it goes out."""
    return frame(error("RATE_LIMITED", words))
