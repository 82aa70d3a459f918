"""What a move costs the processor in the store, in groups of so many.

    python -m benchmarks.moves

Everything but the waiting for the disk: the statements of a group and the commit's own work. On
PostgreSQL that is this process and the server's one that serves it, each by itself.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
from collections.abc import Iterator
from pathlib import Path
from time import process_time

import asyncpg

from benchmarks.store import move, new_match
from parlour.store.change import Change
from parlour.store.change.steps import steps
from parlour.store.migrate import migrate, migrate_sqlite
from parlour.store.postgres import moves
from parlour.store.postgres.commit import transact
from parlour.store.sqlite.commit import commit, connect
from tests.servers.postgres import shared

DATABASE = "parlour_moves"


def rounds(matches: list[str], size: int, count: int) -> Iterator[dict[str, Change]]:
    """Every match moves once a round, so many of them together."""
    for version in range(1, count + 1):
        for start in range(0, len(matches), size):
            yield {name: move(name, version) for name in matches[start : start + size]}


def on_sqlite(matches: list[str], groups: Iterator[dict[str, Change]]) -> tuple[float, int]:
    """Seconds of processor, and for how many moves."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "moves.db"
        migrate_sqlite(str(path))
        connection = connect(path, durable=False)
        assert not any(commit(connection, [new_match(name) for name in matches]))
        spent, made = 0.0, 0
        for group in groups:
            before = process_time()
            results = commit(connection, list(group.values()))
            spent += process_time() - before
            assert not any(results)
            made += len(group)
        connection.close()
    return spent, made


async def on_postgres(
    url: str, matches: list[str], groups: Iterator[dict[str, Change]]
) -> tuple[float, float, int]:
    """Seconds of processor here and there, and for how many moves."""
    connection = await asyncpg.connect(url)
    try:
        for name in matches:
            await transact(connection, list(steps(new_match(name))))
        server = connection.get_server_pid()
        here, there, made = process_time(), _served(server), 0
        for group in groups:
            assert len(await moves.move(connection, group)) == len(group)
            made += len(group)
        return process_time() - here, _served(server) - there, made
    finally:
        await connection.close()


def _served(process: int) -> float:
    """Seconds of processor that a process has had."""
    return int(Path(f"/proc/{process}/schedstat").read_text().split()[0]) / 1e9


async def _again(url: str) -> None:
    connection = await asyncpg.connect(url)
    await connection.execute(f"DROP DATABASE IF EXISTS {DATABASE}")
    await connection.execute(f"CREATE DATABASE {DATABASE}")
    await connection.close()


def main() -> None:
    """One run on each database."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=2_000)
    parser.add_argument("--group", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=30)
    asked = parser.parse_args()
    matches = [f"{number:08}-0000-7000-8000-000000000000" for number in range(asked.matches)]
    spent, made = on_sqlite(matches, rounds(matches, asked.group, asked.rounds))
    print(f"{made} moves in groups of {asked.group}, microseconds of processor a move")
    print(f"SQLite {spent / made * 1e6:.1f}")
    server = shared("moves", synced=True)
    try:
        asyncio.run(_again(server.url()))
        asyncio.run(migrate(server.url(DATABASE)))
        groups = rounds(matches, asked.group, asked.rounds)
        here, there, made = asyncio.run(on_postgres(server.url(DATABASE), matches, groups))
        print(f"PostgreSQL {here / made * 1e6:.1f} here, {there / made * 1e6:.1f} there")
    finally:
        server.remove()


if __name__ == "__main__":
    main()
