"""What Connect 4 answers over HTTP, and the one place that makes it out of what is seen of a match.

Inside, row 0 is the bottom; the game object counts from the top. It is turned over here.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Literal, cast

from msgspec import UNSET, Struct, UnsetType

from parlour.games.api import Millis
from parlour.games.connect4.board import ROWS
from parlour.games.connect4.notation import board_text, open_columns
from parlour.games.connect4.rules import Move, State, View, history, latest, winning_cells
from parlour.host.sight import Facts, SeatFacts, Sight
from parlour.timekeeping import iso

Number = Literal[1, 2]
"""A player as the wire counts them."""
Status = Literal["WAITING", "ACTIVE", "COMPLETED", "ABANDONED"]
Result = Literal["P1_WIN", "P2_WIN", "DRAW"]
LastDisc = Literal["CONNECT4", "BOARD_FULL"]
EndReason = Literal["CONNECT4", "BOARD_FULL", "ABANDONED", "RESIGNED", "TIMEOUT"]

NUMBERS: Final[tuple[Number, Number]] = (1, 2)
EMPTY: Final = State(0, 0, 0, (), 0)


# --- the game object --------------------------------------------------------------------------


class GamePlayer(Struct, frozen=True, gc=False, rename="camel"):
    """One of the two people at a game."""

    id: str
    username: str
    rating: int
    firebase_uid: str | UnsetType = UNSET
    """By what a client's sign-in knows its user; only in the object of the one who asks."""


class GameMove(Struct, frozen=True, gc=False, rename="camel"):
    """One disc; row 0 is the top."""

    move_number: int
    column: int
    row: int
    player: Number
    user_id: str
    ts: str


class Game(Struct, frozen=True, kw_only=True, gc=False, rename="camel"):
    """A game as every answer shows it."""

    id: str
    public_id: str
    code: str | None
    player1: GamePlayer
    player1_id: str
    player2: GamePlayer | None
    player2_id: str | None
    board: str
    """Six rows of seven, the top row first: 0 empty, 1 and 2 the players' discs."""
    current_turn: Number
    status: Status
    moves: tuple[GameMove, ...]
    result: Result | None
    ended_reason: EndReason | None
    winner_id: str | None
    p1_rating_before: int | None
    p2_rating_before: int | None
    p1_rating_delta: int | None
    p2_rating_delta: int | None
    rating_applied_at: str | None
    rematch_requested_by: Number | None
    rematch_game_id: str | None
    rematch_public_id: str | None
    player1_last_seen: str | None
    player2_last_seen: str | None
    created_at: str
    updated_at: str
    completed_at: str | None
    legal_columns: tuple[int, ...]
    """Where the one to move may drop a disc; none unless the game goes on."""
    winning_cells: tuple[tuple[int, int], ...]
    """(row, column) of every disc in a line of four, row 0 at the top; none until somebody won."""
    move_time_ms: int | UnsetType = UNSET
    """How long each may think about a move, where that was agreed on."""
    move_ends_at: str | UnsetType = UNSET
    """When that time is up for the move to be made."""


SHOWN = 1_000
"""Of so many matches the moves are kept as they were last shown."""
_SHOWN: dict[str, tuple[tuple[Any, Any], tuple[GameMove, ...]]] = {}
"""By match, the one that was shown last at the end: what it was made of, and what it looks like."""


def game_of(
    sight: Sight[View], people: Mapping[str, GamePlayer], rematch_public_id: str | None = None
) -> Game:
    """A match as the wire shows it; `people` as they are called now, else as they sat down."""
    match, seen = sight.match, sight.seen
    state = sight.view.state if sight.begun else EMPTY
    host, guest = match.seats[0], match.seats[1] if len(match.seats) > 1 else None
    started = match.status != "waiting"
    ended = _moment(match.ended_at)
    first_seen = _until(seen[0] or match.created_at, match.ended_at)
    second_seen = _until(seen[1], match.ended_at)
    updated_at = max(match.updated_at, first_seen or 0, second_seen or 0)
    return Game(
        id=match.id,
        public_id=match.public_id,
        code=match.code,
        player1=_player(host, people),
        player1_id=_user_id(host),
        player2=_player(guest, people) if guest else None,
        player2_id=_user_id(guest) if guest else None,
        board=board_text(state),
        current_turn=NUMBERS[state.turn],
        status=_status(match),
        moves=_moves(match, state),
        result=_result(match),
        ended_reason=end_reason(sight),
        winner_id=None if match.winner is None else match.seats[match.winner].user_id,
        p1_rating_before=host.rating_before if started else None,
        p2_rating_before=guest.rating_before if guest else None,
        p1_rating_delta=host.rating_delta,
        p2_rating_delta=guest.rating_delta if guest else None,
        rating_applied_at=ended if host.rating_delta is not None else None,
        rematch_requested_by=None if match.rematch_by is None else NUMBERS[match.rematch_by],
        rematch_game_id=match.rematch_id,
        rematch_public_id=rematch_public_id,
        player1_last_seen=_moment(first_seen),
        player2_last_seen=_moment(second_seen) if guest else None,
        created_at=iso(match.created_at),
        updated_at=iso(updated_at),
        completed_at=ended,
        legal_columns=open_columns(state) if match.status == "active" else (),
        winning_cells=_winning_cells(sight, state),
        move_time_ms=UNSET if state.time is UNSET else state.time.move_ms,
        move_ends_at=move_ends_at(state),
    )


def move_ends_at(state: State) -> str | UnsetType:
    """When the time for the move to be made is up."""
    if state.time is UNSET or state.outcome is not None:
        return UNSET
    return iso(state.time.ends_at)


