"""Requests that are answered where they came in, without a task: moves that meet no obstacle.

    services.short_ways.add("/api/games/", "game_id", "/move", SURFACE, drop)

A short way leads past the routes, the framework and the task that each request is otherwise. It is
for what a busy server is asked most, and taken only where all is as usual: a token that was
verified a moment ago, plain JSON, no limit in sight, a match in memory whose rules agree. Laws:

* Before anything was done it may say no, and then the route answers. So a request is refused in one
  place, the route's, and the API's document is made of the routes alone.
* What it answers is what the route would have.
* A request counts once for the limits: here if it is answered here.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine
from time import perf_counter
from typing import Any, Final, Protocol

import msgspec
from msgspec import Struct
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from parlour.net.handler import problem_of
from parlour.net.limits import Limits, Who, address_of
from parlour.net.metrics import Metrics
from parlour.net.pages import Headers
from parlour.net.surface import Surface
from parlour.people.tokens import Tokens
from parlour.people.users import User, Users

LARGEST_BODY: Final = 4096
"""No move takes as much."""

Told = Callable[[int | Exception | None], None]
"""Hears what became of a step: see `play.steps.Told`."""


class Asked(Struct, frozen=True):
    """A whole request."""

    id: str
    """Of what its path is about."""
    user: User
    body: bytes


Spawn = Callable[[Coroutine[Any, Any, None]], object]
"""Begins a task."""


class Taken(Struct, frozen=True):
    """A step that was decided, and is not durable yet."""

    show: Callable[[], bytes | Awaitable[bytes]]
    """What is answered once it is."""
    again: Callable[[], Awaitable[bytes]]
    """The same for a step that is to be tried again as one that waits, as another was quicker."""


Take = Callable[[Asked, Told], Taken | None]
"""Takes a step that `told` hears of; None: nothing was done."""


class ShortWay(Struct, frozen=True):
    """From a path to a step."""

    before: str
    after: str
    surface: Surface
    take: Take
    name: str
    """As metrics know it: that of the route."""


class ShortWays:
    """All there are; they are found by the last part of a path."""

    def __init__(self) -> None:
        self._by_end: dict[str, list[ShortWay]] = {}

    def add(self, before: str, name: str, after: str, surface: Surface, take: Take) -> None:
        """`POST before{name}after` need not go by its route."""
        named = f"POST {before}{{{name}}}{after}"
        way = ShortWay(before, after, surface, take, named)
        self._by_end.setdefault(after, []).append(way)

    def find(self, scope: Any) -> ShortWay | None:
        """The one that a request might go by, as far as its head says."""
        path: str = scope["path"]
        for way in self._by_end.get(path[path.rfind("/") :], ()):
            if path.startswith(way.before) and scope["method"] == "POST":
                usual = not scope["query_string"] and _is_short(scope["headers"])
                return way if usual else None
        return None


def _is_short(headers: Headers) -> bool:
    """Whether a short body follows; any other is the routes' business, before it is there."""
    for name, value in headers:
        if name == b"content-length":
            return value.isdigit() and int(value) <= LARGEST_BODY
    return False


_UNREAD: Final = frozenset(
    {b"host", b"content-length", b"user-agent", b"accept", b"accept-encoding", b"connection"}
)
"""What nearly every request has, and no answer here depends on."""


class Exchange(Protocol):
    """The connection's side of a request."""

    def answer(self, status: int, headers: Headers, body: bytes) -> None:
        """Say so."""
        ...


