"""Bots that think until a test lets them go, in whatever process they are asked to."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from msgspec import Struct

from parlour.play.jobs import Job
from parlour.play.thinkers import Thinkers


class Gate:
    """What a bot waits at; it is known by its folder, so that every process finds it."""

    def __init__(self, folder: Path) -> None:
        self._reached = folder / "reached"
        self._opened = folder / "opened"

    def wait(self) -> None:
        """Say that one has begun to think; go on once one may."""
        self._reached.touch()
        while not self._opened.exists():
            time.sleep(0.005)

    @property
    def reached(self) -> bool:
        """Whether one has begun to think."""
        return self._reached.exists()

    def open(self) -> None:
        """Let them all go."""
        self._opened.touch()


class Gated(Struct, frozen=True):
    """What a bot is asked behind a gate."""

    job: Job
    gate: Gate

    def run(self, time_left: Callable[[], float]) -> int:
        """Think once it may."""
        self.gate.wait()
        return self.job.run(time_left)

    def read(self, answer: object) -> Any:
        """As ever."""
        return self.job.read(answer)


class GatedThinkers(Thinkers):
    """Real processes, in which bots wait at a gate before they think."""

    def __init__(self, gate: Gate) -> None:
        super().__init__(1, longest_wait_s=60, overrun_s=60)
        self._gate = gate

    async def __call__(self, job: Job) -> Any:
        """Its move, once the gate is open."""
        return await self.ask(Gated(job, self._gate), job.whose)
