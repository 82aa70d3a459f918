"""The games of Connect 4 as their players reach them, over HTTP and sockets alike.

Every check that the rules do not make stands here, in the order of the document.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from typing import TypeVar

from sqlalchemy import bindparam, select

from parlour.games.api import Millis, Refused, Seat
from parlour.games.connect4.answers import Game, Seen, game_of
from parlour.games.connect4.players import people_of
from parlour.games.connect4.problems import problem
from parlour.games.connect4.rules import RULES, Claim, Drop, Options
from parlour.games.connect4.settings import Connect4Settings
from parlour.net.errors import Problem
from parlour.net.limits import Who
from parlour.net.services import Services
from parlour.people.history import past_matches, place_of
from parlour.people.users import Users
from parlour.play.live import Live
from parlour.play.match import Match, Update, from_row
from parlour.play.seating import Player
from parlour.store import queries, schema
from parlour.store.change import Conflict, Impossible, TakeTicket, UserRow, Write
from parlour.store.lists import NEWEST

KEY = RULES.key
OPEN_ATTEMPTS = 3
"""How often taking a seat is tried again because one's queue entry was used meanwhile."""

_ID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_PUBLIC_ID = re.compile(r"[A-HJ-NP-Z2-9]{8}", re.IGNORECASE | re.ASCII)
_CODE = re.compile(r"[A-HJ-NP-Z2-9]{6}", re.IGNORECASE | re.ASCII)

_PUBLIC_IDS = select(schema.match.c.id, schema.match.c.public_id).where(
    schema.match.c.id.in_(bindparam("ids", expanding=True))
)

T = TypeVar("T")


