"""Weighs positions of Memory by how two who forget nothing would go on from what was seen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from parlour.games.api import Analyst, Weighed
from parlour.games.memory.board import View
from parlour.games.memory.powerups import POWER_UPS
from parlour.games.memory.powerups.api import Prospect
from parlour.games.memory.recall import Mind, known_pair, observed, standing
from parlour.games.memory.rules import Action, Flip, UsePowerUp
from parlour.games.memory.solver import Standing, likely, worth

_POWER_UPS: Final = {power_up.id: power_up for power_up in POWER_UPS}


class MemoryAnalyst(Analyst[View, Action, Mind]):
    """Remembers all that was open, and no more."""

    def begin(self) -> Mind:
        """Nothing seen yet."""
        return Mind()

    def observe(self, mind: Mind, view: View) -> Mind:
        """Nothing is forgotten."""
        return observed(mind, view, lambda: True)

    def weigh(
        self,
        mind: Mind,
        view: View,
        legal: Sequence[Action],
        time_left: Callable[[], float],
    ) -> Weighed[Action]:
        """An estimate, unless all that is left can be taken on this turn."""
        here = standing(mind, view)
        first = view.cards[view.flipped[0]].pair_id if view.flipped else None
        moves: list[tuple[Action, float]] = []
        for action in legal:
            if isinstance(action, UsePowerUp):
                moves.append((action, _used(action, mind, view, here)))
            elif isinstance(action, Flip):
                gain = _flipped(mind.seen[action.index], first, mind, here)
                chances = likely(here.lead, gain, here.pairs, here.singles, here.sure)
                moves.append((action, chances))
        moves.sort(key=lambda each: -each[1])
        exact = here.decided and (first is None or mind.seen.count(first) > 1)
        return Weighed(moves[0][1], exact, tuple(moves), _told(here.margin))


def _told(margin: float) -> str:
    """By how many pairs one is ahead in the end, as far as can be said.

    >>> _told(1.26), _told(-0.04)
    ('ends about +1.3', 'ends about even')
    """
    rounded = round(margin, 1)
    return f"ends about {rounded:+.1f}" if rounded else "ends about even"


def _used(use: UsePowerUp, mind: Mind, view: View, here: Standing) -> float:
    remembered = {
        index: pair_id
        for index, pair_id in enumerate(mind.seen)
        if pair_id is not None and view.cards[index].state == "hidden"
    }
    prospect = Prospect(view, remembered, known_pair(remembered), use.card_index)
    chances = _POWER_UPS[use.power_up_id].chances(prospect, here)
    return here.chances if chances is None else chances


def _flipped(card: int | None, first: int | None, mind: Mind, here: Standing) -> float:
    """By how much the one who flips a card will outdo the other from here on."""
    if first is None:
        if card is None:
            return _opening(here)
        return _sure(here) if mind.seen.count(card) > 1 else _known_first(here)
    if mind.seen.count(first) > 1:
        return _sure(here) if card == first else -_sure(here)
    return _known_second(here) if card is not None else _unknown_second(here)


def _mean(pairs: int, singles: int) -> float:
    return float(worth(pairs, singles).mean)


def _sure(here: Standing) -> float:
    """All sure pairs, and then the best there is."""
    return here.sure + _mean(here.pairs, here.singles)


def _opening(here: Standing) -> float:
    """An unknown card first: if its partner is not known either, sure pairs go to the other."""
    hit = here.singles / (2 * here.pairs - here.singles)
    return float(worth(here.pairs, here.singles).opening) + here.sure * (2 * hit - 1)


def _known_first(here: Standing) -> float:
    """One of the singles first: then another, to show nothing, or an unknown card."""
    unknown_second = _unknown_second(here)
    return max(_known_second(here), unknown_second) if here.singles > 1 else unknown_second


def _known_second(here: Standing) -> float:
    """A second card that shows nothing: the other is to move."""
    return -_sure(here)


def _unknown_second(here: Standing) -> float:
    """An unknown card second: partner of the first, of another, or of none that is known."""
    pairs, others = here.pairs, here.singles - 1
    unknown = 2 * pairs - here.singles
    gained = 1 + here.sure + _mean(pairs - 1, others)
    neither = unknown - 1 - others
    rest = neither * (here.sure + _mean(pairs, here.singles + 1)) if neither else 0.0
    return (gained - others * gained - rest) / unknown


ANALYST: Final = MemoryAnalyst()
