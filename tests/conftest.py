"""The stores that tests run on: SQLite in a file and a real PostgreSQL, the same tests on both."""

from __future__ import annotations

import asyncio
import os
import shutil
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from uuid import uuid4

import asyncpg
import pytest

from parlour.store.api import Store, open_store
from parlour.store.migrate import migrate
from tests.servers import postgres

RUN = os.environ.get("PYTEST_XDIST_TESTRUNUID", uuid4().hex)[:12]
WORKER = os.environ.get("PYTEST_XDIST_WORKER", "main")


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[postgres.Postgres]:
    """A server that all tests share; none may stop it."""
    server = postgres.shared(RUN)
    yield server
    server.remove()


@pytest.fixture(scope="session")
def postgres_template(postgres_server: postgres.Postgres) -> Iterator[str]:
    """The name of an empty database of the present schema, to be copied."""
    name = f"parlour_{RUN}_{WORKER}"

    async def create() -> None:
        await _administer(postgres_server, f"CREATE DATABASE {name}")
        await migrate(postgres_server.url(name))

    asyncio.run(create())
    yield name
    asyncio.run(_administer(postgres_server, f"DROP DATABASE {name}"))


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty database file of the present schema, to be copied."""
    path = tmp_path_factory.mktemp("template") / "parlour.db"
    asyncio.run(migrate(f"sqlite:///{path}"))
    return path


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
    server: postgres.Postgres = request.getfixturevalue("postgres_server")
    template = request.getfixturevalue("postgres_template")
    name = f"{template}_test"
    asyncio.run(_administer(server, f"CREATE DATABASE {name} TEMPLATE {template}"))
    yield server.url(name)
    asyncio.run(_administer(server, f"DROP DATABASE {name} WITH (FORCE)"))


@pytest.fixture
async def store(database: str) -> AsyncIterator[Store]:
    """A store of its own for each test, open."""
    opened = open_store(database)
    await opened.start()
    yield opened
    await opened.close()


async def _administer(server: postgres.Postgres, sql: str) -> None:
    connection = await asyncpg.connect(server.url())
    try:
        await connection.execute(sql)
    finally:
        await connection.close()
