"""Quarto's surface: everything happens over one socket per player, at the address of a room."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from litestar.types import ControllerRouterHandler

from parlour.games.api import Millis
from parlour.games.quarto.commands import Commands
from parlour.games.quarto.messages import Heard, Said, error, frame, limited
from parlour.games.quarto.visitor import Visitor
from parlour.games.quarto.voice import RoomVoice
from parlour.net.services import Services
from parlour.net.session import Session
from parlour.net.sockets import socket

MESSAGES = {"Said": Said, "Heard": Heard}
"""What is said and heard on the socket."""
PATHS = ("/party/{room_id:str}", "/parties/main/{room_id:str}")
"""The document's address, and the one that the client library `partysocket` uses by itself."""

ROOM_ID = re.compile(r"[A-Z0-9]{6}")


def voices(clock: Callable[[], Millis]) -> tuple[RoomVoice, RoomVoice]:
    """How a match is told of to who looks on or plays, and to who asked for more."""
    return RoomVoice(clock, attentive=False), RoomVoice(clock, attentive=True)


def routes(services: Services) -> Sequence[ControllerRouterHandler]:
    """One socket, at two addresses."""
    commands = Commands(services, *voices(services.kernel.runtime.clock))

    async def handle(session: Session) -> None:
        code = session.path["room_id"]
        if ROOM_ID.fullmatch(code) is None:
            session.send(frame(error("ROOM_NOT_FOUND")))
            return
        visitor = Visitor(commands, code, session)
        try:
            await visitor.enter()
            async for message in session:
                await visitor.hear(message)
        finally:
            await visitor.end()

    return [socket(PATHS, handle, services, limited)]
