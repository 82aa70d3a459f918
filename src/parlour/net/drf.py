"""Refusals in the shape of Django REST framework, for the surfaces whose document asks for it.

`{"field": ["text"]}` says what is wrong with the form of a request; everything else is
`{"detail": "text", "code": "slug"}`. Put `HANDLERS` on a router and raise `Rejected` inside.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import structlog
from litestar import MediaType, Request, Response
from litestar.exceptions import HTTPException
from litestar.openapi import ResponseSpec
from litestar.types import ExceptionHandlersMap
from msgspec import Struct

from parlour.people.tokens import BadToken
from parlour.store.change import Conflict, Unavailable

log = structlog.get_logger()

SURFACES = ("/api/connect-five", "/api/notifications", "/api/users/search", "/api/wallet")
"""Where this is the shape of a refusal, be it of what no route answers."""

NO_FIELD = "non_field_errors"

Fields = Mapping[str, list[str]]


class Rejected(Exception):
    """A refusal as a client gets it."""

    def __init__(
        self, status: int, code: str, detail: str, headers: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(code)
        self.status = status
        self.body: Mapping[str, Any] = {"detail": detail, "code": code}
        self.headers = headers or {}

    @classmethod
    def fields(cls, errors: Fields) -> Rejected:
        """The request's form is wrong, in these fields."""
        rejected = cls(400, "invalid", "")
        rejected.body = errors
        return rejected


def is_surface(path: str) -> bool:
    """Whether who asks there expects this shape.

    >>> is_surface("/api/wallet/nothing"), is_surface("/api/walletless")
    (True, False)
    """
    return f"{path}/".startswith(tuple(f"{surface}/" for surface in SURFACES))


class Detail(Struct, frozen=True):
    """Why a request was refused."""

    detail: str
    code: str


def responses(*statuses: int) -> dict[int, ResponseSpec]:
    """For a route's `responses`: that it refuses in this shape with these statuses."""
    forms: Any = Detail | dict[str, list[str]]
    return {
        status: ResponseSpec(
            forms if status == 400 else Detail, description="refused", generate_examples=False
        )
        for status in (400, 401, *statuses, 429, 503)
    }


def _answer(_: Request[Any, Any, Any], rejected: Rejected) -> Response[Mapping[str, Any]]:
    return Response(
        rejected.body,
        status_code=rejected.status,
        headers=dict(rejected.headers),
        media_type=MediaType.JSON,
    )


def _bad_token(request: Request[Any, Any, Any], _: BadToken) -> Response[Mapping[str, Any]]:
    challenge = {"WWW-Authenticate": "Bearer"}
    return _answer(request, Rejected(401, "not_authenticated", "Please sign in.", challenge))


def _conflict(request: Request[Any, Any, Any], _: Conflict) -> Response[Mapping[str, Any]]:
    log.warning("conflict given up", path=request.url.path)
    return _answer(request, Rejected(409, "conflict", "Somebody was quicker. Please look again."))


def _unavailable(
    request: Request[Any, Any, Any], error: Unavailable
) -> Response[Mapping[str, Any]]:
    log.warning("store unavailable", path=request.url.path, problem=str(error))
    said = "We cannot do this right now. Please try again."
    return _answer(request, Rejected(503, "unavailable", said))


def _http(request: Request[Any, Any, Any], error: HTTPException) -> Response[Mapping[str, Any]]:
    """What the framework refuses by itself: parameters and bodies that are not understood."""
    if error.status_code >= 500:
        return _unexpected(request, error)
    if isinstance(error.extra, list) and error.extra:
        return _answer(request, Rejected.fields(dict(map(_field, error.extra))))
    code = {413: "body_too_large", 415: "unsupported_media_type"}.get(error.status_code, "invalid")
    return _answer(
        request, Rejected(error.status_code, code, error.detail, dict(error.headers or {}))
    )


def _field(complaint: Mapping[str, Any]) -> tuple[str, list[str]]:
    key = complaint.get("key", "data")
    if key == "data":
        return NO_FIELD, ["Please send a JSON object."]
    return key, [plain(str(complaint.get("message", "")))]


def plain(complaint: str) -> str:
    """A decoder's complaint in the words of a form.

    >>> plain("Expected `int` <= 100")
    'Ensure this value is less than or equal to 100.'
    >>> plain("Expected `int`, got `str`")
    'A valid integer is required.'
    """
    complaint = complaint.partition(" - at ")[0]
    if complaint.startswith("Expected `int` >= "):
        return f"Ensure this value is greater than or equal to {complaint[18:]}."
    if complaint.startswith("Expected `int` <= "):
        return f"Ensure this value is less than or equal to {complaint[18:]}."
    if complaint.startswith("Invalid enum value "):
        return f'"{complaint[19:].strip(chr(39))}" is not a valid choice.'
    if complaint.startswith(("Expected `int", "Integer")):
        return "A valid integer is required."
    if complaint.startswith("Expected `str"):
        return "Not a valid string."
    return "Not a valid value."


def _unexpected(request: Request[Any, Any, Any], error: Exception) -> Response[Mapping[str, Any]]:
    log.error("unexpected error", path=request.url.path, method=request.method, exc_info=error)
    request.app.state.services.metrics.failures.labels("http").inc()
    return _answer(request, Rejected(500, "error", "Something went wrong on our side."))


HANDLERS: ExceptionHandlersMap = {
    Rejected: _answer,
    BadToken: _bad_token,
    Conflict: _conflict,
    Unavailable: _unavailable,
    HTTPException: _http,
    Exception: _unexpected,
}
