"""Clients of `/ws/play` on a real server."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from parlour.settings import Settings
from tests.servers.parlour import Served, serving

PATIENCE_S = 20

Message = dict[str, Any]


class Client:
    """A socket, and who is behind it."""

    def __init__(self, line: ClientConnection, token: str | None, user: Message) -> None:
        self.line = line
        self.token = token
        self.user = user
        self._refs = 0

    async def say(self, kind: str, **fields: Any) -> None:
        await self.line.send(json.dumps({"type": kind, **fields}))

    async def hear(self) -> Message:
        """Whatever comes next."""
        said = await asyncio.wait_for(self.line.recv(), PATIENCE_S)
        message: Message = json.loads(said)
        return message

    async def hears(self, kind: str) -> Message:
        """The next message of that kind, past others; not past an error."""
        while True:
            message = await self.hear()
            if message["type"] == kind:
                return message
            assert message["type"] != "error", message

    async def asks(self, kind: str, **fields: Any) -> Message:
        """Says something and gets the answer to it, whatever else is told before."""
        self._refs += 1
        await self.say(kind, ref=self._refs, **fields)
        while (message := await self.hear()).get("ref") != self._refs:
            pass
        return message

    async def refused(self, kind: str, **fields: Any) -> str:
        """That is answered by an error; its code."""
        message = await self.asks(kind, **fields)
        assert message["type"] == "error", message
        assert message["message"]
        return str(message["code"])

    async def hears_nothing(self) -> None:
        """Nothing has been sent that was not heard."""
        await self.say("ping")
        message = await self.hear()
        assert message["type"] == "pong", message

    async def hang_up(self) -> None:
        await self.line.close()

    async def closed(self) -> int | None:
        try:
            while True:
                await asyncio.wait_for(self.line.recv(), PATIENCE_S)
        except ConnectionClosed:
            return self.line.close_code


Enter = Callable[..., Awaitable[Client]]


@pytest.fixture(scope="module")
def house() -> Iterator[Served]:
    settings = Settings.given(
        database_url="sqlite://", ai_pair_timeout_sec=10_000, reveal_duration_ms=0
    )
    with serving(settings) as served:
        yield served


@pytest.fixture
async def enter(house: Served) -> AsyncIterator[Enter]:
    """Lets somebody in: a new guest, whoever `token` says, or with None nobody in particular."""
    async with AsyncExitStack() as stack:

        async def come(token: str | None = "", user: Message | None = None) -> Client:
            line = await stack.enter_async_context(connect(house.ws + "/ws/play", compression=None))
            if token == "":
                token, user = await asyncio.to_thread(house.guest)
            client = Client(line, token, user or {})
            if token is not None:
                welcome = await client.asks("auth", token=token)
                assert welcome["type"] == "welcome"
            return client

        yield come
