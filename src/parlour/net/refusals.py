"""What is refused before a route sees it: counted by reason, logged now and then."""

from __future__ import annotations

import time

import structlog
from prometheus_client import CollectorRegistry, Counter

LOG_EVERY_SEC = 60.0

log = structlog.get_logger()


class Refusals:
    """Counts them. Of each reason the log tells at most once a minute, with how many there were."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self._counter = Counter(
            "parlour_refused",
            "Requests and connections refused before any route saw them.",
            ["why"],
            registry=registry,
        )
        self._unlogged: dict[str, int] = {}
        self._silent_until: dict[str, float] = {}

    def note(self, why: str, **more: object) -> None:
        """Something was refused for that reason, one of a few words."""
        self._counter.labels(why).inc()
        times = self._unlogged.get(why, 0) + 1
        now = time.monotonic()
        if now < self._silent_until.get(why, 0.0):
            self._unlogged[why] = times
            return
        log.warning("refused", why=why, times=times, **more)
        self._silent_until[why] = now + LOG_EVERY_SEC
        self._unlogged[why] = 0
