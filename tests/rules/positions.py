"""Random positions of Connect 4 in which the game goes on, as the columns that led there."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from parlour.games.connect4.board import landing, makes_four


def positions(random: Random, ply: int) -> Iterator[str]:
    """Positions after so many discs, columns numbered from 1; without end."""
    while True:
        sides, occupied, columns = [0, 0], 0, ""
        while len(columns) < ply:
            column = random.choice([each for each in range(7) if landing(occupied, each)])
            disc = landing(occupied, column)
            sides[len(columns) % 2] |= disc
            if makes_four(sides[len(columns) % 2], disc):
                break
            occupied |= disc
            columns += str(column + 1)
        else:
            yield columns
