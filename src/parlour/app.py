"""The only wiring: settings, store, bus, play, games and routes become one ASGI application."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType

import structlog
from litestar import Litestar
from litestar.config.cors import CORSConfig
from litestar.datastructures import State
from litestar.types import ControllerRouterHandler

from parlour.bus import open_bus
from parlour.events.relay import Relay, trim
from parlour.games.registry import all_rules, prepare_bots
from parlour.host import afterwards
from parlour.host import rest as play_questions
from parlour.host import routes as play_socket
from parlour.money.wallets import adopt, opening
from parlour.net import basics, directory, lobby, notices, records, wallet
from parlour.net.api import Api, NoEvents
from parlour.net.bodies import StrictRequest
from parlour.net.front import LARGEST_BODY, Front
from parlour.net.handler import HANDLERS
from parlour.net.limits import Limits
from parlour.net.metrics import Metrics
from parlour.net.pages import Pages, built_app
from parlour.net.reference import openapi
from parlour.net.server import Server, server
from parlour.net.services import Services
from parlour.net.surface import Mounts
from parlour.net.thinking import Thinking
from parlour.people.recovery import Recovery
from parlour.people.tokens import Tokens
from parlour.people.users import Users
from parlour.play.clock import Clock
from parlour.play.kernel import Kernel
from parlour.play.policy import Policy, hosted, shortest_silence
from parlour.play.presence import SIGHTING_MS
from parlour.play.thinkers import Thinkers
from parlour.settings import Settings
from parlour.store.api import open_store
from parlour.store.change import UserRow, Write
from parlour.store.sqlite.lock import serving
from parlour.timekeeping import Timekeeper, wall_clock

log = structlog.get_logger()


def create_server(settings: Settings) -> Server:
    """The whole server; it opens its database when it runs, not before."""
    services = assemble(settings)
    return server(application(services, surfaces(services)), settings, services.metrics)


def assemble(settings: Settings, *, local: Clock = wall_clock) -> Services:
    """The parts, not yet started, on a machine whose clock is `local`."""
    store = open_store(settings.database_url, shared=settings.redis_url is not None)
    clock = Timekeeper(store.time, local=local)
    bus = open_bus(settings.redis_url, settings.database_url)
    tokens = Tokens(settings, store, clock=clock)
    thinkers = Thinkers(settings.thinkers, prepare=prepare_bots)
    metrics = Metrics(settings.max_latency_ms)
    policies = {key: _policy(key, settings) for key in all_rules()}
    silence_ms = shortest_silence(policies.values())
    metrics.count(
        "parlour_overlong_reads",
        "Reads that took too long for where they ran.",
        lambda: store.overlong_reads,
    )
    metrics.registry.register(Thinking(thinkers))
    metrics.clock_offset.set_function(lambda: clock.offset_ms / 1000)
    users = Users(store, tokens, welcome=partial(_purse, settings), clock=clock)
    services = Services(
        settings=settings,
        store=store,
        clock=clock,
        bus=bus,
        kernel=Kernel(
            store,
            bus,
            all_rules(),
            policies,
            thinkers,
            thinkers.ask,
            clock=clock.now,
            analytics=settings.kafka_bootstrap_servers is not None,
            # What is known of a player may be a little old, measured by what depends on it.
            sighting_ms=SIGHTING_MS if silence_ms is None else min(SIGHTING_MS, silence_ms // 10),
        ),
        thinkers=thinkers,
        tokens=tokens,
        users=users,
        recovery=Recovery(store, tokens, users, clock=clock),
        metrics=metrics,
        limits=Limits(settings, bus, metrics),
    )
    metrics.count(
        "parlour_outdated_matches",
        "Open matches of older rules that were called off.",
        lambda: services.kernel.keeper.outdated.ended,
    )
    metrics.count(
        "parlour_analyses",
        "Finished games analysed here.",
        lambda: services.kernel.analyses.made,
    )
    for worklist in services.kernel.keeper.worklists:
        count = partial(getattr, worklist, "set_aside")
        services.metrics.set_aside.labels(worklist.what).set_function(count)
    return services


def surfaces(services: Services) -> list[ControllerRouterHandler]:
    """The routes of every game that has a surface, and those of none."""
    served = services.kernel.runtime.rules.keys() & all_rules().keys()
    wires = filter(None, (_module(key, "wire") for key in sorted(served)))
    general = (basics, directory, lobby, notices, records, wallet)
    shared = (*general, play_questions, play_socket, afterwards)
    return [route for each in (*shared, *wires) for route in each.routes(services)]


def application(services: Services, routes: Sequence[ControllerRouterHandler]) -> Front:
    """Those routes on those services, as one ASGI application."""
    return Front(api(services, routes), Pages(built_app()), services)


def api(services: Services, routes: Sequence[ControllerRouterHandler]) -> Litestar:
    """The routes alone, without what stands before them."""
    origins = services.settings.allowed_origins
    return Api(
        routes,
        lifespan=[lambda _: _running(services)],
        state=State({"services": services, "mounts": Mounts(routes)}),
        exception_handlers=HANDLERS,
        request_class=StrictRequest,
        request_max_body_size=LARGEST_BODY,
        openapi_config=openapi(),
        event_emitter_backend=NoEvents,
        cors_config=CORSConfig(allow_origins=list(origins)) if origins else None,
        logging_config=None,
    )


@asynccontextmanager
async def _running(services: Services) -> AsyncIterator[None]:
    """Starts the parts in order, and stops them the other way round."""
    async with AsyncExitStack() as stack:
        try:
            await _start(services, stack)
        except Exception as error:
            log.error("cannot start", problem=f"{type(error).__name__}: {error}")  # noqa: TRY400 - the text says it all
            raise
        yield


async def _start(services: Services, stack: AsyncExitStack) -> None:
    stack.enter_context(serving(services.settings.database_url, alone=services.bus.alone))
    await services.store.start()
    stack.push_async_callback(services.store.close)
    await services.clock.start()
    stack.push_async_callback(services.clock.close)
    await adopt(services.store, services.settings.default_currency_ticker)
    await services.bus.start()
    stack.push_async_callback(services.bus.close)
    services.limits.start()
    stack.callback(services.limits.close)
    await services.tokens.start()
    stack.push_async_callback(services.tokens.close)
    stack.push_async_callback(services.thinkers.close)
    await services.kernel.start()
    stack.push_async_callback(services.kernel.stop)
    if relay := _relay(services):
        await relay.start()
        stack.push_async_callback(relay.close)
    else:
        await trim(services.store)


def _relay(services: Services) -> Relay | None:
    """What publishes the analytics events, woken by every step; None without Kafka."""
    settings = services.settings
    if settings.kafka_bootstrap_servers is None:
        return None
    # Only who uses Kafka needs its client installed.
    from parlour.events.kafka import Kafka  # noqa: PLC0415 (only with the extra)

    kernel = services.kernel
    sink = Kafka(settings.kafka_bootstrap_servers, settings.kafka_topic)
    relay = Relay(services.store, services.bus, sink, kernel.runtime.clock)
    for game in all_rules():
        kernel.steps.subscribe(game, lambda _: relay.wake())
    return relay


def _policy(key: str, settings: Settings) -> Policy:
    module = _module(key, "policy")
    if module is None:
        return hosted(all_rules()[key].options_type())
    policy: Policy = module.policy(settings)
    return policy


def _module(key: str, name: str) -> ModuleType | None:
    full = f"parlour.games.{key}.{name}"
    return import_module(full) if find_spec(full) else None


def _purse(settings: Settings, user: UserRow) -> tuple[Write, ...]:
    currency = settings.default_currency_ticker
    return opening(user.id, settings.starting_balance, user.created_at, currency)
