"""Unveiling: shows which cards nobody has seen yet, but not what they are."""

from __future__ import annotations

from msgspec.structs import replace

from parlour.games.memory.board import State
from parlour.games.memory.powerups.api import PowerUp, Prospect, Use
from parlour.games.memory.solver import Standing


class Unveiling(PowerUp):
    """Only the one who used it sees this, until the turn passes."""

    id = "unveiling"
    name = "Unveiling"
    description = "Highlights all cards that have never been revealed, for this turn."

    def effect(self, state: State, use: Use) -> State:  # noqa: ARG002 - it needs neither aim nor chance
        """A card leaves the highlight when it is revealed."""
        return replace(state, unveiled=True)

    def appeal(self, prospect: Prospect) -> int:
        """Of use to one who has forgotten what has been seen; once a turn is enough."""
        return 30 if prospect.pair is None and not prospect.view.highlight else 0

    def chances(self, prospect: Prospect, standing: Standing) -> float:  # noqa: ARG002 - the view adds nothing
        """It tells one who remembers nothing new."""
        return standing.chances
