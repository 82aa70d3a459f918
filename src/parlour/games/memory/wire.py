"""Memory's public surface: the socket `/ws`. History and leaderboard are those of all games."""

from __future__ import annotations

from collections.abc import Callable

from litestar.types import ControllerRouterHandler
from websockets.frames import CloseCode

from parlour.games.api import Millis
from parlour.games.memory.messages import ClientMessage, Error, ServerMessage, frame, limited
from parlour.games.memory.problems import error, error_of
from parlour.games.memory.visitor import Visitor
from parlour.games.memory.voice import TableVoice
from parlour.host.host import Host
from parlour.net.failures import failure_of
from parlour.net.services import Services
from parlour.net.session import Session, Unauthorized
from parlour.net.sockets import socket
from parlour.store.change import Unavailable

PATH = "/ws"

MESSAGES = {"Said": ClientMessage, "Heard": ServerMessage}
"""What is said and heard on the socket."""


def voices(clock: Callable[[], Millis]) -> tuple[TableVoice]:
    """How a match is told of on the socket."""
    del clock
    return (TableVoice(),)


def routes(services: Services) -> list[ControllerRouterHandler]:
    """The socket, on these services."""
    host = Host(services)
    (voice,) = voices(host.runtime.clock)

    async def handle(session: Session) -> Visitor | None:
        try:
            await session.authenticate()
        except Unauthorized as refusal:
            if services.tokens.configured:
                session.send(frame(Error(f"Sign in first: {refusal}.", "UNAUTHORIZED")))
            else:
                session.send(frame(error("AUTH_NOT_CONFIGURED")))
            raise
        except Unavailable as unavailable:
            session.send(frame(error_of(failure_of(unavailable))))
            session.close(CloseCode.TRY_AGAIN_LATER)
            return None
        return Visitor(session, services, host, voice)

    return [socket(PATH, handle, services, limited)]
