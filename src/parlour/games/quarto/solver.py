"""What a position of Quarto is worth: exactly, if it can be read to the end, or by a rule of thumb.

A position is seen by the one who must give a piece, and no line is complete in it. It is kept by
its lines, five in the bytes of one number and five in those of another: a byte is the marks that
all pieces on the line have in common (see `board.py`), and beside it stands how many there are. A
piece that has one of the marks of a line with three on it wins. What follows depends on nothing
else, so two boards whose open lines are alike are one position, however they came about.

What is called once a position is written in the part of Python that numba knows; `prepare` compiles
it where numba is installed, which makes it some forty times as fast. The answers are the same.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from parlour.games.quarto.board import LINES, MARKS, PIECES, POSITIONS, Board
from parlour.games.thinking import Numbers, blank, compile_into

ONES: Final = 0x0101010101
"""One in each of five bytes."""
BYTE: Final = 255
EVERY_MARK: Final = ONES * BYTE
HASH_BITS: Final = (1 << 62) - 1

LOW: Final = tuple(
    sum(1 << 8 * line for line in range(5) if position in LINES[line]) for position in POSITIONS
)
"""By position: one in the byte of each of the first five lines that it is on."""
HIGH: Final = tuple(
    sum(1 << 8 * line for line in range(5) if position in LINES[5 + line]) for position in POSITIONS
)
"""The same for the other five."""
MARK: Final = tuple(MARKS[piece] for piece in PIECES)

# What a search has at hand, in one row of numbers: LOW, HIGH and MARK, then which pieces have none
# of these marks, which marks are among these pieces of the first eight and of the last, and how
# many positions may still be looked at.
HIGH_AT: Final = 16
MARK_AT: Final = 32
SAFE_AT: Final = 48
FIRST_AT: Final = SAFE_AT + 256
LAST_AT: Final = FIRST_AT + 256
BUDGET_AT: Final = LAST_AT + 256

UNKNOWN: Final = 2
"""Neither yes nor no."""
WON: Final = 100
"""What a win is worth to `look`, and one more for every move by which it comes sooner."""


class Position(NamedTuple):
    """The lines, how many pieces are on each, and the squares and pieces left, by their bits."""

    low: int = EVERY_MARK
    high: int = EVERY_MARK
    low_count: int = 0
    high_count: int = 0
    empty: int = 0xFFFF
    rest: int = 0xFFFF

    def after(self, piece: int, square: int) -> Position:
        """With a piece of the rest on an empty square."""
        lacking = BYTE ^ MARK[piece]
        return Position(
            self.low & ~(LOW[square] * lacking),
            self.high & ~(HIGH[square] * lacking),
            self.low_count + LOW[square],
            self.high_count + HIGH[square],
            self.empty ^ 1 << square,
            self.rest ^ 1 << piece,
        )

    def completed(self, piece: int, square: int) -> bool:
        """Whether a piece of the rest completes a line there."""
        after = self.after(piece, square)
        low = after.low & LOW[square] * BYTE & (after.low_count >> 2 & ONES) * BYTE
        high = after.high & HIGH[square] * BYTE & (after.high_count >> 2 & ONES) * BYTE
        return bool(low | high)


def laid(board: Board, low: int = EVERY_MARK, high: int = EVERY_MARK) -> Position:
    """A board as one sees it who looks only at these marks of these lines."""
    position = Position(low, high)
    for square, piece in enumerate(board):
        if piece is not None:
            position = position.after(piece, square)
    return position


def complete(position: Position) -> bool:
    """Whether a line is."""
    low = position.low & (position.low_count >> 2 & ONES) * BYTE
    return bool(low | position.high & (position.high_count >> 2 & ONES) * BYTE)


# --- what is compiled -------------------------------------------------------------------------


def united(low: int, high: int) -> int:
    """The marks that any of the lines has."""
    marks = low | high
    marks |= marks >> 32
    marks |= marks >> 16
    return (marks | marks >> 8) & BYTE


def winning(low: int, high: int, low_count: int, high_count: int) -> int:
    """The marks of which a piece must have one to complete a line somewhere."""
    # Of 0 to 4 only three has both low bits set.
    low &= (low_count & low_count >> 1 & ONES) * BYTE
    high &= (high_count & high_count >> 1 & ONES) * BYTE
    return united(low, high)


def dead_squares(low: int, high: int, empty: int, known: Numbers) -> int:
    """The empty squares on which a piece changes nothing, whichever it is."""
    dead = 0
    for square in range(16):
        if empty >> square & 1:
            lines = low & known[square] * BYTE | high & known[HIGH_AT + square] * BYTE
            if lines == 0:
                dead |= 1 << square
    return dead


def tried_before(piece: int, safe: int, live: int, known: Numbers) -> bool:
    """Whether an earlier piece differs from this one in nothing that matters any more."""
    if live != BYTE:
        mark = known[MARK_AT + piece] & live
        for tried in range(piece):
            if safe >> tried & 1 and known[MARK_AT + tried] & live == mark:
                return True
    return False


def hashed(low: int, high: int, left: int) -> int:
    """A number for a position that hardly another has."""
    mixed = low * 0x1D8AF066A7F3C6B5 + high * 0x27D4EB2F165667C5 + left * 0x165667B19E3779F9
    mixed &= HASH_BITS
    mixed ^= mixed >> 29
    mixed = (mixed * 0x2545F4914F6CDD1D) & HASH_BITS
    return mixed ^ mixed >> 31


def remembered(entry: int, key: int, goal: int) -> int:
    """What an entry of the table says of a question: yes, no or `UNKNOWN`.

    It holds the least and the most a position is worth: 0 is lost, 1 a draw, 2 won.
    """
    if entry >> 4 == key >> 4:
        if entry & 3 > goal:
            return 1
        if entry >> 2 & 3 <= goal:
            return 0
    return UNKNOWN


def noted(entry: int, key: int, goal: int, answer: int) -> int:
    """The entry with one more answer."""
    least, most = 0, 2
    if entry >> 4 == key >> 4:
        least, most = entry & 3, entry >> 2 & 3
    if answer:
        least = goal + 1
    else:
        most = goal
    return key >> 4 << 4 | most << 2 | least


def proves(
    goal: int,
    low: int,
    high: int,
    low_count: int,
    high_count: int,
    empty: int,
    rest: int,
    table: Numbers,
    known: Numbers,
) -> int:
    """Whether the one who gives can win, if `goal` is 1, or need not lose, if it is 0.

    Once the budget is below zero the answer means nothing.
    """
    known[BUDGET_AT] -= 1
    safe = rest & known[SAFE_AT + winning(low, high, low_count, high_count)]
    if safe == 0 or rest & (rest - 1) == 0 or known[BUDGET_AT] < 0:
        return 1 - goal if safe or rest == 0 else 0
    # Only lines that are not full, and marks that pieces to come have, matter from here on.
    among = (known[FIRST_AT + (rest & BYTE)] | known[LAST_AT + (rest >> 8)]) * ONES
    low &= among & ~((low_count >> 2 & ONES) * BYTE)
    high &= among & ~((high_count >> 2 & ONES) * BYTE)
    if low | high == 0:
        return 1 - goal
    dead = dead_squares(low, high, empty, known)
    key = hashed(low, high, (empty ^ dead) << 16 | rest)
    slot = key & (len(table) - 1)
    answer = remembered(table[slot], key, goal)
    if answer != UNKNOWN:
        return answer
    tries = empty ^ dead | dead & -dead
    live = united(low, high)
    answer = 0
    for piece in range(16):
        if answer == 0 and safe >> piece & 1 and not tried_before(piece, safe, live, known):
            lacking = BYTE ^ known[MARK_AT + piece]
            answer = 1
            for square in range(16):
                if answer and tries >> square & 1:
                    first, second = known[square], known[HIGH_AT + square]
                    answer = 1 - proves(
                        1 - goal,
                        low & ~(first * lacking),
                        high & ~(second * lacking),
                        low_count + first,
                        high_count + second,
                        empty ^ 1 << square,
                        rest ^ 1 << piece,
                        table,
                        known,
                    )
    if known[BUDGET_AT] >= 0:
        table[slot] = noted(table[slot], key, goal, answer)
    return answer


def rule_of_thumb(safe: int) -> int:
    """What so many pieces that may be given without harm are worth to the one who gives next.

    Given in turn, an odd number leaves none to the other.
    """
    count = 0
    while safe:
        safe &= safe - 1
        count += 1
    return 17 - count if count & 1 else count - 17


def look(
    depth: int,
    alpha: int,
    beta: int,
    low: int,
    high: int,
    low_count: int,
    high_count: int,
    empty: int,
    rest: int,
    known: Numbers,
) -> int:
    """What it is worth to have to give a piece, `depth` pieces ahead, and a rule of thumb beyond.

    Once the budget is below zero the answer means nothing.
    """
    known[BUDGET_AT] -= 1
    marks = winning(low, high, low_count, high_count)
    safe = rest & known[SAFE_AT + marks]
    if rest == 0:
        return 0
    if safe == 0:
        return -WON - depth
    if depth <= 0 or known[BUDGET_AT] < 0:
        return rule_of_thumb(safe) if marks else 0
    best = -WON - depth
    for piece in range(16):
        if safe >> piece & 1 and best < beta:
            lacking = BYTE ^ known[MARK_AT + piece]
            floor = max(alpha, best)
            # What the one who must place it can get, at least more than it is offered.
            most = -beta
            for square in range(16):
                if empty >> square & 1 and most < -floor:
                    first, second = known[square], known[HIGH_AT + square]
                    worth = look(
                        depth - 1,
                        most,
                        -floor,
                        low & ~(first * lacking),
                        high & ~(second * lacking),
                        low_count + first,
                        high_count + second,
                        empty ^ 1 << square,
                        rest ^ 1 << piece,
                        known,
                    )
                    most = max(most, worth)
            best = max(best, -most)
    return best


COMPILED: Final = (
    united,
    winning,
    dead_squares,
    tried_before,
    hashed,
    remembered,
    noted,
    proves,
    rule_of_thumb,
    look,
)

SMALL: Final = 1 << 14
LARGE: Final = 1 << 21


def _marks_of(bits: int, first: int) -> int:
    marks = 0
    for piece in range(8):
        if bits >> piece & 1:
            marks |= MARK[first + piece]
    return marks


AT_HAND: Final = (
    *LOW,
    *HIGH,
    *MARK,
    *(sum(1 << piece for piece in PIECES if not MARK[piece] & marks) for marks in range(256)),
    *(_marks_of(bits, 0) for bits in range(256)),
    *(_marks_of(bits, 8) for bits in range(256)),
)


def at_hand() -> Numbers:
    """What a search has at hand, with an empty budget."""
    known = blank(BUDGET_AT + 1)
    known[:BUDGET_AT] = AT_HAND
    return known


def empty_table() -> Numbers:
    """Where a proof keeps what it has found: more where it is quick enough to fill it."""
    return blank(LARGE if hasattr(proves, "py_func") else SMALL)


def prepare() -> None:
    """Compile the search, if numba is installed. It takes seconds, so not while somebody waits."""
    if compile_into(globals(), *COMPILED, keep=True):
        known = at_hand()
        known[BUDGET_AT] = 1
        proves(0, *Position(), empty_table(), known)
        look(0, -WON, WON, *Position(), known)
