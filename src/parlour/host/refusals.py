"""What the host itself refuses, whatever is played."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from parlour.games.api import Refused

WORDS: Final[Mapping[str, str]] = {
    "UNKNOWN_GAME": "There is no such game here.",
    "UNKNOWN_BOT": "This game has no such computer player.",
    "UNKNOWN_USER": "There is nobody of that name.",
    "INVALID_OPTIONS": "These options are not ones of this game.",
    "INVALID_ACTION": "That is nothing one can do in this game.",
    "NOT_SEATED": "You do not sit at this table.",
    "STALE": "The game moved on since. Look again.",
    "CANNOT_RESIGN": "This game cannot be given up.",
    "CANNOT_INVITE_YOURSELF": "Invite somebody else.",
    "ALREADY_INVITED": "You keep a seat for them already, at another table of this game.",
    "NO_SUCH_TABLE": "There is no such table.",
    "GAME_NOT_FINISHED": "Only a finished game is looked at.",
    "TOO_LONG": "This game is too long to be looked at move by move.",
    "NO_SUCH_POSITION": "The game did not come to such a position.",
    "NOTHING_LEFT": "The game was over there.",
    "HIDDEN": "What has been seen in this game cannot be unseen.",
    "PLAYED_FOR_STAKES": "A game for stakes begins with a challenge.",
}
"""The host's own refusals, for people."""


def refused(code: str) -> Refused:
    """One of the host's own refusals."""
    return Refused(code, WORDS[code])
