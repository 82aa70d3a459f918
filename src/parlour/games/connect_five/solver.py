"""Looks ahead in Connect Five: who can win at once, who can force it, and what is worth most.

The position is one array: the cells, how many stones of each side are in every line of five (kept
up to date stone by stone), and what each side can pay for. Buying costs no turn, so a special that
can be paid for is as good as one in hand. All functions down to `negamax` are written in the part
of Python that numba knows; `prepare` compiles them, and they find the same as uncompiled.

What makes a proof a proof: whoever is attacked may answer with every move, bought or not, that
touches the first way to win, a bomb on any stone of it included. What does not touch it does not
stop it, so nothing is left out. An attack that any of them breaks is no win.
"""

from __future__ import annotations

from typing import Final

from parlour.games.connect_five.lines import LINES, MOST, PAIRS, THROUGH, TOUCH
from parlour.games.thinking import Numbers, blank, compile_into

CELLS: Final = 196
SIZE: Final = 14
SPECIALS: Final = 4
BOMB: Final = 4

# --- where what stands in the array of a position ---------------------------------------------

COUNTS: Final = CELLS
"""How many stones of seat 0 are in each line, then of seat 1."""
PURSE: Final = COUNTS + 2 * LINES
"""Per seat: what it may still spend, and how many it has of each special (-1: it uses none)."""
SCORE: Final = PURSE + 2 * (SPECIALS + 1)
"""Per seat: what its lines are worth in which the other has no stone."""
THREES: Final = SCORE + 2
"""Per seat: how many of these have three stones."""
FOURS: Final = THREES + 2
EMPTY: Final = FOURS + 2
"""How many cells are."""
LINE: Final = EMPTY + 1
"""The line in which the latest way to win was found."""
BUDGET: Final = LINE + 1
"""How many positions may still be looked at; once below zero, answers mean nothing."""
FIRST: Final = BUDGET + 1
"""The move by which the latest attack that was proven begins."""
OWN: Final = FIRST + 1
"""Per cell: what a stone there would add for the one to move."""
THEIRS: Final = OWN + CELLS
"""Per cell: what it would take from the other; on one of theirs, what a bomb would."""
WHOLE: Final = THEIRS + CELLS

ROOM: Final = 128
"""Of the stack of moves, so much per ply: moves and their scores by turns."""
DEEPEST: Final = 40
STACK: Final = ROOM * (DEEPEST + 2)

WORTH: Final = (0, 1, 7, 32, 110, 500)
"""Of a line with so many stones."""
PRICE: Final = (0, 4, 4, 8, 3)
MONEY: Final = 6
"""What one unit to spend is worth."""
TEMPO: Final = 12
"""What it is worth to be the one to move."""
WON: Final = 100_000
"""And one less for every ply until then."""


# --- the position ------------------------------------------------------------------------------


def put(at: Numbers, lines: Numbers, cell: int, side: int, by: int) -> int:
    """Place a stone (`by` 1) or take it away (-1), in every line that goes through its cell."""
    own, theirs = COUNTS + side * LINES, COUNTS + (1 - side) * LINES
    at[cell] = side + 1 if by > 0 else 0
    at[EMPTY] -= by
    where = THROUGH + cell * (MOST + 1)
    for each in range(where + 1, where + 1 + lines[where]):
        line = lines[each]
        before, against = at[own + line], at[theirs + line]
        after = before + by
        at[own + line] = after
        if against == 0:
            at[SCORE + side] += WORTH[after] - WORTH[before]
            at[THREES + side] += (after == 3) - (before == 3)
            at[FOURS + side] += (after == 4) - (before == 4)
        elif before == 0 or after == 0:
            # The other's line is blocked by this stone, or free again without it.
            at[SCORE + 1 - side] -= by * WORTH[against]
            if against == 3:
                at[THREES + 1 - side] -= by
            elif against == 4:
                at[FOURS + 1 - side] -= by
    return 0


def can_pay(at: Numbers, side: int, kind: int) -> bool:
    """Whether a side has a move of this kind, or can buy it."""
    purse = PURSE + side * (SPECIALS + 1)
    if kind == 0 or at[purse + kind] > 0:
        return True
    return at[purse + kind] == 0 and at[purse] >= PRICE[kind]


def fits(at: Numbers, lines: Numbers, move: int) -> bool:
    """Whether all cells of a placement are on the board and empty."""
    where = TOUCH + move * 5
    count = lines[where]
    for each in range(where + 1, where + 1 + count):
        if at[lines[each]] != 0:
            return False
    return count > 0


