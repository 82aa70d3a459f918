"""How a socket is opened: the request's form, what is answered, and frames that come early."""

from __future__ import annotations

import pytest
from websockets.frames import Frame, Opcode

from tests.net.raw import dial, rest, said
from tests.servers.parlour import Served

KEY = b"dGhlIHNhbXBsZSBub25jZQ=="
FIELDS = {
    b"Host": b"here",
    b"Upgrade": b"websocket",
    b"Connection": b"keep-alive, Upgrade",
    b"Sec-WebSocket-Key": KEY,
    b"Sec-WebSocket-Version": b"13",
}


def request(
    line: bytes = b"GET /ws/test/echo HTTP/1.1", more: bytes = b"", **fields: bytes | None
) -> bytes:
    """A handshake; `fields` are other than usual, or missing where they are None."""
    changed = {name.replace("_", "-").encode(): value for name, value in fields.items()}
    sent = {name: value for name, value in (FIELDS | changed).items() if value is not None}
    head = b"".join(b"%s: %s\r\n" % field for field in sent.items())
    return line + b"\r\n" + head + more + b"\r\n"


def test_a_handshake_is_answered_as_the_rfc_has_it(served: Served) -> None:
    goodbye = Frame(Opcode.CLOSE, b"\x03\xe8").serialize(mask=True)
    with dial(served.port) as client:
        client.sendall(request())
        client.sendall(goodbye)
        head, _, frames = rest(client).partition(b"\r\n\r\n")
    lines = head.lower().split(b"\r\n")
    assert lines[0] == b"http/1.1 101 switching protocols"
    assert {b"upgrade: websocket", b"connection: upgrade"} <= set(lines)
    assert b"Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=" in head
    assert not [line for line in lines if line.startswith(b"sec-websocket-extensions")]
    assert frames == b"\x88\x02\x03\xe8"


def test_frames_that_come_with_the_request_are_heard(served: Served) -> None:
    early = b"".join(Frame(Opcode.TEXT, word).serialize(mask=True) for word in (b"hi", b"ho"))
    with dial(served.port) as client:
        client.sendall(request() + early)
        answer = b""
        while not answer.endswith(b"\r\n\r\n\x81\x02hi\x81\x02ho"):
            piece = client.recv(65536)
            assert piece
            answer += piece


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        (request(Sec_WebSocket_Key=None), 400),
        (request(Sec_WebSocket_Key=b"dG9vIHNob3J0"), 400),
        (request(Sec_WebSocket_Key=b"~" * 24), 400),
        (request(more=b"Sec-WebSocket-Key: " + KEY + b"\r\n"), 400),
        (request(Sec_WebSocket_Version=None), 426),
        (request(Sec_WebSocket_Version=b"8"), 426),
        (request(b"POST /ws/test/echo HTTP/1.1"), 400),
        (request(b"GET /ws/test/\xff HTTP/1.1"), 400),
        (request(b"GET /ws/nothing HTTP/1.1"), 403),
    ],
    ids="no-key short-key no-base64 two-keys no-version version post no-address nothing".split(),
)
def test_what_opens_no_socket_is_told_so(served: Served, sent: bytes, status: int) -> None:
    with dial(served.port) as client:
        client.sendall(sent)
        answer = rest(client)
    found, headers, _ = said(answer)
    assert found == status
    assert headers["connection"] == "close"
    if status == 426:
        assert headers["sec-websocket-version"] == "13"
        assert headers["upgrade"] == "websocket"


def test_an_address_is_what_it_stands_for(served: Served) -> None:
    with dial(served.port) as client:
        client.sendall(request(b"GET /ws/test/%65cho?a=b HTTP/1.1"))
        client.sendall(Frame(Opcode.CLOSE, b"\x03\xe8").serialize(mask=True))
        assert rest(client).startswith(b"HTTP/1.1 101 ")
