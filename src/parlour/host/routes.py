"""The host's own surface: the socket `/ws/play`."""

from __future__ import annotations

from collections.abc import Callable

from litestar.types import ControllerRouterHandler

from parlour.games.api import Millis
from parlour.host.host import Host
from parlour.host.messages import limited
from parlour.host.shown import PlayVoice
from parlour.host.visitor import Visitor
from parlour.net.services import Services
from parlour.net.session import Session
from parlour.net.sockets import socket

PATH = "/ws/play"


def voices(clock: Callable[[], Millis]) -> tuple[PlayVoice]:
    """How a match is told of on the socket."""
    return (PlayVoice(clock),)


def routes(services: Services) -> list[ControllerRouterHandler]:
    """The socket, on these services."""
    host = Host(services)
    (voice,) = voices(host.runtime.clock)
    host.kernel.analyses.subscribe(host.analysed)

    async def attend(session: Session) -> Visitor:
        visitor = Visitor(session, services, host, voice)
        token, session.token = session.token, None
        try:
            if token is not None:
                await visitor.greet(token)
        except BaseException:
            await visitor.ended()
            raise
        return visitor

    return [socket(PATH, attend, services, limited)]
