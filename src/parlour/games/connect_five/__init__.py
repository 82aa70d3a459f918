"""Connect Five: five in a row on 14x14, with bought specials, chess clocks and a pot."""

from parlour.games.connect_five.rules import RULES

__all__ = ["RULES"]
