"""What it costs that the two players of a game are at different processes.

    python -m benchmarks.cluster [--quick] [--json]

Connect 4 over sockets on PostgreSQL (fsync on): once with both players at one process, once with
each at another of two that share a database and a Valkey. Rounds alternate; a ratio is that of the
middle rounds. `server` is the processor time that all of Parlour's processes spent on a move, so
that it says what more processes cost, whatever number of cores there is to run them on.
"""

from __future__ import annotations

import asyncio
from contextlib import ExitStack
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter

import uvloop
from msgspec import Struct

from benchmarks.connect4_http import Pair, by_socket, meet, meet_again, sit_down, spread
from benchmarks.connect_five import new_database
from benchmarks.load import sharing_server, used_sec
from benchmarks.report import Figure, asked, show
from tests.servers.postgres import shared
from tests.servers.valkey import Valkey

ONE, TWO = "both players at one process", "each player at another process"


class Round(Struct, frozen=True):
    """What one round of games took."""

    us_per_move: float
    moves_per_sec: float
    p50_ms: float
    p99_ms: float


async def play(ports: tuple[int, ...], pairs: list[Pair]) -> Round:
    """Every pair plays a game: the first player at the first port, the second at the last."""
    tables = [await sit_down(ports[0], pair, ports[-1]) for pair in pairs]
    took: list[float] = []
    began_at, used_before = perf_counter(), sum(map(used_sec, ports))
    await asyncio.gather(
        *(by_socket(table, pair, took) for table, pair in zip(tables, pairs, strict=True))
    )
    spent, used = perf_counter() - began_at, sum(map(used_sec, ports)) - used_before
    for table in tables:
        table.close()
    took.sort()
    return Round(
        us_per_move=1e6 * used / len(took),
        moves_per_sec=len(took) / spent,
        p50_ms=1000 * took[len(took) // 2],
        p99_ms=1000 * took[len(took) * 99 // 100],
    )


async def measure(ways: dict[str, tuple[int, ...]], games: int, rounds: int) -> list[Figure]:
    """All ways in turn; the first round of each only warms it up."""
    pairs = {way: await spread(ports[0], [None] * games, meet) for way, ports in ways.items()}
    taken: dict[str, list[Round]] = {way: [] for way in ways}
    for number in range(rounds + 1):
        for way, ports in ways.items():
            if number:
                await spread(ports[0], pairs[way], meet_again)
            taken[way].append(await play(ports, pairs[way]))
    found: list[Figure] = []
    for way, had in taken.items():
        for name, unit in (
            ("us_per_move", "µs/move"),
            ("moves_per_sec", "moves/s"),
            ("p50_ms", "ms"),
            ("p99_ms", "ms"),
        ):
            value, base = (_middle(each, name) for each in (had, taken[ONE]))
            label = {"us_per_move": "server", "moves_per_sec": "rate"}.get(name, name[:3])
            ratio, to = (None, None) if way == ONE else (value / base, ONE)
            found.append(Figure(f"{way}: {label}", value, unit, ratio, to, {"games": games}))
    return found


def _middle(rounds: list[Round], name: str) -> float:
    return float(median(getattr(each, name) for each in rounds[1:]))


def figures(*, quick: bool) -> list[Figure]:
    """Everything, on servers of its own."""
    games, rounds = (100, 3) if quick else (500, 5)
    with ExitStack() as stack:
        postgres = shared("bench-cluster", synced=True)
        stack.callback(postgres.remove)
        folder = stack.enter_context(TemporaryDirectory(prefix="valkey-", dir="/tmp"))
        valkey = Valkey(Path(folder))
        valkey.start()
        stack.callback(valkey.stop)
        told = {"ABANDON_THRESHOLD_SEC": "3600"}

        def start(**settings: str) -> int:
            return stack.enter_context(sharing_server(**told, **settings))

        alone = start(DATABASE_URL=stack.enter_context(new_database(postgres)))
        database = stack.enter_context(new_database(postgres))
        both = tuple(start(DATABASE_URL=database, REDIS_URL=valkey.url) for _ in range(2))
        return uvloop.run(measure({ONE: (alone,), TWO: both}, games, rounds))


def main() -> None:
    """Measure and print."""
    options = asked(__doc__)
    show("One process and two", figures(quick=options.quick), as_json=options.json)


if __name__ == "__main__":
    main()
