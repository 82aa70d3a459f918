"""Whether the disk stood still meanwhile, by a file of one's own that is synced all the time."""

from __future__ import annotations

import multiprocessing
import os
import tempfile
import time
from multiprocessing.sharedctypes import Synchronized
from types import TracebackType
from typing import Final, Self

EVERY_SEC: Final = 0.01
BLOCK: Final = bytes(4096)


class Disk:
    """A process that syncs, and remembers how long it took at most."""

    def __init__(self) -> None:
        spawned = multiprocessing.get_context("spawn")
        self._longest = spawned.Value("d", 0.0)
        self._process = spawned.Process(target=_keep_syncing, args=(self._longest,), daemon=True)

    def __enter__(self) -> Self:
        self._process.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        where: TracebackType | None,
    ) -> None:
        self._process.terminate()
        self._process.join()

    def longest(self) -> float:
        """Seconds that a sync took at most since this was last asked."""
        found = float(self._longest.value)
        self._longest.value = 0.0
        return found


def _keep_syncing(longest: Synchronized[float]) -> None:
    with tempfile.TemporaryFile() as file:
        while True:
            os.pwrite(file.fileno(), BLOCK, 0)
            begun = time.perf_counter()
            os.fsync(file.fileno())
            took = time.perf_counter() - begun
            longest.value = max(longest.value, took)
            time.sleep(EVERY_SEC)
