"""The command `parlour` in processes of its own, as an operator runs it.

To load it takes longer than most of what it does, so they are forked from a process that has loaded
it already; where loading is a part of what is looked at, they begin as `fresh` ones.
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from multiprocessing import get_context
from multiprocessing.context import ForkServerContext
from pathlib import Path

import httpx

from parlour.settings import field_of
from tests.servers import plain

PARLOUR = (sys.executable, "-c", "from parlour.cli import main; main()")
LOADED = ["parlour.cli", "parlour.app", "parlour.operators", "parlour.store.upgrade", "uvloop"]


def environment(**more: str) -> dict[str, str]:
    not_ours = {*field_of(), "PYTHONDONTWRITEBYTECODE"}
    rest = {name: value for name, value in os.environ.items() if name not in not_ours}
    return rest | more


@cache
def _forks() -> ForkServerContext:
    context = get_context("forkserver")
    context.set_forkserver_preload(LOADED)
    return context


def _be(words: Sequence[str], folder: str, told: Mapping[str, str], out: str, err: str) -> None:
    """What a fork does: the command, from there on like any other process of it."""
    from parlour.cli import main  # noqa: PLC0415 (only forks need it)

    os.chdir(folder)
    os.environ.clear()
    os.environ.update(told)
    for number, path in ((1, out), (2, err)):
        with Path(path).open("wb") as file:
            os.dup2(file.fileno(), number)
    sys.argv = ["parlour", *words]
    main()


class Forked:
    """A fork, with the names that `subprocess` has for what is done with one."""

    def __init__(self, words: Sequence[str], folder: Path, told: Mapping[str, str]) -> None:
        self._said = tempfile.TemporaryDirectory(prefix="parlour-said-")
        self._files = [Path(self._said.name) / name for name in ("out", "err")]
        self._heard: tuple[str, str] | None = None
        out, err = map(str, self._files)
        self._process = _forks().Process(target=_be, args=(words, str(folder), told, out, err))
        self._process.start()
        assert self._process.pid is not None
        self.pid = self._process.pid

    @property
    def returncode(self) -> int | None:
        return self._process.exitcode

    def poll(self) -> int | None:
        return self.returncode

    def send_signal(self, number: signal.Signals) -> None:
        os.kill(self.pid, number)

    def kill(self) -> None:
        self._process.kill()

    def wait(self, timeout: float | None = None) -> int:
        self._process.join(timeout)
        if self.returncode is None:
            raise subprocess.TimeoutExpired("parlour", timeout or 0)
        return self.returncode

    def communicate(self, timeout: float | None = None) -> tuple[str, str]:
        """Everything it said until it ended."""
        self.wait(timeout)
        if self._heard is None:
            out, err = (path.read_text() if path.exists() else "" for path in self._files)
            self._heard = out, err
            self._said.cleanup()
        return self._heard


Started = Forked | subprocess.Popen[str]


def _started(
    folder: Path, words: Sequence[str], told: Mapping[str, str], *, fresh: bool
) -> Started:
    if not fresh:
        return Forked(words, folder, told)
    return subprocess.Popen(  # noqa: S603 - our own command
        [*PARLOUR, *words],
        cwd=folder,
        env=told,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def run(
    folder: Path, *words: str, fresh: bool = False, **more: str
) -> subprocess.CompletedProcess[str]:
    """To its end, in a folder and with settings."""
    process = _started(folder, words, environment(**more), fresh=fresh)
    out, err = process.communicate(timeout=60)
    assert process.returncode is not None
    return subprocess.CompletedProcess(words, process.returncode, out, err)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as found:
        return int(found.getsockname()[1])


@contextmanager
def serving(
    folder: Path, *words: str, fresh: bool = False, **more: str
) -> Iterator[tuple[Started, str]]:
    """A server as long as it is needed, unless it ends before; and its address."""
    port = free_port()
    options = ("serve", "--port", str(port), *words)
    process = _started(folder, options, environment(**more), fresh=fresh)
    url = f"http://127.0.0.1:{port}"
    try:
        ends = time.monotonic() + 60
        while process.poll() is None and time.monotonic() < ends:
            with suppress(httpx.ConnectError):
                plain.get(f"{url}/api/health")
                break
            time.sleep(0.05)
        yield process, url
    finally:
        if process.poll() is None:
            process.kill()
        process.communicate()
