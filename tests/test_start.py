"""A server starts with what its first answers take; all else is loaded when it is needed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.servers.commands import environment

STARTED = """
import asyncio, sys
from parlour import app
from parlour.settings import Settings

async def start(services):
    async with app._running(services):
        print(*sys.modules)

services = app.assemble(Settings.load())
app.application(services, app.surfaces(services))
asyncio.run(start(services))
"""


LATE = """
import sys
from parlour.serving import LATE, load_late

for library in (*LATE, "there_is_no_such_library"):
    load_late(library)
from parlour import app
assert "yaml.loader" not in sys.modules
assert [name for name in LATE if sys.modules[name].__spec__] == []
assert "there_is_no_such_library" not in sys.modules
from parlour.net.server import Config
Config(app.application, lifespan="on").load()
assert "uvicorn.lifespan.on" in sys.modules
assert "click" not in sys.modules
import annotated_types
assert annotated_types.Gt(1).gt == 1
from structlog import threadlocal
assert threadlocal.get_threadlocal() == {}
from litestar.openapi.plugins import yaml
assert yaml.safe_load("late: yes") == {"late": True}
import uvicorn.config
assert uvicorn.__version__ and uvicorn.config.Config is uvicorn.Config
import yaml.loader
assert yaml.safe_load("late: no") == {"late": False}
"""


def python(code: str, folder: Path) -> str:
    """What a new process prints that runs this."""
    return subprocess.run(  # noqa: S603 - our own words
        [sys.executable, "-c", code],
        cwd=folder,
        env=environment(),
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    ).stdout


def test_nothing_is_loaded_that_a_server_does_not_need_yet(tmp_path: Path) -> None:
    python(STARTED, tmp_path)  # makes the database
    loaded = set(python(STARTED, tmp_path).split())
    assert "parlour.people.tokens" in loaded
    unneeded = {"alembic", "asyncpg", "cryptography", "jwt", "redis", "typer"}
    unneeded.add("sqlalchemy.dialects.postgresql")
    assert loaded & unneeded == set()


def test_a_library_that_comes_late_comes_whole(tmp_path: Path) -> None:
    python(LATE, tmp_path)
