"""Ways to set up Connect Five, and its rules a second time: slow and obvious, on a plain grid."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from msgspec.structs import replace

from parlour.games.api import Dice, Env, Millis, Seat, Step, other
from parlour.games.connect_five.board import bit
from parlour.games.connect_five.rules import RULES
from parlour.games.connect_five.table import Action, Inventory, Move, Options, State

Grid = list[list[int]]
"""`grid[y][x]`: 0 empty, 1 seat 0, 2 seat 1."""

PLENTY = Inventory(9, 9, 9, 9)


def env(now: Millis = 0, step: int = 1) -> Env:
    """A moment of a match."""
    return Env(now, Dice(b"connect five", step))


def new(max_spend: int = 40, time_limit_ms: Millis = 300_000) -> State:
    """A match in which seat 0 moves first."""
    options = Options(first=0, max_spend=max_spend, time_limit_ms=time_limit_ms)
    return RULES.setup(options, env())


def drawn(*rows: str, inventory: Inventory = PLENTY) -> State:
    """A match whose upper left corner looks like this, `A` to move, both with that inventory."""
    stones = [0, 0]
    for y, row in enumerate(rows):
        for x, mark in enumerate(row.replace(" ", "")):
            if mark != ".":
                stones["AB".index(mark)] |= bit(x, y)
    return replace(new(), stones=(stones[0], stones[1]), inventories=(inventory, inventory))


def grid(state: State) -> Grid:
    """The board as the document has it."""
    return [
        [
            1 if state.stones[0] & bit(x, y) else 2 if state.stones[1] & bit(x, y) else 0
            for x in range(14)
        ]
        for y in range(14)
    ]


def targets(move: Move) -> list[tuple[int, int]]:
    """The cells the document lists for a move."""
    x, y = move.x, move.y
    return {
        "SINGLE": [(x, y)],
        "H2": [(x, y), (x + 1, y)],
        "V2": [(x, y), (x, y + 1)],
        "CROSS4": [(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)],
        "BOMB": [(x, y)],
    }[move.move_type]


def fits(cells: Grid, seat: Seat, move: Move) -> bool:
    """Whether the document allows a move, inventory and turn aside."""
    content = 2 - seat if move.move_type == "BOMB" else 0
    return all(0 <= x <= 13 and 0 <= y <= 13 and cells[y][x] == content for x, y in targets(move))


def line_through(cells: Grid, x: int, y: int) -> int:
    """How many of one colour stand in the longest line through a piece."""
    longest = 0
    for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
        length = 1
        for sign in (1, -1):
            px, py = x + sign * dx, y + sign * dy
            while 0 <= px <= 13 and 0 <= py <= 13 and cells[py][px] == cells[y][x]:
                length += 1
                px, py = px + sign * dx, py + sign * dy
        longest = max(longest, length)
    return longest


class Taken(NamedTuple):
    """One step of a match: what was, who did what and when, and what came of it."""

    state: State
    seat: Seat
    action: Action
    env: Env
    step: Step[State]


def random_match(seed: int, options: Options, pace_ms: Millis = 7) -> Iterator[Taken]:
    """A match of random actions, until it ends or a clock has run out."""
    chance = Dice(b"players", seed)
    state = RULES.setup(options, env(step=seed))
    now = 0
    while (deadline := RULES.deadline(state)) is not None:
        now += chance.below(pace_ms)
        if now >= deadline:
            return
        seat = state.turn if chance.chance(90) else other(state.turn)
        legal = RULES.legal(RULES.view(state, seat))
        if not legal:
            continue
        # Some kinds of action can be taken in hundreds of ways, others in one: kind first.
        by_kind: dict[str, list[Action]] = {}
        for action in legal:
            kind = action.move_type if isinstance(action, Move) else "purchase"
            by_kind.setdefault(kind, []).append(action)
        action = chance.choice(by_kind[chance.choice(sorted(by_kind))])
        step = RULES.act(state, seat, action, env(now))
        yield Taken(state, seat, action, env(now), step)
        state = step.state
