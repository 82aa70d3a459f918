"""The measured figures as a page: a table, the ratios to Parlour's peers, and two plots."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from benchmarks.drawing import BOTTOM, HEIGHT, LEFT, TOP, WIDTH, picture, text
from benchmarks.report import Figure, digits

NAMES: Final = {
    "parlour": "Parlour, every move on disk",
    "colyseus": "Colyseus, memory only",
    "bare": "bare `ws`, memory only",
}
COLOURS: Final = {"parlour": "#2563eb", "colyseus": "#d97706", "bare": "#6b7280"}
CROWD, BUSY = 500, 0.8


class Measured(Struct, frozen=True):
    """One server's figures with that many games at once; with none, of sockets that are idle."""

    peer: str
    games: int
    figures: dict[str, float]


class Where(Struct, frozen=True):
    """What it ran on."""

    commit: str
    day: str
    machine: str
    disk: str
    python: str
    node: str
    colyseus: str
    ws: str


def table(found: list[Measured]) -> str:
    """All figures, and how many times a peer's moves a second Parlour does."""
    heading = (
        "| games | server | moves/s | of Colyseus | p50 ms | p99 ms | p99 / p50"
        " | server µs a move | bytes a move | server busy | load busy |"
    )
    lines = [
        heading,
        "|--:|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    speed = {(each.peer, each.games): each.figures.get("moves_per_sec", 0.0) for each in found}
    for each in found:
        if not each.games:
            continue
        had = each.figures
        ratio = had["moves_per_sec"] / speed["colyseus", each.games]
        lines.append(
            f"| {each.games:,} | {NAMES[each.peer]} | {had['moves_per_sec']:,.0f} | {ratio:.2f}"
            f" | {had['p50_ms']:.2f} | {had['p99_ms']:.1f} | {had['p99_ms'] / had['p50_ms']:.1f}"
            f" | {had['us_per_move']:.0f} | {had['bytes_per_move']:,.0f}"
            f" | {had['server_busy']:.0%} | {had['load_busy']:.0%} |"
        )
    idle = [
        f"| {NAMES[each.peer]} | {each.figures['kb_per_socket']:.1f}"
        f" | {each.figures['idle_busy']:.1%} |"
        for each in found
        if not each.games
    ]
    if idle:
        lines += ["", "| idle | KB a socket | of a core |", "|---|--:|--:|", *idle]
    return "\n".join(lines)


def _again(in_node: list[Measured]) -> str:
    if not in_node:
        return "Players are in Node: there was no compiler for those in C."
    return f"""Players are a program in C, which answers within microseconds and then rests, so that
the server's system has to wake it for nearly every message. The same once more with players in
Node, who are mostly awake; one round each:

{table(in_node)}"""


class Section(Struct, frozen=True):
    """What was measured besides: of Parlour alone, or beside what it was."""

    title: str
    words: str
    figures: list[Figure]
    image: str | None = None
    """The picture's file name."""

    def page(self) -> str:
        """As a part of the page."""
        lines = ["| | | | |", "|---|--:|--:|---|"]
        lines += [
            f"| {each.name} | {each.value:,.{digits(each.value)}f} {each.unit}"
            f" | {'' if each.ratio is None else f'{each.ratio:.2f}'} | {_of(each)} |"
            for each in self.figures
        ]
        picture = f"\n![{self.title}](images/{self.image})\n" if self.image else ""
        return f"## {self.title}\n\n{self.words}\n\n" + "\n".join(lines) + f"\n{picture}"


def _of(figure: Figure) -> str:
    return "" if figure.ratio_to is None else f"of {figure.ratio_to}"


def page(
    found: list[Measured],
    in_node: list[Measured],
    sections: list[Section],
    ran: Where,
    *,
    quick: bool,
) -> str:
    """docs/benchmarks.md, whole."""
    besides = "\n".join(section.page() for section in sections)
    hurried = " This was the quick form: one short round each." if quick else ""
    if disturbed(found):
        hurried += (
            "\n\n**Something else used the machine meanwhile**: neither server nor load had a core"
            " to itself, so\nmoves a second say nothing here, and server time a move is too high"
            " for all."
        )
    return f"""# Benchmarks

Written by `make bench-peers`; do not edit.{hurried}

Connect 4 over sockets in a closed loop: the next move of a game is sent when both players have seen
the one before. Each server runs alone on one core, the load on another; servers take turns, and of
several rounds the middle one is shown. Parlour's players are told of a move when it is on disk
(SQLite, full durability); the others keep games in memory and lose them with the process. Opening
games is not timed. "Server busy" and "load busy" are shares of a core: where the load's is near
100 %, the server could do more.

{table(found)}

![Moves a second](images/benchmarks-moves.svg)

![Server time a move](images/benchmarks-time.svg)

{_again(in_node)}

{besides}
Ran on {ran.day}, commit `{ran.commit}`: {ran.machine}, disk {ran.disk}, Python {ran.python}, Node
{ran.node}, Colyseus {ran.colyseus}, ws {ran.ws}.
"""


def disturbed(found: list[Measured]) -> bool:
    """Whether many games at once kept neither side busy, which is no server's doing."""
    busy = [
        max(each.figures["server_busy"], each.figures["load_busy"])
        for each in found
        if each.games >= CROWD
    ]
    return min(busy, default=1.0) < BUSY


def plots(found: list[Measured]) -> dict[str, str]:
    """The pictures by their file names."""
    return {
        "benchmarks-moves.svg": bars(found, "moves_per_sec", "Moves a second"),
        "benchmarks-time.svg": bars(found, "us_per_move", "Server time a move, µs"),
    }


def bars(found: list[Measured], figure: str, title: str) -> str:
    """A group of bars for each number of games, a bar for each server."""
    loads = sorted({each.games for each in found if each.games})
    peers = [peer for peer in NAMES if any(each.peer == peer for each in found)]
    values = {(each.peer, each.games): each.figures.get(figure, 0.0) for each in found}
    most = max(value for (_, games), value in values.items() if games) or 1.0
    room, deep = WIDTH - LEFT - 16, HEIGHT - TOP - BOTTOM
    group = room / len(loads)
    bar = group * 0.8 / len(peers)
    drawn = [text(LEFT, 20, title, anchor="start", size=14)]
    for place, games in enumerate(loads):
        start = LEFT + place * group + group * 0.1
        words = f"{games:,} game{'s' if games > 1 else ''}"
        drawn.append(text(start + group * 0.4, HEIGHT - BOTTOM + 18, words))
        for number, peer in enumerate(peers):
            tall = deep * values[peer, games] / most
            left, top = start + number * bar, TOP + deep - tall
            drawn.append(
                f'<rect x="{left:.1f}" y="{top:.1f}" width="{bar * 0.92:.1f}"'
                f' height="{tall:.1f}" fill="{COLOURS[peer]}"/>'
            )
            drawn.append(text(left + bar * 0.46, top - 4, f"{values[peer, games]:,.0f}", size=10))
    for number, peer in enumerate(peers):
        left = LEFT + number * room / len(peers)
        drawn.append(
            f'<rect x="{left:.1f}" y="{HEIGHT - 22}" width="12" height="12"'
            f' fill="{COLOURS[peer]}"/>'
        )
        named = NAMES[peer].replace("`", "")
        drawn.append(text(left + 18, HEIGHT - 12, named, anchor="start"))
    return picture(title, drawn)
