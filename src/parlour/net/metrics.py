"""What `/metrics` tells: how long handling takes, surface by surface, and who is connected.

Times are counted in plain lists, because a message is handled in less time than a general-purpose
metric takes to note it.
"""

from __future__ import annotations

import time
from bisect import bisect_left
from collections.abc import Callable, Iterator

import structlog
from prometheus_client import CollectorRegistry, Counter, Gauge, generate_latest
from prometheus_client.core import CounterMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.gc_collector import GCCollector
from prometheus_client.platform_collector import PlatformCollector
from prometheus_client.process_collector import ProcessCollector
from prometheus_client.registry import Collector

from parlour.net.refusals import Refusals

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
BOUNDS_SEC = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
COMPLAIN_EVERY_SEC = 1.0

_log = structlog.get_logger()


class Surface:
    """Handling times of one surface: a socket's name, or a route."""

    __slots__ = ("_complain_after", "_slow", "_slow_sec", "counts", "name", "total_sec")

    def __init__(self, name: str, slow_sec: float) -> None:
        self.name = name
        self.counts = [0] * (len(BOUNDS_SEC) + 1)
        self.total_sec = 0.0
        self._slow_sec = slow_sec
        self._slow = 0
        self._complain_after = 0.0

    def took(self, seconds: float) -> None:
        """One request or message was handled in that time."""
        self.counts[bisect_left(BOUNDS_SEC, seconds)] += 1
        self.total_sec += seconds
        if seconds > self._slow_sec:
            self._complain(seconds)

    def _complain(self, seconds: float) -> None:
        self._slow += 1
        now = time.monotonic()
        if now >= self._complain_after:
            _log.warning("slow", surface=self.name, took_ms=round(seconds * 1000), times=self._slow)
            self._complain_after = now + COMPLAIN_EVERY_SEC
            self._slow = 0


class Metrics(Collector):
    """All metrics of one server."""

    def __init__(self, max_latency_ms: int) -> None:
        self._slow_sec = max_latency_ms / 1000
        self._surfaces: dict[str, Surface] = {}
        self._counted: list[tuple[str, str, Callable[[], float]]] = []
        self.registry = CollectorRegistry()
        self.sockets = Gauge(
            "parlour_sockets", "Open sockets.", ["surface"], registry=self.registry
        )
        self.socket_drops = Counter(
            "parlour_socket_drops", "Sockets closed by us.", ["why"], registry=self.registry
        )
        self.failures = Counter(
            "parlour_failures", "Unexpected errors.", ["surface"], registry=self.registry
        )
        self.clock_offset = Gauge(
            "parlour_clock_offset_seconds",
            "How far the database's clock is ahead of this machine's.",
            registry=self.registry,
        )
        self.rate_limited = Counter(
            "parlour_rate_limited",
            "What was refused because of a rate limit.",
            ["limit", "by"],
            registry=self.registry,
        )
        self.refusals = Refusals(self.registry)
        self.set_aside = Gauge(
            "parlour_set_aside",
            "What periodic tasks could not see to, and will look at again.",
            ["what"],
            registry=self.registry,
        )
        self.registry.register(self)
        ProcessCollector(registry=self.registry)
        PlatformCollector(registry=self.registry)
        GCCollector(registry=self.registry)

    def surface(self, name: str) -> Surface:
        """Where to note the handling times of that surface."""
        known = self._surfaces.get(name)
        if known is None:
            known = self._surfaces[name] = Surface(name, self._slow_sec)
        return known

    def count(self, name: str, meaning: str, read: Callable[[], float]) -> None:
        """Tell of something that is counted elsewhere."""
        self._counted.append((name, meaning, read))

    def collect(self) -> Iterator[Metric]:
        """The handling times, and what is counted elsewhere, in Prometheus' terms."""
        for name, meaning, read in self._counted:
            yield CounterMetricFamily(name, meaning, value=read())
        family = HistogramMetricFamily(
            "parlour_handling_seconds",
            "Time to handle a request or a message.",
            labels=["surface"],
        )
        for surface in self._surfaces.values():
            buckets: list[tuple[str, float]] = []
            so_far = 0
            for bound, count in zip((*map(str, BOUNDS_SEC), "+Inf"), surface.counts, strict=True):
                so_far += count
                buckets.append((bound, so_far))
            family.add_metric([surface.name], buckets, surface.total_sec)
        yield family

    def exposition(self) -> bytes:
        """The page that Prometheus reads."""
        return generate_latest(self.registry)
