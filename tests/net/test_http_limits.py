"""What a client may send and how long it may take, over connections to a real server."""

from __future__ import annotations

import json
import re
import resource
import select
import socket
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from parlour.net.front import LARGEST_BODY
from parlour.net.http import HttpConnection, HttpLimits
from tests.garbage import no_garbage
from tests.net.conftest import routes
from tests.net.raw import count, dial, one_answer, refused, reset, rest, said, send
from tests.servers.parlour import Served, serving

MEGABYTE = 2**20
QUICK = HttpLimits(
    head_sec=0.5, body_sec=0.5, idle_sec=0.5, take_sec=0.5, linger_sec=0.5, linger_bytes=2**20
)


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    with serving(more=routes, limits=HttpLimits(linger_sec=1.0)) as running:
        yield running


@pytest.fixture(scope="module")
def hasty() -> Iterator[Served]:
    """A server that has no patience."""
    with serving(more=routes, limits=QUICK) as running:
        yield running


def resident() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()


HEAD = b"GET /api/health HTTP/1.1\r\nHost: here\r\n"
SOCKET = (
    b"GET /ws/test/echo HTTP/1.1\r\nHost: here\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
)
LENGTH = b"POST /api/auth/guest HTTP/1.1\r\nHost: here\r\nContent-Length: %d\r\n%s\r\n"
CHUNKED = b"POST /api/auth/guest HTTP/1.1\r\nHost: here\r\nTransfer-Encoding: chunked\r\n\r\n"


def test_a_connection_that_is_over_leaves_no_garbage(served: Served) -> None:
    with no_garbage(HttpConnection):
        for _ in range(5):
            client = dial(served.port)
            send(client, HEAD + b"Connection: close\r\n\r\n")
            assert said(rest(client))[0] == 200
            client.close()


# --- how much

ENDLESS = {
    "a header": (HEAD + b"x-long: ", b"x" * 65536, 431, "HEADERS_TOO_LARGE", "headers"),
    "a header's name": (HEAD, b"x" * 65536, 431, "HEADERS_TOO_LARGE", "headers"),
    "headers": (HEAD, b"x-one: of many\r\n" * 4096, 431, "HEADERS_TOO_LARGE", "headers"),
    "an address": (b"GET /", b"x" * 65536, 414, "URL_TOO_LONG", "url"),
    "a query": (b"GET /api/health?", b"x" * 65536, 414, "URL_TOO_LONG", "url"),
    "blank lines": (b"", b"\r\n" * 32768, 431, "HEADERS_TOO_LARGE", "headers"),
    "a handshake": (SOCKET + b"x-long: ", b"x" * 65536, 431, "HEADERS_TOO_LARGE", "headers"),
    "trailers": (CHUNKED + b"0\r\n", b"x-one: of many\r\n" * 4096, 431, "HEADERS_TOO_LARGE", ""),
    "a trailer": (CHUNKED + b"0\r\nx-long: ", b"x" * 65536, 413, "BODY_TOO_LARGE", "body"),
    "a chunk's extension": (CHUNKED + b"1;", b"x" * 65536, 413, "BODY_TOO_LARGE", "body"),
}


