"""How two players come to sit at one match: by code, by room, directly, or once more.

One open match per user where a game asks for it is enforced by the database; here it becomes
`Busy`, which says which match that is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from parlour.games.api import SEATS, Refused, Seat
from parlour.play.live import NOWHERE, Here, Live
from parlour.play.match import Kind, Linked, Match, Update
from parlour.play.play import Along, Gone, Play, Proposal
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

Also = Callable[[Match], tuple[Write, ...]]
"""What must become durable together with a new match."""


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


class Seating:
    """Opens, fills, calls off and follows up matches."""

    def __init__(self, play: Play) -> None:
        self._play = play

    async def open(
        self,
        game: str,
        player: Player,
        *,
        code: str | None = None,
        options: Any = None,
        mode: str = "online",
        also: Also = lambda _: (),
    ) -> Match:
        """A match that waits for its second player under a code: the given one, or a new one.

        `Taken("code")` if the given one is in use, `Busy` if the player may not have another.
        """
        for _ in range(NAMES_TRIED):
            word = code or self._play.chance.word(CODE_LENGTH)
            blank = await self._blank(game, (player,), options, mode, word)
            try:
                return await self._create(blank, "open", (player,), also)
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
        also: Also = lambda _: (),
    ) -> Match:
        """A match of two, playing at once; `escrow` is its id and what each has paid in."""
        blank = await self._blank(game, players, options, mode, code)
        if escrow is not None:
            blank = replace(blank, escrow_id=escrow[0], pot=escrow[1])
        return await self._create(blank, "start", players, also)

    async def _blank(
        self,
        game: str,
        players: tuple[Player, ...],
        options: Any,
        mode: str,
        code: str | None,
    ) -> Match:
        play = self._play
        now = play.clock()
        ratings = await self._ratings(game, (player.user_id for player in players))
        return Match(
            id=play.chance.id(),
            game=game,
            public_id=play.chance.word(PUBLIC_ID_LENGTH),
            code=code,
            mode=mode,
            status="waiting",
            version=0,
            options=msgspec.json.encode(options or play.policies[game].options),
            rules_version=play.rules[game].version,
            seed=play.chance.seed(),
            seats=tuple(
                self._seat(game, seat, player, ratings)
                for seat, player in zip(SEATS, players, strict=False)
            ),
            created_at=now,
            updated_at=now,
        )

    async def _ratings(self, game: str, users: Iterable[str | None]) -> dict[str, int]:
        if self._play.rules[game].rating is None:
            return {}
        known = [user for user in users if user is not None]
        if not known:
            return {}
        found = await queries.ratings(self._play.store, known, game)
        return {user: found.get(user, FIRST_RATING) for user in known}

    def _seat(self, game: str, seat: Seat, player: Player, ratings: dict[str, int]) -> SeatRow:
        sole = self._play.policies[game].sole and player.bot is None
        return SeatRow(
            seat=seat,
            user_id=player.user_id,
            name=player.name,
            secret=player.secret,
            bot=player.bot,
            sole=sole and player.user_id is not None,
            rating_before=ratings.get(player.user_id or ""),
        )

    async def _create(
        self, blank: Match, kind: Kind, players: tuple[Player, ...], also: Also
    ) -> Match:
        for _ in range(NAMES_TRIED):
            match, made = self._play.begin(blank, kind)
            here = tuple(_arrivals(match, players))
            try:
                await self._play.store.commit(Change(made + also(match) + here))
            except Taken as taken:
                if taken.what == "open_game":
                    raise await self.busy(match) from None
                if taken.what != "public_id":
                    raise
                blank = replace(blank, public_id=self._play.chance.word(PUBLIC_ID_LENGTH))
                continue
            except Unavailable:
                if await queries.match_by_id(self._play.store, match.id) is None:
                    raise
            self._play.admit_new(
                match,
                ((row.seat, Here(row.seen_at, row.connection, row.process_id)) for row in here),
            )
            return match
        raise Taken("public_id")

    async def busy(self, match: Match) -> Exception:
        """Who of a match's players has another one open; if nobody any more, try again."""
        for seat in match.seats:
            if seat.sole and seat.user_id is not None:
                held = await self._play.open_match_of(match.game, seat.user_id)
                if held is not None:
                    return Busy(seat.user_id, held)
        return Conflict()

    # --- filling ----------------------------------------------------------------------------

    async def join(self, match_id: str, player: Player, also: tuple[Write, ...] = ()) -> Update:
        """The second player sits down and play begins; `Refused`, `Busy` or `Gone`."""
        play = self._play
        live = await play.live(match_id)
        if live is None:
            raise Gone
        users = (*(seat.user_id for seat in live.match.seats), player.user_id)
        ratings = await self._ratings(live.match.game, users)

        def propose(match: Match) -> Proposal:
            if player.user_id is not None and match.seats[0].user_id == player.user_id:
                raise Refused("CANNOT_JOIN_OWN_GAME", "You cannot join your own game.")
            if match.status != "waiting":
                raise Refused("GAME_ALREADY_STARTED", "This game has two players already.")
            guest = self._seat(match.game, 1, player, ratings)
            host = replace(match.seats[0], rating_before=ratings.get(match.seats[0].user_id or ""))
            return Proposal(
                "start",
                1,
                linked=Linked((host, guest), match.code, None),
                also=(*_filling(match, host, guest), *_arrivals(match, (None, player)), *also),
                then=self._gone(live, player) if live.policy.held else (),
            )

        try:
            update = await play.step(live, propose)
        except Taken as taken:
            if taken.what != "open_game":
                raise
            guest = self._seat(live.match.game, 1, player, ratings)
            raise await self.busy(replace(live.match, seats=(guest,))) from None
        if player.connection is not None:
            live.here[1] = Here(update.entry.at, player.connection, player.process_id)
            play.tell_presence(live)
        return update

    def _gone(self, live: Live, guest: Player) -> tuple[tuple[Kind, Seat], ...]:
        here = (self._play.here(live)[0], guest.connection is not None)
        return tuple(("gone", seat) for seat in SEATS if not here[seat])

    async def cancel(self, match_id: str, seat: Seat, also: tuple[Write, ...] = ()) -> Update:
        """The host gives up waiting, or who was to be seat 1 will not come.

        `Refused` once somebody has come.
        """
        live = await self._play.live(match_id)
        if live is None:
            raise Gone

        def propose(match: Match) -> Proposal:
            if match.status != "waiting":
                raise Refused("GAME_ALREADY_STARTED", "This game has two players already.")
            return Proposal("cancel", seat, also=also)

        return await self._play.step(live, propose)

    async def call_off(self, match_id: str, along: Along | None = None) -> Update:
        """An operator ends what is not over yet, and all that was paid in goes back.

        `Refused` once it is over, be it by a clock that had run out unnoticed.
        """
        live = await self._play.live(match_id)
        if live is None:
            raise Gone

        def propose(match: Match) -> Proposal:
            if match.over:
                raise Refused("NOT_ACTIVE", "This match is over.")
            return Proposal("cancel", along=along)

        return await self._play.step(live, propose)

    # --- once more --------------------------------------------------------------------------

    async def rematch(
        self, match_id: str, seat: Seat, *, swap: bool, options: Any = None, keep_code: bool = False
    ) -> Match | None:
        """Ask for another game: None until the other side has asked too, then the new match.

        `swap` exchanges the seats; `keep_code` moves the room, its name and whoever is in it to
        the new match. Without a room each connects to the new match by itself.
        """
        play = self._play
        live = await play.live(match_id, fresh=True)
        if live is None:
            raise Gone
        async with live.lock:
            match = live.match
            if len(match.seats) < len(SEATS):
                raise Refused("NO_OPPONENT", "There was no opponent.")
            if match.rematch_id is None and match.rematch_by in (None, seat):
                asked = await self._ask(live, seat)
                if asked:
                    return None
            if live.match.rematch_id is None:
                await self._accept(live, seat, swap, options, keep_code)
            assert live.match.rematch_id is not None
            rematch_id = live.match.rematch_id
        return await play.find(rematch_id)

    async def _ask(self, live: Live, seat: Seat) -> bool:
        """True if the wish now stands; False if the other side was quicker."""

        def propose(match: Match) -> Proposal:
            if not match.over:
                raise Refused("GAME_NOT_FINISHED", "This game is not over yet.")
            if match.rematch_by is not None or match.rematch_id is not None:
                raise Refused("ASKED", "Somebody asked already.")
            return Proposal("rematch", seat)

        try:
            await self._play.step_locked(live, propose)
        except Refused as refusal:
            if refusal.code != "ASKED":
                raise
            return live.match.rematch_id is None and live.match.rematch_by == seat
        return True

    async def _accept(
        self, live: Live, seat: Seat, swap: bool, options: Any, keep_code: bool
    ) -> None:
        play, old = self._play, live.match
        players = [_again(row, live.here[row.seat] if keep_code else NOWHERE) for row in old.seats]
        ordered = (players[1], players[0]) if swap else (players[0], players[1])
        blank = await self._blank(
            old.game,
            ordered,
            options or msgspec.json.decode(old.options, type=live.rules.options_type),
            old.mode,
            old.code if keep_code else None,
        )
        for _ in range(NAMES_TRIED):
            try:
                return await self._link(live, seat, blank, ordered, keep_code)
            except Taken as taken:
                if taken.what == "open_game":
                    raise await self.busy(blank) from None
                if taken.what != "public_id":
                    raise
                blank = replace(blank, public_id=play.chance.word(PUBLIC_ID_LENGTH))
        raise Taken("public_id")

    async def _link(
        self, live: Live, seat: Seat, blank: Match, players: tuple[Player, Player], keep_code: bool
    ) -> None:
        """The new match and the old one's word of it are one commit; done if there is one."""
        play = self._play
        away: tuple[tuple[Kind, Seat], ...] = ()
        if live.policy.held:
            people = enumerate(players)
            away = tuple(("gone", at) for at, who in people if not (who.connection or who.bot))
        new, made = play.begin(blank, "start", away)
        arrivals = tuple(_arrivals(new, players))

        def propose(match: Match) -> Proposal:
            if match.rematch_id is not None:
                raise Refused("LINKED", "The next game has begun.")
            code = None if keep_code else match.code
            linked = Linked(match.seats, code, new.id)
            return Proposal("rematched", seat, linked=linked, also=made + arrivals)

        try:
            await play.step_locked(live, propose)
        except Refused as refusal:
            if refusal.code != "LINKED":
                raise
            return
        play.admit_new(
            new, ((row.seat, Here(row.seen_at, row.connection, row.process_id)) for row in arrivals)
        )


def _again(row: SeatRow, here: Here) -> Player:
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
