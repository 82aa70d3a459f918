"""Requests to a real server: what is answered, and how everything else is refused."""

from __future__ import annotations

import json
import socket
from typing import Any

import httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import parlour
from parlour.games.registry import all_rules
from parlour.net.front import LARGEST_BODY
from parlour.settings import Settings
from tests.servers import plain
from tests.servers.parlour import Served, serving


def refused(answer: httpx.Response, status: int, code: str) -> None:
    assert answer.status_code == status, answer.text
    body = answer.json()
    assert (body["error"], body["code"]) == (code, code)
    assert body["message"]


# --- what is answered


@pytest.mark.spec("A126", "A148")
def test_health(served: Served) -> None:
    answer = served.ask("GET", "/api/health")
    assert answer.status_code == 200
    assert answer.json() == {
        "status": "ok",
        "version": parlour.__version__,
        "games": list(all_rules()),
    }


@pytest.mark.spec("A6", "A16", "A17")
def test_a_guest_gets_a_token_and_a_name(served: Served) -> None:
    answer = served.ask("POST", "/api/auth/guest")
    assert answer.status_code == 201
    user = answer.json()["user"]
    assert user["isGuest"]
    assert user["email"] is None
    assert [user[name] for name in ("rating", "wins", "losses", "draws")] == [1000, 0, 0, 0]
    assert user["createdAt"].endswith("Z")
    token = answer.json()["token"]
    me = served.ask("GET", "/api/test/whoami", headers={"Authorization": f"Bearer {token}"})
    assert me.json() == {"username": user["username"]}


def test_a_guest_may_wish_for_a_name(served: Served) -> None:
    _, user = served.guest(" Wish_1 ")
    assert user["username"] == "Wish_1"
    for body in ({"username": None}, {}):
        assert served.ask("POST", "/api/auth/guest", json=body).status_code == 201
    taken = served.ask("POST", "/api/auth/guest", json={"username": "wish_1"})
    refused(taken, 409, "USERNAME_TAKEN")
    invalid = served.ask("POST", "/api/auth/guest", json={"username": "!"})
    refused(invalid, 400, "INVALID_USERNAME")


NO_WISHES = [
    b"[]",
    b"1",
    b'"x"',
    b'{"username": 1}',
    b"{",
    b"\xff",
    b'{"username":"a\xc3("}',
    b"{}x",
]


@pytest.mark.parametrize("body", NO_WISHES)
def test_a_wish_that_is_no_wish_makes_nobody(served: Served, body: bytes) -> None:
    answer = served.ask("POST", "/api/auth/guest", content=body)
    refused(answer, 400, "INVALID_BODY")


def test_without_local_auth_guests_are_sent_away() -> None:
    with serving(Settings(database_url="sqlite://", local_auth=False)) as strict:
        refused(strict.ask("POST", "/api/auth/guest"), 403, "GUESTS_NOT_WELCOME")
        assert strict.ask("GET", "/.well-known/jwks.json").json() == {"keys": []}


def test_our_keys_are_published(served: Served) -> None:
    answer = served.ask("GET", "/.well-known/jwks.json")
    (key,) = answer.json()["keys"]
    assert (key["kty"], key["crv"], key["alg"], key["use"]) == ("OKP", "Ed25519", "EdDSA", "sig")
    assert "d" not in key
    assert "max-age" in answer.headers["cache-control"]


def test_the_api_describes_itself(served: Served) -> None:
    document = served.ask("GET", "/api/docs/openapi.json").json()
    assert document["openapi"].startswith("3.1")
    guest = document["paths"]["/api/auth/guest"]["post"]
    refusal = guest["responses"]["409"]["content"]["application/json"]["schema"]
    assert refusal == {"$ref": "#/components/schemas/ErrorBody"}
    assert document["paths"]["/api/test/whoami"]["get"]["security"] == [{"bearer": []}]
    page = served.ask("GET", "/api/docs")
    assert page.headers["content-type"].startswith("text/html")
    assert "/api/auth/guest" in page.text
    assert "<script" not in page.text


