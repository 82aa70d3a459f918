"""The rounds every process makes: its lease, what is overdue anywhere, what it may have missed.

Timers act on time; these rounds are the backstop that makes a lost timer, message or process
cost seconds and nothing else.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import structlog

from parlour.play.challenges import Challenges
from parlour.play.live import Live
from parlour.play.match import Match, rules_deadline
from parlour.play.play import Play
from parlour.play.presence import Presence
from parlour.play.queue import Queue
from parlour.play.rounds import one_of_many
from parlour.store import queries
from parlour.store.change import StoreError

log = structlog.get_logger()

SWEEP_S = 1.0
CHECK_S = 3.0
TIDY_S = 10.0
SWEEP_LIMIT = 200
"""How much overdue work one round takes on; the rest is for the next, or another process."""

Round = Callable[[], Awaitable[None]]


class Keeper:
    """Runs the rounds until it is stopped. A round that fails is logged and comes again."""

    def __init__(
        self, play: Play, presence: Presence, queue: Queue, challenges: Challenges
    ) -> None:
        self._play = play
        self._presence = presence
        self._queue = queue
        self._challenges = challenges
        self._kinds: list[tuple[float, Round]] = [
            (SWEEP_S, self.sweep),
            (CHECK_S, self.check),
            (TIDY_S, self.tidy),
        ]
        self._rounds: list[asyncio.Task[None]] = []
        self._alarms: list[Callable[[Match], None]] = []

    def beside(self, seconds: float, work: Round) -> None:
        """One more round that users of play want made; to be said before the start."""
        self._kinds.append((seconds, work))

    def alarm(self, overdue: Callable[[Match], None]) -> None:
        """Call this with every match whose clock or window ran out without anybody noticing."""
        self._alarms.append(overdue)

    def start(self) -> None:
        """Begin the rounds."""
        self._rounds = [
            asyncio.create_task(self._every(seconds, work)) for seconds, work in self._kinds
        ]

    async def stop(self) -> None:
        """End the rounds."""
        for task in self._rounds:
            task.cancel()
        await asyncio.gather(*self._rounds, return_exceptions=True)
        self._rounds = []

    async def _every(self, seconds: float, work: Round) -> None:
        while True:
            try:
                await work()
            except StoreError as error:
                log.warning("round not finished", round=work.__name__, error=repr(error))
            except Exception:
                log.exception("round failed", round=work.__name__)
            await asyncio.sleep(seconds)

    async def sweep(self) -> None:
        """Whatever is overdue, whoever should have seen to it."""
        await self._presence.hold()
        await self._presence.reap()
        play = self._play
        for match_id in await queries.overdue_matches(play.store, play.clock(), SWEEP_LIMIT):
            with one_of_many("overdue match", match_id=match_id):
                await self._see_to(match_id)
        await self._queue.sweep(SWEEP_LIMIT)
        await self._challenges.sweep(SWEEP_LIMIT)

    async def _see_to(self, match_id: str) -> None:
        play = self._play
        live = await play.live(match_id)
        if live is not None and not play.robots.thinking(live.match):
            await play.refresh(live)
            self._raise_alarm(live)
            await play.due(live)

    def _raise_alarm(self, live: Live) -> None:
        match = live.match
        due = rules_deadline(live.rules, match)
        late_ms = self._play.clock() - due if due is not None else -1
        if late_ms >= 0:
            log.warning("overdue", game=match.game, match_id=match.id, late_ms=late_ms)
            for overdue in self._alarms:
                overdue(match)

    async def check(self) -> None:
        """What this process's players watch, against the store."""
        play = self._play
        watched = {live.match.id: live for live in play.lives() if live.watchers or live.replaced}
        versions = await queries.versions(play.store, list(watched))
        for match_id, live in watched.items():
            with one_of_many("watched match", match_id=match_id):
                if versions.get(match_id, 0) > live.match.version:
                    await play.refresh(live)
                elif live.replaced:
                    await play.look(live)
                await self._presence.check(live)
        await self._queue.check()

    async def tidy(self) -> None:
        """Memory that nobody needs."""
        self._play.forget_idle()
