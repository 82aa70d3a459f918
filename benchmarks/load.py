"""What benchmarks over the wire share: a server in a process of its own, and frugal clients.

The clients speak plain HTTP/1.1 and WebSocket frames over asyncio's own streams of bytes. A library
would spend more time on a message than the server does, and so measure itself.
"""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Self, cast

import msgspec

from benchmarks.report import Figure

HOST = "127.0.0.1"
START_WITHIN_SEC = 30.0

_running: dict[int, int] = {}
"""Which process listens on which port."""


@contextmanager
def server(python: str = sys.executable, **settings: str) -> Iterator[int]:
    """Parlour on a database file of its own, on one core; the port it listens on.

    This process keeps to the other cores, where there are any. `python`: the one that has the
    Parlour in question installed.
    """
    with sharing_server(python, **settings) as port:
        _keep_apart(_running[port])
        yield port


@contextmanager
def sharing_server(python: str = sys.executable, **settings: str) -> Iterator[int]:
    """As `server`, on all cores, which this process uses too."""
    with tempfile.TemporaryDirectory(prefix="parlour-bench-") as folder:
        port = free_port()
        process = start(Path(folder), port, python, **settings)
        _running[port] = process.pid
        try:
            await_start(port)
            yield port
        finally:
            del _running[port]
            process.terminate()
            process.wait()


def start(folder: Path, port: int, python: str, **settings: str) -> subprocess.Popen[bytes]:
    """A server in that folder, which may not listen yet."""
    told = {"HOST": HOST, "PORT": str(port), "RATE_LIMITS": "off", "PYTHONDONTWRITEBYTECODE": ""}
    return subprocess.Popen(
        [python, "-c", "from parlour.cli import main; main()", "serve"],
        cwd=folder,
        env=os.environ | told | settings,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL if "PARLOUR_BENCH_LOUD" not in os.environ else None,
    )


