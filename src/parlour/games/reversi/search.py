"""How opponents look ahead in Reversi: alpha-beta over bitboards, exact once the end is in reach.

Before the end a position is worth what one may do next, and whose the corners are: discs on the
board tell little before the last one is placed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from parlour.games.reversi.board import ALL, cells_in, flipped, moves
from parlour.games.thinking import deepen

CORNERS: Final = 0x8100000000000081
NEXT_TO_CORNERS: Final = 0x42C300000000C342
CORNER_WORTH: Final = 25
NEXT_WORTH: Final = 8
MOVE_WORTH: Final = 3
DECIDED: Final = 1_000_000
"""Worth of a won game; every disc ahead adds one."""

_ORDER: Final = {
    cell: (CORNERS >> cell & 1) * 2 - (NEXT_TO_CORNERS >> cell & 1) for cell in range(64)
}


class _Budget:
    """How many positions may be looked at."""

    __slots__ = ("allowed", "seen")

    def __init__(self, allowed: int) -> None:
        self.allowed = allowed
        self.seen = 0


def best_cell(
    own: int, theirs: int, cells: Sequence[int], deepest: int, time_left: Callable[[], float]
) -> int:
    """Where to place, looking so many moves ahead at most while there is time."""

    def look(options: Sequence[int], depth: int, allowed: int) -> tuple[dict[int, int], int]:
        budget, worth, alpha = _Budget(allowed), {}, -2 * DECIDED
        for cell in options:
            mine, yours = placed(own, theirs, 1 << cell)
            worth[cell] = -_searched(yours, mine, depth - 1, -2 * DECIDED, -alpha, budget)
            alpha = max(alpha, worth[cell] - 1)
            if budget.seen > allowed:
                break
        return worth, budget.seen

    empty = 64 - (own | theirs).bit_count()
    return deepen(
        cells, look, time_left, surely=1, deepest=min(deepest, empty), decided=DECIDED // 2
    )


def placed(own: int, theirs: int, disc: int) -> tuple[int, int]:
    """Both sides after a disc of one's own."""
    turned = flipped(own, theirs, disc)
    return own | disc | turned, theirs ^ turned


def _searched(own: int, theirs: int, depth: int, alpha: int, beta: int, budget: _Budget) -> int:
    """What a position is worth to whoever is to move."""
    budget.seen += 1
    if budget.seen > budget.allowed:
        return alpha
    options = moves(own, theirs)
    if not options:
        if not moves(theirs, own):
            return _final(own, theirs)
        return -_searched(theirs, own, depth, -beta, -alpha, budget)
    if depth <= 0:
        return _guess(own, theirs, options)
    for cell in sorted(cells_in(options), key=_ORDER.__getitem__, reverse=True):
        mine, yours = placed(own, theirs, 1 << cell)
        alpha = max(alpha, -_searched(yours, mine, depth - 1, -beta, -alpha, budget))
        if alpha >= beta:
            break
    return alpha


def _final(own: int, theirs: int) -> int:
    ahead = own.bit_count() - theirs.bit_count()
    return 0 if ahead == 0 else ahead + (DECIDED if ahead > 0 else -DECIDED)


def _guess(own: int, theirs: int, options: int) -> int:
    free_corners = CORNERS & ~(own | theirs) & ALL
    return (
        CORNER_WORTH * ((own & CORNERS).bit_count() - (theirs & CORNERS).bit_count())
        - (NEXT_WORTH if free_corners else 0)
        * ((own & NEXT_TO_CORNERS).bit_count() - (theirs & NEXT_TO_CORNERS).bit_count())
        + MOVE_WORTH * (options.bit_count() - moves(theirs, own).bit_count())
    )
