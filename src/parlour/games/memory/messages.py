"""What goes over Memory's socket, in the names the wire uses, one union per direction.

What a client says is taken strictly: a boolean, a string or 3.0 is no integer. Fields nobody knows
are passed over, so that a newer client can talk to an older server.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec
from msgspec import UNSET, Struct, UnsetType

from parlour.games.api import Millis, Refused
from parlour.games.memory.board import CardState, Phase

Result = Literal["win", "lose", "draw"]

# --- what a client says -----------------------------------------------------------------------


class Auth(Struct, frozen=True, tag="auth"):
    """The first message: who this is."""

    token: str


class SetName(Struct, frozen=True, tag="set_name"):
    """Play under this name: wait for an opponent."""

    name: str


class PlayAgain(Struct, frozen=True, tag="play_again"):
    """Wait for an opponent again, under the same name."""


class LeaveQueue(Struct, frozen=True, tag="leave_queue"):
    """Stop waiting."""


class FlipCard(Struct, frozen=True, gc=False, tag="flip_card"):
    """Turn a card over."""

    index: int


class UsePowerUp(Struct, frozen=True, gc=False, tag="use_power_up", rename="camel"):
    """Use a power-up, on a card if it needs one."""

    power_up_id: str
    card_index: int | None = None


class LeaveGame(Struct, frozen=True, tag="leave_game"):
    """Give the game up: the opponent wins."""


class Rejoin(Struct, frozen=True, tag="rejoin", rename="camel"):
    """Come back to a game with the token that came with it; the name stays as it was."""

    game_id: str
    rejoin_token: str
    name: str = ""


class RejoinMyGame(Struct, frozen=True, tag="rejoin_my_game"):
    """Come back to whatever game one is in, from any device."""


class Ping(Struct, frozen=True, tag="ping"):
    """Is anybody there, and what time is it?"""


ClientMessage = (
    Auth
    | SetName
    | PlayAgain
    | LeaveQueue
    | FlipCard
    | UsePowerUp
    | LeaveGame
    | Rejoin
    | RejoinMyGame
    | Ping
)

# --- what the server says ---------------------------------------------------------------------


class Error(Struct, frozen=True, tag="error"):
    """What was asked for cannot be, and why: in words, and by a code that stays the same. Nothing
    has changed.
    """

    message: str
    code: str


class WaitingForMatch(
    Struct, frozen=True, tag="waiting_for_match", rename="camel", omit_defaults=True
):
    """In the queue. A bot steps in at `bot_at_unix_ms` if nobody has come by then."""

    bot_at_unix_ms: Millis | UnsetType = UNSET


class MatchFound(Struct, frozen=True, kw_only=True, tag="match_found", rename="camel"):
    """At a table, newly or again; the first `game_state` follows."""

    opponent_name: str
    opponent_user_id: str | None
    board_rows: int
    board_cols: int
    your_turn: bool
    game_id: str
    rejoin_token: str


class Card(Struct, frozen=True, kw_only=True, gc=False, rename="camel", omit_defaults=True):
    """A card. What a hidden one shows is not there to be sent."""

    index: int
    pair_id: int | UnsetType = UNSET
    state: CardState
    matched_by: Literal["you", "opponent"] | UnsetType = UNSET


class Player(Struct, frozen=True, gc=False):
    """A player's name and points."""

    name: str
    score: int


class Holding(Struct, frozen=True, gc=False, rename="camel"):
    """Copies of a power-up in one's own hand."""

    power_up_id: str
    count: int
    usable_count: int
    """How many of them may be used when power-ups may: here all, as none has to rest first."""


class GameState(
    Struct,
    frozen=True,
    kw_only=True,
    gc=False,
    tag="game_state",
    rename="camel",
    omit_defaults=True,
):
    """The table after every change, as the one who gets this sees it.

    `highlight_indices` are there while one's Unveiling lasts, `turn_countdown_show_sec` if turns
    are limited, `turn_ends_at_unix_ms` while the turn's clock runs.
    """

    cards: tuple[Card, ...]
    you: Player
    opponent: Player
    your_turn: bool
    hand: tuple[Holding, ...]
    flipped_indices: tuple[int, ...]
    phase: Phase
    highlight_indices: tuple[int, ...] | UnsetType = UNSET
    turn_ends_at_unix_ms: Millis | UnsetType = UNSET
    turn_countdown_show_sec: int | float | UnsetType = UNSET


class PowerUpUsed(Struct, frozen=True, tag="powerup_used", rename="camel"):
    """Somebody, perhaps oneself, used a power-up; what it did is in the `game_state` after this."""

    player_name: str
    power_up_label: str


class TurnTimeout(Struct, frozen=True, tag="turn_timeout"):
    """The turn's time was up; whose turn it is now is in the `game_state` after this."""


class OpponentReconnecting(Struct, frozen=True, tag="opponent_reconnecting", rename="camel"):
    """The opponent's connection is gone, and the game won if it is not back by then."""

    reconnection_deadline_unix_ms: Millis


class OpponentReconnected(Struct, frozen=True, tag="opponent_reconnected"):
    """The opponent is back."""


class OpponentDisconnected(Struct, frozen=True, tag="opponent_disconnected"):
    """The opponent left or stayed away: the game is won. Nothing more follows about it."""


class GameOver(Struct, frozen=True, kw_only=True, tag="game_over"):
    """All pairs are found."""

    result: Result
    you: Player
    opponent: Player


class Pong(Struct, frozen=True, tag="pong", rename="camel"):
    """The answer to a ping."""

    server_time_unix_ms: Millis


ServerMessage = (
    Error
    | WaitingForMatch
    | MatchFound
    | GameState
    | PowerUpUsed
    | TurnTimeout
    | OpponentReconnecting
    | OpponentReconnected
    | OpponentDisconnected
    | GameOver
    | Pong
)

# --- to and from bytes ------------------------------------------------------------------------

_DECODER = msgspec.json.Decoder(ClientMessage)
_ENCODER = msgspec.json.Encoder()

LONGEST_COMPLAINT = 120


class NotUnderstood(Refused):
    """What a client said is no message; the text says what is wrong with it."""

    def __init__(self, words: str) -> None:
        super().__init__("INVALID_MESSAGE", words)


def understood(said: str | bytes) -> ClientMessage:
    """A client's message, or `NotUnderstood`."""
    if isinstance(said, bytes):
        raise NotUnderstood("Messages are JSON text, not binary data.")
    try:
        message: ClientMessage = _DECODER.decode(said)
    except msgspec.ValidationError as error:
        raise NotUnderstood(f"Not understood: {_short(str(error))}.") from None
    except (msgspec.DecodeError, RecursionError):
        raise NotUnderstood("Not understood: messages are JSON objects with a type.") from None
    return message


def _short(complaint: str) -> str:
    """A complaint may quote what was said; nobody needs all of a long one."""
    if len(complaint) <= LONGEST_COMPLAINT:
        return complaint
    return complaint[:LONGEST_COMPLAINT] + "…"


def frame(message: ServerMessage) -> bytes:
    """A message as it goes out."""
    return _ENCODER.encode(message)


def spell(part: Any) -> bytes:
    """A part of a message, to be put into many of them."""
    return _ENCODER.encode(part)


def limited(words: str) -> bytes:
    """That it was too much at once, as it goes out."""
    return frame(Error(words, "RATE_LIMITED"))
