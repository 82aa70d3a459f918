"""What `/metrics` tells of how computer opponents think."""

from __future__ import annotations

from collections.abc import Iterator

from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    Metric,
    SummaryMetricFamily,
)
from prometheus_client.registry import Collector

from parlour.play.thinkers import Thinkers


class Thinking(Collector):
    """The workers' tally in Prometheus' terms."""

    def __init__(self, thinkers: Thinkers) -> None:
        self._thinkers = thinkers

    def collect(self) -> Iterator[Metric]:
        """As it stands."""
        thinkers, tally = self._thinkers, self._thinkers.tally
        yield GaugeMetricFamily(
            "parlour_thoughts_waiting", "Bots that wait to think.", value=thinkers.waiting
        )
        yield GaugeMetricFamily(
            "parlour_thinkers", "Processes in which bots think.", value=len(thinkers.pids)
        )
        for name, meaning, seconds in (
            ("parlour_thought_seconds", "How long bots thought.", tally.thought_s),
            ("parlour_thought_wait_seconds", "… and waited before that.", tally.waited_s),
        ):
            yield SummaryMetricFamily(name, meaning, count_value=tally.thoughts, sum_value=seconds)
        without = CounterMetricFamily(
            "parlour_moves_without_search",
            "Moves of bots that had no time to think.",
            None,
            ["why"],
        )
        for why, times in tally.without.items():
            without.add_metric([why.replace(" ", "_")], times)
        yield without
        replaced = CounterMetricFamily(
            "parlour_thinkers_replaced", "Workers that failed.", None, ["why"]
        )
        for failure, times in tally.replaced.items():
            replaced.add_metric([failure], times)
        yield replaced
