"""Who is about to sit down, and why they may not."""

from __future__ import annotations

from msgspec import Struct

from parlour.play.match import Match


class Player(Struct, frozen=True, kw_only=True):
    """Someone about to sit down."""

    name: str
    user_id: str | None = None
    secret: str | None = None
    bot: str | None = None
    connection: str | None = None
    """The connection that holds the seat from the start, and its process."""
    process_id: str | None = None


class Busy(Exception):
    """A player has an open match of this game already."""

    def __init__(self, user_id: str, match: Match) -> None:
        super().__init__(user_id)
        self.user_id = user_id
        self.match = match