@pytest.mark.parametrize("what", ENDLESS)
def test_what_has_no_end_is_refused_and_fills_no_memory(served: Served, what: str) -> None:
    beginning, more, status, code, why = ENDLESS[what]
    before, held = refused(served, why), resident()
    grown = 0
    with dial(served.port) as client:
        sending = send(client, beginning)
        for _ in range(50 * MEGABYTE // len(more)):
            sending = sending and send(client, more)
            grown = max(grown, resident() - held)
        answer = rest(client)
    assert grown < 8 * MEGABYTE
    assert said(answer)[0::2] == (status, code)
    assert said(answer)[1]["connection"] == "close"
    if why:
        assert refused(served, why) == before + 1


def test_what_just_fits_is_answered(served: Served) -> None:
    query = b"x" * (8 * 1024 - len("/api/health?"))
    many = b"".join(b"x-%d: y\r\n" % n for n in range(98))
    long = b"x-long: " + b"y" * 32_000 + b"\r\n"
    for request in (
        b"GET /api/health?" + query + b" HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n",
        HEAD + b"Connection: close\r\n" + many + b"\r\n",
        HEAD + b"Connection: close\r\n" + long + b"\r\n",
    ):
        with dial(served.port) as client:
            client.sendall(request)
            assert said(rest(client))[0] == 200
    with dial(served.port) as client:
        client.sendall(HEAD + many + b"x-98: y\r\nx-99: y\r\n\r\n")
        assert said(rest(client))[0] == 431
    with dial(served.port) as client:
        for piece in (HEAD + b"x-long: ", b"y" * 20_000, b"y" * 20_000 + b"\r\n\r\n"):
            send(client, piece)
            time.sleep(0.05)  # so that they come one by one; at once they are refused as well
        assert said(rest(client))[0] == 431


def test_a_request_after_a_large_one_is_judged_by_itself(served: Served) -> None:
    body = json.dumps({"column": 3, "padding": "x" * 60_000}).encode()
    move = b"POST /api/test/g/move HTTP/1.1\r\nHost: here\r\nContent-Length: %d\r\n\r\n" % len(body)
    with dial(served.port) as client:
        for _ in range(3):
            client.sendall(move + body + HEAD)
            client.sendall(b"\r\n")
        client.sendall(HEAD + b"Connection: close\r\n\r\n")
        answers = rest(client)
    assert answers.count(b"HTTP/1.1 200 OK") == 7


def test_a_refusal_waits_for_its_turn(served: Served) -> None:
    with dial(served.port) as client:
        client.sendall(b"GET /api/test/sleep/0.3 HTTP/1.1\r\nHost: here\r\n\r\n" * 2)
        client.sendall(HEAD + b"x-long: " + b"x" * 40_000 + b"\r\n\r\n")
        answers = rest(client)
    assert re.findall(rb"HTTP/1.1 (\d+) ", answers) == [b"200", b"200", b"431"]


def test_a_flood_of_requests_in_one_go_is_answered_in_part_and_fills_no_memory(
    served: Served,
) -> None:
    held = resident()
    with dial(served.port) as client:
        send(client, (HEAD + b"\r\n") * 100_000)
        answers = rest(client)
    assert resident() - held < 8 * MEGABYTE
    *_, last = answers.split(b"HTTP/1.1 200 OK\r\n")
    assert 1 <= answers.count(b"HTTP/1.1 200 OK\r\n") <= 100
    assert answers.count(b"HTTP/1.1 ") == answers.count(b"HTTP/1.1 200 OK\r\n")
    assert b"connection: close" in last
    assert last.endswith(b"}")


def test_a_trailer_is_no_header(served: Served) -> None:
    token, _ = served.guest()
    with dial(served.port) as client:
        client.sendall(
            b"GET /api/test/perhaps HTTP/1.1\r\nHost: here\r\nConnection: close\r\n"
            b"Transfer-Encoding: chunked\r\n\r\n0\r\nAuthorization: Bearer %s\r\n\r\n"
            % token.encode()
        )
        answer = rest(client)
    assert answer.startswith(b"HTTP/1.1 200 ")
    assert b'{"username":null}' in answer


def test_a_handshake_that_cannot_be_read_is_answered(served: Served) -> None:
    for more, status in ((b"x-long: " + b"x" * 9_000, 431), (b"Content-Length: 5", 400)):
        with dial(served.port) as client:
            client.sendall(SOCKET + more + b"\r\n\r\n")
            assert said(rest(client))[0] == status


def test_whatever_else_is_asked_to_upgrade_to_is_ignored(served: Served) -> None:
    with dial(served.port) as client:
        client.sendall(HEAD + b"Connection: Upgrade\r\nUpgrade: h2c\r\n\r\n" + HEAD + b"\r\n")
        answer = rest(client)
    assert said(answer)[0] == 200
    assert said(answer)[1]["connection"] == "close"


# --- how long


def test_who_says_nothing_is_not_waited_for(hasty: Served) -> None:
    with dial(hasty.port) as client:
        assert rest(client) == b""


@pytest.mark.parametrize(
    "half",
    [HEAD, b"G", SOCKET, HEAD + b"x-long: "],
    ids=["request", "one byte", "handshake", "header"],
)
def test_half_a_head_is_not_waited_for(hasty: Served, half: bytes) -> None:
    before = refused(hasty, "slow")
    with dial(hasty.port) as client:
        client.sendall(half)
        answer = rest(client)
    assert said(answer)[0::2] == (408, "REQUEST_TIMEOUT")
    assert refused(hasty, "slow") == before + 1


@pytest.mark.parametrize(
    "head",
    [
        LENGTH % (20, b""),
        LENGTH % (20, b"Expect: 100-continue\r\n"),
        CHUNKED + b"14\r\n",
    ],
    ids=["length", "expected", "chunked"],
)
def test_half_a_body_is_not_waited_for(
    hasty: Served, head: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    with dial(hasty.port) as client:
        client.sendall(head + b"{")
        answer = rest(client).removeprefix(b"HTTP/1.1 100 Continue\r\n\r\n")
    assert said(answer)[0::2] == (408, "REQUEST_TIMEOUT")
    assert count(hasty, 'parlour_failures_total{surface="http"} ') == 0
    assert "rror" not in capsys.readouterr().out


def test_drop_by_drop_is_too_slow(hasty: Served) -> None:
    for beginning in (HEAD, CHUNKED + b"1;"):
        with dial(hasty.port) as client:
            client.sendall(beginning)
            while not _answered(client) and send(client, b"1"):
                pass
            assert said(rest(client))[0] == 408


def test_a_second_request_has_its_own_time() -> None:
    with serving(limits=HttpLimits(head_sec=0.5)) as waiting, dial(waiting.port) as client:
        client.sendall(HEAD + b"\r\n")
        assert said(one_answer(client))[0] == 200
        client.sendall(HEAD)
        assert said(rest(client))[0] == 408


def test_who_asks_nothing_more_is_not_waited_for(hasty: Served) -> None:
    with dial(hasty.port) as client:
        client.sendall(HEAD + b"\r\n")
        assert said(one_answer(client))[0] == 200
        assert rest(client) == b""


def test_who_waits_for_us_is_not_slow(hasty: Served) -> None:
    for more in (b"", HEAD):
        with dial(hasty.port) as client:
            client.sendall(b"GET /api/test/sleep/1.0 HTTP/1.1\r\nHost: here\r\n\r\n" + more)
            assert client.recv(65536).startswith(b"HTTP/1.1 200 ")


def test_who_takes_nothing_is_dropped(hasty: Served) -> None:
    before = refused(hasty, "unread")
    for last in (b"", b"Connection: close\r\n"):
        with dial(hasty.port) as client:
            client.sendall(b"GET /api/test/long HTTP/1.1\r\nHost: here\r\n" + last + b"\r\n")
            before += 1
            _until(lambda: refused(hasty, "unread") == before)  # noqa: B023 - called at once
            assert len(rest(client)) < 30_000_000


def test_half_a_request_does_not_hold_up_a_stop() -> None:
    with serving(more=routes) as stopping:
        with dial(stopping.port) as client:
            client.sendall(CHUNKED + b"14\r\n{")
            _until(lambda: len(stopping.server.server_state.tasks) == 1)
            stopping.stop()
            assert said(rest(client))[0::2] == (503, "UNAVAILABLE")
        _until(lambda: not stopping.server.server_state.connections)


# --- a body that is too large


@pytest.mark.parametrize("size", [LARGEST_BODY + 1, 3 * MEGABYTE, 20 * MEGABYTE])
@pytest.mark.parametrize("path", [b"/api/auth/guest", b"/ws/test/echo", b"/api/nothing"])
def test_the_answer_to_a_body_that_is_too_large_always_arrives(
    served: Served, size: int, path: bytes
) -> None:
    whole = LENGTH.replace(b"/api/auth/guest", path) % (size, b"") + b"x" * size
    chunk = b"%x\r\n" % 50_000 + b"x" * 50_000 + b"\r\n"
    chunks = CHUNKED.replace(b"/api/auth/guest", path) + chunk * (1 + size // 50_000)
    status = 413 if path != b"/ws/test/echo" else 426
    for request in (whole, chunks + b"0\r\n\r\n"):
        for _ in range(5):
            with dial(served.port) as client:
                assert send(client, request)
                assert said(rest(client))[0] == status


def test_who_asks_first_need_not_send_it(served: Served) -> None:
    with dial(served.port) as client:
        client.sendall(LENGTH % (10**9, b"Expect: 100-continue\r\n"))
        assert said(rest(client))[0] == 413
    with dial(served.port) as client:
        head = CHUNKED.replace(b"\r\n\r\n", b"\r\nExpect: 100-continue\r\n\r\n")
        client.sendall(head)
        assert client.recv(100) == b"HTTP/1.1 100 Continue\r\n\r\n"
        assert send(client, b"fffff\r\n" + b"x" * 0xFFFFF + b"\r\n0\r\n\r\n")
        assert said(rest(client))[0] == 413


def test_who_never_stops_sending_hears_it_too_and_is_cut_off(hasty: Served) -> None:
    held = resident()
    for request in (LENGTH % (10**12, b""), CHUNKED + b"ffffffff\r\n", HEAD + b"x: "):
        with dial(hasty.port) as client:

            def pour(client: socket.socket = client, request: bytes = request) -> None:
                sending = send(client, request)
                while sending:
                    sending = send(client, b"x" * 65536)

            pouring = threading.Thread(target=pour)
            pouring.start()
            answer = rest(client)
            pouring.join(30)
            assert not pouring.is_alive()
        assert said(answer)[0] in {413, 431}
    assert resident() - held < 8 * MEGABYTE


def test_an_unasked_body_without_end_is_cut_off(hasty: Served) -> None:
    with dial(hasty.port) as client:
        sending = send(
            client, HEAD.replace(b"/api/health", b"/") + b"Content-Length: 1000000000000000\r\n\r\n"
        )
        while sending:
            sending = send(client, b"x" * 65536)


# --- those who go away


@pytest.mark.parametrize("leave", [reset, socket.socket.close], ids=["reset", "close"])
@pytest.mark.parametrize(
    "sent",
    [
        LENGTH % (20, b"") + b"{",
        LENGTH % (20, b""),
        CHUNKED + b"14\r\n{",
        CHUNKED,
        SOCKET + b"\r\n",
    ],
    ids=["length", "nothing", "chunked", "no chunk", "handshake"],
)
def test_a_client_that_goes_away_is_no_failure(
    served: Served,
    sent: bytes,
    leave: Callable[[socket.socket], None],
    capsys: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
) -> None:
    for _ in range(20):
        client = dial(served.port)
        client.sendall(sent)
        leave(client)
    _until(lambda: len(served.server.server_state.connections) <= 1)
    _until(lambda: len(served.server.server_state.tasks) <= 1)
    assert "failures_total{" not in served.ask("GET", "/metrics").text
    out = capsys.readouterr().out
    assert "error" not in out
    assert "Traceback" not in out
    assert [record for record in caplog.records if record.name != "httpx"] == []


def _answered(client: socket.socket) -> bool:
    """Whether anything has come, or comes in the next moment."""
    return bool(select.select([client], [], [], 0.02)[0])


def _until(true: Callable[[], bool]) -> None:
    ends = time.monotonic() + 30
    while not true():
        assert time.monotonic() < ends
        time.sleep(0.01)
