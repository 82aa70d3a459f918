"""Looks ahead in Reversi: alpha-beta over bitboards, exact once the end is in reach.

Before the end a position is worth what one may do next, whose the corners and edges are, and how
many discs lie open: discs on the board tell little before the last one is placed.

What is called once a position is written in the part of Python that numba knows, and `prepare`
compiles it where numba is installed; the answers are the same. The highest cell is then the sign
of its number, so that whatever is shifted down is cut to the cells it can come to lie on.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from msgspec import Struct

from parlour.games.reversi.board import ALL, CELLS
from parlour.games.thinking import (
    DARED,
    GROWTH,
    SPARE_S,
    SURELY,
    Numbers,
    blank,
    compile_into,
    deepen,
)

INNER: Final = 0x7E7E7E7E7E7E7E7E
"""All but the first and the last column: what a line along a row or a slant runs through."""
CORNERS: Final = 0x8100000000000081
FIRST_COLUMN: Final = 0x0101010101010101
LAST_COLUMN: Final = 0x8080808080808080
EDGE_ROWS: Final = 0xFF000000000000FF
EDGE_COLUMNS: Final = FIRST_COLUMN | LAST_COLUMN
SLANTED: Final = 0x0042000000004200
"""The cells that touch a corner by a corner; …"""
BESIDE: Final = 0x4281000000008142
"""… and by a side."""

CORNER_WORTH: Final = 700
SLANTED_WORTH: Final = -300
BESIDE_WORTH: Final = -120
EDGE_WORTH: Final = 150
"""Of a disc on an edge that is tied to a corner, and can never be turned."""
MOVE_WORTH: Final = 75
OPEN_WORTH: Final = -22
"""Of a disc that has an empty cell beside it: it gives the other something to turn."""

DISC_WORTH: Final = 100
WON: Final = 10_000
"""What a win is worth, and more for every disc ahead; no estimate is worth as much."""
BEYOND: Final = 100_000
"""More than anything is worth."""

UNKNOWN: Final = BEYOND + 1

EXACT: Final = 0
AT_LEAST: Final = 1
AT_MOST: Final = 2
ENTRY: Final = 3
"""What is remembered of a position: both sides' discs, and what was found."""
NO_CELL: Final = 64
NOWHERE: Final = -1
REMEMBERED_FROM: Final = 2
REMEMBERED: Final = 1 << 17
ONE: Final = 0x2545F4914F6CDD1D
OTHER: Final = 0x1B56C4F5A7D3E9B1
"""Odd numbers that spread positions over what is remembered."""

LEVELS: Final = 64
WIDTH: Final = 34
"""No position has more moves."""
NEARLY: Final = 4
"""With the end so few moves farther, it costs little more to look to the end at once."""
SORTED_FROM: Final = 3
"""So many moves from where looking ends, it no longer pays to look which move is likely best."""


def count(bits: int) -> int:
    """How many bits are set."""
    bits = bits - (bits >> 1 & 0x5555555555555555)
    bits = (bits & 0x3333333333333333) + (bits >> 2 & 0x3333333333333333)
    bits = bits + (bits >> 4) & 0x0F0F0F0F0F0F0F0F
    bits = bits + (bits >> 8)
    bits = bits + (bits >> 16)
    return bits + (bits >> 32) & 127


def ends(own: int, through: int, step: int) -> int:
    """Where lines from own discs through others come out, both ways; beyond the board too."""
    up = own << step & through
    low = through & (ALL >> step)
    down = own >> step & low
    for _ in range(5):
        up |= up << step & through
        down |= down >> step & low
    return up << step | (down >> step & (ALL >> step))


def ways(own: int, theirs: int) -> int:
    """The empty cells from which discs of theirs would be enclosed."""
    inner = theirs & INNER
    found = ends(own, inner, 1) | ends(own, inner, 7) | ends(own, inner, 9) | ends(own, theirs, 8)
    return found & ~(own | theirs) & ALL


def enclosed(own: int, through: int, disc: int, step: int) -> int:
    """Those that a disc encloses along one line, both ways."""
    found = 0
    line, run = 0, disc << step & through
    while run:
        line |= run
        following = run << step
        if following & own:
            found |= line
        run = following & through
    low = through & (ALL >> step)
    line, run = 0, disc >> step & low
    while run:
        line |= run
        following = run >> step & (ALL >> step)
        if following & own:
            found |= line
        run = following & low
    return found


def turned(own: int, theirs: int, disc: int) -> int:
    """The discs of theirs that one more of one's own encloses."""
    inner = theirs & INNER
    return (
        enclosed(own, inner, disc, 1)
        | enclosed(own, inner, disc, 7)
        | enclosed(own, inner, disc, 9)
        | enclosed(own, theirs, disc, 8)
    )


