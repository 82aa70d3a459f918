"""What an opponent remembers of Memory's cards, and what that makes of a game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping

from msgspec import Struct

from parlour.games.api import other
from parlour.games.memory.board import CardView, View
from parlour.games.memory.solver import Standing, worth

Keeps = Callable[[], bool]
"""Whether one more card is kept in mind as the turn passes."""


class Mind(Struct, frozen=True):
    """What a bot remembers between views."""

    seen: tuple[int | None, ...] = ()
    """Per position the pair it remembers there; None: none, or not to be flipped any more."""
    turn: int | None = None
    shuffles: int = 0
    flipped: tuple[int, ...] = ()
    """The cards flipped this turn."""
    recalled: bool = False
    """The first of them was one it remembered, and flipped for the sake of its partner."""
    waited: bool = False
    """The last two cards it flipped in vain were both known to it."""


def observed(mind: Mind, view: View, keeps: Keeps) -> Mind:
    """Open cards are remembered; with every turn that passes some may be forgotten."""
    before = mind.seen or tuple(None for _ in view.cards)
    recalled, waited = mind.recalled, mind.waited
    if view.flipped != mind.flipped:
        match view.flipped:
            case ():
                recalled = False
            case (first,):
                recalled = before[first] is not None
            case (_, second) if view.turn == view.seat:
                waited = recalled and before[second] is not None
    if view.shuffles != mind.shuffles:
        before = tuple(None for _ in view.cards)
    passed = view.turn != mind.turn
    seen = (None if pair_id is None or (passed and not keeps()) else pair_id for pair_id in before)
    return Mind(
        tuple(map(_noted, view.cards, seen)),
        view.turn,
        view.shuffles,
        view.flipped,
        recalled,
        waited,
    )


def _noted(card: CardView, remembered: int | None) -> int | None:
    """What is remembered of a card after a look at it."""
    if card.state == "revealed":
        return card.pair_id
    return None if card.state == "matched" else remembered


def known_pair(remembered: Mapping[int, int]) -> tuple[int, int] | None:
    """Two hidden cards remembered to match, if there are any."""
    first_at: dict[int, int] = {}
    for index, pair_id in remembered.items():
        if pair_id in first_at:
            return first_at[pair_id], index
        first_at[pair_id] = index
    return None


def standing(mind: Mind, view: View) -> Standing:
    """The game as the one to move knows it, before the first flip of a turn."""
    assert view.seat is not None
    times = Counter(pair_id for pair_id in mind.seen if pair_id is not None)
    sure = sum(count == 2 for count in times.values())
    matched = sum(card.state == "matched" for card in view.cards) // 2
    return Standing(
        lead=view.scores[view.seat] - view.scores[other(view.seat)],
        taken=matched,
        sure=sure,
        pairs=len(view.cards) // 2 - matched - sure,
        singles=len(times) - sure,
    )


def shows_nothing_new(mind: Mind, view: View) -> bool:
    """Whether one who plays best flips a card it knows now, though it knows no pair.

    First, to open nothing at all, unless it did so on its last turn: two who both wait would do so
    for ever. Or second, so as not to open more for the opponent.
    """
    here = standing(mind, view)
    if view.phase == "first_flip":
        return worth(here.pairs, here.singles).waits and not mind.waited
    if mind.recalled:
        return True
    # The first card is seen by now, but was not when it was flipped.
    return not worth(here.pairs, here.singles - 1).opens_second
