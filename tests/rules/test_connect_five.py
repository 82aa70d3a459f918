"""Connect Five, rule by rule."""

from __future__ import annotations

import msgspec
import pytest
from msgspec.structs import replace

from parlour.games.api import Charge, Dice, Env, Outcome, Refused
from parlour.games.connect_five.board import CELLS, CONNECT, FULL, SIZE, Cell, MoveType, cell_set
from parlour.games.connect_five.rules import RULES, legal_cells, winning_cells
from parlour.games.connect_five.table import (
    PRICES,
    Action,
    Inventory,
    Move,
    Moved,
    Options,
    Purchase,
    Purchased,
    Special,
    State,
    TimedOut,
)
from tests.laws.game import game_of
from tests.laws.walk import walk
from tests.rules.five import PLENTY, drawn, env, grid, new


def act(state: State, *actions: Action, now: int = 0) -> State:
    """The actions one after another, each by the seat to move."""
    for action in actions:
        state = RULES.act(state, state.turn, action, env(now)).state
    return state


def refusal(state: State, action: Action, seat: int | None = None, now: int = 0) -> Refused:
    """How an action is refused; the state must be what it was."""
    before = msgspec.json.encode(state)
    with pytest.raises(Refused) as refused:
        RULES.act(state, state.turn if seat is None else seat, action, env(now))
    assert msgspec.json.encode(state) == before
    assert refused.value.detail
    return refused.value


# --- the start --------------------------------------------------------------------------------


@pytest.mark.spec("C11", "C55")
def test_the_board_is_fourteen_by_fourteen_and_starts_empty() -> None:
    assert (SIZE, CELLS, CONNECT) == (14, 196, 5)
    assert grid(new()) == [[0] * 14 for _ in range(14)]
    state = act(new(), Move("SINGLE", 13, 0), Move("SINGLE", 0, 13))
    assert grid(state)[0][13] == 1
    assert grid(state)[13][0] == 2


@pytest.mark.spec("C3", "C24")
def test_chance_decides_who_moves_first_unless_told() -> None:
    first = [RULES.setup(Options(), Env(5, Dice(bytes([n]) * 16, 1))).turn for n in range(200)]
    assert 60 < sum(first) < 140
    for seat in (0, 1):
        state = RULES.setup(Options(first=seat), env(5))
        assert (state.turn, state.turn_number, state.clocks.started_at) == (seat, 1, 5)


@pytest.mark.parametrize("seed", range(6))
def test_who_moved_first_is_known_to_the_end(seed: int) -> None:
    firsts = {table.state.first for table, _ in walk(RULES, game_of(RULES.key), seed)}
    assert len(firsts) == 1
    table, _ = next(iter(walk(RULES, game_of(RULES.key), seed)))
    assert firsts == {table.state.turn}


@pytest.mark.parametrize(
    "bad",
    ['{"first":2}', '{"time_limit_ms":0}', '{"stake":-1}', '{"max_spend":1000000000000001}'],
)
def test_terms_that_make_no_sense_are_no_options(bad: str) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(bad, type=Options)


@pytest.mark.spec("C105")
def test_a_state_survives_being_stored() -> None:
    state = act(drawn("A..B"), Move("CROSS4", 7, 7), Move("BOMB", 0, 0), Purchase("V2", 3))
    assert msgspec.json.decode(msgspec.json.encode(state), type=State) == state


# --- moves ------------------------------------------------------------------------------------


@pytest.mark.spec("C56", "C57", "C58", "C59")
@pytest.mark.parametrize(
    ("move_type", "placed"),
    [
        ("SINGLE", {(5, 6)}),
        ("H2", {(5, 6), (6, 6)}),
        ("V2", {(5, 6), (5, 7)}),
        ("CROSS4", {(5, 5), (4, 6), (6, 6), (5, 7)}),
    ],
)
def test_a_placement_fills_its_shape_and_nothing_else(
    move_type: MoveType, placed: set[tuple[int, int]]
) -> None:
    step = RULES.act(drawn(), 0, Move(move_type, 5, 6), env())
    assert step.state.stones == (cell_set(placed), 0)
    (moved,) = step.events
    assert isinstance(moved, Moved)
    assert (moved.seat, moved.move_type, moved.x, moved.y) == (0, move_type, 5, 6)
    assert set(moved.placed) == placed
    assert moved.removed is None
    assert step.state.last == moved