def around(cells: int) -> int:
    """All that touch one of these cells, and the cells themselves."""
    left, right = cells & ~LAST_COLUMN & ALL, cells & ~FIRST_COLUMN & ALL
    row = cells | left << 1 | (right >> 1 & (ALL >> 1))
    return row | (row << 8 & ALL) | (row >> 8 & (ALL >> 8))


def tied(own: int) -> int:
    """The discs on edges that are tied to a corner by others of the same side."""
    found = own & CORNERS
    rows, columns = own & EDGE_ROWS, own & EDGE_COLUMNS
    for _ in range(6):
        found |= (found << 1 | (found >> 1 & (ALL >> 1))) & rows
        found |= (found << 8 | (found >> 8 & (ALL >> 8))) & columns
    return found


def estimate(own: int, theirs: int, options: int) -> int:
    """A guess where looking ends; `options` are the ways of the one to move."""
    empty = ~(own | theirs) & ALL
    by_corner = around(empty & CORNERS)
    worth = MOVE_WORTH * (count(options) - count(ways(theirs, own)))
    worth += CORNER_WORTH * (count(own & CORNERS) - count(theirs & CORNERS))
    slanted, beside = by_corner & SLANTED, by_corner & BESIDE
    worth += SLANTED_WORTH * (count(own & slanted) - count(theirs & slanted))
    worth += BESIDE_WORTH * (count(own & beside) - count(theirs & beside))
    if (own | theirs) & CORNERS:
        worth += EDGE_WORTH * (count(tied(own)) - count(tied(theirs)))
    in_open = around(empty)
    return worth + OPEN_WORTH * (count(own & in_open) - count(theirs & in_open))


def final(own: int, theirs: int) -> int:
    """What a game is worth that is over."""
    ahead = count(own) - count(theirs)
    return 0 if ahead == 0 else DISC_WORTH * ahead + (WON if ahead > 0 else -WON)


def slot_of(own: int, theirs: int) -> int:
    """Where a position is remembered."""
    return ENTRY * ((((own * ONE) ^ (theirs * OTHER)) & ALL) >> 30 & (REMEMBERED - 1))


def enough(entry: int, depth: int, alpha: int, beta: int) -> int:
    """What is remembered of a position, if it was looked at as deep and answers; or `UNKNOWN`."""
    bound, known = entry >> 14 & 3, (entry >> 16) - BEYOND
    if entry >> 7 & 127 != depth or (bound == AT_LEAST and known < beta):
        return UNKNOWN
    return UNKNOWN if bound == AT_MOST and known > alpha else known


def likely_first(
    own: int, theirs: int, options: int, first: int, depth: int, moves: Numbers, base: int
) -> int:
    """Puts moves in an order: one that was best before, corners, what leaves the other least."""
    found = 0
    while options:
        disc = options & -options
        options ^= disc
        cell = count(disc - 1)
        weight = 0
        if cell == first:
            weight = 1000
        elif disc & CORNERS:
            weight = 40
        elif disc & SLANTED:
            weight = -20
        elif disc & BESIDE:
            weight = -5
        if depth >= SORTED_FROM and cell != first:
            flips = turned(own, theirs, disc)
            mine, yours = own | disc | flips, theirs ^ flips
            open_to = ways(yours, mine)
            weight -= 2 * count(open_to) + 2 * count(open_to & CORNERS)
        at = base + found
        packed = (weight + 200) * 64 + cell
        while at > base and moves[at - 1] < packed:
            moves[at] = moves[at - 1]
            at -= 1
        moves[at] = packed
        found += 1
    return found


def searched(
    own: int,
    theirs: int,
    depth: int,
    alpha: int,
    beta: int,
    level: int,
    budget: Numbers,
    table: Numbers,
    moves: Numbers,
) -> int:
    """What a position is worth to the one to move, looking so many moves ahead.

    Positions looked at are taken off the budget; once it is below zero the answer means nothing.
    """
    budget[0] -= 1
    if budget[0] < 0:
        return alpha
    options = ways(own, theirs)
    if options == 0:
        if ways(theirs, own) == 0:
            return final(own, theirs)
        return -searched(theirs, own, depth, -beta, -alpha, level + 1, budget, table, moves)
    if depth <= 0:
        return estimate(own, theirs, options)

    # Just before looking ends it costs more to remember than to look again.
    slot = slot_of(own, theirs) if depth >= REMEMBERED_FROM else NOWHERE
    first = NO_CELL
    if slot != NOWHERE and table[slot] == own and table[slot + 1] == theirs:
        known = enough(table[slot + 2], depth, alpha, beta)
        if known != UNKNOWN:
            return known
        first = table[slot + 2] & 127

    base = level * WIDTH
    found = likely_first(own, theirs, options, first, depth, moves, base)
    best, lowest, at = -BEYOND, alpha, base
    while at < base + found and best < beta:
        cell = moves[at] & 63
        disc = 1 << cell
        flips = turned(own, theirs, disc)
        mine, yours = own | disc | flips, theirs ^ flips
        if at == base:
            worth = -searched(
                yours, mine, depth - 1, -beta, -alpha, level + 1, budget, table, moves
            )
        else:
            worth = -searched(
                yours, mine, depth - 1, -alpha - 1, -alpha, level + 1, budget, table, moves
            )
            if alpha < worth < beta:
                worth = -searched(
                    yours, mine, depth - 1, -beta, -worth, level + 1, budget, table, moves
                )
        if worth > best:
            best, first = worth, cell
        alpha = max(alpha, worth)
        at += 1
    if slot != NOWHERE and budget[0] >= 0:
        bound = AT_MOST if best <= lowest else AT_LEAST if best >= beta else EXACT
        table[slot], table[slot + 1] = own, theirs
        table[slot + 2] = (best + BEYOND) << 16 | bound << 14 | depth << 7 | first
    return best