class Spent:
    """How long something took, and how much of it server and load were busy."""

    def __init__(self, port: int) -> None:
        self._port = port
        self.sec = self.server_sec = self.load_sec = 0.0
        self._since = (0.0, 0.0, 0.0)

    def __enter__(self) -> Self:
        self._since = self._now()
        return self

    def __exit__(self, *_: object) -> None:
        now, since = self._now(), self._since
        self.sec += now[0] - since[0]
        self.server_sec += now[1] - since[1]
        self.load_sec += now[2] - since[2]

    def figures(self, name: str, what: str, took: list[float]) -> list[Figure]:
        """Of so many steps, each of which took so long."""
        took = sorted(took)
        settings = {
            f"{what}s": len(took),
            "server busy": f"{self.server_sec / self.sec:.0%}",
            "load busy": f"{self.load_sec / self.sec:.0%}",
        }
        server_us = self.server_sec / len(took) * 1e6
        return [
            Figure(name, len(took) / self.sec, f"{what}s/s", settings=settings),
            Figure(f"{name}: server", server_us, f"µs/{what}", settings=settings),
            Figure(f"{name}: p50", took[len(took) // 2] * 1000, "ms", settings=settings),
            Figure(f"{name}: p99", took[len(took) * 99 // 100] * 1000, "ms", settings=settings),
        ]

    def _now(self) -> tuple[float, float, float]:
        return time.perf_counter(), used_sec(self._port), time.process_time()


def used_sec(port: int) -> float:
    """How much processor time the server on that port has used so far; 0 where that is not told.

    It counts the work alone, so it says the same on a busy machine and on an idle one.
    """
    # Of each thread the first field; `stat` only counts hundredths of a second.
    threads = Path(f"/proc/{_running[port]}/task").glob("*/schedstat")
    return sum(int(each.read_text().split()[0]) for each in threads) / 1e9


def resident_mb(port: int) -> float:
    """How much memory the server on that port holds; 0 where that is not told."""
    told = Path(f"/proc/{_running[port]}/statm")
    return (
        int(told.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6 if told.exists() else 0
    )


CORES = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else [0]
"""Those there are to share, before any server took one for itself."""


def cores() -> int:
    """How many cores there are to share."""
    return len(CORES)


def disk_of(folder: Path) -> str:
    """What kind of file system the database lies on."""
    lines = Path("/proc/mounts").read_text().splitlines() if sys.platform == "linux" else []
    mounts = sorted((line.split()[1:3] for line in lines), key=lambda found: len(found[0]))
    for where, kind in reversed(mounts):
        if str(folder.resolve()).startswith(where):
            return kind
    return sys.platform


def _keep_apart(pid: int) -> None:
    if cores() > 1:
        first, *others = CORES
        place(pid, [first])
        place(0, others)


def place(pid: int, cores: list[int]) -> None:
    """Keeps a process to these cores, before all others there if the system lets us."""
    os.sched_setaffinity(pid, cores)
    with suppress(PermissionError):
        os.setpriority(os.PRIO_PROCESS, pid, -20)


def free_port() -> int:
    """One that nobody listens on."""
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        port: int = probe.getsockname()[1]
        return port


def await_start(port: int) -> None:
    """Until somebody listens there."""
    gives_up_at = time.monotonic() + START_WITHIN_SEC
    while time.monotonic() < gives_up_at:
        try:
            socket.create_connection((HOST, port), 1).close()
        except OSError:
            time.sleep(0.05)
        else:
            return
    raise TimeoutError("the server did not start")


# --- HTTP -------------------------------------------------------------------------------------


def _from(source: str) -> tuple[str, int] | None:
    """Where a connection comes from. Who names the usual address has the system look long for a
    port that nobody else has.
    """
    return None if source == HOST else (source, 0)


class Http(asyncio.Protocol):
    """One connection that is kept, with one request at a time."""

    def __init__(self) -> None:
        self._transport: asyncio.Transport | None = None
        self._received = b""
        self._answer: asyncio.Future[tuple[int, bytes]] | None = None
        self.used_at = time.perf_counter()

    @classmethod
    async def open(cls, port: int, source: str = HOST) -> Http:
        """A connection to the server on that port, from that address of this machine."""
        loop = asyncio.get_running_loop()
        _, protocol = await loop.create_connection(cls, HOST, port, local_addr=_from(source))
        return protocol

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        # uvloop's transports are no subclasses of asyncio's.
        self._transport = cast("asyncio.Transport", transport)

    def connection_lost(self, exc: Exception | None) -> None:
        if self._answer is not None and not self._answer.done():
            self._answer.set_exception(exc or ConnectionResetError())

    def data_received(self, data: bytes) -> None:
        self._received += data
        head, found, body = self._received.partition(b"\r\n\r\n")
        if not found:
            return
        size = int(head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0] or 0)
        if len(body) >= size:
            self._received = body[size:]
            if self._answer is not None and not self._answer.done():
                self.used_at = time.perf_counter()
                self._answer.set_result((int(head[9:12]), body[:size]))

    async def send(self, request: bytes) -> tuple[int, bytes]:
        """Status and body of the answer."""
        assert self._transport is not None
        self._answer = asyncio.get_running_loop().create_future()
        self._transport.write(request)
        return await self._answer

    async def call(self, method: str, path: str, token: str = "", body: Any = None) -> Any:
        """The decoded answer, which must be a success."""
        status, answer = await self.send(request(method, path, token, body))
        if status >= 300:
            raise RuntimeError(f"{method} {path}: {status} {answer.decode()}")
        return msgspec.json.decode(answer)

    def close(self) -> None:
        """Hang up."""
        if self._transport is not None:
            self._transport.close()


def request(method: str, path: str, token: str = "", body: Any = None) -> bytes:
    """A request as it goes over the line."""
    content = b"" if body is None else msgspec.json.encode(body)
    lines = [f"{method} {path} HTTP/1.1", f"Host: {HOST}"]
    if token:
        lines.append(f"Authorization: Bearer {token}")
    if content:
        lines += ["Content-Type: application/json"]
    lines += [f"Content-Length: {len(content)}", "", ""]
    return "\r\n".join(lines).encode() + content


# --- WebSocket --------------------------------------------------------------------------------


class Socket(asyncio.Protocol):
    """A WebSocket client that hands on every text message it gets."""

    def __init__(self, path: str, token: str, hear: Callable[[bytes], None]) -> None:
        self._handshake = (
            f"GET {path} HTTP/1.1\r\nHost: {HOST}\r\nUpgrade: websocket\r\n"
            "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
            f"Authorization: Bearer {token}\r\n\r\n"
        ).encode()
        self._hear = hear
        self.shaken: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._received = b""
        self._transport: asyncio.Transport | None = None
        self.closed = False

    @classmethod
    async def open(
        cls,
        port: int,
        path: str,
        token: str,
        hear: Callable[[bytes], None],
        source: str = HOST,
    ) -> Socket:
        """A socket on that path, once the server has let it in, from that address of this machine.

        `ConnectionRefusedError` if the server does not.
        """
        loop = asyncio.get_running_loop()
        _, protocol = await loop.create_connection(
            lambda: cls(path, token, hear), HOST, port, local_addr=_from(source)
        )
        await protocol.shaken
        return protocol

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        # uvloop's transports are no subclasses of asyncio's.
        self._transport = cast("asyncio.Transport", transport)
        self._transport.write(self._handshake)

    def data_received(self, data: bytes) -> None:
        if self._received:
            data = self._received + data
        at, end = 0, len(data)
        if not self.shaken.done():
            at = data.find(b"\r\n\r\n") + 4
            if at < 4:
                self._received = data
                return
            if not data.startswith(b"HTTP/1.1 101"):
                self.shaken.set_exception(ConnectionRefusedError(data[:at].decode()))
                return
            self.shaken.set_result(None)
        while end - at >= 2:
            size, start = data[at + 1], at + 2
            if size == 126:
                size, start = int.from_bytes(data[at + 2 : at + 4], "big"), at + 4
            elif size == 127:
                size, start = int.from_bytes(data[at + 2 : at + 10], "big"), at + 10
            if start + size > end:
                break
            if data[at] == 0x81:
                self._hear(data[start : start + size])
            at = start + size
        self._received = data[at:]

    def connection_lost(self, exc: Exception | None) -> None:
        self.closed = True
        if not self.shaken.done():
            self.shaken.set_exception(exc or ConnectionResetError())

    @property
    def backlog(self) -> int:
        """How many bytes the server has not taken yet, beyond what the system holds."""
        return self._transport.get_write_buffer_size() if self._transport else 0

    def send(self, frame: bytes) -> None:
        """A frame that was made beforehand."""
        assert self._transport is not None
        self._transport.write(frame)

    def close(self) -> None:
        """Hang up."""
        if self._transport is not None:
            self._transport.close()


def frame(text: bytes) -> bytes:
    """A short text message of a client; its mask is all zeros, which changes nothing."""
    assert len(text) < 126
    return bytes((0x81, 0x80 | len(text))) + b"\0\0\0\0" + text
