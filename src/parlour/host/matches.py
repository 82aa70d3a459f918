"""Finding matches, and looking at them through somebody's eyes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from hmac import compare_digest
from typing import Any, Final

from parlour.games.api import SEATS, Millis, Seen
from parlour.games.registry import AnyRules
from parlour.host.refusals import refused
from parlour.host.sight import Facts, Seats, SeatsOf, Sight
from parlour.play.kernel import Kernel
from parlour.play.match import Gone, Update
from parlour.play.other_rules import governing, refusal
from parlour.play.resident import Resident
from parlour.play.restore import restored
from parlour.store import queries

NOBODY: Final = (False, False)
"""Nobody has a connection, or it does not matter who does."""


class Matches:
    """Those of all games: as this process knows them, or as the store does."""

    def __init__(self, kernel: Kernel, rules: Callable[[str], AnyRules]) -> None:
        self._store = kernel.runtime.store
        self._games = kernel.runtime.rules
        self._finder = kernel.finder
        self._residents = kernel.residents
        self._presence = kernel.presence
        self._steps = kernel.steps
        self._deadlines = kernel.deadlines
        self._rules = rules

    async def by_code(self, game: str, code: str) -> Facts:
        """The table of that code."""
        match = await self.find_code(game, code)
        if match is None:
            raise refused("NO_SUCH_TABLE")
        return match

    async def find_code(self, game: str, code: str) -> Facts | None:
        """The table of that code, if there is one."""
        self._rules(game)
        return await self._finder.find_code(game, code.upper())

    async def look(self, match_id: str, seats: Seats | SeatsOf) -> Sight[Any]:
        """A match as the store has it, for whoever has these seats; `Gone` if there is none."""
        resident = await self._finder.must_be_playable(match_id, fresh=True)
        return self._seen_by(resident, seats(resident.match) if callable(seats) else seats)

    def at_hand(self, match_id: str, user_id: str) -> Sight[Any] | None:
        """A match in memory, to one of its players: perhaps an older version than the store's."""
        resident = self._residents.by_id.get(match_id)
        if resident is None or not resident.playable:
            return None
        seat = resident.match.seat_of(user_id)
        return None if seat is None else self._seen_by(resident, (seat,))

    async def look_by_public_id(
        self, game: str, public_id: str, seats: Seats | SeatsOf
    ) -> Sight[Any]:
        """As `look`, by the id that stands in addresses."""
        match = await self._finder.find_public(game, public_id.upper())
        if match is None:
            raise Gone
        return await self.look(match.id, seats)

    async def open_game(self, game: str, user_id: str) -> Sight[Any] | None:
        """The one match that a user has open, of a game that allows one."""
        match = await self._finder.open_match_of(game, user_id)
        resident = None if match is None else await self._finder.playable(match.id)
        return (
            None if resident is None else self._seen_by(resident, seats_of(user_id)(resident.match))
        )

    async def waiting(self, game: str, name: str) -> Facts | None:
        """The table of a game that waits for its second player: by code, public id or id."""
        if game not in self._games:
            return None
        word = name.upper()
        found = (
            await self._finder.find_code(game, word)
            or await self._finder.find_public(game, word)
            or await self._finder.find(name)
        )
        waits = found is not None and found.game == game and found.status == "waiting"
        return found if waits else None

    def _seen_by(self, resident: Resident, seats: Seats) -> Sight[Any]:
        seen = partial(self._presence.last_seen, resident)
        return Sight(resident.rules, resident.match, seats, self._presence.here(resident), seen)

    async def past(self, ids: Iterable[str]) -> list[Sight[Any]]:
        """Matches of a list as the store has them, to anybody's eyes."""
        stored = await queries.matches_by_id(self._store, list(ids))
        return [
            _past(governing(self._rules(each.match.game), each.match.rules_version), each)
            for each in stored
        ]

    def saw(self, sight: Sight[Any]) -> None:
        """Whoever holds these seats looked, which is a sign of life while the match is on."""
        resident = self._residents.by_id.get(sight.match.id)
        if resident is not None and not resident.match.over:
            for seat in sight.seats:
                self._presence.saw(resident, seat)

    async def in_use(self, match_id: str) -> None:
        """Somebody is there, be it without a seat: it is noted as a sign of life of its host, which
        is what every process looks for before a match lapses.
        """
        resident = await self._residents.get(match_id)
        if resident is not None:
            self._presence.saw(resident, 0)

    async def find(self, match_id: str) -> Facts | None:
        """A match as the store has it now; one that lapsed is none."""
        return await self._finder.find(match_id)

    async def known(self, match_id: str) -> Facts | None:
        """A match, be it one of other rules that cannot be played; one that lapsed is none."""
        resident = await self._residents.get(match_id)
        return None if resident is None or resident.match.status == "expired" else resident.match

    async def open_match_of(self, game: str, user_id: str) -> Facts | None:
        """The one match that somebody is in, of a game that allows one at a time."""
        return await self._finder.open_match_of(game, user_id)

    async def look_at(self, match_id: str, user_id: str | None) -> Sight[Any]:
        """Any match as it stands, through that user's eyes or everybody's; `Gone` if none is."""
        resident = await self._residents.reach(match_id)
        await self._steps.refresh(resident)
        match = resident.match
        seat = None if user_id is None else match.seat_of(user_id)
        seats: Seats = () if seat is None else (seat,)
        if seats and match.mode == "local":
            seats = SEATS
        return self._seen_by(resident, seats)

    async def look_as(self, user_id: str, game: str, match_id: str) -> Sight[Any]:
        """A user's own match of a game, as this process knows it; `Gone` to everybody else."""
        resident = await self._finder.playable(match_id)
        seat = resident.match.seat_of(user_id) if resident else None
        if resident is None or seat is None or resident.match.game != game:
            raise Gone
        return Sight(resident.rules, resident.match, (seat,), self._presence.here(resident))

    async def look_again(self, sight: Sight[Any]) -> Sight[Any]:
        """The same match as the store has it, past what was due; `Gone` if it is no more."""
        resident = await self._finder.must_be_playable(sight.match.id)
        # An operator's command is another process that no bus tells of.
        await self._steps.refresh(resident)
        await self._deadlines.due(resident)
        return Sight(resident.rules, resident.match, sight.seats, self._presence.here(resident))

    async def look_at_all(self, match_ids: Iterable[str], user_id: str) -> list[Sight[Any]]:
        """A user's matches as the store has them, in this order; who is there it does not say."""
        return [
            _own(governing(self._rules(each.match.game), each.match.rules_version), each, user_id)
            for each in await queries.matches_by_id(self._store, match_ids)
        ]

    def follow(self, game: str, follower: Callable[[Facts, Facts], None]) -> None:
        """From now on it hears of every step of a game that this process takes: the match as it
        was, and as it is.
        """

        def stepped(update: Update) -> None:
            follower(update.before, update.after)

        self._steps.subscribe(game, stepped)

    async def following(self, match_id: str) -> Facts | None:
        """The game that came of a match, if one did."""
        match = await self._finder.find(match_id)
        following = match.rematch_id if match is not None else None
        return None if following is None else await self._finder.find(following)

    async def proven(self, match_id: str, secret: str) -> Seats:
        """Which seats of a match are whose who knows that secret."""
        match = await self._finder.find(match_id)
        if match is None or not secret:
            return ()
        return tuple(row.seat for row in match.seats if _same(row.secret, secret))

    def must_be_playable(self, match: Facts) -> None:
        """Refuses what nobody can play any more: a match of other rules than those of today."""
        if match.rules_version != self._rules(match.game).version:
            raise refusal()


def seats_of(user_id: str) -> SeatsOf:
    """Where a user sits, if at all."""

    def found(match: Facts) -> Seats:
        seat = match.seat_of(user_id)
        return () if seat is None else (seat,)

    return found


def _past(rules: AnyRules, stored: queries.Stored) -> Sight[Any]:
    match = restored(rules, stored)
    seen = [match.started_at, match.started_at]
    acted = match.acted_at
    for row in stored.presence:
        seen[row.seat] = max(seen[row.seat] or 0, row.seen_at)
    last: Seen = (_later(seen[0], acted[0]), _later(seen[1], acted[1]))
    sight: Sight[Any] = Sight(rules, match, (), (False, False), lambda: last)
    return sight


def _later(one: Millis | None, other: Millis | None) -> Millis | None:
    return max(filter(None, (one, other)), default=None)


def _same(known: str | None, said: str) -> bool:
    return known is not None and compare_digest(known.encode(), said.encode())


def _own(rules: AnyRules, stored: queries.Stored, user_id: str) -> Sight[Any]:
    match = restored(rules, stored)
    seat = match.seat_of(user_id)
    return Sight(rules, match, () if seat is None else (seat,), NOBODY)