class Looking:
    """One look at a position: what is remembered of it while it gets deeper."""

    def __init__(self, own: int, theirs: int) -> None:
        self._budget, self._table = blank(1), blank(ENTRY * REMEMBERED)
        self._moves = blank(LEVELS * 2 * WIDTH)
        self._signed = not isinstance(self._moves, list)
        self._own, self._theirs = self._number(own), self._number(theirs)

    def _number(self, cells: int) -> int:
        """As the search takes it: compiled, the highest cell is the sign."""
        return cells - ((cells >> 63) << 64) if self._signed else cells

    def worths(
        self, cells: Sequence[int], depth: int, allowed: int, *, each: bool = False
    ) -> tuple[dict[int, int], int]:
        """What cells are worth, and at how many positions it looked.

        Of those that are worth less than another it is only told so, unless `each` is asked for.
        """
        self._budget[0] = allowed
        found: dict[int, int] = {}
        alpha = -BEYOND
        for cell in cells:
            disc = self._number(1 << cell)
            flips = int(turned(self._own, self._theirs, disc))
            after = self._theirs ^ flips, self._own | disc | flips
            tables = self._budget, self._table, self._moves
            found[cell] = -int(searched(*after, depth - 1, -BEYOND, -alpha, 0, *tables))
            if not each:
                alpha = max(alpha, found[cell] - 1)
            if self._budget[0] < 0:
                break
        return found, allowed - int(self._budget[0])


def best_cell(
    own: int,
    theirs: int,
    cells: Sequence[int],
    time_left: Callable[[], float],
    *,
    deepest: int,
    ending: int,
) -> int:
    """Where to place, looking up to `deepest` moves ahead while there is time.

    With up to `ending` empty cells, to the end.
    """
    empty, looking = CELLS - (own | theirs).bit_count(), Looking(own, theirs)
    reach = empty if empty <= ending else min(deepest, empty)

    def look(options: Sequence[int], depth: int, allowed: int) -> tuple[dict[int, int], int]:
        return looking.worths(options, ahead(depth, reach, empty), allowed)

    return deepen(cells, look, time_left, surely=1, deepest=reach, decided=WON)


def ahead(depth: int, reach: int, empty: int) -> int:
    """How far to look instead of so far: to the end at once, where that costs little more."""
    return empty if reach == empty and depth > NEARLY and depth + NEARLY >= empty else depth


class Each(Struct, frozen=True):
    """What every cell is worth."""

    worth: dict[int, int]
    ahead: int
    """How many moves were looked ahead."""


def each_cell(own: int, theirs: int, cells: Sequence[int], time_left: Callable[[], float]) -> Each:
    """What every cell is worth, looking as far ahead as there is time."""
    empty, looking = CELLS - (own | theirs).bit_count(), Looking(own, theirs)
    options, found = list(cells), Each({}, 0)
    allowed, before = SURELY, time_left()
    while found.ahead < empty and allowed > 0:
        far = ahead(found.ahead + 1, empty, empty)
        worth, seen = looking.worths(options, far, allowed, each=True)
        left = time_left()
        spent, before = before - left, left
        if seen <= allowed:
            found = Each(worth, far)
            options.sort(key=lambda cell: -found.worth[cell])
        elif left < spent:
            break
        rate = seen / max(spent, 0.0001)
        allowed = min(GROWTH * seen, int(rate * (left - SPARE_S) * DARED))
    return found


COMPILED = (
    count,
    ends,
    ways,
    enclosed,
    turned,
    around,
    tied,
    estimate,
    final,
    slot_of,
    enough,
    likely_first,
    searched,
)


def prepare() -> bool:
    """Compile the search, if numba is installed; what was compiled is kept on disk."""
    if not compile_into(globals(), *COMPILED, keep=True):
        return False
    Looking(1 << 28 | 1 << 35, 1 << 27 | 1 << 36).worths([19], 2, 1000)
    return True
