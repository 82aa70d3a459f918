"""Memory: pairs of hidden cards, with power-ups earned by finding some of them."""

from parlour.games.memory.rules import RULES

__all__ = ["RULES"]
