"""How the tasks of a bus go on together, and are ended."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterable
from typing import Any

AGAIN_SEC = 1.0


async def until_one_ends(*works: Coroutine[Any, Any, None]) -> None:
    """Do these side by side until one ends, and end the others; raises what one failed with.

    A group of tasks as early releases of Python 3.11 have it leaves whoever waited for it marked as
    cancelled after a failure, and the next time limit that it meets ends it for good.
    """
    tasks = [asyncio.create_task(work) for work in works]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        await end(tasks)
    for failure in [task.exception() for task in tasks if not task.cancelled()]:
        if failure is not None:
            raise failure


async def end(tasks: Iterable[asyncio.Task[None]]) -> None:
    """Cancel them until they have ended: Python 3.11 forgets one that meets a failure."""
    pending = {task for task in tasks if not task.done()}
    while pending:
        for task in pending:
            task.cancel()
        _, pending = await asyncio.wait(pending, timeout=AGAIN_SEC)
