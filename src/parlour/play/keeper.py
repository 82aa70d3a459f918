"""What every process looks after from time to time: what is overdue anywhere, what it may have
missed or lost.

Timers act on time; these tasks are the backstop that makes a lost timer, message or process cost
seconds and nothing else.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

import structlog

from parlour.games.api import Millis
from parlour.play.challenges import Challenges
from parlour.play.connections import Connections
from parlour.play.deadlines import Deadlines
from parlour.play.finding import Finder
from parlour.play.lease import Lease
from parlour.play.match import Match
from parlour.play.outdated import OutdatedMatches
from parlour.play.peers import Peers
from parlour.play.periodic import Periodic, Work
from parlour.play.presence import Presence
from parlour.play.queue import Queue
from parlour.play.resident import Resident
from parlour.play.residents import Residents
from parlour.play.robots import Robots
from parlour.play.rounds import PAGE, Worklist, one_of_many
from parlour.play.runtime import Runtime
from parlour.play.steps import Steps
from parlour.store import queries
from parlour.store.queries import Overdue

log = structlog.get_logger()

SWEEP_S = 1.0
RECONCILE_S = 2.0
CHECK_S = 3.0
TIDY_S = 10.0
OUTDATED_S = 10.0

GRACE_MS: Millis = 1_000
"""How late a timer may be before it counts as lost, and the sweep does its work."""


class Keeper:
    """The periodic tasks of play, and those that its users add."""

    def __init__(
        self,
        runtime: Runtime,
        lease: Lease,
        peers: Peers,
        residents: Residents,
        presence: Presence,
        connections: Connections,
        steps: Steps,
        finder: Finder,
        robots: Robots,
        deadlines: Deadlines,
        queue: Queue,
        challenges: Challenges,
    ) -> None:
        self._runtime = runtime
        self._lease = lease
        self._peers = peers
        self._residents = residents
        self._presence = presence
        self._connections = connections
        self._steps = steps
        self._finder = finder
        self._robots = robots
        self._deadlines = deadlines
        self._queue = queue
        self._challenges = challenges
        self.outdated = OutdatedMatches(runtime, residents, steps)
        self._periodic = Periodic()
        for seconds, work in (
            (SWEEP_S, self.sweep),
            (RECONCILE_S, self.reconcile),
            (CHECK_S, self.check),
            (TIDY_S, self.tidy),
            (OUTDATED_S, self.outdated.end),
        ):
            self._periodic.every(seconds, work)
        self._keeping: asyncio.Task[None] | None = None
        self._alarms: list[Callable[[Match], None]] = []
        self._overdue = Worklist[Overdue](
            "overdue match", runtime.clock, lambda each: (each.id, each.due_at)
        )
        self._lapses = 0
        """Lapses of our lease after which everything was compared with the store."""

    @property
    def worklists(self) -> Sequence[Worklist[Any]]:
        """What the tasks work through, and what of it had to be set aside."""
        return (
            self._overdue,
            self._challenges.overdue,
            *self._connections.worklists,
            *self._queue.worklists,
            *self.outdated.worklists,
        )

    def periodic(self, seconds: float, work: Work) -> None:
        """One more periodic task that users of play want; to be said before the start."""
        self._periodic.every(seconds, work)

    def alarm(self, overdue: Callable[[Match], None]) -> None:
        """Call this with every match whose clock or window ran out without anybody noticing."""
        self._alarms.append(overdue)

    def start(self) -> None:
        """Begin the tasks."""
        self._keeping = asyncio.create_task(self._lease.keep())
        self._periodic.start()

    async def stop(self) -> None:
        """End the tasks."""
        await self._periodic.stop()
        if self._keeping is not None:
            self._keeping.cancel()
            await asyncio.gather(self._keeping, return_exceptions=True)
            self._keeping = None

    # --- what is overdue --------------------------------------------------------------------

    async def sweep(self) -> None:
        """Whatever is overdue, whoever should have seen to it, and what the dead hold."""
        dead = await self._peers.dead()
        await self._connections.reap(dead)
        late = self._runtime.clock() - GRACE_MS
        await self._overdue.work(
            lambda after, limit: queries.overdue_matches(self._runtime.store, late, after, limit),
            self._see_to,
        )
        await self._queue.sweep(dead)
        await self._challenges.sweep()

    async def _see_to(self, overdue: Overdue) -> None:
        resident = await self._finder.playable(overdue.id)
        if resident is not None and not self._robots.thinking(overdue.id):
            await self._steps.refresh(resident)
            self._raise_alarm(resident)
            await self._deadlines.due(resident)
            await self._steps.put_off(resident, overdue.due_at)

    def _raise_alarm(self, resident: Resident) -> None:
        match = resident.match
        due = match.rules_at
        late_ms = self._runtime.clock() - due if due is not None else 0
        if late_ms >= GRACE_MS:
            log.warning("overdue", game=match.game, match_id=match.id, late_ms=late_ms)
            for overdue in self._alarms:
                overdue(match)

    # --- what may have been missed or lost --------------------------------------------------

    async def check(self) -> None:
        """What this process's players watch and hold, against the store."""
        needed = [each for each in self._residents.all() if each.watchers or each.claims]
        lapses = self._lease.lapses
        looked_at = needed
        if self._runtime.bus.alone and not self._peers.others and lapses == self._lapses:
            looked_at = [each for each in needed if each.match.id in self._steps.doubts]
        for start in range(0, len(looked_at), PAGE):
            await self._compare(looked_at[start : start + PAGE])
            await asyncio.sleep(0)
        self._lapses = lapses
        for resident in needed:
            if self._presence.lost(resident):
                with one_of_many("seat", match_id=resident.match.id):
                    await self._connections.retake(resident)
        await self._queue.check()

    async def _compare(self, residents: Sequence[Resident]) -> None:
        """One look at all of them; only what differs is read again, each under its lock."""
        doubts = self._steps.doubts
        standing_doubts = {each.match.id: doubts.of(each.match.id) for each in residents}
        standings = await queries.standings(self._runtime.store, list(standing_doubts))
        for resident in residents:
            match_id = resident.match.id
            standing = standings.get(match_id)
            if standing is not None and self._presence.differs(resident, standing):
                doubts.arise(match_id)  # until it has been read
                with one_of_many("watched match", match_id=match_id):
                    await self._steps.refresh(resident)
            else:
                doubts.settle(match_id, standing_doubts[match_id])

    async def reconcile(self) -> None:
        """What the store has of this process, against its sockets; a portion at a time."""
        await self._connections.reconcile()
        await self._queue.reconcile()

    async def tidy(self) -> None:
        """Memory that nobody needs."""
        self._residents.forget_idle()
        self._connections.tidy()
        self._queue.tidy()
        for each in self.worklists:
            each.tidy()
