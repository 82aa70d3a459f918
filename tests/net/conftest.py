"""A server with a few routes that do nothing but show what the net does."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence

import pytest
from litestar import Response, get, post
from litestar.params import FromPath, FromQuery, JSONBody
from litestar.types import ControllerRouterHandler
from msgspec import Struct
from structlog.contextvars import bind_contextvars

from parlour.net.auth import BEARER, MaybeSignedIn, SignedIn, maybe_signed_in, signed_in
from parlour.net.errors import Problem
from parlour.net.services import Services
from parlour.net.session import Session
from parlour.net.sockets import socket
from parlour.store.change import Conflict, Unavailable
from tests.servers.parlour import Served, serving


class Move(Struct, frozen=True):
    column: int


async def echo(session: Session) -> None:
    """Says back what it hears; some words make it do other things."""
    async for message in session:
        if isinstance(message, bytes):
            session.send(b"binary: %d" % len(message))
        elif message == "break":
            bind_contextvars(match_id="the-match")
            raise RuntimeError("secret detail")
        elif message == "be away":
            raise Unavailable("the database is on holiday")
        elif message == "leave":
            session.close(4409, "as you wish")
        elif message.startswith("sleep "):
            session.send(b"sleeping")
            await asyncio.sleep(float(message.split()[1]))
            session.send(b"slept")
        elif message.startswith("pour "):
            for _ in range(int(message.split()[1])):
                session.send(b"x" * 1024)
        else:
            session.send(message.encode())


async def private(session: Session) -> None:
    user = await session.authenticate()
    session.send(f"hello {user.username}".encode())
    async for message in session:
        session.send(f"{session.path['room']}: {message!r}".encode())


def routes(services: Services) -> Sequence[ControllerRouterHandler]:
    @get("/api/test/whoami", guards=[signed_in], security=BEARER)
    async def whoami(request: SignedIn) -> dict[str, str]:
        return {"username": request.user.username}

    @get("/api/test/perhaps", guards=[maybe_signed_in])
    async def perhaps(request: MaybeSignedIn) -> dict[str, str | None]:
        return {"username": request.user.username if request.user else None}

    @post("/api/test/{game:str}/move", status_code=200)
    async def move(game: FromPath[str], data: JSONBody[Move]) -> dict[str, int]:
        return {game: data.column}

    @get("/api/test/page")
    async def page(limit: FromQuery[int] = 10) -> dict[str, int]:
        return {"limit": limit}

    @get("/api/test/refuse")
    async def refuse() -> None:
        raise Problem("HAS_ACTIVE_GAME", 409, beside={"status": "has_active_game", "gameId": "g"})

    @get("/api/test/break/{match_id:str}")
    async def fail(match_id: FromPath[str]) -> None:
        bind_contextvars(match_id=match_id)
        raise RuntimeError("secret detail")

    @get("/api/test/late")
    async def late() -> None:
        raise Conflict

    @get("/api/test/sleep/{seconds:float}")
    async def sleep(seconds: FromPath[float]) -> dict[str, float]:
        await asyncio.sleep(seconds)
        return {"slept": seconds}

    @get("/api/test/long")
    async def long() -> Response[bytes]:
        return Response(b"x" * 30_000_000, media_type="application/octet-stream")

    @get("/api/test/away")
    async def away() -> None:
        raise Unavailable("the database is on holiday")

    return [
        whoami,
        perhaps,
        move,
        page,
        refuse,
        fail,
        late,
        away,
        sleep,
        long,
        socket("/ws/test/echo", echo, services),
        socket("/ws/test/private/{room:str}", private, services),
    ]


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    """One server for all tests of a module."""
    with serving(more=routes) as running:
        yield running
