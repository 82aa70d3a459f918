"""Finished games of a user, of any kind of game, newest first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec import Struct
from sqlalchemy import Text, bindparam, select

from parlour.games.api import Millis, Seat
from parlour.people.display_names import called
from parlour.store.api import Record, Store
from parlour.store.lists import NEWEST, Place, count_of, counted, newest_first, walked
from parlour.store.schema import game_history, journal, match, seat

BY_ABSENCE: Final = "opponent_disconnected"
"""Where this is why a game ended somebody left, or did not come back; the journal knows which."""
_NAMES = ("player0_name", "player1_name")
_USERS = ("player0_user_id", "player1_user_id")


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
    left: bool
    """Whether who lost by absence had left, rather than not come back."""
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
_ENDED_BY = select(
    match.c.id,
    select(journal.c.seat)
    .where(journal.c.match_number == match.c.number, journal.c.kind.in_(("act", "expire")))
    .order_by(journal.c.version.desc())
    .limit(1)
    .correlate(match)
    .scalar_subquery()
    .label("seat"),
).where(match.c.id.in_(bindparam("ids", expanding=True)))
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
    store: Store,
    user_id: str,
    game: str,
    *,
    limit: int,
    offset: int = 0,
    before: Place = NEWEST,
    chosen: bool = False,
) -> list[PastGame]:
    """A page of the user's finished games; `chosen`: at that game names are chosen."""
    places = await walked(
        store, _WALK, user_id=user_id, game=game, limit=limit, offset=offset, before=before
    )
    seats: dict[str, Seat] = {row["match_id"]: row["seat"] for row in places}
    rows = await store.list_rows(_GAMES, ids=list(seats)) if seats else ()
    ended_by = await _who_ended(store, rows)
    users = {row[name] for row in rows for name in _USERS} - {None}
    people = await called(store, game, users, chosen=chosen)
    found: dict[str, PastGame] = {}
    for row in rows:
        shown = {name: row[name] for name in _SHOWN}
        for seat_name, owner in zip(_NAMES, _USERS, strict=True):
            if row[owner] in people:
                shown[seat_name] = people[row[owner]].name
        left = ended_by.get(row["id"]) is not None
        found[row["id"]] = PastGame(**shown, left=left, your_index=seats[row["id"]])
    return [found[match_id] for match_id in seats]


async def _who_ended(store: Store, rows: Sequence[Record]) -> dict[str, Seat | None]:
    """Of those that were lost by absence: whose deed that was; None: time's."""
    ids = [row["id"] for row in rows if row["end_reason"] == BY_ABSENCE]
    ended = await store.list_rows(_ENDED_BY, ids=ids) if ids else ()
    return {row["id"]: row["seat"] for row in ended}


async def past_matches(
    store: Store, user_id: str, game: str, *, limit: int, offset: int = 0, before: Place = NEWEST
) -> tuple[list[str], int]:
    """The ids of a page of the user's finished matches, and how many there are in all."""
    places = await walked(
        store, _WALK, user_id=user_id, game=game, limit=limit, offset=offset, before=before
    )
    total = await counted(store, _TOTAL, user_id=user_id, game=game)
    return [row["match_id"] for row in places], total
