"""Routes that open sockets: to whom, and what becomes of one that was opened.

routes = [socket("/ws/live", live, services)]
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from urllib.parse import urlsplit

from litestar import asgi
from litestar.handlers import ASGIRouteHandler
from litestar.types import Receive, Scope, Send

from parlour.net.line import KEY, Line
from parlour.net.services import Services
from parlour.net.session import (
    UNAUTHORIZED,
    Handle,
    Route,
    Session,
    TellLimited,
    tell_limited,
)


def socket(
    path: str | Sequence[str],
    handle: Handle,
    services: Services,
    limited: TellLimited = tell_limited,
) -> ASGIRouteHandler:
    """A route that hands every socket opened at `path` to `handle`, as a session."""
    route = Route(path if isinstance(path, str) else path[0], services, limited)

    async def run(scope: Scope, receive: Receive, send: Send) -> None:
        line: Line | None = scope["state"].get(KEY)
        if line is None:
            raise RuntimeError("sockets need the server that `parlour serve` starts")
        await receive()
        if not may_open(scope["headers"], services.settings.allowed_origins):
            await send({"type": "websocket.close", "code": UNAUTHORIZED, "reason": ""})
            return
        await send({"type": "websocket.accept", "subprotocol": None, "headers": []})
        session = Session(line, scope, route)
        line.open(session)
        await session.serve(handle)

    return asgi(path if isinstance(path, str) else list(path), copy_scope=False)(run)


def may_open(headers: Iterable[tuple[bytes, bytes]], allowed: Sequence[str]) -> bool:
    """Whether a page of that origin may open sockets here: our own pages and the allowed ones.

    Programs that are no browsers send no origin. Which scheme we are reached by is the business of
    the proxy before us, so only host and port are compared.
    """
    found = {name: value.decode("latin-1").lower() for name, value in headers}
    origin = found.get(b"origin")
    if origin is None or origin in allowed:
        return True
    try:
        return urlsplit(origin).netloc == found.get(b"host", "") != ""
    except ValueError:
        return False
