"""Quarto's surface: everything happens over one socket per player, at the address of a room."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec
from litestar.types import ControllerRouterHandler

from parlour.games.api import Refused
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
from parlour.games.quarto.room import Guest, Room
from parlour.games.quarto.rules import Call, Leave, Place, Select
from parlour.net.limits import RateLimited
from parlour.net.services import Services
from parlour.net.sockets import Session, socket
from parlour.people.tokens import BadToken
from parlour.play.play import Gone
from parlour.store.change import StoreError

MESSAGES = {"Said": Said, "Heard": Heard}
"""What is said and heard on the socket."""
PATHS = ("/party/{room_id:str}", "/parties/main/{room_id:str}")
"""The document's address, and the one that the client library `partysocket` uses by itself."""

PONG = frame(Pong())
ROOM_ID = re.compile(r"[A-Z0-9]{6}")


def routes(services: Services) -> Sequence[ControllerRouterHandler]:
    """One socket, at two addresses."""
    rooms: dict[str, Room] = {}

    async def handle(session: Session) -> None:
        code = session.path["room_id"]
        if ROOM_ID.fullmatch(code) is None:
            session.send(frame(error("ROOM_NOT_FOUND")))
            return
        room = rooms.get(code) or rooms.setdefault(code, Room(services, code))
        guest = Guest(session)
        room.enter(guest)
        try:
            async for message in session:
                await answer(services, room, guest, message)
        finally:
            await room.leave(guest)
            if room.deserted and rooms.get(code) is room:
                del rooms[code]

    return [socket(PATHS, handle, services, limited)]


async def answer(services: Services, room: Room, guest: Guest, message: str | bytes) -> None:
    """Do what a client asks; whatever is wrong with it is told to that client alone."""
    try:
        said = SAID.decode(message if isinstance(message, str) else b"")
        await _do(services, room, guest, said)
    except (msgspec.DecodeError, RecursionError):
        guest.session.refuse(frame(error("INVALID_MESSAGE")))
    except Refused as refusal:
        code = "GAME_ENDED" if refusal.code == "NOT_ACTIVE" else refusal.code
        guest.session.refuse(frame(error(code, refusal.detail)))
    except RateLimited as refusal:
        guest.session.hear_limited(refusal)
    except Gone:
        guest.session.refuse(frame(error("ROOM_NOT_FOUND")))
    except StoreError:
        guest.session.refuse(frame(error("UNAVAILABLE")))


async def _do(services: Services, room: Room, guest: Guest, said: Said) -> None:
    match said:
        case SelectPiece(piece_id):
            await room.act(guest, Select(piece_id))
        case PlacePiece(position):
            await room.act(guest, Place(position))
        case CallQuarto():
            await room.act(guest, Call())
        case LeaveRoom():
            await room.act(guest, Leave())
        case CreateRoom():
            await room.create(guest, said)
        case JoinRoom(name):
            await room.join(guest, name)
        case Reconnect(player_id):
            await room.reconnect(guest, player_id)
        case Rematch():
            await room.rematch(guest)
        case Watch():
            await room.watch(guest)
        case Ping():
            guest.session.send(PONG)
        case Auth(token):
            await _sign_in(services, guest, token)


async def _sign_in(services: Services, guest: Guest, token: str) -> None:
    try:
        guest.user = await services.user_of(token, guest.session.who.address)
        guest.session.count_for(guest.user)
    except BadToken:
        raise Refused("UNAUTHORIZED") from None
