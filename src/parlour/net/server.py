"""The uvicorn server as Parlour runs it: our own sockets, and a stop that loses nothing.

On SIGTERM or SIGINT it stops listening, lets requests and messages in hand finish, tells sockets to
reconnect (1012) and then closes the application. A second signal does not wait.
"""

from __future__ import annotations

import asyncio
import logging
import signal
import socket
import threading
from asyncio import AbstractEventLoop
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

import structlog
import uvicorn
from uvicorn.config import Config
from uvicorn.server import Server as UvicornServer

from parlour.microtasks import Microtasks
from parlour.net.acceptor import Acceptor
from parlour.net.addresses import TrustedProxies
from parlour.net.admission import Admission, Slot, most_connections
from parlour.net.front import Front
from parlour.net.http import HttpConnection, HttpLimits
from parlour.net.line import Line, Lines
from parlour.net.metrics import Metrics
from parlour.net.refusals import Refusals
from parlour.net.short import Short
from parlour.net.surface import Mounts
from parlour.settings import Settings

PING_EVERY_SEC = 20.0
"""A socket that is silent for two of these is dropped."""
STOP_WITHIN_SEC = 10

log = structlog.get_logger()

# Its lifespan asks the package for it, which would load the command line with it (`serving.LATE`).
vars(uvicorn).setdefault("Config", Config)


class Server(UvicornServer):
    """A server that ends with status 0 when it is told to stop."""

    def __init__(
        self,
        config: Config,
        admission: Admission,
        limits: HttpLimits,
        refusals: Refusals,
        mounts: Mounts,
        short: Short,
        microtasks: Microtasks,
        ping_every_sec: float,
    ) -> None:
        super().__init__(config)
        self._microtasks = microtasks
        self._ping_every_sec = ping_every_sec
        self._mounts = mounts
        self._short = short
        self._admission = admission
        self._limits = limits
        self._refusals = refusals
        self._acceptors: list[Acceptor] = []

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        # Why the application does not start is told by itself, without a traceback.
        chatter = logging.getLogger("uvicorn.error")
        chatter.disabled = True
        try:
            # uvicorn starts the application and listens nowhere: connections come through us.
            await super().startup([])
        finally:
            chatter.disabled = False
        state = self.server_state
        loop = asyncio.get_running_loop()
        lines = Lines(loop, state.connections, state.tasks, self._microtasks, self._ping_every_sec)
        for listening in sockets or ():
            connection = partial(self._connection, loop, lines)
            self._acceptors.append(Acceptor(listening, connection, self._admission, self._refusals))
            host, port = listening.getsockname()[:2]
            shown = f"[{host}]" if ":" in host else host
            log.info("listening", url=f"http://{shown}:{port}")

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        for acceptor in self._acceptors:
            await acceptor.close()
        await super().shutdown(sockets)

    def _connection(self, loop: AbstractEventLoop, lines: Lines, slot: Slot) -> HttpConnection:
        return HttpConnection(
            self.config,
            self.server_state,
            self.lifespan.state,
            loop,
            slot=slot,
            lines=lines,
            limits=self._limits,
            refusals=self._refusals,
            mounts=self._mounts,
            short=self._short,
        )

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        told = (signal.SIGINT, signal.SIGTERM)
        before = {each: signal.signal(each, self.handle_exit) for each in told}
        try:
            yield
        finally:
            for each, handler in before.items():
                signal.signal(each, handler)

    def handle_exit(self, sig: int, frame: object) -> None:
        del sig, frame
        self.force_exit = self.should_exit
        self.should_exit = True


def listen(host: str, port: int) -> socket.socket:
    """Takes the port, or raises `OSError`."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    return socket.create_server((host, port), family=family)


def server(
    app: Front,
    settings: Settings,
    metrics: Metrics,
    *,
    limits: HttpLimits = HttpLimits(),  # noqa: B008 - frozen
    ping_every_sec: float = PING_EVERY_SEC,
) -> Server:
    """A server for that application; `run` it on sockets that listen."""
    config = Config(
        app,
        ws=Line,  # made by `HttpConnection`; uvicorn only sees that there is one
        loop="uvloop",
        http="httptools",
        interface="asgi3",
        lifespan="on",
        access_log=False,
        log_config=None,
        server_header=False,
        timeout_graceful_shutdown=STOP_WITHIN_SEC,
        # Whose proxy headers to believe is the operator's choice: FORWARDED_ALLOW_IPS.
        proxy_headers=True,
    )
    admission = Admission(
        most_connections(settings.max_connections),
        settings.max_connections_per_address,
        TrustedProxies(config.forwarded_allow_ips),
        metrics.refusals,
    )
    short = app.short(config.forwarded_allow_ips)
    return Server(
        config,
        admission,
        limits,
        metrics.refusals,
        app.mounts,
        short,
        app.microtasks,
        ping_every_sec,
    )
