"""Connect 4.

* Seat 0 plays red, seat 1 yellow. They take turns to drop a disc into one of seven columns, where
  it falls to the lowest free cell.
* Four in a row, in any of the four directions, wins; a full board without is a draw. The disc
  that fills the board may win.
* The turn stays with whoever made the last move.
* Once the opponent has not been seen for longer than `abandon_ms`, the win can be claimed, and
  nothing else done but giving up. An opponent never seen at all is not gone.
* Either may give up at any time.
* Where a time for each move was agreed on, whoever is to move when it is up loses; unless the other
  is gone by then, who loses instead.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Annotated, Final, final

import msgspec
from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from parlour.games import api
from parlour.games.api import (
    SEATS,
    Env,
    Loaded,
    Millis,
    Outcome,
    Rating,
    Refused,
    Rules,
    Seat,
    Seen,
    Step,
)
from parlour.games.connect4.board import (
    BOTTOM,
    CELLS,
    COLUMN,
    COLUMNS,
    CROSSES,
    EVERYWHERE,
    FOURS,
    ROWS,
    TOP_ROW,
    bit,
    cells,
    flaw,
    fours,
)
from parlour.games.giving_up import Resign, given_up
from parlour.games.options import offer

# --- types ------------------------------------------------------------------------------------

MOVE_TIMES: Final = {
    None: "as long as it takes",
    30_000: "half a minute",
    60_000: "a minute",
    180_000: "three minutes",
}


class Options(Struct, frozen=True, kw_only=True):
    """What a match may be told at its start."""

    starter: Seat | None = None
    """Who moves first; None: drawn by lot."""
    abandon_ms: Millis = 30_000
    """Unseen for longer than this, a player has abandoned the game."""
    move_ms: Annotated[Millis | UnsetType | None, offer("Time for a move", choices=MOVE_TIMES)] = (
        UNSET
    )
    """How long a player may think about a move; unset or None: as long as it takes."""


@final
class Drop(Struct, frozen=True, gc=False, tag="drop"):
    """Let a disc fall into a column, counted from 0."""

    column: int


@final
class Claim(Struct, frozen=True, gc=False, tag="claim"):
    """Take the win over an opponent who has gone."""


Action = Drop | Claim | Resign


class MoveTime(Struct, frozen=True, gc=False):
    """The time for each move, where there is one."""

    move_ms: Millis
    ends_at: Millis
    """When that of the move to be made is up."""

    def begun(self, now: Millis) -> MoveTime:
        """The next move's."""
        return MoveTime(self.move_ms, now + self.move_ms)


class State(Struct, frozen=True, gc=False):
    """A position, how it came about and how it ended. Nothing in it is secret."""

    red: int
    """Seat 0's discs, laid out as in `board.py`."""
    yellow: int
    """Seat 1's discs."""
    turn: Seat
    moves: tuple[tuple[int, Millis], ...]
    """The column of each disc, and when it was dropped; the first ones may have been lost."""
    abandon_ms: Millis
    outcome: Outcome | None = None
    time: MoveTime | UnsetType = UNSET
    """Unset, and so not even written down, where one may take as long as one likes."""


class Pruned(Struct, frozen=True):
    """A state whose moves cannot be read."""

    red: int
    yellow: int
    turn: Seat
    moves: bool | int | float | str | dict[str, object] | None
    abandon_ms: Millis
    outcome: Outcome | None = None
    time: MoveTime | UnsetType = UNSET


class View(Struct, frozen=True, gc=False):
    """The whole state, and who looks at it."""

    seat: Seat | None
    state: State


CLAIM: Final = Claim()
DROPS: Final = tuple(Drop(column) for column in range(COLUMNS))

OPEN: Final = {
    sum(TOP_ROW & COLUMN[column] for column in range(COLUMNS) if full >> column & 1): tuple(
        drop for drop in DROPS if not full >> drop.column & 1
    )
    for full in range(1 << COLUMNS)
}
"""The drops that are left, by which cells of the top row are taken."""

FOUR: Final = 4


