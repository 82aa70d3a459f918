"""Routes about what has been played, of every game: history and leaderboard."""

from __future__ import annotations

from litestar import get
from litestar.params import FromQuery
from litestar.types import ControllerRouterHandler
from msgspec import Struct, structs

from parlour.games.api import Seat
from parlour.games.registry import all_rules
from parlour.net.auth import BEARER, MaybeSignedIn, SignedIn, maybe_signed_in, signed_in
from parlour.net.errors import Problem, responses
from parlour.net.services import Services
from parlour.net.times import iso
from parlour.people.history import PastGame, past_games
from parlour.people.leaderboard import Standing, best, standing_of

LIMIT_MAX = 200
OFFSET_MAX = 1_000_000


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


def routes(services: Services) -> list[ControllerRouterHandler]:
    """The routes, on these services."""
    store = services.store

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
        offset: FromQuery[int] = 0,
    ) -> list[HistoryEntry]:
        """One's finished games of a kind, newest first."""
        limit, offset = _bounds(game, limit, offset)
        played = await past_games(store, request.user.id, game, limit=limit, offset=offset)
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
        offset: FromQuery[int] = 0,
    ) -> Leaderboard:
        """The players of a game by rating, the highest first."""
        limit, offset = _bounds(game, limit, offset)
        shown = await best(store, game, limit=limit, offset=offset)
        me = request.user.id if request.user else None
        mine = None
        if me is not None and all(each.user_id != me for each in shown):
            mine = await standing_of(store, game, me)
        return Leaderboard(
            entries=tuple(_leaderboard_entry(each, me) for each in shown),
            current_user_entry=_leaderboard_entry(mine, me) if mine else None,
        )

    return [history, leaderboard]


def _bounds(game: str, limit: int, offset: int) -> tuple[int, int]:
    """A page that may be asked for, of a game that exists."""
    if game not in all_rules():
        raise Problem.general("INVALID_QUERY")
    return min(max(limit, 1), LIMIT_MAX), min(max(offset, 0), OFFSET_MAX)


def _history_entry(played: PastGame) -> HistoryEntry:
    return HistoryEntry(**structs.asdict(played) | {"played_at": iso(played.played_at)})


def _leaderboard_entry(standing: Standing, me: str | None) -> LeaderboardEntry:
    shown = structs.asdict(standing)
    del shown["updated_at"]
    return LeaderboardEntry(**shown, is_current_user=standing.user_id == me)
