"""What Connect 4 refuses with: code, status and words, the same over HTTP and the live socket."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from litestar.openapi import ResponseSpec
from msgspec import Struct

from parlour.net.errors import TOO_MUCH, ErrorBody, Problem
from parlour.net.failures import FAILURES
from parlour.net.surface import Surface

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


class BusyError(ErrorBody, frozen=True, rename="camel", omit_defaults=True):
    """A refusal that leads to the game one is in, where that is why."""

    game_id: str | None = None
    public_id: str | None = None


class QueueError(BusyError, frozen=True, rename="camel", omit_defaults=True):
    """A refusal of the queue, which says in its own words where one stands."""

    status: str | None = None


SURFACE: Final = Surface(
    words=WORDS,
    codes={
        "NO_SUCH_TABLE": "GAME_NOT_FOUND",
        "BUSY": "HAS_ACTIVE_GAME",
        "CONFLICT": "MOVE_CONFLICT",
        # Not active, yet neither waiting nor finished: the game was given up.
        "NOT_ACTIVE": "GAME_NOT_FOUND",
    },
)

problem = SURFACE.problem
problem_of = SURFACE.problem_of

REFUSED: Final[tuple[type[Exception], ...]] = (Problem, *FAILURES)
"""What the live socket tells its client of."""


def refuses(*codes: str, body: type[Struct] = ErrorBody) -> dict[int, ResponseSpec]:
    """For a route's `responses`: the codes it may refuse with, beside those of every route."""
    by_status: dict[int, list[str]] = {}
    for code in (*codes, "UNAUTHORIZED", "UNAVAILABLE"):
        by_status.setdefault(SURFACE.status_and_words(code)[0], []).append(code)
    return TOO_MUCH | {
        status: ResponseSpec(body, description=", ".join(found), generate_examples=False)
        for status, found in by_status.items()
    }