class Connect4(Rules[State, Action, View]):
    """The rules; see the top of this file."""

    key = "connect4"
    options_type = Options
    state_type = State
    action_type = Action
    rating: Rating | None = "zero_sum"
    view_type = View
    asides = ("claim", "resign")
    resignation = Resign()
    words: Mapping[str, str] = {
        "GAME_NOT_ACTIVE": "This game is over.",
        "USE_CLAIM_ABANDONED_ENDPOINT": "Your opponent has left: claim the win.",
        "NOT_YOUR_TURN": "It is not your turn.",
        "INVALID_COLUMN": "A column is a number from 0 to 6.",
        "COLUMN_FULL": "This column is full.",
        "OPPONENT_NOT_ABANDONED": "Your opponent is still there.",
    }
    longest = CELLS
    offered = ("move_ms",)

    # --- setup --------------------------------------------------------------------------------

    def setup(self, options: Options, env: Env) -> State:
        """An empty board."""
        starter = env.dice.below(2) if options.starter is None else options.starter
        time = _move_time(options, env.now)
        return State(0, 0, starter, (), options.abandon_ms, None, time)

    def load(self, stored: bytes) -> Loaded[State]:
        """The board decides. Moves that are no list are lost, and the game goes on without."""
        lost = None
        try:
            state = msgspec.json.decode(stored, type=State)
        except msgspec.DecodeError as error:
            try:
                pruned = msgspec.json.decode(stored, type=Pruned)
            except msgspec.DecodeError:
                raise ValueError(error) from None
            lost = "moves"
            state = State(
                pruned.red,
                pruned.yellow,
                pruned.turn,
                (),
                pruned.abandon_ms,
                pruned.outcome,
                pruned.time,
            )
        if found := flaw(state.red, state.yellow):
            raise ValueError(found)
        if state.turn not in SEATS:
            raise ValueError("it is nobody's turn")
        if (
            any(not 0 <= column < COLUMNS for column, _ in state.moves)
            or min(_forgotten(state)) < 0
        ):
            raise ValueError("there is no disc for one of the moves")
        return Loaded(state, lost)

    # --- act ----------------------------------------------------------------------------------

    def act(self, state: State, seat: Seat, action: Action, env: Env) -> Step[State]:
        """Checked in order: the end, what is no move, who is gone, the turn, the column."""
        if state.outcome is not None:
            raise Refused("GAME_NOT_ACTIVE")
        other = 1 - seat
        seen = env.seen[other]
        gone = seen is not None and env.now - seen > state.abandon_ms
        if type(action) is not Drop:
            return _aside(state, seat, action, gone)
        if gone:
            raise Refused("USE_CLAIM_ABANDONED_ENDPOINT")
        if state.turn != seat:
            raise Refused("NOT_YOUR_TURN")

        column = action.column
        if not 0 <= column <= 6:
            raise Refused("INVALID_COLUMN")
        red = state.red
        yellow = state.yellow
        # `landing` and `makes_four` of the board, spelt out: a call costs as much as either.
        disc = ((red | yellow) + BOTTOM[column]) & COLUMN[column]
        if not disc:
            raise Refused("COLUMN_FULL")
        if seat == 0:
            mine = red = red | disc
        else:
            mine = yellow = yellow | disc

        moves = state.moves + ((column, env.now),)  # noqa: RUF005 twice as fast as unpacking
        if mine.bit_count() >= FOUR:
            upright, slanted = CROSSES[disc]
            if mine & upright in FOURS or mine & slanted in FOURS:
                won = Outcome(seat, "CONNECT4")
                return Step(State(red, yellow, seat, moves, state.abandon_ms, won, state.time))
            if red | yellow == EVERYWHERE:
                drawn = Outcome(None, "BOARD_FULL")
                return Step(State(red, yellow, seat, moves, state.abandon_ms, drawn, state.time))
        time = state.time
        if time is not UNSET:
            time = time.begun(env.now)
        return Step(State(red, yellow, other, moves, state.abandon_ms, None, time))

    # --- time ---------------------------------------------------------------------------------

    def deadline(self, state: State) -> Millis | None:
        """When the time for a move is up; that somebody is gone matters only when it is claimed."""
        return None if state.time is UNSET or state.outcome is not None else state.time.ends_at

    def expire(self, state: State, env: Env) -> Step[State]:
        """Whoever is to move loses; but against somebody who is gone nothing could be moved."""
        due = self.deadline(state)
        if due is None or env.now < due:
            raise AssertionError("nothing is due")
        waiting = 1 - state.turn
        seen = env.seen[waiting]
        if seen is not None and env.now - seen > state.abandon_ms:
            return Step(replace(state, outcome=Outcome(state.turn, "ABANDONED")))
        return Step(replace(state, outcome=Outcome(waiting, "TIMEOUT")))

    def presence(self, state: State, seat: Seat, here: bool, env: Env) -> Step[State]:
        """Coming and going changes nothing: the rules ask `env.seen` when it matters."""
        return Step(state)

    def resume(self, position: State, options: Options, env: Env) -> State:
        """The time for the move begins anew."""
        time = _move_time(options, env.now)
        return replace(position, abandon_ms=options.abandon_ms, time=time)

    # --- view ---------------------------------------------------------------------------------

    def view(self, state: State, seat: Seat | None) -> View:
        """Everything lies open."""
        return View(seat, state)

    def legal(self, view: View) -> tuple[Drop, ...]:
        """Each column with room, for the one to move. Whether a claim holds hangs on the time."""
        state = view.state
        if state.turn != view.seat or state.outcome is not None:
            return ()
        return OPEN[(state.red | state.yellow) & TOP_ROW]

    def claims(self, view: View, seen: Seen) -> tuple[api.Claim[Action], ...]:
        """The win over an opponent who went, as soon as that has lasted for too long."""
        state = view.state
        if view.seat is None or state.outcome is not None:
            return ()
        last = seen[1 - view.seat]
        return () if last is None else (api.Claim(CLAIM, last + state.abandon_ms + 1),)

    def turn(self, state: State) -> Seat | None:
        """Whoever drops the next disc."""
        return None if state.outcome else state.turn

    # --- outcome ------------------------------------------------------------------------------

    def outcome(self, state: State) -> Outcome | None:
        """Four in a row, a full board, a claim, or time that was up."""
        return state.outcome


