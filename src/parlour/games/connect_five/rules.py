"""Connect Five, the rules.

Laws:

* Seats take turns on a 14x14 board. SINGLE is free; H2, V2, CROSS4 and BOMB are used up one by one.
* A placement needs all its cells, empty and on the board, or it does not happen at all.
* Five or more in a line of one's own, made by a placement, win at once. A placement that fills the
  board without that is a draw. A BOMB takes one piece of the opponent's and decides nothing.
* Either seat may buy specials at any time, for `max_spend` altogether; that costs no turn.
* The clock of the seat to move runs, whoever is there; when it is used up, the other wins.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from itertools import compress

from msgspec.structs import replace

from parlour.games.api import (
    Charge,
    Env,
    Millis,
    Outcome,
    Rating,
    Refused,
    Rules,
    Seat,
    Step,
    other,
    with_seat,
)
from parlour.games.clocks import Clocks
from parlour.games.connect_five.board import (
    CELLS,
    FULL,
    REACH,
    SHAPES,
    SIZE,
    TOUCHED,
    Cell,
    MoveType,
    anchors,
    cell_set,
    cells_in,
    has_five,
    on_board,
    text,
    winning_five,
)
from parlour.games.connect_five.table import (
    PRICES,
    Action,
    Move,
    Moved,
    Options,
    Purchase,
    Purchased,
    State,
    TimedOut,
    View,
)


def longest_game(max_spend: int) -> int:
    """No match is longer, in steps.

    Each seat buys at most `max_spend // 3` times, as nothing costs less than 3. Every bomb was
    bought, and takes back one piece; every other move leaves at least one more on the board. So
    there are no more bombs than purchases, no more placements than cells and bombs together, and
    the last step may be a clock that ran out.
    """
    purchases = 2 * (max_spend // min(PRICES.values()))
    bombs = purchases
    placements = CELLS + bombs
    return purchases + bombs + placements + 1


WORDS: Mapping[str, str] = {
    "match_ended": "This match has ended.",
    "clock_expired": "The clock has run out.",
    "not_your_turn": "It is your opponent's turn.",
    "no_inventory": "You have none of these left.",
    "invalid_quantity": "Buy at least one.",
    "max_spend_exceeded": "That costs more than you may still spend.",
    "out_of_bounds": "That does not fit on the board.",
    "no_opponent_piece": "There is no opponent's piece.",
    "cell_occupied": "That is occupied already.",
}


class ConnectFive(Rules[State, Action, View]):
    """Connect Five behind the interface of a game."""

    key = "connect_five"
    options_type = Options
    state_type = State
    action_type = Action
    rating: Rating | None = None
    view_type = View
    asks_seen = False
    asides: Collection[str] = ("purchase",)
    offered = ("time_limit_seconds", "max_spend")
    words = WORDS
    longest = longest_game(Options().max_spend)

    # --- setup --------------------------------------------------------------------------------

    def setup(self, options: Options, env: Env) -> State:
        """An empty board; the first mover's clock runs."""
        first = env.dice.below(2) if options.first is None else options.first
        limit = options.time_limit_ms
        return State(options=options, clocks=Clocks((limit, limit), first, env.now))

    # --- act ----------------------------------------------------------------------------------

    def act(self, state: State, seat: Seat, action: Action, env: Env) -> Step[State]:
        """A move by the seat whose turn it is, or a purchase by either."""
        if state.ended is not None:
            raise Refused("match_ended", WORDS["match_ended"])
        if env.now >= state.clocks.falls_at:
            raise Refused("clock_expired", WORDS["clock_expired"])
        if isinstance(action, Purchase):
            return self._purchase(state, seat, action, env)
        return self._move(state, seat, action, env)

    def _move(self, state: State, seat: Seat, move: Move, env: Env) -> Step[State]:
        if seat != state.turn:
            raise Refused("not_your_turn", WORDS["not_your_turn"])
        inventory = state.inventories[seat]
        if move.move_type != "SINGLE":
            if inventory.count(move.move_type) < 1:
                raise Refused("no_inventory", f"You have no {move.move_type} left.", "move_type")
            inventory = inventory.plus(move.move_type, -1)
        touched = _touched(state, seat, move)
        stones, moved = _applied(state, seat, move, touched)
        clocks = state.clocks.charged(env.now)
        ended = _ending(stones, moved)
        return Step(
            replace(
                state,
                stones=stones,
                inventories=with_seat(state.inventories, seat, inventory),
                clocks=clocks if ended else clocks.pressed(),
                turn_number=state.turn_number + (ended is None),
                last=moved,
                ended=ended,
            ),
            events=(moved,),
        )

    def _purchase(self, state: State, seat: Seat, wish: Purchase, env: Env) -> Step[State]:
        special, quantity = wish.special_type, wish.quantity
        if quantity < 1:
            raise Refused("invalid_quantity", WORDS["invalid_quantity"], "quantity")
        cost = PRICES[special] * quantity
        left = state.options.max_spend - state.spent[seat]
        if cost > left:
            raise Refused(
                "max_spend_exceeded",
                f"That costs more than the {left} you may still spend.",
                "quantity",
            )
        inventory = state.inventories[seat].plus(special, quantity)
        return Step(
            replace(
                state,
                inventories=with_seat(state.inventories, seat, inventory),
                spent=with_seat(state.spent, seat, state.spent[seat] + cost),
                clocks=state.clocks.charged(env.now),
            ),
            events=(Purchased(seat, special, quantity, cost),),
            charges=(Charge(seat, cost),),
        )

    # --- time ---------------------------------------------------------------------------------

    def deadline(self, state: State) -> Millis | None:
        """When the running clock is used up."""
        return None if state.ended else state.clocks.falls_at

    def horizon(self, state: State, now: Millis) -> Millis | None:
        """Whoever presses a clock, none falls sooner than the one with less on it could."""
        return None if state.ended else state.clocks.none_falls_before(now)

    def expire(self, state: State, env: Env) -> Step[State]:
        """The flag fell: the seat whose clock ran loses."""
        if state.ended is not None or env.now < state.clocks.falls_at:
            raise ValueError("no clock has run out")
        ended = Outcome(other(state.turn), "timeout", rated=False)
        clocks = state.clocks.charged(env.now)
        return Step(replace(state, clocks=clocks, ended=ended), events=(TimedOut(state.turn),))

    def presence(self, state: State, seat: Seat, here: bool, env: Env) -> Step[State]:
        """Clocks run whether or not anybody is there."""
        return Step(state)

    def resume(self, position: State, options: Options, env: Env) -> State:
        """Both have all their time again."""
        limit = options.time_limit_ms
        clocks = Clocks((limit, limit), position.turn, env.now)
        return replace(position, options=options, clocks=clocks)

    # --- view ---------------------------------------------------------------------------------

    def view(self, state: State, seat: Seat | None) -> View:
        """Everything, for everyone."""
        ones, twos = state.stones
        winning = () if state.ended is None else winning_cells(state)
        return View(seat, state, (text(ones), text(twos)), winning)

    def legal(self, view: View) -> tuple[Action, ...]:
        """All moves of the seat to move, and one of each special that either may still buy."""
        seat, state = view.seat, view.state
        if seat is None or state.ended is not None:
            return ()
        actions: list[Action] = []
        for move_type, cells in legal_cells(view).items():
            if cells:
                actions.extend(_among(_MOVES[move_type], cells))
        left = state.options.max_spend - state.spent[seat]
        actions.extend(one for one in _ONE_OF_EACH if PRICES[one.special_type] <= left)
        return tuple(actions)

    def turn(self, state: State) -> Seat | None:
        """Whose clock runs."""
        return None if state.ended else state.turn

    # --- outcome ------------------------------------------------------------------------------

    def outcome(self, state: State) -> Outcome | None:
        """`connect5`, `timeout` or `draw`."""
        return state.ended


