"""Looks ahead in Connect 4: alpha-beta over the bitboards of `board.py`.

Every function that is called once a position is written in the part of Python that numba knows.
`prepare` compiles them, where numba is installed, and the same search sees several moves further.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from parlour.games.connect4.board import BOTTOM, CELLS, COLUMN, landing, makes_four
from parlour.games.connect4.solver import count, threats
from parlour.games.thinking import Numbers, blank, compile_into, deepen

BOTTOM_ROW: Final = sum(BOTTOM)
BOARD: Final = sum(COLUMN)
HEART: Final = sum(
    cells << 7 * column for column, cells in enumerate((0, 0o14, 0o36, 0o77, 0o36, 0o14, 0))
)
"""The cells through which most lines run, seven or more."""
FIRST_GETS: Final = 0b010101 * BOTTOM_ROW
SECOND_GETS: Final = 0b101010 * BOTTOM_ROW
CENTRE_FIRST: Final = (3, 2, 4, 1, 5, 0, 6)

WON: Final = 1000
"""What a win is worth, less one for every disc it takes."""
DECIDED: Final = WON - CELLS
"""Nothing less is a win that was seen."""
UNKNOWN: Final = -WON - 1
EXACT: Final = 0
AT_LEAST: Final = 1
AT_MOST: Final = 2

REMEMBERED: Final = 131_071
FEW: Final = 1021
SURELY: Final = 50_000
"""More positions than `worths` is asked to look at."""


def safe_moves(possible: int, danger: int) -> int:
    """The moves after which the opponent, who threatens `danger`, cannot win at once."""
    forced = possible & danger
    if forced & (forced - 1):
        return 0
    if forced:
        possible = forced
    return possible & ~(danger >> 1)


def estimate(mine: int, occupied: int, chances: int, danger: int) -> int:
    """A guess where looking ends: threats, and discs in the middle of the board.

    If both fill up column after column, the one who began gets the first cell of each that is left,
    the third and the fifth, and the other the cells between: threats there are worth most.
    """
    hold = count(mine & HEART) - count((mine ^ occupied) & HEART)
    lead = count(chances) - count(danger)
    if count(occupied) % 2:
        sure = count(chances & SECOND_GETS) - count(danger & FIRST_GETS)
    else:
        sure = count(chances & FIRST_GETS) - count(danger & SECOND_GETS)
    return hold + 2 * lead + 4 * sure


def recalled(key: int, alpha: int, beta: int, keys: Numbers, values: Numbers) -> int:
    """What is remembered of a position, if that is enough to know; else `UNKNOWN`."""
    slot = key % len(keys)
    if keys[slot] != key:
        return UNKNOWN
    bound, score = values[slot] % 4, values[slot] // 4 - WON
    if (bound == AT_LEAST and score < beta) or (bound == AT_MOST and score > alpha):
        return UNKNOWN
    return score


def negamax(
    mine: int,
    occupied: int,
    depth: int,
    alpha: int,
    beta: int,
    budget: Numbers,
    keys: Numbers,
    values: Numbers,
) -> int:
    """What the position is worth to the one to move, looking `depth` moves ahead.

    `keys` and `values` remember what was met before. Once the budget is below zero the answer
    means nothing.
    """
    budget[0] -= 1
    discs = count(occupied)
    possible = (occupied + BOTTOM_ROW) & BOARD
    chances, danger = threats(mine, occupied), threats(mine ^ occupied, occupied)
    if chances & possible:
        return WON - discs - 1
    if discs >= CELLS - 1 or budget[0] < 0:
        return 0
    possible = safe_moves(possible, danger)
    if possible == 0:
        return discs + 2 - WON
    if depth <= 0:
        return estimate(mine, occupied, chances, danger)
    key = (mine + occupied + BOTTOM_ROW) * 64 + depth
    best = recalled(key, alpha, beta, keys, values)
    if best != UNKNOWN:
        return best

    highest = alpha
    for column in CENTRE_FIRST:
        disc = possible & (63 << 7 * column)
        if disc and highest < beta:
            score = -negamax(
                mine ^ occupied, occupied | disc, depth - 1, -beta, -highest, budget, keys, values
            )
            best = max(best, score)
            highest = max(highest, score)
    if budget[0] >= 0:
        bound = AT_MOST if best <= alpha else AT_LEAST if best >= beta else EXACT
        keys[key % len(keys)] = key
        values[key % len(keys)] = (best + WON) * 4 + bound
    return best


def best_column(
    mine: int, occupied: int, columns: Sequence[int], deepest: int, time_left: Callable[[], float]
) -> int:
    """The best column, looking up to `deepest` moves ahead, or as far as the time allows."""
    budget, keys, values = blank(1), blank(REMEMBERED), blank(REMEMBERED)

    def look(columns: Sequence[int], depth: int, allowed: int) -> tuple[dict[int, int], int]:
        budget[0] = allowed
        worth: dict[int, int] = {}
        highest = -WON
        for column in columns:
            disc = landing(occupied, column)
            if makes_four(mine | disc, disc):
                score = WON - count(occupied) - 1
            else:
                theirs, after = mine ^ occupied, occupied | disc
                score = -negamax(theirs, after, depth - 1, -WON, -highest, budget, keys, values)
            worth[column] = score
            highest = max(highest, score)
        return worth, allowed - int(budget[0])

    deepest = min(deepest, CELLS - count(occupied))
    return deepen(columns, look, time_left, surely=2, deepest=deepest, decided=DECIDED)


def worths(mine: int, occupied: int, columns: Sequence[int], depth: int) -> dict[int, int]:
    """What each column is worth, looking a few moves ahead."""
    budget, keys, values = blank(1), blank(FEW), blank(FEW)
    budget[0] = SURELY
    found: dict[int, int] = {}
    for column in columns:
        disc = landing(occupied, column)
        if makes_four(mine | disc, disc):
            found[column] = WON - count(occupied) - 1
        else:
            after = mine ^ occupied, occupied | disc
            found[column] = -int(negamax(*after, depth - 1, -WON, WON, budget, keys, values))
    return found


def prepare() -> None:
    """Compile the search, if numba is installed. It takes seconds, so not while somebody waits."""
    if compile_into(globals(), count, threats, safe_moves, estimate, recalled, negamax):
        best_column(0, 0, CENTRE_FIRST, 2, lambda: 0.0)
