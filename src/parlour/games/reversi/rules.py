"""Reversi.

* Seat 0 plays black and begins, with two discs of each colour in the middle of an 8x8 board.
* A disc must enclose at least one straight run of the opponent's discs between itself and another
  of one's own; every run that it encloses, in any direction, is turned over.
* Who cannot place passes by itself, and the other goes on. When neither can, the game is over:
  whoever has more discs wins, as many each are a draw.
* Giving up loses, and so does being away for `reconnect_ms`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, final

from msgspec import Struct
from msgspec.structs import replace

from parlour.games import away
from parlour.games.api import Env, Millis, Outcome, Rating, Refused, Rules, Seat, Step, other
from parlour.games.giving_up import Resign, given_up
from parlour.games.reversi.board import CELLS, START, cells_in, drawn, flipped, moves

# --- types ------------------------------------------------------------------------------------


class Options(Struct, frozen=True, kw_only=True):
    """What a match may be told at its start."""

    reconnect_ms: Millis = 120_000
    """How long a player may be away."""


@final
class Place(Struct, frozen=True, tag="place"):
    """Put a disc on a cell, counted from 0 row by row."""

    cell: int


Action = Place | Resign


class Passed(Struct, frozen=True, tag="passed"):
    """A seat could not place anything, so the other goes on."""

    seat: Seat


class State(Struct, frozen=True):
    """A position, how it came about, who is away and how it ended. Nothing in it is secret."""

    discs: tuple[int, int]
    """Each seat's discs, laid out as in `board.py`."""
    turn: Seat
    placed: tuple[int, ...]
    """The cells in the order they were taken."""
    reconnect_ms: Millis
    away_until: away.Until = away.NOBODY
    outcome: Outcome | None = None


class View(Struct, frozen=True):
    """What everybody sees."""

    seat: Seat | None
    cells: str
    """Row by row: `.` for an empty cell, else the seat whose disc lies there."""
    counts: tuple[int, int]
    turn: Seat | None
    last: int | None
    away_until: away.Until
    may_place: tuple[int, ...]
    """Where the one to move may put a disc."""


PLACES: Final = tuple(Place(cell) for cell in range(CELLS))


class Reversi(Rules[State, Action, View]):
    """The rules; see the top of this file."""

    key = "reversi"
    options_type = Options
    state_type = State
    action_type = Action
    view_type = View
    rating: Rating | None = "zero_sum"
    asides = ("resign",)
    resignation = Resign()
    words: Mapping[str, str] = {
        "GAME_OVER": "This game is over.",
        "NOT_YOUR_TURN": "It is not your turn.",
        "INVALID_CELL": "There is no such cell.",
        "ENCLOSES_NOTHING": "A disc must enclose others.",
    }
    longest = CELLS - 4

    # --- setup --------------------------------------------------------------------------------

    def setup(self, options: Options, env: Env) -> State:
        """Two discs each, black to move."""
        return State(START, 0, (), options.reconnect_ms)

    # --- act ----------------------------------------------------------------------------------

    def act(self, state: State, seat: Seat, action: Action, env: Env) -> Step[State]:
        """Checked in order: the end, the turn, the cell."""
        if state.outcome is not None:
            raise Refused("GAME_OVER")
        if isinstance(action, Resign):
            return Step(replace(state, outcome=given_up(seat)))
        if seat != state.turn:
            raise Refused("NOT_YOUR_TURN")
        if not 0 <= action.cell < CELLS:
            raise Refused("INVALID_CELL", field="cell")
        own, theirs = state.discs[seat], state.discs[other(seat)]
        disc = 1 << action.cell
        turned = 0 if disc & (own | theirs) else flipped(own, theirs, disc)
        if not turned:
            raise Refused("ENCLOSES_NOTHING", field="cell")
        own, theirs = own | disc | turned, theirs ^ turned
        discs = (own, theirs) if seat == 0 else (theirs, own)
        state = replace(state, discs=discs, placed=(*state.placed, action.cell))
        if moves(theirs, own):
            return Step(replace(state, turn=other(seat)))
        if moves(own, theirs):
            return Step(state, events=(Passed(other(seat)),))
        return Step(replace(state, outcome=_counted(discs)))

    # --- time ---------------------------------------------------------------------------------

    def deadline(self, state: State) -> Millis | None:
        """When somebody has been away for too long."""
        return None if state.outcome else away.first_due(state.away_until)

    def expire(self, state: State, env: Env) -> Step[State]:
        """Who stayed away loses."""
        due = self.deadline(state)
        if due is None or env.now < due:
            raise AssertionError("nothing is due")
        return Step(replace(state, outcome=away.forfeited(state.away_until, due, "timeout")))

    def presence(self, state: State, seat: Seat, here: bool, env: Env) -> Step[State]:
        """Going opens a seat's window, coming back closes it."""
        return away.presence(state, seat, here, env)

    def resume(self, position: State, options: Options, env: Env) -> State:
        """Nobody is away."""
        return replace(position, reconnect_ms=options.reconnect_ms, away_until=away.NOBODY)

    # --- view ---------------------------------------------------------------------------------

    def view(self, state: State, seat: Seat | None) -> View:
        """Everything lies open."""
        black, white = state.discs
        turn = self.turn(state)
        return View(
            seat=seat,
            cells=drawn(black, white),
            counts=(black.bit_count(), white.bit_count()),
            turn=turn,
            last=state.placed[-1] if state.placed else None,
            away_until=state.away_until,
            may_place=()
            if turn is None
            else tuple(cells_in(moves(state.discs[turn], state.discs[other(turn)]))),
        )

    def legal(self, view: View) -> tuple[Action, ...]:
        """Where the one to move may place. Giving up is always possible, and no move."""
        if view.seat is None or view.seat != view.turn:
            return ()
        return tuple(PLACES[cell] for cell in view.may_place)

    def turn(self, state: State) -> Seat | None:
        """Whoever places the next disc."""
        return None if state.outcome else state.turn

    # --- outcome ------------------------------------------------------------------------------

    def outcome(self, state: State) -> Outcome | None:
        """More discs, as many, or somebody who gave up or stayed away."""
        return state.outcome


RULES: Final = Reversi()


def _counted(discs: tuple[int, int]) -> Outcome:
    black, white = discs[0].bit_count(), discs[1].bit_count()
    winner = None if black == white else 0 if black > white else 1
    return Outcome(winner, "counted", scores=(black, white))
