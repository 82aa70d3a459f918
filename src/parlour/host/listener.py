"""One who hears of any number of matches, of each until it is over, and holds no seat for it.

Laws:

* Whoever listens is told of every step after the match that `listen` gave, once and in order.
* With the step that ends a match, or with the end of listening, nothing of it is kept.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from parlour.games.api import Seat
from parlour.host.audience import Audience, Voice
from parlour.host.host import Host
from parlour.host.sight import Facts, Seats, SeatsOf, Sight
from parlour.play.match import Gone


class Listener:
    """What is said of its matches goes out by `send`, framed, in the words of its voice."""

    def __init__(self, host: Host, voice: Voice[Any], send: Callable[[bytes], None]) -> None:
        self._host = host
        self._ears: dict[str, _Ear] = {}
        self._ended = False
        self.voice = voice
        self.send = send

    async def listen(self, match_id: str, seats_of: SeatsOf) -> Sight[Any] | None:
        """The match, of which one hears from now on unless it is over.

        None: there is none, one has no seat there, or hears of it already.
        """
        if match_id in self._ears:
            return None
        try:
            audience = await self._host.audience(match_id)
        except Gone:
            return None
        seats = seats_of(audience.match)
        ear = _Ear(self, audience)
        if not seats or self._ended or match_id in self._ears:
            self._leave(ear)
            return None
        self._ears[match_id] = ear
        sight = audience.enter(ear, seats)
        self.heard(ear)
        return sight

    def heard(self, ear: _Ear) -> None:
        """All has been said of a match that is over."""
        if ear.audience.match.over:
            self._leave(ear)

    def end(self) -> None:
        """Listen to nothing any more."""
        self._ended = True
        for ear in tuple(self._ears.values()):
            self._leave(ear)

    def _leave(self, ear: _Ear) -> None:
        match_id = ear.audience.match.id
        if self._ears.get(match_id) is ear:
            del self._ears[match_id]
        ear.audience.leave(ear)
        self._host.release(match_id)


class _Ear:
    """A listener at one of its matches, as audiences know it (see `Viewer`)."""

    reclaims = False

    def __init__(self, listener: Listener, audience: Audience) -> None:
        self._listener = listener
        self.audience = audience

    @property
    def voice(self) -> Voice[Any]:
        return self._listener.voice

    def send_framed(self, frames: bytes) -> None:
        self._listener.send(frames)
        self._listener.heard(self)

    def dismissed(self, match_id: str) -> None:
        del match_id
        self._listener.heard(self)

    def ended(self, match_id: str) -> None:
        """It was told so, and left with that."""

    def goes_on(self, old_id: str, following_id: str) -> None:
        """The next match is another one."""

    def claims(self, match: Facts) -> Seats:
        """It listens where it has a seat, or not at all."""
        del match
        return ()

    async def reclaim(self, match_id: str, seat: Seat) -> None:
        """There is no seat to hold."""