@pytest.mark.spec("C57", "C58", "C59", "C61", "C62")
@pytest.mark.parametrize(
    ("move", "field"),
    [
        (Move("SINGLE", 14, 0), "x"),
        (Move("SINGLE", -1, 0), "x"),
        (Move("SINGLE", 0, 14), "y"),
        (Move("SINGLE", 3, -1), "y"),
        (Move("SINGLE", 10**300, 0), "x"),
        (Move("H2", 13, 4), "x"),
        (Move("V2", 4, 13), "y"),
        (Move("CROSS4", 0, 4), "x"),
        (Move("CROSS4", 13, 4), "x"),
        (Move("CROSS4", 4, 0), "y"),
        (Move("CROSS4", 4, 13), "y"),
        (Move("BOMB", 4, 14), "y"),
    ],
)
def test_a_move_off_the_board_is_refused(move: Move, field: str) -> None:
    refused = refusal(drawn(), move)
    assert (refused.code, refused.field) == ("out_of_bounds", field)


@pytest.mark.spec("C57", "C58", "C59")
@pytest.mark.parametrize(
    "move", [Move("H2", 12, 13), Move("V2", 13, 12), Move("CROSS4", 1, 1), Move("CROSS4", 12, 12)]
)
def test_a_move_may_touch_the_edge(move: Move) -> None:
    assert RULES.act(drawn(), 0, move, env()).state.last is not None


@pytest.mark.spec("C61", "C62")
@pytest.mark.parametrize(
    "move",
    [
        Move("SINGLE", 1, 1),
        Move("H2", 0, 1),
        Move("H2", 1, 1),
        Move("V2", 1, 0),
        Move("V2", 1, 1),
        Move("CROSS4", 2, 1),
        Move("CROSS4", 1, 2),
    ],
)
@pytest.mark.parametrize("piece", ["A", "B"])
def test_one_occupied_cell_refuses_the_whole_move(move: Move, piece: str) -> None:
    refused = refusal(drawn("...", f".{piece}.", "..."), move)
    assert refused.code == "cell_occupied"
    assert "(1, 1)" in refused.detail


@pytest.mark.spec("C59")
@pytest.mark.parametrize("centre", [".", "A", "B"])
def test_the_centre_of_a_cross_does_not_matter(centre: str) -> None:
    state = drawn("...", f".{centre}.", "...")
    after = act(state, Move("CROSS4", 1, 1))
    assert grid(after)[1][1] == grid(state)[1][1]
    assert sum(map(sum, grid(after))) == sum(map(sum, grid(state))) + 4


@pytest.mark.spec("C60")
def test_a_bomb_removes_one_piece_of_the_opponents_and_costs_turn_and_bomb() -> None:
    state = drawn("ABB", inventory=Inventory(bomb=1))
    step = RULES.act(state, 0, Move("BOMB", 1, 0), env())
    assert grid(step.state)[0][:3] == [1, 0, 2]
    assert step.state.turn == 1
    assert step.state.inventories == (Inventory(), Inventory(bomb=1))
    (moved,) = step.events
    assert (moved.placed, moved.removed) == ((), Cell(1, 0))


@pytest.mark.spec("C60", "C61")
@pytest.mark.parametrize("x", [0, 2])
def test_a_bomb_needs_a_piece_of_the_opponents(x: int) -> None:
    assert refusal(drawn("AB."), Move("BOMB", x, 0)).code == "no_opponent_piece"


