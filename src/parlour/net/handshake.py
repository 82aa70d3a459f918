"""A WebSocket's opening (RFC 6455, section 4.2), and what the application answers to it.

The request has been read by `net/http.py`. The application is an ASGI one, for the handshake alone:
from `accept` on a session talks to its `Line`.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from binascii import Error as NotBase64
from collections.abc import Iterable
from hashlib import sha1
from http import HTTPStatus
from typing import Any
from urllib.parse import unquote

import structlog
from litestar.types import ASGIApp

from parlour.net.errors import Problem
from parlour.net.handler import last_answer
from parlour.net.line import KEY, Line

LONGEST_HEADER = 8 * 1024
_GUID = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"

Headers = Iterable[tuple[bytes, bytes]]

log = structlog.get_logger()


def opening_key(method: str, version: str, headers: Headers) -> bytes:
    """What the client wants to see answered, or `Problem` if this opens no WebSocket."""
    found: dict[bytes, bytes] = {}
    for name, value in headers:
        if len(name) + len(value) > LONGEST_HEADER:
            raise Problem.general("HEADERS_TOO_LARGE")
        if name.startswith(b"sec-websocket-") and name in found:
            raise Problem.general("MALFORMED_REQUEST")
        found[name] = value
    if method != "GET" or version != "1.1" or found.get(b"content-length", b"0") != b"0":
        raise Problem.general("MALFORMED_REQUEST")
    if found.get(b"sec-websocket-version") != b"13":
        problem = Problem.general("UPGRADE_REQUIRED")
        problem.headers = {"upgrade": "websocket", "sec-websocket-version": "13"}
        raise problem
    key = found.get(b"sec-websocket-key", b"")
    try:
        nonce = b64decode(key, validate=True)
    except NotBase64:
        nonce = b""
    if len(nonce) != 16 or b"transfer-encoding" in found:
        raise Problem.general("MALFORMED_REQUEST")
    return key


def answer_key(key: bytes) -> bytes:
    """The answer to a key, as the RFC has it.

    >>> answer_key(b"dGhlIHNhbXBsZSBub25jZQ==")
    b's3pPLMBiTxaQ9kYGzzhZRbK+xOo='
    """
    return b64encode(sha1(key + _GUID, usedforsecurity=False).digest())


def socket_scope(http: dict[str, Any], url: bytes, line: Line) -> dict[str, Any]:
    """What the application is told of the request; `Problem` if its address is none."""
    raw_path, _, query = url.partition(b"?")
    try:
        path = unquote(raw_path.decode("ascii"))
    except UnicodeDecodeError:
        raise Problem.general("MALFORMED_REQUEST") from None
    root = http["root_path"]
    return {
        "type": "websocket",
        "asgi": {**http["asgi"], "spec_version": "2.4"},
        "http_version": "1.1",
        "scheme": "wss" if http["scheme"] == "https" else "ws",
        "server": http["server"],
        "client": http["client"],
        "root_path": root,
        "path": root + path,
        "raw_path": root.encode("ascii") + raw_path,
        "query_string": query,
        "headers": http["headers"],
        "subprotocols": [],
        "state": {**http["state"], KEY: line},
        "extensions": {"websocket.http.response": {}},
    }


class Opening:
    """One handshake as the application knows it: told once, and answered once."""

    __slots__ = ("_answered", "_headers", "_key", "_line", "_refusal")

    def __init__(self, line: Line, key: bytes, headers: Headers) -> None:
        """`headers`: those that every answer of this server has."""
        self._line = line
        self._key = key
        self._headers = headers
        self._answered = False
        self._refusal = b""
        """The head of an answer that is no handshake's, until its body is there."""

    async def run(self, app: ASGIApp, scope: dict[str, Any]) -> None:
        """Until the application has nothing more to do here; the socket may stay open."""
        try:
            await app(scope, self._receive, self._send)  # type: ignore[arg-type] # as ASGI has it
        except Exception:
            log.exception("unexpected error", path=scope["path"])
        if not self._answered:
            self._refuse(last_answer(Problem.general("INTERNAL_ERROR"), headers=self._headers))
        elif not self._line.opened:
            self._line.drop()

    async def _receive(self) -> dict[str, Any]:
        return {"type": "websocket.connect"}

    async def _send(self, message: dict[str, Any]) -> None:
        kind = message["type"]
        if self._answered:
            return
        if kind == "websocket.accept":
            self._answered = True
            given = [*self._headers, *message.get("headers", ())]
            upgrade = [(b"Upgrade", b"websocket"), (b"Connection", b"Upgrade")]
            accept = (b"Sec-WebSocket-Accept", answer_key(self._key))
            self._line.answer(_head(101, [*upgrade, accept, *given]))
        elif kind == "websocket.close":
            self._refuse(last_answer(Problem.general("FORBIDDEN"), headers=self._headers))
        elif kind == "websocket.http.response.start":
            given = [*message["headers"], (b"connection", b"close"), *self._headers]
            self._refusal = _head(message["status"], given)
        elif kind == "websocket.http.response.body":
            self._refusal += message.get("body", b"")
            if not message.get("more_body", False):
                self._refuse(self._refusal)

    def _refuse(self, answer: bytes) -> None:
        self._answered = True
        self._line.refuse(answer)


def _head(status: int, headers: Headers) -> bytes:
    lines = [b"HTTP/1.1 %d %s" % (status, HTTPStatus(status).phrase.encode())]
    lines += [b"%s: %s" % header for header in headers]
    return b"\r\n".join((*lines, b"", b""))
