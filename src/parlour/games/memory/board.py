"""What lies on the board of Memory, and the few ways cards turn over.

Cards are named by their position, row by row from 0. What a card shows is its pair's number.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated, Literal

from msgspec import Struct

from parlour.games import away
from parlour.games.api import SEATS, Millis, Outcome, Seat
from parlour.games.options import offer

CardState = Literal["hidden", "revealed", "matched"]
Phase = Literal["first_flip", "second_flip", "resolve"]

MAX_SIDE = 20
COMMON = 8 * 8
"""Cards on the largest board that people are offered."""


class Options(Struct, frozen=True, kw_only=True):
    """All that may be tuned."""

    rows: Annotated[int, offer("Rows of cards", least=2, most=8)] = 4
    cols: Annotated[int, offer("Columns of cards", least=2, most=8)] = 4
    reveal_ms: Millis = 1_000
    """How long two cards that do not match stay open."""
    turn_limit_ms: Annotated[
        Millis,
        offer(
            "Time for a turn",
            choices={
                0: "no limit",
                15_000: "15 seconds",
                30_000: "30 seconds",
                60_000: "a minute",
                120_000: "two minutes",
            },
        ),
    ] = 60_000
    """How long a turn may take; 0: as long as it likes."""
    countdown_show_ms: Millis = 30_000
    """How long before a turn ends a client begins to count; the rules only pass it on."""
    reconnect_ms: Millis = 120_000
    """How long a player may be away."""
    clairvoyance_ms: Millis = 2_000
    necromancy_revives_itself: bool = True
    """Whether the pair that grants Necromancy comes back with the others."""

    def __post_init__(self) -> None:
        if not (1 <= self.rows <= MAX_SIDE and 1 <= self.cols <= MAX_SIDE):
            raise ValueError(f"rows and cols go from 1 to {MAX_SIDE}")
        if self.rows * self.cols % 2:
            raise ValueError("rows times cols must be even: every card is one of a pair")
        spans = (self.reveal_ms, self.turn_limit_ms, self.countdown_show_ms)
        if min(*spans, self.reconnect_ms, self.clairvoyance_ms) < 0:
            raise ValueError("a span of time is never below 0")


class Card(Struct, frozen=True, omit_defaults=True, gc=False, cache_hash=True):
    """A card where it lies. All boards share those below: what is looked at often stays near."""

    pair_id: int
    state: CardState = "hidden"
    matched_by: Seat | None = None


Cards = tuple[Card, ...]

HIDDEN = tuple(Card(pair_id) for pair_id in range(MAX_SIDE**2 // 2))
REVEALED = tuple(Card(card.pair_id, "revealed") for card in HIDDEN)
MATCHED = tuple(tuple(Card(card.pair_id, "matched", seat) for card in HIDDEN) for seat in SEATS)
"""The cards there are, by what they show; matched ones by whose they are, too."""


def is_common(index: int, pair_id: int) -> bool:
    """Whether a card may lie there on a board that people choose: what is made of it is kept.

    Of all others there are too many.
    """
    return index < COMMON and 2 * pair_id < COMMON


class Held(Struct, frozen=True, cache_hash=True):
    """Copies of one power-up in a hand."""

    power_up_id: str
    count: int


Hand = tuple[Held, ...]


class Glimpse(Struct, frozen=True):
    """Cards shown to both until then, without being flipped."""

    indices: tuple[int, ...]
    until: Millis


class State(Struct, frozen=True, kw_only=True, gc=False):
    """A game. Only one clock of each kind runs, and none once it has ended."""

    options: Options
    cards: Cards
    turn: Seat
    phase: Phase = "first_flip"
    flipped: tuple[int, ...] = ()
    """Cards flipped this turn and not yet resolved."""
    scores: tuple[int, int] = (0, 0)
    hands: tuple[Hand, Hand] = ((), ())
    known: tuple[int, ...] = ()
    """Positions that anybody has seen open since the cards were last shuffled, in order."""
    shuffles: int = 0
    """How often all hidden cards changed places, so that what was seen before is worth nothing."""
    unveiled: bool = False
    """Whoever's turn it is sees which hidden cards nobody knows."""
    glimpses: tuple[Glimpse, ...] = ()
    reveal_until: Millis | None = None
    turn_ends_at: Millis | None = None
    turn_left_ms: Millis | None = None
    """What is left of the turn while somebody is away and its clock stands still."""
    away_until: away.Until = away.NOBODY
    """Until when each seat must be back; None: it is here."""
    ended: Outcome | None = None


class CardView(Struct, frozen=True, omit_defaults=True, gc=False, cache_hash=True):
    """A card as a player sees it: what a hidden one shows is not here."""

    index: int
    state: CardState
    pair_id: int | None = None
    matched_by: Seat | None = None


class View(Struct, frozen=True, kw_only=True, gc=False):
    """A game as one seat, or a spectator, sees it."""

    seat: Seat | None
    options: Options
    cards: tuple[CardView, ...]
    turn: Seat
    phase: Phase
    flipped: tuple[int, ...]
    scores: tuple[int, int]
    hand: Hand
    """The viewer's own."""
    highlight: tuple[int, ...]
    """Hidden cards nobody knows, for the one who unveiled them."""
    shuffles: int
    turn_ends_at: Millis | None
    turn_left_ms: Millis | None
    away_until: away.Until
    ended: Outcome | None


# --- turning cards ----------------------------------------------------------------------------


def shown(cards: Cards, indices: Iterable[int]) -> Cards:
    """The board with these cards open."""
    laid = list(cards)
    for index in indices:
        laid[index] = REVEALED[laid[index].pair_id]
    return tuple(laid)


def hidden(cards: Cards, indices: Iterable[int]) -> Cards:
    """The board with these cards face down again, but for those that have been matched."""
    laid = list(cards)
    for index in indices:
        if laid[index].state == "revealed":
            laid[index] = HIDDEN[laid[index].pair_id]
    return tuple(laid)


def known_with(state: State, indices: Sequence[int]) -> tuple[int, ...]:
    """What is known once these cards have been seen, too."""
    fresh = [index for index in indices if index not in state.known]
    return tuple(sorted((*state.known, *fresh))) if fresh else state.known


# --- hands ------------------------------------------------------------------------------------


def count_in(hand: Hand, power_up_id: str) -> int:
    """How many copies of a power-up a hand holds."""
    return next((held.count for held in hand if held.power_up_id == power_up_id), 0)


def with_copies(hand: Hand, power_up_id: str, delta: int) -> Hand:
    """The hand with so many copies more or fewer; what is used up is gone from it."""
    if not count_in(hand, power_up_id):
        return (*hand, Held(power_up_id, delta))
    changed = (
        Held(held.power_up_id, held.count + delta) if held.power_up_id == power_up_id else held
        for held in hand
    )
    return tuple(held for held in changed if held.count)
