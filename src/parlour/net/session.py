"""Sessions: a client's socket as a game's surface sees it.

    async def live(session: Session) -> None:
        user = await session.authenticate()
        async for message in session:
            session.send(answer(message))

The loop ends when the client leaves, breaks the rules, or the server stops; what is in hand is
finished first. What is not caught closes the socket: `Unauthorized` with 4401, a store that is
`Unavailable` and what is `RateLimited` with 1013, any other error with 1011.

Where most messages can be handled at once, the handler lets its client in and returns a
`Conversation`. That hears of each message without a task in between, and a socket that says
nothing holds no task. The same laws hold for both:

* Messages are handled one at a time, in the order they came, and each is finished before the next.
* What a client said before it left is handled before the end is told.

A message beyond a rate limit never reaches the surface: the client gets an error in the surface's
own words, and is not listened to for a moment. Who goes on like that is hung up on (1008).
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine
from enum import Enum
from functools import partial
from time import perf_counter
from typing import Any, Final, Protocol
from uuid import uuid4

import msgspec
import structlog
from litestar.types import Scope
from msgspec import Struct
from structlog.contextvars import clear_contextvars
from websockets.frames import CloseCode

from parlour.net.auth import bearer_token
from parlour.net.frames import text_frame, text_header
from parlour.net.limits import RateLimited, Who, address_of
from parlour.net.line import Line
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


class Later(Enum):
    """What a message leads to is under way, and nobody waits for it."""

    LATER = "later"


LATER: Final = Later.LATER

Rest = Coroutine[Any, Any, None] | Later | None
"""What is left of a message: something to be awaited, something that is under way, or nothing."""


class Conversation(Protocol):
    """Who goes on with a session after its handler has let the client in."""

    def received(self, message: str | bytes) -> Rest:
        """A message came: it is done with when this returns None, or when what it returns is.

        LATER: it is done with when the session is told so by `handled`, which is not before this
        has returned.
        """
        ...

    async def ended(self) -> None:
        """The socket is closed, and all it said has been handled. Told once."""
        ...


class Session:
    """One client's socket. Iterate over what it says; `send` what it should hear."""

    __slots__ = (
        "_began_at",
        "_busy",
        "_code",
        "_conversation",
        "_deaf_for_good",
        "_inbox",
        "_line",
        "_loop",
        "_route",
        "_stopping",
        "_waiter",
        "claims",
        "id",
        "path",
        "query",
        "send_framed",
        "token",
        "user",
        "who",
    )

    def __init__(self, line: Line, scope: Scope, route: Route) -> None:
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
        self.send_framed = line.pass_on
        """Sends messages that `framed` put together once for many sockets."""
        self.token = bearer_token(scope["headers"])
        """What the handshake's header says of who this is; None: it says nothing, or has been told
        to `authenticate`."""
        self._route = route
        self._loop = asyncio.get_running_loop()
        self._inbox: deque[str | bytes] | None = None
        """What waits for its turn; made when something does."""
        self._conversation: Conversation | None = None
        self._busy = False
        """Whether the conversation has a message in hand, or has been told of the end."""
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

    def refuse(self, payload: bytes) -> None:
        """Answers a message with an error. Who brings about too many of them is hung up on."""
        self._line.say(payload)
        try:
            self._route.limits.refused_messages.take(self.who)
        except RateLimited as refusal:
            self._line.say(self._route.limited(str(refusal)))
            self._give_up_on()

    def _give_up_on(self) -> None:
        """Hears nothing more, and hangs up later: who comes back at once gains nothing by it."""
        if not self._deaf_for_good:
            self._deaf_for_good = True
            self._inbox = None
            self._line.pause()
            code = CloseCode.POLICY_VIOLATION
            close = partial(self._line.close, code, "too many messages", why="flood")
            self._loop.call_later(HELD_SEC, close)

    def count_for(self, user: User) -> None:
        """From now on what comes counts for that user's rate limits; `RateLimited` if it may open
        no more sockets.
        """
        self.who = Who(user.subject, self.who.address)
        self._route.limits.sockets.take(Who(user.subject, None))

    def hear_limited(self, refusal: RateLimited) -> None:
        """A rate limit's refusal in the surface's words."""
        self.refuse(self._route.limited(str(refusal)))

    def close(self, code: int = CloseCode.NORMAL_CLOSURE, reason: str = "") -> None:
        """Says goodbye after all that was sent; the loop over this session ends."""
        self._inbox = None
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
        token, self.token = self.token, None
        if token is None:
            try:
                async with asyncio.timeout(SIGN_IN_SEC):
                    token = _token_in(await anext(self))
            except TimeoutError:
                raise Unauthorized("no token in time") from None
            except StopAsyncIteration:
                raise Unauthorized("left without a word") from None
        try:
            self.claims = await self._route.services.tokens.verify(token)
        except BadToken:
            raise Unauthorized("the token is not valid") from None
        self.user = await self._route.services.at_socket(self.claims, self.who.address)
        self.count_for(self.user)
        return self.user

    # --- a handler's loop

    def __aiter__(self) -> Session:
        return self

    async def __anext__(self) -> str | bytes:
        self._put_down()
        while (message := await self._next()) is None:
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
        self._began_at = perf_counter()
        return message

    async def _next(self) -> str | bytes | None:
        """What waits, when its turn has come; None: nothing does."""
        while self._inbox:
            message = self._inbox.popleft()
            try:
                turn = self._route.limits.messages.take(self.who)
            except RateLimited as refusal:
                await self._hear_too_many(refusal)
                continue
            if turn:
                await self._be_deaf(turn)
            return message
        self._inbox = None
        return None

    async def _hear_too_many(self, refusal: RateLimited) -> None:
        self.hear_limited(refusal)
        await self._be_deaf(DEAF_SEC)

    async def _be_deaf(self, seconds: float) -> None:
        """Take nothing in for a while."""
        if self._code is None:
            self._line.pause()
            await asyncio.sleep(seconds)

    # --- a conversation

    async def serve(self, handle: Handle) -> None:
        """Until the client is let in, or has left a handler that talks to it by itself."""
        clear_contextvars()
        self._route.gauge.inc()
        conversation = None
        try:
            conversation = await handle(self)
        except Exception as error:  # noqa: BLE001 - `_explain` logs it
            await self._explain(error)
        finally:
            self._put_down()
            if conversation is None:
                self.close()
                self._route.gauge.dec()
        if conversation is not None:
            self._conversation = conversation
            self._busy = True
            await self._work()

    def hear(self, message: str | bytes) -> None:
        """A message came: it is handled here and now, and what has to wait becomes a task."""
        if self._conversation is None or self._busy or self._deaf_for_good:
            self._keep(message)
            return
        self._busy = True
        try:
            turn = self._route.limits.messages.take(self.who)
        except RateLimited as refusal:
            self._line.spawn(self._work(self._hear_too_many(refusal)))
            return
        if turn:
            self._line.spawn(self._work(self._be_deaf(turn), message))
            return
        self._began_at = perf_counter()
        try:
            rest = self._conversation.received(message)
        except Exception as error:  # noqa: BLE001 - `_explain` logs it
            rest = self._explain(error)
        if rest is None:
            self._rest()
        elif rest is not LATER:
            self._line.spawn(self._work(rest))

    def _keep(self, message: str | bytes) -> None:
        """A message waits for its turn."""
        if self._deaf_for_good:
            return
        if self._inbox is None:
            self._inbox = deque()
        self._inbox.append(message)
        if self._waiter is not None:
            self._wake()
        elif len(self._inbox) >= INBOX:
            self._line.pause()

    def handled(self, rest: Coroutine[Any, Any, None] | None = None) -> None:
        """What was to be done LATER is, or is once this has been awaited, too."""
        if rest is not None or self._inbox:
            self._line.spawn(self._work(rest))
        else:
            self._rest()

    async def _work(
        self,
        first: Coroutine[Any, Any, None] | None = None,
        message: str | bytes | None = None,
    ) -> None:
        """Finishes what is in hand, and then the message and whatever came meanwhile."""
        assert self._conversation is not None
        try:
            if first is not None:
                await first
            self._put_down()
            if message is None:
                message = await self._next()
            while message is not None:
                self._began_at = perf_counter()
                rest = self._conversation.received(message)
                if rest is LATER:
                    return
                if rest is not None:
                    await rest
                self._put_down()
                message = await self._next()
        except Exception as error:  # noqa: BLE001 - `_explain` logs it
            await self._explain(error)
        except asyncio.CancelledError:
            # The server does not wait any longer.
            self._line.close(CloseCode.SERVICE_RESTART, "reconnect")
            await self._leave()
            raise
        self._rest()

    def _rest(self) -> None:
        """Nothing is in hand, and nothing waits."""
        self._put_down()
        self._busy = False
        if self._stopping:
            self._line.close(CloseCode.SERVICE_RESTART, "reconnect")
        if self._code is not None:
            self._part()
        elif self._line.paused and not self._deaf_for_good:
            self._line.resume()

    def _part(self) -> None:
        """The conversation is told of the end, once: nothing is in hand any more."""
        if not self._busy:
            self._busy = True
            self._line.spawn(self._leave())

    async def _leave(self) -> None:
        assert self._conversation is not None
        try:
            await self._conversation.ended()
        except Exception as error:  # noqa: BLE001 - `_explain` logs it
            await self._explain(error)
        finally:
            self._conversation = None  # they would hold each other
            self._route.gauge.dec()

    async def _explain(self, error: Exception) -> None:
        """Closes the socket because of what was not caught."""
        route = self._route
        if isinstance(error, Unauthorized):
            self.close(UNAUTHORIZED, str(error))
        elif isinstance(error, RateLimited):
            self.hear_limited(error)
            await asyncio.sleep(HELD_SEC)
            self.close(CloseCode.TRY_AGAIN_LATER, "please try again later")
        elif isinstance(error, Unavailable):
            log.warning("store unavailable", surface=route.surface.name, problem=str(error))
            self.close(CloseCode.TRY_AGAIN_LATER, "please try again")
        else:
            user_id = self.user.id if self.user else None
            log.error(
                "unexpected error", surface=route.surface.name, user_id=user_id, exc_info=error
            )
            route.services.metrics.failures.labels(route.surface.name).inc()
            self.close(CloseCode.INTERNAL_ERROR, "something went wrong on our side")
        clear_contextvars()

    # --- for the line

    def hang_up(self, code: int, why: str) -> None:
        """The socket is closed. What the client said before it left is still handled."""
        self._code = code
        if why:
            self._route.services.metrics.socket_drops.labels(why).inc()
        if self._conversation is None:
            self._wake()
        else:
            self._part()

    def finish(self) -> None:
        """The server stops."""
        self._stopping = True
        self._inbox = None
        self._line.pause()
        if self._conversation is None:
            self._wake()
        elif not self._busy:
            self._line.close(CloseCode.SERVICE_RESTART, "reconnect")

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    def _put_down(self) -> None:
        if self._began_at:
            self._route.surface.took(perf_counter() - self._began_at)
            self._began_at = 0.0


def framed(*payloads: bytes) -> bytes:
    """Text messages, given as UTF-8, as any number of sockets can be sent them."""
    if len(payloads) == 1:  # as mostly
        return text_frame(payloads[0])
    parts: list[bytes] = []
    for payload in payloads:
        parts += (text_header(len(payload)), payload)
    return b"".join(parts)


def _token_in(message: str | bytes) -> str:
    try:
        if isinstance(message, str):
            return _AUTH.decode(message).token
    except (msgspec.DecodeError, RecursionError):
        pass
    raise Unauthorized("the first message must be an auth message")


Handle = Callable[[Session], Awaitable[Conversation | None]]
"""Talks to a client until it leaves, or lets it in and says who goes on."""


class Route:
    """What all sockets of one route share."""

    __slots__ = ("gauge", "limited", "limits", "services", "surface")

    def __init__(self, name: str, services: Services, limited: TellLimited) -> None:
        self.services = services
        self.limits = services.limits
        self.limited = limited
        self.surface = services.metrics.surface(name)
        self.gauge = services.metrics.sockets.labels(name)
