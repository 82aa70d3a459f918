"""The live matches of this process: load, decide, commit, tell.

Laws:

* A step is told to watchers after its commit, in the order of versions, each once.
* What this process remembers of a match may be old. It finds out when a guard fails, when the
  rules refuse, when the bus says so and when it looks; then it follows the journal.
* A refusal is given only for the match as the store has it.
* A deadline that is due is stepped before anything else that arrives after it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterable, Mapping
from typing import Any

import msgspec
import structlog
from msgspec import Struct
from msgspec.structs import replace

from parlour.bus.api import Bus
from parlour.games.api import SEATS, Millis, Refused, Seat
from parlour.games.registry import AnyRules
from parlour.play.change import writes
from parlour.play.clock import Chance, Clock, wall_clock
from parlour.play.live import Here, Live, Watcher
from parlour.play.match import (
    RULES_KINDS,
    Kind,
    Linked,
    Match,
    Next,
    Update,
    deadline,
    from_row,
    rules_deadline,
    take,
)
from parlour.play.policy import Policy
from parlour.play.robots import Robots
from parlour.store import queries
from parlour.store.api import Store
from parlour.store.change import (
    Change,
    Conflict,
    JournalRow,
    RearmMatch,
    Sighting,
    StoreError,
    Unavailable,
    Write,
)

log = structlog.get_logger()

ATTEMPTS = 20
"""How often a step is decided again after others were quicker, before it is given up."""

LIVE_LIMIT = 50_000
"""Matches kept in memory beyond those that somebody watches."""

LIVE_IDLE_MS = 60_000
SIGHTING_MS = 3_000
"""How old what is known of a seat may be, and how often it is written down at most."""


class Gone(Exception):
    """There is no such match, or none any more."""


Along = Callable[[Update], tuple[Write, ...]]
"""What must become durable together with a step that was decided."""


class Proposal(Struct, frozen=True):
    """A step somebody wants: decided against the match as it then is."""

    kind: Kind
    seat: Seat | None = None
    action: Any = None
    linked: Linked | None = None
    also: tuple[Write, ...] = ()
    """What must become durable together with the step."""
    then: tuple[tuple[Kind, Seat], ...] = ()
    """Further steps of the same commit."""
    along: Along | None = None
    """As `also`, where what to write depends on what the step turns out to be."""


Propose = Callable[[Match], Proposal]


class Decided(Struct, frozen=True):
    """Steps computed from one version, and the change that makes them so."""

    updates: tuple[Update, ...]
    change: Change


class Heard(Struct, frozen=True, array_like=True):
    """What processes tell each other about a match: the step, or that presence changed."""

    version: int
    entry: JournalRow | None = None


ENCODER = msgspec.msgpack.Encoder()
HEARD = msgspec.msgpack.Decoder(Heard)


class Play:
    """Every match this process plays, watches or was asked about lately."""

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
        analytics: bool = False,
        sighting_ms: Millis = SIGHTING_MS,
    ) -> None:
        self.store = store
        self.bus = bus
        self.rules = rules
        self.policies = policies
        self.robots = robots
        self.chance = chance or Chance(clock=clock)
        self.clock = clock
        self.analytics = analytics
        self.sighting_ms = sighting_ms
        self.process_id = self.chance.id()
        self._lives: dict[str, Live] = {}
        self._loading: dict[str, asyncio.Future[Live | None]] = {}
        self._ears: dict[str, Callable[[], None]] = {}
        self._followers: dict[str, list[Callable[[Update], None]]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._leases: dict[str, Millis] = {}

    # --- finding ----------------------------------------------------------------------------

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

    async def live(self, match_id: str, *, fresh: bool = False) -> Live | None:
        """A match in memory, loaded if need be; `fresh`: no older than this call."""
        live = self._lives.get(match_id)
        if live is None:
            live = await self._load(match_id)
        elif fresh and not self.bus.alone:
            await self.refresh(live)
        if live is None or live.match.status == "expired":
            return None
        live.touched_at = self.clock()
        return live

    async def _load(self, match_id: str) -> Live | None:
        """Load once, however many ask at the same time."""
        if (pending := self._loading.get(match_id)) is not None:
            return await asyncio.shield(pending)
        pending = self._loading[match_id] = asyncio.get_running_loop().create_future()
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
            async with known.lock:
                await self._catch_up(known)
        known.touched_at = self.clock()
        return None if known.match.status == "expired" else known.match

    def _remember(self, stored: queries.Stored) -> Live:
        if (known := self._lives.get(stored.match.id)) is not None:
            return known
        if len(self._lives) >= LIVE_LIMIT:
            self.forget_idle(max_idle_ms=0)
        live = self._new_live(self._from_stored(stored))
        self._note_presence(live, stored.presence)
        return live

    def _new_live(self, match: Match) -> Live:
        live = Live(match, self.rules[match.game], self.policies[match.game], self.clock())
        self._lives[match.id] = live
        self.arm(live)
        return live

    def _from_stored(self, stored: queries.Stored) -> Match:
        row = stored.match
        rules = self.rules[row.game]
        escrow = stored.escrow
        pot = (escrow.a_contrib, escrow.b_contrib) if escrow else (0, 0)
        match = from_row(rules, row, stored.seats, pot)
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
            live.here[row.seat] = Here(seen_at, row.connection, row.process_id)
            mine = live.replaced.get(row.seat)
            if mine is not None and row.connection not in (None, mine[0]):
                del live.replaced[row.seat]
                mine[1]()
        return before != [here.connection for here in live.here]

    # --- watching ---------------------------------------------------------------------------

    async def watch(self, match_id: str, watcher: Watcher) -> Match:
        """From now on `watcher` hears of every step after the match returned here."""
        live = await self.live(match_id)
        if live is None:
            raise Gone
        if match_id not in self._ears:
            self._ears[match_id] = self.bus.subscribe(
                f"match:{match_id}", lambda payload: self._hear(match_id, payload)
            )
        if not self.bus.alone:
            async with live.lock:
                await self._catch_up(live)
        live.watchers.append(watcher)
        return live.match

    def unwatch(self, match_id: str, watcher: Watcher) -> None:
        """Stop telling it."""
        live = self._lives.get(match_id)
        if live is not None and watcher in live.watchers:
            live.watchers.remove(watcher)
        if (live is None or not live.watchers) and (ear := self._ears.pop(match_id, None)):
            ear()

    def follow(self, game: str, follower: Callable[[Update], None]) -> None:
        """From now on `follower` hears of every step of the game that this process takes."""
        self._followers.setdefault(game, []).append(follower)

    def _hear(self, match_id: str, payload: bytes) -> None:
        """Word from the bus. It may be late, repeated or out of order, or a gap (empty)."""
        live = self._lives.get(match_id)
        if live is None:
            return
        try:
            heard = HEARD.decode(payload) if payload else None
        except msgspec.DecodeError:
            heard = None
        if heard is not None and heard.entry is not None and heard.version <= live.match.version:
            return
        self.spawn(self._follow(live, heard))

    async def _follow(self, live: Live, heard: Heard | None) -> None:
        async with live.lock:
            entry = heard.entry if heard else None
            follows = entry is not None and entry.version == live.match.version + 1
            if entry is not None and follows and entry.kind in RULES_KINDS:
                taken = take(live.rules, live.match, entry)
                after = self._timed(live, live.match, taken.match, entry.at)
                self._settle(live, (_update(live.match, entry, Next(after, taken.step)),))
            elif entry is None or entry.version > live.match.version:
                await self._catch_up(live)

    # --- stepping ---------------------------------------------------------------------------

    async def act(
        self,
        match_id: str,
        seat: Seat,
        action: Any,
        version: int | None = None,
        along: Along | None = None,
    ) -> Update:
        """A player's action: durable and told when this returns; or `Refused`, or `Gone`.

        With `version` the action is only good for the match at that version.
        """
        live = self._lives.get(match_id) or await self.live(match_id)
        if live is None or live.match.status == "expired":
            raise Gone

        def propose(match: Match) -> Proposal:
            if version is not None and match.version != version:
                raise Refused("TOO_LATE", "The game moved on.")
            return Proposal("act", seat, action, along=along)

        return await self.step(live, propose)

    async def step(self, live: Live, propose: Propose) -> Update:
        """Decide, commit, tell; on a conflict look again and decide again."""
        async with live.lock:
            return await self.step_locked(live, propose)

    async def step_locked(self, live: Live, propose: Propose) -> Update:
        """As `step`, for callers who hold the match's lock."""
        live.touched_at = self.clock()
        for _ in range(ATTEMPTS):
            await self.expire_due(live)
            try:
                decided = self._decide(live, propose(live.match), await self._seen(live))
            except Refused:
                if not (await self._catch_up(live) or self._due(live)):
                    raise
                continue
            if await self._commit(live, decided):
                self._settle(live, decided.updates)
                self._announce(live, decided.updates)
                return decided.updates[0]
        raise Conflict

    async def expire_due(self, live: Live) -> None:
        """Step every deadline of the rules that has passed, one at a time."""
        for _ in range(live.rules.longest):
            if not self._due(live):
                return
            decided = self._decide(live, Proposal("expire"), await self._seen(live))
            if await self._commit(live, decided):
                self._settle(live, decided.updates)
                self._announce(live, decided.updates)

    def _due(self, live: Live) -> bool:
        due = rules_deadline(live.rules, live.match)
        return due is not None and due <= self.clock()

    def _decide(
        self, live: Live, proposal: Proposal, seen: tuple[Millis | None, Millis | None]
    ) -> Decided:
        now = max(self.clock(), live.match.updated_at)
        updates: list[Update] = []
        made: tuple[Write, ...] = ()
        match = live.match
        wanted: tuple[tuple[Kind, Seat | None], ...] = (
            (proposal.kind, proposal.seat),
            *proposal.then,
        )
        for kind, seat in wanted:
            action = proposal.action if kind == "act" else None
            entry = _entry(match, kind, seat, action, now, seen)
            linked = proposal.linked if not updates else None
            taken = take(live.rules, match, entry, action, linked)
            after = Next(self._timed(live, match, taken.match, now), taken.step)
            made += writes(live.rules, match, entry, after, self.analytics)
            updates.append(_update(match, entry, after))
            match = after.match
        made += proposal.also
        if proposal.along is not None:
            made += proposal.along(updates[0])
        return Decided(tuple(updates), Change(made))

    def begin(
        self, match: Match, kind: Kind, then: tuple[tuple[Kind, Seat], ...] = ()
    ) -> tuple[Match, tuple[Write, ...]]:
        """A new match, made from a blank one at version 0, and what makes it durable."""
        rules, policy = self.rules[match.game], self.policies[match.game]
        live = Live(match, rules, policy, match.created_at)
        seen = (match.created_at, match.created_at)
        made: tuple[Write, ...] = ()
        before: Match | None = None
        for wanted, seat in ((kind, None), *then):
            entry = _entry(live.match, wanted, seat, None, match.created_at, seen)
            taken = take(rules, live.match, entry)
            after = Next(self._timed(live, live.match, taken.match, entry.at), taken.step)
            made += writes(rules, before, entry, after, self.analytics)
            live.match = before = after.match
        return live.match, made

    def admit_new(self, match: Match, here: Iterable[tuple[Seat, Here]] = ()) -> Live:
        """Remember a match whose creation was just committed."""
        live = self._lives.get(match.id) or self._new_live(match)
        for seat, presence in here:
            live.here[seat] = presence
        return live

    def _timed(self, live: Live, before: Match, after: Match, now: Millis) -> Match:
        """Set what play waits for: a bot's move, and a look whether anybody is still there."""
        new = before.version == 0
        if new or before.status != after.status or (after.over and before.code != after.code):
            ttl = live.policy.ttl(after)
            after = replace(after, idle_at=None if ttl is None else now + ttl)
        if self.robots.plays(after):
            after = replace(after, bot_at=self.robots.due(live.rules, after, now))
        return after

    async def _commit(self, live: Live, decided: Decided) -> bool:
        """True once durable; False if the match moved on and the step must be decided again."""
        try:
            await self.store.commit(decided.change)
        except Conflict:
            if await self._catch_up(live):
                return False
            raise
        except Unavailable:
            return await self._landed(live, decided)
        except asyncio.CancelledError:
            # Nobody waits any more, but the change may be durable all the same.
            self.spawn(self.refresh(live))
            raise
        return True

    async def _landed(self, live: Live, decided: Decided) -> bool:
        """The store could not say whether it committed: look for our own entry."""
        ours = decided.updates[0].entry
        stored = await queries.journal(self.store, live.match.id, after=ours.version - 1)
        if stored and stored[0] == ours:
            return True
        if not stored:
            raise Unavailable
        await self._catch_up(live)
        return False

    async def refresh(self, live: Live) -> None:
        """Bring memory up to what the store has."""
        async with live.lock:
            await self._catch_up(live)

    async def _catch_up(self, live: Live) -> bool:
        """Follow the journal to where the store is; True if there was something to follow."""
        stored = await queries.match_by_id(self.store, live.match.id)
        if stored is None:
            raise Gone
        if self._note_presence(live, stored.presence):
            self._tell_presence(live)
        if stored.match.version <= live.match.version:
            return False
        linked = Linked(stored.seats, stored.match.code, stored.match.rematch_id)
        entries = await queries.journal(self.store, live.match.id, after=live.match.version)
        for entry in entries:
            if entry.version > stored.match.version:
                break
            taken = take(live.rules, live.match, entry, linked=linked)
            if entry.version == stored.match.version:
                taken = Next(self._from_stored(stored), taken.step)
            self._settle(live, (_update(live.match, entry, taken),))
        return True

    def _settle(self, live: Live, updates: tuple[Update, ...]) -> None:
        """The steps are durable: remember, rearm, tell."""
        for update in updates:
            live.match = update.after
            if update.entry.seat is not None and update.entry.kind == "act":
                self._saw(live, update.entry.seat, update.entry.at)
            self.robots.hear(live.rules, update)
            for watcher in tuple(live.watchers):
                try:
                    watcher.moved(update)
                except Exception:
                    log.exception("watcher failed", match_id=live.match.id)
        self.arm(live)

    def _announce(self, live: Live, updates: tuple[Update, ...]) -> None:
        """Tell those who follow the game here, and the other processes."""
        for follower in self._followers.get(live.match.game, ()):
            for update in updates:
                try:
                    follower(update)
                except Exception:
                    log.exception("follower failed", match_id=live.match.id)
        if self.bus.alone:
            return
        for update in updates:
            word = Heard(update.after.version, update.entry)
            self.bus.publish(f"match:{live.match.id}", ENCODER.encode(word))

    # --- presence ---------------------------------------------------------------------------

    def here(self, live: Live) -> tuple[bool, bool]:
        """Which seats have a connection right now, as far as is known."""
        now = self.clock()
        return (self._connected(live.here[0], now), self._connected(live.here[1], now))

    def last_seen(self, live: Live) -> tuple[Millis | None, Millis | None]:
        """When each seat was last heard of, as far as is known."""
        now = self.clock()
        return (self._last_seen(live, 0, now), self._last_seen(live, 1, now))

    def _connected(self, here: Here, now: Millis) -> bool:
        if here.connection is None:
            return False
        if here.process_id == self.process_id:
            return True
        return self._leases.get(here.process_id or "", 0) >= now

    def _last_seen(self, live: Live, seat: Seat, now: Millis) -> Millis | None:
        here = live.here[seat]
        if self._connected(here, now):
            return now
        held_until = self._leases.get(here.process_id or "") if here.connection else None
        known = (here.seen_at, held_until, live.match.acted_at[seat], live.match.started_at)
        return max(filter(None, known), default=None)

    async def _seen(self, live: Live) -> tuple[Millis | None, Millis | None]:
        """Sightings good enough to decide on: asks the store about a seat not heard of lately."""
        seen = self.last_seen(live)
        if not self.bus.alone:
            old = self.clock() - self.sighting_ms
            if any(at is None or at < old for at in seen):
                await self.look(live)
                seen = self.last_seen(live)
        return seen

    async def look(self, live: Live) -> None:
        """Ask the store who is here."""
        for process_id, until in await queries.leases(self.store):
            self._leases[process_id] = until
        rows = await queries.presence(self.store, live.match.id)
        if self._note_presence(live, rows):
            self._tell_presence(live)

    def saw(self, live: Live, seat: Seat) -> None:
        """A sign of life outside any connection, such as a poll."""
        self._saw(live, seat, self.clock())

    def _saw(self, live: Live, seat: Seat, at: Millis) -> None:
        here = live.here[seat]
        if here.seen_at is None or here.seen_at < at:
            live.here[seat] = replace(here, seen_at=at)
        if live.kept_at[seat] + self.sighting_ms <= at and here.connection is None:
            live.kept_at[seat] = at
            sighting = Sighting(match_id=live.match.id, seat=seat, seen_at=at)
            self.spawn(self._keep(Change((sighting,))))

    async def _keep(self, change: Change) -> None:
        try:
            await self.store.commit(change)
        except StoreError as error:
            log.warning("sighting not kept", error=repr(error))

    def tell_presence(self, live: Live) -> None:
        """Somebody's connection came or went: tell the watchers here and elsewhere."""
        self._tell_presence(live)
        if not self.bus.alone:
            word = Heard(live.match.version)
            self.bus.publish(f"match:{live.match.id}", ENCODER.encode(word))

    def _tell_presence(self, live: Live) -> None:
        here = self.here(live)
        for watcher in tuple(live.watchers):
            try:
                watcher.presence(live.match, here)
            except Exception:
                log.exception("watcher failed", match_id=live.match.id)

    # --- deadlines --------------------------------------------------------------------------

    def arm(self, live: Live) -> None:
        """Wake when the match's deadline is due."""
        match = live.match
        if self.robots.thinking(match):
            match = replace(match, bot_at=None)
        due = deadline(live.rules, match)
        if due == live.armed_at:
            return
        live.disarm()
        if due is None:
            return
        live.armed_at = due
        delay = max(0, due - self.clock()) / 1000
        live.timer = asyncio.get_running_loop().call_later(delay, self._ring, live)

    def _ring(self, live: Live) -> None:
        live.disarm()
        if self.clock() < (deadline(live.rules, live.match) or 0):
            self.arm(live)  # timers may ring a moment early
        else:
            self.spawn(self.due(live))

    async def due(self, live: Live) -> None:
        """Do what a match that is due waits for. Should that fail, the sweep comes back to it."""
        async with live.lock:
            await self.expire_due(live)
            match, now = live.match, self.clock()
            if match.bot_at is not None and match.bot_at <= now:
                self.robots.wake(self, live)
            elif match.idle_at is not None and match.idle_at <= now:
                await self._idle(live, now)
        self.arm(live)

    async def _idle(self, live: Live, now: Millis) -> None:
        """A match lapses unless somebody was heard of within its time."""
        await self.look(live)
        match = live.match
        ttl = live.policy.ttl(match)
        used_at = max((*filter(None, self.last_seen(live)), match.updated_at))
        if ttl is None or used_at + ttl > now:
            idle_at = None if ttl is None else used_at + ttl
            live.match = replace(match, idle_at=idle_at)
            again = deadline(live.rules, live.match)
            rearm = RearmMatch(match_id=match.id, version=match.version, deadline_at=again)
            try:
                await self.store.commit(Change((rearm,)))
            except Conflict:
                await self._catch_up(live)
            return
        await self.step_locked(live, lambda _: Proposal("lapse"))

    # --- housekeeping -----------------------------------------------------------------------

    def lives(self) -> tuple[Live, ...]:
        """All matches in memory."""
        return tuple(self._lives.values())

    def note_leases(self, leases: Iterable[tuple[str, Millis]]) -> None:
        """Which processes are alive, and until when they say so."""
        self._leases = dict(leases)

    def forget_idle(self, max_idle_ms: Millis = LIVE_IDLE_MS) -> None:
        """Drop from memory what nobody here needs; the store has it."""
        old = self.clock() - max_idle_ms
        for match_id, live in tuple(self._lives.items()):
            if live.idle and live.touched_at <= old:
                live.disarm()
                self.robots.forget(match_id)
                del self._lives[match_id]

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Run in the background; a failure is logged, and `drain` waits for it."""
        task = asyncio.get_running_loop().create_task(self._guarded(work))
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
            await asyncio.gather(*self._tasks)
        for ear in self._ears.values():
            ear()
        self._ears.clear()


def _entry(
    match: Match,
    kind: Kind,
    seat: Seat | None,
    action: Any,
    now: Millis,
    seen: tuple[Millis | None, Millis | None],
) -> JournalRow:
    return JournalRow(
        match_id=match.id,
        version=match.version + 1,
        at=now,
        kind=kind,
        seat=seat,
        action=None if action is None else msgspec.json.encode(action),
        seen_0=seen[SEATS[0]],
        seen_1=seen[SEATS[1]],
    )


def _update(before: Match, entry: JournalRow, after: Next) -> Update:
    return Update(before, after.match, entry, after.step.events if after.step else ())
