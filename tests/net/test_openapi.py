"""Every route, asked for everything its own description allows and much that it does not."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import Case
from schemathesis.checks import not_a_server_error
from schemathesis.core.result import Ok
from schemathesis.generation import GenerationMode
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from tests.servers.parlour import Served, serving

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]
EACH = settings(
    max_examples=5,
    deadline=None,
    derandomize=True,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    with serving() as running:
        yield running


@pytest.mark.parametrize("mode", list(GenerationMode))
@pytest.mark.parametrize("signed_in", [True, False])
def test_every_answer_is_one_that_the_description_knows(
    served: Served, mode: GenerationMode, signed_in: bool
) -> None:
    headers = {"Authorization": f"Bearer {served.guest()[0]}"} if signed_in else {}
    schema = schemathesis.openapi.from_url(f"{served.url}/api/docs/openapi.json")
    asked = 0
    for found in schema.get_all_operations():
        assert isinstance(found, Ok)

        @EACH
        @given(found.ok().as_strategy(generation_mode=mode))
        def ask(case: Case[Any]) -> None:
            nonlocal asked
            asked += 1
            case.call_and_validate(headers=headers, checks=CHECKS)

        # Where nothing is asked for, nothing can be asked wrongly.
        with suppress(Unsatisfiable):
            ask()
    assert asked > 100
