"""Brings a database to the present schema, which several processes may try at once, or tells
whether it is of that schema.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import unquote

import asyncpg
from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, create_engine, event, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine
from sqlalchemy.pool import NullPool

from parlour.store.change import Unavailable

MIGRATIONS = Path(__file__).parent / "migrations"
POSTGRES_LOCK = 0x7061726C6F7572  # "parlour"
SQLITE_WAIT_S = 60


async def migrate(url: str) -> None:
    """Create or upgrade the database at `url`."""
    if url.startswith("sqlite:"):
        await asyncio.to_thread(migrate_sqlite, sqlite_path(url))
    else:
        await _migrate_postgres(url)


def sqlite_path(url: str) -> str:
    """The file a `sqlite:///file` address names; empty for `sqlite://`, which names none."""
    return unquote(url.removeprefix("sqlite:").removeprefix("//").removeprefix("/"))


def migrate_sqlite(path: str) -> None:
    """Create or upgrade the database in the file at `path`."""
    engine = create_engine(
        "sqlite://",
        poolclass=NullPool,
        creator=lambda: sqlite3.connect(path, timeout=SQLITE_WAIT_S, isolation_level=None),
    )
    # The write lock from the first statement on: who comes second waits, and finds it done.
    event.listen(engine, "begin", lambda connection: connection.exec_driver_sql("BEGIN IMMEDIATE"))
    with reached(), engine.begin() as connection:
        upgrade(connection)


async def _migrate_postgres(url: str) -> None:
    with reached():
        async with _postgres(url).begin() as connection:
            await connection.execute(text(f"SELECT pg_advisory_xact_lock({POSTGRES_LOCK})"))
            await connection.run_sync(upgrade)


def _postgres(url: str) -> AsyncEngine:
    return create_async_engine(
        "postgresql+asyncpg://", poolclass=NullPool, async_creator=lambda: asyncpg.connect(url)
    )


async def check(url: str) -> None:
    """Says `Unavailable` unless there is a database of the present schema; makes nothing."""
    if url.startswith("sqlite:"):
        ready = await asyncio.to_thread(_is_sqlite_ready, sqlite_path(url))
    else:
        with reached():
            async with _postgres(url).connect() as connection:
                ready = await connection.run_sync(_is_present)
    if not ready:
        raise Unavailable(
            "the database is not of the present schema; `parlour migrate` makes it so"
        )


def _is_sqlite_ready(path: str) -> bool:
    if not Path(path).is_file():
        raise Unavailable(f"there is no database {path or 'that is kept at sqlite://'}")
    uri = f"{Path(path).absolute().as_uri()}?mode=rw"  # which opens, but never makes
    engine = create_engine(
        "sqlite://", poolclass=NullPool, creator=lambda: sqlite3.connect(uri, uri=True)
    )
    with reached(), engine.connect() as connection:
        return _is_present(connection)


def _is_present(connection: Connection) -> bool:
    heads = MigrationContext.configure(connection).get_current_heads()
    return heads == tuple(ScriptDirectory.from_config(_config()).get_heads())


@contextmanager
def reached() -> Iterator[None]:
    """Says `Unavailable` of a database that cannot be reached or opened."""
    try:
        yield
    except DBAPIError as error:
        raise Unavailable(f"cannot open the database: {error.orig}") from error
    except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
        raise Unavailable(f"cannot open the database: {error}") from error


def upgrade(connection: Connection) -> None:
    """Run what is missing within the connection's transaction."""
    config = _config()
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    return config
