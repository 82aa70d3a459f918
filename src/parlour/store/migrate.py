"""Brings a database to the present schema, which several processes may try at once, or tells
whether it is of that schema.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import unquote

from parlour.store.change import Unavailable

MIGRATIONS = Path(__file__).parent / "migrations"
SQLITE_WAIT_S = 60

PRESENT = max(each.name[1:5] for each in (MIGRATIONS / "versions").glob("v*.py"))
"""The newest revision, by the number in its file's name."""

_REVISION = "SELECT version_num FROM alembic_version"


async def migrate(url: str) -> None:
    """Create or upgrade the database at `url`."""
    if url.startswith("sqlite:"):
        await asyncio.to_thread(migrate_sqlite, sqlite_path(url))
        return
    with reached(_lost()):
        if await _postgres_revision(url) != PRESENT:
            from parlour.store.upgrade import upgrade_postgres  # noqa: PLC0415 (see there)

            await upgrade_postgres(url)


def sqlite_path(url: str) -> str:
    """The file a `sqlite:///file` address names; empty for `sqlite://`, which names none."""
    return unquote(url.removeprefix("sqlite:").removeprefix("//").removeprefix("/"))


def migrate_sqlite(path: str) -> None:
    """Create or upgrade the database in the file at `path`."""
    with reached():
        if not Path(path).is_file() or _sqlite_revision(path) != PRESENT:
            from parlour.store.upgrade import upgrade_sqlite  # noqa: PLC0415 (see there)

            upgrade_sqlite(path)


async def check(url: str) -> None:
    """Says `Unavailable` unless there is a database of the present schema; makes nothing."""
    sqlite = url.startswith("sqlite:")
    with reached() if sqlite else reached(_lost()):
        if sqlite:
            revision = await asyncio.to_thread(_sqlite_revision, sqlite_path(url))
        else:
            revision = await _postgres_revision(url)
    if revision != PRESENT:
        raise Unavailable(
            "the database is not of the present schema; `parlour migrate` makes it so"
        )


def _sqlite_revision(path: str) -> str | None:
    if not Path(path).is_file():
        raise Unavailable(f"there is no database {path or 'that is kept at sqlite://'}")
    uri = f"{Path(path).absolute().as_uri()}?mode=rw"  # which opens, but never makes
    with closing(sqlite3.connect(uri, uri=True, timeout=SQLITE_WAIT_S)) as connection:
        known = "SELECT 1 FROM sqlite_master WHERE name = 'alembic_version'"
        if connection.execute(known).fetchone() is None:
            return None
        row = connection.execute(_REVISION).fetchone()
        return row[0] if row else None


async def _postgres_revision(url: str) -> str | None:
    import asyncpg  # noqa: PLC0415 (only who uses PostgreSQL waits until it is loaded)

    connection = await asyncpg.connect(url)
    try:
        if await connection.fetchval("SELECT to_regclass('alembic_version')") is None:
            return None
        revision: str | None = await connection.fetchval(_REVISION)
        return revision
    finally:
        await connection.close()


@contextmanager
def reached(lost: tuple[type[Exception], ...] = (sqlite3.Error,)) -> Iterator[None]:
    """Says `Unavailable` of a database that cannot be reached or opened; `lost`: how it says so."""
    try:
        yield
    except (OSError, *lost) as error:  # type: ignore[misc] # mypy cannot tell what is in it
        raise Unavailable(f"cannot open the database: {error}") from error


def _lost() -> tuple[type[Exception], ...]:
    import asyncpg  # noqa: PLC0415 (only who uses PostgreSQL waits until it is loaded)

    return asyncpg.PostgresError, asyncpg.InterfaceError
