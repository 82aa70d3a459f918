"""How many connections there may be: who gets in, who is told no, and who must go."""

from __future__ import annotations

import re
import resource
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import pytest
import structlog
from prometheus_client import CollectorRegistry

from parlour.net.addresses import TrustedProxies, address_group
from parlour.net.admission import most_connections
from parlour.net.http import HttpLimits
from parlour.net.refusals import Refusals
from parlour.settings import Settings
from tests.net.conftest import routes
from tests.net.raw import dial, one_answer, refused, reset, rest, said, send
from tests.servers.commands import environment
from tests.servers.parlour import Served, serving

HALF = b"GET /api/health HTTP/1.1\r\nHost: here\r\n"
WHOLE = HALF + b"\r\n"
LAST = HALF + b"Connection: close\r\n\r\n"
SOCKET = (
    b"GET /ws/test/echo HTTP/1.1\r\nHost: here\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)
SOMEBODY, OTHER = "127.0.0.3", "127.0.0.4"


@contextmanager
def small(most: int | None = None, per_address: int | None = None) -> Iterator[Served]:
    settings = Settings(
        database_url="sqlite://", max_connections=most, max_connections_per_address=per_address
    )
    patient = HttpLimits(head_sec=60, body_sec=60, idle_sec=60, take_sec=60)
    with serving(settings, routes, limits=patient) as running:
        yield running


def opened(served: Served, sent: bytes, source: str) -> socket.socket:
    """A connection that has said this, and heard the answer where there is one."""
    client = dial(served.port, source)
    client.sendall(sent)
    if sent == WHOLE:
        assert said(one_answer(client))[0] == 200
    elif sent == SOCKET:
        assert client.recv(65536)[9:12] == b"101"
    return client


def health(port: int, source: str = "127.0.0.1") -> int:
    with dial(port, source) as client:
        send(client, LAST)
        answer = rest(client)
    return said(answer)[0] if answer else 0


# --- of one address


@pytest.mark.parametrize("sent", [b"", HALF, WHOLE, SOCKET], ids=["silent", "half", "idle", "ws"])
def test_one_address_may_have_so_many_and_no_more(sent: bytes) -> None:
    with small(per_address=4) as served, ExitStack() as stack:
        clients = [stack.enter_context(opened(served, sent, SOMEBODY)) for _ in range(4)]
        with dial(served.port, SOMEBODY) as one_more:
            status, headers, code = said(rest(one_more))
        assert (status, code) == (429, "TOO_MANY_CONNECTIONS")
        assert int(headers["retry-after"]) > 0
        assert headers["connection"] == "close"
        assert health(served.port, OTHER) == 200
        assert refused(served, "address") == 1
        clients[0].close()
        _until(lambda: health(served.port, SOMEBODY) == 200)


def test_a_trusted_proxy_is_many_people() -> None:
    with small(per_address=4) as served, ExitStack() as stack:
        for _ in range(20):
            stack.enter_context(opened(served, WHOLE, "127.0.0.1"))
        assert health(served.port) == 200


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("192.0.2.1", "192.0.2.1", True),
        ("192.0.2.1", "192.0.2.2", False),
        ("192.0.2.1", "::ffff:192.0.2.1", True),
        ("::ffff:192.0.2.1", "::ffff:192.0.2.2", False),
        ("2001:db8::1", "2001:db8::ffff:ffff:ffff:ffff", True),
        ("2001:db8::1", "2001:db8:0:1::1", False),
        ("fe80::1%1", "fe80::2%1", True),
    ],
)
def test_who_counts_as_one_address(one: str, other: str, same: bool) -> None:
    assert (address_group(one) == address_group(other)) is same


def test_which_proxies_are_trusted() -> None:
    some = TrustedProxies("127.0.0.1, ::1,10.0.0.0/8,some/where")
    for host in ("127.0.0.1", "::1", "10.1.2.3", "::ffff:10.1.2.3"):
        assert host in some
    for host in ("127.0.0.2", "11.0.0.1", "2001:db8::1", "some/where", ""):
        assert host not in some
    assert "192.0.2.1" in TrustedProxies("*")
    assert "192.0.2.1" not in TrustedProxies([])


# --- in all


def test_when_all_slots_are_taken_the_oldest_half_request_makes_room() -> None:
    with small(most=6, per_address=6) as served, ExitStack() as stack:
        served.guest()
        working = stack.enter_context(opened(served, SOCKET, SOMEBODY))
        idle = stack.enter_context(opened(served, WHOLE, SOMEBODY))
        halves = [stack.enter_context(opened(served, HALF, SOMEBODY)) for _ in range(4)]
        _until(lambda: served.server._admission.taken == 6)
        assert health(served.port, OTHER) == 200
        assert rest(halves[0]) == b""
        for client in halves[1:]:
            client.sendall(b"\r\n")
            assert said(one_answer(client))[0] == 200
        idle.sendall(WHOLE)
        assert said(one_answer(idle))[0] == 200
        working.sendall(b"\x89\x80\0\0\0\0")
        assert working.recv(100) == b"\x8a\x00"
        assert refused(served, "crowded") > 0


