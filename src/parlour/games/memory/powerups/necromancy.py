"""Necromancy: all matched cards come back."""

from __future__ import annotations

from msgspec.structs import replace

from parlour.games.api import other
from parlour.games.memory.board import HIDDEN, State
from parlour.games.memory.powerups.api import PowerUp, Prospect, Use
from parlour.games.memory.solver import Standing, chances


class Necromancy(PowerUp):
    """Points and hands stay; the cards can be matched, and pay, once more."""

    id = "necromancy"
    name = "Necromancy"
    description = "Returns all matched cards to the board, face down and in new places."

    def effect(self, state: State, use: Use) -> State:
        """They change places among themselves; every other card stays where it lies."""
        stays = None if state.options.necromancy_revives_itself else use.pair_id
        places = [
            index
            for index, card in enumerate(state.cards)
            if card.state == "matched" and card.pair_id != stays
        ]
        pair_ids = [state.cards[index].pair_id for index in places]
        use.dice.shuffle(pair_ids)
        cards = list(state.cards)
        for index, pair_id in zip(places, pair_ids, strict=True):
            cards[index] = HIDDEN[pair_id]
        return replace(state, cards=tuple(cards))

    def appeal(self, prospect: Prospect) -> int:
        """Worth it to one who is behind and can hardly catch up with the pairs that are left."""
        view = prospect.view
        assert view.seat is not None
        behind = view.scores[other(view.seat)] - view.scores[view.seat]
        pairs_left = sum(card.state != "matched" for card in view.cards) // 2
        return 60 if behind > 0 and 2 * behind >= pairs_left else 0

    def chances(self, prospect: Prospect, standing: Standing) -> float:
        """As many unknown pairs more as have been taken, but for its own where that stays."""
        back = standing.taken - (not prospect.view.options.necromancy_revives_itself)
        return chances(standing.lead + standing.sure, standing.pairs + back, standing.singles)
