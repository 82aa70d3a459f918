"""What lies on the table of Connect Five: terms, inventories, moves, and the match itself."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import compress
from typing import Annotated, Literal

from msgspec import Struct
from msgspec.structs import astuple, replace

from parlour.games.api import SEATS, Millis, Outcome, Seat
from parlour.games.clocks import Clocks
from parlour.games.connect_five.board import Cell, MoveType
from parlour.games.options import offer

Special = Literal["H2", "V2", "CROSS4", "BOMB"]

PRICES: dict[Special, int] = {"H2": 4, "V2": 4, "CROSS4": 8, "BOMB": 3}
"""What one of each costs."""

MAX_AMOUNT = 10**15


class Options(Struct, frozen=True, kw_only=True):
    """The terms of a match."""

    first: Seat | None = None
    """Who moves first; None: chance decides."""
    time_limit_ms: Millis = 600_000
    time_limit_seconds: Annotated[
        int,
        offer(
            "Clock of each player",
            choices={
                60: "1 minute",
                180: "3 minutes",
                300: "5 minutes",
                600: "10 minutes",
                1200: "20 minutes",
                1800: "30 minutes",
            },
        ),
    ] = 600
    """As agreed before settings stretched or shortened the clocks; the rules only keep it."""
    stake: int = 0
    """What each seat put into the pot before the match; the rules only keep it."""
    max_spend: Annotated[
        int,
        offer(
            "For special pieces",
            "what each player may spend on them",
            choices={0: "nothing", 20: "20", 40: "40"},
        ),
    ] = 40
    """What each seat may spend on specials."""

    def __post_init__(self) -> None:
        if self.first not in (None, *SEATS):
            raise ValueError("first must be 0, 1 or null")
        if self.time_limit_ms <= 0:
            raise ValueError("time_limit_ms must be above 0")
        if not (0 <= self.stake <= MAX_AMOUNT and 0 <= self.max_spend <= MAX_AMOUNT):
            raise ValueError(f"amounts go from 0 to {MAX_AMOUNT}")


_FIELDS: dict[Special, str] = {special: special.lower() for special in PRICES}


class Inventory(Struct, frozen=True):
    """The specials a seat owns, in the order of `PRICES`."""

    h2: int = 0
    v2: int = 0
    cross4: int = 0
    bomb: int = 0

    def count(self, special: Special) -> int:
        """How many of one kind."""
        held: int = getattr(self, _FIELDS[special])
        return held

    @property
    def held(self) -> Iterable[Special]:
        """The kinds of which there is at least one."""
        return compress(PRICES, astuple(self))

    def plus(self, special: Special, quantity: int) -> Inventory:
        """The same with `quantity` more, or fewer, of one kind."""
        return replace(self, **{_FIELDS[special]: self.count(special) + quantity})


class State(Struct, frozen=True, kw_only=True, gc=False):
    """A match. The clocks know whose turn it is."""

    options: Options
    clocks: Clocks
    stones: tuple[int, int] = (0, 0)
    """Each seat's pieces as a set of cells (see board.py)."""
    turn_number: int = 1
    inventories: tuple[Inventory, Inventory] = (Inventory(), Inventory())
    spent: tuple[int, int] = (0, 0)
    last: Moved | None = None
    ended: Outcome | None = None

    @property
    def turn(self) -> Seat:
        """Who is to move; after the end, who moved last or ran out of time."""
        return self.clocks.running

    @property
    def first(self) -> Seat:
        """Who moved first: the turn changes hands each time that it is counted."""
        return (self.turn + self.turn_number - 1) % 2


class Move(Struct, frozen=True, tag="move"):
    """Place pieces, or bomb one."""

    move_type: MoveType
    x: int
    y: int


class Purchase(Struct, frozen=True, tag="purchase"):
    """Buy specials."""

    special_type: Special
    quantity: int = 1


Action = Move | Purchase


class Moved(Struct, frozen=True, tag="moved", gc=False):
    """What a move did to the board. A special also left its owner's inventory."""

    seat: Seat
    move_type: MoveType
    x: int
    y: int
    placed: tuple[Cell, ...] = ()
    removed: Cell | None = None


class Purchased(Struct, frozen=True, tag="purchased"):
    """What a seat bought, and for how much."""

    seat: Seat
    special_type: Special
    quantity: int
    total_cost: int


class TimedOut(Struct, frozen=True, tag="timed_out"):
    """Whose clock ran out."""

    seat: Seat


class View(Struct, frozen=True, gc=False):
    """Nothing is hidden in this game: a view is the match, and who looks at it."""

    seat: Seat | None
    state: State
    cells: tuple[str, str]
    """Each seat's pieces as 196 digits: not everybody reads integers as long as the state's."""
    winning: tuple[Cell, ...] = ()
    """The five that won, once it is won so."""
