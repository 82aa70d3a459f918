"""What a user hears of its challenges and matches, and who is told to look.

A user's active matches are watched, so a move reaches the socket without a query. Challenges are
looked up when there is word of one, and every few seconds.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

import msgspec

from parlour.bus.api import Bus
from parlour.games.api import Millis, Seat
from parlour.games.connect_five.answers import ChallengeUpdate, MatchUpdate, snapshot
from parlour.games.connect_five.listing import Named, matches_of, recent_challenges
from parlour.net import notices, wallet
from parlour.net.feeds import Say, word
from parlour.net.paging import Cut
from parlour.net.services import Services
from parlour.play.match import Match, Update
from parlour.play.play import Play
from parlour.store.change import ChallengeRow

KIND: Final = "connect_five"
"""The word on the bus that a challenge of a user's changed."""

WATCHED_MAX = 500
"""So many of a user's active matches, the newest, are followed at once."""

LOOK_BACK_MS: Millis = 60_000
"""How late a commit may be, or another process's clock, for its word to be told all the same."""


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

    def stepped(self, update: Update) -> None:
        """A match took a step; if money moved, its owners should look."""
        match = update.after
        for seat in match.seats:
            paid = match.pot[seat.seat] != update.before.pot[seat.seat]
            if seat.user_id is not None and (paid or match.over):
                word(self._bus, seat.user_id, wallet.KIND)


class _Listener:
    """One user: what it was told, and what it watches."""

    def __init__(self, say: Say) -> None:
        self.say = say
        self.told: dict[str, str] = {}
        """The status that each recent challenge was last told to have."""
        self.watchers: dict[str, _Watcher] = {}


class _Watcher:
    """Says what happens to a match to one of its players, until it is over."""

    def __init__(self, play: Play, listener: _Listener, match_id: str, seat: Seat) -> None:
        self._play = play
        self._listener = listener
        self._match_id = match_id
        self._seat = seat
        listener.watchers[match_id] = self

    def moved(self, update: Update) -> None:
        self.show(update.after)
        if update.after.over:
            self.leave()

    def presence(self, match: Match, here: tuple[bool, bool]) -> None:
        """Clocks run whether or not anybody is there."""

    def show(self, match: Match) -> None:
        shown = snapshot(match, self._seat, self._play.clock())
        self._listener.say(msgspec.json.encode(MatchUpdate(shown)))

    def leave(self) -> None:
        self._listener.watchers.pop(self._match_id, None)
        self._play.unwatch(self._match_id, self)


class MatchNews:
    """The news of everyone who listens in this process."""

    def __init__(self, services: Services) -> None:
        self._store = services.store
        self._play = services.kernel.play
        self._listeners: dict[str, _Listener] = {}

    async def begin(self, user_id: str, say: Say) -> None:
        """Watch what is being played; the rest can be found in the lists."""
        listener = self._listeners[user_id] = _Listener(say)
        for named in await self._recent((user_id,)):
            listener.told[named.row.id] = named.row.status
        playing, _ = await matches_of(self._store, user_id, "active", Cut(1, WATCHED_MAX))
        for match_id in playing:
            await self._watch(user_id, match_id, show=False)

    async def look(self, users: Collection[str]) -> None:
        """Say which challenges changed, and watch the matches that came of them."""
        wanted = set(users)
        recent = await self._recent(users)
        for named in recent:
            for user_id in {named.row.challenger_id, named.row.opponent_id} & wanted:
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
        listener.told[row.id] = row.status
        listener.say(msgspec.json.encode(ChallengeUpdate(named.shown)))
        if row.match_id is not None:
            await self._watch(user_id, row.match_id, show=True)

    async def _watch(self, user_id: str, match_id: str, *, show: bool) -> None:
        live = await self._play.live(match_id)
        seat = live.match.seat_of(user_id) if live else None
        listener = self._listeners.get(user_id)
        if seat is None or listener is None or match_id in listener.watchers:
            return
        watcher = _Watcher(self._play, listener, match_id, seat)
        match = await self._play.watch(match_id, watcher)
        if show:
            watcher.show(match)
        if match.over or self._listeners.get(user_id) is not listener:
            watcher.leave()

    def end(self, user_id: str) -> None:
        """Nobody wants to know any more."""
        if listener := self._listeners.pop(user_id, None):
            for watcher in tuple(listener.watchers.values()):
                watcher.leave()

    async def _recent(self, users: Collection[str]) -> list[Named]:
        return await recent_challenges(self._store, users, self._play.clock() - LOOK_BACK_MS)
