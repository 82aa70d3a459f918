"""A room: the sockets in it in this process, and the match that is played there."""

from __future__ import annotations

from typing import Final, Protocol

from parlour.host.matches import Matches
from parlour.host.sight import Facts

GAME: Final = "quarto"


class InRoom(Protocol):
    """A socket, as its room knows it."""

    async def look_on(self, match_id: str) -> None:
        """Hear of a match, without being told how it stands."""
        ...


class Room:
    """Whoever is connected to a room is there: it hears what happens, and of the next game too."""

    def __init__(self, matches: Matches, code: str) -> None:
        self.code = code
        self.visitors: list[InRoom] = []
        self.match_id: str | None = None
        """The match that is played here, once somebody in this process had to know."""
        self._matches = matches

    async def find(self) -> Facts:
        """The match that is played in this room now; `Refused` if there is none."""
        match = await self._matches.by_code(GAME, self.code)
        await self.turn_to(match.id)
        return match

    async def turn_to(self, match_id: str) -> None:
        """Everybody in the room hears of that match."""
        self.match_id = match_id
        for visitor in tuple(self.visitors):
            await visitor.look_on(match_id)
