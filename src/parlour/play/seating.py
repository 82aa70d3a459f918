"""How two players come to sit at one match: by code, by room, directly, or once more.

One open match per user where a game asks for it is enforced by the database; here it becomes
`Busy`, which says which match that is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from parlour.games.api import SEATS, Refused, Seat
from parlour.play.deciding import Decider, Plan, Together, Wanted
from parlour.play.finding import Finder
from parlour.play.match import Kind, Linked, Match, Update
from parlour.play.presence import Presence
from parlour.play.resident import NOWHERE, Here, Resident
from parlour.play.residents import Residents
from parlour.play.runtime import Runtime
from parlour.play.steps import Steps
from parlour.store import queries
from parlour.store.change import (
    Arrive,
    Change,
    Conflict,
    FillSeat,
    SeatRow,
    SnapshotRating,
    Taken,
    Unavailable,
    Write,
)

NAMES_TRIED = 5
"""How many random codes or ids are tried before giving up; a clash is one in 2**30."""

CODE_LENGTH = 6
PUBLIC_ID_LENGTH = 8
FIRST_RATING = 1000

WithMatch = Callable[[Match], tuple[Write, ...]]
"""What becomes durable together with a new match, by what that turns out to be."""


def nothing(_: Match) -> tuple[Write, ...]:
    """Nothing but the match."""
    return ()


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


class New(Struct, frozen=True):
    """A match that is about to begin: not durable yet."""

    match: Match
    writes: tuple[Write, ...]
    arrivals: tuple[Arrive, ...]
    """Who holds a seat from the start."""


class Seating:
    """Opens, fills, calls off and follows up matches."""

    def __init__(
        self,
        runtime: Runtime,
        decider: Decider,
        presence: Presence,
        residents: Residents,
        steps: Steps,
        finder: Finder,
    ) -> None:
        self._runtime = runtime
        self._decider = decider
        self._presence = presence
        self._residents = residents
        self._steps = steps
        self._finder = finder

    async def open(
        self,
        game: str,
        player: Player,
        *,
        code: str | None = None,
        options: Any = None,
        mode: str = "online",
        together: WithMatch = nothing,
    ) -> Match:
        """A match that waits for its second player under a code: the given one, or a new one.

        `Taken("code")` if the given one is in use, `Busy` if the player may not have another.
        """
        for _ in range(NAMES_TRIED):
            word = code or self._runtime.chance.word(CODE_LENGTH)
            blank = await self._blank(game, (player,), options, mode, word)
            try:
                return await self._create(blank, "open", (player,), together)
            except Taken as taken:
                if taken.what != "code" or code is not None:
                    raise
        raise Taken("code")

    async def start(
        self,
        game: str,
        players: tuple[Player, Player],
        *,
        code: str | None = None,
        options: Any = None,
        mode: str = "online",
        escrow: tuple[str, tuple[int, int]] | None = None,
        together: WithMatch = nothing,
    ) -> Match:
        """A match of two, playing at once; `escrow` is its id and what each has paid in."""
        blank = await self._blank(game, players, options, mode, code)
        if escrow is not None:
            blank = replace(blank, escrow_id=escrow[0], pot=escrow[1])
        return await self._create(blank, "start", players, together)

    async def _blank(
        self,
        game: str,
        players: tuple[Player, ...],
        options: Any,
        mode: str,
        code: str | None,
    ) -> Match:
        now = self._runtime.clock()
        ratings = await self._ratings(game, (player.user_id for player in players))
        return Match(
            id=self._runtime.chance.id(),
            game=game,
            public_id=self._runtime.chance.word(PUBLIC_ID_LENGTH),
            code=code,
            mode=mode,
            status="waiting",
            version=0,
            options=msgspec.json.encode(options or self._runtime.policies[game].options),
            rules_version=self._runtime.rules[game].version,
            seed=self._runtime.chance.seed(),
            seats=tuple(
                self._seat(game, seat, player, ratings)
                for seat, player in zip(SEATS, players, strict=False)
            ),
            created_at=now,
            updated_at=now,
        )

    async def _ratings(self, game: str, users: Iterable[str | None]) -> dict[str, int]:
        if self._runtime.rules[game].rating is None:
            return {}
        known = [user for user in users if user is not None]
        if not known:
            return {}
        found = await queries.ratings(self._runtime.store, known, game)
        return {user: found.get(user, FIRST_RATING) for user in known}

    def _seat(self, game: str, seat: Seat, player: Player, ratings: dict[str, int]) -> SeatRow:
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

    def _begun(self, blank: Match, entries: tuple[Wanted, ...], players: tuple[Player, ...]) -> New:
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
        arrivals = tuple(_arrivals(decided.match, players))
        return New(decided.match, decided.change.writes, arrivals)

    async def _create(
        self, blank: Match, kind: Kind, players: tuple[Player, ...], together: WithMatch
    ) -> Match:
        for _ in range(NAMES_TRIED):
            new = self._begun(blank, (Wanted(kind),), players)
            try:
                await self._runtime.store.commit(
                    Change((*new.writes, *together(new.match), *new.arrivals))
                )
            except Taken as taken:
                blank = await self._renamed(blank, taken)
                continue
            except Unavailable:
                if await queries.match_by_id(self._runtime.store, new.match.id) is None:
                    raise
            self._residents.admit_new(new.match, new.arrivals)
            return new.match
        raise Taken("public_id")

    async def _renamed(self, blank: Match, taken: Taken) -> Match:
        """The same under another id, if it was that; else `Busy`, or what stood in the way."""
        if taken.what == "open_game":
            raise await self._busy(blank) from None
        if taken.what != "public_id":
            raise taken
        return replace(blank, public_id=self._runtime.chance.word(PUBLIC_ID_LENGTH))

    async def _busy(self, match: Match) -> Exception:
        """Who of a match's players has another one open; if nobody any more, try again."""
        for seat in match.seats:
            if seat.sole and seat.user_id is not None:
                held = await self._finder.open_match_of(match.game, seat.user_id)
                if held is not None:
                    return Busy(seat.user_id, held)
        return Conflict()

    # --- filling ----------------------------------------------------------------------------

    async def join(self, match_id: str, player: Player, writes: tuple[Write, ...] = ()) -> Update:
        """The second player sits down and play begins; `Refused`, `Busy` or `Gone`."""
        resident = await self._finder.must_be_playable(match_id)
        match = resident.match
        users = (*(seat.user_id for seat in match.seats), player.user_id)
        ratings = await self._ratings(match.game, users)
        guest = self._seat(match.game, 1, player, ratings)

        def propose(match: Match) -> Plan:
            if player.user_id is not None and match.seats[0].user_id == player.user_id:
                raise Refused("CANNOT_JOIN_OWN_GAME", "You cannot join your own game.")
            if match.status != "waiting":
                raise Refused("GAME_ALREADY_STARTED", "This game has two players already.")
            host = replace(match.seats[0], rating_before=ratings.get(match.seats[0].user_id or ""))
            start = Wanted("start", 1, linked=Linked((host, guest), match.code, None))
            return Plan(
                (start, *self._gone(resident, player)),
                (*_filling(match, host, guest), *_arrivals(match, (None, player)), *writes),
            )

        try:
            async with resident.lock:
                update = await self._steps.step_locked(resident, propose)
                arrivals = tuple(_arrivals(update.after, (None, player)))
                self._presence.seated(resident, arrivals)
        except Taken as taken:
            if taken.what != "open_game":
                raise
            raise await self._busy(replace(match, seats=(guest,))) from None
        if arrivals:
            self._presence.tell(resident)
        return update

    def _gone(self, resident: Resident, guest: Player) -> tuple[Wanted, ...]:
        """Where seats are held by connections, who has none is gone from the start."""
        if not resident.policy.held:
            return ()
        here = (self._presence.here(resident)[0], guest.connection is not None)
        return tuple(Wanted("gone", seat) for seat in SEATS if not here[seat])

    async def cancel(self, match_id: str, seat: Seat, writes: tuple[Write, ...] = ()) -> Update:
        """The host gives up waiting, or who was to be seat 1 will not come.

        `Refused` once somebody has come.
        """
        resident = await self._finder.must_be_playable(match_id)

        def propose(match: Match) -> Plan:
            if match.status != "waiting":
                raise Refused("GAME_ALREADY_STARTED", "This game has two players already.")
            return Plan((Wanted("cancel", seat),), writes)

        return await self._steps.step(resident, propose)

    async def call_off(self, match_id: str, together: Together | None = None) -> Update:
        """An operator ends what is not over yet, and all that was paid in goes back.

        `Refused` once it is over, be it by a clock that had run out unnoticed.
        """
        resident = await self._finder.must_be_playable(match_id)

        def propose(match: Match) -> Plan:
            if match.over:
                raise Refused("NOT_ACTIVE", "This match is over.")
            return Plan((Wanted("cancel"),))

        return await self._steps.step(resident, propose, together)

    # --- once more --------------------------------------------------------------------------

    async def rematch(
        self, match_id: str, seat: Seat, *, swap: bool, options: Any = None, keep_code: bool = False
    ) -> Match | None:
        """Ask for another game: None until the other side has asked too, then the new match.

        `swap` exchanges the seats; `keep_code` moves the room, its name and whoever is in it to
        the new match. Without a room each connects to the new match by itself.
        """
        resident = await self._finder.must_be_playable(match_id, fresh=True)
        if len(resident.match.seats) < len(SEATS):
            raise Refused("NO_OPPONENT", "There was no opponent.")
        async with resident.lock:
            rematch_id = await self._once_more(resident, seat, swap, options, keep_code)
        return None if rematch_id is None else await self._finder.find(rematch_id)

    async def _once_more(
        self, resident: Resident, seat: Seat, swap: bool, options: Any, keep_code: bool
    ) -> str | None:
        """The next match, if there is one once this seat has asked for it."""
        blank: Match | None = None
        players = _again(resident, swap=swap, present=keep_code)
        for _ in range(NAMES_TRIED):
            old = resident.match
            if blank is None and old.rematch_by not in (None, seat) and old.rematch_id is None:
                wanted = options or msgspec.json.decode(
                    old.options, type=resident.rules.options_type
                )
                code = old.code if keep_code else None
                blank = await self._blank(old.game, players, wanted, old.mode, code)
            new = (
                None if blank is None else self._begun(blank, _started(resident, players), players)
            )
            try:
                update = await self._steps.attempt_locked(
                    resident, partial(_asked, seat=seat, new=new, keep_code=keep_code)
                )
            except Taken as taken:
                assert blank is not None
                blank = await self._renamed(blank, taken)
                continue
            if new is not None and update is not None and update.entry.kind == "rematched":
                self._residents.admit_new(new.match, new.arrivals)
            if resident.match.rematch_id is not None or resident.match.rematch_by == seat:
                return resident.match.rematch_id
            # The other side has asked meanwhile: then this is the answer.
        raise Taken("public_id")


