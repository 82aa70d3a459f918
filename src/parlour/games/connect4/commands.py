"""What players of Connect 4 ask for, over HTTP and sockets alike.

Every check that the rules do not make stands here, in the order of the document.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Awaitable, Iterable
from functools import partial

import msgspec
from msgspec import UNSET, Raw, UnsetType
from msgspec.structs import replace

from parlour.games.api import Millis, Refused, Seat
from parlour.games.connect4.answers import Game, GamePlayer, MoveBody, game_of, move_answer
from parlour.games.connect4.problems import problem
from parlour.games.connect4.rules import RULES, Claim, Drop
from parlour.games.connect4.voice import GameSight
from parlour.games.giving_up import Resign
from parlour.host.host import Host
from parlour.host.matches import seats_of
from parlour.host.sight import Facts
from parlour.net.basics import uid_of
from parlour.net.bodies import MALFORMED
from parlour.net.errors import Problem
from parlour.net.limits import Who
from parlour.net.services import Services
from parlour.net.short_ways import Asked, Taken, Told
from parlour.people.history import past_matches, place_of
from parlour.people.users import User
from parlour.play.player import Busy
from parlour.store import queries
from parlour.store.lists import NEWEST
from parlour.timekeeping import iso

KEY = RULES.key

REMEMBERED = 10_000
REMEMBERED_MS: Millis = 3_000
"""So long the players of a match may be called and rated as they were when it was last shown. While
it goes on nobody's rating changes, and a name that this process changes is known at once."""

encode = msgspec.json.encode
_MOVE = msgspec.json.Decoder(MoveBody)

_ID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_PUBLIC_ID = re.compile(r"[A-HJ-NP-Z2-9]{8}", re.IGNORECASE | re.ASCII)
_CODE = re.compile(r"[A-HJ-NP-Z2-9]{6}", re.IGNORECASE | re.ASCII)


