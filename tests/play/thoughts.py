"""What workers are asked in tests: whose process it is, or to fail in every way there is.

Workers load this module and no other of the tests, so it imports little.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

from msgspec import Struct

from parlour.games.connect4 import solver
from parlour.play.jobs import Job


class Whose(Struct, frozen=True):
    """Which process answers, and how long it might have thought."""

    def run(self, time_left: Callable[[], float]) -> list[float]:
        return [os.getpid(), time_left()]

    def read(self, answer: list[float]) -> tuple[int, float]:
        return int(answer[0]), answer[1]


class Compiled(Whose, frozen=True):
    """Which process answers, and whether its search is compiled."""

    def run(self, _: Callable[[], float]) -> list[float]:
        return [os.getpid(), solver.compiled()]


class Held(Whose, frozen=True):
    """Thinks until it is let go."""

    file: str

    def run(self, time_left: Callable[[], float]) -> list[float]:
        Path(self.file).with_suffix(".begun").write_text(str(os.getpid()))
        while not Path(self.file).exists():
            time.sleep(0.005)
        return super().run(time_left)


class Absorbed(Whose, frozen=True):
    """Looks at nothing else while it counts; and how often it is made to let others go first."""

    def run(self, _: Callable[[], float]) -> list[float]:
        sum(range(3_000_000))
        return [os.getpid(), signal.getitimer(signal.ITIMER_REAL)[1]]


class Stubborn(Whose, frozen=True):
    """Never answers, and does not care to be asked to end."""

    def run(self, _: Callable[[], float]) -> list[float]:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        while True:
            time.sleep(1)


class Dying(Whose, frozen=True):
    """Its process is killed."""

    def run(self, _: Callable[[], float]) -> list[float]:
        os.kill(os.getpid(), signal.SIGKILL)
        return []


class Raising(Whose, frozen=True):
    """Has no idea."""

    def run(self, _: Callable[[], float]) -> list[float]:
        raise LookupError("no idea")


class Lying(Job, frozen=True):
    """Answers with what was not offered."""

    def run(self, _: Callable[[], float]) -> int:
        return len(self.legal)


def unprepared() -> None:
    raise RuntimeError("no compiler")
