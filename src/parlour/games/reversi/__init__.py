"""Reversi: whatever you enclose becomes yours, until nobody can."""

from parlour.games.reversi.rules import RULES

__all__ = ["RULES"]