# --- who asks


@pytest.mark.spec("A125")
@pytest.mark.parametrize(
    "header", ["", "Bearer", "bearer", "Bearer x.y.z", "Bearer a b", "Basic dTpw", "Token abc"]
)
def test_without_a_good_token_nobody_passes(served: Served, header: str) -> None:
    for path in ("/api/test/whoami", "/api/test/perhaps"):
        answer = served.ask("GET", path, headers={"Authorization": header})
        refused(answer, 401, "UNAUTHORIZED")
        assert answer.headers["www-authenticate"] == "Bearer"


@pytest.mark.spec("A125")
def test_a_token_is_asked_for_before_anything_else(served: Served) -> None:
    refused(served.ask("GET", "/api/test/whoami"), 401, "UNAUTHORIZED")
    assert served.ask("GET", "/api/test/perhaps").json() == {"username": None}
    token, user = served.guest()
    headers = {"Authorization": f"bearer {token}"}
    answer = served.ask("GET", "/api/test/perhaps", headers=headers)
    assert answer.json() == {"username": user["username"]}


# --- how the rest is refused


def test_what_is_not_there(served: Served) -> None:
    for path in ("/api", "/api/nothing", "/api/test/page/x", "/ws/nothing", "/api/%00", "/api/%ff"):
        refused(served.ask("GET", path), 404, "NOT_FOUND")
    refused(served.ask("POST", "/nothing"), 404, "NOT_FOUND")


def test_a_method_that_is_not_allowed(served: Served) -> None:
    answer = served.ask("DELETE", "/api/health")
    refused(answer, 405, "METHOD_NOT_ALLOWED")
    assert "GET" in answer.headers["allow"]


def test_a_socket_is_not_a_request(served: Served) -> None:
    refused(served.ask("GET", "/ws/test/echo"), 426, "UPGRADE_REQUIRED")


@pytest.mark.spec("A149")
@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"null",
        b"[]",
        b"{}",
        b"{",
        b'{"column": "3"}',
        b'{"column": 3.5}',
        b'{"column": true}',
        b'{"column": null}',
        b'{"column": [3]}',
        b"\xff\xfe",
        b"[" * 30_000,
        b'{"x":' * 8_000,
        b'{"column": 1e400}',
    ],
)
def test_a_body_that_is_not_what_was_asked_for(served: Served, body: bytes) -> None:
    for kind in ("application/json", "text/plain", "application/msgpack", ""):
        headers = {"content-type": kind} if kind else {}
        answer = served.ask("POST", "/api/test/g/move", content=body, headers=headers)
        refused(answer, 400, "INVALID_BODY")


def test_a_query_that_is_not_understood(served: Served) -> None:
    assert served.ask("GET", "/api/test/page?limit=7").json() == {"limit": 7}
    for query in ("limit=x", "limit=", "limit=1.5", "limit=1&limit=x"):
        refused(served.ask("GET", f"/api/test/page?{query}"), 400, "INVALID_QUERY")


def test_a_body_that_is_too_large(served: Served) -> None:
    body = json.dumps({"column": 3, "padding": "x" * LARGEST_BODY}).encode()
    refused(served.ask("POST", "/api/test/g/move", content=body), 413, "BODY_TOO_LARGE")
    refused(served.ask("POST", "/api/auth/guest", content=body), 413, "BODY_TOO_LARGE")
    pieces = (body[at : at + 5000] for at in range(0, len(body), 5000))
    refused(served.ask("POST", "/api/test/g/move", content=pieces), 413, "BODY_TOO_LARGE")
    # Where no body is asked for, too.
    pieces = (body[at : at + 5000] for at in range(0, len(body), 5000))
    refused(served.ask("GET", "/api/health", content=pieces), 413, "BODY_TOO_LARGE")
    assert served.ask("POST", "/api/auth/guest", content=iter([b"{", b"}"])).status_code == 201
    padding = LARGEST_BODY - len(json.dumps({"column": 3, "padding": ""}))
    just = json.dumps({"column": 3, "padding": "x" * padding}).encode()
    assert len(just) == LARGEST_BODY
    assert served.ask("POST", "/api/test/g/move", content=just).json() == {"g": 3}
    assert served.ask("POST", "/api/test/g/move", content=iter([just])).json() == {"g": 3}