class Hall:
    """Finds games, shows them, and lets people play."""

    def __init__(self, services: Services) -> None:
        self._store = services.store
        self._users = services.users
        self._kernel = services.kernel
        self._play = services.kernel.play
        self._limits = services.limits
        self._abandon_ms = services.settings.of(Connect4Settings).abandon_threshold_ms

    # --- finding ----------------------------------------------------------------------------

    async def find(self, game_id: str) -> Live:
        """By its id; what is no id, or no game any more, is not found."""
        live = await self._play.live(game_id, fresh=True) if _ID.fullmatch(game_id) else None
        if live is None or not is_shown(live.match):
            raise problem("GAME_NOT_FOUND")
        return live

    async def find_public(self, public_id: str) -> Live:
        """By the id in its address."""
        if not _PUBLIC_ID.fullmatch(public_id):
            raise problem("GAME_NOT_FOUND")
        match = await self._play.find_public(KEY, public_id.upper())
        if match is None:
            raise problem("GAME_NOT_FOUND")
        return await self.find(match.id)

    def heartbeat(self, live: Live, user_id: str) -> None:
        """A player looked at the game."""
        seat = live.match.seat_of(user_id)
        if seat is not None and not live.match.over:
            self._play.saw(live, seat)

    # --- showing ----------------------------------------------------------------------------

    async def show(self, live: Live, match: Match | None = None) -> Game:
        """The game as it is now, or as it was at the match given."""
        match = match or live.match
        people = await people_of(self._store, [match])
        public_ids = await self._public_ids([match])
        return game_of(
            match, people, self._play.last_seen(live), public_ids.get(match.rematch_id or "")
        )

    async def finished(
        self, user_id: str, limit: int, offset: int, before: str | None
    ) -> tuple[list[Game], int]:
        """A page of a user's finished games, the newest first, and how many there are in all.

        `before`: only those that ended before that game.
        """
        place = NEWEST
        if before is not None:
            found = _ID.fullmatch(before) and await place_of(self._store, user_id, KEY, before)
            if not found:
                raise Problem.general("INVALID_QUERY")
            place = found
        ids, total = await past_matches(
            self._store, user_id, KEY, limit=limit, offset=offset, before=place
        )
        found_rows = await queries.matches_by_id(self._store, ids)
        stored = [each for each in found_rows if each.match.rules_version == RULES.version]
        matches = [from_row(RULES, each.match, each.seats) for each in stored]
        people = await people_of(self._store, matches)
        public_ids = await self._public_ids(matches)
        games = [
            game_of(match, people, _seen(each), public_ids.get(match.rematch_id or ""))
            for match, each in zip(matches, stored, strict=True)
        ]
        return games, total

    async def _public_ids(self, matches: Sequence[Match]) -> dict[str, str]:
        """Where the rematches of these matches are played."""
        ids = [match.rematch_id for match in matches if match.rematch_id is not None]
        rows = await self._store.rows(_PUBLIC_IDS, ids=ids) if ids else ()
        return {row["id"]: row["public_id"] for row in rows}

    async def open_game(self, user_id: str) -> Live | None:
        """The one game that a user is in, waiting or playing."""
        match = await self._play.open_match_of(KEY, user_id)
        return None if match is None else await self._play.live(match.id)

    # --- sitting down -----------------------------------------------------------------------

    async def open(self, user: UserRow, who: Who) -> Match:
        """A private game that waits for whoever has its code."""
        await self._limits.rooms.admit(who)
        return await self._leaving_queue(
            user,
            lambda left: self._kernel.seating.open(KEY, _player(user), also=lambda _: left),
        )

    async def join(self, code: str, user: UserRow) -> Live:
        """Sit down at the game of that code."""
        if not _CODE.fullmatch(code):
            raise problem("INVALID_CODE_FORMAT")
        match = await self._play.find_code(KEY, code.upper())
        if match is not None and match.seat_of(user.id) == 0:
            raise problem("CANNOT_JOIN_OWN_GAME")
        if await self._play.open_match_of(KEY, user.id) is not None:
            raise problem("HAS_ACTIVE_GAME")
        if match is None:
            raise problem("GAME_NOT_FOUND")
        match_id = match.id
        await self._leaving_queue(
            user, lambda left: self._kernel.seating.join(match_id, _player(user), also=left)
        )
        return await self.find(match_id)

    async def _leaving_queue(
        self, user: UserRow, sit_down: Callable[[tuple[Write, ...]], Awaitable[T]]
    ) -> T:
        """Taking a seat and giving up one's place in the queue are one commit."""
        for _ in range(OPEN_ATTEMPTS):
            ticket = await self._kernel.queue.ticket_of(KEY, user.id)
            try:
                async with known(self._users, user):
                    seated = await sit_down((TakeTicket(id=ticket.id),) if ticket else ())
            except Conflict:
                if ticket is None:
                    raise
                continue
            # One that was asked for meanwhile, on another line of the same user.
            await self._kernel.queue.leave(KEY, user.id)
            return seated
        raise Conflict

    async def cancel(self, live: Live, user_id: str) -> None:
        """The host gives up waiting."""
        seat = live.match.seat_of(user_id)
        if seat is None:
            raise problem("NOT_IN_GAME")
        await self._kernel.seating.cancel(live.match.id, seat)

    # --- playing ----------------------------------------------------------------------------

    async def drop(self, match: Match, user_id: str, column: int) -> Update:
        """A player's disc. Who was to move and lost a race on the way is told that it was one."""
        seat = playing_seat(match, user_id)
        try:
            return await self._play.act(match.id, seat, Drop(column))
        except Refused as refused:
            lost = refused.code in ("NOT_YOUR_TURN", "GAME_NOT_ACTIVE")
            if lost and match.state.turn == seat:
                raise problem("MOVE_CONFLICT") from None
            raise

    async def claim(self, live: Live, user_id: str) -> None:
        """The win over an opponent who has gone. If the game ended meanwhile, it has ended."""
        seat = playing_seat(live.match, user_id)
        try:
            await self._play.act(live.match.id, seat, Claim())
        except Refused as refused:
            if refused.code != "GAME_NOT_ACTIVE":
                raise

    async def rematch(self, match: Match, user_id: str) -> Match | None:
        """Ask for another game; it is there once both have asked."""
        if not match.over:
            raise problem("GAME_NOT_FINISHED")
        if len(match.seats) < 2:
            raise problem("NO_OPPONENT")
        seat = match.seat_of(user_id)
        if seat is None:
            raise problem("NOT_IN_GAME")
        if match.rematch_id is not None and await self._play.find(match.rematch_id) is None:
            raise problem("GAME_NOT_FOUND")
        options = Options(starter=0, abandon_ms=self._abandon_ms)
        new = await self._kernel.seating.rematch(match.id, seat, swap=True, options=options)
        if new is not None:
            for player in new.seats:
                await self._kernel.queue.leave(KEY, player.user_id or "")
        return new


def is_shown(match: Match) -> bool:
    """Whether the web knows of it: called off is as good as never made."""
    return match.game == KEY and match.mode == "online" and match.status != "cancelled"


def playing_seat(match: Match, user_id: str) -> Seat:
    """Where a user sits at a game that is being played."""
    if match.status == "waiting":
        raise problem("GAME_NOT_STARTED")
    if match.over:
        raise problem("GAME_NOT_ACTIVE")
    seat = match.seat_of(user_id)
    if seat is None:
        raise problem("NOT_IN_GAME")
    return seat


@asynccontextmanager
async def known(users: Users, user: UserRow) -> AsyncIterator[None]:
    """For what the store cannot do for a user whom an operator has deleted in the meantime."""
    try:
        yield
    except Impossible:
        if await users.by_id(user.id) is None:
            raise problem("USER_NOT_FOUND") from None
        raise


def _player(user: UserRow) -> Player:
    return Player(name=user.username, user_id=user.id)


def _seen(stored: queries.Stored) -> Seen:
    match = stored.match
    seen: list[Millis | None] = [match.started_at, match.started_at]
    for row in stored.presence:
        seen[row.seat] = max(seen[row.seat] or 0, row.seen_at)
    acted = (match.acted_0_at, match.acted_1_at)
    first, second = (
        max(filter(None, each), default=None) for each in zip(seen, acted, strict=True)
    )
    return first, second