# --- moves on the board -----------------------------------------------------------------------


def _touched(state: State, seat: Seat, move: Move) -> int:
    """The cells a move changes, or why it cannot be made."""
    if not on_board(move.x, move.y):
        field = "y" if 0 <= move.x < SIZE else "x"
        raise Refused("out_of_bounds", f"x and y go from 0 to {SIZE - 1}.", field)
    touched = TOUCHED[move.move_type][move.y * SIZE + move.x]
    if not touched:
        crosses_x = any(not 0 <= move.x + dx < SIZE for dx, _ in SHAPES[move.move_type])
        raise Refused(
            "out_of_bounds",
            f"{move.move_type} at ({move.x}, {move.y}) does not fit on the board.",
            "x" if crosses_x else "y",
        )
    if move.move_type == "BOMB":
        if not touched & state.stones[other(seat)]:
            raise Refused(
                "no_opponent_piece", f"There is no opponent's piece at ({move.x}, {move.y}).", "x"
            )
    elif taken := touched & (state.stones[0] | state.stones[1]):
        where = ", ".join(f"({x}, {y})" for x, y in cells_in(taken))
        raise Refused("cell_occupied", f"Already occupied: {where}.", "x")
    return touched


def _applied(state: State, seat: Seat, move: Move, touched: int) -> tuple[tuple[int, int], Moved]:
    """Both seats' stones after a move, and the record of it."""
    cells = REACH[move.move_type][move.y * SIZE + move.x]
    if move.move_type == "BOMB":
        theirs = state.stones[other(seat)] ^ touched
        moved = Moved(seat, move.move_type, move.x, move.y, removed=cells[0])
        return with_seat(state.stones, other(seat), theirs), moved
    mine = state.stones[seat] | touched
    moved = Moved(seat, move.move_type, move.x, move.y, placed=cells)
    return with_seat(state.stones, seat, mine), moved


