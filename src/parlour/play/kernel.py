"""The parts of play put together: what a process needs to host matches."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping

from parlour.bus.api import Bus
from parlour.games.api import Millis
from parlour.games.registry import AnyRules
from parlour.play.analyses import Analyses
from parlour.play.bot_accounts import BotAccounts
from parlour.play.challenges import Challenges
from parlour.play.clock import Chance, Clock, wall_clock
from parlour.play.connections import Connections
from parlour.play.deadlines import Deadlines
from parlour.play.deciding import Decider
from parlour.play.doubts import Doubts
from parlour.play.finding import Finder
from parlour.play.hints import Hints
from parlour.play.keeper import Keeper
from parlour.play.lease import LEASE_MS, Lease
from parlour.play.new_matches import NewMatches
from parlour.play.peers import Peers
from parlour.play.policy import Policy
from parlour.play.presence import SIGHTING_MS, Presence
from parlour.play.queue import Queue
from parlour.play.rematches import Rematches
from parlour.play.residents import Residents
from parlour.play.robot_moves import RobotMoves
from parlour.play.robots import Robots
from parlour.play.runtime import Runtime
from parlour.play.seating import Seating
from parlour.play.steps import Steps
from parlour.play.takebacks import Takebacks
from parlour.play.thinkers import Think
from parlour.play.timers import Timers
from parlour.play.watching import Watching
from parlour.play.weighing import Weigh, weigh_here
from parlour.store.api import Store


class Kernel:
    """Everything around the matches of one process, started and stopped together."""

    def __init__(
        self,
        store: Store,
        bus: Bus,
        rules: Mapping[str, AnyRules],
        policies: Mapping[str, Policy],
        think: Think,
        weigh: Weigh = weigh_here,
        *,
        clock: Clock = wall_clock,
        entropy: Callable[[int], bytes] = os.urandom,
        analytics: bool = False,
        lease_ms: Millis = LEASE_MS,
        sighting_ms: Millis = SIGHTING_MS,
    ) -> None:
        chance = Chance(entropy, clock)
        self.runtime = runtime = Runtime(
            store, bus, rules, policies, clock=clock, chance=chance, analytics=analytics
        )
        robots = Robots()
        decider = Decider(robots, analytics=analytics)
        self.timers = Timers(runtime, robots)
        self.lease = Lease(store, clock, runtime.process_id, lease_ms)
        self.peers = Peers(runtime, self.lease)
        self.presence = Presence(runtime, self.lease, self.peers, sighting_ms)
        doubts = Doubts()
        self.residents = Residents(runtime, self.presence, self.timers, robots, decider, doubts)
        self.steps = Steps(
            runtime, self.residents, self.presence, self.timers, robots, decider, doubts
        )
        self.watching = Watching(runtime, self.residents, self.steps)
        self.finder = Finder(runtime, self.residents, self.steps)
        moves = RobotMoves(runtime, robots, self.steps, self.timers, think)
        self.deadlines = Deadlines(
            runtime, self.steps, self.timers, self.presence, self.lease, robots, moves
        )
        self.connections = Connections(
            runtime, self.lease, self.peers, self.presence, self.residents, self.steps, self.finder
        )
        self.new_matches = NewMatches(runtime, decider, self.residents, self.finder)
        self.seating = Seating(runtime, self.new_matches, self.presence, self.steps, self.finder)
        self.rematches = Rematches(self.new_matches, self.residents, self.steps, self.finder)
        self.hints = Hints(runtime, self.finder, weigh)
        self.analyses = Analyses(runtime, weigh)
        self.takebacks = Takebacks(runtime, self.steps, self.finder, moves)
        self.bot_accounts = BotAccounts(runtime)
        self.queue = Queue(runtime, self.lease, self.finder, self.seating, self.bot_accounts)
        self.challenges = Challenges(runtime, self.seating)
        self.keeper = Keeper(
            runtime,
            self.lease,
            self.peers,
            self.residents,
            self.presence,
            self.connections,
            self.steps,
            self.finder,
            robots,
            self.deadlines,
            self.queue,
            self.challenges,
        )

    async def start(self) -> None:
        """Hold a lease, then begin the periodic tasks."""
        await self.lease.renew()
        self.analyses.start()
        self.keeper.start()

    async def drain(self) -> None:
        """Wait until everything begun is done; nothing rings and nothing is heard any more."""
        self.residents.drain()
        await self.runtime.background.drain()
        self.watching.drain()

    async def stop(self) -> None:
        """End in order: no more periodic tasks, nothing half done, nothing held."""
        await self.keeper.stop()
        await self.analyses.stop()
        await self.drain()
        await self.lease.end()