def test_a_refusal_may_say_more(served: Served) -> None:
    answer = served.ask("GET", "/api/test/refuse")
    refused(answer, 409, "HAS_ACTIVE_GAME")
    assert answer.json()["gameId"] == "g"


@pytest.mark.spec("A149")
def test_an_unexpected_error_is_logged_once_and_keeps_its_details(
    served: Served, capsys: pytest.CaptureFixture[str]
) -> None:
    answer = served.ask("GET", "/api/test/break/match-7")
    refused(answer, 500, "INTERNAL_ERROR")
    assert "secret" not in answer.text
    logged = capsys.readouterr().out
    assert logged.count("unexpected error") == 1
    assert "match-7" in logged
    assert "secret detail" in logged


def test_a_store_that_is_away_is_not_the_clients_fault(served: Served) -> None:
    refused(served.ask("GET", "/api/test/away"), 503, "UNAVAILABLE")
    refused(served.ask("GET", "/api/test/late"), 409, "CONFLICT")


def test_other_origins_may_ask_only_where_allowed(served: Served) -> None:
    allowed = Settings(database_url="sqlite://", allowed_origins=("https://friend.example",))
    with serving(allowed) as other:
        answer = other.ask("GET", "/api/health", headers={"Origin": "https://friend.example"})
        assert answer.headers["access-control-allow-origin"] == "https://friend.example"
        answer = other.ask("GET", "/api/health", headers={"Origin": "https://foe.example"})
        assert "access-control-allow-origin" not in answer.headers
    answer = served.ask("GET", "/api/health", headers={"Origin": "https://friend.example"})
    assert "access-control-allow-origin" not in answer.headers


# --- junk

JSONS: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)
ADDRESSES = st.sampled_from(
    ["/api/auth/guest", "/api/test/g/move", "/api/test/whoami", "/api/health", "/metrics", "/ws/x"]
)
HEADER_VALUES = st.text(
    st.characters(min_codepoint=32, max_codepoint=255, exclude_characters="\x7f"), max_size=80
).map(lambda text: text.strip().encode("latin-1"))


@given(
    st.sampled_from(["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "HEAD"]),
    ADDRESSES | st.text(st.characters(codec="ascii"), max_size=30).map(lambda x: f"/api/{x}"),
    st.binary(max_size=200) | JSONS.map(lambda value: json.dumps(value).encode()),
    st.dictionaries(
        st.sampled_from(
            ["authorization", "content-type", "accept", "accept-encoding", "origin", "cookie"]
        ),
        HEADER_VALUES,
        max_size=3,
    ),
)
@settings(max_examples=150, deadline=None)
def test_whatever_is_sent_is_never_the_servers_fault(
    served: Served, method: str, path: str, body: bytes, headers: dict[str, bytes]
) -> None:
    try:
        url = httpx.URL(served.url).copy_with(raw_path=path.encode())
        pairs = [(name.encode(), value) for name, value in headers.items()]
        answer = plain.request(method, url, content=body, headers=pairs, timeout=10)
    except (httpx.InvalidURL, httpx.LocalProtocolError, httpx.RemoteProtocolError):
        return
    assert answer.status_code < 500, (method, path, body, headers, answer.text)


@given(st.binary(max_size=300))
@settings(max_examples=60, deadline=None)
def test_whatever_is_no_http_does_no_harm(served: Served, junk: bytes) -> None:
    with socket.create_connection(("127.0.0.1", served.port), timeout=10) as raw:
        raw.sendall(junk + b"\r\n\r\n")
        raw.shutdown(socket.SHUT_WR)
        try:
            answer = raw.recv(4096)
        except ConnectionResetError:
            answer = b""
    assert b" 500 " not in answer.split(b"\r\n", 1)[0]
    assert served.ask("GET", "/api/health").status_code == 200
