"""A room: the sockets in it in this process, and the match that is played there.

Laws:

* Whoever is connected to a room is there: it hears what happens, and of the next game too.
* While anybody is there, with a seat or without, in any process, the room does not lapse.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Final, Protocol

from parlour.host.host import Host
from parlour.host.sight import Facts
from parlour.store.change import Unavailable

GAME: Final = "quarto"


class InRoom(Protocol):
    """A socket, as its room knows it."""

    async def look_on(self, match_id: str) -> None:
        """Hear of a match, without being told how it stands."""
        ...


class Room:
    """One that somebody in this process is in."""

    def __init__(self, host: Host, code: str, kept_every_sec: float) -> None:
        self.code = code
        self.visitors: list[InRoom] = []
        self.match_id: str | None = None
        """The match that is played here, as far as is known."""
        self._host = host
        self._kept_every_sec = kept_every_sec
        self._timer: asyncio.TimerHandle | None = None

    def enter(self, visitor: InRoom) -> None:
        """One more."""
        self.visitors.append(visitor)
        if self._timer is None:
            self._arm()

    def leave(self, visitor: InRoom) -> None:
        """One less."""
        self.visitors.remove(visitor)
        if not self.visitors and self._timer is not None:
            self._timer.cancel()
            self._timer = None

    async def find(self) -> Facts:
        """The match that is played in this room now; `Refused` if there is none."""
        match = await self._host.matches.by_code(GAME, self.code)
        await self.turn_to(match.id)
        return match

    async def turn_to(self, match_id: str) -> None:
        """Everybody in the room hears of that match."""
        self.match_id = match_id
        for visitor in tuple(self.visitors):
            await visitor.look_on(match_id)

    # --- that it does not lapse -------------------------------------------------------------

    async def keep(self) -> Facts | None:
        """The match that is played here, if there is one; other processes see that it is in use."""
        match = await self._host.matches.find_code(GAME, self.code)
        if match is not None:
            await self._host.matches.in_use(match.id)
        return match

    def _arm(self) -> None:
        loop = asyncio.get_running_loop()
        self._timer = loop.call_later(self._kept_every_sec, self._ring)

    def _ring(self) -> None:
        self._arm()
        self._host.runtime.background.spawn(self._keep_on())

    async def _keep_on(self) -> None:
        with suppress(Unavailable):  # nothing lapses without a store, and there is a next time
            await self.keep()
