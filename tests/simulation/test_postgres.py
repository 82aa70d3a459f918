"""The same people, faults and promises on a real PostgreSQL, whose sessions are ended at whim."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import structlog

from tests.simulation.disk import Faults
from tests.simulation.plan import plan_of
from tests.simulation.world import simulate


@pytest.fixture
def engine() -> str:
    """The other one is simulated by all other tests."""
    return "postgres"


@pytest.fixture(autouse=True)
def _log_as_before() -> Iterator[None]:
    yield
    structlog.reset_defaults()


@pytest.mark.parametrize("seed", [2, 6])
def test_every_promise_is_kept(database: str, seed: int) -> None:
    plan = plan_of(seed)
    plan.faults = Faults(crash=0.001, failure=0.01, lost_answer=0.01)
    plan.kind, plan.bus, plan.mischief_s, plan.cut = "any bus", "any", 0.8, 0.01
    plan.people, plan.play_s = 20, 6.0
    tally = simulate(seed, plan=plan, postgres_url=database)
    assert tally["steps"] > 100
    assert tally["sessions ended"] > 0