@pytest.mark.spec("C29")
@pytest.mark.parametrize("move_type", ["SINGLE", "H2", "V2", "CROSS4", "BOMB"])
def test_only_the_seat_whose_turn_it_is_moves(move_type: MoveType) -> None:
    assert refusal(drawn("A"), Move(move_type, 0, 0), seat=1).code == "not_your_turn"
    assert refusal(drawn(), Move(move_type, 5, 5), seat=1).code == "not_your_turn"


@pytest.mark.spec("C40", "C97")
@pytest.mark.parametrize("special", list(PRICES))
def test_a_special_is_used_up_and_needs_to_be_owned(special: Special) -> None:
    move = Move(special, 5, 5)
    nothing = drawn(*["." * 14] * 5, ".....B", inventory=Inventory())
    refused = refusal(nothing, move)
    assert (refused.code, refused.field) == ("no_inventory", "move_type")
    one = replace(nothing, inventories=(Inventory().plus(special, 1), Inventory()))
    if special in ("H2", "V2"):
        move = Move(special, 6, 6)
    step = RULES.act(one, 0, move, env())
    assert step.state.inventories[0] == Inventory()


def test_a_single_is_never_used_up() -> None:
    step = RULES.act(new(), 0, Move("SINGLE", 5, 5), env())
    assert step.state.inventories == new().inventories
    assert step.charges == ()


# --- wins and draws ---------------------------------------------------------------------------


@pytest.mark.spec("C25", "C63")
@pytest.mark.parametrize(
    ("cells", "last"),
    [
        ([(0, 0), (1, 0), (2, 0), (3, 0)], (4, 0)),
        ([(9, 13), (10, 13), (11, 13), (13, 13)], (12, 13)),
        ([(13, 9), (13, 10), (13, 12), (13, 13)], (13, 11)),
        ([(0, 0), (1, 1), (2, 2), (4, 4)], (3, 3)),
        ([(13, 0), (12, 1), (11, 2), (10, 3)], (9, 4)),
        ([(4, 9), (3, 10), (2, 11), (1, 12)], (0, 13)),
        ([(9, 9), (10, 10), (11, 11), (12, 12)], (13, 13)),
        ([(0, 7), (1, 7), (2, 7), (4, 7), (5, 7), (6, 7)], (3, 7)),
    ],
)
@pytest.mark.parametrize("seat", [0, 1])
def test_five_or_more_in_a_line_win_at_once(
    cells: list[tuple[int, int]], last: tuple[int, int], seat: int
) -> None:
    stones = (cell_set(cells), 0) if seat == 0 else (0, cell_set(cells))
    state = RULES.setup(Options(first=seat), env())
    step = RULES.act(replace(state, stones=stones), seat, Move("SINGLE", *last), env(1_000))
    assert RULES.outcome(step.state) == Outcome(seat, "connect5", rated=False)
    assert RULES.deadline(step.state) is None
    five = winning_cells(step.state)
    assert len(five) == 5
    assert Cell(*last) in five
    assert set(five) <= {*cells, last}


@pytest.mark.spec("C63")
@pytest.mark.parametrize(
    "cells",
    [
        [(10, 0), (11, 0), (12, 0), (13, 0)],  # then (0, 1): the next number, not the next cell
        [(10, 4), (11, 3), (12, 2), (13, 1)],
        [(0, 12), (1, 11), (2, 10), (3, 9)],
    ],
)
def test_a_line_does_not_go_round_the_edge(cells: list[tuple[int, int]]) -> None:
    state = replace(new(), stones=(cell_set(cells), 0))
    for y in range(14):
        for x in (0, 13):
            if (x, y) not in cells:
                after = RULES.act(state, 0, Move("SINGLE", x, y), env()).state
                assert RULES.outcome(after) is None


