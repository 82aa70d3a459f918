"""What every request passes before the routes: how many there are, files, size, headers, and the
time it takes.
"""

from __future__ import annotations

import asyncio
import random
import re
from collections import deque
from collections.abc import Iterator
from time import perf_counter
from typing import Any, TypeGuard, cast

import msgspec
from litestar import Litestar
from litestar.enums import ScopeType
from litestar.routes import ASGIRoute
from litestar.types import HTTPScope, Message, Receive, ReceiveMessage, Scope, Send, WebSocketScope
from structlog.contextvars import clear_contextvars

from parlour.net.auth import bearer_token
from parlour.net.errors import Problem
from parlour.net.handler import too_many
from parlour.net.limits import Limit, RateLimited, Who, address_of
from parlour.net.pages import Headers, Pages, respond, security_headers
from parlour.net.services import Services
from parlour.net.short import Short
from parlour.net.short_ways import Shortcut
from parlour.net.surface import PLAIN, Mounts

LARGEST_BODY = 64 * 1024
TOO_MANY = 429
HELD_SEC = (0.75, 1.25)
"""How long who asked too often waits for the answer: a flood is then as slow as its connections
are few, and does not come back all at once."""


class Front:
    """The outermost part of the application."""

    def __init__(self, app: Litestar, pages: Pages, services: Services) -> None:
        self._app = app
        self._pages = pages
        self._services = services
        self._metrics = services.metrics
        self._limits = services.limits
        self._tokens = services.tokens
        self._origins = services.settings.allowed_origins
        self._headers = security_headers(services.settings, pages.scripts)
        self._sockets = _socket_paths(app)
        self.mounts: Mounts = app.state.mounts
        self.microtasks = services.store.microtasks

    def short(self, proxies: str | list[str]) -> Short:
        """The ways past all this, behind those proxies."""
        services = self._services
        cut = Shortcut(
            services.tokens,
            services.users,
            services.limits,
            services.metrics,
            services.kernel.runtime.background.spawn,
            shared=bool(self._origins),
            proxies=proxies,
        )
        return Short(services.short_ways, cut, self.microtasks, self._headers)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if not _is_http(scope):
            if scope["type"] != ScopeType.WEBSOCKET or await self._may_open(scope, send):
                await self._app(scope, receive, send)
        elif file := self._pages.find(scope):
            who = Who(None, address_of(scope))
            if await self._admitted(self._limits.files, who, scope, send):
                await respond(file, scope, send, self._headers)
        elif not await self._may_ask(scope, send):
            pass
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

    # --- how many

    async def _may_ask(self, scope: HTTPScope, send: Send) -> bool:
        """A token that was verified a moment ago counts for its user, any other for nobody."""
        token = bearer_token(scope["headers"])
        claims = self._tokens.remembered(token) if token else None
        who = Who(claims.subject if claims else None, address_of(scope))
        limit = self._limits.requests if claims else self._limits.anonymous_requests
        return await self._admitted(limit, who, scope, send)

    async def _admitted(self, limit: Limit, who: Who, scope: HTTPScope, send: Send) -> bool:
        """Waits for its turn; whoever asks too often gets an answer that took no work."""
        try:
            await limit.admit(who)
        except RateLimited as refusal:
            await _hold()
            await self._refuse(too_many(refusal), scope, send, [*self._shared_with(scope)])
            return False
        return True

    async def _may_open(self, scope: WebSocketScope, send: Send) -> bool:
        """The same for a socket, before the handshake is answered."""
        try:
            await self._limits.sockets.admit(Who(None, address_of(scope)))
        except RateLimited as refusal:
            await _hold()
            await _answer_handshake(too_many(refusal), send)
            return False
        return True

    def _shared_with(self, scope: HTTPScope) -> Iterator[tuple[bytes, bytes]]:
        """That a page of an allowed origin may read this; of their answers the routes say so."""
        for name, value in scope["headers"]:
            if name == b"origin" and value.decode("latin-1").lower() in self._origins:
                yield b"access-control-allow-origin", value
                yield b"access-control-expose-headers", b"retry-after"
                yield b"vary", b"origin"

    # --- the routes

    async def _handle(self, scope: HTTPScope, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                if message["status"] == TOO_MANY:
                    await _hold()
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

    async def _refuse(
        self, problem: Problem, scope: HTTPScope, send: Send, more: Headers | None = None
    ) -> None:
        """`more` are further headers; without them the connection is closed."""
        body = msgspec.json.encode(self.mounts.at(scope["path"]).shape(problem))
        headers = [*_headers(problem, body), *self._headers]
        headers += [(b"connection", b"close")] if more is None else more
        await send({"type": "http.response.start", "status": problem.status, "headers": headers})
        await send({"type": "http.response.body", "body": body, "more_body": False})


async def _hold() -> None:
    await asyncio.sleep(random.uniform(*HELD_SEC))  # noqa: S311 -- no secret


async def _answer_handshake(problem: Problem, send: Send) -> None:
    """Instead of accepting it."""
    body = msgspec.json.encode(PLAIN.shape(problem))
    start: dict[str, Any] = {
        "type": "websocket.http.response.start",
        "status": problem.status,
        "headers": _headers(problem, body),
    }
    rest = {"type": "websocket.http.response.body", "body": body, "more_body": False}
    for message in (start, rest):
        await send(cast("Message", message))  # which Litestar's types do not know


def _headers(problem: Problem, body: bytes) -> Headers:
    given = [(name.lower().encode(), value.encode()) for name, value in problem.headers.items()]
    sized = (b"content-length", str(len(body)).encode())
    return [(b"content-type", b"application/json"), sized, *given]


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
