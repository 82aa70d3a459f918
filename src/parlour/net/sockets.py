"""Sessions: a client's socket as a game's surface sees it.

    async def live(session: Session) -> None:
        user = await session.authenticate()
        async for message in session:
            session.send(answer(message))

    routes = [socket("/ws/live", live, services)]

The loop ends when the client leaves, breaks the rules, or the server stops; what is in hand is
finished first. What is not caught closes the socket: `Unauthorized` with 4401, a store that is
`Unavailable` and what is `RateLimited` with 1013, any other error with 1011.

A message beyond a rate limit never reaches the surface: the client gets an error in the surface's
own words, and is not listened to for a moment. Who goes on like that is hung up on (1008).
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Sequence
from functools import partial
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
from parlour.net.limits import RateLimited, Who, address_of
from parlour.net.line import KEY, Line
from parlour.net.metrics import Surface
from parlour.net.services import Services
from parlour.people.tokens import BadToken, Claims
from parlour.people.users import User
from parlour.store.change import Unavailable

SIGN_IN_SEC = 5.0
"""How long a client may take to say who it is."""
INBOX = 64
"""Messages that may wait for their turn before the client's sending is held back."""
UNAUTHORIZED = 4401
DEAF_SEC = 0.05
"""How long a client is not listened to after a message too many: it then sends at most as quickly
as it is refused, and its refusals run out."""
HELD_SEC = 1.0
"""How long a socket that was too much stays open, so that it is not opened again at once."""

log = structlog.get_logger()


class Unauthorized(Exception):
    """The client did not say who it is, in time or at all."""


class Auth(Struct, frozen=True, tag="auth"):
    """The first message of a client that cannot set headers."""

    token: str


class TooMany(Struct, frozen=True, tag="error"):
    """A message too many, where a surface has no words of its own for it."""

    message: str
    code: str = "RATE_LIMITED"


_AUTH = msgspec.json.Decoder(Auth)

TellLimited = Callable[[str], bytes]
"""A rate limit's refusal, given in words, as a surface's clients know errors."""


def tell_limited(words: str) -> bytes:
    """The error of a surface that has no other."""
    return msgspec.json.encode(TooMany(words))


class Session:
    """One client's socket. Iterate over what it says; `send` what it should hear."""

    def __init__(
        self,
        line: Line,
        scope: Scope,
        services: Services,
        surface: Surface,
        limited: TellLimited = tell_limited,
    ) -> None:
        self.id = uuid4().hex
        """Names this connection among all; holds a seat or a ticket."""
        self.user: User | None = None
        self.claims: Claims | None = None
        """What the token said of the user."""
        self.path: dict[str, Any] = dict(scope.get("path_params", {}))
        """The parameters in the route's path."""
        self.query: bytes = scope.get("query_string", b"")
        """The address's query. It may hold secrets: never log or show it."""
        self.who = Who(self.id, address_of(scope))
        """Whose rate limits this counts for; without a user, for the connection's own."""
        self._line = line
        self.token = bearer_token(scope["headers"])
        """What the handshake's header says of who this is; None: it says nothing."""
        self._services = services
        self._surface = surface
        self._limits = services.limits
        self._tell_limited = limited
        self._loop = asyncio.get_running_loop()
        self._inbox: deque[str | bytes] = deque()
        self._waiter: asyncio.Future[None] | None = None
        self._began_at = 0.0
        """When the message in hand was taken; 0: none is."""
        self._code: int | None = None
        self._stopping = False
        self._deaf_for_good = False

    # --- for surfaces

    def send(self, payload: bytes) -> None:
        """A text message, given as UTF-8, goes out in order. To a client that is gone: nothing."""
        self._line.say(payload)

    def send_framed(self, frames: bytes) -> None:
        """Messages that `framed` put together once for many sockets."""
        self._line.pass_on(frames)

    def refuse(self, payload: bytes) -> None:
        """Answers a message with an error. Who brings about too many of them is hung up on."""
        self._line.say(payload)
        try:
            self._limits.refused_messages.take(self.who)
        except RateLimited as refusal:
            self._line.say(self._tell_limited(str(refusal)))
            self._give_up_on()

    def _give_up_on(self) -> None:
        """Hears nothing more, and hangs up later: who comes back at once gains nothing by it."""
        if not self._deaf_for_good:
            self._deaf_for_good = True
            self._inbox.clear()
            self._line.pause()
            code = CloseCode.POLICY_VIOLATION
            close = partial(self._line.close, code, "too many messages", why="flood")
            self._loop.call_later(HELD_SEC, close)

    def count_for(self, user: User) -> None:
        """From now on what comes counts for that user's rate limits; `RateLimited` if it may open
        no more sockets.
        """
        self.who = Who(user.subject, self.who.address)
        self._limits.sockets.take(Who(user.subject, None))

    def hear_limited(self, refusal: RateLimited) -> None:
        """A rate limit's refusal in the surface's words."""
        self.refuse(self._tell_limited(str(refusal)))

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

    async def authenticate(self) -> User:
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
        self.user = await self._services.known_as(self.claims, self.who.address)
        self.count_for(self.user)
        return self.user

    def __aiter__(self) -> Session:
        return self

    async def __anext__(self) -> str | bytes:
        self._put_down()
        while True:
            while not self._inbox:
                if self._stopping:
                    self._line.close(CloseCode.SERVICE_RESTART, "reconnect")
                if self._code is not None:
                    raise StopAsyncIteration
                if not self._deaf_for_good:
                    self._line.resume()
                self._waiter = self._loop.create_future()
                try:
                    await self._waiter
                finally:
                    self._waiter = None
            message = self._inbox.popleft()
            try:
                turn = self._limits.messages.take(self.who)
            except RateLimited as refusal:
                self.hear_limited(refusal)
                await self._be_deaf(DEAF_SEC)
                continue
            if turn:
                await self._be_deaf(turn)
            self._began_at = self._loop.time()
            return message

    async def _be_deaf(self, seconds: float) -> None:
        """Take nothing in for a while."""
        if self._code is None:
            self._line.pause()
            await asyncio.sleep(seconds)

    # --- for the line

    def hear(self, message: str | bytes) -> None:
        """A message came."""
        if self._deaf_for_good:
            return
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


def socket(
    path: str | Sequence[str],
    handle: Handle,
    services: Services,
    limited: TellLimited = tell_limited,
) -> ASGIRouteHandler:
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
        session = Session(line, scope, services, surface, limited)
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
    except RateLimited as refusal:
        session.hear_limited(refusal)
        await asyncio.sleep(HELD_SEC)
        session.close(CloseCode.TRY_AGAIN_LATER, "please try again later")
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
