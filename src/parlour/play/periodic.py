"""Periodic tasks: each by itself, again and again, whatever becomes of the others."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import structlog

from parlour.store.change import StoreError

log = structlog.get_logger()

Work = Callable[[], Awaitable[None]]


class Periodic:
    """Runs the tasks until it is stopped. What fails is logged and comes again."""

    def __init__(self) -> None:
        self._works: list[tuple[float, Work]] = []
        self._tasks: list[asyncio.Task[None]] = []

    def every(self, seconds: float, work: Work) -> None:
        """One more task; to be said before the start."""
        self._works.append((seconds, work))

    def start(self) -> None:
        """Begin the tasks."""
        self._tasks = [
            asyncio.create_task(_repeated(seconds, work)) for seconds, work in self._works
        ]

    async def stop(self) -> None:
        """End the tasks."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._tasks = []


async def _repeated(seconds: float, work: Work) -> None:
    while True:
        try:
            await work()
        except StoreError as error:
            log.warning("round not finished", round=work.__name__, error=repr(error))
        except Exception:
            log.exception("round failed", round=work.__name__)
        await asyncio.sleep(seconds)
