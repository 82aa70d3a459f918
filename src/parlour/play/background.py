"""Work that nobody waits for: begun by the process itself, ended before it ends."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from functools import cached_property
from typing import Any

import structlog

from parlour.play.match import Gone
from parlour.store.change import StoreError

log = structlog.get_logger()


class Background:
    """The tasks that this process has begun and not ended."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()

    @cached_property
    def loop(self) -> asyncio.AbstractEventLoop:
        """The one all of this runs on; to ask for it at every move would be dear."""
        return asyncio.get_running_loop()

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Run in the background; a failure is logged, and `drain` waits for it."""
        self.begin(work)

    def begin(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """As `spawn`, for who may give it up again."""
        task = self.loop.create_task(_guarded(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        task.add_done_callback(lambda _: work.close())  # it may have been cancelled unbegun
        return task

    async def drain(self) -> None:
        """Wait until everything begun is done."""
        while self._tasks:
            await asyncio.wait(self._tasks)


async def _guarded(work: Coroutine[Any, Any, None]) -> None:
    try:
        await work
    except (Gone, StoreError) as error:
        log.warning("background step given up", error=repr(error))
    except Exception:
        log.exception("background step failed")
