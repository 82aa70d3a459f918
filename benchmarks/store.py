"""Durable moves per second through the store, beside the bare loop of the same SQL.

    python -m benchmarks.store [--quick] [--json]

A thousand matches are in flight: each commits its next move as soon as the last one is durable. The
bare loop makes the same statements in groups of the size the store had, with as many connections,
and nothing else: no futures, no threads, no guards looked at one by one. Rounds alternate, so that
a busy machine slows both alike; the median round counts. PostgreSQL is the server that
`DATABASE_URL` names, else one from a wheel, as it comes, syncing every commit.
"""

from __future__ import annotations

import asyncio
import sqlite3
import tempfile
from collections.abc import Iterator
from itertools import count, cycle, islice
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any
from uuid import uuid4

import asyncpg
import uvloop
from msgspec import Struct
from msgspec.structs import replace

from benchmarks.report import Figure, asked, show
from parlour.store.api import Store
from parlour.store.change import Change, CreateMatch, JournalRow, MatchRow, SeatRow
from parlour.store.change.matches import JOURNAL
from parlour.store.postgres import moves as postgres_moves
from parlour.store.postgres import store as postgres
from parlour.store.sqlite import store as sqlite
from parlour.store.sqlite.commit import connect
from tests.servers.postgres import shared

MATCHES = 1_000
STATE = b'{"board":[4398046511103,2199023255551],"turn":1,"moves":"' + b"3" * 42 + b'"}'
NOW = 1_800_000_000_000


class Round(Struct):
    """What one round came to."""

    moves: int
    seconds: float
    latencies: list[float]
    groups: list[int]

    @property
    def rate(self) -> float:
        return self.moves / self.seconds

    def latency_ms(self, part: float) -> float:
        return sorted(self.latencies)[int(len(self.latencies) * part)] * 1000

    @property
    def group(self) -> int:
        return round(sum(self.groups) / len(self.groups))


def new_match(match_id: str) -> Change:
    match = MatchRow(
        id=match_id,
        game="connect4",
        public_id=match_id,
        status="active",
        version=0,
        state=STATE,
        options=b"{}",
        seed=bytes(16),
        created_at=NOW,
        updated_at=NOW,
        deadline_at=NOW,
    )
    seats = (SeatRow(seat=0, name="Ann"), SeatRow(seat=1, name="Bob"))
    return Change((CreateMatch(match=match, seats=seats),))


def move(match_id: str, version: int) -> Change:
    entry = JournalRow(
        match_id=match_id,
        version=version,
        at=NOW + version,
        kind="act",
        seat=version % 2,
        action=b'{"column":3}',
        seen_0=NOW,
        seen_1=NOW,
    )
    return Change((entry,))


class Table:
    """Matches that go on and on."""

    def __init__(self) -> None:
        self.versions = {str(uuid4()): count(1) for _ in range(MATCHES)}

    async def set_up(self, store: Store) -> None:
        await asyncio.gather(*(store.commit(new_match(each)) for each in self.versions))

    def next_moves(self) -> Iterator[Change]:
        """One move of each match after the other, for ever."""
        for match_id, versions in cycle(self.versions.items()):
            yield move(match_id, next(versions))


async def through(store: Store, table: Table, seconds: float, groups: list[int]) -> Round:
    """Every match by itself, as fast as the store lets it."""
    latencies: list[float] = []
    begin = perf_counter()

    async def play(match_id: str, versions: Iterator[int]) -> None:
        before = perf_counter()
        while before - begin < seconds:
            await store.commit(move(match_id, next(versions)))
            after = perf_counter()
            latencies.append(after - before)
            before = after

    groups.clear()
    await asyncio.gather(*(play(*each) for each in table.versions.items()))
    return Round(len(latencies), perf_counter() - begin, latencies, groups.copy())


# --- SQLite -----------------------------------------------------------------------------------


class CountedSqlite(sqlite.SqliteStore):
    """Remembers how large its groups were."""

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self.groups: list[int] = []

    def _answer(self, answers: Any) -> None:
        self.groups.append(len(answers))
        super()._answer(answers)


def bare_sqlite(connection: sqlite3.Connection, table: Table, seconds: float, group: int) -> Round:
    """Begin, the statements of so many moves, commit; over and over."""
    moves, made = table.next_moves(), 0
    latencies: list[float] = []
    begin = before = perf_counter()
    while before - begin < seconds:
        connection.execute("BEGIN IMMEDIATE")
        for change in islice(moves, group):
            (entry,) = change.writes
            connection.execute(JOURNAL.sqlite, JOURNAL.values(entry))
        connection.execute("COMMIT")
        after = perf_counter()
        made += group
        latencies += [after - before] * group
        before = after
    return Round(made, perf_counter() - begin, latencies, [group])


