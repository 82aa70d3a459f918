"""A hint, in a game of practice: what the game's analyst would do in one's place.

Law: it is made of what the seat that asks was sent, and of nothing else.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from parlour.games.api import Refused, Seat, Weighed
from parlour.games.registry import analyst
from parlour.play.finding import Finder
from parlour.play.practice import must_be_practice
from parlour.play.replay import replay
from parlour.play.runtime import Runtime
from parlour.play.thinkers import NoThought
from parlour.play.weighing import Weigh, Weighing


class Hint(Struct, frozen=True):
    """What could be done at a version."""

    version: int
    action: Any
    weighed: Weighed[Any]


class Hints:
    """Gives them."""

    def __init__(self, runtime: Runtime, finder: Finder, weigh: Weigh) -> None:
        self._runtime = runtime
        self._finder = finder
        self._weigh = weigh

    async def give(self, match_id: str, seat: Seat) -> Hint:
        """For the match as it stands; `Refused`, or `Gone`."""
        resident = await self._finder.must_be_playable(match_id, fresh=True)
        rules, match = resident.rules, resident.match
        must_be_practice(rules, match, seat)
        by = analyst(match.game)
        if by is None:
            raise Refused("NO_ANALYST", "Nobody can weigh the positions of this game.")
        view = rules.view(match.state, seat)
        legal = tuple(rules.legal(view))
        if not legal:
            raise Refused("NOT_YOUR_TURN", "It is not your turn.")
        mind = by.begin()
        for update in await replay(self._runtime.store, rules, match_id):
            if update.after.version <= match.version and update.after.status == "active":
                mind = by.observe(mind, rules.view(update.after.state, seat))
        job = Weighing(match.game, mind, view, legal)
        try:
            weighed = await self._weigh(job, match.seats[seat].user_id or match_id)
        except NoThought:
            raise Refused("NO_HINT", "There is no hint right now. Ask again.") from None
        if not weighed.moves:
            raise Refused("NO_HINT", "There is no hint for this position.")
        return Hint(match.version, weighed.moves[0][0], weighed)
