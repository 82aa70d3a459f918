"""Chooses and weighs moves of Quarto in the time there is: looks ahead, then proves what it can.

A move is the number of a piece to give or of a square to place the given piece on.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from msgspec import Struct

from parlour.games.quarto import solver
from parlour.games.quarto.board import Board
from parlour.games.quarto.solver import AT_HAND, BUDGET_AT, SAFE_AT, WON, Position
from parlour.games.quarto.symmetry import canonical
from parlour.games.thinking import GROWTH, SPARE_S, Numbers

Clock = Callable[[], float]

LOST: Final = -1
DRAWN: Final = 0
WINS: Final = 1

SURELY: Final = 200
"""Positions a question may take without any time left."""
SURELY_PROVED: Final = 6
"""With so few pieces left a proof is tried without any time left, too."""
DARED: Final = 0.4
"""How much of what should fit into the time left is tried at once, as speed differs by position."""
ALIKE_UNTIL: Final = 6
"""With fewer pieces on the board many moves are alike but for a turn of the board or of traits."""
UNBOUNDED: Final = 2 * WON


class Reach(Struct, frozen=True):
    """How far one sees."""

    depth: int
    """So many pieces ahead; 0: no further than what is completed or given now."""
    exact_from: int = 16
    """With so many pieces on the board, to the end."""


class Budget:
    """Turns time into positions: compiled code cannot look at a clock."""

    def __init__(self, time_left: Clock) -> None:
        self.known = solver.at_hand()
        self._time_left = time_left
        self._allowed = SURELY
        self._rate = 0.0

    def asks(self, question: Callable[[], int], *, surely: bool = False) -> int | None:
        """The answer to a question, asked again with more positions while there is time.

        None: there was not enough. A question that is `surely` asked is asked at least once.
        """
        while True:
            before = self._time_left()
            left = before - SPARE_S
            if left <= 0 and not surely:
                return None
            allowed = self._allowed
            if left > 0 and self._rate:
                allowed = max(SURELY, min(allowed, int(self._rate * left * DARED)))
            self.known[BUDGET_AT] = allowed
            answer = question()
            unused = int(self.known[BUDGET_AT])
            seen = allowed - unused
            self._rate = seen / max(before - self._time_left(), 0.0001)
            if unused >= 0:
                return int(answer)
            if left <= 0:
                return None
            self._allowed = GROWTH * allowed


class Choice:
    """The moves of one position, whether a piece is to be given or to be placed."""

    def __init__(self, position: Position, given: int | None, time_left: Clock) -> None:
        self._position = position
        self._given = given
        self._budget = Budget(time_left)
        self._table: Numbers | None = None
        self._safe = AT_HAND[SAFE_AT + solver.winning(*position[:4])]

    def wins_at_once(self, move: int) -> bool:
        """Whether placing there completes a line."""
        return self._given is not None and self._position.completed(self._given, move)

    def loses_at_once(self, move: int) -> bool:
        """Whether giving that piece lets the other complete a line."""
        return self._given is None and not self._safe >> move & 1

    def outlook(self, move: int, depth: int) -> int | None:
        """What a move is worth, looking so many pieces ahead; None: there is no time for that."""
        if self.wins_at_once(move):
            return WON + depth + 1
        if self.loses_at_once(move):
            return -WON - depth - 1
        if depth == 0 and self._given is None:
            return 0
        known = self._budget.known

        def asked() -> int:
            if self._given is not None:
                after = self._position.after(self._given, move)
                return solver.look(depth, -UNBOUNDED, UNBOUNDED, *after, known)
            most = -UNBOUNDED
            for after in self._answers(move):
                worth = solver.look(depth - 1, most, UNBOUNDED, *after, known)
                most = max(most, worth)
            return -most

        return self._budget.asks(asked, surely=depth <= 1)

    def at_least(self, move: int, goal: int) -> bool | None:
        """Whether a move is worth that much at least; None: there is no time to prove it."""
        if self.wins_at_once(move) or self.loses_at_once(move):
            return self.wins_at_once(move) or goal == LOST
        if self._table is None:
            self._table = solver.empty_table()
        known, table = self._budget.known, self._table

        def asked() -> int:
            if self._given is not None:
                after = self._position.after(self._given, move)
                return solver.proves(goal, *after, table, known)
            return not any(
                solver.proves(1 - goal, *after, table, known) or known[BUDGET_AT] < 0
                for after in self._answers(move)
            )

        near_the_end = self._position.rest.bit_count() <= SURELY_PROVED
        proved = self._budget.asks(asked, surely=near_the_end)
        return None if proved is None else bool(proved)

    def worth(self, move: int) -> int | None:
        """`WINS`, `DRAWN` or `LOST`; None: there is no time to prove it."""
        holds = self.at_least(move, DRAWN)
        if not holds:
            return None if holds is None else LOST
        wins = self.at_least(move, WINS)
        return None if wins is None else WINS if wins else DRAWN

    def _answers(self, piece: int) -> list[Position]:
        """What a piece that is given may make of the position."""
        position = self._position
        return [position.after(piece, square) for square in squares(position.empty)]


def squares(bits: int) -> list[int]:
    """Which of sixteen bits are set."""
    return [square for square in range(16) if bits >> square & 1]


def best(
    position: Position, given: int | None, moves: Sequence[int], reach: Reach, time_left: Clock
) -> int:
    """The best of the moves; of those that seem alike the first."""
    choice = Choice(position, given, time_left)
    ordered, verdicts = ranked(
        choice, moves, min(reach.depth, position.rest.bit_count()), time_left
    )
    if abs(verdicts[ordered[0]]) >= WON or 16 - position.empty.bit_count() < reach.exact_from:
        return ordered[0]
    # First of all a move must not lose. What is not known to is still better than what does.
    lost = 0
    while lost < len(ordered) and choice.at_least(ordered[lost], DRAWN) is False:
        lost += 1
    left = ordered[lost:]
    for move in left:
        wins = choice.at_least(move, WINS)
        if wins is None:
            break
        if wins:
            return move
    return left[0] if left else ordered[0]


def ranked(
    choice: Choice, moves: Sequence[int], deepest: int, time_left: Clock
) -> tuple[list[int], Mapping[int, int]]:
    """The moves, best first, and what they seem to be worth, looking as far as time allows."""
    ordered = list(moves)
    verdicts: dict[int, int] = {}
    for depth in range(deepest + 1):
        found: dict[int, int] = {}
        for move in ordered:
            worth = choice.outlook(move, depth)
            if worth is None:
                return ordered, verdicts
            found[move] = worth
        verdicts = found
        ordered.sort(key=lambda move: -verdicts[move])
        if abs(verdicts[ordered[0]]) >= WON or time_left() <= SPARE_S:
            break
    return ordered, verdicts


def alike(board: Board, given: int | None, moves: Sequence[int]) -> list[list[int]]:
    """The moves by kind: those of one differ by a symmetry of the game only."""
    if sum(piece is not None for piece in board) >= ALIKE_UNTIL:
        return [[move] for move in moves]
    kinds: dict[tuple[int, ...], list[int]] = {}
    for move in moves:
        if given is None:
            kind = canonical(board, move)
        else:
            kind = canonical((*board[:move], given, *board[move + 1 :]))
        kinds.setdefault(kind, []).append(move)
    return list(kinds.values())