class Shortcut:
    """Answers whole requests, as far as short ways lead."""

    def __init__(
        self,
        tokens: Tokens,
        users: Users,
        limits: Limits,
        metrics: Metrics,
        spawn: Spawn,
        *,
        shared: bool,
        proxies: Any,
    ) -> None:
        """`shared`: pages of other origins may ask, and who they are is the routes' business."""
        self._tokens = tokens
        self._users = users
        self._limits = limits
        self._metrics = metrics
        self._spawn = spawn
        self._shared = shared
        self._proxies = ProxyHeadersMiddleware(_nowhere, proxies)

    def take(self, way: ShortWay, scope: Any, body: bytes, exchange: Exchange) -> bool:
        """False: nothing was done, and nothing is answered."""
        began_at = perf_counter()
        asked = self._asked(way, scope, body)
        if asked is None:
            return False
        limit = self._limits.requests
        who = Who(asked.user.subject, address_of(scope))
        if not limit.is_free(who):
            return False
        under_way = _UnderWay(self._metrics, self._spawn, way, exchange, began_at, scope["path"])
        taken = way.take(asked, under_way.told)
        if taken is None:
            return False
        under_way.taken = taken
        limit.take(who)
        return True

    def _asked(self, way: ShortWay, scope: Any, body: bytes) -> Asked | None:
        """The request as a short way wants it; None: there is more to it, or it is not in order."""
        token = None
        is_json = forwarded = False
        for name, value in scope["headers"]:
            if name in _UNREAD:
                continue
            if name == b"authorization":
                if token is not None or not value.startswith(b"Bearer "):
                    return None
                token = value[7:].decode("latin-1")
            elif name == b"content-type":
                is_json = value == b"application/json"
            elif name == b"origin":
                if self._shared:
                    return None
            elif name == b"idempotency-key":
                return None
            elif name.startswith(b"x-forwarded-"):
                forwarded = True
        claims = None if token is None else self._tokens.remembered(token)
        user = None if claims is None else self._users.remembered(claims.subject)
        if user is None or not is_json:
            return None
        if forwarded:
            _run(self._proxies(scope, _never, _never))
        path = scope["path"]
        return Asked(path[len(way.before) : -len(way.after)], user, body)


class _UnderWay:
    """A step that was taken and is not durable yet."""

    __slots__ = ("_began_at", "_exchange", "_metrics", "_path", "_spawn", "_way", "taken")

    def __init__(
        self,
        metrics: Metrics,
        spawn: Spawn,
        way: ShortWay,
        exchange: Exchange,
        began_at: float,
        path: str,
    ) -> None:
        self._spawn = spawn
        self._metrics = metrics
        self._way = way
        self._exchange = exchange
        self._began_at = began_at
        self._path = path
        self.taken: Taken

    def told(self, outcome: int | Exception | None) -> None:
        """Answers with what became of it."""
        if isinstance(outcome, Exception):
            self._refuse(outcome)
            return
        try:
            shown = self.taken.again() if outcome is None else self.taken.show()
        except Exception as error:  # noqa: BLE001 (whoever asked must hear of it)
            self._refuse(error)
            return
        if isinstance(shown, bytes):
            self._answer(200, [], shown)
        else:
            self._spawn(self._await(shown))

    async def _await(self, shown: Awaitable[bytes]) -> None:
        try:
            body = await shown
        except Exception as error:  # noqa: BLE001 (whoever asked must hear of it)
            self._refuse(error)
        else:
            self._answer(200, [], body)

    def _refuse(self, error: Exception) -> None:
        surface = self._way.surface
        problem = problem_of(error, surface, self._metrics, "POST", self._path)
        headers = [(name.encode(), value.encode()) for name, value in problem.headers.items()]
        self._answer(problem.status, headers, msgspec.json.encode(surface.shape(problem)))

    def _answer(self, status: int, headers: Headers, body: bytes) -> None:
        self._exchange.answer(status, headers, body)
        self._metrics.surface(self._way.name).took(perf_counter() - self._began_at)


async def _nowhere(*_: Any) -> None:
    """An application that does nothing, behind what reads the proxy's headers."""


async def _never(*_: Any) -> Any:
    raise AssertionError("nobody listens")


def _run(work: Any) -> None:
    """A coroutine that waits for nothing."""
    try:
        work.send(None)
    except StopIteration:
        return
    raise AssertionError("it waits")
