"""What Memory refuses with on its socket: a stable code and a sentence, in which clients find the
words that they look for.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from parlour.games.api import Refused
from parlour.games.memory.messages import Error
from parlour.net.failures import Failure

WORDS: Final[Mapping[str, str]] = {
    "AUTH_NOT_CONFIGURED": "Server auth not configured.",
    "ALREADY_SIGNED_IN": "You are signed in already.",
    "NO_NAME": "Choose a name first: send set_name.",
    "ALREADY_WAITING": "You are already waiting for a match.",
    "NOT_WAITING": "You are not waiting for a match.",
    "IN_GAME": "You are in a game. Go on with it first: send rejoin_my_game.",
    "NOT_IN_GAME": "You are not in a game.",
    "NO_ACTIVE_GAME": "No active game for this user.",
    "GAME_NOT_FOUND": "Game not found. It may be over.",
    "INVALID_REJOIN_TOKEN": "Invalid rejoin token.",
    "GAME_OVER": "This game is over.",
    "CALLED_OFF": "This game was called off.",
    "REPLACED": "You go on from another window or device.",
    "CONFLICT": "Too much happened at once. Please try again.",
}
"""Memory's own."""

CODES: Final[Mapping[str, str]] = {
    "ALREADY_SEEKING": "ALREADY_WAITING",
    "BUSY": "IN_GAME",
    "NO_SUCH_TABLE": "GAME_NOT_FOUND",
    "NOT_ACTIVE": "GAME_OVER",
    "CONFLICT": "CONFLICT",
}
"""What it says in its own words of what the host refuses."""


def refused(code: str) -> Refused:
    """One of its own refusals."""
    return Refused(code, WORDS[code])


def error(code: str) -> Error:
    """One of its own refusals, as a message."""
    return Error(WORDS[code], code)


def error_of(failure: Failure) -> Error:
    """What the layers below refused. What the rules call `not_your_turn` is upper case here."""
    if (code := CODES.get(failure.code)) is not None:
        return error(code)
    return Error(failure.words, failure.code.upper())