@pytest.mark.spec("C63")
@pytest.mark.parametrize(
    ("rows", "move"),
    [
        (["AAA..", "....."], Move("H2", 3, 0)),
        ([".AAAA", "....."], Move("V2", 0, 0)),
        (["....A", "....A", "....A", "....A", ".....", "....."], Move("CROSS4", 3, 4)),
        ([".....", ".....", "A....", "A....", "A....", "A...."], Move("CROSS4", 1, 1)),
    ],
)
def test_any_piece_of_a_special_may_complete_the_line(rows: list[str], move: Move) -> None:
    after = RULES.act(drawn(*rows), 0, move, env()).state
    assert RULES.outcome(after) == Outcome(0, "connect5", rated=False)
    assert len(winning_cells(after)) == 5


@pytest.mark.spec("C64")
def test_a_bomb_decides_nothing() -> None:
    five = drawn("AAAAA", "B")
    assert RULES.outcome(RULES.act(five, 0, Move("BOMB", 0, 1), env()).state) is None


FULL_WITHOUT_FIVE = ["AABBAABBAABBAA", "BBAABBAABBAABB"] * 7
"""A full board in which nobody has more than two in a row, and no diagonal of five."""


def nearly_full(*empty: tuple[int, int]) -> State:
    """That board with some cells still empty, seat 0 to move."""
    state = drawn(*FULL_WITHOUT_FIVE)
    gap = ~cell_set(empty)
    return replace(state, stones=(state.stones[0] & gap, state.stones[1] & gap))


@pytest.mark.spec("C4", "C27", "C65")
def test_filling_the_board_without_five_is_a_draw() -> None:
    state = nearly_full((0, 0))
    after = RULES.act(state, 0, Move("SINGLE", 0, 0), env()).state
    assert after.stones[0] | after.stones[1] == FULL
    assert RULES.outcome(after) == Outcome(None, "draw", rated=False)
    assert winning_cells(after) == ()
    state = nearly_full((0, 0), (1, 0))
    both = RULES.act(state, 0, Move("H2", 0, 0), env()).state
    assert RULES.outcome(both) == Outcome(None, "draw", rated=False)
    assert RULES.outcome(RULES.act(state, 0, Move("SINGLE", 0, 0), env()).state) is None


@pytest.mark.spec("C4", "C65")
def test_the_last_cell_may_also_win() -> None:
    state = nearly_full((4, 0))
    row = cell_set([(x, 0) for x in range(4)])
    state = replace(state, stones=(state.stones[0] | row, state.stones[1] & ~row))
    after = RULES.act(state, 0, Move("SINGLE", 4, 0), env()).state
    assert RULES.outcome(after) == Outcome(0, "connect5", rated=False)


@pytest.mark.spec("C64")
def test_bombing_a_nearly_full_board_is_no_draw() -> None:
    after = RULES.act(nearly_full((0, 0)), 0, Move("BOMB", 2, 0), env()).state
    assert RULES.outcome(after) is None
    assert after.turn == 1


@pytest.mark.spec("C5", "C76")
def test_nothing_can_be_done_after_the_end() -> None:
    won = act(drawn("AAAA", "BBBB"), Move("SINGLE", 4, 0))
    for seat in (0, 1):
        assert refusal(won, Move("SINGLE", 9, 9), seat).code == "match_ended"
        assert refusal(won, Purchase("H2"), seat).code == "match_ended"
        assert RULES.legal(RULES.view(won, seat)) == ()
    with pytest.raises(ValueError, match="no clock"):
        RULES.expire(won, env(10**9))


# --- specials for money -----------------------------------------------------------------------


@pytest.mark.spec("C10", "C33")
@pytest.mark.parametrize(("special", "price"), [("H2", 4), ("V2", 4), ("CROSS4", 8), ("BOMB", 3)])
@pytest.mark.parametrize("seat", [0, 1])
def test_a_purchase_charges_its_price_and_fills_the_inventory(
    special: Special, price: int, seat: int
) -> None:
    step = RULES.act(new(), seat, Purchase(special, 3), env())
    assert step.charges == (Charge(seat, 3 * price),)
    assert step.events == (Purchased(seat, special, 3, 3 * price),)
    assert step.state.inventories[seat] == Inventory().plus(special, 3)
    assert step.state.inventories[1 - seat] == Inventory()
    assert step.state.spent[seat] == 3 * price


