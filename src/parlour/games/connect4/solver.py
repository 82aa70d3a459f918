"""What a position of Connect 4 is worth if both play their best, exactly.

A score is seen by the one to move: 0 is a draw; +n a win, where n is 22 less the discs the winner
will have played then, so that a sooner win is worth more; -n a loss likewise.

A question is always "more than `alpha`, or not?": a search that need not tell how much more leaves
out most of the tree. It is a loop over a stack of its own rather than a function that calls itself,
and is written in the part of Python that numba knows; `prepare` compiles it where numba is
installed, which makes it a few hundred times as fast. The answers are the same.

Where there is a book (`book.py`), the search of an opening ends at the positions that stand in it.
"""

from __future__ import annotations

from typing import Final

from parlour.games.connect4.board import BOTTOM, CELLS, COLUMNS, EVERYWHERE, landing
from parlour.games.connect4.book import NO_BOOK
from parlour.games.thinking import Numbers, blank, compile_into

BOTTOM_ROW: Final = sum(BOTTOM)
CENTRE_FIRST: Final = (3, 2, 4, 1, 5, 0, 6)

BEST: Final = CELLS // 2
"""No score is greater."""
UNKNOWN: Final = 3 * BEST
"""No score, but that the search was given up."""
LOWER: Final = 4 * BEST
"""What is added to a score that is remembered as the least a position is worth."""
OFFSET: Final = 2 * BEST
"""What is added to every score that is remembered, so that none is negative."""

# A level of the stack: the discs of the one to move, all discs, the best score so far, how many
# moves there are, which is next, and the moves, each with its weight above the disc.
LEVEL: Final = 5 + COLUMNS
WEIGHT: Final = 49
DISC: Final = (1 << WEIGHT) - 1

# A book's entry: its position in four bytes, the greatest first, and what that is worth in one.
BOOK_DISCS: Final = 12
ENTRY: Final = 5
SURE: Final = 100
"""What a win would be worth in the book if it needed no more discs."""


def count(bits: int) -> int:
    """How many bits are set."""
    found = 0
    while bits:
        bits &= bits - 1
        found += 1
    return found


def threats(mine: int, occupied: int) -> int:
    """The free cells in which a disc would make four."""
    found = (mine << 1) & (mine << 2) & (mine << 3)
    for step in (7, 8, 6):
        before = (mine << step) & (mine << 2 * step)
        after = (mine >> step) & (mine >> 2 * step)
        found |= before & ((mine << 3 * step) | (mine >> step))
        found |= after & ((mine >> 3 * step) | (mine << step))
    return found & (EVERYWHERE ^ occupied)


def slot_of(key: int, last: int) -> int:
    """Where a position is remembered, in a table of a power of two."""
    return (key ^ (key >> 11) ^ (key >> 23)) & last


def likely_first(
    mine: int, occupied: int, moves: int, alpha: int, table: Numbers, stack: Numbers, base: int
) -> int:
    """Puts moves on the stack, those that make most threats first; or a score that is enough.

    A move that leads to a position remembered as bad enough for the opponent makes looking further
    needless. Otherwise `UNKNOWN`.
    """
    last = len(table) - 1
    theirs = mine ^ occupied
    found = 0
    for column in CENTRE_FIRST:
        disc = moves & (63 << 7 * column)
        if disc:
            key = theirs + (occupied | disc) + BOTTOM_ROW
            entry = table[slot_of(key, last)]
            if entry >> 8 == key:
                most = (entry & 255) - OFFSET
                if most <= BEST and -most > alpha:
                    return -most
            weight = count(threats(mine | disc, occupied | disc))
            at = base + 5 + found
            while at > base + 5 and (stack[at - 1] >> WEIGHT) < weight:
                stack[at] = stack[at - 1]
                at -= 1
            stack[at] = (weight << WEIGHT) | disc
            found += 1
    stack[base + 2] = -OFFSET
    stack[base + 3] = found
    stack[base + 4] = 0
    return UNKNOWN


def spelt(mine: int, occupied: int, mirrored: bool) -> int:
    """A position as the book spells it: 10 and 11 for a disc of either, 0 for the end of a column.

    The first of 32 bits is the sign.
    """
    word = 0
    for number in range(COLUMNS):
        column = COLUMNS - 1 - number if mirrored else number
        cell = 1 << 7 * column
        while occupied & cell:
            word = 4 * word + (2 if mine & cell else 3)
            cell <<= 1
        word *= 2
    word *= 2
    return word - (1 << 32) if word >> 31 else word


