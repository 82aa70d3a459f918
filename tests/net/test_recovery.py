"""Coming back by a recovery code, as it is asked for over HTTP."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from parlour.settings import Settings
from tests.servers.parlour import Served, serving


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    with serving() as running:
        yield running


def test_a_guest_makes_a_code_and_comes_back_elsewhere(served: Served) -> None:
    token, me = served.guest()
    bearer = {"Authorization": f"Bearer {token}"}
    made = served.ask("POST", "/api/users/me/recovery", headers=bearer)
    assert made.status_code == 201
    assert made.headers["cache-control"] == "no-store"
    back = served.ask("POST", "/api/auth/recover", json=made.json())
    assert back.status_code == 200
    assert back.headers["cache-control"] == "no-store"
    assert back.json()["user"] == me
    again = {"Authorization": f"Bearer {back.json()['token']}"}
    assert served.ask("GET", "/api/users/me", headers=again).json()["id"] == me["id"]


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"code": "A" * 20}, 404, "UNKNOWN_CODE"),
        ({"code": ""}, 404, "UNKNOWN_CODE"),
        ({"code": 7}, 400, None),
        ({}, 400, None),
    ],
)
def test_what_is_no_code_is_refused(
    served: Served, body: dict[str, object], status: int, code: str | None
) -> None:
    answer = served.ask("POST", "/api/auth/recover", json=body)
    assert answer.status_code == status
    assert code is None or answer.json()["code"] == code


def test_nobody_makes_no_code(served: Served) -> None:
    assert served.ask("POST", "/api/users/me/recovery").status_code == 401


def test_where_guests_are_not_welcome_none_comes_back() -> None:
    settings = Settings(
        database_url="sqlite://", local_auth=False, firebase_project_id="my-project"
    )
    with serving(settings) as served:
        answer = served.ask("POST", "/api/auth/recover", json={"code": "A" * 20})
        assert (answer.status_code, answer.json()["code"]) == (403, "GUESTS_NOT_WELCOME")
