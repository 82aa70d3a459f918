"""One server process: the parts that `parlour serve` puts together, all real but for what fails.

It has the real kernel, stores, buses, users, routes and sessions. Only tokens are taken at their
word, bots think here and now, and the place of TCP is taken by `Line`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterator, Sequence
from contextvars import copy_context
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, TypeVar

from litestar import Request, Router
from litestar.handlers import ASGIRouteHandler, BaseRouteHandler, HTTPRouteHandler

from parlour.app import surfaces
from parlour.bus.api import Bus
from parlour.games.api import Dice
from parlour.games.registry import AnyRules, bots
from parlour.money.wallets import opening
from parlour.net.limits import Limits
from parlour.net.line import KEY
from parlour.net.metrics import Metrics
from parlour.net.services import Services
from parlour.people.recovery import Recovery
from parlour.people.tokens import Claims, Tokens
from parlour.people.users import Users
from parlour.play.kernel import Kernel
from parlour.play.policy import Policy
from parlour.play.thinkers import Job, Thinkers
from parlour.settings import Settings
from parlour.store.api import Store
from parlour.store.change import UserRow
from parlour.timekeeping import Timekeeper
from tests.simulation.line import Line
from tests.simulation.loop import OWNER, FakeTimeLoop, Scheduled

if TYPE_CHECKING:
    from tests.simulation.world import World

T = TypeVar("T")

SETTINGS = Settings.given(
    rate_limits=False,
    abandon_threshold_sec=5,
    queue_stale_sec=6,
    waiting_game_ttl_sec=20,
    active_game_ttl_sec=20,
    reveal_duration_ms=50,
    ai_pair_timeout_sec=2,
    turn_limit_sec=2,
    reconnect_timeout_sec=6,
    powerup_clairvoyance_reveal_ms=100,
    challenge_ttl_sec=10,
    connect_five_clock_scale=0.05,
    quarto_reconnect_sec=6,
    quarto_room_ttl_sec=20,
    quarto_final_call_sec=3,
    max_latency_ms=10**9,
)
"""As served, but impatient: all that may be waited for takes less than half a minute."""

KEPT_MS = 20_000
"""How long a game that says nothing of it is kept when nobody uses it."""

SIGHTING_MS = 1_250
"""A quarter of the shortest silence that decides anything."""

LONGEST_S = 30.0
"""… so after this nothing is waited for any more."""

PATIENCE_S = 4.0
"""How long anyone waits for an answer of a process that may be dead."""

THOUGHTS = 40
"""How often a bot may ask for the time before it is told that there is none left."""

SEARCHED_PERCENT = 20
"""Of so many moves a bot thinks."""


class NoAnswer(Exception):
    """The process died, or might as well have."""


class BelievedTokens(Tokens):
    """Whoever says a name has it. What makes a token good is tested elsewhere."""

    async def start(self) -> None:
        pass

    async def verify(self, token: str) -> Claims:
        return Claims(subject=f"sim:{token}", issuer="sim", name=token)


async def think_here(job: Job) -> Any:
    """In a bounded number of thoughts rather than in a bounded time, so that it can be repeated.

    Mostly without any: how well bots play is tested elsewhere.
    """
    dice = Dice(job.seed, job.version, b"choose")
    if not dice.chance(SEARCHED_PERCENT):
        return job.at_once()
    thoughts = iter(range(THOUGHTS, 0, -1))
    bot = bots(job.game)[job.bot]
    return bot.choose(
        job.mind, job.view, job.legal, dice, lambda: float(next(thoughts, 0) > 0) or -1.0
    )


def policy_of(game: str, rules: AnyRules) -> Policy:
    """How the game is served; plainly, if it does not say."""
    module = f"parlour.games.{game}.policy"
    if find_spec(f"parlour.games.{game}") and find_spec(module):
        policy: Policy = import_module(module).policy(SETTINGS)
        return policy
    return Policy(
        options=rules.options_type(),
        waiting_ttl_ms=KEPT_MS,
        active_ttl_ms=KEPT_MS,
    )


class Process(Scheduled):
    """From its start to its end, in order or not."""

    def __init__(self, world: World, number: int) -> None:
        super().__init__()
        self.world = world
        self.number = number
        self.loop = asyncio.get_running_loop()
        self.context = copy_context()
        self.context.run(OWNER.set, self)
        self.lines: dict[Line, None] = {}
        self._asked: dict[asyncio.Future[Any], float] = {}
        self.ready = False
        self.store: Store = world.new_store(self)
        self.bus: Bus = world.new_bus()
        self.kernel: Kernel
        self.services: Services
        self._sockets: dict[str, Any] = {}
        self._routes: dict[str, Any] = {}
        """The handlers' own functions, by path, and by verb and path."""

    # --- its life ---------------------------------------------------------------------------

    @property
    def alive(self) -> bool:
        return self.state != "dead"

    async def start(self) -> None:
        """As the wiring does it; a store that fails meanwhile ends the process."""
        try:
            await self.ask(self._start())
        except NoAnswer:
            pass
        except Exception:  # noqa: BLE001 (whatever it is, a service manager starts another one)
            self.die()

    async def _start(self) -> None:
        await self.store.start()
        await self.bus.start()
        self.services = self._assemble()
        for path, handler in _handlers(surfaces(self.services)):
            if isinstance(handler, ASGIRouteHandler):
                self._sockets[path] = handler.fn
            elif isinstance(handler, HTTPRouteHandler):
                self._routes.update({f"{verb} {path}": handler.fn for verb in handler.http_methods})
        await self.kernel.start()
        self.ready = True

    def _assemble(self) -> Services:
        world = self.world
        clock = world.clock
        self.kernel = Kernel(
            self.store,
            self.bus,
            world.rules,
            world.policies,
            think_here,
            clock=clock,
            entropy=world.random.randbytes,
            analytics=world.plan.analytics,
            sighting_ms=SIGHTING_MS,
        )
        tokens = BelievedTokens(SETTINGS, self.store)
        metrics = Metrics(SETTINGS.max_latency_ms)
        users = Users(
            self.store,
            tokens,
            welcome=lambda user: opening(user.id, SETTINGS.starting_balance, user.created_at),
            clock=clock,
            below=world.random.randrange,
        )
        return Services(
            settings=SETTINGS,
            store=self.store,
            clock=Timekeeper(self.store.time, local=clock),
            bus=self.bus,
            kernel=self.kernel,
            thinkers=Thinkers(),
            tokens=tokens,
            users=users,
            recovery=Recovery(self.store, tokens, users, clock=clock, below=world.random.randrange),
            metrics=metrics,
            limits=Limits(SETTINGS, self.bus, metrics),
        )

    def die(self) -> None:
        """Between two instructions, without a word to anyone."""
        if not self.alive:
            return
        self.state = "dead"
        self.world.died(self)
        for line in tuple(self.lines):
            delay = self.world.random.choice((0.0, 0.1, 3.0))
            self.loop.call_later(delay, line.break_off, 1006, context=self.world.context)
        for asked in tuple(self._asked):
            self._fail(asked)

    def stand_still(self, seconds: float) -> None:
        """As under SIGSTOP; whoever waits for an answer may give up before it goes on."""
        if self.state != "running":
            return
        self.state = "stopped"
        self.world.tally["stall"] += 1
        later = self.world.loop_call_later
        for asked in tuple(self._asked):
            later(PATIENCE_S, self._fail, asked)
        later(seconds, self.go_on)

    def go_on(self) -> None:
        """As under SIGCONT."""
        if self.state == "stopped":
            assert isinstance(self.loop, FakeTimeLoop)
            self.loop.go_on(self)

    async def stop(self) -> None:
        """In order, as under SIGTERM."""
        self.ready = False
        try:
            await self.ask(self.kernel.stop())
            await self.ask(self.bus.close())
        finally:
            self.die()

    # --- how it is reached ------------------------------------------------------------------

    async def ask(self, work: Coroutine[Any, Any, T]) -> T:
        """What the process answers, if it does."""
        answer: asyncio.Future[T] = self.loop.create_future()
        if self.state == "dead":
            work.close()
            raise NoAnswer
        if self.state == "stopped":
            self.world.loop_call_later(PATIENCE_S, self._fail, answer)
        self._asked[answer] = self.loop.time()
        task = self.loop.create_task(work, context=self.context.copy())
        task.add_done_callback(lambda done: self._answer(answer, done), context=self.world.context)
        return await answer

    def _answer(self, answer: asyncio.Future[Any], done: asyncio.Task[Any]) -> None:
        self._asked.pop(answer, None)
        error = None if done.cancelled() else done.exception()
        if answer.done() or done.cancelled():
            return
        if error is None:
            answer.set_result(done.result())
        else:
            answer.set_exception(error)

    def _fail(self, answer: asyncio.Future[Any]) -> None:
        self._asked.pop(answer, None)
        if not answer.done():
            answer.set_exception(NoAnswer())

    def unanswered(self, for_s: float) -> int:
        """How many have been waiting for an answer that long."""
        since = self.loop.time() - for_s
        return sum(asked_at < since for asked_at in self._asked.values())

    async def sign_in(self, token: str) -> UserRow:
        """Who that is; a new user on first sight."""
        return await self.ask(self.services.user_of(token, None))

    async def request(self, route: str, user: UserRow, **parts: Any) -> Any:
        """What a route answers to somebody who has signed in: `"GET /api/wallet"`."""
        verb, _, path = route.partition(" ")
        return await self.ask(self._routes[route](_request(user, verb, path), **parts))

    def connect(self, path: str, **params: str) -> Line:
        """Open a socket."""
        line = Line(self, self.world.random.choice((0.0, 0.001, 0.03)), self.world.context)
        self.lines[line] = None
        scope = {"headers": [], "state": {KEY: line}, "path_params": params}
        if self.state == "dead":
            line.break_off(1006)
        else:
            serving = self._sockets[path](scope, _receive, _send)
            self.loop.create_task(serving, context=self.context.copy())
        return line


def _request(user: UserRow, verb: str, path: str) -> Request[Any, Any, Any]:
    """From somebody who has signed in."""
    scope: Any = {
        "type": "http",
        "method": verb,
        "scheme": "http",
        "server": ("sim", 80),
        "path": path,
        "query_string": b"",
        "headers": [],
        "user": user,
    }
    return Request(scope)


async def _receive() -> dict[str, str]:
    return {"type": "websocket.connect"}


async def _send(message: Any) -> None:
    """The handshake's answer."""


def _handlers(routes: Sequence[Any]) -> Iterator[tuple[str, BaseRouteHandler]]:
    for route in routes:
        if isinstance(route, Router):
            for each in route.routes:
                for handler in each.route_handlers:  # type: ignore[union-attr]  # no ASGI in routers
                    yield each.path, handler
        else:
            for path in route.paths:
                yield path, route
