"""The framework reads a handler when it is first asked for, and then as it always would."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from litestar import get, post, websocket
from litestar.exceptions import ImproperlyConfiguredException
from litestar.params import FromPath, JSONBody
from litestar.routes import HTTPRoute
from litestar.testing import AsyncTestClient

from parlour.net.api import Api, Handlers, NoEvents
from parlour.net.reference import openapi


@get("/twice/{number:int}")
async def twice(number: FromPath[int]) -> int:
    """Twice a number."""
    return 2 * number


@post("/twice/{number:int}")
async def doubled(number: FromPath[int], data: JSONBody[dict[str, int]]) -> dict[str, int]:
    """All of them twice."""
    return {name: number * each for name, each in data.items()}


@get("/unclear")
async def unclear(nothing: Any):  # type: ignore[no-untyped-def] # what it is about
    """It does not say what it answers."""


def served(*handlers: Any) -> Api:
    return Api(
        handlers, openapi_config=openapi(), event_emitter_backend=NoEvents, logging_config=None
    )


def read(app: Api) -> set[str]:
    """The methods whose handlers were."""
    tables = [route.route_handler_map for route in app.routes if isinstance(route, HTTPRoute)]
    assert all(isinstance(table, Handlers) for table in tables)
    return {method for table in tables for method, found in table.items() if all(found)}


async def test_a_handler_is_read_when_it_is_asked_for() -> None:
    app = served(twice, doubled)
    assert read(app) == set()
    async with AsyncTestClient(app) as client:
        assert (await client.get("/twice/21")).json() == 42
        assert read(app) == {"GET"}
        assert (await client.get("/twice/many")).status_code == 404
        answer = await client.post("/twice/3", json={"a": 1, "b": 2})
        assert (answer.status_code, answer.json()) == (201, {"a": 3, "b": 6})
        assert read(app) == {"GET", "POST"}
        assert (await client.options("/twice/3")).status_code == 204
        assert read(app) == {"GET", "POST", "OPTIONS"}
        assert (await client.delete("/twice/3")).status_code == 405


async def test_all_are_read_for_the_document() -> None:
    app = served(twice, doubled)
    described = (await asyncio.to_thread(lambda: app.openapi_schema)).to_schema()
    assert set(described["paths"]["/twice/{number}"]) == {"get", "post"}
    assert read(app) == {"GET", "POST", "OPTIONS"}
    with pytest.raises(ImproperlyConfiguredException, match="type annotated"):
        _ = served(unclear).openapi_schema


def test_what_could_never_be_asked_for_is_refused_at_once() -> None:
    @websocket("/socket")
    async def socket(socket: Any) -> None:
        """Sockets are ours to open."""

    with pytest.raises(ImproperlyConfiguredException, match="ASGI"):
        served(socket)
