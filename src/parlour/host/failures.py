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
from parlour.people.tokens import BadToken
from parlour.play.play import Gone
from parlour.play.queue import AlreadyQueued
from parlour.play.seating import Busy
from parlour.store.change import Conflict, Taken, Unavailable

__all__ = ["FAILURES", "Failure", "Gone", "failure_of"]

_WORDS: Final[Mapping[type[Exception], tuple[str, str]]] = {
    Busy: ("BUSY", "You are in a game already. Finish it first."),
    AlreadyQueued: ("ALREADY_SEEKING", "You are looking for an opponent already."),
    Gone: ("NO_SUCH_TABLE", "There is no such table."),
    Conflict: ("CONFLICT", "Somebody was quicker. Please look again."),
    Taken: ("CONFLICT", "Somebody was quicker. Please look again."),
    Unavailable: ("UNAVAILABLE", GENERAL["UNAVAILABLE"][1]),
    BadToken: ("BAD_TOKEN", "This token is not valid."),
}

FAILURES: Final[tuple[type[Exception], ...]] = (
    Refused,
    RateLimited,
    msgspec.DecodeError,
    UnicodeDecodeError,
    RecursionError,
    *_WORDS,
)
"""What a surface catches."""


class Failure(Struct, frozen=True):
    """Why something was not done."""

    code: str
    words: str
    match_id: str | None = None
    """The match to finish first, where there is one."""
    field: str | None = None
    """What of the wish is at fault, where it is one part."""


def failure_of(error: Exception) -> Failure:
    """One of `FAILURES`, for a client."""
    if isinstance(error, Refused):
        return Failure(error.code, error.detail, field=error.field)
    if isinstance(error, RateLimited):
        return Failure("RATE_LIMITED", str(error))
    if isinstance(error, (msgspec.DecodeError, UnicodeDecodeError, RecursionError)):
        return Failure("INVALID_MESSAGE", str(error))
    code, words = _WORDS[type(error)]
    return Failure(code, words, error.match.id if isinstance(error, Busy) else None)
