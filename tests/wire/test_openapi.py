"""The API keeps to the document it publishes, whatever is sent to it."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any, cast

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.checks import CHECKS, load_all_checks
from schemathesis.core.result import Ok
from schemathesis.pytest.lazy import get_all_tests

from tests.generated import OPENAPI
from tests.servers.parlour import Served, serving

load_all_checks()
NOT_MEANT = CHECKS.get_by_names(
    [
        # Well-formed requests are refused for what stands on the board or in the queue.
        "positive_data_acceptance",
        # What nobody asked for is passed over; what is refused stands in each surface's tests.
        "negative_data_rejection",
        # The framework answers OPTIONS for each handler of a path by itself.
        "allow_header_conformance",
    ]
)


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    with serving() as running:
        yield running


EACH = settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
"""Of every route, beside the edges of what its description allows and of what it does not."""


@pytest.mark.timeout(300)
@pytest.mark.parametrize("signed_in", [True, False])
def test_answers_are_as_documented(served: Served, signed_in: bool) -> None:
    headers = {"Authorization": f"Bearer {served.guest()[0]}"} if signed_in else {}
    asked: Counter[str] = Counter()

    def ask(case: schemathesis.Case[Any]) -> None:
        asked[case.operation.label] += 1
        case.call_and_validate(
            base_url=served.url,
            headers=headers,
            timeout=20,
            excluded_checks=cast("list[Any]", NOT_MEANT),
        )

    # Made here, and not by every process that only collects tests: it takes seconds.
    document = schemathesis.openapi.from_path(OPENAPI)
    tests = get_all_tests(schema=document, test_func=ask, settings=EACH, given_kwargs=None)
    for found in tests:
        assert isinstance(found, Ok)
        found.ok()[1]()
    routes = json.loads(OPENAPI.read_text())["paths"]
    assert len(asked) == sum(map(len, routes.values()))
    assert asked.total() > 10 * len(asked)


CONNECT4 = {
    ("GET", "/api/users/me"): "",
    ("PUT", "/api/users/me"): (
        "INVALID_BODY INVALID_USERNAME USER_NOT_FOUND USERNAME_TAKEN BODY_TOO_LARGE"
    ),
    ("GET", "/api/users/me/games"): "INVALID_QUERY",
    ("GET", "/api/users/me/active-game"): "",
    ("POST", "/api/matchmaking/join"): (
        "INVALID_QUERY USER_NOT_FOUND ALREADY_QUEUED HAS_ACTIVE_GAME"
    ),
    ("DELETE", "/api/matchmaking/leave"): "NOT_QUEUED",
    ("GET", "/api/matchmaking/status"): "",
    ("POST", "/api/games"): "INVALID_QUERY USER_NOT_FOUND HAS_ACTIVE_GAME MOVE_CONFLICT",
    ("GET", "/api/games/by-public/{public_id}"): "GAME_NOT_FOUND",
    ("GET", "/api/games/{game_id}"): "GAME_NOT_FOUND",
    ("DELETE", "/api/games/{game_id}"): "GAME_NOT_FOUND NOT_IN_GAME GAME_ALREADY_STARTED",
    ("POST", "/api/games/join/{code}"): (
        "INVALID_CODE_FORMAT CANNOT_JOIN_OWN_GAME HAS_ACTIVE_GAME GAME_NOT_FOUND"
        " USER_NOT_FOUND GAME_ALREADY_STARTED MOVE_CONFLICT"
    ),
    ("POST", "/api/games/{game_id}/move"): (
        "INVALID_BODY GAME_NOT_FOUND GAME_NOT_STARTED GAME_NOT_ACTIVE NOT_IN_GAME"
        " USE_CLAIM_ABANDONED_ENDPOINT NOT_YOUR_TURN INVALID_COLUMN COLUMN_FULL MOVE_CONFLICT"
        " BODY_TOO_LARGE"
    ),
    ("POST", "/api/games/{game_id}/claim-abandoned"): (
        "GAME_NOT_FOUND GAME_NOT_STARTED GAME_NOT_ACTIVE NOT_IN_GAME OPPONENT_NOT_ABANDONED"
        " MOVE_CONFLICT"
    ),
    ("POST", "/api/games/{game_id}/cancel"): "GAME_NOT_FOUND NOT_IN_GAME GAME_ALREADY_STARTED",
    ("POST", "/api/games/{game_id}/resign"): (
        "GAME_NOT_FOUND GAME_NOT_STARTED GAME_NOT_ACTIVE NOT_IN_GAME MOVE_CONFLICT"
    ),
    ("DELETE", "/api/games/{game_id}/rematch"): (
        "GAME_NOT_FOUND GAME_NOT_FINISHED NOT_IN_GAME GAME_ALREADY_STARTED MOVE_CONFLICT"
    ),
    ("POST", "/api/games/{game_id}/rematch"): (
        "GAME_NOT_FOUND GAME_NOT_FINISHED NO_OPPONENT NOT_IN_GAME HAS_ACTIVE_GAME MOVE_CONFLICT"
    ),
}


@pytest.mark.spec("A133")
def test_every_endpoint_of_connect_4_is_listed_with_its_errors() -> None:
    paths = json.loads(OPENAPI.read_text())["paths"]
    listed = {
        (method.upper(), path): {
            code
            for answer in operation["responses"].values()
            for code in re.findall(r"[A-Z][A-Z_]{3,}\w", answer["description"])
        }
        for path, methods in paths.items()
        for method, operation in methods.items()
    }
    always = {"UNAUTHORIZED", "UNAVAILABLE"}
    for endpoint, codes in CONNECT4.items():
        assert listed[endpoint] == set(codes.split()) | always, endpoint
