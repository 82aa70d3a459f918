"""How computer opponents think at a server, and what an operator is told of it."""

from __future__ import annotations

import pytest
from prometheus_client import CollectorRegistry, generate_latest

from parlour.net.thinking import Thinking
from parlour.play.thinkers import Thinkers
from parlour.settings import Settings
from tests.play.conftest import until
from tests.play.thoughts import Compiled
from tests.servers.parlour import serving


def test_moves_without_search_and_failed_workers_are_counted_by_their_reasons() -> None:
    thinkers, registry = Thinkers(1), CollectorRegistry()
    registry.register(Thinking(thinkers))
    tally = thinkers.tally
    tally.thoughts, tally.thought_s, tally.waited_s = 4, 1.5, 0.25
    tally.went_without("no workers", waiting=3)
    tally.replaced["hung"] += 2
    told = [line for line in generate_latest(registry).decode().splitlines() if line[0] != "#"]
    assert told == [
        "parlour_thoughts_waiting 0.0",
        "parlour_thinkers 0.0",
        "parlour_thought_seconds_count 4.0",
        "parlour_thought_seconds_sum 1.5",
        "parlour_thought_wait_seconds_count 4.0",
        "parlour_thought_wait_seconds_sum 0.25",
        'parlour_moves_without_search_total{why="no_workers"} 1.0',
        'parlour_thinkers_replaced_total{why="hung"} 2.0',
    ]


@pytest.mark.timeout(300)  # where nobody has compiled them before
async def test_a_server_has_its_bots_compiled() -> None:
    with serving(Settings(database_url="sqlite://", thinkers=1), prepared=True) as served:
        thinkers = served.services.thinkers
        first, _ = served.run(thinkers.ask(Compiled(), "ann"))
        await until(lambda: first not in thinkers.pids, within_s=240)
        prepared, compiled = served.run(thinkers.ask(Compiled(), "ann"))
        assert prepared != first
        assert compiled
