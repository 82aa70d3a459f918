"""Kill a process in the midst of committing: what it had acknowledged is there, and only whole."""

from __future__ import annotations

import asyncio
import sys
from collections import Counter
from pathlib import Path

import asyncpg
import pytest
from sqlalchemy import select

from parlour.store import queries, schema
from tests.play.conftest import until
from tests.servers.stores import opened
from tests.store.rows import versions_of

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("acknowledged_first", [1, 300, 1000])
async def test_nothing_acknowledged_is_lost_when_a_process_is_killed(
    database: str, acknowledged_first: int
) -> None:
    child = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.store.child", database),
        stdout=asyncio.subprocess.PIPE,
        cwd=ROOT,
    )
    assert child.stdout is not None
    acknowledged: dict[str, int] = {}

    def note(line: bytes) -> None:
        match_id, version = line.decode().split()
        acknowledged[match_id] = int(version)

    for _ in range(acknowledged_first):
        note(await child.stdout.readline())
    child.kill()
    for line in (await child.stdout.read()).splitlines(keepends=True):
        if line.endswith(b"\n"):
            note(line)
    await child.wait()
    if database.startswith("postgresql"):
        await nobody_is_connected(database)

    async with opened(database) as store:
        stored = await versions_of(store, acknowledged)
        events = await store.rows(select(schema.outbox.c.key))
        sent = Counter(row["key"] for row in events)
        for match_id, version in acknowledged.items():
            # At most one step of each match was under way.
            assert stored[match_id] in (version, version + 1)
            entries = await queries.journal(store, match_id)
            assert [each.version for each in entries] == list(range(1, stored[match_id] + 1))
            assert sent[match_id] == stored[match_id]
            found = await queries.match_by_id(store, match_id)
            assert found is not None
            assert found.version == stored[match_id]
            assert found.match.version == stored[match_id] // 3 * 3
            if found.match.version:
                assert found.match.state == b'{"version":%d}' % found.match.version


async def nobody_is_connected(database: str) -> None:
    """What a dead process had asked for last is done or undone: its server has noticed."""
    others = """SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()
        AND backend_type = 'client backend' AND pid <> pg_backend_pid()"""
    console = await asyncpg.connect(database)

    async def alone() -> bool:
        return not await console.fetchval(others)

    try:
        await until(alone)
    finally:
        await console.close()
