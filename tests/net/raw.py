"""A client that sends whatever bytes it likes, from whatever loopback address it likes."""

from __future__ import annotations

import json
import re
import socket
import struct
from contextlib import suppress
from typing import Any

from tests.servers.parlour import Served

GONE = (ConnectionResetError, BrokenPipeError)


def dial(port: int, source: str = "127.0.0.1") -> socket.socket:
    """A connection from that address."""
    return socket.create_connection(("127.0.0.1", port), timeout=30, source_address=(source, 0))


def send(client: socket.socket, data: bytes) -> bool:
    """Sends it all, as somebody does who does not look; whether the other side let that happen."""
    try:
        client.sendall(data)
    except GONE:
        return False
    return True


def rest(client: socket.socket) -> bytes:
    """All that still comes, until the other side ends it."""
    came = b""
    with suppress(*GONE):
        while piece := client.recv(65536):
            came += piece
    return came


def one_answer(client: socket.socket) -> bytes:
    """One whole response of a stated length: its head and its body may come apart."""
    came = b""
    while b"\r\n\r\n" not in came:
        came += _next(client)
    head, _, body = came.partition(b"\r\n\r\n")
    stated = re.search(rb"(?i)\r\ncontent-length: (\d+)", head)
    assert stated is not None, head
    while len(body) < int(stated[1]):
        body += _next(client)
    return head + b"\r\n\r\n" + body


def _next(client: socket.socket) -> bytes:
    piece = client.recv(65536)
    assert piece, "the connection ended within a response"
    return piece


def reset(client: socket.socket) -> None:
    """Goes away without a word."""
    client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    client.close()


def said(answer: bytes) -> tuple[int, dict[str, Any], str]:
    """Status, headers and error code of the one response that this must be."""
    head, _, body = answer.partition(b"\r\n\r\n")
    status, *lines = head.decode().split("\r\n")
    headers = dict(line.lower().split(": ", 1) for line in lines)
    if headers.get("transfer-encoding") == "chunked":
        body = body.partition(b"\r\n")[2].partition(b"\r\n0\r\n")[0]
    return int(status.split()[1]), headers, json.loads(body).get("code", "")


def refused(served: Served, why: str) -> float:
    """How often something was refused for that reason."""
    return count(served, f'parlour_refused_total{{why="{why}"}} ')


def count(served: Served, name: str) -> float:
    """What the metrics say under that name."""
    for row in served.ask("GET", "/metrics").text.splitlines():
        if row.startswith(name):
            return float(row.removeprefix(name))
    return 0.0
