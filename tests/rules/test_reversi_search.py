"""The search of Reversi: as the rules say, exact at the end, the same when it is compiled."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import cache
from itertools import islice
from random import Random

import pytest

from parlour.games.api import Dice, Weighed
from parlour.games.reversi import board, search
from parlour.games.reversi.analyst import ANALYST
from parlour.games.reversi.bot import BOTS
from parlour.games.reversi.rules import RULES, Action, Place, State

PLENTY = 10**7


def positions(random: Random, empty: int) -> Iterator[tuple[int, int]]:
    """Positions in which the one to move can, with so many cells left; without end."""
    while True:
        own, theirs = board.START
        while board.moves(own, theirs) and (own | theirs).bit_count() < board.CELLS - empty:
            disc = 1 << random.choice(list(board.cells_in(board.moves(own, theirs))))
            turned = board.flipped(own, theirs, disc)
            own, theirs = theirs ^ turned, own | disc | turned
        if board.moves(own, theirs) and (own | theirs).bit_count() == board.CELLS - empty:
            yield own, theirs


@cache
def counted_out(own: int, theirs: int) -> int:
    """How many discs the one to move will be ahead, by trying everything."""
    moves = list(board.cells_in(board.moves(own, theirs)))
    if not moves:
        if not board.moves(theirs, own):
            return own.bit_count() - theirs.bit_count()
        return -counted_out(theirs, own)
    return max(-counted_out(*after(own, theirs, cell)) for cell in moves)


def after(own: int, theirs: int, cell: int) -> tuple[int, int]:
    """The position for the other, once a disc lies there."""
    turned = board.flipped(own, theirs, 1 << cell)
    return theirs ^ turned, own | turned | 1 << cell


def worth(ahead: int) -> int:
    sign = (ahead > 0) - (ahead < 0)
    return sign * search.WON + search.DISC_WORTH * ahead


@pytest.mark.parametrize("empty", [2, 4, 6, 7])
def test_the_end_is_counted_out_disc_by_disc(empty: int) -> None:
    for own, theirs in islice(positions(Random(empty), empty), 12):
        cells = list(board.cells_in(board.moves(own, theirs)))
        found, seen = search.Looking(own, theirs).worths(cells, empty, PLENTY, each=True)
        assert seen < PLENTY
        assert found == {cell: worth(-counted_out(*after(own, theirs, cell))) for cell in cells}


def test_moves_and_turned_discs_are_those_of_the_rules() -> None:
    for empty in range(3, 60, 4):
        for own, theirs in islice(positions(Random(empty), empty), 3):
            moves = board.moves(own, theirs)
            assert search.ways(own, theirs) == moves
            for cell in board.cells_in(moves):
                disc = 1 << cell
                assert search.turned(own, theirs, disc) == board.flipped(own, theirs, disc)


COMPARE = """
import json
from random import Random
from itertools import islice
from parlour.games.reversi import board, search
from tests.rules.test_reversi_search import positions

def found():
    told = []
    for empty in (4, 8, 20, 33, 47):
        for own, theirs in islice(positions(Random(empty), empty), 4):
            cells = list(board.cells_in(board.moves(own, theirs)))
            worth, seen = search.Looking(own, theirs).worths(cells, 3, 10**6)
            told.append([sorted(worth.items()), seen])
    return told

plain = found()
assert search.prepare()
print(json.dumps([plain, found()]))
"""


def test_compiled_it_finds_the_same_on_the_same_way() -> None:
    done = subprocess.run([sys.executable, "-c", COMPARE], capture_output=True, check=True)  # noqa: S603 our own text
    plain, compiled = json.loads(done.stdout)
    assert compiled == plain


def test_a_budget_ends_a_look_that_takes_too_long() -> None:
    own, theirs = board.START
    _, seen = search.Looking(own, theirs).worths([19, 26, 37, 44], 9, 500)
    assert 500 < seen < 600


# --- who looks ----------------------------------------------------------------------------------


def state_of(own: int, theirs: int) -> State:
    return State((own, theirs), 0, (), 1)


def patience(looks: int) -> Callable[[], float]:
    """Time that is counted in looks at the clock, not in seconds."""
    left = [looks]

    def time_left() -> float:
        left[0] -= 1
        return 10.0 if left[0] > 0 else 0.0

    return time_left


def chosen(name: str, state: State, looks: int = 0) -> int:
    view = RULES.view(state, 0)
    action = BOTS[name].choose(None, view, RULES.legal(view), Dice(b"x", 1), patience(looks))
    assert isinstance(action, Place)
    return action.cell


@pytest.mark.parametrize("name", ["hard", "master"])
def test_the_best_make_no_mistake_at_the_end(name: str) -> None:
    for own, theirs in islice(positions(Random(3), 7), 8):
        cell = chosen(name, state_of(own, theirs), looks=100)
        assert -counted_out(*after(own, theirs, cell)) == counted_out(own, theirs)


def at_once(name: str, state: State) -> int:
    view = RULES.view(state, 0)
    action = BOTS[name].at_once(None, view, RULES.legal(view), Dice(b"x", 1))
    assert isinstance(action, Place)
    return action.cell


def test_without_time_a_corner_is_taken_and_none_is_given_away() -> None:
    corners = {0, 7, 56, 63}
    taken = 0
    for own, theirs in islice(positions(Random(8), 24), 200):
        here = set(board.cells_in(board.moves(own, theirs)))
        if here & corners:
            taken += 1
            assert at_once("master", state_of(own, theirs)) in corners
        elif here - {9, 14, 49, 54}:
            assert at_once("master", state_of(own, theirs)) not in {
                cell
                for cell, by in ((9, 0), (14, 7), (49, 56), (54, 63))
                if not (own | theirs) >> by & 1
            }
    assert taken > 10


def weighed(own: int, theirs: int, time_left: Callable[[], float]) -> Weighed[Action]:
    view = RULES.view(state_of(own, theirs), 0)
    return ANALYST.weigh(None, view, RULES.legal(view), time_left)


def test_the_analyst_knows_the_end_and_says_by_how_much() -> None:
    for own, theirs in islice(positions(Random(5), 6), 10):
        found, ahead = weighed(own, theirs, patience(100)), counted_out(own, theirs)
        assert found.exact
        assert found.value == (ahead > 0) - (ahead < 0)
        assert found.note == (
            "draw" if ahead == 0 else f"{'wins' if ahead > 0 else 'loses'} by {abs(ahead)}"
        )
        assert len(found.moves) == board.moves(own, theirs).bit_count()


def test_before_the_end_the_analyst_estimates_and_says_so() -> None:
    for own, theirs in islice(positions(Random(6), 40), 5):
        found = weighed(own, theirs, lambda: 0.0)
        assert not found.exact
        assert found.note == ""
        assert -1 < found.value < 1
        assert found.value == max(value for _, value in found.moves)