async def compare_sqlite(rounds: int, seconds: float) -> list[Figure]:
    with tempfile.TemporaryDirectory() as folder:
        store = CountedSqlite(f"sqlite:///{Path(folder) / 'store.db'}")
        await store.start()
        ours, bares = Table(), Table()
        await ours.set_up(store)
        await bares.set_up(store)
        connection = connect(Path(folder) / "store.db")
        stored, bare = [], []
        for _ in range(rounds):
            stored.append(await through(store, ours, seconds, store.groups))
            bare.append(bare_sqlite(connection, bares, seconds, stored[-1].group))
        connection.close()
        await store.close()
    return figures("SQLite", stored, bare, connections=1)


# --- PostgreSQL -------------------------------------------------------------------------------


async def bare_postgres(connections: list[Any], table: Table, seconds: float, group: int) -> Round:
    """The store's statement for so many moves, on every connection over and over."""
    latencies: list[float] = []
    begin = perf_counter()
    matches = list(table.versions.items())
    shares = [matches[number :: len(connections)] for number in range(len(connections))]

    async def work(connection: Any, share: list[tuple[str, count[int]]]) -> None:
        turns, size = cycle(share), min(group, len(share))
        before = perf_counter()
        while before - begin < seconds:
            moves = {name: move(name, next(versions)) for name, versions in islice(turns, size)}
            made = await postgres_moves.move(connection, dict(sorted(moves.items())))
            after = perf_counter()
            latencies.extend([after - before] * len(made))
            before = after

    await asyncio.gather(*map(work, connections, shares))
    return Round(len(latencies), perf_counter() - begin, latencies, [group])


class CountedPostgres(postgres.PostgresStore):
    """Remembers how large its groups were."""

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self.groups: list[int] = []

    async def _make_group(self, held: Any, moves: Any) -> Any:
        self.groups.append(len(moves))
        return await super()._make_group(held, moves)


async def compare_postgres(rounds: int, seconds: float) -> list[Figure]:
    server = shared(f"bench-{uuid4().hex[:12]}", synced=True)
    name = f"parlour_bench_{uuid4().hex[:12]}"
    console = await asyncpg.connect(server.url())
    await console.execute(f"CREATE DATABASE {name}")
    store = CountedPostgres(server.url(name))
    await store.start()
    ours, bares = Table(), Table()
    await ours.set_up(store)
    await bares.set_up(store)
    connections = [await asyncpg.connect(server.url(name)) for _ in range(postgres.GROUPS)]
    stored, bare = [], []
    for _ in range(rounds):
        stored.append(await through(store, ours, seconds, store.groups))
        bare.append(await bare_postgres(connections, bares, seconds, stored[-1].group))
    for connection in connections:
        await connection.close()
    await store.close()
    await console.execute(f"DROP DATABASE {name}")
    await console.close()
    server.remove()
    return figures("PostgreSQL", stored, bare, connections=postgres.GROUPS)


# --- both -------------------------------------------------------------------------------------


def figures(
    engine: str, stored: list[Round], bare: list[Round], *, connections: int
) -> list[Figure]:
    """Each side's median round, ours compared with the bare loop of the same minute."""
    made: list[Figure] = []
    base = f"{engine}, bare loop"
    for name, rounds in ((f"{engine}, through the store", stored), (base, bare)):
        settings = {
            "in flight": MATCHES,
            "group": round(median(each.group for each in rounds)),
            "connections": connections,
        }
        ratio = median(one.rate / other.rate for one, other in zip(rounds, bare, strict=True))
        rate = Figure(name, median(each.rate for each in rounds), "moves/s", settings=settings)
        if rounds is stored:
            rate = replace(rate, ratio=ratio, ratio_to=base)
        made.append(rate)
        for part in (50, 99):
            latency = median(each.latency_ms(part / 100) for each in rounds)
            made.append(Figure(f"{name}, p{part}", latency, "ms"))
    return made


async def main(quick: bool) -> list[Figure]:
    rounds, seconds = (3, 1.0) if quick else (7, 5.0)
    return [
        *await compare_sqlite(rounds, seconds),
        *await compare_postgres(rounds, seconds),
    ]


if __name__ == "__main__":
    called = asked(__doc__)
    show("Durable moves", uvloop.run(main(called.quick)), as_json=called.json)
