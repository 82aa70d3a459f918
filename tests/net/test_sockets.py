"""Sockets of a real server: conversations, limits, sign-in, origins, and the end."""

from __future__ import annotations

import asyncio
import base64
import json
import os
import socket
import struct
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress

import httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from litestar import get
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.frames import Frame, Opcode

from parlour.net import line
from parlour.net import session as sessions
from parlour.settings import Settings
from tests.net.conftest import routes
from tests.servers import plain
from tests.servers.parlour import Served, serving

ECHO = "/ws/test/echo"
PRIVATE = "/ws/test/private/K7QF2M"


@asynccontextmanager
async def opened(
    served: Served, path: str = ECHO, **more: object
) -> AsyncIterator[ClientConnection]:
    async with connect(served.ws + path, compression=None, **more) as client:  # type: ignore[arg-type] # passed on
        yield client


async def closed(client: ClientConnection) -> tuple[int | None, str]:
    """How the server ends it."""
    async with asyncio.timeout(30):
        with suppress(ConnectionClosed):
            while True:
                await client.recv()
    return client.close_code, client.close_reason or ""


def drops(served: Served, why: str) -> float:
    name = f'parlour_socket_drops_total{{why="{why}"}} '
    for row in served.ask("GET", "/metrics").text.splitlines():
        if row.startswith(name):
            return float(row.removeprefix(name))
    return 0


# --- conversations


async def test_what_is_said_is_answered_in_order(served: Served) -> None:
    async with opened(served) as client:
        words = [f"word {n} €" for n in range(500)]
        for word in words:
            await client.send(word)
        assert [await client.recv() for _ in words] == words


async def test_fragments_make_one_message(served: Served) -> None:
    async with opened(served) as client:
        await client.send(["one ", "mess", "", "age"])
        assert await client.recv() == "one message"


async def test_binary_data_is_told_apart_from_text(served: Served) -> None:
    async with opened(served) as client:
        await client.send(b"12345")
        assert await client.recv() == "binary: 5"


async def test_a_message_may_have_64_kib_and_not_a_byte_more(served: Served) -> None:
    async with opened(served) as client:
        largest = "x" * line.LARGEST_MESSAGE
        await client.send(largest)
        assert await client.recv() == largest
        await client.send(largest + "x")
        assert await closed(client) == (1009, "more than 65536 bytes")
    async with opened(served) as client:
        await client.send(["x" * 40_000, "x" * 40_000])
        assert (await closed(client))[0] == 1009


def test_far_too_large_a_message_is_refused_the_same_way_every_time(served: Served) -> None:
    for _ in range(20):
        with raw_socket(served) as raw:
            raw.sendall(frame(b"x" * 3_000_000))
            assert goodbye(raw) == 1009


async def test_pings_are_answered(served: Served) -> None:
    async with opened(served) as client:
        for payload in ("", "hello", "x" * 125):
            await asyncio.wait_for(await client.ping(payload), 5)


async def test_the_surface_may_close(served: Served) -> None:
    async with opened(served) as client:
        await client.send("leave")
        await client.send("not heard any more")
        assert await closed(client) == (4409, "as you wish")


async def test_what_a_client_said_before_it_left_is_still_heard(served: Served) -> None:
    before = _handled(served)
    async with opened(served) as client:
        for _ in range(10):
            await client.send("last words")
    await _until(lambda: _handled(served) == before + 10)


@pytest.mark.spec("A149")
async def test_an_unexpected_error_closes_without_details(
    served: Served, capsys: pytest.CaptureFixture[str]
) -> None:
    async with opened(served) as client:
        await client.send("break")
        code, reason = await closed(client)
    assert code == 1011
    assert "secret" not in reason
    logged = capsys.readouterr().out
    assert logged.count("unexpected error") == 1
    assert "the-match" in logged
    async with opened(served) as client:
        await client.send("still there?")
        assert await client.recv() == "still there?"


async def test_a_store_that_is_away_closes_with_a_request_to_try_again(served: Served) -> None:
    async with opened(served) as client:
        await client.send("be away")
        assert await closed(client) == (1013, "please try again")


# --- who is it


async def test_a_header_or_a_first_message_says_who_it_is(served: Served) -> None:
    token, user = served.guest()
    headers = {"Authorization": f"Bearer {token}"}
    async with opened(served, PRIVATE, additional_headers=headers) as client:
        assert await client.recv() == f"hello {user['username']}"
        await client.send("hi")
        assert await client.recv() == "K7QF2M: 'hi'"
    async with opened(served, PRIVATE) as client:
        await client.send(json.dumps({"type": "auth", "token": token}))
        assert await client.recv() == f"hello {user['username']}"


@pytest.mark.parametrize(
    "first",
    [
        '{"type": "auth", "token": "x.y.z"}',
        '{"type": "auth"}',
        '{"type": "auth", "token": 5}',
        '{"type": "hello"}',
        "nonsense",
        "",
        "[" * 5000,
        b'{"type": "auth", "token": "binary"}',
    ],
)
async def test_who_does_not_say_who_it_is_gets_no_further(
    served: Served, first: str | bytes
) -> None:
    async with opened(served, PRIVATE) as client:
        await client.send(first)
        assert (await closed(client))[0] == 4401


