"""A bot's way to the table: it thinks elsewhere, and acts like anyone, on the version it saw.

Laws:

* It begins to think as soon as it is to move, and moves when its time has come (`bot_at`) and it
  has thought: its pause for naturalness is no time lost.
* One that does not search (`Bot.searches`) has nothing to think about: it moves when its time has
  come, and nobody else is asked.
* What was thought ahead is only a help. Who comes to the match after a restart thinks then.
* Two processes may think about the same move: the guard on the version lets one of them make it.
* A move that is known when its time comes, with nothing in its way, is made at once.
"""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Any

import structlog

from parlour.games.api import Dice, Refused
from parlour.play.jobs import Job
from parlour.play.match import Match
from parlour.play.resident import Resident
from parlour.play.robots import Mover, Robots
from parlour.play.runtime import Runtime
from parlour.play.steps import Steps
from parlour.play.thinkers import NoThought, Think
from parlour.play.timers import Timers
from parlour.store.change import StoreError

log = structlog.get_logger()

RETRY_S = 1.0


class RobotMoves:
    """Has bots think, and move."""

    def __init__(
        self, runtime: Runtime, robots: Robots, steps: Steps, timers: Timers, think: Think
    ) -> None:
        self._runtime = runtime
        self._robots = robots
        self._steps = steps
        self._timers = timers
        self._think = think
        self._moves: dict[str, asyncio.Task[None]] = {}

    def foresee(self, resident: Resident) -> None:
        """Have the bot that is to move think, before its time has come."""
        match = resident.match
        if self._robots.thinking(match.id) or self._robots.thinks_ahead(match):
            return
        mover = self._robots.mover(resident.rules, match)
        if mover is not None and self._robots.searches(match, mover):
            thought = self._runtime.background.loop.create_task(
                self._thought(resident, match, mover)
            )
            thought.add_done_callback(_look)
            self._robots.think_ahead(match, thought)

    def move_at_once(self, resident: Resident) -> bool:
        """Make a move that is known, if its time has come; False: that takes more."""
        match = resident.match
        due = match.bot_at is not None and match.bot_at <= self._runtime.clock()
        mover = self._robots.mover(resident.rules, match) if due else None
        if mover is None or self._robots.thinking(match.id):
            return False
        if self._robots.searches(match, mover):
            action = self._robots.foreseen(match)
        elif (known := self._robots.known_mind(match, mover.seat)) is not None:
            action = _job(resident, match, mover, *known).at_once()
        else:
            action = None
        if action is None:
            return False
        told = partial(self._moved, resident)
        self._robots.begin(match.id)
        if self._steps.act_at_once(match.id, mover.seat, action, match.version, told):
            return True
        self._robots.end(match.id)
        return False

    def _moved(self, resident: Resident, outcome: int | Exception | None) -> None:
        """What became of a move that was made at once."""
        match_id = resident.match.id
        if isinstance(outcome, Exception):
            log.warning("bot could not move", match_id=match_id, error=repr(outcome))
            self._runtime.background.spawn(self._later(resident))
            return
        self._robots.end(match_id)
        self._timers.arm(resident)

    async def _later(self, resident: Resident) -> None:
        """The match is as it was, and so is the bot's turn: come back to it in a while."""
        try:
            await asyncio.sleep(RETRY_S)
        finally:
            self._robots.end(resident.match.id)
            self._timers.arm(resident)

    def wake(self, resident: Resident) -> None:
        """Have the bot that is to move think, and move; unless it is at it."""
        match_id = resident.match.id
        if not self._robots.thinking(match_id):
            self._robots.begin(match_id)
            task = self._runtime.background.begin(self._move(resident))
            self._moves[match_id] = task
            task.add_done_callback(lambda _: self._ended(match_id, task))

    def cancel(self, match_id: str) -> None:
        """Whatever it thinks about is of no use any more; for callers who hold the match's lock."""
        if (move := self._moves.get(match_id)) is not None:
            move.cancel()

    def _ended(self, match_id: str, task: asyncio.Task[None]) -> None:
        """Also of one that was cancelled before it had begun."""
        if self._moves.get(match_id) is task:
            del self._moves[match_id]
            self._robots.end(match_id)

    async def _move(self, resident: Resident) -> None:
        match = resident.match
        try:
            mover = self._robots.mover(resident.rules, match) if match.status == "active" else None
            if mover is not None:
                await self._choose(resident, match, mover)
        except (StoreError, Refused) as error:
            # The match is as it was, and so is the bot's turn: come back to it in a while.
            if resident.match.version == match.version:
                log.warning("bot could not move", match_id=match.id, error=repr(error))
                await asyncio.sleep(RETRY_S)
        finally:
            self._robots.end(match.id)
            self._timers.arm(resident)

    async def _choose(self, resident: Resident, match: Match, mover: Mover) -> None:
        thought = self._robots.thought(match)
        if thought is not None:
            action = await thought
        else:
            action = await self._thought(resident, match, mover)
        try:
            await self._steps.act(match.id, mover.seat, action, version=match.version)
        except Refused as refusal:
            if resident.match.version != match.version:
                return
            log.warning("bot chose badly", match_id=match.id, bot=mover.bot, code=refusal.code)
            action = Dice(match.seed, match.version, b"stumble").choice(mover.legal)
            await self._steps.act(match.id, mover.seat, action, version=match.version)

    async def _thought(self, resident: Resident, match: Match, mover: Mover) -> Any:
        """What the bot will do: what it thought of, or what it does without thinking."""
        rules, store = resident.rules, self._runtime.store
        mind = await self._robots.mind(store, rules, match, mover.seat)
        job = _job(resident, match, mover, mind)
        if not self._robots.searches(match, mover):
            return job.at_once()
        try:
            return await self._think(job)
        except NoThought:
            return job.at_once()
        except Exception:
            log.exception("bot failed to choose", match_id=match.id, bot=mover.bot)
            return job.at_once()


def _job(resident: Resident, match: Match, mover: Mover, mind: Any) -> Job:
    """What the bot is asked."""
    return Job(
        match.game,
        mover.bot,
        mind,
        mover.view,
        mover.legal,
        match.seed,
        match.version,
        _whose(resident),
    )


def _whose(resident: Resident) -> str:
    """Who waits for the bot: whoever is connected from that address, that user, or that match."""
    for claim in resident.claims.values():
        if claim.origin is not None:
            return claim.origin
    match = resident.match
    people = (row.user_id for row in match.seats if row.bot is None)
    return next(filter(None, people), match.id)


def _look(thought: asyncio.Task[Any]) -> None:
    """Should it fail, whoever moves then thinks again; nobody else need hear of it."""
    if not thought.cancelled():
        thought.exception()
