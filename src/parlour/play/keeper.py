"""The periodic tasks of every process: what is overdue anywhere, what it may have missed or lost.

Timers act on time; these tasks are the backstop that makes a lost timer, message or process cost
seconds and nothing else.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Any

import structlog

from parlour.games.api import Millis, Refused
from parlour.play.challenges import Challenges
from parlour.play.live import Live
from parlour.play.match import Match, rules_deadline
from parlour.play.play import Play, Proposal
from parlour.play.presence import Presence
from parlour.play.queue import Queue
from parlour.play.rounds import PAGE, Worklist, one_of_many
from parlour.store import queries
from parlour.store.change import StoreError
from parlour.store.queries import Outdated, Overdue

log = structlog.get_logger()

SWEEP_S = 1.0
RECONCILE_S = 2.0
CHECK_S = 3.0
TIDY_S = 10.0
OUTDATED_S = 10.0

GRACE_MS: Millis = 1_000
"""How late a timer may be before it counts as lost, and the sweep does its work."""

Work = Callable[[], Awaitable[None]]


class Keeper:
    """Runs the tasks until it is stopped. What fails is logged and comes again."""

    def __init__(
        self, play: Play, presence: Presence, queue: Queue, challenges: Challenges
    ) -> None:
        self._play = play
        self._presence = presence
        self._queue = queue
        self._challenges = challenges
        self._kinds: list[tuple[float, Work]] = [
            (SWEEP_S, self.sweep),
            (RECONCILE_S, self.reconcile),
            (CHECK_S, self.check),
            (TIDY_S, self.tidy),
            (OUTDATED_S, self.end_outdated),
        ]
        self._tasks: list[asyncio.Task[None]] = []
        self._alarms: list[Callable[[Match], None]] = []
        self._overdue = Worklist[Overdue](
            "overdue match", play.clock, lambda each: (each.id, each.due_at)
        )
        self._outdated = {
            game: Worklist[Outdated](
                f"outdated match of {game}", play.clock, lambda each: (each.id,)
            )
            for game in play.rules
        }
        self.outdated = 0
        """How many matches of older rules were ended here."""
        self._lapses = 0
        """Lapses of our lease after which everything was compared with the store."""

    @property
    def worklists(self) -> Sequence[Worklist[Any]]:
        """What the tasks work through, and what of it had to be set aside."""
        return (
            self._overdue,
            self._challenges.overdue,
            *self._presence.worklists,
            *self._queue.worklists,
            *self._outdated.values(),
        )

    def beside(self, seconds: float, work: Work) -> None:
        """One more periodic task that users of play want; to be said before the start."""
        self._kinds.append((seconds, work))

    def alarm(self, overdue: Callable[[Match], None]) -> None:
        """Call this with every match whose clock or window ran out without anybody noticing."""
        self._alarms.append(overdue)

    def start(self) -> None:
        """Begin the tasks."""
        self._tasks = [
            asyncio.create_task(self._play.lease.keep()),
            *(asyncio.create_task(self._every(seconds, work)) for seconds, work in self._kinds),
        ]

    async def stop(self) -> None:
        """End the tasks."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._tasks = []

    async def _every(self, seconds: float, work: Work) -> None:
        while True:
            try:
                await work()
            except StoreError as error:
                log.warning("round not finished", round=work.__name__, error=repr(error))
            except Exception:
                log.exception("round failed", round=work.__name__)
            await asyncio.sleep(seconds)

    # --- what is overdue --------------------------------------------------------------------

    async def sweep(self) -> None:
        """Whatever is overdue, whoever should have seen to it, and what the dead hold."""
        play = self._play
        dead = await play.dead()
        await self._presence.reap(dead)
        late = play.clock() - GRACE_MS
        await self._overdue.work(
            lambda after, limit: queries.overdue_matches(play.store, late, after, limit),
            self._see_to,
        )
        await self._queue.sweep(dead)
        await self._challenges.sweep()

    async def _see_to(self, overdue: Overdue) -> None:
        play = self._play
        live = await play.live(overdue.id)
        if live is not None and not play.robots.thinking(live.match):
            await play.refresh(live)
            self._raise_alarm(live)
            await play.due(live)

    def _raise_alarm(self, live: Live) -> None:
        match = live.match
        due = rules_deadline(live.rules, match)
        late_ms = self._play.clock() - due if due is not None else 0
        if late_ms >= GRACE_MS:
            log.warning("overdue", game=match.game, match_id=match.id, late_ms=late_ms)
            for overdue in self._alarms:
                overdue(match)

    async def end_outdated(self) -> None:
        """Open matches that were begun by older rules than there are now, and cannot go on.

        Those of newer rules are for the processes that know them, while a fleet is renewed.
        """
        play = self._play
        for game, rules in play.rules.items():
            read = partial(queries.outdated_matches, play.store, game, rules.version)
            await self._outdated[game].work(read, self._end_outdated)

    async def _end_outdated(self, outdated: Outdated) -> None:
        live = await self._play.known(outdated.id)
        if live is None or live.playable or live.match.over:
            return
        await self._play.step(live, _called_off)
        self.outdated += 1
        match = live.match
        log.warning(
            "match of older rules called off",
            game=match.game,
            match_id=match.id,
            rules_version=match.rules_version,
        )

    # --- what may have been missed or lost --------------------------------------------------

    async def check(self) -> None:
        """What this process's players watch and hold, against the store."""
        play = self._play
        lives = [live for live in play.lives() if live.watchers or live.replaced]
        lapses = play.lease.lapses
        looked_at = lives
        if play.bus.alone and not play.others and lapses == self._lapses:
            looked_at = [live for live in lives if live.match.id in play.doubted]
        doubted, play.doubted = play.doubted, set()
        try:
            for start in range(0, len(looked_at), PAGE):
                await self._compare(looked_at[start : start + PAGE])
                await asyncio.sleep(0)
        except BaseException:
            play.doubted |= doubted
            raise
        self._lapses = lapses
        for live in lives:
            if self._presence.lost(live):
                with one_of_many("seat", match_id=live.match.id):
                    await self._presence.retake(live)
        await self._queue.check()

    async def _compare(self, lives: Sequence[Live]) -> None:
        """One look at all of them; only what differs is read again, each under its lock."""
        play = self._play
        standings = await queries.standings(play.store, [live.match.id for live in lives])
        for live in lives:
            standing = standings.get(live.match.id)
            if standing is not None and play.differs(live, standing):
                play.doubted.add(live.match.id)  # until it has been read
                with one_of_many("watched match", match_id=live.match.id):
                    await play.refresh(live)
                    play.doubted.discard(live.match.id)

    async def reconcile(self) -> None:
        """What the store has of this process, against its sockets; a portion at a time."""
        await self._presence.reconcile()
        await self._queue.reconcile()

    async def tidy(self) -> None:
        """Memory that nobody needs."""
        self._play.forget_idle()
        self._presence.tidy()
        self._queue.tidy()
        for each in self.worklists:
            each.tidy()


def _called_off(match: Match) -> Proposal:
    if match.over:
        raise Refused("NOT_ACTIVE", "This match is over.")
    return Proposal("cancel")
