"""A bot's way to the table: it thinks elsewhere, and acts like anyone, on the version it saw.

Two processes may think about the same move: the guard on the version lets one of them make it.
"""

from __future__ import annotations

import asyncio

import structlog

from parlour.games.api import Dice, Refused, Seat
from parlour.play.match import Match
from parlour.play.resident import Resident
from parlour.play.robots import Robots
from parlour.play.runtime import Runtime
from parlour.play.steps import Steps
from parlour.play.thinkers import Job, Think
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

    def wake(self, resident: Resident) -> None:
        """Have the bot that is to move think, and move; unless it is at it."""
        match_id = resident.match.id
        if not self._robots.thinking(match_id):
            self._robots.begin(match_id)
            self._runtime.background.spawn(self._move(resident))

    async def _move(self, resident: Resident) -> None:
        match = resident.match
        try:
            if match.status == "active":
                for seat in match.seats:
                    if seat.bot is not None:
                        await self._choose(resident, match, seat.seat, seat.bot)
        except (StoreError, Refused) as error:
            # The match is as it was, and so is the bot's turn: come back to it in a while.
            if resident.match.version == match.version:
                log.warning("bot could not move", match_id=match.id, error=repr(error))
                await asyncio.sleep(RETRY_S)
        finally:
            self._robots.end(match.id)
            self._timers.arm(resident)

    async def _choose(self, resident: Resident, match: Match, seat: Seat, name: str) -> None:
        rules = resident.rules
        view = rules.view(match.state, seat)
        legal = tuple(rules.legal(view))
        if not legal:
            return
        mind = await self._robots.mind(self._runtime.store, rules, match, seat)
        job = Job(match.game, name, mind, view, legal, match.seed, match.version)
        dice = Dice(match.seed, match.version, b"stumble")
        try:
            action = await self._think(job)
        except Exception:
            log.exception("bot failed to choose", match_id=match.id, bot=name)
            action = dice.choice(legal)
        try:
            await self._steps.act(match.id, seat, action, version=match.version)
        except Refused as refusal:
            if resident.match.version != match.version:
                return
            log.warning("bot chose badly", match_id=match.id, bot=name, code=refusal.code)
            await self._steps.act(match.id, seat, dice.choice(legal), version=match.version)
