"""Taking a move back, in a game of practice: the match goes on from before one's own last move.

Laws:

* A takeback is a step like any other: an entry of the journal that carries the position, guarded,
  durable and told. Nothing of what was played before is rewritten.
* It is one's own turn after it, with all the time that a turn has.
* Where something is hidden nobody goes back: what has been seen cannot be unseen.
* A match takes so many and no more, so that its journal stays bounded.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec
from msgspec import Raw

from parlour.games.api import Refused, Seat
from parlour.games.registry import AnyRules
from parlour.play.deciding import Plan, Wanted
from parlour.play.finding import Finder
from parlour.play.line import is_move, standing
from parlour.play.match import Match, Position, Update
from parlour.play.practice import must_be_practice
from parlour.play.replay import state_after
from parlour.play.resident import Resident
from parlour.play.robot_moves import RobotMoves
from parlour.play.runtime import Runtime
from parlour.play.steps import ATTEMPTS, Steps
from parlour.store import queries
from parlour.store.change import Conflict, JournalRow

LIMIT: Final = 100
"""How often one may go back in one match."""


class Takebacks:
    """Takes moves back."""

    def __init__(self, runtime: Runtime, steps: Steps, finder: Finder, moves: RobotMoves) -> None:
        self._runtime = runtime
        self._steps = steps
        self._finder = finder
        self._moves = moves

    async def take_back(self, match_id: str, seat: Seat) -> Update:
        """Back to before that seat's last move; `Refused`, or `Gone`."""
        resident = await self._finder.must_be_playable(match_id, fresh=True)
        async with resident.lock:
            for _ in range(ATTEMPTS):
                update = await self._attempt(resident, seat)
                if update is not None:
                    self._moves.cancel(match_id)
                    return update
        raise Conflict

    async def _attempt(self, resident: Resident, seat: Seat) -> Update | None:
        """None: the match moved on while its journal was read."""
        rules, match = resident.rules, resident.match
        may_go_back(rules, match, seat)
        played = await queries.journal(self._runtime.store, match.id, until=match.version)
        position = before_last_move(rules, match, played, seat)

        def propose(now: Match) -> Plan | None:
            may_go_back(rules, now, seat)
            if now.version != match.version:
                return None
            return Plan((Wanted("takeback", seat, position),))

        return await self._steps.attempt_locked(resident, propose)


def may_go_back(rules: AnyRules, match: Match, seat: Seat) -> None:
    """Refuses what cannot be gone back in, whatever was played."""
    must_be_practice(rules, match, seat)
    if rules.hidden:
        raise Refused("HIDDEN", "What has been seen in this game cannot be unseen.")


def before_last_move(
    rules: AnyRules, match: Match, played: Sequence[JournalRow], seat: Seat
) -> Position:
    """Where a seat made its last move of those that still stand; or `Refused`."""
    if sum(entry.kind == "takeback" for entry in played) >= LIMIT:
        raise Refused("TOO_MANY_TAKEBACKS", f"A game can be taken back {LIMIT} times.")
    for entry in reversed(standing(played)):
        if is_move(rules, entry, seat):
            version = entry.version - 1
            state = state_after(rules, match, played[:version])
            return Position(Raw(msgspec.json.encode(state)), version)
    raise Refused("NOTHING_TO_TAKE_BACK", "You have not moved yet.")
