"""What is done when a match is due: the rules' deadlines, a bot's move, and a match that lapses.

Law: a due deadline is stepped once, by whichever process comes first, as a guarded commit like any
other; one that is not seen to in time is come back to by the sweep.
"""

from __future__ import annotations

from functools import partial

from parlour.games.api import Millis
from parlour.play.deciding import Plan, Together, Wanted
from parlour.play.lease import Lease
from parlour.play.presence import Presence
from parlour.play.resident import Resident
from parlour.play.robot_moves import RobotMoves
from parlour.play.robots import Robots
from parlour.play.runtime import Runtime
from parlour.play.steps import Steps
from parlour.play.timers import Timers

LAPSE = Plan((Wanted("lapse"),))


class Deadlines:
    """Sees to every match whose timer rang, or that was found overdue."""

    def __init__(
        self,
        runtime: Runtime,
        steps: Steps,
        timers: Timers,
        presence: Presence,
        lease: Lease,
        robots: Robots,
        moves: RobotMoves,
    ) -> None:
        self._runtime = runtime
        self._steps = steps
        self._timers = timers
        self._presence = presence
        self._lease = lease
        self._robots = robots
        self._moves = moves
        timers.subscribe(self._rang, moves.foresee)

    def _rang(self, resident: Resident) -> None:
        if self._moves.move_at_once(resident):
            return
        if not self._steps.expire_at_once(resident, partial(self._expired, resident)):
            self._runtime.background.spawn(self.due(resident))

    def _expired(self, resident: Resident, outcome: int | Exception | None) -> None:
        """What became of a deadline that nobody waited for; what is due next has a timer again."""
        if not isinstance(outcome, int):
            self._runtime.background.spawn(self.due(resident))

    async def due(self, resident: Resident, together: Together | None = None) -> None:
        """Do what a match that is due waits for. Should that fail, the sweep comes back to it.

        What comes `together` does so with the first deadline of the rules that has passed.
        """
        async with resident.lock:
            await self._steps.expire_due(resident, together)
            match, now = resident.match, self._runtime.clock()
            bot_due = match.bot_at is not None and match.bot_at <= now
            if bot_due and not self._robots.thinking(match.id):
                self._moves.wake(resident)
            elif match.idle_at is not None and match.idle_at <= now:
                await self._idle(resident, now)
        self._timers.arm(resident)

    async def _idle(self, resident: Resident, now: Millis) -> None:
        """A match lapses unless somebody was heard of within its time."""
        await self._presence.look(resident)
        match = resident.match
        ttl = resident.policy.ttl(match)
        people = [row.seat for row in match.seats if row.bot is None]
        seen = self._presence.last_seen(resident)
        used_at = max((*(seen[seat] or 0 for seat in people), match.updated_at))
        if resident.policy.kept_by_anyone and resident.watchers:
            used_at = now
        if ttl is None:
            await self._steps.postpone(resident, None)
        elif used_at + ttl <= now:
            await self._steps.step_locked(resident, lambda _: LAPSE)
        elif self._presence.in_doubt(resident):
            # By then it is known who is here.
            await self._steps.postpone(resident, now + self._lease.term_ms)
        else:
            await self._steps.postpone(resident, used_at + ttl)
