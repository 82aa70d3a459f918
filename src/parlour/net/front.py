"""What every request passes before the routes: files, size, headers, and the time it takes."""

from __future__ import annotations

from time import perf_counter
from typing import TypeGuard

import msgspec
from litestar.enums import ScopeType
from litestar.types import ASGIApp, HTTPScope, Message, Receive, Scope, Send
from structlog.contextvars import clear_contextvars

from parlour.net.errors import Problem
from parlour.net.metrics import Metrics
from parlour.net.pages import Pages, respond, security_headers
from parlour.settings import Settings

LARGEST_BODY = 64 * 1024


class Front:
    """The outermost part of the application."""

    def __init__(self, app: ASGIApp, pages: Pages, settings: Settings, metrics: Metrics) -> None:
        self._app = app
        self._pages = pages
        self._metrics = metrics
        self._headers = security_headers(settings)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if not _is_http(scope):
            await self._app(scope, receive, send)
        elif file := self._pages.find(scope):
            await respond(file, scope, send, self._headers)
        elif _announced_size(scope) > LARGEST_BODY:
            await self._refuse(Problem.general("BODY_TOO_LARGE"), send)
        else:
            await self._handle(scope, receive, send)

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

    async def _refuse(self, problem: Problem, send: Send) -> None:
        body = msgspec.json.encode(problem.body)
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


def _announced_size(scope: HTTPScope) -> int:
    for name, value in scope["headers"]:
        if name == b"content-length" and value.isdigit():
            return int(value)
    return 0
