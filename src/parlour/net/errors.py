"""Refusals as values, whatever shape a client gets them in: the code, the status and the words.

A surface raises `Problem`, or lets errors of the layers below pass; see `handler`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from litestar.openapi import ResponseSpec
from msgspec import Struct


class Problem(Exception):
    """A refusal as a client gets it.

    `beside` stands next to code and words, `form` instead of them, in the shapes that have it so.
    """

    def __init__(
        self,
        code: str,
        status: int,
        message: str = "",
        *,
        beside: Mapping[str, Any] | None = None,
        form: Mapping[str, list[str]] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(code)
        self.code = code
        self.status = status
        self.message = message or GENERAL.get(code, (status, code))[1]
        self.beside = beside or {}
        self.form = form or {}
        """What is wrong with each field of the request."""
        self.headers = headers or {}

    @classmethod
    def general(cls, code: str) -> Problem:
        """One of those that any route may answer with."""
        status, message = GENERAL[code]
        return Problem(code, status, message)


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
    "NOT_A_GUEST": (403, "Only guests have a recovery code. Sign in as you did before."),
    "UNKNOWN_CODE": (404, "No account has this recovery code, or it was used before."),
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


TOO_MUCH: dict[int, ResponseSpec] = {
    414: ResponseSpec(ErrorBody, description="the address is too long", generate_examples=False),
    429: ResponseSpec(
        ErrorBody, description="too much at once: see `Retry-After`", generate_examples=False
    ),
}
"""What any route may answer."""


def responses(*statuses: int) -> dict[int, ResponseSpec]:
    """For a route's `responses`: that it refuses in this shape with these statuses."""
    refused = ResponseSpec(ErrorBody, description="refused", generate_examples=False)
    return dict.fromkeys(statuses, refused) | TOO_MUCH
