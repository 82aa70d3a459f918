"""The picture of what imports what, `docs/imports.svg`, drawn from the code: `make docs`.

Boxes stand above all that they import. Of arrows only those are drawn that do not follow from
others: what can be reached by two arrows may be imported too.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from html import escape
from itertools import pairwise

import grimp
from msgspec import Struct

WIDTH, BOX_W, BOX_H, ROW_H, GAP = 960, 132, 52, 104, 24
INK, PAPER = "#161a2b", "#fff6e5"

MEANINGS = {
    "cli": "where it begins",
    "commands": "the commands",
    "serving": "starts the server",
    "admin": "for operators",
    "operators": "what they may do",
    "tally": "counting events",
    "solve": "exact scores",
    "arena": "measuring bots",
    "app": "the only wiring",
    "surfaces": "games/*: the wire",
    "rules": "games/*: the rules",
    "shared": "games/: helpers",
    "api": "what a game is",
    "registry": "which games are",
    "host": "tables for any game",
    "net": "sockets and requests",
    "play": "the live match",
    "people": "users and ratings",
    "money": "wallets, escrow",
    "events": "the outbox",
    "store": "guarded commits",
    "bus": "between processes",
    "settings": "from the environment",
    "timekeeping": "one clock",
    "microtasks": "done before all else",
    "places": "waiting in line",
    "rates": "so many a minute",
    "variables": "reading settings",
}
"""What stands under each name."""

COLOURS = {"rules": "#eab308", "shared": "#eab308", "api": "#eab308", "registry": "#eab308"}
COLOURS |= {"surfaces": "#2563eb", "host": "#2563eb", "net": "#2563eb"}
COLOURS |= {"play": "#ef4444", "store": "#22c55e", "bus": "#22c55e"}
OTHERS = "#64748b"


class Imports(Struct, frozen=True):
    """Parts of the program, and which of them each one imports."""

    modules: dict[str, int]
    edges: dict[str, frozenset[str]]


@cache
def imports() -> Imports:
    """As the code has it today. Raises `ValueError` where two parts import each other."""
    graph = grimp.build_graph("parlour")
    part = {module: found for module in graph.modules if (found := _part(graph, module))}
    edges: dict[str, set[str]] = {name: set() for name in part.values()}
    for module, name in part.items():
        for imported in graph.find_modules_directly_imported_by(module):
            if (other := part.get(imported, name)) != name:
                edges[name].add(other)
    return Imports(dict(Counter(part.values())), {key: frozenset(to) for key, to in edges.items()})


def _part(graph: grimp.ImportGraph, module: str) -> str | None:
    """A folder's or file's name; a game's modules are rules, or a surface if they know of more."""
    _, *path = module.split(".")
    if not path or path == ["games"]:
        return None
    if path[0] != "games":
        return path[0]
    if len(path) == 2:
        if graph.find_children(module):
            return None
        return path[1] if path[1] in ("api", "registry") else "shared"
    known = graph.find_upstream_modules(module)
    beyond = (each for each in known if not each.startswith("parlour.games"))
    return "surfaces" if any(each != "parlour" for each in beyond) else "rules"


def heights(edges: dict[str, frozenset[str]]) -> dict[str, int]:
    """How far each part stands above those that import nothing."""
    found: dict[str, int] = {}

    def height(name: str, above: tuple[str, ...]) -> int:
        if name in above:
            raise ValueError("a circle of imports: " + " → ".join((*above, name)))
        if name not in found:
            below = (height(each, (*above, name)) for each in edges[name])
            found[name] = max(below, default=-1) + 1
        return found[name]

    for name in edges:
        height(name, ())
    return found


def reduced(edges: dict[str, frozenset[str]]) -> dict[str, set[str]]:
    """Without the arrows that follow from others."""

    @cache
    def reached(name: str) -> frozenset[str]:
        return edges[name].union(*(reached(each) for each in edges[name]))

    return {
        name: {each for each in to if not any(each in reached(other) for other in to)}
        for name, to in edges.items()
    }