class Commands:
    """Finds games, shows them, and lets people play."""

    def __init__(self, services: Services) -> None:
        self.host = Host(services)
        self._store = services.store
        self._limits = services.limits
        self._people: OrderedDict[str, tuple[dict[str, GamePlayer], Millis]] = OrderedDict()
        """Who sits at the matches that were shown lately, and until when that may be believed."""
        services.users.watch(lambda _: self._people.clear())

    def now(self) -> str:
        """The time, as the wire has it."""
        return iso(self.host.runtime.clock())

    # --- finding ----------------------------------------------------------------------------

    async def find(self, game_id: str, user_id: str) -> GameSight:
        """By its id; what is no id, or no game any more, is not found."""
        if not _ID.fullmatch(game_id):
            raise problem("GAME_NOT_FOUND")
        return _shown(await self.host.matches.look(game_id, seats_of(user_id)))

    async def find_public(self, public_id: str, user_id: str) -> GameSight:
        """By the id in its address."""
        if not _PUBLIC_ID.fullmatch(public_id):
            raise problem("GAME_NOT_FOUND")
        return _shown(await self.host.matches.look_by_public_id(KEY, public_id, seats_of(user_id)))

    # --- showing ----------------------------------------------------------------------------

    async def show(self, sight: GameSight, asks: User) -> Game:
        """The game as it is seen there, to the one who asks."""
        people = await self.people([sight.match], asks)
        until = self.host.runtime.clock() + REMEMBERED_MS
        self._people[sight.match.id] = (people, until)
        self._people.move_to_end(sight.match.id)
        if len(self._people) > REMEMBERED:
            self._people.popitem(last=False)
        return (await self._show_all([sight], people, asks))[0]

    async def _show_all(
        self, sights: list[GameSight], people: dict[str, GamePlayer], asks: User
    ) -> list[Game]:
        people = _with_uid(people, asks)
        following = [each.match.rematch_id for each in sights if each.match.rematch_id is not None]
        public_ids = await queries.public_ids(self._store, following)
        return [
            game_of(sight, people, public_ids.get(sight.match.rematch_id or "")) for sight in sights
        ]

    async def people(self, matches: Iterable[Facts], asks: User) -> dict[str, GamePlayer]:
        """Everybody who sits at these matches, by id, as they are called and rated now."""
        ids = {row.user_id for match in matches for row in match.seats if row.user_id is not None}
        called = {asks.id: asks.username}
        if ids != {asks.id}:
            called = await self._called(ids)
        rated = await queries.ratings(self._store, ids, KEY)
        return {
            user_id: GamePlayer(user_id, username, rated[user_id])
            for user_id, username in called.items()
        }

    async def names(self, match: Facts) -> dict[str, str]:
        """What those who sit at a match are called, or were when it was shown a moment ago."""
        people, until = self._people.get(match.id, (None, 0))
        ids = {row.user_id for row in match.seats if row.user_id is not None}
        if people is not None and until > self.host.runtime.clock() and people.keys() == ids:
            return {user_id: each.username for user_id, each in people.items()}
        return await self._called(ids)

    async def _called(self, ids: Iterable[str]) -> dict[str, str]:
        found = await queries.users_by_id(self._store, ids)
        return {user_id: row["username"] for user_id, row in found.items()}

    async def finished(
        self, user: User, limit: int, offset: int, before: str | None
    ) -> tuple[list[Game], int]:
        """A page of a user's finished games, the newest first, and how many there are in all.

        `before`: only those that ended before that game.
        """
        place = NEWEST
        if before is not None:
            found = _ID.fullmatch(before) and await place_of(self._store, user.id, KEY, before)
            if not found:
                raise Problem.general("INVALID_QUERY")
            place = found
        ids, total = await past_matches(
            self._store, user.id, KEY, limit=limit, offset=offset, before=place
        )
        sights = [sight for sight in await self.host.matches.past(ids) if sight.begun]
        people = await self.people((sight.match for sight in sights), user)
        return await self._show_all(sights, people, user), total

    # --- sitting down -----------------------------------------------------------------------

    def terms(self, move_time_sec: int | None) -> Raw | UnsetType:
        """What is asked for beside the usual, if anything; a `Problem` if nobody may have that."""
        if move_time_sec is None:
            return UNSET
        wanted = Raw(msgspec.json.encode({"move_ms": move_time_sec * 1000}))
        try:
            self.host.options(KEY, wanted)
        except Refused:
            raise Problem.general("INVALID_QUERY") from None
        return wanted

    async def open(self, user: User, who: Who, wanted: Raw | UnsetType) -> GameSight:
        """A private game that waits for whoever has its code."""
        await self._limits.rooms.admit(who)
        try:
            match = await self.host.open(self.host.player(user), KEY, wanted)
        except Busy as busy:
            raise busy_with(busy.match) from None
        return await self.find(match.id, user.id)

    async def join(self, code: str, user: User) -> GameSight:
        """Sit down at the game of that code."""
        if not _CODE.fullmatch(code):
            raise problem("INVALID_CODE_FORMAT")
        match = await self.host.matches.find_code(KEY, code)
        if match is not None and match.seat_of(user.id) == 0:
            raise problem("CANNOT_JOIN_OWN_GAME")
        if (open_game := await self.host.matches.open_game(KEY, user.id)) is not None:
            raise busy_with(open_game.match)
        if match is None:
            raise problem("GAME_NOT_FOUND")
        try:
            await self.host.join(match.id, self.host.player(user))
        except Busy as busy:
            raise busy_with(busy.match) from None
        return await self.find(match.id, user.id)

    async def cancel(self, sight: GameSight) -> None:
        """The host gives up waiting."""
        if not sight.seats:
            raise problem("NOT_IN_GAME")
        await self.host.withdraw(sight)

    # --- playing ----------------------------------------------------------------------------

    def drop_and_show(self, asked: Asked, told: Told) -> Taken | None:
        """A disc over HTTP where nothing is in the way (see `ShortWays`)."""
        sight: GameSight | None = self.host.matches.at_hand(asked.id, asked.user.id)
        if sight is None or not is_shown(sight.match) or sight.match.status != "active":
            return None
        people, until = self._people.get(sight.match.id, (None, 0))
        if people is None or until <= self.host.runtime.clock():
            return None
        try:
            column = _MOVE.decode(asked.body).column
        except MALFORMED:
            return None
        if not self.host.do_at_once(sight, Drop(column), sight.seats[0], told):
            return None
        return Taken(
            partial(self._show_drop, asked, people),
            partial(self._drop_again, asked, sight, column),
        )

    def _show_drop(self, asked: Asked, people: dict[str, GamePlayer]) -> bytes | Awaitable[bytes]:
        after: GameSight | None = self.host.matches.at_hand(asked.id, asked.user.id)
        assert after is not None, "it was stepped this very moment"
        if after.match.over:
            return self._show_last_drop(after, asked.user)
        return encode(move_answer(game_of(after, _with_uid(people, asked.user))))

    async def _drop_again(self, asked: Asked, sight: GameSight, column: int) -> bytes:
        after = await self.drop(sight, sight.seats[0], column)
        return encode(move_answer(await self.show(after, asked.user)))

    async def _show_last_drop(self, sight: GameSight, asks: User) -> bytes:
        """Ratings are the store's to say."""
        return encode(move_answer(await self.show(sight, asks)))

    async def drop(self, sight: GameSight, seat: Seat, column: int) -> GameSight:
        """A player's disc. Who was to move and lost a race on the way is told that it was one."""
        try:
            return (await self.host.do(sight, Drop(column), seat)).after
        except Refused as refused:
            lost = refused.code in ("NOT_YOUR_TURN", "GAME_NOT_ACTIVE")
            if lost and sight.turn == seat:
                raise problem("MOVE_CONFLICT") from None
            raise

    async def claim(self, sight: GameSight, user_id: str) -> GameSight:
        """The win over an opponent who has gone. If the game ended meanwhile, it has ended."""
        seat = playing_seat(sight)
        try:
            return (await self.host.do(sight, Claim(), seat)).after
        except Refused as refused:
            if refused.code != "GAME_NOT_ACTIVE":
                raise
            return await self.find(sight.match.id, user_id)

    async def resign(self, sight: GameSight) -> GameSight:
        """Give up: the opponent wins."""
        seat = playing_seat(sight)
        return (await self.host.do(sight, Resign(), seat)).after

    async def rematch(self, sight: GameSight, user_id: str) -> Facts | None:
        """Ask for another game; it is there once both have asked."""
        match = sight.match
        if not match.over:
            raise problem("GAME_NOT_FINISHED")
        if len(match.seats) < 2:
            raise problem("NO_OPPONENT")
        if not sight.seats:
            raise problem("NOT_IN_GAME")
        if match.rematch_id is not None and await self.host.matches.following(match.id) is None:
            raise problem("GAME_NOT_FOUND")
        time = sight.view.state.time if sight.begun else UNSET
        move_ms = UNSET if time is UNSET else time.move_ms
        options = replace(self.host.options(KEY), starter=0, move_ms=move_ms)
        try:
            return await self.host.rematch(sight, options=options, keep_code=False)
        except Busy as busy:
            # Where the other one plays is nowhere to be led to.
            raise busy_with(busy.match if busy.user_id == user_id else None) from None

    async def take_back_rematch(self, sight: GameSight) -> None:
        """Want no other game after all; nothing happens to who does not want one."""
        if not sight.match.over:
            raise problem("GAME_NOT_FINISHED")
        if not sight.seats:
            raise problem("NOT_IN_GAME")
        try:
            await self.host.withdraw(sight)
        except Refused as refused:
            if refused.code != "NOT_ASKED":
                raise


