"""The ratings of a game's opponents as a picture: a dot each, and how far it may be off."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from typing import Final

from msgspec import Struct

from parlour.games.registry import Strength

WIDTH: Final = 720
LEFT: Final = 170
RIGHT: Final = 90
TOP: Final = 30
ROW: Final = 46
BOTTOM: Final = 44
MARK_EVERY: Final = (50, 100, 200, 250, 500, 1000)
MOST_MARKS: Final = 8

STYLE: Final = """
svg { font-family: Fredoka, "Nunito", ui-rounded, system-ui, sans-serif; }
.paper { fill: #fff6e5; } .line { stroke: #e2cda3; } .name { fill: #1e2440; font-weight: 600; }
.soft { fill: #5b5570; } .bar { stroke: #173f9f; } .dot { fill: #2563eb; stroke: #173f9f; }
@media (prefers-color-scheme: dark) {
.paper { fill: #161a2b; } .line { stroke: #353d66; } .name { fill: #fff3de; }
.soft { fill: #b9b8cf; } .bar { stroke: #6d9bff; } .dot { fill: #6d9bff; stroke: #fff3de; }
}"""


class Measured(Struct, frozen=True):
    """One row."""

    title: str
    strength: Strength


def picture(title: str, measured: Sequence[Measured]) -> str:
    """The SVG, for day and night; the strongest stands at the top."""
    rows = sorted(measured, key=lambda each: -each.strength.rating)
    reach = [each.strength for each in rows]
    marks = _marks(
        min(each.rating - each.error for each in reach),
        max(each.rating + each.error for each in reach),
    )
    height = TOP + ROW * len(rows) + BOTTOM
    low, high = marks[0], marks[-1]

    def x(rating: float) -> float:
        return LEFT + (rating - low) / (high - low) * (WIDTH - LEFT - RIGHT)

    lines = [
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" '
            'aria-labelledby="title">'
        ),
        f'<title id="title">{escape(title)}</title>',
        f"<style>{STYLE}\n</style>",
        f'<rect class="paper" width="{WIDTH}" height="{height}" rx="18"/>',
    ]
    foot = TOP + ROW * len(rows)
    for mark in marks:
        lines += [
            f'<path class="line" d="M{x(mark):.1f} {TOP - 8}V{foot}" stroke-width="1.5"/>',
            (
                f'<text class="soft" x="{x(mark):.1f}" y="{foot + 24}" font-size="14" '
                f'text-anchor="middle">{mark}</text>'
            ),
        ]
    for number, row in enumerate(rows):
        lines += _row(row, TOP + ROW * number + ROW // 2 - 4, x)
    return "\n".join([*lines, "</svg>", ""])


def _row(row: Measured, y: int, x: Callable[[float], float]) -> list[str]:
    rating, error = row.strength.rating, row.strength.error
    left, right = x(rating - error), x(rating + error)
    return [
        (
            f'<text class="name" x="{LEFT - 20}" y="{y + 6}" font-size="18" '
            f'text-anchor="end">{escape(row.title)}</text>'
        ),
        (
            f'<path class="bar" d="M{left:.1f} {y}H{right:.1f}M{left:.1f} {y - 7}v14'
            f'M{right:.1f} {y - 7}v14" fill="none" stroke-width="3" stroke-linecap="round"/>'
        ),
        f'<circle class="dot" cx="{x(rating):.1f}" cy="{y}" r="8" stroke-width="2.5"/>',
        (
            f'<text class="soft" x="{WIDTH - 18}" y="{y + 6}" font-size="16" '
            f'text-anchor="end">{rating}</text>'
        ),
    ]


def _marks(least: float, most: float) -> list[int]:
    """Round numbers from below the least to above the most."""
    every = next(
        (each for each in MARK_EVERY if (most - least) / each <= MOST_MARKS - 2), MARK_EVERY[-1]
    )
    first, last = int(least // every), -int(-most // every)
    return [every * number for number in range(first, max(last, first + 1) + 1)]