def _asked(match: Match, *, seat: Seat, new: New | None, keep_code: bool) -> Plan | None:
    """A seat asks for another game: its wish is noted, or, if it is the second one, granted.

    The new match and the old one's word of it are one commit.
    """
    if not match.over:
        raise Refused("GAME_NOT_FINISHED", "This game is not over yet.")
    if match.rematch_id is not None or match.rematch_by == seat:
        return None
    if match.rematch_by is None:
        return Plan((Wanted("rematch", seat),))
    if new is None:
        return None  # it must be made before it can be granted
    linked = Linked(match.seats, None if keep_code else match.code, new.match.id)
    return Plan((Wanted("rematched", seat, linked=linked),), (*new.writes, *new.arrivals))


def _again(resident: Resident, *, swap: bool, present: bool) -> tuple[Player, Player]:
    """The same two; `present`: as they are connected now."""
    first, second = (
        _player(row, resident.here[row.seat] if present else NOWHERE)
        for row in resident.match.seats
    )
    return (second, first) if swap else (first, second)


def _started(resident: Resident, players: tuple[Player, Player]) -> tuple[Wanted, ...]:
    """Where seats are held by connections, who has none is gone from the start."""
    away: tuple[Wanted, ...] = ()
    if resident.policy.held:
        people = enumerate(players)
        away = tuple(Wanted("gone", at) for at, who in people if not (who.connection or who.bot))
    return (Wanted("start"), *away)


def _player(row: SeatRow, here: Here) -> Player:
    return Player(
        name=row.name,
        user_id=row.user_id,
        secret=row.secret,
        bot=row.bot,
        connection=here.connection,
        process_id=here.process_id,
    )


def _filling(match: Match, host: SeatRow, guest: SeatRow) -> tuple[Write, ...]:
    filled: tuple[Write, ...] = (FillSeat(match_id=match.id, game=match.game, seat=guest),)
    if host.rating_before is not None:
        filled += (SnapshotRating(match_id=match.id, seat=0, rating_before=host.rating_before),)
    return filled


def _arrivals(match: Match, players: Iterable[Player | None]) -> Iterable[Arrive]:
    for seat, player in zip(SEATS, players, strict=False):
        if player and player.connection is not None and player.process_id is not None:
            yield Arrive(
                match_id=match.id,
                seat=seat,
                seen_at=match.updated_at,
                connection=player.connection,
                process_id=player.process_id,
            )
