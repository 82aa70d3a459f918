"""Where bots think: worker processes, so that nobody waits for a thought.

Laws:

* Who asks is answered within `longest_wait_s`, the time to think and a worker's patience: by a
  thought, or by `NoThought`, and then the bot moves without one.
* The longer one waits and the more wait behind, the shorter the thought: what waits is worked off
  within `DRAINED_S`, or what is left of it goes without.
* A worker that fails is replaced, alone; the others go on.
* The first workers think with the code as it is. Meanwhile others prepare themselves, one at a
  time, and take over when they are ready.
* After `close` nothing is left running.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections import Counter, deque
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from typing import Any, Final, Literal

import structlog
from msgspec import Struct

from parlour.play.jobs import BUDGET_S, Job, choose
from parlour.play.thinker import COMMAND, Asked, Failed, Thinker
from parlour.play.turns import Turns

__all__ = ["Job", "NoThought", "Think", "Thinkers", "choose"]

OVERRUN_S: Final = 2.0
"""How much longer than its time a thought is waited for."""
LONGEST_WAIT_S: Final = 1.5
"""Who waited that long is not thought about any more."""
DRAINED_S: Final = 1.0
"""Thoughts are as short as it takes for all who wait to have had theirs by then."""
MOST_WAITING: Final = 64
"""… for each worker. Beyond it there would be a few milliseconds for each."""
START_S: Final = 30.0
"""How long a worker may take to start."""
PREPARE_S: Final = 300.0
"""… and to prepare itself, which on a busy machine takes long."""
PAUSES_S: Final = (0.0, 0.0, 0.5, 2.0, 8.0, 30.0)
"""How long nobody is hired after so many workers failed, one after the other."""
LOG_EVERY_S: Final = 60.0

Why = Literal["waited", "full", "failed", "no workers", "closed"]

log = structlog.get_logger()


class NoThought(Exception):
    """There was no time for a thought, or nobody to think it."""

    def __init__(self, why: Why) -> None:
        super().__init__(why)
        self.why = why


class Missed(Struct, frozen=True, gc=False):
    """What who waits is told of a thought that there will not be.

    No exception: it would hold who raised it, who holds what it waited for, which held the
    exception, and all of it would stay until somebody looks for garbage.
    """

    why: Why


Think = Callable[[Job], Awaitable[Any]]


def cores() -> int:
    """How many this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def share_s(behind: int, workers: int) -> float:
    """How long each may think if all who wait are to have their turn within `DRAINED_S`.

    >>> [round(share_s(behind, workers=2), 2) for behind in (0, 3, 19, 127)]
    [2.0, 0.5, 0.1, 0.02]
    """
    return DRAINED_S * workers / (behind + 1)


class Tally:
    """What has been going on, for whoever looks after the server."""

    def __init__(self) -> None:
        self.thoughts = 0
        self.thought_s = 0.0
        self.waited_s = 0.0
        """All waits before thoughts together."""
        self.without: Counter[Why] = Counter()
        self.replaced: Counter[str] = Counter()
        self._told = 0
        self._tell_after = 0.0

    def went_without(self, why: Why, waiting: int) -> None:
        """A move was made without search. It is said, but not every time."""
        self.without[why] += 1
        now = time.monotonic()
        if why != "closed" and now >= self._tell_after:
            self._tell_after = now + LOG_EVERY_S
            since = self.without.total() - self._told
            self._told += since
            log.warning("moved without search", why=why, times=since, waiting=waiting)


class Waiting:
    """One who waits for a thought."""

    def __init__(self, job: Asked, answer: asyncio.Future[Any]) -> None:
        self.job = job
        self.answer = answer
        self.since = time.monotonic()

    def fail(self, why: Why) -> bool:
        """Nothing comes of it; False if nobody waits any more."""
        if self.answer.done():
            return False
        self.answer.set_result(Missed(why))
        return True


