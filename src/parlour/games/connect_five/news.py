"""What a user hears of its challenges and matches, and who is told to look.

A user listens at its active matches, so a move reaches the socket without a query. Challenges are
looked up when there is word of one, and every few seconds.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

import msgspec

from parlour.bus.api import Bus
from parlour.games.api import Millis
from parlour.games.connect_five.answers import (
    ChallengeUpdate,
    MatchSight,
    Named,
    staked,
)
from parlour.games.connect_five.listing import playing, recent_challenges
from parlour.games.connect_five.numbers import MatchNumbers, Numbers
from parlour.games.connect_five.said import told
from parlour.games.connect_five.table import View
from parlour.host.audience import Voice
from parlour.host.host import Host
from parlour.host.listener import Listener
from parlour.host.sight import Facts, Seats, StepSeen
from parlour.net import notices, wallet
from parlour.net.feeds import Say, word
from parlour.net.services import Services
from parlour.net.session import framed
from parlour.play.clock import Clock
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
        told = row.opponent_id if row.status == "pending" else row.challenger_id
        word(self._bus, told, notices.KIND)

    def stepped(self, before: Facts, match: Facts) -> None:
        """A match took a step; if money moved, its owners should look."""
        if match.pot == before.pot and not match.over:
            return
        for seat in match.seats:
            paid = match.pot[seat.seat] != before.pot[seat.seat]
            if seat.user_id is not None and (paid or match.over):
                word(self._bus, seat.user_id, wallet.KIND)


class MatchVoice(Voice[View]):
    """After every step a player is told how the match stands; clocks run, whoever is there."""

    def __init__(self, clock: Clock, currency: str) -> None:
        self._clock = clock
        self._currency = currency
        self.numbers: dict[str, MatchNumbers] = {}
        """What each match is called that is listened to."""

    def step(self, step: StepSeen[View]) -> tuple[bytes]:
        """Whoever took it, and whatever it was."""
        match = step.after.match
        shown = self.shown(step.after, self.numbers[match.id])
        if match.over:
            del self.numbers[match.id]
        return (shown,)

    def shown(self, sight: MatchSight, numbers: MatchNumbers) -> bytes:
        """A match as it stands."""
        return told(sight, numbers, self._clock(), self._currency)


class _Reader:
    """One user: the matches it hears of, and what it was told of challenges."""

    def __init__(self, user_id: str, host: Host, voice: MatchVoice, say: Say) -> None:
        self._user_id = user_id
        self.voice = voice
        self.matches = Listener(host, voice, say)
        self.told: dict[str, str] = {}
        """The status that each recent challenge was last told to have."""

    async def listen(self, match_id: str, numbers: MatchNumbers) -> MatchSight | None:
        """From now on it hears of a match; as that stands, unless it heard of it before."""
        if match_id in self.voice.numbers:
            return None
        self.voice.numbers[match_id] = numbers
        sight = None
        try:
            sight = await self.matches.listen(match_id, self._seats_of)
        finally:
            if sight is None or sight.match.over:
                del self.voice.numbers[match_id]
        return sight

    def _seats_of(self, match: Facts) -> Seats:
        """Where it sits, in a match that came of a challenge."""
        seat = match.seat_of(self._user_id) if staked(match) else None
        return () if seat is None else (seat,)


class MatchNews:
    """The news of everyone who listens in this process."""

    def __init__(self, services: Services, host: Host, numbers: Numbers) -> None:
        self._store = services.store
        self._host = host
        self._clock = services.kernel.runtime.clock
        self._numbers = numbers
        self._currency = services.settings.default_currency_ticker
        self._readers: dict[str, _Reader] = {}

    async def begin(self, user_id: str, say: Say) -> None:
        """Listen at what is being played; the rest can be found in the lists."""
        voice = MatchVoice(self._clock, self._currency)
        reader = self._readers[user_id] = _Reader(user_id, self._host, voice, say)
        for named in await self._recent((user_id,)):
            reader.told[named.row.id] = named.row.status
        played = await self._numbers.of_all(await playing(self._store, user_id, WATCHED_MAX))
        for match_id, numbers in played.items():
            await reader.listen(match_id, numbers)

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
            if reader := self._readers.get(user_id):
                for old in reader.told.keys() - still_recent:
                    del reader.told[old]

    async def _tell(self, user_id: str, named: Named) -> None:
        reader, row = self._readers.get(user_id), named.row
        if reader is None or reader.told.get(row.id) == row.status:
            return
        messages = [encode(ChallengeUpdate(named.shown))]
        # What can fail comes first: whoever was told is not told again.
        if row.match_id is not None and (numbers := await self._numbers.of(row.match_id)):
            begun = await reader.listen(row.match_id, numbers)
            if begun is not None:
                messages.append(reader.voice.shown(begun, numbers))
        reader.told[row.id] = row.status
        for message in messages:
            reader.matches.send(framed(message))

    def end(self, user_id: str) -> None:
        """Nobody wants to know any more."""
        if reader := self._readers.pop(user_id, None):
            reader.matches.end()

    async def _recent(self, users: Collection[str]) -> list[Named]:
        return await recent_challenges(self._store, users, self._clock() - LOOK_BACK_MS)
