"""The real server on a real port, in a thread with its own event loop; no part of it is faked."""

from __future__ import annotations

import asyncio
import socket
import threading
import time
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

import httpx
from litestar.types import ControllerRouterHandler
from msgspec.structs import replace

from parlour.app import application, assemble, surfaces
from parlour.net.http import HttpLimits
from parlour.net.server import PING_EVERY_SEC, Server, server
from parlour.net.services import Services
from parlour.play.clock import Clock, wall_clock
from parlour.settings import Settings
from tests.servers import plain

T = TypeVar("T")
Routes = Callable[[Services], Sequence[ControllerRouterHandler]]


class Served:
    """A running server."""

    def __init__(self, services: Services, running: Server, port: int) -> None:
        self.services = services
        self.server = running
        self.port = port
        self.loop: asyncio.AbstractEventLoop | None = None
        self.url = f"http://127.0.0.1:{port}"
        self.ws = f"ws://127.0.0.1:{port}"

    def ask(self, method: str, path: str, **more: Any) -> httpx.Response:
        """One request over a connection of its own."""
        return plain.request(method, self.url + path, timeout=10, **more)

    def guest(self, username: str | None = None) -> tuple[str, dict[str, Any]]:
        """A new guest's token and what it is told about itself."""
        body = {} if username is None else {"username": username}
        answer = self.ask("POST", "/api/auth/guest", json=body)
        assert answer.status_code == 201, answer.text
        welcome = answer.json()
        return welcome["token"], welcome["user"]

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Does something inside the server's own event loop."""
        assert self.loop is not None
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(10)

    def stop(self) -> None:
        """As a signal would, without waiting."""
        self.server.should_exit = True


@contextmanager
def serving(
    settings: Settings | None = None,
    more: Routes = lambda _: (),
    *,
    alter: Callable[[Services], None] = lambda _: None,
    local: Clock = wall_clock,
    ping_every_sec: float = PING_EVERY_SEC,
    rate_limits: bool = False,
    prepared: bool = False,
    limits: HttpLimits = HttpLimits(),  # noqa: B008 - frozen
) -> Iterator[Served]:
    """Serves those settings, on a store that keeps nothing unless they say otherwise.

    `more` are routes beside the usual ones; `alter` may exchange parts before they are started;
    `local` is the clock of the machine. All tests come from one address, so there are rate limits
    only where they are asked for. So it is with bots that are compiled: that takes seconds in each
    of a server's workers, and changes only how far ahead they see.
    """
    settings = replace(settings or Settings(database_url="sqlite://"), rate_limits=rate_limits)
    services = assemble(settings, local=local)
    if not prepared:
        services.thinkers._prepare = None
    alter(services)
    app = application(services, [*surfaces(services), *more(services)])
    listening = socket.create_server(("127.0.0.1", 0))
    port = listening.getsockname()[1]
    running = server(app, settings, services.metrics, limits=limits, ping_every_sec=ping_every_sec)
    served = Served(services, running, port)
    ended: list[BaseException] = []

    async def serve() -> None:
        served.loop = asyncio.get_running_loop()
        await running.serve(sockets=[listening])

    def run() -> None:
        try:
            with asyncio.Runner(loop_factory=running.config.get_loop_factory()) as runner:
                runner.run(serve())
        except BaseException as error:  # noqa: BLE001 - told to the test below
            ended.append(error)

    thread = threading.Thread(target=run, name="parlour", daemon=True)
    thread.start()
    try:
        while not running.started:
            time.sleep(0.005)
            if not thread.is_alive():
                raise RuntimeError("the server did not start") from ended[0]
        yield served
    finally:
        served.stop()
        thread.join(30)
        listening.close()
    if ended:
        raise RuntimeError("the server did not end well") from ended[0]
    assert not thread.is_alive(), "the server does not stop"