RULES: Final = Connect4()


def _move_time(options: Options, now: Millis) -> MoveTime | UnsetType:
    return MoveTime(options.move_ms, now + options.move_ms) if options.move_ms else UNSET


def _aside(state: State, seat: Seat, action: Claim | Resign, gone: bool) -> Step[State]:
    """What ends a game without a disc."""
    if type(action) is Resign:
        return Step(replace(state, outcome=given_up(seat, "RESIGNED")))
    if not gone:
        raise Refused("OPPONENT_NOT_ABANDONED")
    return Step(replace(state, outcome=Outcome(seat, "ABANDONED")))


# --- for those who show it --------------------------------------------------------------------


class Move(Struct, frozen=True, gc=False):
    """One disc, as the history of a game tells it."""

    number: int
    """From 1."""
    seat: Seat
    column: int
    row: int
    """From the bottom, from 0."""
    at: Millis


def history(state: State) -> tuple[Move, ...]:
    """Every disc in the order it fell, from the first one that is remembered."""
    rows, red = _forgotten(state), state.red
    told = []
    for number, (column, at) in enumerate(state.moves, start=1):
        row = rows[column]
        rows[column] = row + 1
        told.append(Move(number, 0 if red >> 7 * column + row & 1 else 1, column, row, at))
    return tuple(told)


def latest(state: State) -> Move:
    """The disc that fell last."""
    column, at = state.moves[-1]
    row = ((state.red | state.yellow) & COLUMN[column]).bit_count() - 1
    seat = 0 if state.red & bit(row, column) else 1
    return Move(len(state.moves), seat, column, row, at)


def grid(state: State) -> tuple[tuple[Seat | None, ...], ...]:
    """Whose disc lies in each cell: six rows of seven, the bottom row first."""

    def owner(cell: int) -> Seat | None:
        return 0 if state.red & cell else 1 if state.yellow & cell else None

    return tuple(tuple(owner(bit(row, column)) for column in range(COLUMNS)) for row in range(ROWS))


def heights(state: State) -> tuple[int, ...]:
    """How many discs each column holds."""
    occupied = state.red | state.yellow
    return _piles(occupied & _LEFT, 3) + _piles(occupied >> 7 * 3, COLUMNS - 3)


_LEFT: Final = sum(COLUMN[:3])


@cache
def _piles(discs: int, columns: int) -> tuple[int, ...]:
    """Of a part of the board; a few columns have few ways to be filled."""
    return tuple((discs & COLUMN[column]).bit_count() for column in range(columns))


def _forgotten(state: State) -> list[int]:
    """How many discs of each column lay there before the first move that is remembered."""
    rows = list(heights(state))
    for column, _ in state.moves:
        rows[column] -= 1
    return rows


def winning_cells(state: State) -> tuple[tuple[int, int], ...]:
    """The (row, column) of every disc in a winning line, column by column; none if nobody has one.

    One disc may complete several lines, and a line may be longer than four.
    """
    return cells(fours(state.red) | fours(state.yellow))
