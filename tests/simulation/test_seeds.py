"""As many seeds as take well under a minute; `make simulate SEEDS=100000` runs as many as you like.

Each kind of seed is there, and at the end it is asserted that what it is there for has happened.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor

import pytest

from tests.simulation.plan import KINDS, plan_of
from tests.simulation.runner import Found, again, attempt, pool

SEEDS = range(len(KINDS) + 2)

MUST_HAPPEN = (
    # what goes wrong
    "crash",
    "store failure",
    "lost answer",
    "failed read",
    "failed sync",
    "cut",
    "kill",
    "restart",
    "stall",
    "silent bus",
    "broken bus",
    "bus outage",
    "bus messages",
    "batches whole",
    "batches apart",
    # what people do about it
    "rejoin",
    "takeover",
    "takeback",
    "rematch",
    "rematch asked",
    "play again",
    "leave",
    "asked again",
    "turned away",
    "nobody there",
    # the limits that are passed
    "group limit",
    "limit of match",
    "limit of presence",
    "limit of ticket",
    "limit of challenge",
    "limit of a list",
    "limit of a batch",
    # what is checked
    "told",
    "ends",
    "overheard",
    "lines to the last",
)


@pytest.fixture(scope="module")
def workers() -> Iterator[ProcessPoolExecutor]:
    """One: the suite runs on all cores as it is."""
    with pool(1) as made:
        yield made


def run(workers: ProcessPoolExecutor, seed: int) -> Found:
    """One seed, which must pass."""
    found = workers.submit(attempt, seed).result()
    if found.wrong:
        pytest.fail(f"{found.wrong}\nrepeat it: {again(seed)}")
    return found


@pytest.mark.timeout(300)
def test_every_promise_is_kept_and_everything_is_tried(workers: ProcessPoolExecutor) -> None:
    everything = Counter[str]()
    plans = [plan_of(seed) for seed in SEEDS]
    for seed in SEEDS:
        everything.update(run(workers, seed).tally)
    missing = [what for what in MUST_HAPPEN if not everything[what]]
    assert not missing, f"no seed did any of this: {missing}"
    assert {(plan.kind, plan.to_the_end) for plan in plans} == set(KINDS)
    assert everything["steps"] > 1000 * len(SEEDS)


def test_a_seed_repeats_to_the_byte(workers: ProcessPoolExecutor) -> None:
    once = run(workers, 5)
    with pool(1) as others:
        assert run(others, 5).digest == once.digest
