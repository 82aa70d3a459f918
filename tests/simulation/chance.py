"""One seed for everything that is otherwise drawn or read from the machine.

The kernel gets its clock and its chance handed in. A few places beside it ask the system; so that a
seed repeats to the byte, they are answered from the seed and from the loop's time.
"""

from __future__ import annotations

import os
import random
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from random import Random
from typing import Any
from unittest.mock import patch

START_MS = 1_800_000_000_000


@contextmanager
def seeded(seed: int, passed: Callable[[], float]) -> Iterator[Random]:
    """While this lasts all chance comes from the seed, and time is what has `passed` since."""
    drawn = Random(seed)
    system = Random(seed + 1)
    random.seed(seed + 2)

    def now() -> float:
        return START_MS / 1000 + passed()

    with (
        _instead(os, "urandom", system.randbytes),
        _instead(random, "_urandom", system.randbytes),
        _instead(time, "monotonic", passed),
        _instead(time, "time", now),
        _instead(time, "time_ns", lambda: int(now() * 1000) * 1_000_000),
    ):
        yield drawn


def _instead(module: Any, name: str, function: Callable[..., Any]) -> Any:
    return patch.object(module, name, function)
