"""The matches in this process's memory: loaded once, kept while somebody needs them.

Laws:

* There is at most one resident of a match, however many ask for it at the same time.
* What is not in memory is in the store: forgetting a match loses nothing.
* What somebody watches, holds or is just changing is not forgotten.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from contextlib import suppress
from functools import partial

from msgspec.structs import replace

from parlour.games.api import Millis
from parlour.play.deciding import Decider, snapshot
from parlour.play.doubts import Doubts
from parlour.play.match import Gone, Match, from_row, row_deadline
from parlour.play.other_rules import governing
from parlour.play.presence import Presence
from parlour.play.resident import Resident
from parlour.play.restore import since
from parlour.play.robots import Robots
from parlour.play.runtime import Runtime
from parlour.play.timers import Timers
from parlour.store import queries
from parlour.store.change import Arrive, Change, Conflict

LIMIT = 50_000
"""Matches kept in memory beyond those that somebody watches."""

IDLE_MS = 60_000


class Residents:
    """Every match that this process was asked about lately."""

    def __init__(
        self,
        runtime: Runtime,
        presence: Presence,
        timers: Timers,
        robots: Robots,
        decider: Decider,
        doubts: Doubts,
    ) -> None:
        self._runtime = runtime
        self._presence = presence
        self._timers = timers
        self._robots = robots
        self._decider = decider
        self._doubts = doubts
        self.by_id: dict[str, Resident] = {}
        """Those in memory, whatever became of them; only to be read."""
        self._by_public_id: dict[tuple[str, str], Resident] = {}
        """The same, by game and what stands in addresses."""
        self._loading: dict[str, asyncio.Future[Resident | None]] = {}

    def all(self) -> tuple[Resident, ...]:
        """All matches in memory."""
        return tuple(self.by_id.values())

    async def get(self, match_id: str) -> Resident | None:
        """A match, loaded if need be, even if it cannot be played: it may be shown, or held."""
        resident = self.by_id.get(match_id)
        if resident is None:
            resident = await self._load(match_id)
        if resident is not None:
            resident.touched_at = self._runtime.clock()
        return resident

    def of_public_id(self, game: str, public_id: str) -> Resident | None:
        """One in memory, by what stands in addresses."""
        return self._by_public_id.get((game, public_id))

    async def reach(self, match_id: str) -> Resident:
        """As `get`; `Gone` if there is none any more."""
        resident = await self.get(match_id)
        if resident is None or resident.match.status == "expired":
            raise Gone
        return resident

    async def _load(self, match_id: str) -> Resident | None:
        """Load once, however many ask at the same time."""
        if (pending := self._loading.get(match_id)) is not None:
            return await asyncio.shield(pending)
        pending = self._loading[match_id] = self._runtime.background.loop.create_future()
        try:
            stored = await queries.match_by_id(self._runtime.store, match_id)
            resident = self.admit(stored) if stored else None
        except BaseException as error:
            pending.set_exception(error)
            pending.exception()
            raise
        else:
            pending.set_result(resident)
            return resident
        finally:
            del self._loading[match_id]

    def admit(self, stored: queries.Stored) -> Resident:
        """A match that was just read, unless memory has it already."""
        if (known := self.by_id.get(stored.match.id)) is not None:
            known.touched_at = self._runtime.clock()
            return known
        if len(self.by_id) >= LIMIT:
            self.forget_idle(max_idle_ms=0)
        resident = self._new(self.restored(stored))
        self._presence.note(resident, stored.presence)
        self._timers.arm(resident)
        return resident

    def admit_new(self, match: Match, arrivals: Iterable[Arrive] = ()) -> Resident:
        """A match whose creation was just committed, with those who have been there since.

        If somebody found it in the store before, more may be known of it by now.
        """
        resident = self.by_id.get(match.id)
        if resident is None:
            resident = self._new(match)
            self._presence.seated(resident, arrivals)
            self._timers.arm(resident)
        return resident

    def _new(self, match: Match) -> Resident:
        rules = governing(self._runtime.rules[match.game], match.rules_version)
        resident = Resident(match, rules, self._runtime.policies[match.game], self._runtime.clock())
        self.by_id[match.id] = resident
        self._by_public_id[match.game, match.public_id] = resident
        return resident

    def restored(self, stored: queries.Stored) -> Match:
        """A match as the store has it, with what play waits for."""
        row, policy = stored.match, self._runtime.policies[stored.match.game]
        rules = governing(self._runtime.rules[row.game], row.rules_version)
        written = from_row(rules, row, stored.seats, stored.pot)
        match = since(rules, written, stored, partial(self._decider.timed, rules, policy))
        ttl, used_at = policy.ttl(match), match.updated_at
        if match.status == "active" and (match.with_bot or written.rules_at is not None):
            used_at = match.started_at or used_at  # its row does not tell (`row_deadline`)
        elif row.deadline_at is not None and row.deadline_at not in (written.rules_at, row.bot_at):
            # The deadline in the row is what the match waited for when the row was written.
            return replace(match, idle_at=row.deadline_at)
        return replace(match, idle_at=None if ttl is None else used_at + ttl)

    def forget_idle(self, max_idle_ms: Millis = IDLE_MS) -> None:
        """Drop from memory what nobody here needs; the store has it.

        What the rules wait for keeps its timer, unless room is needed at once.
        """
        old = self._runtime.clock() - max_idle_ms
        going_on: list[Resident] = []
        for match_id, resident in tuple(self.by_id.items()):
            if not resident.idle or resident.touched_at > old:
                continue
            if max_idle_ms > 0 and resident.match.rules_at is not None:
                continue
            self._timers.disarm(resident)
            self._robots.forget(match_id)
            self._doubts.forget(match_id)
            del self.by_id[match_id]
            del self._by_public_id[resident.match.game, resident.match.public_id]
            if max_idle_ms > 0 and resident.match.status == "active" and resident.playable:
                going_on.append(resident)
        if going_on:
            self._runtime.background.spawn(self._put_away(going_on))

    async def _put_away(self, residents: list[Resident]) -> None:
        """Bring the rows of matches up to what was known here, for whoever loads them next.

        One after the other, as nobody waits for it.
        """
        for resident in residents:
            due = row_deadline(resident.rules, resident.match, self._runtime.clock())
            row = snapshot(resident.match, due)
            with suppress(Conflict):  # it was there already
                await self._runtime.store.commit(Change((row,)))

    def drain(self) -> None:
        """Let go of all timers, and of what bots think ahead."""
        for match_id, resident in self.by_id.items():
            self._timers.disarm(resident)
            self._robots.forget(match_id)
