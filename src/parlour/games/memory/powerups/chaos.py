"""Chaos: all cards that are not matched change places."""

from __future__ import annotations

from msgspec.structs import replace

from parlour.games.memory.board import HIDDEN, State
from parlour.games.memory.powerups.api import PowerUp, Prospect, Use
from parlour.games.memory.solver import Standing, chances


class Chaos(PowerUp):
    """Whatever anybody knew is worth nothing afterwards."""

    id = "chaos"
    name = "Chaos"
    description = "Reshuffles all cards that are not matched yet, known ones included."

    def effect(self, state: State, use: Use) -> State:
        """What is shown for a while is hidden, too, or its new place would be seen."""
        places = [index for index, card in enumerate(state.cards) if card.state != "matched"]
        pair_ids = [state.cards[index].pair_id for index in places]
        use.dice.shuffle(pair_ids)
        cards = list(state.cards)
        for index, pair_id in zip(places, pair_ids, strict=True):
            cards[index] = HIDDEN[pair_id]
        return replace(
            state,
            cards=tuple(cards),
            known=(),
            glimpses=(),
            shuffles=state.shuffles + 1,
            unveiled=False,
        )

    def appeal(self, prospect: Prospect) -> int:
        """Tempting to one who has little to lose by it."""
        hidden = sum(card.state == "hidden" for card in prospect.view.cards)
        return 50 if prospect.pair is None and 4 * len(prospect.remembered) < hidden else 0

    def chances(self, prospect: Prospect, standing: Standing) -> float:  # noqa: ARG002 - the view adds nothing
        """All pairs left are unknown again."""
        return chances(standing.lead, standing.pairs + standing.sure, 0)