def picture() -> str:
    """The SVG."""
    known = imports()
    levels = heights(known.edges)
    arrows = reduced(known.edges)
    rows: list[list[str]] = [[] for _ in range(max(levels.values()) + 1)]
    for name in sorted(levels):
        rows[levels[name]].append(name)
    places = _places(rows, arrows)
    height = len(rows) * ROW_H + 2 * GAP - (ROW_H - BOX_H)
    lines = [
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" '
            'font-family="system-ui, sans-serif" role="img" aria-labelledby="title">'
        ),
        '<title id="title">What imports what: each box imports those its arrows lead to</title>',
        (
            '<defs><marker id="tip" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" '
            'markerHeight="7" orient="auto">'
            f'<path d="M0 0 10 5 0 10z" fill="{INK}"/></marker></defs>'
        ),
        f'<rect width="{WIDTH}" height="{height}" rx="18" fill="{PAPER}"/>',
        (
            f'<g fill="none" stroke="{INK}" stroke-opacity=".55" stroke-width="1.6" '
            'marker-end="url(#tip)">'
        ),
    ]
    top = len(rows) - 1
    for name in sorted(arrows):
        for other in sorted(arrows[name]):
            (x, y), (to_x, to_y) = (_at(places[each], top - levels[each]) for each in (name, other))
            bend = (to_y - y - BOX_H) / 2
            lines.append(
                f'<path d="M{x} {y + BOX_H}C{x} {y + BOX_H + bend:g} {to_x} {to_y - bend:g} '
                f'{to_x} {to_y}"/>'
            )
    lines.append('</g><g text-anchor="middle" fill="#fff">')
    for name in sorted(levels):
        x, y = _at(places[name], top - levels[name])
        lines += [
            (
                f'<rect x="{x - BOX_W / 2:g}" y="{y}" width="{BOX_W}" height="{BOX_H}" rx="12" '
                f'fill="{COLOURS.get(name, OTHERS)}"/>'
            ),
            f'<text x="{x}" y="{y + 22}" font-size="16" font-weight="700">{name}</text>',
            f'<text x="{x}" y="{y + 40}" font-size="11">{escape(MEANINGS[name])}</text>',
        ]
    return "\n".join([*lines, "</g></svg>", ""])


def _at(place: float, row: int) -> tuple[int, int]:
    return round(place), GAP + row * ROW_H


def _places(rows: list[list[str]], arrows: dict[str, set[str]]) -> dict[str, float]:
    """Where along its row each box stands: near to those it has arrows to and from."""
    near: dict[str, set[str]] = {name: set(to) for name, to in arrows.items()}
    for name, to in arrows.items():
        for other in to:
            near[other].add(name)
    step = BOX_W + GAP
    places = {
        name: WIDTH / 2 + (at - (len(row) - 1) / 2) * step
        for row in rows
        for at, name in enumerate(row)
    }
    for _ in range(24):
        for row in rows:
            wanted = {
                name: sum(places[each] for each in sorted(near[name])) / len(near[name])
                if near[name]
                else places[name]
                for name in row
            }
            row.sort(key=lambda name: (wanted[name], name))
            spread = [wanted[name] for name in row]
            for left, right in pairwise(range(len(row))):
                spread[right] = max(spread[right], spread[left] + step)
            middle = sum(spread) / len(spread) - sum(wanted.values()) / len(row)
            half = (BOX_W + GAP) / 2
            least = min(spread) - middle
            most = max(spread) - middle
            shift = max(0, half - least) or min(0, WIDTH - half - most)
            for name, at in zip(row, spread, strict=True):
                places[name] = at - middle + shift
    outer = min(places.values()) + max(places.values())
    return {name: at + (WIDTH - outer) / 2 for name, at in places.items()}
