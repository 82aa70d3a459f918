"""Bots that think until a test lets them go, in whatever process they are asked to."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from parlour.play.thinkers import Job, choose


class Gate:
    """What a bot waits at; it is known by its folder, so that every process finds it."""

    def __init__(self, folder: Path) -> None:
        self._reached = folder / "reached"
        self._opened = folder / "opened"

    def choose(self, job: Job) -> Any:
        """Say that it has begun to think; think once it may."""
        self._reached.touch()
        while not self._opened.exists():
            time.sleep(0.005)
        return choose(job)

    @property
    def reached(self) -> bool:
        """Whether one has begun to think."""
        return self._reached.exists()

    def open(self) -> None:
        """Let them all go."""
        self._opened.touch()