def _with_uid(people: dict[str, GamePlayer], asks: User) -> dict[str, GamePlayer]:
    """Everybody, and to the one who asks its own account."""
    oneself = people.get(asks.id)
    if oneself is None:
        return people
    return people | {asks.id: replace(oneself, firebase_uid=uid_of(asks))}


def busy_with(match: Facts | None, **beside: str) -> Problem:
    """There is a game to finish first; whose own it is, is led there."""
    return problem("HAS_ACTIVE_GAME", **beside, **way_to(match))


def way_to(match: Facts | None) -> dict[str, str]:
    """By what a client finds a game."""
    return {} if match is None else {"gameId": match.id, "publicId": match.public_id}


def is_shown(match: Facts) -> bool:
    """Whether the web knows of it: called off is as good as never made."""
    return match.game == KEY and match.mode == "online" and match.status != "cancelled"


def _shown(sight: GameSight) -> GameSight:
    if not is_shown(sight.match):
        raise problem("GAME_NOT_FOUND")
    return sight


def playing_seat(sight: GameSight) -> Seat:
    """Where a user sits at a game that is being played."""
    if sight.match.status == "waiting":
        raise problem("GAME_NOT_STARTED")
    if sight.match.over:
        raise problem("GAME_NOT_ACTIVE")
    if sight.seat is None:
        raise problem("NOT_IN_GAME")
    return sight.seat