def test_who_is_idle_makes_room_but_a_socket_never_does() -> None:
    with small(most=4, per_address=4) as served, ExitStack() as stack:
        idle = [stack.enter_context(opened(served, WHOLE, SOMEBODY)) for _ in range(4)]
        sockets = [stack.enter_context(opened(served, SOCKET, OTHER)) for _ in range(4)]
        assert [rest(client) for client in idle] == [b""] * 4
        with dial(served.port) as client:
            status, headers, code = said(rest(client))
        assert (status, code) == (503, "UNAVAILABLE")
        assert int(headers["retry-after"]) > 0
        for client in sockets:
            client.sendall(b"\x89\x80\0\0\0\0")
            assert client.recv(100) == b"\x8a\x00"
        sockets[0].close()
        _until(lambda: health(served.port) == 200)


def test_a_request_in_hand_is_never_dropped() -> None:
    with small(most=3) as served, ExitStack() as stack:
        asking = stack.enter_context(dial(served.port))
        asking.sendall(b"GET /api/test/sleep/1.0 HTTP/1.1\r\nHost: here\r\n\r\n")
        _until(lambda: len(served.server.server_state.tasks) == 1)
        for _ in range(20):
            stack.enter_context(opened(served, WHOLE, "127.0.0.1"))
        assert asking.recv(65536).startswith(b"HTTP/1.1 200 ")


def test_connections_that_end_leave_nothing_behind() -> None:
    with small() as served:
        for sent in (b"", HALF, WHOLE, SOCKET, b"junk\r\n\r\n", SOCKET[:-2] + b"x: \x01\r\n\r\n"):
            for leave in (reset, socket.socket.close):
                for _ in range(10):
                    client = dial(served.port, SOMEBODY)
                    client.sendall(sent)
                    leave(client)
        _until(lambda: served.server._admission.taken == 0)
        admission = served.server._admission
        assert (admission._of_group, admission.unproven, admission.idle) == ({}, {}, {})


def test_there_are_no_more_slots_than_files() -> None:
    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    assert most_connections(None) < files
    assert most_connections(10) == 10
    with structlog.testing.capture_logs() as logged:
        assert most_connections(10**6 + files) == most_connections(None)
    assert logged[0]["log_level"] == "warning"


# --- when there are no files left


@contextmanager
def limited(folder: Path, files: int, wasted: int = 0) -> Iterator[tuple[int, Path]]:
    """The server as a process that may open so many files, and has wasted some of them."""
    log = folder / "log"
    program = (
        f"import os; wasted = [os.open('/dev/null', 0) for _ in range({wasted})]\n"
        "from parlour.cli import main; main()"
    )
    with log.open("w") as out:
        process = subprocess.Popen(  # noqa: S603 - our own command
            [
                *("/bin/sh", "-c", f'ulimit -n {files} && exec "$@"', "sh"),
                *(sys.executable, "-c", program, "serve", "--port", "0"),
            ],
            cwd=folder,
            env=environment(DATABASE_URL="sqlite://"),
            stderr=out,
        )
    try:
        _until(lambda: "listening" in log.read_text() or process.poll() is not None)
        yield int(re.findall(r"http://[\d.]+:(\d+)", log.read_text())[0]), log
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(30)


def test_a_thousand_half_requests_do_not_use_up_the_files(tmp_path: Path) -> None:
    with limited(tmp_path, 1024) as (port, log), ExitStack() as stack:
        for n in range(1500):
            client = stack.enter_context(dial(port))
            send(client, (b"", HALF, SOCKET[:60])[n % 3])
        for _ in range(20):
            assert health(port, "127.0.0.2") == 200
        assert log.read_text().count('"refused"') == 1
        assert '"crowded"' in log.read_text()


def test_running_out_of_files_is_told_and_survived(tmp_path: Path) -> None:
    with limited(tmp_path, 400, wasted=200) as (port, log), ExitStack() as stack:
        for _ in range(250):
            with suppress(OSError):
                client = stack.enter_context(dial(port))
                send(client, HALF)
        assert health(port, "127.0.0.2") == 200
        told = [line for line in log.read_text().splitlines() if '"accept"' in line]
        assert len(told) == 1
        assert "Too many open files" in told[0]


# --- what the log says


def test_each_reason_is_logged_once_a_minute_with_how_many_there_were(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = [1000.0]
    monkeypatch.setattr("time.monotonic", lambda: now[0])
    noted = Refusals(CollectorRegistry())
    with structlog.testing.capture_logs() as logged:
        for _ in range(50):
            noted.note("slow")
        noted.note("body")
        now[0] += 61
        noted.note("slow")
        noted.note("slow")
    assert [(each["why"], each["times"]) for each in logged] == [
        ("slow", 1),
        ("body", 1),
        ("slow", 50),
    ]


def _until(true: Callable[[], bool]) -> None:
    ends = time.monotonic() + 30
    while not true():
        assert time.monotonic() < ends
        time.sleep(0.01)