def seated(match: Facts, names: Mapping[str, str]) -> dict[str, GamePlayer]:
    """The people of a match without asking the store: their ratings as this match left them."""
    return {
        seat.user_id: GamePlayer(
            seat.user_id,
            names.get(seat.user_id, seat.name),
            (seat.rating_before or 0) + (seat.rating_delta or 0),
        )
        for seat in match.seats
        if seat.user_id is not None
    }


def end_reason(sight: Sight[View]) -> EndReason | None:
    """Why a match ended, in the words of its rules."""
    outcome = sight.outcome
    return cast("EndReason", outcome.reason) if outcome else None


def _status(match: Facts) -> Status:
    if match.status == "waiting":
        return "WAITING"
    if match.status == "active":
        return "ACTIVE"
    return "ABANDONED" if match.reason == "ABANDONED" else "COMPLETED"


def _moves(match: Facts, state: State) -> tuple[GameMove, ...]:
    """All of them; mostly those that were shown of the match before, and one more."""
    users = tuple([_user_id(seat) for seat in match.seats])
    before = _SHOWN.pop(match.id, None)
    if before is not None and before[0] == (users, state.moves):
        shown = before[1]
    elif before is not None and state.moves and before[0] == (users, state.moves[:-1]):
        shown = (*before[1], _move(latest(state), users))
    else:
        shown = tuple([_move(move, users) for move in history(state)])
    _SHOWN[match.id] = ((users, state.moves), shown)
    if len(_SHOWN) > SHOWN:
        del _SHOWN[next(iter(_SHOWN))]
    return shown


def _move(move: Move, users: tuple[str, ...]) -> GameMove:
    return GameMove(
        move_number=move.number,
        column=move.column,
        row=ROWS - 1 - move.row,
        player=NUMBERS[move.seat],
        user_id=users[move.seat],
        ts=iso(move.at),
    )


def _winning_cells(sight: Sight[View], state: State) -> tuple[tuple[int, int], ...]:
    if end_reason(sight) != "CONNECT4":
        return ()
    return tuple((ROWS - 1 - row, column) for row, column in winning_cells(state))


def _player(seat: SeatFacts, people: Mapping[str, GamePlayer]) -> GamePlayer:
    user_id = _user_id(seat)
    return people.get(user_id) or GamePlayer(user_id, seat.name, seat.rating_before or 0)


def _user_id(seat: SeatFacts) -> str:
    """Who has no account is the computer, or whoever sat beside one at the same device."""
    if seat.user_id is not None:
        return seat.user_id
    return "local" if seat.bot is None else f"ai:{seat.bot}"


def _result(match: Facts) -> Result | None:
    if match.status != "finished":
        return None
    if match.winner is None:
        return "DRAW"
    return "P1_WIN" if match.winner == 0 else "P2_WIN"


def _moment(at: Millis | None) -> str | None:
    return None if at is None else iso(at)


def _until(at: Millis | None, end: Millis | None) -> Millis | None:
    """Once a game is over nobody is seen at it any more."""
    return at if at is None or end is None else min(at, end)


# --- answers ----------------------------------------------------------------------------------


class Created(Struct, frozen=True, kw_only=True, rename="camel"):
    """A private game waits for whoever has its code."""

    success: Literal[True] = True
    game_id: str
    public_id: str
    code: str
    game: Game


class Joined(Struct, frozen=True, kw_only=True, rename="camel"):
    """The second player has sat down."""

    success: Literal[True] = True
    game_id: str
    public_id: str
    game: Game


class Cancelled(Struct, frozen=True):
    """The game is no more."""

    success: Literal[True] = True


class MoveBody(Struct, frozen=True):
    """A disc for that column, counted from 0."""

    column: int


class MoveAnswer(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The move stands; `reason` is there if it ended the game."""

    status: Literal["move_applied", "game_ended"]
    reason: LastDisc | None = None
    game: Game
    move: GameMove


def move_answer(game: Game) -> MoveAnswer:
    """What is answered to the disc that fell last."""
    return MoveAnswer(
        status="game_ended" if game.ended_reason else "move_applied",
        reason=cast("LastDisc | None", game.ended_reason),
        game=game,
        move=game.moves[-1],
    )


class ClaimAnswer(Struct, frozen=True):
    """The game as it is now that the win was claimed."""

    game: Game


class ResignAnswer(Struct, frozen=True):
    """The game as it is now that it was given up."""

    game: Game


class RematchRequested(Struct, frozen=True, kw_only=True):
    """The other player has not agreed yet."""

    status: Literal["requested"] = "requested"


class RematchWithdrawn(Struct, frozen=True, kw_only=True):
    """One does not want another game any more."""

    status: Literal["withdrawn"] = "withdrawn"


class RematchAccepted(Struct, frozen=True, kw_only=True, rename="camel"):
    """Both want another game, and here it is."""

    status: Literal["accepted"] = "accepted"
    new_game_id: str
    new_public_id: str


class Queued(Struct, frozen=True, kw_only=True, rename="camel"):
    """Waiting for an opponent."""

    status: Literal["queued"] = "queued"
    queued_at: str


class Matched(Struct, frozen=True, kw_only=True, rename="camel"):
    """An opponent was found."""

    status: Literal["matched"] = "matched"
    game_id: str
    public_id: str


class NotQueued(Struct, frozen=True, kw_only=True):
    """Not waiting."""

    status: Literal["not_queued"] = "not_queued"


class Left(Struct, frozen=True, kw_only=True):
    """No longer waiting."""

    status: Literal["left"] = "left"


class ActiveGame(Struct, frozen=True, rename="camel"):
    """The one game that a user has open, if any."""

    active_game: Game | None


class GamePage(Struct, frozen=True):
    """Part of the games that a user has finished."""

    games: tuple[Game, ...]
    total: int
    limit: int
    offset: int
