"""Connect Five over random boards and matches, against a second, slow and obvious reading."""

from __future__ import annotations

from collections import Counter

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from parlour.games.api import Refused, other
from parlour.games.clocks import Clocks
from parlour.games.connect_five.board import (
    EMPTY_GRID,
    SHAPES,
    anchors,
    bit,
    cell_set,
    cells_in,
    has_five,
    redrawn,
    text,
    winning_five,
)
from parlour.games.connect_five.board import (
    grid as fast_grid,
)
from parlour.games.connect_five.rules import RULES, longest_game
from parlour.games.connect_five.table import PRICES, Action, Move, Options, Purchase, State
from tests.rules.five import PLENTY, env, fits, grid, line_through, new, random_match, targets

seeds = st.integers(0, 2**32)
cell_sets = st.integers(0, 2**196 - 1)


@st.composite
def boards(draw: st.DrawFn) -> State:
    """A board as full as chance wants it, both seats with plenty of specials."""
    filled = draw(cell_sets) | (draw(cell_sets) & draw(st.sampled_from([0, -1])))
    mine = draw(cell_sets)
    stones = (filled & mine, filled & ~mine)
    return replace(new(), stones=stones, inventories=(PLENTY, PLENTY))


@st.composite
def positions(draw: st.DrawFn) -> State:
    """A position that was reached by play."""
    options = Options(max_spend=draw(st.integers(0, 60)))
    taken = list(random_match(draw(seeds), options))
    return draw(st.sampled_from(taken)).state


def every_action() -> list[Action]:
    """All moves on and around the board, and small purchases."""
    moves = [Move(kind, x, y) for kind in SHAPES for x in range(-1, 15) for y in range(-1, 15)]
    return [*moves, *(Purchase(special, n) for special in PRICES for n in range(3))]


@pytest.mark.spec("C55", "C85")
@given(boards())
def test_the_board_is_shown_as_rows_of_small_numbers(state: State) -> None:
    assert [list(row) for row in fast_grid(state.stones)] == grid(state)


@given(boards(), boards())
def test_a_board_is_redrawn_from_any_other(state: State, following: State) -> None:
    drawn = redrawn(EMPTY_GRID, (0, 0), state.stones)
    assert msgspec.json.decode(drawn) == grid(state)
    again = redrawn(drawn, state.stones, following.stones)
    assert again.encode() == msgspec.json.encode(grid(following))


# --- what may be done -------------------------------------------------------------------------


@pytest.mark.spec("C29", "C56", "C57", "C58", "C59", "C60", "C61", "C62")
@settings(max_examples=40, deadline=None)
@given(positions())
def test_what_is_listed_is_accepted_and_all_else_refused_unchanged(state: State) -> None:
    before = msgspec.json.encode(state)
    now = state.clocks.started_at
    for seat in (0, 1):
        legal = set(RULES.legal(RULES.view(state, seat)))
        for action in every_action():
            if isinstance(action, Purchase) and action.quantity > 1:
                continue  # amounts are listed as one unit
            try:
                RULES.act(state, seat, action, env(now))
            except Refused:
                assert action not in legal
            else:
                assert action in legal
    assert msgspec.json.encode(state) == before


@pytest.mark.spec("C56", "C57", "C58", "C59", "C60")
@settings(max_examples=60, deadline=None)
@given(boards(), st.sampled_from((0, 1)))
def test_where_a_move_fits_is_where_the_document_says(state: State, seat: int) -> None:
    cells = grid(state)
    for kind in SHAPES:
        expected = {
            (x, y) for y in range(14) for x in range(14) if fits(cells, seat, Move(kind, x, y))
        }
        found = anchors(kind, state.stones[seat], state.stones[other(seat)])
        assert set(cells_in(found)) == expected


@pytest.mark.spec("C60", "C61", "C62")
@settings(max_examples=150, deadline=None)
@given(
    boards(),
    st.sampled_from(sorted(SHAPES)),
    st.integers(-1, 14),
    st.integers(-1, 14),
)
def test_a_move_happens_whole_or_not_at_all(state: State, kind: str, x: int, y: int) -> None:
    move = Move(kind, x, y)  # type: ignore[arg-type]  # sampled from the kinds
    before = grid(state)
    expected = [row[:] for row in before]
    if not fits(before, 0, move):
        with pytest.raises(Refused):
            RULES.act(state, 0, move, env())
        assert grid(state) == before
        return
    for tx, ty in targets(move):
        expected[ty][tx] = 0 if kind == "BOMB" else 1
    assert grid(RULES.act(state, 0, move, env()).state) == expected


# --- lines ------------------------------------------------------------------------------------


