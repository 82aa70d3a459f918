"""Whatever is asked costs what it answers, in a database where much has happened.

Not times but plans are looked at, and how many rows a query goes through: they are the same on
every machine.
"""

from __future__ import annotations

import asyncio
import json
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from itertools import count
from pathlib import Path
from typing import Any
from uuid import uuid4

import asyncpg
import pytest

from parlour.store.api import open_store
from parlour.store.lists import REACH
from parlour.store.migrate import migrate
from tests.filled import Size, fill, fill_sqlite
from tests.servers.postgres import Postgres
from tests.store.asked import BUILDERS, CASES, PARTS, Case, builders, queries

ON_SQLITE = Size(matches=100_000, players=20_000, own=12_000)
ON_POSTGRES = Size(matches=30_000, players=10_000, own=6_000)


def test_every_query_is_looked_at() -> None:
    """Who adds a query adds the worst that can be asked of it to `CASES`."""
    assert queries().keys() - PARTS == CASES.keys()
    assert builders() == BUILDERS


# --- SQLite -----------------------------------------------------------------------------------


def allowed_steps(case: Case) -> int:
    """Of SQLite's machine. A row that is only passed on the way takes fewer than one shown."""
    passed = max(case.rows - 500, 0)
    return 400 + 60 * min(case.rows, 500) + (30 if case.merged else 20) * passed


@pytest.mark.spec("A20", "A35")
def test_sqlite_goes_along_an_index(tmp_path: Path, sqlite_template: Path) -> None:
    path = tmp_path / "filled.db"
    shutil.copy(sqlite_template, path)
    fill_sqlite(str(path), ON_SQLITE)
    asked, store = queries(), open_store("sqlite://")
    wrong: list[str] = []
    with closing(sqlite3.connect(path)) as connection:
        for name, cases in CASES.items():
            for case in cases:
                sql, values = store.compiled(asked[name], case.params)
                plan = [row[3] for row in connection.execute(f"EXPLAIN QUERY PLAN {sql}", values)]
                steps = _steps(connection, sql, values)
                if steps > allowed_steps(case):
                    wrong.append(f"{name} takes {steps} steps: {plan}")
                if bad := [step for step in plan if _is_bad(step, case)]:
                    wrong.append(f"{name}: {bad}")
    assert not wrong, "\n".join(wrong)


def _steps(connection: sqlite3.Connection, sql: str, values: Any) -> int:
    steps = count()
    connection.set_progress_handler(lambda: next(steps) < 0, 1)
    connection.execute(sql, values).fetchall()
    connection.set_progress_handler(None, 1)
    return next(steps)


def _is_bad(step: str, case: Case) -> bool:
    """Whether something is sorted, or a table gone through from end to end."""
    if "TEMP B-TREE" in step:
        return not case.merged
    made = ("SCAN anon", "SCAN CONSTANT")  # by the query itself
    return step.startswith("SCAN") and not (case.whole or step.startswith((*made, *KEPT)))


KEPT = ("SCAN outbox",)
"""What is read from its beginning on, in the order it is kept in."""


# --- PostgreSQL -------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def filled_postgres(postgres_server: Postgres) -> Iterator[str]:
    name = f"parlour_filled_{uuid4().hex}"
    url = postgres_server.url(name)

    async def run(sql: str) -> None:
        connection = await asyncpg.connect(postgres_server.url())
        await connection.execute(sql)
        await connection.close()

    asyncio.run(run(f"CREATE DATABASE {name}"))
    asyncio.run(migrate(url))
    asyncio.run(fill(url, ON_POSTGRES))
    yield url
    asyncio.run(run(f"DROP DATABASE {name} WITH (FORCE)"))


@pytest.mark.parametrize("plans", ["force_custom_plan", "force_generic_plan"])
async def test_postgres_goes_along_an_index(filled_postgres: str, plans: str) -> None:
    """Planned for the values at hand, as at first, or for any, as the server may do later."""
    asked, store = queries(), open_store(filled_postgres)
    wrong: list[str] = []
    connection = await asyncpg.connect(filled_postgres)
    try:
        # Of tables as small as here the server may rather read the whole.
        await connection.execute(f"SET plan_cache_mode = {plans}; SET enable_seqscan = off")
        for name, cases in CASES.items():
            for case in cases:
                plan = await _explained(connection, *store.compiled(asked[name], case.params))
                visited = sum(_visited(node) for node in _nodes(plan))
                if visited > 400 + 4 * case.rows:
                    wrong.append(f"{name} visits {visited} rows: {_told(plan)}")
                if any(_is_sort_of_many(node, case) for node in _nodes(plan)):
                    wrong.append(f"{name} sorts: {_told(plan)}")
    finally:
        await connection.close()
    assert not wrong, "\n".join(wrong)


async def _explained(connection: Any, sql: str, values: Any) -> dict[str, Any]:
    """The plan of a prepared statement and what became of it; as rows of text, so that the
    statement is planned like the server's own and not like one with its values written in.
    """
    prepared = await connection.prepare(sql)
    types = ", ".join(parameter.name for parameter in prepared.get_parameters())
    given = ", ".join(map(_literal, values))
    await connection.execute(f"PREPARE asked{f'({types})' if types else ''} AS {sql}")
    explain = f"EXPLAIN (ANALYZE, FORMAT JSON) EXECUTE asked{f'({given})' if given else ''}"
    told = await connection.fetchval(explain)
    await connection.execute("DEALLOCATE asked")
    plan: dict[str, Any] = json.loads(told)[0]["Plan"]
    return plan


def _literal(value: Any) -> str:
    return str(value) if isinstance(value, int) else "'" + str(value).replace("'", "''") + "'"


def _nodes(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield plan
    for node in plan.get("Plans", ()):
        yield from _nodes(node)


def _is_sort_of_many(node: dict[str, Any], case: Case) -> bool:
    """More than the few that were looked for by key, and more than the page and what is before it:
    of a short list the server may rather sort all there is.
    """
    if "Sort" not in node["Node Type"]:
        return False
    rows: float = node["Plans"][0]["Actual Rows"]
    return rows > max(case.rows, 1_000)


def _told(plan: dict[str, Any]) -> str:
    return " < ".join(
        f"{node['Node Type']} {node.get('Index Name', '')} {_visited(node)}"
        for node in _nodes(plan)
    )


def _visited(node: dict[str, Any]) -> int:
    """How many rows of a table or index were looked at."""
    if "Scan" not in node["Node Type"]:
        return 0
    removed = node.get("Rows Removed by Filter", 0) + node.get("Rows Removed by Index Recheck", 0)
    visited: float = (node["Actual Rows"] + removed) * node["Actual Loops"]
    return round(visited)


def test_the_busy_one_has_more_than_an_offset_reaches() -> None:
    assert ON_SQLITE.matches * 0.8 / 6 > REACH
    assert ON_SQLITE.own > REACH
