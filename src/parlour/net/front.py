"""What every request passes before the routes: files, size, headers, and the time it takes."""

from __future__ import annotations

import re
from collections import deque
from time import perf_counter
from typing import TypeGuard

import msgspec
from litestar import Litestar
from litestar.enums import ScopeType
from litestar.routes import ASGIRoute
from litestar.types import HTTPScope, Message, Receive, ReceiveMessage, Scope, Send
from structlog.contextvars import clear_contextvars

from parlour.net.errors import Problem
from parlour.net.metrics import Metrics
from parlour.net.pages import Pages, respond, security_headers
from parlour.settings import Settings

LARGEST_BODY = 64 * 1024


class Front:
    """The outermost part of the application."""

    def __init__(self, app: Litestar, pages: Pages, settings: Settings, metrics: Metrics) -> None:
        self._app = app
        self._pages = pages
        self._metrics = metrics
        self._headers = security_headers(settings)
        self._sockets = _socket_paths(app)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if not _is_http(scope):
            await self._app(scope, receive, send)
        elif file := self._pages.find(scope):
            await respond(file, scope, send, self._headers)
        elif self._sockets.fullmatch(scope["path"]):
            await self._refuse(Problem.general("UPGRADE_REQUIRED"), scope, send)
        elif (announced := _announced_bytes(scope)) == 0:
            await self._handle(scope, receive, send)
        else:
            await self._take_in(announced, scope, receive, send)

    async def _take_in(
        self, announced: int, scope: HTTPScope, receive: Receive, send: Send
    ) -> None:
        """Reads the body, for not every route would, and none need know that it may never come."""
        pieces = await _pieces(receive) if announced <= LARGEST_BODY else None
        if pieces is None:
            self._metrics.refusals.note("body")
            await self._refuse(Problem.general("BODY_TOO_LARGE"), scope, send)
        elif pieces:
            await self._handle(scope, _again(pieces, receive), send)

    async def _handle(self, scope: HTTPScope, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *self._headers]
            await send(message)

        clear_contextvars()
        began_at = perf_counter()
        try:
            await self._app(scope, receive, send_with_headers)
        finally:
            template = scope.get("path_template")
            name = f"{scope['method']} {template}" if template else "unknown"
            self._metrics.surface(name).took(perf_counter() - began_at)

    async def _refuse(self, problem: Problem, scope: HTTPScope, send: Send) -> None:
        body = msgspec.json.encode(problem.body(scope["path"]))
        headers = [(b"content-type", b"application/json"), (b"connection", b"close")]
        await send(
            {
                "type": "http.response.start",
                "status": problem.status,
                "headers": [*headers, *self._headers],
            }
        )
        await send({"type": "http.response.body", "body": body, "more_body": False})


def _is_http(scope: Scope) -> TypeGuard[HTTPScope]:
    return scope["type"] == ScopeType.HTTP


def _socket_paths(app: Litestar) -> re.Pattern[str]:
    """Of the routes that speak WebSocket alone; Litestar does not expect requests there."""
    paths = (route.path_format for route in app.routes if isinstance(route, ASGIRoute))
    return re.compile("|".join(re.sub(r"{\w+}", "[^/]+", path) + "/?" for path in paths))


def _announced_bytes(scope: HTTPScope) -> int:
    """How large a body follows, or may follow."""
    for name, value in scope["headers"]:
        if name == b"content-length" and value.isdigit():
            return int(value)
        if name == b"transfer-encoding":
            return LARGEST_BODY
    return 0


async def _pieces(receive: Receive) -> deque[ReceiveMessage] | None:
    """The whole body; None if it is too large, and nothing if the client went away before."""
    pieces: deque[ReceiveMessage] = deque()
    size, more = 0, True
    while more:
        piece = await receive()
        if piece["type"] != "http.request":
            return deque()
        pieces.append(piece)
        more = piece["more_body"]
        size += len(piece["body"])
        if size > LARGEST_BODY:
            return None
    return pieces


def _again(pieces: deque[ReceiveMessage], receive: Receive) -> Receive:
    async def again() -> ReceiveMessage:
        return pieces.popleft() if pieces else await receive()

    return again