@pytest.mark.spec("C63")
@settings(max_examples=300, deadline=None)
@given(boards())
def test_five_are_found_where_a_slow_look_finds_them(state: State) -> None:
    cells = grid(state)
    for seat in (0, 1):
        lines = {
            (x, y): line_through(cells, x, y)
            for y in range(14)
            for x in range(14)
            if cells[y][x] == seat + 1
        }
        stones = state.stones[seat]
        assert has_five(stones) == any(length >= 5 for length in lines.values())
        for at, length in lines.items():
            five = winning_five(stones, bit(*at))
            assert (len(five) == 5) == (length >= 5)
            assert not five or (at in five and cell_set(five) & stones == cell_set(five))


@pytest.mark.spec("C63")
@pytest.mark.parametrize(("dx", "dy"), [(1, 0), (0, 1), (1, 1), (-1, 1)])
def test_every_line_of_five_is_found_and_none_of_four(dx: int, dy: int) -> None:
    for y in range(14):
        for x in range(14):
            line = [(x + n * dx, y + n * dy) for n in range(5)]
            if not all(0 <= px <= 13 and 0 <= py <= 13 for px, py in line):
                continue
            assert has_five(cell_set(line))
            assert winning_five(cell_set(line), bit(*line[2])) == tuple(line)
            for missing in line:
                assert not has_five(cell_set(cell for cell in line if cell != missing))


def test_a_text_of_cells_reads_like_the_board() -> None:
    for y in range(14):
        for x in range(14):
            digits = text(bit(x, y))
            assert (len(digits), digits.index("1"), digits.count("1")) == (196, y * 14 + x, 1)


# --- whole matches ----------------------------------------------------------------------------


@pytest.mark.spec("C25", "C27", "C38", "C39", "C40", "C63", "C64", "C65")
@settings(max_examples=150, deadline=None)
@given(seeds, st.integers(0, 200))
def test_matches_with_specials_keep_their_books_and_end_as_the_document_says(
    seed: int, max_spend: int
) -> None:
    options = Options(max_spend=max_spend)
    charged: Counter[int] = Counter()
    owned: Counter[tuple[int, str]] = Counter()
    steps = 0
    for state, seat, action, _, step in random_match(seed, options):
        after = step.state
        steps += 1
        for charge in step.charges:
            charged[charge.seat] += charge.amount
        if isinstance(action, Purchase):
            owned[seat, action.special_type] += action.quantity
        elif action.move_type != "SINGLE":
            owned[seat, action.move_type] -= 1
        assert after.spent == (charged[0], charged[1])
        assert max(after.spent) <= max_spend
        for each in (0, 1):
            for special in PRICES:
                count = after.inventories[each].count(special)
                assert count == owned[each, special] >= 0
        ended = RULES.outcome(after)
        if isinstance(action, Purchase) or action.move_type == "BOMB":
            assert ended is None
            continue
        cells = grid(after)
        assert state.stones[0] & state.stones[1] == 0
        won = any(line_through(cells, x, y) >= 5 for x, y in targets(action))
        full = all(all(row) for row in cells)
        assert (ended is not None) == (won or full)
        if ended is not None:
            assert (ended.winner, ended.reason) == ((seat, "connect5") if won else (None, "draw"))
    assert steps <= longest_game(max_spend)


@pytest.mark.spec("C47", "C49", "C50", "C51", "C52")
@settings(max_examples=100, deadline=None)
@given(seeds, st.integers(1, 60_000), st.integers(2, 5_000))
def test_what_leaves_the_clocks_is_the_time_that_passed(
    seed: int, time_limit_ms: int, pace_ms: int
) -> None:
    options = Options(time_limit_ms=time_limit_ms)
    state = None
    for before, _, action, moment, step in random_match(seed, options, pace_ms):
        state = step.state
        assert 2 * time_limit_ms - sum(state.clocks.left_ms) == moment.now
        assert state.clocks.left_ms[other(before.turn)] == before.clocks.left_ms[other(before.turn)]
        moved = isinstance(action, Move) and RULES.outcome(state) is None
        assert state.turn == (other(before.turn) if moved else before.turn)
        assert state.turn_number == before.turn_number + moved
        assert RULES.outcome(state) is not None or state.clocks.started_at == moment.now
    if state is not None and (deadline := RULES.deadline(state)) is not None:
        lost = RULES.expire(state, env(deadline)).state
        assert lost.clocks.left_ms[state.turn] == 0
        assert 2 * time_limit_ms - sum(lost.clocks.left_ms) == deadline


@given(st.integers(0, 10**6), st.integers(0, 10**6), st.integers(0, 1), st.integers(0, 2 * 10**6))
def test_a_clock_falls_when_nothing_is_left(a: int, b: int, running: int, now: int) -> None:
    clocks = Clocks((a, b), running, 0)
    assert (clocks.charged(now).left_ms[running] == 0) == (now >= clocks.falls_at)


@settings(max_examples=50, deadline=None)
@given(seeds)
def test_a_stored_match_plays_on_the_same(seed: int) -> None:
    for state, seat, action, moment, step in random_match(seed, Options()):
        stored = msgspec.json.decode(msgspec.json.encode(state), type=State)
        again = RULES.act(stored, seat, action, moment)
        assert msgspec.json.encode(again) == msgspec.json.encode(step)