def play(at: Numbers, lines: Numbers, move: int, side: int) -> int:
    """Make a move and pay for it; 1 if what was used was bought for it."""
    at[BUDGET] -= 1
    kind = move // CELLS
    where = TOUCH + move * 5
    for each in range(where + 1, where + 1 + lines[where]):
        if kind == BOMB:
            put(at, lines, lines[each], 1 - side, -1)
        else:
            put(at, lines, lines[each], side, 1)
    if kind == 0:
        return 0
    purse = PURSE + side * (SPECIALS + 1)
    if at[purse + kind] > 0:
        at[purse + kind] -= 1
        return 0
    at[purse] -= PRICE[kind]
    return 1


def undo(at: Numbers, lines: Numbers, move: int, side: int, bought: int) -> int:
    """Take a move back."""
    kind = move // CELLS
    where = TOUCH + move * 5
    for each in range(where + 1, where + 1 + lines[where]):
        if kind == BOMB:
            put(at, lines, lines[each], 1 - side, 1)
        else:
            put(at, lines, lines[each], side, -1)
    if kind != 0:
        purse = PURSE + side * (SPECIALS + 1)
        if bought:
            at[purse] += PRICE[kind]
        else:
            at[purse + kind] += 1
    return 0


def wealth(at: Numbers, side: int) -> int:
    """What a side has to spend, specials in hand at their price."""
    purse = PURSE + side * (SPECIALS + 1)
    total = at[purse]
    for kind in range(1, SPECIALS + 1):
        if at[purse + kind] > 0:
            total += PRICE[kind] * at[purse + kind]
    return total


def static(at: Numbers, side: int) -> int:
    """What a position is worth to the side to move, at a glance."""
    ahead = wealth(at, side) - wealth(at, 1 - side)
    return at[SCORE + side] - at[SCORE + 1 - side] + MONEY * ahead + TEMPO


# --- moves -------------------------------------------------------------------------------------


def win_now(at: Numbers, lines: Numbers, side: int) -> int:
    """A move by which a side would have five, the cheapest there is; -1: there is none."""
    if at[FOURS + side] == 0 and at[THREES + side] == 0:
        return -1
    pays = can_pay(at, side, 1) or can_pay(at, side, 2) or can_pay(at, side, 3)
    if at[FOURS + side] == 0 and not pays:
        return -1
    own, theirs = COUNTS + side * LINES, COUNTS + (1 - side) * LINES
    found = -1
    for line in range(LINES):
        count = at[own + line]
        if count < 3 or at[theirs + line] != 0:
            continue
        if count == 4:
            at[LINE] = line
            return missing(at, lines, line)
        found = completing(at, lines, side, line, found)
    return found


def missing(at: Numbers, lines: Numbers, line: int) -> int:
    """The first empty cell of a line; -1: there is none."""
    for each in range(line * 5, line * 5 + 5):
        if at[lines[each]] == 0:
            return lines[each]
    return -1


