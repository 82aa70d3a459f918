"""Thinks about a match of Connect Five: a forced win if there is one, else what looks best ahead.

How much there is to look at is counted in positions, and how many fit into the time that is left is
measured on the way.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from functools import cache, partial
from typing import Final

from msgspec import Struct

from parlour.games.api import Dice, Seat, other
from parlour.games.connect_five import solver
from parlour.games.connect_five.board import CELLS, SHAPES, SIZE, cells_in
from parlour.games.connect_five.lines import DIAGONAL, STRAIGHT, row
from parlour.games.connect_five.table import PRICES, Special, State
from parlour.games.thinking import Numbers

EVERY: Final = STRAIGHT + DIAGONAL
KINDS: Final = tuple(SHAPES)

SPARE_S: Final = 0.03
"""How much of the time is kept for the way back."""
TRIED: Final = 300
"""Positions looked at before it is known how long they take."""
MEASURED: Final = 100
"""Fewer tell nothing about that."""
DARED: Final = 0.5
"""How much of what should fit into the time left is tried at once, as speed differs by position."""
EVER: Final = 10**9
HIDDEN: Final = 1500
"""A forced win of the other's that takes more positions than these to find is taken to be hidden.

Whoever moves first with money to spend nearly always has one: to shun the hidden ones as well would
leave nothing, and any answer to the plain ones is better than none.
"""
MOST_MONEY: Final = 1_000
"""More than this is as good as this."""
UNWANTED: Final = -1
DECIDED: Final = solver.WON - 1000
"""Worth this or more, a position is won."""


class Eye(Struct, frozen=True):
    """What somebody sees of lines and money; all by default."""

    directions: tuple[tuple[int, int], ...] = EVERY
    uses: tuple[Special, ...] = tuple(PRICES)
    """The specials it has in mind for itself."""
    wary: bool = True
    """It minds what the other can buy."""


class Depth(Struct, frozen=True, kw_only=True):
    """How far somebody looks."""

    ahead: int = 0
    """Moves ahead, threats and their answers not counted."""
    wide: int = 8
    """How many moves it considers at each turn."""
    forcing: int = 0
    """How many threats in a row it follows, with every answer to them."""
    guarding: int = 0
    """How many threats in a row of the other's it makes sure of that they come to nothing."""
    positions: int = 1_000_000
    """It looks at no more than these."""

    @property
    def looks(self) -> bool:
        """Whether it looks ahead at all."""
        return self.ahead > 0 or self.forcing > 0


class Budget:
    """Positions that may be looked at: so many in all, and as many as there is time for."""

    def __init__(self, most: int, time_left: Callable[[], float]) -> None:
        self.left = most
        self._time_left = time_left
        self._rate: float | None = None

    @property
    def over(self) -> bool:
        """Whether there is nothing left of it."""
        return self.left <= 0 or self._time_left() <= SPARE_S

    def spend(
        self, look: Callable[[], int], board: Board, part: float, most: int = EVER
    ) -> int | None:
        """What a look finds that may take such a part of it; None: it did not come to an end."""
        wanted = min(int(self.left * part), most)
        while wanted > 0 and not self.over:
            began = self._time_left()
            fitting = TRIED if self._rate is None else int(self._rate * (began - SPARE_S) * DARED)
            allowed = min(wanted, fitting)
            board.at[solver.BUDGET] = allowed
            found = int(look())
            left = int(board.at[solver.BUDGET])
            seen = allowed - max(left, 0)
            self.left -= seen
            if seen >= MEASURED:
                self._rate = seen / max(began - self._time_left(), 0.0001)
            if left >= 0:
                return found
            wanted = min(wanted, self.left) if allowed == TRIED else 0
        return None


