"""Finding matches by what people know of them, as the store has them at the time."""

from __future__ import annotations

from parlour.games.api import Millis
from parlour.play.match import Gone, Match
from parlour.play.resident import Resident
from parlour.play.residents import Residents
from parlour.play.runtime import Runtime
from parlour.play.steps import Steps
from parlour.store import queries


class Finder:
    """Finds what can be played: not what lapsed, nor what goes by other rules than today's."""

    def __init__(self, runtime: Runtime, residents: Residents, steps: Steps) -> None:
        self._runtime = runtime
        self._residents = residents
        self._steps = steps

    async def playable(self, match_id: str, *, fresh: bool = False) -> Resident | None:
        """A match in memory, loaded if need be; `fresh`: no older than this call."""
        remembered = match_id in self._residents.by_id
        resident = await self._residents.get(match_id)
        if resident is not None and remembered and fresh and not self._runtime.bus.alone:
            await self._steps.refresh(resident)
        return resident if resident is not None and resident.playable else None

    async def must_be_playable(self, match_id: str, *, fresh: bool = False) -> Resident:
        """As `playable`; `Gone` if there is none."""
        resident = await self.playable(match_id, fresh=fresh)
        if resident is None:
            raise Gone
        return resident

    async def find(self, match_id: str) -> Match | None:
        """The match as the store has it now, or None; one that lapsed is none."""
        resident = await self.playable(match_id, fresh=True)
        return resident.match if resident else None

    async def find_public(self, game: str, public_id: str) -> Match | None:
        """By the id that is shown in addresses."""
        known = self._residents.of_public_id(game, public_id)
        if known is not None and self._runtime.bus.alone:
            return known.match if known.playable else None
        return await self._admitted(
            await queries.match_by_public_id(self._runtime.store, game, public_id)
        )

    async def find_code(self, game: str, code: str) -> Match | None:
        """By private code or room name."""
        return await self._admitted(await queries.match_by_code(self._runtime.store, game, code))

    async def open_match_of(self, game: str, user_id: str) -> Match | None:
        """The user's one open match of a game that allows one."""
        return await self._admitted(await queries.open_match_of(self._runtime.store, user_id, game))

    async def seated_by(self, game: str, user_id: str, secret: str, since: Millis) -> Match | None:
        """The user's open match in which that secret proves their seat, if it began since then."""
        found = await queries.match_seated_by(self._runtime.store, user_id, game, secret, since)
        return await self._admitted(found)

    async def _admitted(self, stored: queries.Stored | None) -> Match | None:
        """A match just read; what memory has of it, caught up."""
        if stored is None:
            return None
        resident = self._residents.admit(stored)
        if stored.version > resident.match.version:
            await self._steps.refresh(resident)
        return resident.match if resident.playable else None