def completing(at: Numbers, lines: Numbers, side: int, line: int, found: int) -> int:
    """The special that completes a line of three, if it is cheaper than the one found before."""
    first, second = -1, -1
    for place in range(5):
        if at[lines[line * 5 + place]] == 0:
            if first < 0:
                first = place
            second = place
    where = PAIRS + (line * 25 + first * 5 + second) * 2
    for each in range(where, where + 2):
        move = lines[each]
        if move < 0:
            continue
        kind = move // CELLS
        cheaper = found < 0 or PRICE[kind] < PRICE[found // CELLS]
        if cheaper and can_pay(at, side, kind) and fits(at, lines, move):
            at[LINE] = line
            found = move
    return found


def insert(stack: Numbers, start: int, count: int, most: int, move: int, score: int) -> int:
    """Keep the best moves so far, best first; how many there are now."""
    if count == most:
        if stack[start + 2 * count - 1] >= score:
            return count
        count -= 1
    place = count
    while place > 0 and stack[start + 2 * place - 1] < score:
        stack[start + 2 * place] = stack[start + 2 * place - 2]
        stack[start + 2 * place + 1] = stack[start + 2 * place - 1]
        place -= 1
    stack[start + 2 * place] = move
    stack[start + 2 * place + 1] = score
    return count + 1


def heat(at: Numbers, lines: Numbers, side: int) -> int:
    """What a stone on each cell would be worth: to oneself, and taken from the other."""
    own, theirs = COUNTS + side * LINES, COUNTS + (1 - side) * LINES
    for cell in range(CELLS):
        at[OWN + cell] = 0
        at[THEIRS + cell] = 0
    for line in range(LINES):
        mine, against = at[own + line], at[theirs + line]
        if against == 0 and mine > 0:
            gain = WORTH[mine + 1] - WORTH[mine]
            for each in range(line * 5, line * 5 + 5):
                if at[lines[each]] == 0:
                    at[OWN + lines[each]] += gain
        elif mine == 0 and against > 0:
            gain = WORTH[against + 1] - WORTH[against]
            lost = WORTH[against] - WORTH[against - 1]
            for each in range(line * 5, line * 5 + 5):
                cell = lines[each]
                at[THEIRS + cell] += gain if at[cell] == 0 else lost
    return 0


def together(at: Numbers, lines: Numbers, side: int, first: int, second: int) -> int:
    """What two stones are worth more than each for itself, in the lines they share."""
    own, theirs = COUNTS + side * LINES, COUNTS + (1 - side) * LINES
    more = 0
    where = THROUGH + first * (MOST + 1)
    for each in range(where + 1, where + 1 + lines[where]):
        line = lines[each]
        if at[theirs + line] == 0:
            for place in range(line * 5, line * 5 + 5):
                if lines[place] == second:
                    mine = at[own + line]
                    both = WORTH[mine + 2] if mine < 4 else WORTH[5]
                    more += both - 2 * WORTH[mine + 1] + WORTH[mine]
    return more


def candidates(
    at: Numbers, lines: Numbers, stack: Numbers, start: int, side: int, guard: int, most: int
) -> int:
    """The moves that look best: so many single stones at most, a quarter as many of each special.

    With `guard` 0 only what they do for oneself counts. What lies above on the stack is lost.
    """
    heat(at, lines, side)
    count = 0
    for cell in range(CELLS):
        if at[cell] == 0:
            score = at[OWN + cell] + guard * at[THEIRS + cell]
            if score > 0:
                count = insert(stack, start, count, most, cell, score)
    for kind in range(1, SPECIALS + 1):
        if can_pay(at, side, kind) and (kind != BOMB or guard > 0):
            found = specials(at, lines, stack, start + ROOM, side, guard, most // 4, kind)
            for each in range(start + ROOM, start + ROOM + 2 * found, 2):
                count = insert(stack, start, count, count + 1, stack[each], stack[each + 1])
    return count


def specials(
    at: Numbers,
    lines: Numbers,
    stack: Numbers,
    start: int,
    side: int,
    guard: int,
    most: int,
    kind: int,
) -> int:
    """The best places for one kind of special, as the heat of cells has it."""
    price, count = PRICE[kind] * MONEY, 0
    for cell in range(CELLS):
        move = kind * CELLS + cell
        if kind == BOMB:
            if at[cell] == 2 - side:
                count = insert(stack, start, count, most, move, at[THEIRS + cell] - price)
            continue
        if not fits(at, lines, move):
            continue
        where, score = TOUCH + move * 5, -price
        for each in range(where + 1, where + 1 + lines[where]):
            score += at[OWN + lines[each]] + guard * at[THEIRS + lines[each]]
        if count == most and 2 * score + price < stack[start + 2 * count - 1]:
            # What its stones do together does not make up for so much.
            continue
        for each in range(where + 1, where + lines[where]):
            for other in range(each + 1, where + 1 + lines[where]):
                score += together(at, lines, side, lines[each], lines[other])
        count = insert(stack, start, count, most, move, score)
    return count


def answer(
    at: Numbers,
    lines: Numbers,
    stack: Numbers,
    start: int,
    count: int,
    most: int,
    side: int,
    move: int,
) -> int:
    """Add a move to those that stop the other from winning at once, if it does."""
    kind = move // CELLS
    if not can_pay(at, side, kind):
        return count
    if kind != BOMB and not fits(at, lines, move):
        return count
    for each in range(count):
        if stack[start + 2 * each] == move:
            return count
    bought = play(at, lines, move, side)
    if win_now(at, lines, 1 - side) < 0:
        score = -static(at, 1 - side)
        if win_now(at, lines, side) >= 0:
            score += WORTH[4]
        count = insert(stack, start, count, most, move, score)
    undo(at, lines, move, side, bought)
    return count


def defences(at: Numbers, lines: Numbers, stack: Numbers, start: int, side: int, most: int) -> int:
    """Every move by which the other cannot win at once any more, best first, so many at most.

    It has a way to do so. What stops it must touch that way: the line, or the cells of the move.
    """
    way = win_now(at, lines, 1 - side)
    line, count = at[LINE], 0
    touched = lines[TOUCH + way * 5]
    for each in range(5 + touched):
        cell = lines[line * 5 + each] if each < 5 else lines[TOUCH + way * 5 + each - 4]
        if at[cell] != 0:
            if at[cell] == 2 - side:
                count = answer(at, lines, stack, start, count, most, side, BOMB * CELLS + cell)
            continue
        column, above = cell % SIZE, cell // SIZE
        count = answer(at, lines, stack, start, count, most, side, cell)
        count = answer(at, lines, stack, start, count, most, side, CELLS + cell)
        count = answer(at, lines, stack, start, count, most, side, 2 * CELLS + cell)
        if column > 0:
            count = answer(at, lines, stack, start, count, most, side, CELLS + cell - 1)
            count = answer(at, lines, stack, start, count, most, side, 3 * CELLS + cell - 1)
        if column < SIZE - 1:
            count = answer(at, lines, stack, start, count, most, side, 3 * CELLS + cell + 1)
        if above > 0:
            count = answer(at, lines, stack, start, count, most, side, 2 * CELLS + cell - SIZE)
            count = answer(at, lines, stack, start, count, most, side, 3 * CELLS + cell - SIZE)
        if above < SIZE - 1:
            count = answer(at, lines, stack, start, count, most, side, 3 * CELLS + cell + SIZE)
    return count


# --- looking ahead -----------------------------------------------------------------------------


def attack(
    at: Numbers, lines: Numbers, stack: Numbers, side: int, depth: int, ply: int, wide: int
) -> int:
    """1 if the side to move wins by force: each move threatens, and nothing stops the last."""
    winning = win_now(at, lines, side)
    if winning >= 0:
        at[FIRST] = winning
        return 1
    if depth <= 0 or ply + 2 > DEEPEST or at[BUDGET] < 0:
        return 0
    mine, yours = ply * ROOM, (ply + 1) * ROOM
    if win_now(at, lines, 1 - side) >= 0:
        count = defences(at, lines, stack, mine, side, ROOM // 2)
    else:
        count = candidates(at, lines, stack, mine, side, 0, wide)
    for each in range(count):
        move = stack[mine + 2 * each]
        bought = play(at, lines, move, side)
        forced = 0
        if win_now(at, lines, 1 - side) < 0 and win_now(at, lines, side) >= 0:
            forced = 1
            replies = defences(at, lines, stack, yours, 1 - side, ROOM // 2)
            for reply in range(replies):
                answered = stack[yours + 2 * reply]
                paid = play(at, lines, answered, 1 - side)
                forced = attack(at, lines, stack, side, depth - 1, ply + 2, wide)
                undo(at, lines, answered, 1 - side, paid)
                if forced == 0:
                    break
        undo(at, lines, move, side, bought)
        if at[BUDGET] < 0:
            return 0
        if forced == 1:
            at[FIRST] = move
            return 1
    return 0


def negamax(
    at: Numbers,
    lines: Numbers,
    stack: Numbers,
    side: int,
    depth: int,
    ply: int,
    alpha: int,
    beta: int,
    wide: int,
) -> int:
    """What a position is worth to the side to move. Answering a threat costs no depth."""
    if win_now(at, lines, side) >= 0:
        return WON - ply
    if at[EMPTY] == 0 or at[BUDGET] < 0:
        return 0
    start = ply * ROOM
    forced = win_now(at, lines, 1 - side) >= 0
    if forced:
        count = defences(at, lines, stack, start, side, wide)
        if count == 0:
            return ply + 1 - WON
    elif depth <= 0:
        return static(at, side)
    else:
        count = candidates(at, lines, stack, start, side, 1, wide)
    if count == 0 or ply >= DEEPEST:
        return static(at, side)
    best = -WON
    for each in range(count):
        move = stack[start + 2 * each]
        bought = play(at, lines, move, side)
        deeper = depth if forced else depth - 1
        lowest = max(alpha, best)
        score = -negamax(at, lines, stack, 1 - side, deeper, ply + 1, -beta, -lowest, wide)
        undo(at, lines, move, side, bought)
        best = max(best, score)
        if best >= beta or at[BUDGET] < 0:
            break
    return best


def numbers(size: int) -> Numbers:
    """So many zeros, as this search wants them."""
    return blank(size)


def prepare() -> bool:
    """Compile the search, if numba is installed. It takes seconds, so not while somebody waits."""
    return compile_into(
        globals(),
        *(
            put,
            can_pay,
            fits,
            play,
            undo,
            wealth,
            static,
            win_now,
            missing,
            completing,
            insert,
            heat,
            together,
        ),
        *(candidates, specials, answer, defences, attack, negamax),
        keep=True,
    )
