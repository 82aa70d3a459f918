"""Quarto's surface: everything happens over one socket per player, at the address of a room."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from litestar.types import ControllerRouterHandler

from parlour.games.api import Millis, Refused
from parlour.games.quarto.messages import (
    SAID,
    Auth,
    CallQuarto,
    CreateRoom,
    Heard,
    JoinRoom,
    LeaveRoom,
    Ping,
    PlacePiece,
    Pong,
    Reconnect,
    Rematch,
    Said,
    SelectPiece,
    Watch,
    error,
    frame,
    limited,
)
from parlour.games.quarto.room import Guest, Rooms
from parlour.games.quarto.rules import Call, Leave, Place, Select
from parlour.games.quarto.voice import RoomVoice
from parlour.net.failures import FAILURES, failure_of
from parlour.net.limits import RateLimited
from parlour.net.services import Services
from parlour.net.sockets import Session, socket

MESSAGES = {"Said": Said, "Heard": Heard}
"""What is said and heard on the socket."""
PATHS = ("/party/{room_id:str}", "/parties/main/{room_id:str}")
"""The document's address, and the one that the client library `partysocket` uses by itself."""

PONG = frame(Pong())
ROOM_ID = re.compile(r"[A-Z0-9]{6}")


def voices(clock: Callable[[], Millis]) -> tuple[RoomVoice, RoomVoice]:
    """How a match is told of to who looks on or plays, and to who asked for more."""
    return RoomVoice(clock, attentive=False), RoomVoice(clock, attentive=True)


def routes(services: Services) -> Sequence[ControllerRouterHandler]:
    """One socket, at two addresses."""
    rooms = Rooms(services, *voices(services.kernel.runtime.clock))

    async def handle(session: Session) -> None:
        code = session.path["room_id"]
        if ROOM_ID.fullmatch(code) is None:
            session.send(frame(error("ROOM_NOT_FOUND")))
            return
        guest = Guest(rooms, rooms.enter(code), session)
        try:
            await guest.enter()
            async for message in session:
                await answer(services, guest, message)
        finally:
            await guest.leave()

    return [socket(PATHS, handle, services, limited)]


CODES: Final[Mapping[str, str]] = {
    "NOT_ACTIVE": "GAME_ENDED",
    "NO_SUCH_TABLE": "ROOM_NOT_FOUND",
    "CONFLICT": "UNAVAILABLE",
    "BAD_TOKEN": "UNAUTHORIZED",
}
"""What the document calls what the host refuses with."""


async def answer(services: Services, guest: Guest, message: str | bytes) -> None:
    """Do what a client asks; whatever is wrong with it is told to that client alone."""
    try:
        said = SAID.decode(message if isinstance(message, str) else b"")
        await _do(services, guest, said)
    except FAILURES as refusal:
        failure = failure_of(refusal)
        code = CODES.get(failure.code, failure.code)
        words = failure.words if isinstance(refusal, Refused | RateLimited) else ""
        guest.session.refuse(frame(error(code, words)))


async def _do(services: Services, guest: Guest, said: Said) -> None:
    match said:
        case SelectPiece(piece_id):
            await guest.act(Select(piece_id))
        case PlacePiece(position):
            await guest.act(Place(position))
        case CallQuarto():
            await guest.act(Call())
        case LeaveRoom():
            await guest.act(Leave())
        case CreateRoom():
            await guest.create(said)
        case JoinRoom(name):
            await guest.join(name)
        case Reconnect(player_id):
            await guest.reconnect(player_id)
        case Rematch():
            await guest.rematch()
        case Watch():
            await guest.watch()
        case Ping():
            guest.session.send(PONG)
        case Auth(token):
            guest.user = await services.user_of(token, guest.session.who.address)
            guest.session.count_for(guest.user)
