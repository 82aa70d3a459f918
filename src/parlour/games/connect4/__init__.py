"""Connect 4: four in a row on a standing board of six rows and seven columns."""

from parlour.games.connect4.rules import RULES

__all__ = ["RULES"]
