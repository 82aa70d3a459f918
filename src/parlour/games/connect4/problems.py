"""What Connect 4 refuses with: code, status and words, the same over HTTP and the live socket."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from litestar import Request, Response
from litestar.openapi import ResponseSpec
from litestar.types import ExceptionHandlersMap
from msgspec import Struct

from parlour.games.api import Refused
from parlour.net.errors import GENERAL, TOO_MUCH, ErrorBody, Problem, answer
from parlour.play.play import Gone
from parlour.play.seating import Busy
from parlour.store.change import Conflict, Unavailable

WORDS: Mapping[str, tuple[int, str]] = {
    "GAME_NOT_FOUND": (404, "There is no such game."),
    "GAME_NOT_ACTIVE": (409, "This game is over."),
    "GAME_NOT_FINISHED": (409, "This game is not over yet."),
    "GAME_NOT_STARTED": (409, "This game has not started yet."),
    "GAME_ALREADY_STARTED": (409, "This game has two players already."),
    "NOT_YOUR_TURN": (403, "It is not your turn."),
    "NOT_IN_GAME": (403, "You are not one of the players."),
    "CANNOT_JOIN_OWN_GAME": (400, "You cannot join your own game."),
    "HAS_ACTIVE_GAME": (409, "There is another game to finish first."),
    "INVALID_COLUMN": (400, "A column is a number from 0 to 6."),
    "COLUMN_FULL": (400, "This column is full."),
    "INVALID_CODE_FORMAT": (400, "A code has six letters or digits, without I, O, 0 and 1."),
    "ALREADY_QUEUED": (409, "You are waiting for an opponent already."),
    "NOT_QUEUED": (400, "You are not waiting for an opponent."),
    "OPPONENT_NOT_ABANDONED": (400, "Your opponent is still there."),
    "USE_CLAIM_ABANDONED_ENDPOINT": (400, "Your opponent has left: claim the win."),
    "MOVE_CONFLICT": (409, "Somebody was quicker. Look at the game again."),
    "NO_OPPONENT": (400, "Nobody else played this game."),
}


class QueueError(ErrorBody, frozen=True, rename="camel", omit_defaults=True):
    """A refusal of the queue, which says in its own words where one stands."""

    status: str | None = None
    game_id: str | None = None
    public_id: str | None = None


def problem(code: str, **beside: str) -> Problem:
    """The refusal of that code, with further fields."""
    status, message = _words(code)
    return Problem(code, status, message, beside=beside)


def _words(code: str) -> tuple[int, str]:
    return WORDS.get(code) or GENERAL[code]


def refuses(*codes: str, body: type[Struct] = ErrorBody) -> dict[int, ResponseSpec]:
    """For a route's `responses`: the codes it may refuse with, beside those of every route."""
    by_status: dict[int, list[str]] = {}
    for code in (*codes, "UNAUTHORIZED", "UNAVAILABLE"):
        by_status.setdefault(_words(code)[0], []).append(code)
    return TOO_MUCH | {
        status: ResponseSpec(body, description=", ".join(found), generate_examples=False)
        for status, found in by_status.items()
    }


Known = Problem | Refused | Gone | Busy | Conflict | Unavailable
"""All that may be refused to a client in words."""

_CODES: Mapping[type[Exception], str] = {
    Gone: "GAME_NOT_FOUND",
    Busy: "HAS_ACTIVE_GAME",
    Conflict: "MOVE_CONFLICT",
    Unavailable: "UNAVAILABLE",
}


def problem_of(error: Known) -> Problem:
    """What the rules, the kernel or the store refused, as a client gets it."""
    if isinstance(error, Problem):
        return error
    if isinstance(error, Refused):
        # Not active, yet neither waiting nor finished: the game was given up.
        return problem("GAME_NOT_FOUND" if error.code == "NOT_ACTIVE" else error.code)
    return problem(_CODES[type(error)])


def _refuse(request: Request[Any, Any, Any], error: Known) -> Response[dict[str, Any]]:
    return answer(request, problem_of(error))


REFUSALS: ExceptionHandlersMap = dict.fromkeys((Refused, Gone, Busy, Conflict), _refuse)
"""For the routes: these errors of the layers below are refusals."""
