"""Who is told of a match in this process, and what other processes say of it.

Laws: whoever watches hears of every step after the match it was given, once and in order. The bus
may be late, repeat itself, mix up the order or leave something out; the journal has it all.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from parlour.play.announcement import announced
from parlour.play.match import Match
from parlour.play.resident import Watcher
from parlour.play.residents import Residents
from parlour.play.runtime import Runtime
from parlour.play.steps import Steps


class Watching:
    """All watchers of all matches in memory."""

    def __init__(self, runtime: Runtime, residents: Residents, steps: Steps) -> None:
        self._runtime = runtime
        self._residents = residents
        self._by_id = residents.by_id
        self._steps = steps
        self._unsubscribe: dict[str, Callable[[], None]] = {}
        """By match: how to hear no more of it over the bus."""

    async def watch(self, match_id: str, watcher: Watcher) -> Match:
        """From now on `watcher` hears of every step after the match returned here."""
        resident = await self._residents.reach(match_id)
        self._subscribe(match_id)
        if not self._runtime.bus.alone:
            await self._steps.refresh(resident)
        resident.watchers.append(watcher)
        return resident.match

    def watch_at_once(self, match_id: str, watcher: Watcher) -> Match | None:
        """The same of a match in memory that nobody else can have moved on; None: `watch` does."""
        resident = self._residents.by_id.get(match_id)
        if resident is None or resident.match.status == "expired" or not self._runtime.bus.alone:
            return None
        self._subscribe(match_id)
        resident.watchers.append(watcher)
        return resident.match

    def _subscribe(self, match_id: str) -> None:
        if match_id not in self._unsubscribe:
            self._unsubscribe[match_id] = self._runtime.bus.subscribe(
                f"match:{match_id}", partial(self._hear, match_id)
            )

    def unwatch(self, match_id: str, watcher: Watcher) -> None:
        """Stop telling it."""
        resident = self._by_id.get(match_id)
        if resident is not None and watcher in resident.watchers:
            resident.watchers.remove(watcher)
        if resident is None or not resident.watchers:
            unsubscribe = self._unsubscribe.pop(match_id, None)
            if unsubscribe is not None:
                unsubscribe()

    def _hear(self, match_id: str, payload: bytes) -> None:
        """Word from the bus. It may be late, repeated or out of order, or a gap (empty)."""
        resident = self._by_id.get(match_id)
        if resident is None:
            return
        word = announced(payload)
        if word is None or word.entry is None:
            self._steps.hear_of(resident, None)
        elif word.version > resident.match.version:
            self._steps.hear_of(resident, word.entry, word.said)

    def drain(self) -> None:
        """Hear of nothing any more."""
        for unsubscribe in self._unsubscribe.values():
            unsubscribe()
        self._unsubscribe.clear()