@pytest.mark.spec("C29", "C52")
def test_a_purchase_costs_no_turn() -> None:
    before = new()
    for seat in (0, 1):
        after = RULES.act(before, seat, Purchase("BOMB"), env(4_000)).state
        assert (after.turn, after.turn_number) == (before.turn, before.turn_number)
        assert after.stones == before.stones


@pytest.mark.spec("C8", "C33", "C39")
def test_nobody_spends_more_than_agreed() -> None:
    state = act(new(max_spend=10), Purchase("CROSS4"))
    assert refusal(state, Purchase("BOMB")).code == "max_spend_exceeded"
    assert refusal(state, Purchase("BOMB", 10**300)).code == "max_spend_exceeded"
    assert "the 2 you may still spend" in refusal(state, Purchase("H2")).detail
    other = RULES.act(state, 1, Purchase("BOMB", 3), env()).state
    assert other.spent == (8, 9)
    exactly = act(new(max_spend=8), Purchase("H2", 2))
    assert exactly.spent == (8, 0)
    assert refusal(new(max_spend=0), Purchase("BOMB")).code == "max_spend_exceeded"


@pytest.mark.parametrize("quantity", [0, -1, -(10**300)])
def test_a_purchase_is_of_one_at_least(quantity: int) -> None:
    refused = refusal(new(), Purchase("H2", quantity))
    assert (refused.code, refused.field) == ("invalid_quantity", "quantity")


@pytest.mark.parametrize(
    "junk",
    [
        '{"type":"move","move_type":"KNIGHT","x":1,"y":1}',
        '{"type":"move","move_type":"SINGLE","x":1.5,"y":1}',
        '{"type":"move","move_type":"SINGLE","x":true,"y":1}',
        '{"type":"move","move_type":"SINGLE","x":1}',
        '{"type":"purchase","special_type":"SINGLE","quantity":1}',
        '{"type":"purchase","special_type":"H2","quantity":"1"}',
        '{"type":"resign"}',
    ],
)
@pytest.mark.spec("C5")
def test_what_is_no_action_does_not_decode(junk: str) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(junk, type=RULES.action_type)


# --- clocks -----------------------------------------------------------------------------------


@pytest.mark.spec("C47", "C49", "C51")
def test_a_move_charges_the_mover_and_starts_the_other_clock() -> None:
    state = act(new(time_limit_ms=300_000), Move("SINGLE", 0, 0), now=12_000)
    assert state.clocks.left_ms == (288_000, 300_000)
    assert (state.turn, state.turn_number, state.clocks.started_at) == (1, 2, 12_000)
    state = act(state, Move("SINGLE", 1, 0), now=13_500)
    assert state.clocks.left_ms == (288_000, 298_500)
    assert (state.turn, state.turn_number, state.clocks.started_at) == (0, 3, 13_500)


@pytest.mark.spec("C49", "C52")
@pytest.mark.parametrize("seat", [0, 1])
def test_a_purchase_by_either_charges_the_one_to_move(seat: int) -> None:
    state = RULES.act(new(), seat, Purchase("H2"), env(5_000)).state
    assert state.clocks.left_ms == (295_000, 300_000)
    assert (state.turn, state.clocks.started_at) == (0, 5_000)
    assert RULES.deadline(state) == RULES.deadline(new()) == 300_000


@pytest.mark.spec("C26", "C50")
def test_when_the_clock_runs_out_the_other_wins() -> None:
    state = act(new(), Move("SINGLE", 0, 0), now=1_000)
    assert RULES.deadline(state) == 301_000
    step = RULES.expire(state, env(301_000))
    assert RULES.outcome(step.state) == Outcome(0, "timeout", rated=False)
    assert step.events == (TimedOut(1),)
    assert step.state.clocks.left_ms == (299_000, 0)
    assert RULES.deadline(step.state) is None


