"""The one place that turns errors into answers, in the shape of the surface that was asked.

Whatever a client sends ends in a 4xx; what nobody expected is logged once, with the match it was
about, and answered without details.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from http import HTTPStatus
from typing import Any, Final

import msgspec
import structlog
from litestar import MediaType, Request, Response
from litestar.exceptions import HTTPException
from litestar.types import ExceptionHandlersMap

from parlour.net.drf import form_of
from parlour.net.errors import GENERAL, Problem
from parlour.net.failures import REFUSALS
from parlour.net.limits import RateLimited
from parlour.net.metrics import Metrics
from parlour.net.surface import PLAIN, Mounts, Surface, surface_of
from parlour.people.tokens import BadToken
from parlour.store.change import Conflict, Unavailable

RETRY_AFTER_SEC: Final = 10
_RETRIED: Final = {HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE}

_CODE_OF_STATUS: Final[Mapping[int, str]] = {
    401: "UNAUTHORIZED",
    403: "FORBIDDEN",
    404: "NOT_FOUND",
    405: "METHOD_NOT_ALLOWED",
    413: "BODY_TOO_LARGE",
    415: "UNSUPPORTED_MEDIA_TYPE",
    426: "UPGRADE_REQUIRED",
    429: "RATE_LIMITED",
    503: "UNAVAILABLE",
}

_NOT_THE_BODY: Final = {"query", "path", "header", "cookie"}

_LOGGED: Final[Mapping[type[Exception], str]] = {
    Conflict: "conflict given up",
    Unavailable: "store unavailable",
}

log = structlog.get_logger()


def refuse(request: Request[Any, Any, Any], error: Exception) -> Response[Mapping[str, Any]]:
    """The answer to a request that ended in an error."""
    surface = _asked(request)
    metrics: Metrics = request.app.state.services.metrics
    problem = problem_of(error, surface, metrics, request.method, request.url.path)
    return Response(
        surface.shape(problem),
        status_code=problem.status,
        headers=dict(problem.headers),
        media_type=MediaType.JSON,
    )


HANDLERS: Final[ExceptionHandlersMap] = {Exception: refuse, HTTPException: refuse}


def _asked(request: Request[Any, Any, Any]) -> Surface:
    handler = request.scope.get("route_handler")
    if handler is not None:
        return surface_of(handler)
    mounts: Mounts = request.app.state.mounts
    return mounts.at(request.scope["path"])


def problem_of(
    error: Exception, surface: Surface, metrics: Metrics, method: str, path: str
) -> Problem:
    """What a request that ended in an error is answered; what nobody expected is logged."""
    if isinstance(error, RateLimited):
        return too_many(error)
    if isinstance(error, (Problem, *REFUSALS)):
        if type(error) in _LOGGED:
            log.warning(_LOGGED[type(error)], path=path, problem=str(error))
        problem = surface.problem_of(error)
        if isinstance(error, BadToken):
            problem.headers = {"WWW-Authenticate": "Bearer"}
        return problem
    if isinstance(error, HTTPException) and error.status_code < 500:
        return _not_understood(error)
    log.error("unexpected error", path=path, method=method, exc_info=error)
    metrics.failures.labels("http").inc()
    return Problem.general("INTERNAL_ERROR")


def _not_understood(error: HTTPException) -> Problem:
    """What the framework refuses by itself: no such route, no such method, no such body."""
    complaints = error.extra if isinstance(error.extra, list) else []
    code = _CODE_OF_STATUS.get(error.status_code, "INVALID_BODY")
    if any(each.get("source") in _NOT_THE_BODY for each in complaints):
        code = "INVALID_QUERY"
    status, words = GENERAL[code]
    return Problem(code, status, words, form=form_of(complaints), headers=error.headers)


def too_many(refused: RateLimited) -> Problem:
    """A rate limit's refusal, which says when to try again."""
    after = {"Retry-After": str(refused.retry_after_sec)}
    return Problem("RATE_LIMITED", 429, str(refused), headers=after)


def last_answer(
    problem: Problem, surface: Surface = PLAIN, headers: Iterable[tuple[bytes, bytes]] = ()
) -> bytes:
    """A whole response that refuses, after which the connection is closed."""
    body = msgspec.json.encode(surface.shape(problem))
    lines = [
        b"HTTP/1.1 %d %s" % (problem.status, HTTPStatus(problem.status).phrase.encode()),
        *(b"%s: %s" % header for header in headers),
        b"content-type: application/json",
        b"content-length: %d" % len(body),
        b"connection: close",
        *(f"{name}: {value}".encode("latin-1") for name, value in problem.headers.items()),
    ]
    if problem.status in _RETRIED:
        lines.append(b"retry-after: %d" % RETRY_AFTER_SEC)
    return b"\r\n".join((*lines, b"", body))