def _ending(stones: tuple[int, int], moved: Moved) -> Outcome | None:
    """What a move decided. Only a placement decides anything.

    No line of five outlives the move that made it, so the new pieces are in any that is found.
    """
    if not moved.placed:
        return None
    if has_five(stones[moved.seat]):
        return Outcome(moved.seat, "connect5", rated=False)
    if stones[0] | stones[1] == FULL:
        return Outcome(None, "draw", rated=False)
    return None


def winning_cells(state: State) -> tuple[Cell, ...]:
    """The five that won the match; nothing if it was not won so."""
    if state.ended is None or state.ended.reason != "connect5" or state.last is None:
        return ()
    return winning_five(state.stones[state.last.seat], cell_set(state.last.placed))


def legal_cells(view: View) -> dict[MoveType, int]:
    """Per move type the cells the viewer may name now: none if it is not to move, or owns none."""
    seat, state = view.seat, view.state
    if seat is None or state.ended is not None or seat != state.turn:
        return dict.fromkeys(SHAPES, 0)
    cells = dict.fromkeys(SHAPES, 0)
    own, theirs = state.stones[seat], state.stones[other(seat)]
    cells["SINGLE"] = anchors("SINGLE", own, theirs)
    for special in state.inventories[seat].held:
        cells[special] = anchors(special, own, theirs)
    return cells


_MOVES: dict[MoveType, tuple[Move, ...]] = {
    move_type: tuple(Move(move_type, at % SIZE, at // SIZE) for at in range(CELLS))
    for move_type in SHAPES
}


def _among(moves: tuple[Move, ...], cells: int) -> Iterator[Move]:
    """The moves that name a cell of the set."""
    digits = text(cells).encode()
    return compress(moves, digits.translate(_TRUTH))


_TRUTH = bytes(digit == ord("1") for digit in range(256))
_ONE_OF_EACH = tuple(Purchase(special) for special in PRICES)


RULES = ConnectFive()
