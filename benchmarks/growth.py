"""What a move costs as there are ever more matches: in memory, and in the database.

    python -m benchmarks.growth [--quick] [--json]

Fifty games of Connect 4 are played over sockets in a closed loop, by one server on SQLite at full
durability, while others are open but rest (up to 10,000 in all), or were played before (from 1,000
to 10,000,000 in the database; it takes some 6 GB of disk and a few minutes to fill). The figure is
the server's processor time a move: of five rounds the least, as whatever else the machine does can
only add to it.
"""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path

import uvloop

from benchmarks.connect4_http import Pair, by_socket, meet, meet_again, sit_down, spread
from benchmarks.drawing import lines
from benchmarks.load import server, used_sec
from benchmarks.report import Figure, asked, show
from parlour.store.migrate import migrate_sqlite
from tests.filled import Size, fill_sqlite

PLAYED = 50
ROUNDS = 5
IN_MEMORY, IN_DATABASE = "matches in memory", "matches in the database"


async def move_us(port: int, resting: int) -> float:
    """The server's time a move, while so many other games are open."""
    pairs: list[Pair] = await spread(port, [None] * (PLAYED + resting), meet)
    pairs = pairs[:PLAYED]
    found: list[float] = []
    for number in range(ROUNDS + 1):
        if number:
            await spread(port, pairs, meet_again)
        tables = [await sit_down(port, pair) for pair in pairs]
        took: list[float] = []
        before = used_sec(port)
        await asyncio.gather(
            *(by_socket(table, pair, took) for table, pair in zip(tables, pairs, strict=True))
        )
        found.append(1e6 * (used_sec(port) - before) / len(took))
        for table in tables:
            table.close()
    return min(found[1:])


def in_memory(matches: int) -> float:
    """So many games are open, and most of them rest."""
    with server(ABANDON_THRESHOLD_SEC="3600") as port:
        return uvloop.run(move_us(port, max(0, matches - PLAYED)))


def in_database(matches: int) -> float:
    """So many were played before."""
    with tempfile.TemporaryDirectory(prefix="parlour-growth-") as folder:
        path = str(Path(folder) / "parlour.db")
        migrate_sqlite(path)
        fill_sqlite(path, Size(matches=matches, players=max(100, matches // 100), own=100))
        with server(DATABASE_URL=f"sqlite:///{path}", ABANDON_THRESHOLD_SEC="3600") as port:
            return uvloop.run(move_us(port, 0))


def figures(*, quick: bool) -> list[Figure]:
    """Both, from few to many; each beside the least."""
    found: list[Figure] = []
    for name, measure, counts in (
        (IN_MEMORY, in_memory, (100, 1000) if quick else (50, 100, 1_000, 10_000)),
        (
            IN_DATABASE,
            in_database,
            (1_000, 30_000) if quick else (1_000, 100_000, 1_000_000, 10_000_000),
        ),
    ):
        taken = [measure(count) for count in counts]
        for count, us in zip(counts, taken, strict=True):
            least = f"{counts[0]:,} {name}"
            found.append(
                Figure(f"{count:,} {name}", us, "µs/move", us / taken[0], least, {name: count})
            )
    return found


def plot(found: list[Figure]) -> str:
    """Both lines in one picture."""
    series = {
        name: [(float(each.settings[name]), each.value) for each in found if name in each.settings]
        for name in (IN_MEMORY, IN_DATABASE)
    }
    return lines("Server time a move, µs", series, "matches", powers=True)


def main() -> None:
    """Measure and print."""
    options = asked(__doc__)
    show("As matches grow", figures(quick=options.quick), as_json=options.json)


if __name__ == "__main__":
    main()