async def test_a_bad_header_is_not_made_good_by_a_message(served: Served) -> None:
    token, _ = served.guest()
    headers = {"Authorization": "Bearer nonsense"}
    async with opened(served, PRIVATE, additional_headers=headers) as client:
        with suppress(ConnectionClosed):
            await client.send(json.dumps({"type": "auth", "token": token}))
        assert (await closed(client))[0] == 4401


async def test_who_says_nothing_is_not_waited_for(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sessions, "SIGN_IN_SEC", 0.1)
    async with opened(served, PRIVATE) as client:
        assert await closed(client) == (4401, "no token in time")


# --- whose page is it


async def test_pages_of_ours_and_of_friends_may_open_sockets(served: Served) -> None:
    allowed = Settings(database_url="sqlite://", allowed_origins=("https://friend.example",))
    with serving(allowed, routes) as other:
        for origin in (other.url, "https://friend.example", f"https://127.0.0.1:{other.port}"):
            async with opened(other, origin=origin) as client:
                await client.send("hi")
                assert await client.recv() == "hi"
        for origin in (
            "https://foe.example",
            "null",
            "http://127.0.0.1",
            f"{other.url}0",
            "http://[",
        ):
            with pytest.raises(InvalidStatus) as refusal:
                async with opened(other, origin=origin):
                    pass
            assert refusal.value.response.status_code == 403


async def test_what_is_no_socket_is_refused(served: Served) -> None:
    with pytest.raises(InvalidStatus) as refusal:
        async with opened(served, "/ws/test/nothing"):
            pass
    assert refusal.value.response.status_code == 403


# --- those who misbehave


@contextmanager
def raw_socket(served: Served, *, small: bool = False) -> Iterator[socket.socket]:
    """A client that does the handshake and nothing else by itself."""
    raw = socket.socket()
    if small:
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    raw.settimeout(30)
    raw.connect(("127.0.0.1", served.port))
    key = base64.b64encode(os.urandom(16))
    raw.sendall(
        b"GET %s HTTP/1.1\r\nHost: here\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        b"Sec-WebSocket-Key: %s\r\nSec-WebSocket-Version: 13\r\n\r\n" % (ECHO.encode(), key)
    )
    answer = b""
    while not answer.endswith(b"\r\n\r\n"):
        answer += raw.recv(1)
    assert answer.startswith(b"HTTP/1.1 101 ")
    with raw:
        yield raw


def frame(payload: bytes, opcode: Opcode = Opcode.TEXT, *, fin: bool = True) -> bytes:
    return Frame(opcode, payload, fin).serialize(mask=True)


def goodbye(raw: socket.socket) -> int | None:
    """The code of the close frame that ends it; None if it just ends."""
    said = b""
    with suppress(ConnectionResetError):
        while piece := raw.recv(65536):
            said += piece
    at = said.rfind(b"\x88")
    return None if at < 0 else int(struct.unpack("!H", said[at + 2 : at + 4])[0])


@pytest.mark.parametrize(
    "flood",
    [
        frame(b"again") * 5000,
        frame(b"", Opcode.PING) * 5000,
        frame(b"", Opcode.PONG) * 5000,
        frame(b"", fin=False) + frame(b"", Opcode.CONT, fin=False) * 5000,
    ],
    ids=["messages", "pings", "pongs", "fragments"],
)
def test_a_flood_is_cut_off(served: Served, flood: bytes) -> None:
    before = drops(served, "flood")
    with raw_socket(served) as raw:
        raw.sendall(flood)
        assert goodbye(raw) == 1008
    assert drops(served, "flood") == before + 1


def test_a_brisk_talker_is_not_a_flood(served: Served) -> None:
    with raw_socket(served) as raw:
        for _ in range(1500):
            raw.sendall(frame(b"hm"))
            assert raw.recv(4) == b"\x81\x02hm"


@pytest.mark.parametrize(
    ("sent", "code"),
    [
        (b"\x81\x02hi", 1002),
        (b"\xf1\x80\0\0\0\0", 1002),
        (frame(b"\xff"), 1007),
        (frame(b"x", Opcode.CONT), 1002),
        (b"\x89\xfe\x00\x80" + b"\0" * 132, 1002),
    ],
    ids=["unmasked", "reserved bits", "no UTF-8", "no beginning", "long ping"],
)
def test_broken_frames_are_answered_with_the_right_code(
    served: Served, sent: bytes, code: int
) -> None:
    with raw_socket(served) as raw:
        raw.sendall(sent)
        assert goodbye(raw) == code


def test_who_does_not_read_is_dropped_and_pins_little(served: Served) -> None:
    before = drops(served, "unread")
    held = _resident()
    with raw_socket(served, small=True) as raw:
        raw.sendall(frame(b"pour 20000"))
        _wait(lambda: drops(served, "unread") == before + 1)
        grown = _resident() - held
        received = 0
        with suppress(ConnectionResetError):
            while piece := raw.recv(65536):
                received += len(piece)
    assert grown < 10 * 2**20
    assert received < line.UNREAD + 2 * line.KERNEL_BUFFER + 2**20


