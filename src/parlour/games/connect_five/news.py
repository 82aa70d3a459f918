"""What a user hears of its challenges and matches, and who is told to look.

A user listens at its active matches, so a move reaches the socket without a query. Challenges are
looked up when there is word of one, and every few seconds.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Final

import msgspec

from parlour.bus.api import Bus
from parlour.games.api import Millis, Seat
from parlour.games.connect_five.answers import (
    ChallengeUpdate,
    MatchSight,
    MatchUpdate,
    snapshot,
    staked,
)
from parlour.games.connect_five.listing import Named, playing, recent_challenges
from parlour.games.connect_five.table import View
from parlour.host.audience import Audience, Voice
from parlour.host.host import Host
from parlour.host.sight import Facts, StepSeen
from parlour.net import notices, wallet
from parlour.net.feeds import Say, word
from parlour.net.services import Services
from parlour.net.sockets import framed
from parlour.play.clock import Clock
from parlour.play.play import Gone
from parlour.play.rounds import one_of_many
from parlour.store.change import ChallengeRow

KIND: Final = "connect_five"
"""The word on the bus that a challenge of a user's changed."""

WATCHED_MAX = 500
"""So many of a user's active matches, the newest, are followed at once."""

LOOK_BACK_MS: Millis = 60_000
"""How late a commit may be, or another process's clock, for its word to be told all the same."""


encode = msgspec.json.encode


class Words:
    """Tells feeds in every process to look, once something is durable."""

    def __init__(self, bus: Bus) -> None:
        self._bus = bus

    def challenged(self, row: ChallengeRow) -> None:
        """A challenge was made or answered, and somebody's money moved."""
        for user_id in (row.challenger_id, row.opponent_id):
            word(self._bus, user_id, KIND)
        payer = row.opponent_id if row.status == "accepted" else row.challenger_id
        word(self._bus, payer, wallet.KIND)
        if row.status == "pending":
            word(self._bus, row.opponent_id, notices.KIND)

    def stepped(self, step: StepSeen[View]) -> None:
        """A match took a step; if money moved, its owners should look."""
        before, match = step.before.match, step.after.match
        for seat in match.seats:
            paid = match.pot[seat.seat] != before.pot[seat.seat]
            if seat.user_id is not None and (paid or match.over):
                word(self._bus, seat.user_id, wallet.KIND)


class MatchVoice(Voice[View]):
    """After every step a player is told how the match stands."""

    def __init__(self, clock: Clock, currency: str) -> None:
        self._clock = clock
        self._currency = currency

    def step(self, step: StepSeen[View]) -> Iterable[bytes]:
        """Whoever took it, and whatever it was."""
        yield self.shown(step.after)

    def presence(self, sight: MatchSight, before: tuple[bool, bool]) -> Iterable[bytes]:
        """Clocks run whether or not anybody is there."""
        del sight, before
        return ()

    def next_game(self, sight: MatchSight, following: Facts) -> Iterable[bytes]:
        """Each match has a challenge of its own."""
        del sight, following
        return ()

    def shown(self, sight: MatchSight) -> bytes:
        """A match as it stands."""
        return encode(MatchUpdate(snapshot(sight, self._clock(), self._currency)))


class _Listener:
    """One user: what it was told, and at which matches it listens."""

    def __init__(self, say: Say) -> None:
        self.say = say
        self.told: dict[str, str] = {}
        """The status that each recent challenge was last told to have."""
        self.ears: dict[str, _Ear] = {}


class _Ear:
    """Where a user listens at one match until it is over. It holds no seat: clocks run anyway."""

    reclaims = False

    def __init__(
        self, host: Host, voice: MatchVoice, listener: _Listener, audience: Audience
    ) -> None:
        self._host = host
        self._listener = listener
        self._audience = audience
        self.voice = voice

    def send_framed(self, frames: bytes) -> None:
        """To all sockets of the user."""
        self._listener.say(frames)
        if self._audience.match.over:
            self.leave()

    def leave(self) -> None:
        """Listen no longer."""
        match_id = self._audience.match.id
        self._listener.ears.pop(match_id, None)
        self._audience.leave(self)
        self._host.release(match_id)

    def dismissed(self, match_id: str) -> None:
        """There is no such match any more."""
        del match_id
        self.leave()

    def goes_on(self, old_id: str, following_id: str) -> None:
        """There is news of the next match's own challenge."""

    async def reclaim(self, match_id: str, seat: Seat) -> None:
        """No seat is held here."""


class MatchNews:
    """The news of everyone who listens in this process."""

    def __init__(self, services: Services, host: Host) -> None:
        self._store = services.store
        self._host = host
        self._play = services.kernel.play
        self._voice = MatchVoice(self._play.clock, services.settings.default_currency_ticker)
        self._listeners: dict[str, _Listener] = {}

    async def begin(self, user_id: str, say: Say) -> None:
        """Listen at what is being played; the rest can be found in the lists."""
        listener = self._listeners[user_id] = _Listener(say)
        for named in await self._recent((user_id,)):
            listener.told[named.row.id] = named.row.status
        for match_id in await playing(self._store, user_id, WATCHED_MAX):
            sight = await self._listen(user_id, match_id)
            if sight is not None and sight.match.over:
                listener.ears[match_id].leave()

    async def look(self, users: Collection[str]) -> None:
        """Say which challenges changed, and listen at the matches that came of them."""
        wanted = set(users)
        recent = await self._recent(users)
        for named in recent:
            for user_id in {named.row.challenger_id, named.row.opponent_id} & wanted:
                with one_of_many("news of a challenge", challenge_id=named.row.id):
                    await self._tell(user_id, named)
        still_recent = {named.row.id for named in recent}
        for user_id in users:
            if listener := self._listeners.get(user_id):
                for old in listener.told.keys() - still_recent:
                    del listener.told[old]

    async def _tell(self, user_id: str, named: Named) -> None:
        listener, row = self._listeners.get(user_id), named.row
        if listener is None or listener.told.get(row.id) == row.status:
            return
        # What can fail comes first: whoever was told is not told again.
        sight = None if row.match_id is None else await self._listen(user_id, row.match_id)
        listener.told[row.id] = row.status
        listener.say(framed(encode(ChallengeUpdate(named.shown))))
        if sight is not None:
            listener.ears[sight.match.id].send_framed(framed(self._voice.shown(sight)))

    async def _listen(self, user_id: str, match_id: str) -> MatchSight | None:
        """The match, at which that user listens from now on; None: there is nothing new."""
        listener = self._listeners.get(user_id)
        if listener is None or match_id in listener.ears:
            return None
        try:
            audience = await self._host.audience(match_id)
        except Gone:
            return None
        seat = audience.match.seat_of(user_id) if staked(audience.match) else None
        if seat is None or self._listeners.get(user_id) is not listener:
            self._host.release(match_id)
            return None
        ear = listener.ears[match_id] = _Ear(self._host, self._voice, listener, audience)
        return audience.enter(ear, (seat,))

    def end(self, user_id: str) -> None:
        """Nobody wants to know any more."""
        if listener := self._listeners.pop(user_id, None):
            for ear in tuple(listener.ears.values()):
                ear.leave()

    async def _recent(self, users: Collection[str]) -> list[Named]:
        return await recent_challenges(self._store, users, self._play.clock() - LOOK_BACK_MS)
