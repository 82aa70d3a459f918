"""What others need to know of users."""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy import (
    bindparam,
    select,
)

from parlour.store import schema
from parlour.store.api import Record, Store

_USERS = select(schema.user.c.id, schema.user.c.username, schema.user.c.is_bot).where(
    schema.user.c.id.in_(bindparam("ids", expanding=True))
)
# Whatever they play: were the game named too, SQLite would go through all who play it.
_RATINGS = select(schema.rating.c.user_id, schema.rating.c.game, schema.rating.c.rating).where(
    schema.rating.c.user_id.in_(bindparam("ids", expanding=True))
)


async def ratings(store: Store, user_ids: Iterable[str], game: str) -> dict[str, int]:
    """The rating of each of these users, which for a newcomer is where everyone starts."""
    found = dict.fromkeys(user_ids, schema.STARTING_RATING)
    for record in await store.rows(_RATINGS, ids=list(found)):
        if record["game"] == game:
            found[record["user_id"]] = record["rating"]
    return found


async def users_by_id(store: Store, ids: Iterable[str]) -> dict[str, Record]:
    """What each of these users is called, and whether it is a bot."""
    return {record["id"]: record for record in await store.rows(_USERS, ids=list(ids))}
