"""Open matches that were begun by older rules than there are now, and cannot go on.

Those of newer rules are for the processes that know them, while a fleet is renewed.
"""

from __future__ import annotations

from functools import partial

import structlog

from parlour.play.deciding import Plan, Wanted
from parlour.play.match import Match
from parlour.play.residents import Residents
from parlour.play.rounds import Worklist
from parlour.play.runtime import Runtime
from parlour.play.steps import Steps
from parlour.store import queries
from parlour.store.queries import Outdated

log = structlog.get_logger()


class OutdatedMatches:
    """Calls them off, and gives back what was paid in."""

    def __init__(self, runtime: Runtime, residents: Residents, steps: Steps) -> None:
        self._runtime = runtime
        self._residents = residents
        self._steps = steps
        self._of = {
            game: Worklist[Outdated](
                f"outdated match of {game}", runtime.clock, lambda each: (each.id,)
            )
            for game in runtime.rules
        }
        self.ended = 0
        """How many were ended here."""

    @property
    def worklists(self) -> tuple[Worklist[Outdated], ...]:
        """What this works through, and what of it had to be set aside."""
        return tuple(self._of.values())

    async def end(self) -> None:
        """All there are."""
        for game, rules in self._runtime.rules.items():
            read = partial(queries.outdated_matches, self._runtime.store, game, rules.version)
            await self._of[game].work(read, self._end_one)

    async def _end_one(self, outdated: Outdated) -> None:
        resident = await self._residents.get(outdated.id)
        if resident is None or resident.playable:
            return
        async with resident.lock:
            called_off = await self._steps.attempt_locked(resident, _called_off)
        if called_off is None:
            return
        self.ended += 1
        log.warning(
            "match of older rules called off",
            game=called_off.after.game,
            match_id=called_off.after.id,
            rules_version=called_off.after.rules_version,
        )


def _called_off(match: Match) -> Plan | None:
    return None if match.over else Plan((Wanted("cancel"),))
