"""The one place that turns errors into answers: `{"error": CODE, "code": CODE, "message": text}`,
but in the shape of `drf` where that is a surface's own.

A surface raises `Problem`, or lets errors of the layers below pass. Whatever a client sends ends in
a 4xx; what nobody expected is logged once, with the match it was about, and answered without
details.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from http import HTTPStatus
from typing import Any

import msgspec
import structlog
from litestar import MediaType, Request, Response
from litestar.exceptions import HTTPException, ValidationException
from litestar.openapi import ResponseSpec
from litestar.types import ExceptionHandlersMap
from msgspec import Struct

from parlour.net.drf import is_surface
from parlour.net.limits import RateLimited
from parlour.people.tokens import BadToken
from parlour.people.users import NameRefused, UnknownUser
from parlour.store.change import Conflict, Unavailable

log = structlog.get_logger()


class Problem(Exception):
    """A refusal as a client gets it. `beside` stands next to the usual three fields."""

    def __init__(
        self,
        code: str,
        status: int,
        message: str = "",
        *,
        beside: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(code)
        self.code = code
        self.status = status
        self.message = message or GENERAL.get(code, (status, code))[1]
        self.beside = beside or {}
        self.headers = headers or {}

    @classmethod
    def general(cls, code: str) -> Problem:
        """One of those that any route may answer with."""
        status, message = GENERAL[code]
        return cls(code, status, message)

    def body(self, path: str) -> dict[str, Any]:
        """What a client gets who asked there."""
        if is_surface(path):
            return {"detail": self.message, "code": self.code.lower()}
        said = {"error": self.code, "code": self.code, "message": self.message}
        return {**said, **self.beside}


class ErrorBody(Struct, frozen=True):
    """What a refusal looks like."""

    error: str
    code: str
    message: str


GENERAL: Mapping[str, tuple[int, str]] = {
    "INVALID_BODY": (400, "The request's body is not what this address expects."),
    "INVALID_QUERY": (400, "The address has parameters that are not understood."),
    "INVALID_USERNAME": (400, "A username has 3 to 20 letters, digits or underscores."),
    "MALFORMED_REQUEST": (400, "This is no HTTP request."),
    "UNAUTHORIZED": (401, "Please sign in."),
    "FORBIDDEN": (403, "That is not for you."),
    "GUESTS_NOT_WELCOME": (403, "Guests cannot sign in here."),
    "NOT_FOUND": (404, "There is nothing at this address."),
    "USER_NOT_FOUND": (404, "There is no such user."),
    "METHOD_NOT_ALLOWED": (405, "This address does not answer to that method."),
    "REQUEST_TIMEOUT": (408, "The request did not arrive in time."),
    "CONFLICT": (409, "Somebody was quicker. Please look again."),
    "USERNAME_TAKEN": (409, "Somebody else has this name already."),
    "BODY_TOO_LARGE": (413, "A request's body may have up to 64 KiB."),
    "URL_TOO_LONG": (414, "An address may have up to 8 KiB."),
    "UNSUPPORTED_MEDIA_TYPE": (415, "Please send JSON."),
    "UPGRADE_REQUIRED": (426, "This address speaks WebSocket."),
    "RATE_LIMITED": (429, "Too much at once. Please wait a moment."),
    "TOO_MANY_CONNECTIONS": (429, "There are too many connections from your network."),
    "HEADERS_TOO_LARGE": (431, "A request may have up to 100 headers and 32 KiB of them."),
    "INTERNAL_ERROR": (500, "Something went wrong on our side."),
    "UNAVAILABLE": (503, "We cannot do this right now. Please try again."),
}
"""Codes that any route may answer with: status and words."""

_CODE_OF_STATUS = {
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


TOO_MUCH: dict[int, ResponseSpec] = {
    429: ResponseSpec(
        ErrorBody, description="too much at once: see `Retry-After`", generate_examples=False
    )
}
"""What any route may answer."""


def responses(*statuses: int) -> dict[int, ResponseSpec]:
    """For a route's `responses`: that it refuses in this shape with these statuses."""
    refused = ResponseSpec(ErrorBody, description="refused", generate_examples=False)
    return dict.fromkeys(statuses, refused) | TOO_MUCH


def answer(request: Request[Any, Any, Any], problem: Problem) -> Response[dict[str, Any]]:
    """The refusal as a response."""
    return Response(
        problem.body(request.scope["path"]),
        status_code=problem.status,
        headers=dict(problem.headers),
        media_type=MediaType.JSON,
    )


def _bad_token(request: Request[Any, Any, Any], _: BadToken) -> Response[dict[str, Any]]:
    status, message = GENERAL["UNAUTHORIZED"]
    challenge = {"WWW-Authenticate": "Bearer"}
    return answer(request, Problem("UNAUTHORIZED", status, message, headers=challenge))


def _name_refused(request: Request[Any, Any, Any], error: NameRefused) -> Response[dict[str, Any]]:
    return answer(request, Problem.general(error.code))


def _unknown_user(request: Request[Any, Any, Any], _: UnknownUser) -> Response[dict[str, Any]]:
    return answer(request, Problem.general("USER_NOT_FOUND"))


def _conflict(request: Request[Any, Any, Any], _: Conflict) -> Response[dict[str, Any]]:
    log.warning("conflict given up", path=request.url.path)
    return answer(request, Problem.general("CONFLICT"))


def _unavailable(request: Request[Any, Any, Any], error: Unavailable) -> Response[dict[str, Any]]:
    log.warning("store unavailable", path=request.url.path, problem=str(error))
    return answer(request, Problem.general("UNAVAILABLE"))


def too_many(refused: RateLimited) -> Problem:
    """A rate limit's refusal, which says when to try again."""
    after = {"Retry-After": str(refused.retry_after_sec)}
    return Problem("RATE_LIMITED", 429, str(refused), headers=after)


def _rate_limited(request: Request[Any, Any, Any], error: RateLimited) -> Response[dict[str, Any]]:
    return answer(request, too_many(error))


def _http(request: Request[Any, Any, Any], error: HTTPException) -> Response[dict[str, Any]]:
    """What the framework refuses by itself: no such route, no such method, no such body."""
    if error.status_code >= 500:
        return _unexpected(request, error)
    code = _CODE_OF_STATUS.get(error.status_code, "INVALID_BODY")
    if isinstance(error, ValidationException) and _is_about_query(error.extra):
        code = "INVALID_QUERY"
    status, message = GENERAL[code]
    headers = dict(error.headers or {})
    return answer(request, Problem(code, status, message, headers=headers))


def _is_about_query(extra: object) -> bool:
    return isinstance(extra, list) and any(
        isinstance(each, dict) and each.get("source") in {"query", "path", "header", "cookie"}
        for each in extra
    )


def _unexpected(request: Request[Any, Any, Any], error: Exception) -> Response[dict[str, Any]]:
    log.error("unexpected error", path=request.url.path, method=request.method, exc_info=error)
    request.app.state.services.metrics.failures.labels("http").inc()
    return answer(request, Problem.general("INTERNAL_ERROR"))


HANDLERS: ExceptionHandlersMap = {
    Problem: answer,
    BadToken: _bad_token,
    NameRefused: _name_refused,
    UnknownUser: _unknown_user,
    Conflict: _conflict,
    Unavailable: _unavailable,
    RateLimited: _rate_limited,
    HTTPException: _http,
    Exception: _unexpected,
}


RETRY_AFTER_SEC = 10
_RETRIED = {HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE}


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