class Thinkers:
    """The workers, each hired when there is something for it to do."""

    def __init__(
        self,
        workers: int | None = None,
        *,
        prepare: Callable[[], object] | None = None,
        budget_s: float = BUDGET_S,
        longest_wait_s: float = LONGEST_WAIT_S,
        overrun_s: float = OVERRUN_S,
        command: Sequence[str] = COMMAND,
    ) -> None:
        self.workers = workers or cores()
        self._prepare = prepare
        self._budget_s = budget_s
        self._longest_wait_s = longest_wait_s
        self._overrun_s = overrun_s
        self._command = command
        self._turns = Turns[Waiting](MOST_WAITING * self.workers)
        self._staff: set[Thinker] = set()
        self._prepared: set[Thinker] = set()
        self._leaving: set[Thinker] = set()
        """Those who go once they have thought their thought."""
        self._idle: deque[Thinker] = deque()
        self._hiring = 0
        self._failures = 0
        """How many workers failed since the last thought."""
        self._tasks: set[asyncio.Task[None]] = set()
        self._preparing: asyncio.Task[None] | None = None
        self._closed = False
        self.tally = Tally()

    # --- asking -----------------------------------------------------------------------------

    @property
    def waiting(self) -> int:
        """How many wait for their turn."""
        return len(self._turns)

    @property
    def pids(self) -> tuple[int, ...]:
        """The processes that think."""
        return tuple(thinker.pid for thinker in self._staff)

    async def __call__(self, job: Job) -> Any:
        """The action that the bot chooses, or `NoThought`."""
        try:
            return await self.ask(job, job.whose)
        except NoThought as nothing:
            self.tally.went_without(nothing.why, self.waiting)
            raise

    async def ask(self, job: Asked, whose: str) -> Any:
        """What a worker makes of it, in turn between those for whom something is asked."""
        if self._closed:
            raise NoThought("closed")
        if self._deserted:
            self._hire_up_to(1)
            raise NoThought("no workers")
        loop = asyncio.get_running_loop()
        waiting = Waiting(job, loop.create_future())
        beyond = self._turns.enter(whose, waiting)
        if beyond is not None:
            beyond.fail("full")
        timer = loop.call_later(self._longest_wait_s, self._waited, whose, waiting)
        try:
            self._dispatch()
            answer = await waiting.answer
        finally:
            timer.cancel()
            self._turns.leave(whose, waiting)
        if isinstance(answer, Missed):
            raise NoThought(answer.why)
        return answer

    def _waited(self, whose: str, waiting: Waiting) -> None:
        """Too long, unless it is being thought about."""
        before = len(self._turns)
        self._turns.leave(whose, waiting)
        if len(self._turns) < before:
            waiting.fail("waited")

    def _dispatch(self) -> None:
        """Have whoever is idle think, and hire if nobody is."""
        while self._idle and len(self._turns):
            thinker = self._idle.popleft()
            if thinker.failed is not None:
                self._spawn(self._dismiss(thinker, thinker.failed))
            else:
                self._spawn(self._think(thinker, self._turns.take()))
        self._hire_up_to(len(self._turns))

    async def _think(self, thinker: Thinker, waiting: Waiting) -> None:
        began = time.monotonic()
        waited = (began - waiting.since) / self._longest_wait_s
        time_s = min(self._budget_s, share_s(len(self._turns), self.workers)) * max(0.0, 1 - waited)
        try:
            answer = await thinker.ask(waiting.job, time_s, self._overrun_s)
        except Failed as failed:
            waiting.fail("failed")
            await self._dismiss(thinker, failed)
        except asyncio.CancelledError:
            waiting.fail("closed")
            raise
        else:
            self._failures = 0
            self.tally.thoughts += 1
            self.tally.thought_s += time.monotonic() - began
            self.tally.waited_s += began - waiting.since
            if not waiting.answer.done():
                waiting.answer.set_result(answer)
            await self._release(thinker)
            self._dispatch()

    # --- hiring -----------------------------------------------------------------------------

    @property
    def _pause_s(self) -> float:
        return PAUSES_S[min(self._failures, len(PAUSES_S) - 1)]

    @property
    def _deserted(self) -> bool:
        """Nobody is there to think, and nobody will be for a while."""
        return not self._staff and self._pause_s > 0

    def _hire_up_to(self, wanted: int) -> None:
        """So many more, as far as there are places; those that are on their way count."""
        free = self.workers - len(self._staff)
        for _ in range(min(free, wanted) - self._hiring):
            self._hiring += 1
            self._spawn(self._hire())

    async def _hire(self) -> None:
        try:
            await asyncio.sleep(self._pause_s)
            thinker = await Thinker.start(None, START_S, self._command)
        except Failed as failed:
            self._failures += 1
            self._note("did not start", failed)
            if self._deserted:
                self._send_away("no workers")
        else:
            self._enlist(thinker)
        finally:
            self._hiring -= 1
        self._dispatch()

    def _enlist(self, thinker: Thinker) -> None:
        self._staff.add(thinker)
        self._idle.append(thinker)
        if self._prepare is not None and (self._preparing is None or self._preparing.done()):
            self._preparing = self._spawn(self._prepare_others(self._prepare))

    async def _prepare_others(self, prepare: Callable[[], object]) -> None:
        """Somebody prepared for everybody who is not. What one has compiled the next finds done."""
        while self._staff - self._prepared:
            try:
                thinker = await Thinker.start(prepare, PREPARE_S, self._command)
            except Failed as failed:
                self._note("did not prepare", failed)
                return
            plain = self._staff - self._prepared
            if not plain:
                await thinker.end()
                return
            self._prepared.add(thinker)
            self._enlist(thinker)
            await self._let_go(next(iter(plain.intersection(self._idle) or plain)))
            self._dispatch()

    async def _let_go(self, thinker: Thinker) -> None:
        """Now, or when it has thought its thought."""
        self._staff.discard(thinker)
        if thinker in self._idle:
            self._idle.remove(thinker)
            await thinker.end()
        else:
            self._leaving.add(thinker)

    async def _release(self, thinker: Thinker) -> None:
        """It has thought its thought."""
        if thinker in self._leaving:
            self._leaving.discard(thinker)
            await thinker.end()
        else:
            self._idle.append(thinker)

    async def _dismiss(self, thinker: Thinker, failed: Failed) -> None:
        """It is of no use any more, and there will be another."""
        self._failures += 1
        self._staff.discard(thinker)
        self._prepared.discard(thinker)
        self._leaving.discard(thinker)
        self._note("failed", failed)
        await thinker.end()
        self._dispatch()

    def _note(self, what: str, failed: Failed) -> None:
        self.tally.replaced[failed.why] += 1
        log.error("worker replaced", what=what, why=failed.why, detail=failed.detail)

    # --- ending -----------------------------------------------------------------------------

    def _send_away(self, why: Why) -> None:
        """Nobody who waits will have a turn."""
        while len(self._turns):
            self._turns.take().fail(why)

    def _spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def close(self) -> None:
        """End the workers, whatever they are at, and those that are still being started."""
        self._closed = True
        self._send_away("closed")
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for thinker in (*self._staff, *self._leaving):
            await thinker.end()
        self._staff.clear()
        self._leaving.clear()
        self._idle.clear()
