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
from collections.abc import Callable, Iterable
from typing import Any

import msgspec
import structlog
from msgspec import Struct
from msgspec.structs import replace

from parlour.games.api import SEATS, Millis, Refused, Seat
from parlour.play.change import writes
from parlour.play.live import Here, Live, Watcher
from parlour.play.match import (
    RULES_KINDS,
    Kind,
    Linked,
    Match,
    Next,
    Update,
    deadline,
    lets_go,
    rules_deadline,
    take,
)
from parlour.play.other_rules import OtherRules
from parlour.play.sightings import Sightings
from parlour.play.tables import Gone
from parlour.play.words import heard, stepped
from parlour.store import queries
from parlour.store.change import (
    Change,
    Conflict,
    JournalRow,
    RearmMatch,
    Unavailable,
    Write,
)

__all__ = ["Along", "Gone", "Play", "Proposal", "Propose"]

log = structlog.get_logger()

_ENCODER = msgspec.json.Encoder()

ATTEMPTS = 20
"""How often a step is decided again after others were quicker, before it is given up."""


Along = Callable[[Update], tuple[Write, ...]]
"""What must become durable together with a step that was decided."""


class Proposal(Struct, frozen=True, gc=False):
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


class Decided(Struct, frozen=True, gc=False):
    """Steps computed from one version, and the change that makes them so."""

    updates: tuple[Update, ...]
    change: Change


