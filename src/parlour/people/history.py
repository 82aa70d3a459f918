"""Finished games of a user, of any kind of game, newest first."""

from __future__ import annotations

from msgspec import Struct
from sqlalchemy import Select, Text, bindparam, func, or_, select

from parlour.games.api import Millis, Seat
from parlour.store.api import Store
from parlour.store.schema import game_history, seat


class PastGame(Struct, frozen=True):
    """A finished game as one of its players looks back on it."""

    id: str
    game_id: str
    game: str
    played_at: Millis
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


# From the user's seats to their games: the view alone would be searched from end to end.
_MINE = seat.alias("mine")
_THEIRS = (
    select()
    .select_from(_MINE.join(game_history, game_history.c.id == _MINE.c.match_id))
    .where(
        _MINE.c.user_id == bindparam("user_id", type_=Text),
        _MINE.c.game == bindparam("game", type_=Text),
        # Who plays both sides has played one game.
        or_(_MINE.c.seat == 0, game_history.c.player0_user_id.is_distinct_from(_MINE.c.user_id)),
    )
)


def _newest(query: Select[tuple[()]]) -> Select[tuple[()]]:
    return (
        query.order_by(game_history.c.played_at.desc(), game_history.c.id.desc())
        .limit(bindparam("limit"))
        .offset(bindparam("offset"))
    )


_PAGE = _newest(_THEIRS.add_columns(*game_history.c, _MINE.c.seat.label("your_index")))
_IDS = _newest(_THEIRS.add_columns(game_history.c.id))
_TOTAL = _THEIRS.add_columns(func.count().label("total"))


async def past_games(
    store: Store, user_id: str, game: str, *, limit: int, offset: int = 0
) -> list[PastGame]:
    """A page of the user's finished games."""
    rows = await store.rows(_PAGE, user_id=user_id, game=game, limit=limit, offset=offset)
    fields = PastGame.__struct_fields__
    return [PastGame(*(row[name] for name in fields)) for row in rows]


async def past_matches(
    store: Store, user_id: str, game: str, *, limit: int, offset: int = 0
) -> tuple[list[str], int]:
    """The ids of a page of the user's finished matches, and how many there are in all."""
    rows = await store.rows(_IDS, user_id=user_id, game=game, limit=limit, offset=offset)
    total = await store.row(_TOTAL, user_id=user_id, game=game)
    return [row["id"] for row in rows], total["total"] if total else 0