def in_book(mine: int, occupied: int, book: memoryview) -> int:
    """The score that the book knows, by halving what may hold it; otherwise `UNKNOWN`."""
    for mirrored in (False, True):
        word = spelt(mine, occupied, mirrored)
        low, high = 0, len(book) // ENTRY
        while low < high:
            middle = (low + high) // 2
            at = ENTRY * middle
            found = book[at] << 24 | (book[at + 1] & 255) << 16
            found |= (book[at + 2] & 255) << 8 | (book[at + 3] & 255)
            if found == word:
                worth = book[at + 4] + 0
                wins = CELLS // 2 + 1 - BOOK_DISCS // 2 - (SURE - abs(worth) + 1) // 2
                return wins if worth > 0 else -wins if worth < 0 else 0
            if found < word:
                low = middle + 1
            else:
                high = middle
    return UNKNOWN


def at_once(mine: int, occupied: int, moves: int, alpha: int, table: Numbers) -> int:
    """A score for which nothing need be tried, if it answers the question; otherwise `UNKNOWN`."""
    discs = count(occupied)
    if moves == 0 or discs >= CELLS - 2:
        return -((CELLS - discs) // 2) if moves == 0 else 0
    # Nobody wins with the next disc, so there is a least and a most that can still be.
    least, most = -((CELLS - 2 - discs) // 2), (CELLS - 1 - discs) // 2
    if least > alpha:
        return least
    if most <= alpha:
        return most
    key = mine + occupied + BOTTOM_ROW
    entry = table[slot_of(key, len(table) - 1)]
    score = (entry & 255) - OFFSET
    if entry >> 8 != key or (score > alpha and score - LOWER <= alpha):
        return UNKNOWN
    return score if score <= BEST else score - LOWER


def unharmed(mine: int, occupied: int) -> int:
    """The moves after which the opponent cannot win at once."""
    possible = (occupied + BOTTOM_ROW) & EVERYWHERE
    danger = threats(mine ^ occupied, occupied)
    forced = possible & danger
    if forced:
        possible = 0 if forced & (forced - 1) else forced
    return possible & ~(danger >> 1)


def search(
    mine: int,
    occupied: int,
    alpha: int,
    table: Numbers,
    stack: Numbers,
    budget: Numbers,
    book: memoryview,
) -> int:
    """A score on the same side of `alpha` as the true one, and not farther from it.

    The one to move must not be able to win at once. Positions looked at are taken off the budget;
    when it is used up the answer is `UNKNOWN`.
    """
    last = len(table) - 1
    known_at = BOOK_DISCS - count(occupied) if len(book) else -1
    level, value = 0, 0
    entering = True
    stack[0], stack[1] = mine, occupied
    while True:
        base = level * LEVEL
        mine, occupied = stack[base], stack[base + 1]
        bound = -alpha - 1 if level & 1 else alpha
        if entering:
            budget[0] -= 1
            if budget[0] < 0:
                return UNKNOWN
            moves = unharmed(mine, occupied)
            value = at_once(mine, occupied, moves, bound, table)
            if value == UNKNOWN and level == known_at:
                value = in_book(mine, occupied, book)
            if value == UNKNOWN:
                value = likely_first(mine, occupied, moves, bound, table, stack, base)
        else:
            score = -value
            stack[base + 2] = max(stack[base + 2], score)
            value = UNKNOWN
            if score > bound:
                value = score
                key = mine + occupied + BOTTOM_ROW
                table[slot_of(key, last)] = (key << 8) | (score + OFFSET + LOWER)
        if value == UNKNOWN:
            following = stack[base + 4]
            if following < stack[base + 3]:
                stack[base + 4] = following + 1
                stack[base + LEVEL] = mine ^ occupied
                stack[base + LEVEL + 1] = occupied | (stack[base + 5 + following] & DISC)
                level += 1
                entering = True
                continue
            value = stack[base + 2]
            key = mine + occupied + BOTTOM_ROW
            table[slot_of(key, last)] = (key << 8) | (value + OFFSET)
        if level == 0:
            return value
        level -= 1
        entering = False


def solved(
    mine: int,
    occupied: int,
    low: int,
    high: int,
    table: Numbers,
    stack: Numbers,
    budget: Numbers,
    book: memoryview,
) -> int:
    """The score of a position that goes on, by halving what is possible; or `UNKNOWN`.

    Of one that is not between `low` and `high` it is only told on which side of them.
    """
    discs = count(occupied)
    if threats(mine, occupied) & (occupied + BOTTOM_ROW) & EVERYWHERE:
        return min(high, (CELLS + 1 - discs) // 2)
    low, high = max(low, -((CELLS - discs) // 2)), min(high, (CELLS - 1 - discs) // 2)
    while low < high:
        # That somebody does not win soon is cheap to show, and leaves little to ask.
        middle = low + (high - low) // 2
        middle = min(middle, -(-low // 2)) if middle <= 0 else max(middle, high // 2)
        found = search(mine, occupied, middle, table, stack, budget, book)
        if found == UNKNOWN:
            return UNKNOWN
        if found <= middle:
            high = max(found, low)
        else:
            low = min(found, high)
    return low


class Solver:
    """Remembers what it found, so that positions of one game cost little more than the first."""

    def __init__(self, remembered: int = 22, book: memoryview = NO_BOOK) -> None:
        """So many positions are remembered, as a power of two: each takes eight bytes."""
        self._table = blank(1 << remembered)
        for at in range(0, 1 << remembered, 512):
            self._table[at] = 0  # memory is there once it is written to, which no search waits for
        self._stack = blank(LEVEL * (CELLS + 2))
        self._budget = blank(1)
        self._book = book

    def score(
        self, mine: int, occupied: int, budget: int = 1 << 60, *, most: int = BEST
    ) -> int | None:
        """What the position is worth; None if it takes more than so many positions to tell.

        The game must not be over. With `most` = 1 the answer is who wins, which is found sooner
        than how soon.
        """
        self._budget[0] = budget
        return self._solved(mine, occupied, -most, most)

    def scores(
        self, mine: int, occupied: int, budget: int = 1 << 60, *, most: int = BEST
    ) -> list[int | None] | None:
        """What each column is worth to the one to move; None for a full one.

        None altogether if it takes more than so many positions to tell.
        """
        found: list[int | None] = []
        for column in range(COLUMNS):
            disc = landing(occupied, column)
            if not disc:
                found.append(None)
            elif threats(mine, occupied) & disc:
                found.append(min(most, (CELLS + 1 - count(occupied)) // 2))
            elif occupied | disc == EVERYWHERE:
                found.append(0)
            else:
                score = self.score(mine ^ occupied, occupied | disc, budget, most=most)
                if score is None:
                    return None
                budget = int(self._budget[0])
                found.append(-score)
        return found

    def keeping(self, mine: int, occupied: int, budget: int = 1 << 60) -> int | None:
        """A column after which nothing of the result is lost: one proof, where `scores` needs all.

        None if it takes more than so many positions to tell.
        """
        result = self.score(mine, occupied, budget, most=1)
        if result is None:
            return None
        for column in CENTRE_FIRST:
            disc = landing(occupied, column)
            if not disc:
                continue
            if result < 0 or threats(mine, occupied) & disc or occupied | disc == EVERYWHERE:
                return column
            left = self._solved(mine ^ occupied, occupied | disc, -result, 1 - result)
            if left is None or left == -result:
                return None if left is None else column
        raise AssertionError("no column is worth what the position is")

    def _solved(self, mine: int, occupied: int, low: int, high: int) -> int | None:
        tables = self._table, self._stack, self._budget, self._book
        score = int(solved(mine, occupied, low, high, *tables))
        return None if score == UNKNOWN else score


COMPILED = (
    count,
    threats,
    slot_of,
    spelt,
    in_book,
    likely_first,
    at_once,
    unharmed,
    search,
    solved,
)


def compiled() -> bool:
    """Whether `prepare` has been at work."""
    return hasattr(search, "py_func")


def prepare() -> bool:
    """Compile the search, if numba is installed; what was compiled is kept on disk."""
    if not compile_into(globals(), *COMPILED, keep=True):
        return False
    Solver(4).score(0, 0, budget=1)
    return True