class Play(Sightings):
    """Every match this process plays or watches, and how each moves on."""

    def __init__(self, *parts: Any, analytics: bool = False, **more: Any) -> None:
        super().__init__(*parts, **more)
        self.analytics = analytics
        self._followers: dict[str, list[Callable[[Update], None]]] = {}
        self.doubted: set[str] = set()
        """Matches whose last step the store could not vouch for: the next check looks."""

    # --- watching ---------------------------------------------------------------------------

    async def watch(self, match_id: str, watcher: Watcher) -> Match:
        """From now on `watcher` hears of every step after the match returned here."""
        live = await self.known(match_id)
        if live is None or live.match.status == "expired":
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
        word = heard(payload)
        entry = word.entry if word else None
        if entry is None or entry.version > live.match.version:
            self.spawn(self._follow(live, entry))

    async def _follow(self, live: Live, entry: JournalRow | None) -> None:
        async with live.lock:
            follows = entry is not None and entry.version == live.match.version + 1
            if entry is not None and follows and entry.kind in RULES_KINDS:
                taken = take(live.rules, live.match, entry)
                after = self._timed(live, live.match, taken.match, entry)
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
        live = self._lives.get(match_id) or await self.known(match_id)
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
            if self._due(live):
                await self.expire_due(live)
            seen = self.last_seen(live) if self.bus.alone else await self._seen(live)
            try:
                decided = self._decide(live, propose(live.match), seen)
            except Refused:
                if not (await self._moved_on(live) or self._due(live)):
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
        entry = _entry(live.match, proposal.kind, proposal.seat, proposal.action, now, seen)
        update, made = self._taken(live, live.match, entry, proposal.action, proposal.linked)
        updates: tuple[Update, ...] = (update,)
        for kind, seat in proposal.then:
            following = _entry(update.after, kind, seat, None, now, seen)
            update, more = self._taken(live, update.after, following)
            updates += (update,)
            made += more
        made += proposal.also
        if proposal.along is not None:
            made += proposal.along(updates[0])
        return Decided(updates, Change(made))

    def _taken(
        self,
        live: Live,
        match: Match,
        entry: JournalRow,
        action: Any = None,
        linked: Linked | None = None,
    ) -> tuple[Update, tuple[Write, ...]]:
        """One entry, and what it makes durable."""
        taken = take(live.rules, match, entry, action, linked)
        after = Next(self._timed(live, match, taken.match, entry), taken.step)
        made = writes(live.rules, match, entry, after, self.analytics)
        return _update(match, entry, after), made

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
            after = Next(self._timed(live, live.match, taken.match, entry), taken.step)
            made += writes(rules, before, entry, after, self.analytics)
            live.match = before = after.match
        return live.match, made

    def admit_new(self, match: Match, here: Iterable[tuple[Seat, Here]] = ()) -> Live:
        """Remember a match whose creation was just committed.

        If somebody found it in the store before, more may be known of it by now.
        """
        live = self._lives.get(match.id)
        if live is None:
            live = self._new_live(match)
            for seat, presence in here:
                live.here[seat] = presence
        return live

    def _timed(self, live: Live, before: Match, after: Match, entry: JournalRow) -> Match:
        """Set what play waits for: a bot's move, and a look whether anybody is still there."""
        now = entry.at
        new = before.version == 0
        if new or before.status != after.status or (after.over and before.code != after.code):
            ttl = live.policy.ttl(after)
            after = replace(after, idle_at=None if ttl is None else now + ttl)
        # Whoever comes and goes does not keep a bot from its move.
        thinking = entry.kind in ("gone", "back") and before.bot_at is not None
        if self.robots.plays(after) and not thinking:
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
            self.doubted.add(live.match.id)
            return await self._landed(live, decided)
        except asyncio.CancelledError:
            # Nobody waits any more, but the change may be durable all the same.
            self.doubted.add(live.match.id)
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

    async def _moved_on(self, live: Live) -> bool:
        """Catch up if the store is ahead. Anybody can be refused at will, so it costs one key."""
        version = await queries.version(self.store, live.match.id)
        if version is None:
            raise Gone
        return version > live.match.version and await self._catch_up(live)

    async def _catch_up(self, live: Live) -> bool:
        """Follow the journal to where the store is; True if there was something to follow."""
        stored = await queries.match_by_id(self.store, live.match.id)
        if stored is None:
            raise Gone
        if self._note_presence(live, stored.presence):
            await self._know_holders(live)
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
            if lets_go(update.entry, update.after):
                live.let_go(update.entry.at)
            self.robots.hear(live.rules, update)
            for watcher in tuple(live.watchers):
                try:
                    watcher.moved(update)
                except Exception:
                    log.exception("watcher failed", match_id=live.match.id)
        self.arm(live)

    def _announce(self, live: Live, updates: tuple[Update, ...]) -> None:
        """Tell those who follow the game here, and the other processes."""
        # Who follows a game reads its states, which nobody can read of a match of other rules.
        readable = not isinstance(live.rules, OtherRules)
        for follower in self._followers.get(live.match.game, ()) if readable else ():
            for update in updates:
                try:
                    follower(update)
                except Exception:
                    log.exception("follower failed", match_id=live.match.id)
        if self.bus.alone:
            return
        for update in updates:
            self.bus.publish(f"match:{live.match.id}", stepped(update.entry))

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
        live.timer = self.loop.call_later(delay, self._ring, live)

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
            bot_due = match.bot_at is not None and match.bot_at <= now
            if bot_due and not self.robots.thinking(match):
                self.robots.wake(self, live)
            elif match.idle_at is not None and match.idle_at <= now:
                await self._idle(live, now)
        self.arm(live)

    async def _idle(self, live: Live, now: Millis) -> None:
        """A match lapses unless somebody was heard of within its time."""
        await self.look_locked(live)
        match = live.match
        ttl = live.policy.ttl(match)
        people = [row.seat for row in match.seats if row.bot is None]
        seen = self.last_seen(live)
        used_at = max((*(seen[seat] or 0 for seat in people), match.updated_at))
        if ttl is None or used_at + ttl > now:
            idle_at = None if ttl is None else used_at + ttl
            if idle_at is not None and self.in_doubt(live):
                idle_at = now + self.lease.term_ms  # by then it is known who is here
            live.match = replace(match, idle_at=idle_at)
            again = deadline(live.rules, live.match)
            rearm = RearmMatch(match_id=match.id, version=match.version, deadline_at=again)
            try:
                await self.store.commit(Change((rearm,)))
            except Conflict:
                await self._catch_up(live)
            return
        await self.step_locked(live, lambda _: Proposal("lapse"))


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
        action=None if action is None else _ENCODER.encode(action),
        seen_0=seen[SEATS[0]],
        seen_1=seen[SEATS[1]],
    )


def _update(before: Match, entry: JournalRow, after: Next) -> Update:
    return Update(before, after.match, entry, after.step.events if after.step else ())
