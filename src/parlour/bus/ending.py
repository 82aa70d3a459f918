"""How the tasks of a bus are ended."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

AGAIN_SEC = 1.0


async def end(tasks: Iterable[asyncio.Task[None]]) -> None:
    """Cancel them until they have ended.

    Python 3.11 forgets a cancellation that meets the failure of a group of tasks.
    """
    pending = set(tasks)
    while pending:
        for task in pending:
            task.cancel()
        _, pending = await asyncio.wait(pending, timeout=AGAIN_SEC)
