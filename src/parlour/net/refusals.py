"""What is refused before a route sees it: counted by reason, logged now and then, and answered."""

from __future__ import annotations

import time
from collections.abc import Iterable
from http import HTTPStatus

import msgspec
import structlog
from prometheus_client import CollectorRegistry, Counter

from parlour.net.errors import Problem

LOG_EVERY_SEC = 60.0
RETRY_AFTER_SEC = 10
_RETRIED = {HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE}

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


def last_answer(
    problem: Problem, path: str = "", headers: Iterable[tuple[bytes, bytes]] = ()
) -> bytes:
    """A whole response that refuses, after which the connection is closed."""
    body = msgspec.json.encode(problem.body(path))
    lines = [
        b"HTTP/1.1 %d %s" % (problem.status, HTTPStatus(problem.status).phrase.encode()),
        *(b"%s: %s" % header for header in headers),
        b"content-type: application/json",
        b"content-length: %d" % len(body),
        b"connection: close",
    ]
    if problem.status in _RETRIED:
        lines.append(b"retry-after: %d" % RETRY_AFTER_SEC)
    return b"\r\n".join((*lines, b"", body))
