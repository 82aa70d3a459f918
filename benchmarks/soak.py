"""Whether memory levels off: games are played to their end, one after another, for a long time.

    python -m benchmarks.soak [--quick] [--json]

A hundred pairs play Connect 4 over sockets, open each game anew, and leave it at its end, until as
many games are over as an evening brings. The server's resident memory is read after every round.
What has been over for a minute is put away (`play/residents.py`), so the line is flat from the
second minute on; the figure is what the last half of the time added to it.
"""

from __future__ import annotations

import asyncio
from time import perf_counter

import uvloop

from benchmarks.connect4_http import by_socket, meet, meet_again, sit_down, spread
from benchmarks.drawing import lines
from benchmarks.load import resident_bytes, server
from benchmarks.report import Figure, asked, show

PAIRS = 100
MIB = 2**20


async def soak(port: int, seconds: float) -> list[tuple[float, float, int]]:
    """Seconds since the start, memory in MiB, and games that were over by then."""
    pairs = await spread(port, [None] * PAIRS, meet)
    began_at = perf_counter()
    line: list[tuple[float, float, int]] = []
    while perf_counter() - began_at < seconds:
        if line:
            await spread(port, pairs, meet_again)
        tables = [await sit_down(port, pair) for pair in pairs]
        await asyncio.gather(
            *(by_socket(table, pair, []) for table, pair in zip(tables, pairs, strict=True))
        )
        for table in tables:
            table.close()
        games = PAIRS * (len(line) + 1)
        line.append((perf_counter() - began_at, resident_bytes(port) / MIB, games))
    return line


def figures(*, quick: bool) -> tuple[list[Figure], list[tuple[float, float, int]]]:
    """The line, and what is to be seen in it."""
    with server(ABANDON_THRESHOLD_SEC="3600") as port:
        line = uvloop.run(soak(port, 30 if quick else 600))
    middle = [mib for at, mib, _ in line if at >= line[-1][0] / 2]
    third = len(middle) // 3 or 1
    early, late = sum(middle[:third]) / third, sum(middle[-third:]) / third
    settings = {"games": line[-1][2], "seconds": round(line[-1][0])}
    return [
        Figure("memory at first", line[0][1], "MiB", settings=settings),
        Figure("memory halfway", early, "MiB", settings=settings),
        Figure("memory at the end", late, "MiB", late / early, "memory halfway", settings),
    ], line


def plot(line: list[tuple[float, float, int]]) -> str:
    """Memory over games."""
    points = [(float(games), mib) for _, mib, games in line]
    return lines(
        "Resident memory, MiB", {"server": points}, "games played to their end", powers=False
    )


def main() -> None:
    """Measure and print."""
    options = asked(__doc__)
    found, _ = figures(quick=options.quick)
    show("Games played to their end", found, as_json=options.json)


if __name__ == "__main__":
    main()
