"""How people are called at a game, wherever they are listed: one name each, and the latest.

At most games that is the name of their account. Where players choose a name as they sit down it is
the one under which they sit, or sat last.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct
from sqlalchemy import Text, bindparam, select

from parlour.store.api import Store
from parlour.store.schema import seat, user

BOT = "ai:"
"""What the ids and names of bots begin with; no person's name can."""

_LAST_SAT_AS = (
    select(seat.c.name)
    .where(seat.c.user_id == user.c.id, seat.c.game == bindparam("game", type_=Text))
    .order_by(seat.c.created_at.desc(), seat.c.match_id.desc())
    .limit(1)
    .correlate(user)
)
_CALLED = select(
    user.c.id, user.c.username, user.c.is_bot, _LAST_SAT_AS.scalar_subquery().label("sat_as")
).where(user.c.id.in_(bindparam("users", expanding=True)))


class Called(Struct, frozen=True):
    """Somebody, for a list."""

    name: str
    is_bot: bool


async def called(
    store: Store, game: str, users: Iterable[str], *, chosen: bool
) -> dict[str, Called]:
    """Each of these users; `chosen`: at that game names are chosen."""
    wanted = list(users)
    rows = await store.list_rows(_CALLED, users=wanted, game=game) if wanted else ()
    return {
        row["id"]: Called(
            ((row["sat_as"] if chosen else None) or row["username"]).removeprefix(BOT),
            bool(row["is_bot"]),
        )
        for row in rows
    }
