"""How refusals look is said by the router that mounts a surface, in and beside its routes."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from litestar import Router, get, post
from litestar.params import FromPath, FromQuery, JSONBody
from litestar.types import ControllerRouterHandler
from msgspec import Struct

from parlour.games.api import Refused
from parlour.net.auth import signed_in
from parlour.net.drf import DRF
from parlour.net.front import LARGEST_BODY
from parlour.net.services import Services
from parlour.net.surface import Surface
from parlour.people.users import NameRefused, UnknownUser
from parlour.play.match import Gone
from parlour.play.queue import AlreadyQueued
from parlour.store.change import Conflict, Unavailable
from tests.net.raw import dial, rest
from tests.servers.parlour import Served, serving

ERRORS: dict[str, Exception] = {
    "refused": Refused("TOO_EARLY", "It is too early."),
    "gone": Gone(),
    "queued": AlreadyQueued(),
    "conflict": Conflict(),
    "unavailable": Unavailable("on holiday"),
    "unknown": UnknownUser("u"),
    "named": NameRefused("USERNAME_TAKEN"),
    "broken": RuntimeError("secret"),
    "misread": RecursionError("not what a client sent"),
}

OWN = Surface(
    codes={"NO_SUCH_TABLE": "NO_TABLE_HERE"},
    words={"NO_TABLE_HERE": (410, "It was here."), "TOO_EARLY": (425, "Wait a little.")},
)
"""A surface that has words of its own."""

MOUNTED = {"forms": DRF, "own": OWN, "plain": Surface()}


class Wish(Struct, frozen=True):
    column: int


def routes(services: Services) -> Sequence[ControllerRouterHandler]:
    del services

    def mounted(name: str, surface: Surface) -> Router:
        @get("/fail/{what:str}")
        async def fail(what: FromPath[str]) -> None:
            raise ERRORS[what]

        @get("/page")
        async def page(limit: FromQuery[int]) -> int:
            return limit

        @get("/mine", guards=[signed_in])
        async def mine() -> None:
            return None

        @post("/wish")
        async def wish(data: JSONBody[Wish]) -> Wish:
            return data

        found = [fail, page, mine, wish]
        return Router(f"/api/at/{name}", route_handlers=found, opt=surface.mounted)

    return [mounted(name, surface) for name, surface in MOUNTED.items()]


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    with serving(more=routes) as running:
        yield running


def told(served: Served, method: str, path: str, **more: Any) -> tuple[int, str]:
    """Status and code of a refusal, which has the shape of the surface it was asked at."""
    answer = served.ask(method, f"/api/at/{path}", **more)
    body = answer.json()
    wanted = {"detail", "code"} if path.startswith("forms") else {"error", "code", "message"}
    assert set(body) == wanted, body
    assert all(body.values())
    assert "secret" not in answer.text
    return answer.status_code, body["code"]


@pytest.mark.parametrize(
    ("what", "status", "code"),
    [
        ("refused", 409, "TOO_EARLY"),
        ("gone", 404, "NO_SUCH_TABLE"),
        ("queued", 409, "ALREADY_SEEKING"),
        ("conflict", 409, "CONFLICT"),
        ("unavailable", 503, "UNAVAILABLE"),
        ("unknown", 404, "USER_NOT_FOUND"),
        ("named", 409, "USERNAME_TAKEN"),
        ("broken", 500, "INTERNAL_ERROR"),
        ("misread", 500, "INTERNAL_ERROR"),
    ],
)
def test_what_the_layers_below_refuse_is_refused_once_for_all(
    served: Served, what: str, status: int, code: str
) -> None:
    assert told(served, "GET", f"plain/fail/{what}") == (status, code)
    slug = "error" if status == 500 else code.lower()
    assert told(served, "GET", f"forms/fail/{what}") == (status, slug)


def test_a_surface_may_have_words_of_its_own(served: Served) -> None:
    assert told(served, "GET", "own/fail/gone") == (410, "NO_TABLE_HERE")
    answer = served.ask("GET", "/api/at/own/fail/refused")
    assert (answer.status_code, answer.json()["message"]) == (425, "Wait a little.")
    assert told(served, "GET", "own/fail/queued") == (409, "ALREADY_SEEKING")


@pytest.mark.parametrize("name", MOUNTED)
def test_what_no_route_answers_has_the_shape_of_where_it_was_asked(
    served: Served, name: str
) -> None:
    def slug(code: str) -> str:
        return code.lower() if name == "forms" else code

    assert told(served, "GET", f"{name}/nothing") == (404, slug("NOT_FOUND"))
    assert told(served, "GET", name) == (404, slug("NOT_FOUND"))
    assert told(served, "DELETE", f"{name}/page") == (405, slug("METHOD_NOT_ALLOWED"))
    large = json.dumps({"column": 3, "padding": "x" * LARGEST_BODY})
    assert told(served, "POST", f"{name}/wish", content=large) == (413, slug("BODY_TOO_LARGE"))


def test_a_body_that_is_no_http_has_it_too(served: Served) -> None:
    for name, fields in (("forms", b'"detail"'), ("plain", b'"message"')):
        head = f"POST /api/at/{name}/wish HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
        with dial(served.port) as line:
            line.sendall(head.encode() + b"no chunk\r\n")
            assert fields in rest(line)


def test_who_has_no_good_token_is_told_how_to_sign_in(served: Served) -> None:
    for name, code in (("forms", "not_authenticated"), ("own", "UNAUTHORIZED")):
        assert told(served, "GET", f"{name}/mine") == (401, code)
        answer = served.ask("GET", f"/api/at/{name}/mine")
        assert answer.headers["www-authenticate"] == "Bearer"


def test_what_is_not_understood_names_its_fields_where_forms_do(served: Served) -> None:
    assert told(served, "GET", "plain/page?limit=x") == (400, "INVALID_QUERY")
    assert told(served, "POST", "plain/wish", content=b"{") == (400, "INVALID_BODY")
    assert list(served.ask("GET", "/api/at/forms/page?limit=x").json()) == ["limit"]


def test_only_the_surface_itself_is_meant(served: Served) -> None:
    for path in ("/api/at", "/api/at/form", "/api/at/formsandmore"):
        assert set(served.ask("GET", path).json()) == {"error", "code", "message"}
