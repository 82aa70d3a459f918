"""Runs the migrations that are missing. Only this module needs Alembic, which takes a third of a
second to import: whoever finds the present schema never asks for it.
"""

from __future__ import annotations

import sqlite3

import asyncpg
from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, create_engine, event
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import create_async_engine
from sqlalchemy.pool import NullPool

from parlour.store.change import Unavailable
from parlour.store.migrate import MIGRATIONS, SQLITE_WAIT_S

POSTGRES_LOCK = 0x7061726C6F7572  # "parlour"


def upgrade_sqlite(path: str) -> None:
    """Create or upgrade the database in the file at `path`."""
    engine = create_engine(
        "sqlite://",
        poolclass=NullPool,
        creator=lambda: sqlite3.connect(path, timeout=SQLITE_WAIT_S, isolation_level=None),
    )
    # The write lock from the first statement on: who comes second waits, and finds it done.
    event.listen(engine, "begin", lambda connection: connection.exec_driver_sql("BEGIN IMMEDIATE"))
    try:
        with engine.begin() as connection:
            run(connection)
    except DBAPIError as error:
        raise Unavailable(f"cannot open the database: {error.orig}") from error


async def upgrade_postgres(url: str) -> None:
    """Create or upgrade the database at `url`; one process at a time."""
    engine = create_async_engine(
        "postgresql+asyncpg://", poolclass=NullPool, async_creator=lambda: asyncpg.connect(url)
    )
    try:
        async with engine.begin() as connection:
            await connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({POSTGRES_LOCK})")
            await connection.run_sync(run)
    except DBAPIError as error:
        raise Unavailable(f"cannot open the database: {error.orig}") from error


def run(connection: Connection) -> None:
    """Run what is missing within the connection's transaction."""
    settings = config()
    settings.attributes["connection"] = connection
    command.upgrade(settings, "head")


def config() -> Config:
    """Where Alembic finds the migrations."""
    made = Config()
    made.set_main_option("script_location", str(MIGRATIONS))
    return made
