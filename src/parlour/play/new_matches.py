"""New matches: made as a value from a blank one, and then durable whole or not at all.

One open match per user where a game asks for it is enforced by the database; here it becomes
`Busy`, which says which match that is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from parlour.games.api import SEATS, Seat
from parlour.games.away import patient
from parlour.play.deciding import Decider, Plan, Wanted
from parlour.play.finding import Finder
from parlour.play.match import Kind, Match, Position, has_bot
from parlour.play.player import Busy, Player
from parlour.play.residents import Residents
from parlour.play.runtime import Runtime
from parlour.store import queries
from parlour.store.change import Arrive, Change, Conflict, SeatRow, Taken, Unavailable, Write

NAMES_TRIED = 5
"""How many random codes or ids are tried before giving up; a clash is one in 2**30."""

PUBLIC_ID_LENGTH = 8
FIRST_RATING = 1000

WithMatch = Callable[[Match], tuple[Write, ...]]
"""What becomes durable together with a new match, by what that turns out to be."""


class New(Struct, frozen=True):
    """A match that is about to begin: not durable yet."""

    match: Match
    writes: tuple[Write, ...]
    arrivals: tuple[Arrive, ...]
    """Who holds a seat from the start."""


class NewMatches:
    """Makes them."""

    def __init__(
        self, runtime: Runtime, decider: Decider, residents: Residents, finder: Finder
    ) -> None:
        self._runtime = runtime
        self._decider = decider
        self._residents = residents
        self._finder = finder

    async def blank(
        self,
        game: str,
        players: tuple[Player, ...],
        options: Any,
        mode: str,
        code: str | None,
    ) -> Match:
        now = self._runtime.clock()
        ratings = await self.ratings(game, (player.user_id for player in players))
        options = options or self._runtime.policies[game].options
        if any(player.bot for player in players):
            options = patient(options)
        seats = tuple(
            self.seat(game, seat, player, ratings)
            for seat, player in zip(SEATS, players, strict=False)
        )
        return Match(
            id=self._runtime.chance.id(),
            game=game,
            public_id=self._runtime.chance.word(PUBLIC_ID_LENGTH),
            code=code,
            mode=mode,
            status="waiting",
            version=0,
            options=msgspec.json.encode(options),
            rules_version=self._runtime.rules[game].version,
            seed=self._runtime.chance.seed(),
            seats=seats,
            with_bot=has_bot(seats),
            created_at=now,
            updated_at=now,
        )

    async def ratings(self, game: str, users: Iterable[str | None]) -> dict[str, int]:
        if self._runtime.rules[game].rating is None:
            return {}
        known = [user for user in users if user is not None]
        if not known:
            return {}
        found = await queries.ratings(self._runtime.store, known, game)
        return {user: found.get(user, FIRST_RATING) for user in known}

    def seat(self, game: str, seat: Seat, player: Player, ratings: dict[str, int]) -> SeatRow:
        sole = self._runtime.policies[game].sole and player.bot is None
        return SeatRow(
            seat=seat,
            user_id=player.user_id,
            name=player.name,
            secret=player.secret,
            bot=player.bot,
            sole=sole and player.user_id is not None,
            rating_before=ratings.get(player.user_id or ""),
        )

    def begun(self, blank: Match, entries: tuple[Wanted, ...], players: tuple[Player, ...]) -> New:
        """A blank match after its first entries."""
        game, at = blank.game, blank.created_at
        decided = self._decider.decide(
            self._runtime.rules[game],
            self._runtime.policies[game],
            blank,
            Plan(entries),
            at,
            (at, at),
        )
        arrivals = tuple(arrivals_at(decided.match, players))
        return New(decided.match, decided.change.writes, arrivals)

    async def create(
        self,
        blank: Match,
        kind: Kind,
        players: tuple[Player, ...],
        together: WithMatch,
        position: Position | None = None,
    ) -> Match:
        """`position`: where it begins, if not at the beginning."""
        for _ in range(NAMES_TRIED):
            new = self.begun(blank, (Wanted(kind, action=position),), players)
            try:
                await self._runtime.store.commit(
                    Change((*new.writes, *together(new.match), *new.arrivals))
                )
            except Taken as taken:
                blank = await self.renamed(blank, taken)
                continue
            except Unavailable:
                if await queries.match_by_id(self._runtime.store, new.match.id) is None:
                    raise
            self._residents.admit_new(new.match, new.arrivals)
            return new.match
        raise Taken("public_id")

    async def renamed(self, blank: Match, taken: Taken) -> Match:
        """The same under another id, if it was that; else `Busy`, or what stood in the way."""
        if taken.what == "open_game":
            raise await self.busy(blank) from None
        if taken.what != "public_id":
            raise taken
        return replace(blank, public_id=self._runtime.chance.word(PUBLIC_ID_LENGTH))

    async def busy(self, match: Match) -> Exception:
        """Who of a match's players has another one open; if nobody any more, try again."""
        for seat in match.seats:
            if seat.sole and seat.user_id is not None:
                held = await self._finder.open_match_of(match.game, seat.user_id)
                if held is not None:
                    return Busy(seat.user_id, held)
        return Conflict()


def arrivals_at(match: Match, players: Iterable[Player | None]) -> Iterable[Arrive]:
    for seat, player in zip(SEATS, players, strict=False):
        if player and player.connection is not None and player.process_id is not None:
            yield Arrive(
                match_id=match.id,
                seat=seat,
                seen_at=match.updated_at,
                connection=player.connection,
                process_id=player.process_id,
            )
