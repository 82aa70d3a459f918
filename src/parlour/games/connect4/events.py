"""What Connect 4 says over its live socket, made out of a match; row 0 is the bottom."""

from __future__ import annotations

from msgspec import Struct

from parlour.games.api import Seat
from parlour.games.connect4.answers import NUMBERS, EndReason, Game, Number
from parlour.games.connect4.notation import Disc, cells, open_columns
from parlour.games.connect4.rules import State, heights
from parlour.play.match import Match


class Event(Struct, frozen=True):
    """The envelope of all that a live socket sends."""

    type: str
    payload: object
    timestamp: str


class LiveBoard(Struct, frozen=True, gc=False):
    """The board from the bottom row up, and how many discs each column holds."""

    cells: tuple[tuple[Disc, ...], ...]
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


class GameEnded(Struct, frozen=True, kw_only=True):
    """How it ended; a draw has no winner."""

    winner: Number | None
    reason: EndReason | None
    game: Game


class RematchOffer(Struct, frozen=True):
    """That player would like another game."""

    player: Number


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


def move_made(match: Match, column: int, seat: Seat) -> MoveMade:
    """The match right after that seat's disc fell into that column."""
    state: State = match.state
    height = heights(state)
    return MoveMade(
        game_id=match.id,
        player=NUMBERS[seat],
        column=column,
        row=height[column] - 1,
        board=LiveBoard(cells(state), height),
        next_turn=NUMBERS[state.turn] if match.status == "active" else None,
        move_count=len(state.moves),
    )


def turn_changed(match: Match) -> TurnChanged:
    """Whose turn it is now."""
    return TurnChanged(
        current_turn=NUMBERS[match.state.turn], legal_columns=open_columns(match.state)
    )


Payload = MoveMade | TurnChanged | GameEnded | RematchOffer | NextGame | Coming | LiveError
"""All that an event may be about."""
