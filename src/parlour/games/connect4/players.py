"""The people of a game as they are called and rated now."""

from __future__ import annotations

from collections.abc import Iterable

from parlour.games.connect4.answers import GamePlayer
from parlour.games.connect4.rules import RULES
from parlour.play.match import Match
from parlour.store import queries
from parlour.store.api import Store


async def people_of(store: Store, matches: Iterable[Match]) -> dict[str, GamePlayer]:
    """Everybody who sits at these matches, by id."""
    ids = {seat.user_id for match in matches for seat in match.seats if seat.user_id is not None}
    called = await queries.users_by_id(store, ids)
    rated = await queries.ratings(store, ids, RULES.key)
    return {
        user_id: GamePlayer(user_id, row["username"], rated[user_id])
        for user_id, row in called.items()
    }
