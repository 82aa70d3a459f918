"""Finished games of a user, of any kind of game, newest first."""

from __future__ import annotations

from msgspec import Struct
from sqlalchemy import Text, bindparam, select

from parlour.games.api import Millis, Seat
from parlour.store.api import Record, Store
from parlour.store.lists import NEWEST, Place, count_of, counted, newest_first, walked
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


_THEIRS = select(seat.c.match_id, seat.c.seat).where(
    seat.c.user_id == bindparam("user_id", type_=Text),
    seat.c.game == bindparam("game", type_=Text),
    seat.c.finished_at.is_not(None),
)
_WALK = newest_first(_THEIRS, at=seat.c.finished_at, key=seat.c.match_id)
_TOTAL = count_of(_THEIRS)
_GAMES = select(game_history).where(game_history.c.id.in_(bindparam("ids", expanding=True)))
_SHOWN = [column.name for column in game_history.columns]
_SEATS = select(seat.c.user_id, seat.c.game, seat.c.finished_at).where(
    seat.c.match_id == bindparam("match_id")
)


async def place_of(store: Store, user_id: str, game: str, match_id: str) -> Place | None:
    """Where a match stands in the history of a user; None: nowhere."""
    for row in await store.rows(_SEATS, match_id=match_id):
        if (row["user_id"], row["game"]) == (user_id, game) and row["finished_at"] is not None:
            return Place(row["finished_at"], match_id)
    return None


async def past_games(
    store: Store, user_id: str, game: str, *, limit: int, offset: int = 0, before: Place = NEWEST
) -> list[PastGame]:
    """A page of the user's finished games."""
    places = await walked(
        store, _WALK, user_id=user_id, game=game, limit=limit, offset=offset, before=before
    )
    seats: dict[str, Seat] = {row["match_id"]: row["seat"] for row in places}
    rows = await store.list_rows(_GAMES, ids=list(seats)) if seats else ()
    found = {row["id"]: _past_game(row, seats[row["id"]]) for row in rows}
    return [found[match_id] for match_id in seats]


def _past_game(row: Record, your_seat: Seat) -> PastGame:
    return PastGame(**{name: row[name] for name in _SHOWN}, your_index=your_seat)


async def past_matches(
    store: Store, user_id: str, game: str, *, limit: int, offset: int = 0, before: Place = NEWEST
) -> tuple[list[str], int]:
    """The ids of a page of the user's finished matches, and how many there are in all."""
    places = await walked(
        store, _WALK, user_id=user_id, game=game, limit=limit, offset=offset, before=before
    )
    total = await counted(store, _TOTAL, user_id=user_id, game=game)
    return [row["match_id"] for row in places], total
