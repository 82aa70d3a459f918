"""Routes about what has been played, of every game: history and leaderboard."""

from __future__ import annotations

import re
from typing import Annotated

from litestar import get
from litestar.params import FromQuery, QueryParameter
from litestar.types import ControllerRouterHandler
from msgspec import Struct, structs

from parlour.games.api import Seat
from parlour.games.registry import all_rules
from parlour.net.auth import BEARER, MaybeSignedIn, SignedIn, maybe_signed_in, signed_in
from parlour.net.errors import Problem, responses
from parlour.net.services import Services
from parlour.people.history import PastGame, past_games, place_of
from parlour.people.leaderboard import Rank, Standing, best, standing_of
from parlour.store.lists import NEWEST, REACH
from parlour.timekeeping import iso

LIMIT_MAX = 200

_ID = re.compile(r"[A-Za-z0-9:_-]{1,64}", re.ASCII)
_RANK = re.compile(r"(-?[0-9]{1,9})\.([0-9]{1,9})\.([A-Za-z0-9:_-]{1,64})", re.ASCII)

Offset = Annotated[
    int, QueryParameter(description=f"from {REACH} on nothing is found: go on from place to place")
]
Before = Annotated[
    str | None, QueryParameter(description="the id of an entry: only those that come after it")
]
After = Annotated[
    str | None, QueryParameter(description="`next` of the answer before, instead of an offset")
]


class HistoryEntry(Struct, frozen=True):
    """A finished game of the one who asks."""

    id: str
    game_id: str
    game: str
    played_at: str
    player0_user_id: str | None
    player1_user_id: str | None
    player0_name: str
    player1_name: str
    player0_score: int | None
    player1_score: int | None
    winner_index: Seat | None
    your_index: Seat
    end_reason: str
    left: bool
    """Whether who lost by absence had left, rather than not come back."""
    player0_elo_before: int | None
    player0_elo_after: int | None
    player1_elo_before: int | None
    player1_elo_after: int | None


class LeaderboardEntry(Struct, frozen=True):
    """A player's place is its place in the list."""

    user_id: str
    display_name: str
    elo: int
    wins: int
    losses: int
    draws: int
    is_bot: bool
    is_current_user: bool


class Leaderboard(Struct, frozen=True):
    """The best, and the one who asks where the list does not show them."""

    entries: tuple[LeaderboardEntry, ...]
    current_user_entry: LeaderboardEntry | None
    next: str | None
    """What to ask for as `after` to see who follows; null at the end."""


def routes(services: Services) -> list[ControllerRouterHandler]:
    """The routes, on these services."""
    store = services.store

    def chosen(game: str) -> bool:
        """Whether players choose their names there."""
        return services.kernel.runtime.policies[game].names_chosen

    @get(
        "/api/history",
        guards=[signed_in],
        security=BEARER,
        responses=responses(400, 401),
        tags=["records"],
    )
    async def history(
        request: SignedIn,
        game: FromQuery[str] = "memory",
        limit: FromQuery[int] = 50,
        offset: Offset = 0,
        before: Before = None,
    ) -> list[HistoryEntry]:
        """One's finished games of a kind, newest first."""
        limit, offset = _bounds(game, limit, offset)
        place = NEWEST
        if before is not None:
            found = _ID.fullmatch(before) and await place_of(store, request.user.id, game, before)
            if not found:
                raise Problem.general("INVALID_QUERY")
            place = found
        played = await past_games(
            store,
            request.user.id,
            game,
            limit=limit,
            offset=offset,
            before=place,
            chosen=chosen(game),
        )
        return [_history_entry(each) for each in played]

    @get(
        "/api/leaderboard",
        guards=[maybe_signed_in],
        responses=responses(400, 401),
        tags=["records"],
    )
    async def leaderboard(
        request: MaybeSignedIn,
        game: FromQuery[str] = "memory",
        limit: FromQuery[int] = 20,
        offset: Offset = 0,
        after: After = None,
    ) -> Leaderboard:
        """The players of a game by rating, the highest first."""
        limit, offset = _bounds(game, limit, offset)
        below = None if after is None else _rank(after)
        named = chosen(game)
        found = await best(store, game, limit=limit + 1, offset=offset, below=below, chosen=named)
        shown = found[:limit]
        me = request.user.id if request.user else None
        mine = None
        if me is not None and all(each.user_id != me for each in shown):
            mine = await standing_of(store, game, me, chosen=named)
        return Leaderboard(
            entries=tuple(_leaderboard_entry(each, me) for each in shown),
            current_user_entry=_leaderboard_entry(mine, me) if mine else None,
            next=_cursor(shown[-1].rank) if len(found) > limit else None,
        )

    return [history, leaderboard]


def _bounds(game: str, limit: int, offset: int) -> tuple[int, int]:
    """A page that may be asked for, of a game that exists."""
    if game not in all_rules():
        raise Problem.general("INVALID_QUERY")
    return min(max(limit, 1), LIMIT_MAX), max(offset, 0)


def _cursor(rank: Rank) -> str:
    return f"{rank.elo}.{rank.wins}.{rank.user_id}"


def _rank(cursor: str) -> Rank:
    read = _RANK.fullmatch(cursor)
    if read is None:
        raise Problem.general("INVALID_QUERY")
    return Rank(int(read[1]), int(read[2]), read[3])


def _history_entry(played: PastGame) -> HistoryEntry:
    return HistoryEntry(**structs.asdict(played) | {"played_at": iso(played.played_at)})


def _leaderboard_entry(standing: Standing, me: str | None) -> LeaderboardEntry:
    shown = structs.asdict(standing)
    del shown["updated_at"]
    return LeaderboardEntry(**shown, is_current_user=standing.user_id == me)
