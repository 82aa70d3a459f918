"""All that can be refused to a client, by one code and one sentence each, for every surface.

A surface that has words of its own for some of it says so in a table, and in no other way.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import msgspec
from msgspec import Struct

from parlour.games.api import Refused
from parlour.net.errors import GENERAL
from parlour.net.limits import RateLimited
from parlour.people.recovery import NotAGuest, UnknownCode
from parlour.people.tokens import BadToken
from parlour.people.users import NameRefused, UnknownUser
from parlour.play.match import Gone
from parlour.play.player import Busy
from parlour.play.queue import AlreadyQueued
from parlour.store.change import Conflict, Taken, Unavailable

__all__ = ["FAILURES", "REFUSALS", "Failure", "Gone", "failure_of"]


class Failure(Struct, frozen=True):
    """Why something was not done."""

    code: str
    words: str
    match_id: str | None = None
    """The match to finish first, where there is one."""
    status: int = 409
    """What it is over HTTP."""
    field: str | None = None
    """What of the wish is at fault, where it is one part."""


def _general(code: str) -> Failure:
    status, words = GENERAL[code]
    return Failure(code, words, status=status)


_FAILURES: Final[Mapping[type[Exception], Failure]] = {
    Busy: Failure("BUSY", "You are in a game already. Finish it first."),
    AlreadyQueued: Failure("ALREADY_SEEKING", "You are looking for an opponent already."),
    Gone: Failure("NO_SUCH_TABLE", "There is no such table.", status=404),
    Conflict: _general("CONFLICT"),
    Taken: _general("CONFLICT"),
    Unavailable: _general("UNAVAILABLE"),
    BadToken: Failure("BAD_TOKEN", "This token is not valid.", status=401),
    UnknownUser: _general("USER_NOT_FOUND"),
    NotAGuest: _general("NOT_A_GUEST"),
    UnknownCode: _general("UNKNOWN_CODE"),
}

REFUSALS: Final[tuple[type[Exception], ...]] = (Refused, RateLimited, NameRefused, *_FAILURES)
"""What the layers below refuse."""

FAILURES: Final[tuple[type[Exception], ...]] = (
    *REFUSALS,
    msgspec.DecodeError,
    UnicodeDecodeError,
    RecursionError,
)
"""What the surface of a socket catches: that, and what decoding says of a message that is none."""


def failure_of(error: Exception) -> Failure:
    """One of `FAILURES`, for a client."""
    if isinstance(error, Refused):
        return Failure(error.code, error.detail, field=error.field)
    if isinstance(error, RateLimited):
        return Failure("RATE_LIMITED", str(error), status=429)
    if isinstance(error, NameRefused):
        return _general(error.code)
    if isinstance(error, (msgspec.DecodeError, UnicodeDecodeError, RecursionError)):
        return Failure("INVALID_MESSAGE", str(error), status=400)
    found = _FAILURES[type(error)]
    if isinstance(error, Busy):
        return Failure(found.code, found.words, error.match.id)
    return found
