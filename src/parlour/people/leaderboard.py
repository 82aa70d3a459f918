"""Who is best at a game, and where one stands oneself."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from sqlalchemy import Integer, Text, bindparam, select

from parlour.games.api import Millis
from parlour.people.display_names import Called, called
from parlour.store.api import Record, Store
from parlour.store.lists import REACH
from parlour.store.schema import rating


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

    @property
    def rank(self) -> Rank:
        """Where the list goes on after this one."""
        return Rank(self.elo, self.wins, self.user_id)


class Rank(Struct, frozen=True):
    """A place on the leaderboard: the highest rating first, then the most wins."""

    elo: int
    wins: int
    user_id: str


_RANKED = (
    select(rating.c.rating, rating.c.wins, rating.c.user_id)
    .where(rating.c.game == bindparam("game", type_=Text))
    .order_by(rating.c.rating.desc(), rating.c.wins.desc(), rating.c.user_id)
    .limit(bindparam("limit"))
)
_TOP = _RANKED.offset(bindparam("offset"))
_ELO, _WINS = bindparam("elo", type_=Integer), bindparam("wins", type_=Integer)
# One after the other: an order that goes up and down has no comparison of whole rows.
_BELOW = (
    _RANKED.where(
        rating.c.rating == _ELO,
        rating.c.wins == _WINS,
        rating.c.user_id > bindparam("user_id", type_=Text),
    ),
    _RANKED.where(rating.c.rating == _ELO, rating.c.wins < _WINS),
    _RANKED.where(rating.c.rating < _ELO),
)
# Whatever they play: were the game named too, SQLite would go through all who play it.
_OF_USERS = select(rating).where(rating.c.user_id.in_(bindparam("users", expanding=True)))


async def best(
    store: Store,
    game: str,
    *,
    limit: int,
    offset: int = 0,
    below: Rank | None = None,
    chosen: bool = False,
) -> list[Standing]:
    """A page of the leaderboard, the highest rating first: from an offset on, or below a rank.

    `chosen`: at that game names are chosen.
    """
    if below is not None:
        users = await _below(store, game, limit, below)
    elif offset < REACH:
        ranked = await store.list_rows(_TOP, game=game, limit=limit, offset=offset)
        users = [row["user_id"] for row in ranked]
    else:
        users = []
    found = await _standings(store, game, users, chosen)
    return [found[user_id] for user_id in users]


async def _below(store: Store, game: str, limit: int, rank: Rank) -> list[str]:
    users: list[str] = []
    given = {"elo": rank.elo, "wins": rank.wins, "user_id": rank.user_id}
    for part in _BELOW:
        if len(users) < limit:
            left = limit - len(users)
            ranked = await store.list_rows(part, game=game, limit=left, **given)
            users += [row["user_id"] for row in ranked]
    return users


async def standing_of(
    store: Store, game: str, user_id: str, *, chosen: bool = False
) -> Standing | None:
    """Where a user stands; None before the first rated game."""
    return (await _standings(store, game, [user_id], chosen)).get(user_id)


async def _standings(
    store: Store, game: str, users: Sequence[str], chosen: bool
) -> dict[str, Standing]:
    if not users:
        return {}
    people = await called(store, game, users, chosen=chosen)
    rows = await store.rows(_OF_USERS, users=users)
    return {
        row["user_id"]: _standing(row, people[row["user_id"]])
        for row in rows
        if row["game"] == game
    }


def _standing(rated: Record, player: Called) -> Standing:
    return Standing(
        user_id=rated["user_id"],
        display_name=player.name,
        elo=rated["rating"],
        wins=rated["wins"],
        losses=rated["losses"],
        draws=rated["draws"],
        is_bot=player.is_bot,
        updated_at=rated["updated_at"],
    )
