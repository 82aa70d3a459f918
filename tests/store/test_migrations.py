"""The migrations make what the schema says, on both databases, however many run them at once."""
# ruff: noqa: S608 (the names put into SQL are the tests' own)

from __future__ import annotations

import asyncio
import re
import sqlite3
from collections.abc import AsyncIterator, Callable
from functools import partial
from pathlib import Path
from typing import Any
from uuid import uuid4

import asyncpg
import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from sqlalchemy import Connection, NullPool, create_engine, text
from sqlalchemy.ext.asyncio import create_async_engine

from parlour.store.api import open_store
from parlour.store.change import Unavailable
from parlour.store.migrate import MIGRATIONS, check, migrate, sqlite_path
from parlour.store.schema import game_history, metadata, player_ratings
from tests.servers.postgres import Postgres
from tests.store.rows import make, unchanged, user

Work = Callable[[Connection], Any]


@pytest.fixture
async def nothing(
    engine: str, tmp_path: Path, request: pytest.FixtureRequest
) -> AsyncIterator[tuple[str, str]]:
    """The addresses of two databases in which there is nothing at all."""
    if engine == "sqlite":
        yield f"sqlite:///{tmp_path}/one.db", f"sqlite:///{tmp_path}/two.db"
        return
    server: Postgres = request.getfixturevalue("postgres_server")
    one, two = (f"parlour_{uuid4().hex}" for _ in range(2))
    connection = await asyncpg.connect(server.url())
    for name in (one, two):
        await connection.execute(f"CREATE DATABASE {name}")
    yield server.url(one), server.url(two)
    for name in (one, two):
        await connection.execute(f"DROP DATABASE {name} WITH (FORCE)")
    await connection.close()


async def on(url: str, work: Work) -> Any:
    """Run something on a connection of SQLAlchemy."""
    if url.startswith("sqlite"):
        with create_engine(url, poolclass=NullPool).begin() as connection:
            return work(connection)
    engine = create_async_engine(
        "postgresql+asyncpg://", async_creator=lambda: asyncpg.connect(url), poolclass=NullPool
    )
    async with engine.begin() as connection:
        return await connection.run_sync(work)


async def shape(url: str) -> set[str]:
    """All columns, constraints and indexes of our tables, in the database's own words."""
    if url.startswith("sqlite"):
        connection = sqlite3.connect(sqlite_path(url))
        made = connection.execute("SELECT tbl_name, sql FROM sqlite_master WHERE type <> 'trigger'")
        lines = {
            f"{table}: {line.strip().rstrip(',')}"
            for table, sql in made
            for line in (sql or "").splitlines()
        }
        connection.close()
    else:
        server = await asyncpg.connect(url)
        rows = await server.fetch(
            """
            SELECT conrelid::regclass || ': ' || conname || ' ' || pg_get_constraintdef(oid)
                FROM pg_constraint WHERE connamespace = 'public'::regnamespace
            UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'
            UNION ALL SELECT attrelid::regclass || ': ' || attname || ' '
                    || format_type(atttypid, atttypmod) || CASE WHEN attnotnull THEN '!' ELSE '' END
                FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
                WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND attnum > 0
            UNION ALL SELECT relname || ' ' || reloptions::text FROM pg_class
                WHERE relnamespace = 'public'::regnamespace AND reloptions IS NOT NULL
            """
        )
        lines = {row[0] for row in rows}
        await server.close()
    views = re.compile(r"alembic_version|^(game_history|player_ratings):")
    return {line for line in lines if line and not views.search(line)}


async def test_schema_and_migrations_agree(nothing: tuple[str, str]) -> None:
    migrated, declared = nothing
    await migrate(migrated)
    await on(declared, metadata.create_all)
    assert await shape(migrated) == await shape(declared)

    def differences(connection: Connection) -> list[Any]:
        return list(compare_metadata(MigrationContext.configure(connection), metadata))

    assert await on(migrated, differences) == []


async def test_views_have_the_columns_that_queries_name(database: str) -> None:
    def columns(view: str, connection: Connection) -> list[str]:
        return list(connection.exec_driver_sql(f"SELECT * FROM {view}").keys())

    for view in (game_history, player_ratings):
        found = await on(database, partial(columns, view.name))
        assert found == [column.name for column in view.columns]


async def test_migrating_again_changes_nothing(database: str) -> None:
    store = open_store(database)
    await store.start()
    await make(store, user("Ann"))
    async with unchanged(store):
        await migrate(database)
    await store.close()


async def test_many_may_start_at_once_on_an_empty_database(nothing: tuple[str, str]) -> None:
    stores = [open_store(nothing[0]) for _ in range(6)]
    await asyncio.gather(*(store.start() for store in stores))
    await asyncio.gather(*(make(store, user(f"u{n}")) for n, store in enumerate(stores)))
    await asyncio.gather(*(store.close() for store in stores))


@pytest.mark.parametrize(
    "url", ["sqlite:////nowhere/parlour.db", "postgresql://nobody@127.0.0.1:1/nothing"]
)
async def test_a_database_that_cannot_be_opened_is_unavailable(url: str) -> None:
    with pytest.raises(Unavailable, match="cannot open the database"):
        await migrate(url)
    with pytest.raises(Unavailable, match="cannot open the database"):
        await open_store(url).start()


def make_empty(url: str) -> None:
    if url.startswith("sqlite"):
        Path(sqlite_path(url)).touch()


async def test_a_database_that_is_not_ready_is_told_from_one_that_is(
    nothing: tuple[str, str],
) -> None:
    url, _ = nothing
    make_empty(url)
    with pytest.raises(Unavailable, match="parlour migrate"):
        await check(url)
    assert await shape(url) == set()
    await migrate(url)
    await check(url)
    older = text("UPDATE alembic_version SET version_num = '0000'")
    await on(url, lambda connection: connection.execute(older))
    with pytest.raises(Unavailable, match="parlour migrate"):
        await check(url)


async def test_the_order_of_held_seats_can_be_undone_and_made_again(
    nothing: tuple[str, str],
) -> None:
    url, _ = nothing
    await migrate(url)
    made = await shape(url)

    def down(connection: Connection) -> None:
        config = Config()
        config.set_main_option("script_location", str(MIGRATIONS))
        config.attributes["connection"] = connection
        command.downgrade(config, "0003-1")

    await on(url, down)
    undone = {line for line in made if "ix_presence_process_id" in line}
    assert {line for line in made - await shape(url) if "presence" in line} == undone != set()
    await migrate(url)
    assert await shape(url) == made
