"""Word to somebody who waits elsewhere that their game has begun."""

from __future__ import annotations

from typing import Final

import msgspec
from msgspec import Struct

from parlour.games.api import Millis
from parlour.host.sight import Facts
from parlour.store.change import NotificationRow

BEGUN: Final = "GAME_BEGUN"
"""The type of the notification that says so."""


class Begun(Struct, frozen=True, kw_only=True):
    """Which game, and who came; what of it stands in an address depends on the game."""

    match: str
    public_id: str
    game: str
    mode: str
    code: str | None
    challenge: str | None
    opponent: str


def begun(notification_id: str, match: Facts, opponent: str, at: Millis) -> NotificationRow | None:
    """For whoever opened a table or sent a challenge; None if they have no account."""
    user_id = match.seats[0].user_id
    if user_id is None:
        return None
    word = Begun(
        match=match.id,
        public_id=match.public_id,
        game=match.game,
        mode=match.mode,
        code=match.code,
        challenge=match.escrow_id,
        opponent=opponent,
    )
    return NotificationRow(
        id=notification_id,
        user_id=user_id,
        type=BEGUN,
        payload=msgspec.json.encode(word),
        created_at=at,
    )
