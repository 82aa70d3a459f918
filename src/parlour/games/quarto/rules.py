"""Quarto.

* The player to move selects a piece; the opponent places it, then selects in turn.
* Four pieces in a row, column or diagonal that share a trait are a Quarto. It wins only when it is
  called, by the player whose turn it is, at any moment of that turn; left uncalled it may be called
  on any later turn by either. A false call costs nothing.
* A full board without a line is a draw. With one, the player who filled it has `final_call_ms` to
  call it; after that it is a draw.
* Leaving loses. So does being away for `reconnect_ms`: each seat has a window of its own, and the
  first to run out decides. Either counts like any other loss. Two that run out together are a draw.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal

from msgspec import Struct
from msgspec.structs import replace

from parlour.games import away
from parlour.games.api import (
    Claim,
    Env,
    Millis,
    Outcome,
    Rating,
    Refused,
    Rules,
    Seat,
    Seen,
    Step,
    other,
)
from parlour.games.giving_up import given_up
from parlour.games.quarto.board import EMPTY, PIECES, POSITIONS, Board, Line, first_line

# --- types ------------------------------------------------------------------------------------


class Options(Struct, frozen=True, kw_only=True):
    """What a match may be told at its start."""

    first: Seat | None = None
    """Who selects first; None: drawn by lot."""
    reconnect_ms: Millis = 120_000
    """How long a player may be away."""
    final_call_ms: Millis = 30_000
    """How long a line on a full board may be called."""


class Select(Struct, frozen=True, tag="select"):
    """Choose the piece that the opponent must place."""

    piece: int


class Place(Struct, frozen=True, tag="place"):
    """Put the selected piece on the board."""

    position: int


class Call(Struct, frozen=True, tag="call"):
    """Say "Quarto!"."""


class Leave(Struct, frozen=True, tag="leave"):
    """Give up the game."""


Action = Select | Place | Call | Leave


class Entry(Struct, frozen=True, array_like=True):
    """One line of a game's history."""

    type: Literal["select", "place", "quarto"]
    seat: Seat
    piece: int | None
    position: int | None
    at: Millis


class State(Struct, frozen=True, kw_only=True):
    """A position, how it came about, who is away and how it ended. Nothing in it is secret."""

    board: Board = EMPTY
    turn: Seat
    selected: int | None = None
    """The piece to be placed; None: one is to be selected."""
    line: Line | None = None
    """The first line on the board, called or not."""
    history: tuple[Entry, ...] = ()
    away_until: away.Until = away.NOBODY
    """When each seat that is away has been so for too long."""
    final_call_until: Millis | None = None
    reconnect_ms: Millis
    final_call_ms: Millis
    outcome: Outcome | None = None

    @property
    def phase(self) -> Literal["selecting", "placing"]:
        """What the player whose turn it is has to do."""
        return "selecting" if self.selected is None else "placing"


class View(Struct, frozen=True):
    """The whole state, and who looks at it."""

    seat: Seat | None
    state: State


SELECTS: Final = tuple(Select(piece) for piece in PIECES)
PLACES: Final = tuple(Place(position) for position in POSITIONS)
CALL: Final = Call()


