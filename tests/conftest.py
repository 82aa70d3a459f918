"""The stores that tests run on: SQLite in a file and a real PostgreSQL, the same tests on both."""
# ruff: noqa: S608 (the only names put into SQL are our own)

from __future__ import annotations

import asyncio
import os
import shutil
from collections.abc import AsyncIterator, Iterator
from contextlib import suppress
from pathlib import Path
from uuid import uuid4

import asyncpg
import pytest
import structlog
from hypothesis import settings

from parlour.store.api import Store
from parlour.store.migrate import migrate, migrate_sqlite
from parlour.store.schema import metadata
from parlour.store.sqlite import store as sqlite
from tests.servers import postgres
from tests.servers.stores import opened

# A machine that has other things to do makes no example wrong.
settings.register_profile("parlour", deadline=None)
settings.load_profile("parlour")

# Errors that tests bring about are told plainly: drawn as boxes they took a tenth of the time.
PLAIN = structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback)
structlog.configure(processors=[*structlog.get_config()["processors"][:-1], PLAIN])

RUN = os.environ.get("PYTEST_XDIST_TESTRUNUID", uuid4().hex)[:12]
WORKER = os.environ.get("PYTEST_XDIST_WORKER", "main")

# As a replica, for a replica asks neither foreign keys nor triggers. The mint is always there.
EMPTY = f"""SET session_replication_role = replica;
{"".join(f'DELETE FROM "{name}";' for name in metadata.tables if name != "account")}
DELETE FROM account WHERE kind <> 'mint';
UPDATE account SET balance = 0"""


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[postgres.Postgres]:
    """A server that all tests share; none may stop it."""
    server = postgres.shared(RUN)
    yield server
    server.remove()


@pytest.fixture(scope="session")
def postgres_database(postgres_server: postgres.Postgres) -> Iterator[str]:
    """The address of this worker's database, of the present schema."""
    name = f"parlour_{RUN}_{WORKER}"
    asyncio.run(_run(postgres_server.url(), f"CREATE DATABASE {name}"))
    url = postgres_server.url(name)
    asyncio.run(migrate(url))
    yield url
    asyncio.run(_run(postgres_server.url(), f"DROP DATABASE {name} WITH (FORCE)"))


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty database file of the present schema, to be copied."""
    path = tmp_path_factory.mktemp("template") / "parlour.db"
    asyncio.run(migrate(f"sqlite:///{path}"))
    return path


@pytest.fixture(scope="session", autouse=True)
def new_files_are_copies(sqlite_template: Path) -> Iterator[None]:
    """Servers that keep nothing begin with a copy of it, rather than to migrate each from nothing.

    Migrations have tests of their own, and processes that tests start run them.
    """

    def begin(path: str) -> None:
        if not Path(path).exists() and Path(path).parent.is_dir():
            whole = Path(f"{path}.{uuid4().hex}")
            shutil.copy(sqlite_template, whole)
            with suppress(FileExistsError):  # somebody else was first
                os.link(whole, path)
            whole.unlink()
        migrate_sqlite(path)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sqlite, "migrate_sqlite", begin)
        yield


@pytest.fixture(params=["sqlite", "postgres"])
def engine(request: pytest.FixtureRequest) -> str:
    """Which database a test runs on; it runs on each."""
    return str(request.param)


@pytest.fixture
def database(engine: str, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[str]:
    """The address of an empty database of the present schema."""
    if engine == "sqlite":
        path = tmp_path / "parlour.db"
        shutil.copy(request.getfixturevalue("sqlite_template"), path)
        yield f"sqlite:///{path}"
        return
    url: str = request.getfixturevalue("postgres_database")
    yield url
    asyncio.run(_run(url, EMPTY))


@pytest.fixture
async def store(database: str) -> AsyncIterator[Store]:
    """A store of its own for each test, open."""
    async with opened(database) as store:
        yield store


async def _run(url: str, sql: str) -> None:
    connection = await asyncpg.connect(url)
    try:
        await connection.execute(sql)
    finally:
        await connection.close()
