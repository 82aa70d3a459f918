"""What nobody may overlook: errors in the log and exceptions that nobody retrieved."""

from __future__ import annotations

import logging
import traceback
from collections import Counter
from collections.abc import MutableMapping
from typing import Any

import structlog

from tests.simulation.loop import OWNER

BAD_WORDS = ("failed", "unexpected")


class Complaints:
    """Listens to the log of all processes that live."""

    def __init__(self, found: list[str], tally: Counter[str], *, calm: bool) -> None:
        self._found = found
        self._tally = tally
        self._calm = calm
        """Nothing is made to go wrong, so there is nothing to warn of either."""
        self._deaf = False

    def listen(self) -> None:
        """From now on every line of the log comes here."""
        structlog.configure(
            processors=[self._hear],
            wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING),
            logger_factory=structlog.ReturnLoggerFactory(),
            cache_logger_on_first_use=False,
        )

    def stop_listening(self) -> None:
        """What is cut short at the end of a simulation may complain."""
        self._deaf = True

    def _hear(self, _: Any, method: str, said: MutableMapping[str, Any]) -> str:
        owner = OWNER.get()
        event = str(said.get("event"))
        if not self._deaf and (owner is None or owner.state == "running"):
            bad = method in ("error", "exception", "critical")
            if bad or self._calm or any(word in event for word in BAD_WORDS):
                why = traceback.format_exc() if said.get("exc_info") else ""
                self._found.append(f"{event} {said} {why}")
            self._tally[f"warned: {event}"] += 1
        return ""