def test_who_reads_slowly_gets_everything(served: Served) -> None:
    with raw_socket(served) as raw:
        for _ in range(50):
            raw.sendall(frame(b"pour 100"))
            expected, got = 100 * (1024 + 4), 0
            while got < expected:
                got += len(raw.recv(3000))
            assert got == expected


def test_a_client_that_sends_faster_than_we_handle_is_held_back(served: Served) -> None:
    with raw_socket(served) as raw:
        raw.sendall(frame(b"sleep 0.3"))
        for _ in range(300):
            raw.sendall(frame(b"x" * 1000))
        expected = b"\x81\x08sleeping\x81\x05slept" + (b"\x81\x7e\x03\xe8" + b"x" * 1000) * 300
        got = b""
        while len(got) < len(expected):
            got += raw.recv(65536)
        assert got == expected


def test_a_silent_client_is_given_up() -> None:
    with serving(more=routes, ping_every_sec=0.1) as quick, raw_socket(quick) as raw:
        began = time.monotonic()
        said = b""
        with suppress(ConnectionResetError):
            while piece := raw.recv(100):
                said += piece
        assert said == b"\x89\x00"
        assert time.monotonic() - began < 20
        assert drops(quick, "silent") == 1


async def test_who_answers_pings_stays() -> None:
    with serving(more=routes, ping_every_sec=0.7) as quick:
        async with opened(quick) as client:
            await asyncio.sleep(2)
            await client.send("still here")
            assert await client.recv() == "still here"


@given(st.lists(st.binary(max_size=60) | st.text(max_size=40).map(lambda t: frame(t.encode()))))
@settings(max_examples=60, deadline=None)
def test_whatever_bytes_come_the_server_lives(served: Served, junk: list[bytes]) -> None:
    with raw_socket(served) as raw, suppress(ConnectionResetError, BrokenPipeError, OSError):
        for piece in junk:
            raw.sendall(piece)
        raw.shutdown(socket.SHUT_WR)
        while raw.recv(65536):
            pass
    assert served.ask("GET", "/api/health").status_code == 200


def test_connections_that_end_leave_nothing_behind(served: Served) -> None:
    for how in ("close", "reset", "half"):
        for _ in range(20):
            with raw_socket(served) as raw:
                raw.sendall(frame(b"hi"))
                if how == "reset":
                    raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                elif how == "half":
                    raw.shutdown(socket.SHUT_WR)
    _wait(lambda: f'parlour_sockets{{surface="{ECHO}"}} 0.0' in _metrics(served))


# --- the end


async def test_a_stop_finishes_what_is_in_hand_and_asks_to_reconnect() -> None:
    with serving(more=routes) as stopping:
        async with opened(stopping) as idle, opened(stopping) as busy:
            await busy.send("sleep 0.4")
            assert await busy.recv() == "sleeping"
            await busy.send("not begun")
            stopping.stop()
            assert await closed(idle) == (1012, "reconnect")
            assert await busy.recv() == "slept"
            assert await closed(busy) == (1012, "reconnect")
        with pytest.raises(OSError, match=r"refused|Connect"):
            async with opened(stopping):
                pass


async def test_a_stop_lets_requests_in_hand_finish() -> None:
    begun, may_end = threading.Event(), threading.Event()

    @get("/api/test/slowly")
    async def slowly() -> str:
        begun.set()
        await asyncio.to_thread(may_end.wait, 30)
        return "done"

    with serving(more=lambda _: [slowly]) as stopping:
        async with plain.AsyncClient(timeout=30) as client:
            asking = asyncio.create_task(client.get(f"{stopping.url}/api/test/slowly"))
            assert await asyncio.to_thread(begun.wait, 30)
            stopping.stop()
            await _until(lambda: not _answers(stopping))
            assert not asking.done()
            may_end.set()
            assert (await asking).text == "done"


# --- what the tests look at


def _metrics(served: Served) -> str:
    return served.ask("GET", "/metrics").text


def _answers(served: Served) -> bool:
    """Whether anybody is still let in."""
    try:
        return served.ask("GET", "/api/health").is_success
    except httpx.TransportError:
        return False


def _handled(served: Served) -> float:
    name = f'parlour_handling_seconds_count{{surface="{ECHO}"}} '
    rows = [row for row in _metrics(served).splitlines() if row.startswith(name)]
    return float(rows[0].removeprefix(name)) if rows else 0


def _resident() -> int:
    """Bytes of memory that this process, server included, holds."""
    with open("/proc/self/statm", encoding="ascii") as file:  # noqa: PTH123 - not a real file
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def _wait(done: Callable[[], bool], seconds: float = 30) -> None:
    ends = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < ends, "it does not come about"
        time.sleep(0.02)


async def _until(done: Callable[[], bool]) -> None:
    await asyncio.to_thread(_wait, done)