class Board:
    """A position laid out for the search."""

    def __init__(self, state: State, seat: Seat, eye: Eye) -> None:
        self.lines = _numbers(eye.directions)
        self.at = solver.numbers(solver.WHOLE)
        self.stack = solver.numbers(solver.STACK)
        self.at[solver.EMPTY] = CELLS
        for side, stones in enumerate(state.stones):
            for x, y in cells_in(stones):
                solver.put(self.at, self.lines, y * SIZE + x, side, 1)
        self._pay_in(state, seat, eye.uses)
        self._pay_in(state, other(seat), tuple(PRICES) if eye.wary else ())

    def _pay_in(self, state: State, seat: Seat, uses: Collection[Special]) -> None:
        purse = solver.PURSE + seat * (solver.SPECIALS + 1)
        self.at[purse] = min(state.options.max_spend - state.spent[seat], MOST_MONEY)
        for kind, name in enumerate(KINDS):
            if name != "SINGLE":
                held = min(state.inventories[seat].count(name), MOST_MONEY)
                self.at[purse + kind] = held if name in uses else UNWANTED

    # --- at a glance --------------------------------------------------------------------------

    def win(self, seat: Seat) -> int | None:
        """How a seat would have five at once."""
        found = int(solver.win_now(self.at, self.lines, seat))
        return None if found < 0 else found

    def threatened(self, seat: Seat) -> bool:
        """Whether the other seat would have five at once."""
        return self.win(other(seat)) is not None

    def good(self, seat: Seat, wide: int, guard: int = 1) -> list[tuple[int, int]]:
        """The moves that look best, with what they look worth."""
        count = solver.candidates(self.at, self.lines, self.stack, 0, seat, guard, wide)
        return self._listed(count)

    def stops(self, seat: Seat, wide: int = solver.ROOM // 2) -> list[tuple[int, int]]:
        """All moves after which the other cannot win at once any more, best first."""
        count = solver.defences(self.at, self.lines, self.stack, 0, seat, wide)
        return self._listed(count)

    def options(self, seat: Seat, wide: int) -> list[tuple[int, int]]:
        """What is worth a thought."""
        return self.stops(seat, wide) if self.threatened(seat) else self.good(seat, wide)

    def _listed(self, count: int) -> list[tuple[int, int]]:
        return [(int(self.stack[2 * n]), int(self.stack[2 * n + 1])) for n in range(count)]

    def quick(self, seat: Seat, guard: int) -> int | None:
        """A win, a stone or a bomb that stops one, or the stone that does most: no search."""
        if (winning := self.win(seat)) is not None:
            return winning
        if guard and (stop := self._stop(seat)) is not None:
            return stop
        solver.heat(self.at, self.lines, seat)
        own, theirs = solver.OWN, solver.THEIRS
        worth = {
            cell: int(self.at[own + cell] + guard * self.at[theirs + cell])
            for cell in range(CELLS)
            if self.at[cell] == 0
        }
        best = max(worth, key=worth.__getitem__, default=None)
        return best if best is not None and worth[best] > 0 else None

    def _stop(self, seat: Seat) -> int | None:
        """A stone or a bomb after which the other cannot win at once any more."""
        if not self.threatened(seat):
            return None
        line = int(self.at[solver.LINE])
        for cell in self.lines[line * 5 : line * 5 + 5]:
            kind = solver.BOMB if self.at[cell] else 0
            if solver.can_pay(self.at, seat, kind):
                move = kind * CELLS + int(cell)
                bought = solver.play(self.at, self.lines, move, seat)
                stopped = not self.threatened(seat)
                solver.undo(self.at, self.lines, move, seat, bought)
                if stopped:
                    return move
        return None

    # --- ahead --------------------------------------------------------------------------------

    def forced(
        self,
        seat: Seat,
        depths: Iterable[int],
        wide: int,
        budget: Budget,
        part: float,
        most: int = EVER,
    ) -> int | None:
        """The first move of a win that nothing can stop, as far as it was looked for."""
        for threats in depths:
            at = (self.at, self.lines, self.stack, seat, threats, 0, wide)
            found = budget.spend(partial(solver.attack, *at), self, part, most)
            if found:
                return int(self.at[solver.FIRST])
            if found is None:
                break
        return None

    def after(self, move: int, seat: Seat, look: Callable[[], int | None]) -> int | None:
        """What a look finds once a move has been made; the board is as before."""
        bought = solver.play(self.at, self.lines, move, seat)
        try:
            return look()
        finally:
            solver.undo(self.at, self.lines, move, seat, bought)

    def worth(self, move: int, seat: Seat, ahead: int, wide: int, lowest: int) -> int:
        """What a move is worth, looking so far ahead; no more than `lowest`: at most that."""
        bought = solver.play(self.at, self.lines, move, seat)
        rest = (other(seat), ahead - 1, 1, -solver.WON, -lowest, wide)
        worth = -int(solver.negamax(self.at, self.lines, self.stack, *rest))
        solver.undo(self.at, self.lines, move, seat, bought)
        return worth

    def weighed(
        self, moves: Sequence[int], seat: Seat, ahead: int, wide: int, found: dict[int, int]
    ) -> int:
        """What the best of these moves is worth; `found` gets what each is, or no more than it."""
        best = -solver.WON
        for move in moves:
            found[move] = self.worth(move, seat, ahead, wide, best - 1)
            best = max(best, found[move])
        return best

    def ranked(self, seat: Seat, depth: Depth, budget: Budget) -> list[tuple[int, int]]:
        """The moves worth a thought and what they are worth, best first."""
        found = self.options(seat, depth.wide)
        for ahead in range(1, depth.ahead + 1 if len(found) > 1 else 1):
            worth: dict[int, int] = {}
            moves = [move for move, _ in found]
            look = partial(self.weighed, moves, seat, ahead, depth.wide, worth)
            best = budget.spend(look, self, 0.6)
            if best is None:
                break
            found = sorted(worth.items(), key=lambda each: -each[1])
            if abs(best) >= DECIDED:
                break
        return found

    def best(self, seat: Seat, depth: Depth, budget: Budget, dice: Dice) -> int | None:
        """The move to make, alike by chance; None: there is none that looks like anything."""
        if (winning := self.win(seat)) is not None:
            return winning
        threats = range(1, depth.forcing + 1)
        winning = self.forced(seat, threats, 2 * depth.wide, budget, 0.3)
        if winning is not None:
            return winning
        ranked = self.ranked(seat, depth, budget)
        if not ranked:
            return None
        alike = [move for move, worth in ranked if worth == ranked[0][1]]
        dice.shuffle(alike)
        others = [move for move, _ in ranked[len(alike) :]]
        return self.safest([*alike, *others], seat, depth, budget)

    def safest(self, moves: Sequence[int], seat: Seat, depth: Depth, budget: Budget) -> int:
        """The first of these against which the other has no forced win.

        If it has one against all, the one against which it is hardest to find.
        """
        left, wide = list(moves), 2 * depth.wide
        for threats in range(1, depth.guarding + 1):
            if len(left) == 1 or budget.over:
                break
            holding: list[int] = []
            hardest, hardest_to_find = left[0], 0
            for move in left:
                before = budget.left
                bought = solver.play(self.at, self.lines, move, seat)
                if self.forced(other(seat), (threats,), wide, budget, 0.2, HIDDEN) is None:
                    holding.append(move)
                elif before - budget.left > hardest_to_find:
                    hardest, hardest_to_find = move, before - budget.left
                solver.undo(self.at, self.lines, move, seat, bought)
            if not holding:
                return hardest
            left = holding
        return left[0]


@cache
def _numbers(directions: tuple[tuple[int, int], ...]) -> Numbers:
    told = row(directions)
    numbers = solver.numbers(len(told))
    for place, number in enumerate(told):
        numbers[place] = number
    return numbers


def prepare() -> None:
    """Have the search compiled, if numba is installed; and now, not while somebody waits."""
    if solver.prepare():
        _numbers.cache_clear()
        lines, stack = _numbers(EVERY), solver.numbers(solver.STACK)
        at = solver.numbers(solver.WHOLE)
        at[solver.EMPTY] = CELLS
        solver.attack(at, lines, stack, 0, 1, 0, 4)
        solver.negamax(at, lines, stack, 0, 1, 0, -solver.WON, solver.WON, 4)