@pytest.mark.spec("C50")
def test_a_late_look_at_the_clock_shows_nothing_below_zero() -> None:
    step = RULES.expire(new(), env(10**9))
    assert step.state.clocks.left_ms == (0, 300_000)


@pytest.mark.spec("C50", "C54")
def test_nothing_is_done_on_a_clock_that_has_run_out() -> None:
    state = new()
    assert refusal(state, Move("SINGLE", 0, 0), now=300_000).code == "clock_expired"
    assert refusal(state, Purchase("H2"), seat=1, now=300_000).code == "clock_expired"
    assert act(state, Move("SINGLE", 0, 0), now=299_999).clocks.left_ms[0] == 1
    with pytest.raises(ValueError, match="no clock"):
        RULES.expire(state, env(299_999))


@pytest.mark.spec("C49", "C51")
def test_a_winning_move_keeps_turn_and_number() -> None:
    won = act(drawn("AAAA"), Move("SINGLE", 4, 0), now=2_000)
    assert (won.turn, won.turn_number) == (0, 1)
    assert won.clocks.left_ms == (298_000, 300_000)


@pytest.mark.spec("C6")
def test_going_away_changes_nothing() -> None:
    state = new()
    for here in (False, True):
        assert RULES.presence(state, 0, here, env(77)).state is state


def test_a_clock_that_is_a_little_behind_charges_nothing() -> None:
    state = act(new(), Move("SINGLE", 0, 0), now=5_000)
    state = act(state, Move("SINGLE", 1, 0), now=4_990)
    assert state.clocks.left_ms == (295_000, 300_000)
    assert state.clocks.started_at == 5_000


# --- what each may do -------------------------------------------------------------------------


@pytest.mark.spec("C98")
def test_specials_that_are_not_owned_are_not_offered() -> None:
    cells = legal_cells(RULES.view(new(), 0))
    assert cells["SINGLE"] == FULL
    assert {move_type for move_type, legal in cells.items() if legal} == {"SINGLE"}
    assert not any(legal_cells(RULES.view(drawn(), 1)).values())
    assert not any(legal_cells(RULES.view(drawn(), None)).values())


def test_either_seat_may_buy_while_it_may_spend() -> None:
    state = act(new(max_spend=7), Purchase("BOMB"))
    offered = {seat: set(RULES.legal(RULES.view(state, seat))) for seat in (0, 1)}
    assert {action for action in offered[0] if isinstance(action, Purchase)} == {
        Purchase("H2"),
        Purchase("V2"),
        Purchase("BOMB"),
    }
    assert offered[1] == {Purchase("H2"), Purchase("V2"), Purchase("BOMB")}
    assert RULES.legal(RULES.view(state, None)) == ()


def test_the_longest_match_is_bounded_by_what_may_be_spent() -> None:
    assert RULES.longest == 196 + 6 * (40 // 3) + 1


@pytest.mark.spec("C40")
def test_plenty_is_listed_for_every_special() -> None:
    listed = RULES.legal(RULES.view(drawn("B", inventory=PLENTY), 0))
    kinds = [action.move_type for action in listed if isinstance(action, Move)]
    assert {kind: kinds.count(kind) for kind in kinds} == {
        "SINGLE": 195,
        "H2": 13 * 14 - 1,
        "V2": 14 * 13 - 1,
        "CROSS4": 12 * 12,
        "BOMB": 1,
    }


def test_who_is_seen_decides_nothing() -> None:
    """So nobody is asked about it before a step (`Rules.asks_seen`)."""
    assert not RULES.asks_seen
    state = new()
    one, other = (
        RULES.act(state, state.turn, Move("SINGLE", 3, 3), replace(env(1), seen=seen))
        for seen in ((None, None), (1, 0))
    )
    assert one == other
