"""Sessions: a client's socket as a game's surface sees it.

    async def live(session: Session) -> None:
        user = await session.authenticate()
        async for message in session:
            session.send(answer(message))

    routes = [socket("/ws/live", live, services)]

The loop ends when the client leaves, breaks the rules, or the server stops; what is in hand is
finished first. What is not caught closes the socket: `Unauthorized` with 4401, a store that is
`Unavailable` with 1013, any other error with 1011.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

import msgspec
import structlog
from litestar import asgi
from litestar.handlers import ASGIRouteHandler
from litestar.types import Receive, Scope, Send
from msgspec import Struct
from structlog.contextvars import clear_contextvars
from websockets.frames import CloseCode

from parlour.net.auth import bearer_token
from parlour.net.frames import text_frame
from parlour.net.line import KEY, Line
from parlour.net.metrics import Surface
from parlour.net.services import Services
from parlour.people.tokens import BadToken, Claims
from parlour.store.change import Unavailable, UserRow

SIGN_IN_SEC = 5.0
"""How long a client may take to say who it is."""
INBOX = 64
"""Messages that may wait for their turn before the client's sending is held back."""
UNAUTHORIZED = 4401

log = structlog.get_logger()


class Unauthorized(Exception):
    """The client did not say who it is, in time or at all."""


class Auth(Struct, frozen=True, tag="auth"):
    """The first message of a client that cannot set headers."""

    token: str


_AUTH = msgspec.json.Decoder(Auth)


class Session:
    """One client's socket. Iterate over what it says; `send` what it should hear."""

    def __init__(self, line: Line, scope: Scope, services: Services, surface: Surface) -> None:
        self.id = uuid4().hex
        """Names this connection among all; holds a seat or a ticket."""
        self.user: UserRow | None = None
        self.claims: Claims | None = None
        """What the token said of the user."""
        self.path: dict[str, Any] = dict(scope.get("path_params", {}))
        """The parameters in the route's path."""
        self._line = line
        self.token = bearer_token(scope["headers"])
        """What the handshake's header says of who this is; None: it says nothing."""
        self._services = services
        self._surface = surface
        self._loop = asyncio.get_running_loop()
        self._inbox: deque[str | bytes] = deque()
        self._waiter: asyncio.Future[None] | None = None
        self._began_at = 0.0
        """When the message in hand was taken; 0: none is."""
        self._code: int | None = None
        self._stopping = False

    # --- for surfaces

    def send(self, payload: bytes) -> None:
        """A text message, given as UTF-8, goes out in order. To a client that is gone: nothing."""
        self._line.say(payload)

    def send_framed(self, frames: bytes) -> None:
        """Messages that `framed` put together once for many sockets."""
        self._line.pass_on(frames)

    def close(self, code: int = CloseCode.NORMAL_CLOSURE, reason: str = "") -> None:
        """Says goodbye after all that was sent; the loop over this session ends."""
        self._inbox.clear()
        self._line.close(code, reason)

    @property
    def closed(self) -> bool:
        """Whether anything sent now would go nowhere."""
        return self._code is not None

    @property
    def code(self) -> int | None:
        """The code that the socket was closed with, by either side; None while it is open."""
        return self._code

    async def authenticate(self) -> UserRow:
        """The user behind the `Authorization` header or the first message, or `Unauthorized`."""
        token = self.token
        if token is None:
            try:
                async with asyncio.timeout(SIGN_IN_SEC):
                    token = _token_in(await anext(self))
            except TimeoutError:
                raise Unauthorized("no token in time") from None
            except StopAsyncIteration:
                raise Unauthorized("left without a word") from None
        try:
            self.claims = await self._services.tokens.verify(token)
        except BadToken:
            raise Unauthorized("the token is not valid") from None
        self.user = await self._services.users.of(self.claims)
        return self.user

    def __aiter__(self) -> Session:
        return self

    async def __anext__(self) -> str | bytes:
        self._put_down()
        while not self._inbox:
            if self._stopping:
                self._line.close(CloseCode.SERVICE_RESTART, "reconnect")
            if self._code is not None:
                raise StopAsyncIteration
            self._line.resume()
            self._waiter = self._loop.create_future()
            try:
                await self._waiter
            finally:
                self._waiter = None
        self._began_at = self._loop.time()
        return self._inbox.popleft()

    # --- for the line

    def hear(self, message: str | bytes) -> None:
        """A message came."""
        self._inbox.append(message)
        if self._waiter is not None:
            self._wake()
        elif len(self._inbox) >= INBOX:
            self._line.pause()

    def hang_up(self, code: int, why: str) -> None:
        """The socket is closed. What the client said before it left is still handled."""
        self._code = code
        if why:
            self._services.metrics.socket_drops.labels(why).inc()
        self._wake()

    def finish(self) -> None:
        """The server stops."""
        self._stopping = True
        self._inbox.clear()
        self._line.pause()
        self._wake()

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    def _put_down(self) -> None:
        if self._began_at:
            self._surface.took(self._loop.time() - self._began_at)
            self._began_at = 0.0


def framed(*payloads: bytes) -> bytes:
    """Text messages, given as UTF-8, as any number of sockets can be sent them."""
    return b"".join(map(text_frame, payloads))


def _token_in(message: str | bytes) -> str:
    try:
        if isinstance(message, str):
            return _AUTH.decode(message).token
    except (msgspec.DecodeError, RecursionError):
        pass
    raise Unauthorized("the first message must be an auth message")


Handle = Callable[[Session], Awaitable[None]]


def socket(path: str | Sequence[str], handle: Handle, services: Services) -> ASGIRouteHandler:
    """A route that hands every socket opened at `path` to `handle`, as a session."""
    first = path if isinstance(path, str) else path[0]
    surface = services.metrics.surface(first)
    gauge = services.metrics.sockets.labels(first)

    async def run(scope: Scope, receive: Receive, send: Send) -> None:
        line: Line | None = scope["state"].get(KEY)
        if line is None:
            raise RuntimeError("sockets need the server that `parlour serve` starts")
        await receive()
        if not may_open(scope["headers"], services.settings.allowed_origins):
            await send({"type": "websocket.close", "code": UNAUTHORIZED, "reason": ""})
            return
        await send({"type": "websocket.accept", "subprotocol": None, "headers": []})
        session = Session(line, scope, services, surface)
        line.open(session)
        with gauge.track_inprogress():
            await _converse(session, handle, services, first)

    return asgi(path if isinstance(path, str) else list(path), copy_scope=False)(run)


async def _converse(session: Session, handle: Handle, services: Services, surface: str) -> None:
    clear_contextvars()
    try:
        await handle(session)
    except Unauthorized as refusal:
        session.close(UNAUTHORIZED, str(refusal))
    except Unavailable as error:
        log.warning("store unavailable", surface=surface, problem=str(error))
        session.close(CloseCode.TRY_AGAIN_LATER, "please try again")
    except Exception:
        user_id = session.user.id if session.user else None
        log.exception("unexpected error", surface=surface, user_id=user_id)
        services.metrics.failures.labels(surface).inc()
        session.close(CloseCode.INTERNAL_ERROR, "something went wrong on our side")
    session.close()


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
