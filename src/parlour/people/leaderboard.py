"""Who is best at a game, and where one stands oneself."""

from __future__ import annotations

from msgspec import Struct
from sqlalchemy import Text, bindparam, select

from parlour.games.api import Millis
from parlour.store.api import Record, Store
from parlour.store.schema import player_ratings

BOT = "ai:"
"""What the ids and names of bots begin with; no person's name can."""


class Standing(Struct, frozen=True):
    """A player's rating in one game, and how it came about."""

    user_id: str
    display_name: str
    elo: int
    wins: int
    losses: int
    draws: int
    is_bot: bool
    updated_at: Millis
    """When it last changed."""


_OF_GAME = select(player_ratings).where(player_ratings.c.game == bindparam("game", type_=Text))
_BEST = (
    _OF_GAME.order_by(
        player_ratings.c.elo.desc(), player_ratings.c.wins.desc(), player_ratings.c.user_id
    )
    .limit(bindparam("limit"))
    .offset(bindparam("offset"))
)
_OF_USER = _OF_GAME.where(player_ratings.c.user_id == bindparam("user_id", type_=Text))


async def best(store: Store, game: str, *, limit: int, offset: int = 0) -> list[Standing]:
    """A page of the leaderboard, the highest rating first."""
    return [
        _standing(row) for row in await store.rows(_BEST, game=game, limit=limit, offset=offset)
    ]


async def standing_of(store: Store, game: str, user_id: str) -> Standing | None:
    """Where a user stands; None before the first rated game."""
    row = await store.row(_OF_USER, game=game, user_id=user_id)
    return _standing(row) if row else None


def _standing(row: Record) -> Standing:
    return Standing(
        user_id=row["user_id"],
        display_name=row["display_name"].removeprefix(BOT),
        elo=row["elo"],
        wins=row["wins"],
        losses=row["losses"],
        draws=row["draws"],
        is_bot=bool(row["is_bot"]),
        updated_at=row["updated_at"],
    )
