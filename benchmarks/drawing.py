"""Plots as SVG, without a library: bars elsewhere, lines over powers of ten here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import log10

WIDTH, HEIGHT, LEFT, TOP, BOTTOM = 640, 300, 64, 40, 56
COLOURS = ("#2563eb", "#d97706", "#6b7280")

Points = Sequence[tuple[float, float]]


def picture(title: str, drawn: Sequence[str]) -> str:
    """All that was drawn, as a file."""
    inside = "\n".join(drawn)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}"'
        f' font-family="sans-serif" role="img" aria-label="{title}">\n'
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>\n{inside}\n</svg>\n'
    )


def text(left: float, top: float, words: str, *, anchor: str = "middle", size: int = 12) -> str:
    """Words at a place."""
    return (
        f'<text x="{left:.1f}" y="{top:.1f}" text-anchor="{anchor}" font-size="{size}"'
        f' fill="#111827">{words}</text>'
    )


def lines(title: str, series: Mapping[str, Points], across: str, *, powers: bool) -> str:
    """A line for each series, from zero up; `powers`: what lies across goes by powers of ten."""
    every = [point for points in series.values() for point in points]
    least, most = min(x for x, _ in every), max(x for x, _ in every)
    top_value = max(y for _, y in every) * 1.15 or 1.0
    room, deep = WIDTH - LEFT - 24, HEIGHT - TOP - BOTTOM

    def place(x: float, y: float) -> tuple[float, float]:
        if powers:
            x, low, high = log10(x), log10(least), log10(most)
        else:
            low, high = least, most
        return LEFT + room * (x - low) / ((high - low) or 1.0), TOP + deep * (1 - y / top_value)

    drawn = [text(LEFT, 20, title, anchor="start", size=14)]
    for share in (0.0, 0.5, 1.0):
        value = top_value * share
        _, level = place(least, value)
        drawn.append(
            f'<line x1="{LEFT}" x2="{WIDTH - 24}" y1="{level:.1f}" y2="{level:.1f}"'
            f' stroke="#e5e7eb"/>'
        )
        drawn.append(text(LEFT - 8, level + 4, f"{value:,.0f}", anchor="end"))
    marks = sorted({x for x, _ in every}) if powers else [least, (least + most) / 2, most]
    drawn += [text(place(x, 0)[0], HEIGHT - BOTTOM + 18, f"{x:,.0f}") for x in marks]
    drawn.append(text(WIDTH / 2, HEIGHT - BOTTOM + 34, across))
    for number, (name, points) in enumerate(series.items()):
        colour = COLOURS[number % len(COLOURS)]
        places = [place(x, y) for x, y in points]
        path = " ".join(f"{left:.1f},{top:.1f}" for left, top in places)
        drawn.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        if powers:
            drawn += [
                f'<circle cx="{left:.1f}" cy="{top:.1f}" r="3" fill="{colour}"/>'
                for left, top in places
            ]
        left = LEFT + number * room / len(series)
        drawn.append(
            f'<rect x="{left:.1f}" y="{HEIGHT - 16}" width="10" height="10" fill="{colour}"/>'
        )
        drawn.append(text(left + 16, HEIGHT - 7, name, anchor="start"))
    return picture(title, drawn)
