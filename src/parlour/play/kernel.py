"""The parts of play put together: what a process needs to host matches."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from contextlib import suppress

from parlour.bus.api import Bus
from parlour.games.api import Millis
from parlour.games.registry import AnyRules
from parlour.play.challenges import Challenges
from parlour.play.clock import Chance, Clock, wall_clock
from parlour.play.keeper import Keeper
from parlour.play.lease import LEASE_MS
from parlour.play.play import Play
from parlour.play.policy import Policy
from parlour.play.presence import Presence
from parlour.play.queue import Queue
from parlour.play.robots import Robots, Think
from parlour.play.seating import Player, Seating
from parlour.play.sightings import SIGHTING_MS
from parlour.store.api import Store
from parlour.store.change import Change, Taken, UserRow


class Kernel:
    """Everything around the matches of one process, started and stopped together."""

    def __init__(
        self,
        store: Store,
        bus: Bus,
        rules: Mapping[str, AnyRules],
        policies: Mapping[str, Policy],
        think: Think,
        *,
        clock: Clock = wall_clock,
        entropy: Callable[[int], bytes] = os.urandom,
        analytics: bool = False,
        lease_ms: Millis = LEASE_MS,
        sighting_ms: Millis = SIGHTING_MS,
    ) -> None:
        self.play = Play(
            store,
            bus,
            rules,
            policies,
            robots=Robots(think),
            chance=Chance(entropy, clock),
            clock=clock,
            analytics=analytics,
            sighting_ms=sighting_ms,
            lease_ms=lease_ms,
        )
        self.seating = Seating(self.play)
        self.presence = Presence(self.play)
        self.queue = Queue(self.play, self.seating, self.bot_player)
        self.challenges = Challenges(self.play, self.seating)
        self.keeper = Keeper(self.play, self.presence, self.queue, self.challenges)
        self._known_bots: set[str] = set()

    async def start(self) -> None:
        """Hold a lease, then begin the periodic tasks."""
        await self.play.lease.renew()
        self.keeper.start()

    async def stop(self) -> None:
        """End in order: no more periodic tasks, nothing half done, nothing held."""
        await self.keeper.stop()
        await self.play.drain()
        await self.play.lease.end()

    async def bot_player(self, game: str, name: str) -> Player:
        """A bot as a player; where bots are rated it has an account, made on first use."""
        if not self.play.policies[game].rated_bots:
            return Player(name=name, bot=name)
        user_id = f"ai:{name}"
        if user_id not in self._known_bots:
            now = self.play.clock()
            user = UserRow(
                id=user_id,
                subject=user_id,
                username=user_id,
                is_bot=True,
                created_at=now,
                updated_at=now,
            )
            with suppress(Taken):  # another process, or an earlier run, was first
                await self.play.store.commit(Change((user,)))
            self._known_bots.add(user_id)
        return Player(name=name, user_id=user_id, bot=name)
