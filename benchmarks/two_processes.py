"""What a move costs when its two players are at different processes.

    python -m benchmarks.two_processes [--quick] [--json]

Connect 4 over the live socket on PostgreSQL (which writes to disk), 100 games at once: first with
both players of each game at one process, then with one at each of two processes that hear each
other over Valkey. `server` is the processor time of all Parlour's processes together, by the move.
The two processes share a core, as one has it alone.
"""

from __future__ import annotations

import asyncio
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

import uvloop

from benchmarks.connect4_http import DRAWN, MOVES, Pair, Table, meet, spread
from benchmarks.connect_five import new_database
from benchmarks.load import Socket, cores, disk_of, server, used_sec
from benchmarks.report import Figure, asked, show
from tests.servers.postgres import shared
from tests.servers.valkey import Valkey

GAMES = 100


async def sit_down(ports: tuple[int, int], pair: Pair) -> Table:
    """Each player opens a socket at its own process."""
    table = Table()
    for port, token in zip(ports, pair.tokens, strict=True):
        path = f"/ws/connect4/{pair.public_id}"
        table.sockets.append(await Socket.open(port, path, token, table.hear))
    await table.both_have_seen()
    return table


async def play(table: Table, pair: Pair, took: list[float]) -> None:
    """One game."""
    for number, column in enumerate(DRAWN):
        began_at = time.perf_counter()
        table.sockets[(pair.first + number) % 2].send(MOVES[column])
        await table.both_have_seen()
        took.append(time.perf_counter() - began_at)


async def measure(name: str, ports: tuple[int, int], rounds: int) -> list[Figure]:
    """So many games at once, again and again."""
    took: list[float] = []
    used = spent = 0.0
    servers = sorted(set(ports))
    for _ in range(rounds):
        pairs = await spread(ports[0], [None] * GAMES, meet)
        tables = [await sit_down(ports, pair) for pair in pairs]
        await asyncio.sleep(1)
        before, began_at = sum(map(used_sec, servers)), time.perf_counter()
        await asyncio.gather(
            *(play(table, pair, took) for table, pair in zip(tables, pairs, strict=True))
        )
        spent += time.perf_counter() - began_at
        used += sum(map(used_sec, servers)) - before
        for table in tables:
            table.close()
    took.sort()
    settings = {"games": GAMES, "moves": len(took)}
    return [
        Figure(f"{name}: server", used / len(took) * 1e6, "µs/move", settings=settings),
        Figure(name, len(took) / spent, "moves/s", settings=settings),
        Figure(f"{name}: p50", took[len(took) // 2] * 1000, "ms", settings=settings),
        Figure(f"{name}: p99", took[len(took) * 99 // 100] * 1000, "ms", settings=settings),
    ]


def main() -> None:
    """Measure and print."""
    options = asked(__doc__)
    rounds = 1 if options.quick else 4
    postgres = shared("two_processes", synced=True)
    figures: list[Figure] = []
    try:
        with ExitStack() as stack:
            told = {
                "DATABASE_URL": stack.enter_context(new_database(postgres)),
                "ABANDON_THRESHOLD_SEC": "3600",
            }
            with server(**told) as port:
                one = uvloop.run(measure("one process", (port, port), rounds))
            folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="valkey-", dir="/tmp"))
            valkey = Valkey(Path(folder))
            valkey.start()
            stack.callback(valkey.stop)
            told["REDIS_URL"] = valkey.url
            first = stack.enter_context(server(**told))
            second = stack.enter_context(server(**told))
            two = uvloop.run(measure("two processes", (first, second), rounds))
        figures = [*one]
        for was, now in zip(one, two, strict=True):
            ratio = now.value / was.value
            figures.append(
                Figure(now.name, now.value, now.unit, ratio, "one process", now.settings)
            )
    finally:
        postgres.remove()
    where = f"{cores()} cores, database on {disk_of(Path(tempfile.gettempdir()))}"
    show(f"Players at different processes ({where})", figures, as_json=options.json)


if __name__ == "__main__":
    main()
