"""What an operator is told of how computer opponents think."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, generate_latest

from parlour.net.thinking import Thinking
from parlour.play.thinkers import Thinkers


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
