"""The people of a game as they are called and rated now."""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy import and_, bindparam, func, select

from parlour.games.connect4.answers import GamePlayer
from parlour.games.connect4.rules import RULES
from parlour.people.ratings import START
from parlour.play.match import Match
from parlour.store.api import Store
from parlour.store.schema import rating, user

_PEOPLE = (
    select(user.c.id, user.c.username, func.coalesce(rating.c.rating, START).label("rating"))
    .select_from(
        user.outerjoin(rating, and_(rating.c.user_id == user.c.id, rating.c.game == RULES.key))
    )
    .where(user.c.id.in_(bindparam("ids", expanding=True)))
)


async def people_of(store: Store, matches: Iterable[Match]) -> dict[str, GamePlayer]:
    """Everybody who sits at these matches, by id."""
    ids = {seat.user_id for match in matches for seat in match.seats if seat.user_id is not None}
    rows = await store.rows(_PEOPLE, ids=list(ids))
    return {row["id"]: GamePlayer(row["id"], row["username"], row["rating"]) for row in rows}
