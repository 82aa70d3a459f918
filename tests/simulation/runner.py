"""Seeds in processes of their own, where everything that could differ between two runs is fixed.

Each is forked from one that has loaded and compiled everything, by way of one seed: so it begins
like every other, whichever came before, and what it leaves behind goes with its process.
"""

from __future__ import annotations

import multiprocessing
import os
import time
import traceback
from collections import Counter
from concurrent.futures import ProcessPoolExecutor

from msgspec import Struct

from tests.simulation.world import digest, simulate


class Found(Struct):
    """What came of a seed."""

    seed: int
    wrong: str
    """What broke; empty: nothing."""
    tally: Counter[str]
    digest: str


def pool(workers: int) -> ProcessPoolExecutor:
    """Where seeds are run. The order of sets must be the same everywhere."""
    os.environ["PYTHONHASHSEED"] = "0"
    forks = multiprocessing.get_context("forkserver")
    forks.set_forkserver_preload(["tests.simulation.ready"])
    return ProcessPoolExecutor(workers, mp_context=forks, max_tasks_per_child=1)


def attempt(seed: int) -> Found:
    """One seed; what went wrong comes back as text."""
    try:
        tally = simulate(seed, tidy=False)
    except Exception as broken:  # noqa: BLE001 (a kernel that raises has failed as well)
        told = "".join(traceback.format_exception(broken, limit=-4))
        return Found(seed, told, Counter(), "")
    found = Found(seed, "", tally, digest(tally))
    tally["cpu_ms"] = int(time.process_time() * 1000)
    return found


def again(seed: int) -> str:
    """The command that repeats a seed."""
    return f"python -m tests.simulation --seed {seed}"
