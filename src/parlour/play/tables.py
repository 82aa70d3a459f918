"""The matches in this process's memory: found, loaded once, kept while somebody needs them."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable, Coroutine, Iterable, Mapping
from functools import cached_property
from typing import Any

import structlog
from msgspec.structs import replace

from parlour.bus.api import Bus
from parlour.games.api import Millis
from parlour.games.registry import AnyRules
from parlour.play.clock import Chance, Clock, wall_clock
from parlour.play.live import Here, Live
from parlour.play.match import Match, from_row, rules_deadline
from parlour.play.other_rules import governing
from parlour.play.policy import Policy
from parlour.play.robots import Robots
from parlour.store import queries
from parlour.store.api import Store
from parlour.store.change import StoreError

log = structlog.get_logger()

LIVE_LIMIT = 50_000
"""Matches kept in memory beyond those that somebody watches."""

LIVE_IDLE_MS = 60_000


class Gone(Exception):
    """There is no such match, or none any more."""


class Tables(ABC):
    """The ground floor of `Play`: every match it was asked about lately."""

    def __init__(
        self,
        store: Store,
        bus: Bus,
        rules: Mapping[str, AnyRules],
        policies: Mapping[str, Policy],
        *,
        robots: Robots,
        chance: Chance | None = None,
        clock: Clock = wall_clock,
    ) -> None:
        self.store = store
        self.bus = bus
        self.rules = rules
        self.policies = policies
        self.robots = robots
        self.chance = chance or Chance(clock=clock)
        self.clock = clock
        self.process_id = self.chance.id()
        self._lives: dict[str, Live] = {}
        self._loading: dict[str, asyncio.Future[Live | None]] = {}
        self._ears: dict[str, Callable[[], None]] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    @cached_property
    def loop(self) -> asyncio.AbstractEventLoop:
        """The one all of this runs on; to ask for it at every move would be dear."""
        return asyncio.get_running_loop()

    @abstractmethod
    async def refresh(self, live: Live) -> None:
        """Bring memory up to what the store has."""

    @abstractmethod
    def arm(self, live: Live) -> None:
        """Wake when the match's deadline is due."""

    async def find(self, match_id: str) -> Match | None:
        """The match as the store has it now, or None; one that lapsed is none."""
        live = await self.live(match_id, fresh=True)
        return live.match if live else None

    async def find_public(self, game: str, public_id: str) -> Match | None:
        """By the id that is shown in addresses."""
        return await self._admit(await queries.match_by_public_id(self.store, game, public_id))

    async def find_code(self, game: str, code: str) -> Match | None:
        """By private code or room name."""
        return await self._admit(await queries.match_by_code(self.store, game, code))

    async def open_match_of(self, game: str, user_id: str) -> Match | None:
        """The user's one open match of a game that allows one."""
        return await self._admit(await queries.open_match_of(self.store, user_id, game))

    async def seated_by(self, game: str, user_id: str, secret: str, since: Millis) -> Match | None:
        """The user's open match in which that secret proves their seat, if it began since then."""
        found = await queries.match_seated_by(self.store, user_id, game, secret, since)
        return await self._admit(found)

    async def live(self, match_id: str, *, fresh: bool = False) -> Live | None:
        """A match in memory, loaded if need be; `fresh`: no older than this call.

        None if there is none to be played: it expired, or its rules are not those of today.
        """
        remembered = match_id in self._lives
        live = await self.known(match_id)
        if live is not None and remembered and fresh and not self.bus.alone:
            await self.refresh(live)
        return live if live is not None and live.playable else None

    async def known(self, match_id: str) -> Live | None:
        """As `live`, even if it cannot be played: it may be shown, and seats of it held."""
        live = self._lives.get(match_id)
        if live is None:
            live = await self._load(match_id)
        if live is not None:
            live.touched_at = self.clock()
        return live

    async def _load(self, match_id: str) -> Live | None:
        """Load once, however many ask at the same time."""
        if (pending := self._loading.get(match_id)) is not None:
            return await asyncio.shield(pending)
        pending = self._loading[match_id] = self.loop.create_future()
        try:
            stored = await queries.match_by_id(self.store, match_id)
            live = self._remember(stored) if stored else None
        except BaseException as error:
            pending.set_exception(error)
            pending.exception()
            raise
        else:
            pending.set_result(live)
            return live
        finally:
            del self._loading[match_id]

    async def _admit(self, stored: queries.Stored | None) -> Match | None:
        """A match just read, unless memory has it already: then what memory has, caught up."""
        if stored is None:
            return None
        known = self._lives.get(stored.match.id)
        if known is None:
            known = self._remember(stored)
        elif stored.match.version > known.match.version:
            await self.refresh(known)
        known.touched_at = self.clock()
        return known.match if known.playable else None

    def _remember(self, stored: queries.Stored) -> Live:
        if (known := self._lives.get(stored.match.id)) is not None:
            return known
        if len(self._lives) >= LIVE_LIMIT:
            self.forget_idle(max_idle_ms=0)
        live = self._new_live(self._from_stored(stored))
        self._note_presence(live, stored.presence)
        return live

    def _new_live(self, match: Match) -> Live:
        rules = governing(self.rules[match.game], match.rules_version)
        live = Live(match, rules, self.policies[match.game], self.clock())
        self._lives[match.id] = live
        self.arm(live)
        return live

    def _from_stored(self, stored: queries.Stored) -> Match:
        row = stored.match
        rules = governing(self.rules[row.game], row.rules_version)
        match = from_row(rules, row, stored.seats, stored.pot)
        waits = (rules_deadline(rules, match), row.bot_at)
        if row.deadline_at is not None and row.deadline_at not in waits:
            return replace(match, idle_at=row.deadline_at)
        ttl = self.policies[row.game].ttl(match)
        return replace(match, idle_at=None if ttl is None else row.updated_at + ttl)

    def _note_presence(self, live: Live, rows: Iterable[queries.PresenceRow]) -> bool:
        """Take over what the store knows of who is here; True if somebody came or went."""
        before = [here.connection for here in live.here]
        for row in rows:
            known = live.here[row.seat]
            seen_at = max(filter(None, (row.seen_at, known.seen_at)), default=None)
            live.here[row.seat] = Here(seen_at, row.connection, row.process_id, row.left_at)
            mine = live.replaced.get(row.seat)
            if mine is not None and row.connection not in (None, mine[0]):
                del live.replaced[row.seat]
                mine[1]()
        return before != [here.connection for here in live.here]

    def remembered(self, match_id: str) -> Live | None:
        """A match if it is in memory, whatever became of it."""
        return self._lives.get(match_id)

    def lives(self) -> tuple[Live, ...]:
        """All matches in memory."""
        return tuple(self._lives.values())

    def forget_idle(self, max_idle_ms: Millis = LIVE_IDLE_MS) -> None:
        """Drop from memory what nobody here needs; the store has it.

        What the rules wait for keeps its timer, unless room is needed at once.
        """
        old = self.clock() - max_idle_ms
        for match_id, live in tuple(self._lives.items()):
            if not live.idle or live.touched_at > old:
                continue
            if max_idle_ms > 0 and rules_deadline(live.rules, live.match) is not None:
                continue
            live.disarm()
            self.robots.forget(match_id)
            del self._lives[match_id]

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Run in the background; a failure is logged, and `drain` waits for it."""
        task = self.loop.create_task(self._guarded(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        task.add_done_callback(lambda _: work.close())  # it may have been cancelled unbegun

    async def _guarded(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except (Gone, StoreError) as error:
            log.warning("background step given up", error=repr(error))
        except Exception:
            log.exception("background step failed")

    async def drain(self) -> None:
        """Wait until everything begun is done, and let go of all timers."""
        for live in self._lives.values():
            live.disarm()
        while self._tasks:
            await asyncio.wait(self._tasks)
        for ear in self._ears.values():
            ear()
        self._ears.clear()
