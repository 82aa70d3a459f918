"""Changes that are more than a move: transactions, on a thread with an event loop of its own.

A transaction is several questions to the server, one after the other. On the loop that serves
players each of them would wait for all else there is to do, and those who come behind would wait
for a connection all the while: at a thousand games that took seconds.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from contextlib import suppress
from threading import Thread
from typing import Any, TypeVar

import asyncpg
import structlog
import uvloop

from parlour.store.api import Answer
from parlour.store.change import StoreError, Unavailable
from parlour.store.change.statement import Step
from parlour.store.postgres.batches import alike
from parlour.store.postgres.commit import transact, transact_all
from parlour.store.postgres.connection import LOST, Again

GROUP_LIMIT = 250
"""So many changes share a transaction at most."""
ATTEMPTS = 10
PAUSE_S = 0.01
LONGEST_PAUSE_S = 1.0

log = structlog.get_logger()

T = TypeVar("T")
Plan = Sequence[Step]
Waiting = tuple[Plan, Answer]
OpenPool = Callable[[int], Awaitable[Any]]
"""Opens so many connections at most, for the loop that runs."""


class Apart:
    """A thread that makes changes, so many at a time; each is answered on the loop it came from."""

    def __init__(self, open_pool: OpenPool, connections: int) -> None:
        self._open_pool = open_pool
        self._connections = connections
        self._pool: Any = None
        self._home = asyncio.get_running_loop()
        self._loop = uvloop.new_event_loop()
        self._places = asyncio.Semaphore(connections)
        self._tasks: set[asyncio.Task[None]] = set()
        self._sharing: list[Waiting] = []
        self._group_under_way = False
        self._thread = Thread(target=self._loop.run_forever, name="store", daemon=True)

    async def start(self) -> None:
        """Ready when this returns."""
        self._thread.start()
        try:
            await self._there(self._start())
        except BaseException:
            await self._end()
            raise

    async def close(self) -> None:
        """Finish what was begun."""
        await self._there(self._stop())
        await self._end()

    async def _end(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        await asyncio.to_thread(self._thread.join)
        self._loop.close()

    def terminate(self) -> None:
        """Cut all connections, whatever goes over them."""
        self._loop.call_soon_threadsafe(self._pool.terminate)

    def submit(self, plan: Plan, answer: Answer) -> None:
        """Make all of the steps or none; `answer` hears of it here."""
        self._loop.call_soon_threadsafe(self._take, plan, answer)

    def share(self, plan: Plan, answer: Answer) -> None:
        """The same in one transaction with others like it that wait."""
        self._loop.call_soon_threadsafe(self._join, plan, answer)

    async def _there(self, work: Any) -> None:
        await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(work, self._loop))

    # What the thread does:

    async def _start(self) -> None:
        self._pool = await self._open_pool(self._connections)

    async def _stop(self) -> None:
        while self._tasks:
            await asyncio.wait(self._tasks)
        await self._pool.close()

    def _take(self, plan: Plan, answer: Answer) -> None:
        self._spawn(self._make(plan, answer))

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = self._loop.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _make(self, plan: Plan, answer: Answer) -> None:
        async with self._places:
            error = await self._tried(lambda connection: transact(connection, plan))
        self._home.call_soon_threadsafe(answer, error)

    def _join(self, plan: Plan, answer: Answer) -> None:
        self._sharing.append((plan, answer))
        if not self._group_under_way:
            # One at a time: two might wait for each other's rows in a ring.
            self._group_under_way = True
            self._spawn(self._make_groups())

    async def _make_groups(self) -> None:
        try:
            while self._sharing:
                async with self._places:
                    await self._make_group(self._take_group())
        finally:
            self._group_under_way = False

    def _take_group(self) -> list[Waiting]:
        """The first that waits, and those that can be made together with it."""
        taken = alike([plan for plan, _ in self._sharing], GROUP_LIMIT)
        group = [self._sharing[number] for number in taken]
        for number in reversed(taken):
            del self._sharing[number]
        return group

    async def _make_group(self, group: Sequence[Waiting]) -> None:
        if len(group) == 1:
            plan = group[0][0]
            error = await self._tried(lambda connection: transact(connection, plan))
        else:
            plans = [plan for plan, _ in group]
            error = await self._tried(lambda connection: transact_all(connection, plans))
        if error is None or len(group) == 1 or isinstance(error, Unavailable):
            self._home.call_soon_threadsafe(_tell_all, group, error)
            return
        # One of them cannot be made, or several: soon they are alone.
        half = len(group) // 2
        await self._make_group(group[:half])
        await self._make_group(group[half:])

    async def _tried(self, work: Callable[[Any], Awaitable[None]]) -> Exception | None:
        """What went wrong, if anything did."""
        try:
            await persist(self._pool, work)
        except StoreError as refusal:
            return refusal
        except Exception as failure:
            log.exception("change failed")
            return failure
        return None


def _tell_all(group: Sequence[Waiting], error: Exception | None) -> None:
    for _, answer in group:
        try:
            answer(error)
        except Exception:  # it keeps nobody else from hearing
            log.exception("answer failed")


async def persist(pool: Any, work: Callable[[Any], Awaitable[T]]) -> T:
    """Do the work on a connection, as often as it takes, within bounds."""
    pause_s = PAUSE_S
    for _ in range(ATTEMPTS):
        try:
            connection = await pool.acquire()
        except (*LOST, asyncpg.PostgresError) as error:
            reason: Exception = error
        else:
            try:
                return await work(connection)
            except Again as error:
                reason = error
            finally:
                with suppress(*LOST, asyncpg.PostgresError):
                    await pool.release(connection)
        await asyncio.sleep(pause_s * random.uniform(0.5, 1.0))  # noqa: S311 (no secret)
        pause_s = min(2 * pause_s, LONGEST_PAUSE_S)
    raise Unavailable(str(reason.__cause__ or reason)) from reason
