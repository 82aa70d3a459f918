"""What goes wrong with processes and the links between them, and who puts up new ones."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from itertools import cycle
from typing import TYPE_CHECKING

from parlour.store.change import StoreError
from tests.simulation.postgres import break_connections
from tests.simulation.process import NoAnswer, Process

if TYPE_CHECKING:
    from tests.simulation.world import World

OUTAGE_S = 5.0
STALLS_S = (0.5, 3.0, 12.0)


class Mischief:
    """Kills, stops, restarts and cuts, now and then."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._replaced: set[int] = set()

    async def keep_running(self) -> None:
        """Where a process died, a new one starts a while later."""
        world = self._world
        while True:
            await asyncio.sleep(world.random.uniform(0.2, 3))
            for process in tuple(world.processes):
                if world.closed or process.alive or process.number in self._replaced:
                    continue
                self._replaced.add(process.number)
                await world.start_process()

    async def play_pranks(self) -> None:
        """One after the other, so that each has its turn, until told to stop."""
        world = self._world
        if world.plan.mischief_s is None:
            return
        pranks: list[Callable[[Process], Awaitable[None]]] = [self._kill, self._restart]
        if world.postgres_url is not None:
            pranks.append(self._end_sessions)
        else:
            pranks.append(self._stop)
        if world.plan.bus == "redis":
            pranks += [self._break_link, self._silence_link, self._redis_away]
        world.random.shuffle(pranks)
        for prank in cycle(pranks):
            await asyncio.sleep(world.random.uniform(0.5, 1.5) * world.plan.mischief_s)
            process = world.any_process()
            if process is not None:
                await prank(process)

    def end(self) -> None:
        """From now on all is well."""
        self._world.redis.away = False
        for process in self._world.processes:
            process.go_on()

    async def _kill(self, process: Process) -> None:
        self._world.tally["kill"] += 1
        process.die()

    async def _restart(self, process: Process) -> None:
        """In order: nothing that it held is left behind."""
        self._world.tally["restart"] += 1
        with suppress(NoAnswer, StoreError):
            await process.stop()

    async def _stop(self, process: Process) -> None:
        process.stand_still(self._world.random.choice(STALLS_S))

    async def _end_sessions(self, _: Process) -> None:
        assert self._world.postgres_url is not None
        self._world.tally["sessions ended"] += 1
        await break_connections(self._world.postgres_url)

    async def _break_link(self, _: Process) -> None:
        self._world.redis.break_one()

    async def _silence_link(self, _: Process) -> None:
        self._world.redis.silence_one()

    async def _redis_away(self, _: Process) -> None:
        redis = self._world.redis
        redis.go_away()
        self._world.loop_call_later(OUTAGE_S, lambda: setattr(redis, "away", False))
