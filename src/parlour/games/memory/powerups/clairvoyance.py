"""Clairvoyance: both players see the cards around a hidden one for a while."""

from __future__ import annotations

from msgspec.structs import replace

from parlour.games.memory.board import Glimpse, Options, State, known_with, shown
from parlour.games.memory.powerups.api import PowerUp, Prospect, Use
from parlour.games.memory.solver import Standing, chances_after_showing


def around(options: Options, index: int) -> tuple[int, ...]:
    """The 3x3 area with a card in its middle, cut off at the edges of the board."""
    row, col = divmod(index, options.cols)
    return tuple(
        r * options.cols + c
        for r in range(max(0, row - 1), min(options.rows, row + 2))
        for c in range(max(0, col - 1), min(options.cols, col + 2))
    )


class Clairvoyance(PowerUp):
    """Shown cards are not flipped: the turn goes on with the others meanwhile."""

    id = "clairvoyance"
    name = "Clairvoyance"
    description = "Reveals the 3x3 area around a card of your choice for a short while."
    needs_target = True

    def effect(self, state: State, use: Use) -> State:
        """Only hidden cards turn over; each look has an end of its own."""
        assert use.target is not None
        area = tuple(
            index
            for index in around(state.options, use.target)
            if state.cards[index].state == "hidden"
        )
        glimpse = Glimpse(area, use.now + state.options.clairvoyance_ms)
        return replace(
            state,
            cards=shown(state.cards, area),
            known=known_with(state, area),
            glimpses=(*state.glimpses, glimpse),
        )

    def appeal(self, prospect: Prospect) -> int:
        """The more unknown cards it would show the better, but the opponent sees them too."""
        return 10 * _fresh(prospect) if prospect.pair is None else 0

    def chances(self, prospect: Prospect, standing: Standing) -> float:
        """Both learn what is shown, and the one who shows it takes what can be taken."""
        lead = standing.lead + standing.sure
        return chances_after_showing(lead, standing.pairs, standing.singles, _fresh(prospect))


def _fresh(prospect: Prospect) -> int:
    """How many cards it would show that are not known."""
    view, target = prospect.view, prospect.target
    assert target is not None
    return sum(
        view.cards[index].state == "hidden" and index not in prospect.remembered
        for index in around(view.options, target)
    )
