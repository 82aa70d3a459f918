"""Where bots think: worker processes, so that nobody waits for a thought."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from multiprocessing import get_context
from multiprocessing.pool import Pool
from threading import Lock
from typing import Any

from msgspec import Struct

from parlour.games.api import Dice
from parlour.games.registry import bots as registered_bots

BUDGET_S = 1.0
"""How long a bot may think."""

OVERRUN_S = 2.0
"""How much longer it is waited for before it is given up."""


class Job(Struct, frozen=True):
    """All a bot gets to see when it is asked to choose."""

    game: str
    bot: str
    mind: Any
    view: Any
    legal: tuple[Any, ...]
    seed: bytes
    version: int


Think = Callable[[Job], Awaitable[Any]]


def choose(job: Job) -> Any:
    """Runs where the thinking is done."""
    ends = time.monotonic() + BUDGET_S
    bot = registered_bots(job.game)[job.bot]
    dice = Dice(job.seed, job.version, b"choose")
    return bot.choose(job.mind, job.view, job.legal, dice, lambda: ends - time.monotonic())


class Thinkers:
    """Worker processes, started when first needed; should one overrun, all are replaced.

    The first workers think with the code as it is, so that nobody waits; meanwhile others prepare
    themselves, and take over when they are ready.
    """

    def __init__(
        self,
        workers: int = 1,
        choose: Callable[[Job], Any] = choose,
        patience_s: float = BUDGET_S + OVERRUN_S,
        prepare: Callable[[], object] | None = None,
    ) -> None:
        self._workers = workers
        self._choose = choose
        self.patience_s = patience_s
        self._prepare = prepare
        self._pool: Pool | None = None
        self._made: set[Pool] = set()
        """All that have not been ended, whoever waits for them."""
        self._closed = False
        self._guard = Lock()
        self.preparing: asyncio.Task[None] | None = None
        self._free = asyncio.Semaphore(workers)

    async def __call__(self, job: Job) -> Any:
        async with self._free:
            if self._pool is None:
                self._pool = await self._start()
                if self._prepare is not None and self.preparing is None:
                    self.preparing = asyncio.create_task(self._take_over(self._prepare))
            work = _called(self._pool, self._choose, job)
            try:
                return await asyncio.wait_for(work, self.patience_s)
            except TimeoutError:
                await self._end()
                raise

    async def _start(self, prepare: Callable[[], object] | None = None) -> Pool:
        """Workers that are ready: no thought is charged for the time that takes."""
        pool = await asyncio.to_thread(self._make, prepare)
        try:
            await _called(pool, _awake, None)
        except BaseException:
            await asyncio.to_thread(self._terminate, pool)
            raise
        return pool

    def _make(self, prepare: Callable[[], object] | None) -> Pool:
        """In a thread, which goes on though nobody waits for it any more."""
        pool = get_context("spawn").Pool(self._workers, prepare)
        with self._guard:
            if not self._closed:
                self._made.add(pool)
                return pool
        pool.terminate()
        raise RuntimeError("no workers are needed any more")

    def _terminate(self, pool: Pool) -> None:
        with self._guard:
            self._made.discard(pool)
        pool.terminate()

    async def _take_over(self, prepare: Callable[[], object]) -> None:
        prepared = await self._start(prepare)
        for _ in range(self._workers):
            await self._free.acquire()
        await self._end()
        self._pool = prepared
        for _ in range(self._workers):
            self._free.release()

    async def _end(self) -> None:
        pool, self._pool = self._pool, None
        if pool is not None:
            await asyncio.to_thread(self._terminate, pool)

    async def close(self) -> None:
        """End the workers, whatever they are at, and those that are still being made."""
        with self._guard:
            self._closed = True
        if self.preparing is not None:
            self.preparing.cancel()
            await asyncio.gather(self.preparing, return_exceptions=True)
        self._pool = None
        for pool in tuple(self._made):
            await asyncio.to_thread(self._terminate, pool)


def _awake(_: object) -> None:
    """Asked of a worker, it is answered once this module has been loaded there."""


def _called(pool: Pool, work: Callable[[Any], Any], job: Any) -> asyncio.Future[Any]:
    """What a worker makes of a job."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[Any] = loop.create_future()

    def tell(settle: Callable[[Any], None], value: Any) -> None:
        # From the pool's own thread, and perhaps after nobody waits any more.
        loop.call_soon_threadsafe(lambda: None if done.done() else settle(value))

    pool.apply_async(
        work,
        (job,),
        callback=lambda value: tell(done.set_result, value),
        error_callback=lambda error: tell(done.set_exception, error),
    )
    return done
