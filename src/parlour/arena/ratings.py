"""Ratings from games: those under which what happened was most likely.

Bradley and Terry's model on the Elo scale: 400 points are odds of ten to one, and a draw is half a
win. Only differences matter to it, so the mean of all is put at `MIDDLE`. Every two that met count
one more game, drawn: without it whoever won every game would be infinitely strong.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Final

from msgspec import Struct

from parlour.games.registry import Strength

MIDDLE: Final = 1500
POINTS: Final = 400 / math.log(10)
"""Points for odds of e to one."""
SURE: Final = 1.96
"""So many standard deviations to either side hold 95 of 100."""
LARGEST_STEP: Final = 2.0
CLOSE_ENOUGH: Final = 1e-9

Pair = tuple[str, str]
Matrix = list[list[float]]


class Score(Struct, frozen=True):
    """How the first of a pair did against the second."""

    won: int = 0
    drawn: int = 0
    lost: int = 0

    @property
    def games(self) -> int:
        """All of them."""
        return self.won + self.drawn + self.lost

    @property
    def points(self) -> float:
        """One for a win, half of one for a draw."""
        return self.won + self.drawn / 2

    def reversed(self) -> Score:
        """As the second sees it."""
        return Score(self.lost, self.drawn, self.won)


def fitted(names: Sequence[str], scores: Mapping[Pair, Score]) -> dict[str, Strength] | None:
    """How strong each is; None: who met whom does not tell, as some never met the others."""
    met = {pair: score for pair, score in scores.items() if score.games}
    if not _connected(names, met):
        return None
    place = {name: index for index, name in enumerate(names)}
    strengths = [0.0] * len(names)
    while True:
        gradient, information = _slope(place, met, strengths)
        step = _solved(_anchored(information), gradient)
        longest = max(abs(each) for each in step)
        scale = min(1.0, LARGEST_STEP / longest) if longest else 1.0
        strengths = [at + scale * by for at, by in zip(strengths, step, strict=True)]
        if longest < CLOSE_ENOUGH:
            break
    mean = sum(strengths) / len(strengths)
    errors = _errors(information)
    return {
        name: Strength(
            rating=round(MIDDLE + POINTS * (strengths[index] - mean)),
            error=round(POINTS * SURE * errors[index]),
            games=sum(score.games for pair, score in met.items() if name in pair),
        )
        for name, index in place.items()
    }


def _slope(
    place: Mapping[str, int], met: Mapping[Pair, Score], strengths: Sequence[float]
) -> tuple[list[float], Matrix]:
    """The gradient of the likelihood's logarithm, and the information, there."""
    gradient = [0.0] * len(place)
    information = [[0.0] * len(place) for _ in place]
    for (one, other), score in met.items():
        i, j = place[one], place[other]
        games, points = score.games + 1, score.points + 0.5
        expected = 1 / (1 + math.exp(strengths[j] - strengths[i]))
        gradient[i] += points - games * expected
        gradient[j] -= points - games * expected
        spread = games * expected * (1 - expected)
        information[i][i] += spread
        information[j][j] += spread
        information[i][j] -= spread
        information[j][i] -= spread
    return gradient, information


def _anchored(information: Matrix) -> Matrix:
    """With a mean that stays where it is: differences alone would leave it open."""
    return [[value + 1.0 for value in row] for row in information]


def _errors(information: Matrix) -> list[float]:
    """The standard deviation of each, as far from the mean of all."""
    size = len(information)
    anchored = _anchored(information)
    units = [[float(row == column) for row in range(size)] for column in range(size)]
    own = [_solved(anchored, unit)[index] for index, unit in enumerate(units)]
    return [math.sqrt(max(0.0, each - 1 / size**2)) for each in own]


def _solved(matrix: Matrix, right: Sequence[float]) -> list[float]:
    """The solution of linear equations, by elimination."""
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    size = len(rows)
    for column in range(size):
        pivot = max(range(column, size), key=lambda row: abs(rows[row][column]))
        rows[column], rows[pivot] = rows[pivot], rows[column]
        for row in range(size):
            if row != column:
                factor = rows[row][column] / rows[column][column]
                pairs = zip(rows[row], rows[column], strict=True)
                rows[row] = [value - factor * by for value, by in pairs]
    return [rows[index][size] / rows[index][index] for index in range(size)]


def _connected(names: Sequence[str], met: Mapping[Pair, Score]) -> bool:
    """Whether each can be compared with each, if only by way of others."""
    reached, new = set(names[:1]), set(names[:1])
    while new:
        new = {each for pair in met if not new.isdisjoint(pair) for each in pair} - reached
        reached |= new
    return reached == set(names)