class Quarto(Rules[State, Action, View]):
    """The rules; see the top of this file."""

    key = "quarto"
    options_type = Options
    state_type = State
    action_type = Action
    rating: Rating | None = "zero_sum"
    view_type = View
    asides = ("leave",)
    resignation = Leave()
    words: Mapping[str, str] = {
        "GAME_ENDED": "This game is over.",
        "NOT_YOUR_TURN": "It is not your turn.",
        "WRONG_PHASE": "That is not what is to be done now.",
        "INVALID_PIECE": "This piece cannot be given.",
        "INVALID_POSITION": "This square cannot be taken.",
        "NO_QUARTO": "There is no line of four that share a trait.",
    }
    longest = 33
    """Sixteen pieces selected and placed, and the final call or its end."""

    # --- setup --------------------------------------------------------------------------------

    def setup(self, options: Options, env: Env) -> State:
        """An empty board."""
        return State(
            turn=env.dice.below(2) if options.first is None else options.first,
            reconnect_ms=options.reconnect_ms,
            final_call_ms=options.final_call_ms,
        )

    # --- act ----------------------------------------------------------------------------------

    def act(self, state: State, seat: Seat, action: Action, env: Env) -> Step[State]:
        """Checked in order: the end, the turn, the phase, the piece or the position."""
        if state.outcome is not None:
            raise Refused("GAME_ENDED")
        if isinstance(action, Leave):
            return Step(replace(state, outcome=given_up(seat, "forfeit")))
        if state.turn != seat:
            raise Refused("NOT_YOUR_TURN")
        match action:
            case Select(piece):
                return Step(_select(state, piece, env.now))
            case Place(position):
                return Step(_place(state, position, env.now))
            case Call():
                return Step(_call(state, env.now))

    # --- time ---------------------------------------------------------------------------------

    def deadline(self, state: State) -> Millis | None:
        """The first window to run out."""
        if state.outcome is not None:
            return None
        due, final_call = away.first_due(state.away_until), state.final_call_until
        return due if final_call is None else min(due or final_call, final_call)

    def expire(self, state: State, env: Env) -> Step[State]:
        """A line stayed uncalled, or a player stayed away."""
        due = self.deadline(state)
        if due is None or env.now < due:
            raise AssertionError("nothing is due")
        if state.final_call_until == due:
            return Step(replace(state, outcome=Outcome(None, "uncalled")))
        return Step(replace(state, outcome=away.forfeited(state.away_until, due, "timeout")))

    def presence(self, state: State, seat: Seat, here: bool, env: Env) -> Step[State]:
        """Going opens a seat's window, coming back closes it."""
        return away.presence(state, seat, here, env)

    def resume(self, position: State, options: Options, env: Env) -> State:
        """Nobody is away, and the final call begins anew."""
        calling = position.final_call_until is not None
        return replace(
            position,
            reconnect_ms=options.reconnect_ms,
            final_call_ms=options.final_call_ms,
            away_until=away.NOBODY,
            final_call_until=env.now + options.final_call_ms if calling else None,
        )

    # --- view ---------------------------------------------------------------------------------

    def view(self, state: State, seat: Seat | None) -> View:
        """Everything lies open."""
        return View(seat, state)

    def legal(self, view: View) -> tuple[Action, ...]:
        """What advances the game, for the one to move. Leaving is always possible, and does not."""
        state = view.state
        if state.turn != view.seat or state.outcome is not None:
            return ()
        calls: tuple[Action, ...] = (CALL,) if state.line else ()
        if state.selected is None:
            placed = set(state.board)
            return calls + tuple(select for select in SELECTS if select.piece not in placed)
        squares = zip(PLACES, state.board, strict=True)
        return calls + tuple(place for place, piece in squares if piece is None)

    def claims(self, view: View, seen: Seen) -> tuple[Claim[Action], ...]:
        """A Quarto, on one's turn, whether there is one or not: to see it is the game."""
        state = view.state
        mine = state.turn == view.seat and state.outcome is None
        return (Claim(CALL),) if mine else ()

    def turn(self, state: State) -> Seat | None:
        """Whoever selects or places."""
        return None if state.outcome else state.turn

    # --- outcome ------------------------------------------------------------------------------

    def outcome(self, state: State) -> Outcome | None:
        """A called line, a full board, or a player who left or stayed away."""
        return state.outcome


RULES: Final = Quarto()


def _select(state: State, piece: int, now: Millis) -> State:
    if state.selected is not None:
        raise Refused("WRONG_PHASE")
    if piece not in PIECES or piece in state.board:
        raise Refused("INVALID_PIECE")
    entry = Entry("select", state.turn, piece, None, now)
    return replace(state, turn=other(state.turn), selected=piece, history=(*state.history, entry))


def _place(state: State, position: int, now: Millis) -> State:
    piece = state.selected
    if piece is None:
        raise Refused("WRONG_PHASE")
    if position not in POSITIONS or state.board[position] is not None:
        raise Refused("INVALID_POSITION")
    board = (*state.board[:position], piece, *state.board[position + 1 :])
    line = first_line(board)
    full = None not in board
    return replace(
        state,
        board=board,
        selected=None,
        line=line,
        history=(*state.history, Entry("place", state.turn, piece, position, now)),
        final_call_until=now + state.final_call_ms if full and line else None,
        outcome=Outcome(None, "board_full") if full and not line else None,
    )


def _call(state: State, now: Millis) -> State:
    if state.line is None:
        raise Refused("NO_QUARTO")
    entry = Entry("quarto", state.turn, None, None, now)
    return replace(state, history=(*state.history, entry), outcome=Outcome(state.turn, "quarto"))


# --- for those who show it --------------------------------------------------------------------


def available(state: State) -> tuple[int, ...]:
    """The pieces not on the board; a selected one is among them until it is placed."""
    return tuple(piece for piece in PIECES if piece not in state.board)


def winning_line(state: State) -> Line | None:
    """The line that was called, if one was."""
    if state.outcome is not None and state.outcome.reason == "quarto":
        return state.line
    return None
