"""What is said and heard on Connect 4's live socket; row 0 is the bottom."""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec import UNSET, Struct, UnsetType

from parlour.games.connect4.answers import EndReason, Game, Number
from parlour.games.connect4.notation import Disc

# --- what players say -------------------------------------------------------------------------


class Column(Struct, frozen=True, gc=False):
    """Where the disc shall fall."""

    column: int


class SaidMove(Struct, frozen=True, gc=False, tag="move"):
    """A player's disc."""

    payload: Column


class Ping(Struct, frozen=True, gc=False, tag="ping"):
    """Is anybody there?"""


SAID = msgspec.json.Decoder(SaidMove | Ping)

# --- what they hear ---------------------------------------------------------------------------

EventType = Literal[
    "game",
    "game_started",
    "move_made",
    "turn_changed",
    "game_ended",
    "rematch_requested",
    "rematch_withdrawn",
    "rematch_accepted",
    "opponent_away",
    "opponent_back",
    "error",
    "pong",
]


class Event(Struct, frozen=True, gc=False):
    """The envelope of all that a live socket sends."""

    type: str
    payload: object
    timestamp: str


Cells = tuple[tuple[Disc, ...], ...]


class LiveBoard(Struct, frozen=True, gc=False):
    """The board from the bottom row up, and how many discs each column holds."""

    cells: Cells
    height: tuple[int, ...]


class MoveMade(Struct, frozen=True, kw_only=True, gc=False, rename="camel"):
    """A disc fell; row 0 is the bottom."""

    game_id: str
    player: Number
    column: int
    row: int
    board: LiveBoard
    next_turn: Number | None
    move_count: int


class TurnChanged(Struct, frozen=True, kw_only=True, gc=False, rename="camel"):
    """Who is to move, and where that is possible."""

    current_turn: Number
    legal_columns: tuple[int, ...]
    move_ends_at: str | UnsetType = UNSET
    """When the time for that move is up, where there is one."""


class GameEnded(Struct, frozen=True, kw_only=True, gc=False):
    """How it ended; a draw has no winner."""

    winner: Number | None
    reason: EndReason | None
    game: Game


class RematchOffer(Struct, frozen=True):
    """That player would like another game."""

    player: Number


class Withdrawn(Struct, frozen=True):
    """Nobody wants another game any more."""


class NextGame(Struct, frozen=True, rename="camel"):
    """Both wanted another game, and it has begun."""

    new_game_id: str
    new_public_id: str


class Coming(Struct, frozen=True):
    """That player's connection went, or came back."""

    player: Number


class LiveError(Struct, frozen=True):
    """What was sent is refused, and why."""

    code: str
    message: str


Payload = (
    MoveMade | TurnChanged | GameEnded | RematchOffer | Withdrawn | NextGame | Coming | LiveError
)
"""All that an event may be about."""

_ENCODER = msgspec.json.Encoder()


def event(kind: EventType, payload: object, timestamp: str) -> bytes:
    """A message as it goes out."""
    return _ENCODER.encode(Event(kind, payload, timestamp))
