"""Quarto: sixteen pieces, four traits, and the opponent chooses what you place."""

from parlour.games.quarto.rules import RULES

__all__ = ["RULES"]
