"""How matches move on in this process: decide, commit, tell.

Laws:

* Only this writes what a match is. A step is told to watchers after its commit, in the order of
  versions, each once.
* What this process remembers of a match may be old. It finds out when a guard fails, when the
  rules refuse, when the bus says so and when it looks; then it follows the journal.
* A refusal is given only for the match as the store has it; so is that there is nothing to do.
* A deadline that is due is stepped before anything else that arrives after it.
* Deciding waits for nothing (`Decider`); only the commit does, and what the store must be asked.
* A step that nothing is in the way of needs no task: it is decided where its action came, holds the
  match's lock while it is committed, and is told where the store answers.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Any

import structlog
from msgspec.structs import replace

from parlour.games.api import Millis, Refused, Seat, Seen
from parlour.play.announcement import stepped
from parlour.play.deciding import (
    Attempt,
    Decided,
    Decider,
    Plan,
    Propose,
    Together,
    Wanted,
    snapshot,
    update_of,
)
from parlour.play.doubts import Doubts
from parlour.play.match import (
    RULES_KINDS,
    UNSAID,
    Gone,
    Linked,
    Match,
    Next,
    Update,
    Words,
    deadline,
    lets_go,
    row_deadline,
    take,
)
from parlour.play.other_rules import OtherRules
from parlour.play.presence import Presence
from parlour.play.resident import Resident
from parlour.play.residents import Residents
from parlour.play.robots import Robots
from parlour.play.runtime import Runtime
from parlour.play.timers import Timers
from parlour.store import queries
from parlour.store.change import Change, Conflict, JournalRow, RearmMatch, Unavailable, Write

log = structlog.get_logger()

ATTEMPTS = 20
"""How often a step is decided again after others were quicker, before it is given up."""

EXPIRE = Plan((Wanted("expire"),))

Follower = Callable[[Update], None]

Told = Callable[[int | Exception | None], None]
"""Hears what became of an action: the version it led to, or why it did not. None: another step was
quicker and nothing was done, so it is to be tried again as one that waits."""


class Steps:
    """Every step that this process takes, or follows."""

    def __init__(
        self,
        runtime: Runtime,
        residents: Residents,
        presence: Presence,
        timers: Timers,
        robots: Robots,
        decider: Decider,
        doubts: Doubts,
    ) -> None:
        self._runtime = runtime
        self._residents = residents
        self._by_id = residents.by_id
        self._presence = presence
        self._timers = timers
        self._robots = robots
        self._decider = decider
        self._followers: dict[str, list[Follower]] = {}
        self.doubts = doubts

    def subscribe(self, game: str, follower: Follower) -> None:
        """From now on `follower` hears of every step of the game that this process takes."""
        self._followers.setdefault(game, []).append(follower)

    # --- stepping ---------------------------------------------------------------------------

    async def act(
        self,
        match_id: str,
        seat: Seat,
        action: Any,
        version: int | None = None,
        together: Together | None = None,
    ) -> Update:
        """A player's action: durable and told when this returns; or `Refused`, or `Gone`.

        With `version` the action is only good for the match at that version.
        """
        resident = self._by_id.get(match_id)
        if resident is None or resident.match.status == "expired":
            resident = await self._residents.reach(match_id)
        plan = Plan((Wanted("act", seat, action),))

        def propose(match: Match) -> Plan:
            if version is not None and match.version != version:
                raise Refused("TOO_LATE", "The game moved on.")
            return plan

        async with resident.lock:
            update = await self.attempt_locked(resident, propose, together)
        assert update is not None
        return update

    def act_at_once(
        self, match_id: str, seat: Seat, action: Any, version: int | None, told: Told
    ) -> bool:
        """As `act`, where nothing is in the way: decided here, and `told` when it is durable.

        False: something is, be it that the rules refuse; then nothing was done, and `act` does it.
        """
        resident = self._by_id.get(match_id)
        if resident is None or not resident.lock.free:
            return False
        match, now = resident.match, self._runtime.clock()
        due = match.rules_at
        if (version is not None and match.version != version) or (due is not None and due <= now):
            return False
        resident.touched_at = now
        return self._begun(resident, Plan((Wanted("act", seat, action),)), now, told)

    def expire_at_once(self, resident: Resident, told: Told) -> bool:
        """The same for a deadline of the rules that has passed; False: `expire_due` does it."""
        if not resident.lock.free:
            return False
        now = self._runtime.clock()
        return self._due(resident, now) and self._begun(resident, EXPIRE, now, told)

    def _begun(self, resident: Resident, plan: Plan, now: Millis, told: Told) -> bool:
        """Whether a step is on its way to the store, and holds the match's lock, which was free."""
        seen = self._presence.seen_here(resident, now)
        if seen is None:
            return False
        try:
            decided = self._decide(resident, plan, now, seen)
        except Refused:
            return False
        answer = partial(self._answered, resident, decided, told)
        if not self._runtime.store.submit(decided.change, answer):
            return False
        resident.lock.take()
        return True

    def _answered(
        self, resident: Resident, decided: Decided, told: Told, error: Exception | None
    ) -> None:
        """What the store says to a step that was decided at once; the match's lock is held."""
        if error is not None:
            look = self._look_after(resident, decided, told, error)
            self._runtime.background.spawn(look)
            return
        try:
            self._taken(resident, decided)
        finally:
            resident.lock.leave()
        told(decided.updates[-1].after.version)

    async def _look_after(
        self, resident: Resident, decided: Decided, told: Told, error: Exception
    ) -> None:
        outcome: int | Exception | None = None
        try:
            if await self._is_durable(resident, decided, error):
                self._taken(resident, decided)
                outcome = decided.match.version
        except Exception as failure:  # noqa: BLE001 (whoever acted must hear of it)
            outcome = failure
        finally:
            resident.lock.leave()
        told(outcome)

    async def step(
        self, resident: Resident, propose: Propose, together: Together | None = None
    ) -> Update:
        """Decide, commit, tell; on a conflict look again and decide again."""
        async with resident.lock:
            return await self.step_locked(resident, propose, together)

    async def step_locked(
        self, resident: Resident, propose: Propose, together: Together | None = None
    ) -> Update:
        """As `step`, for callers who hold the match's lock."""
        update = await self.attempt_locked(resident, propose, together)
        assert update is not None
        return update

    async def attempt_locked(
        self, resident: Resident, propose: Attempt, together: Together | None = None
    ) -> Update | None:
        """As `step_locked`; None if there turns out to be nothing to do."""
        clock = self._runtime.clock
        for _ in range(ATTEMPTS):
            now = resident.touched_at = clock()
            if self._due(resident, now):
                await self.expire_due(resident)
                now = clock()
            seen = self._presence.seen_here(resident, now)
            if seen is None:
                seen = await self._presence.seen(resident)
                now = clock()
            try:
                decided = self._decided(resident, propose, now, seen, together)
            except Refused:
                if not (await self._moved_on(resident) or self._due(resident, clock())):
                    raise
                continue
            if decided is None:
                if not await self._moved_on(resident):
                    return None
            elif await self._commit(resident, decided):
                self._taken(resident, decided)
                return decided.updates[0]
        raise Conflict

    def _decided(
        self,
        resident: Resident,
        propose: Attempt,
        now: Millis,
        seen: Seen,
        together: Together | None,
    ) -> Decided | None:
        """What is proposed for the match as it is known here; None: nothing."""
        plan = propose(resident.match)
        return None if plan is None else self._decide(resident, plan, now, seen, together)

    def _decide(
        self,
        resident: Resident,
        plan: Plan,
        now: Millis,
        seen: Seen,
        together: Together | None = None,
    ) -> Decided:
        """A plan for the match as it is known here; who does not stay gets up with its end."""
        decided = self._decider.decide(
            resident.rules, resident.policy, resident.match, plan, now, seen, together
        )
        after = decided.updates[-1].after
        if after.status == "finished":
            leaving = self._presence.leaving(resident, after.updated_at)
            if leaving is not None:
                change = decided.change
                return replace(decided, change=replace(change, writes=(*change.writes, leaving)))
        return decided

    async def expire_due(self, resident: Resident, together: Together | None = None) -> None:
        """Step every deadline of the rules that has passed, one at a time.

        What comes `together` does so with the first of them.
        """
        for _ in range(resident.rules.longest):
            if not self._due(resident, self._runtime.clock()):
                return
            seen = await self._presence.seen(resident)
            decided = self._decide(resident, EXPIRE, self._runtime.clock(), seen, together)
            if await self._commit(resident, decided):
                self._taken(resident, decided)
                together = None

    def _due(self, resident: Resident, now: Millis) -> bool:
        due = resident.match.rules_at
        return due is not None and due <= now

    async def postpone(self, resident: Resident, idle_at: Millis | None) -> None:
        """Look later whether anybody still uses a match, for callers who hold its lock."""
        later = replace(resident.match, idle_at=idle_at)
        if await self._rearmed(resident, later):
            resident.match = later
        else:
            await self._catch_up(resident)

    async def put_off(self, resident: Resident, due_at: Millis) -> None:
        """The store took a match for due then: if it is due later, it says so from now on."""
        async with resident.lock:
            due = deadline(resident.match)
            later = due is None or due > max(due_at, self._runtime.clock())
            if later and not await self._rearmed(resident, resident.match):
                await self._catch_up(resident)

    async def _rearmed(self, resident: Resident, match: Match) -> bool:
        """Write down when a match is due; False if it moved on. An old row is brought up to it."""
        due = row_deadline(resident.rules, match, self._runtime.clock())
        rearm = RearmMatch(match_id=match.id, version=match.version, deadline_at=due)
        ways: tuple[Write, ...] = (rearm,)
        if match.status == "active" and resident.playable:
            ways = (rearm, snapshot(match, due))
        for way in ways:
            try:
                await self._runtime.store.commit(Change((way,), patient=match.with_bot))
            except Conflict:
                continue
            return True
        return False

    # --- committing -------------------------------------------------------------------------

    async def _commit(self, resident: Resident, decided: Decided) -> bool:
        """True once durable; False if the match moved on and the step must be decided again."""
        try:
            await self._runtime.store.commit(decided.change)
        except (Conflict, Unavailable) as error:
            return await self._is_durable(resident, decided, error)
        except asyncio.CancelledError:
            # Nobody waits any more, but the change may be durable all the same.
            self.doubts.arise(resident.match.id)
            self._runtime.background.spawn(self.refresh(resident))
            raise
        return True

    async def _is_durable(self, resident: Resident, decided: Decided, error: Exception) -> bool:
        """The same after the store did not simply commit; raises what it said if nothing helps."""
        if isinstance(error, Conflict) and await self._catch_up(resident):
            return False
        if isinstance(error, Unavailable):
            self.doubts.arise(resident.match.id)
            return await self._landed(resident, decided)
        raise error

    async def _landed(self, resident: Resident, decided: Decided) -> bool:
        """The store could not say whether it committed: look for our own entry."""
        ours = decided.updates[0].entry
        stored = await queries.journal(
            self._runtime.store, resident.match.id, after=ours.version - 1
        )
        if stored and stored[0] == ours:
            return True
        if not stored:
            raise Unavailable
        await self._catch_up(resident)
        return False

    # --- following --------------------------------------------------------------------------

    async def refresh(self, resident: Resident) -> None:
        """Bring memory up to what the store has."""
        async with resident.lock:
            await self._catch_up(resident)

    def hear_of(self, resident: Resident, entry: JournalRow | None, said: Words = UNSAID) -> None:
        """Another process has taken this step, and said so of it; or at least did something."""
        if entry is None or not resident.lock.take():
            self._runtime.background.spawn(self._follow(resident, entry, said))
            return
        try:
            known = self._followed(resident, entry, said)
        finally:
            resident.lock.leave()
        if not known:
            self._runtime.background.spawn(self._follow(resident, entry, said))

    async def _follow(self, resident: Resident, entry: JournalRow | None, said: Words) -> None:
        async with resident.lock:
            if entry is None or not self._followed(resident, entry, said):
                await self._catch_up(resident)

    def _followed(self, resident: Resident, entry: JournalRow, said: Words) -> bool:
        """Take a step of another process, for who holds the lock; False: the journal is needed."""
        match = resident.match
        if entry.version != match.version + 1:
            return entry.version <= match.version
        if entry.kind not in RULES_KINDS:
            return False
        update = self._decider.follow(resident.rules, resident.policy, match, entry, said)
        self._settle(resident, (update,), deadline(update.after))
        return True

    async def _moved_on(self, resident: Resident) -> bool:
        """Catch up if the store is ahead. Anybody can be refused at will, so it costs one key."""
        version = await queries.version(self._runtime.store, resident.match.id)
        if version is None:
            raise Gone
        return version > resident.match.version and await self._catch_up(resident)

    async def _catch_up(self, resident: Resident) -> bool:
        """Follow the journal to where the store is; True if there was something to follow."""
        match_id = resident.match.id
        doubt = self.doubts.of(match_id)
        stored = await queries.match_by_id(self._runtime.store, match_id)
        if stored is None:
            raise Gone
        await self._presence.catch_up(resident, stored.presence)
        after = resident.match.version
        behind = stored.version > after
        if behind:
            linked = Linked(stored.seats, stored.match.code, stored.match.rematch_id)
            store, until = self._runtime.store, stored.version
            for entry in await queries.journal(store, match_id, after=after, until=until):
                taken = take(resident.rules, resident.match, entry, linked=linked)
                if entry.version == until:
                    taken = Next(self._residents.restored(stored), taken.step)
                update = update_of(resident.match, entry, taken)
                self._settle(resident, (update,), deadline(update.after))
        self.doubts.settle(match_id, doubt)
        return behind

    # --- telling ----------------------------------------------------------------------------

    def _taken(self, resident: Resident, decided: Decided) -> None:
        """Steps of this process are durable."""
        updates = decided.updates
        after = updates[-1].after
        left = after.status == "finished" and self._presence.got_up(resident, after.updated_at)
        said = self._settle(resident, updates, decided.deadline_at)
        if after.game in self._followers:
            self._tell_followers(resident, updates)
        if not self._runtime.bus.alone:
            self._announce(after.id, updates, said)
        if left:
            self._presence.tell(resident)

    def _settle(
        self, resident: Resident, updates: tuple[Update, ...], deadline_at: Millis | None
    ) -> Words:
        """The steps are durable: remember, rearm, tell. Returns what was said of the last."""
        said: Words = UNSAID
        for update in updates:
            said = UNSAID
            match, entry = update.after, update.entry
            resident.match = match
            if entry.kind not in RULES_KINDS and lets_go(entry, match):
                self._presence.let_go(resident, entry.at)
            if match.with_bot:
                self._robots.hear(resident.rules, update)
            for watcher in tuple(resident.watchers):
                try:
                    said = watcher.moved(update) or said
                except Exception:
                    log.exception("watcher failed", match_id=match.id)
        armed_at = resident.armed_at
        if (
            armed_at is None
            or deadline_at is None
            or armed_at > deadline_at
            or resident.match.bot_at is not None
        ):
            self._timers.arm(resident)
        return said

    def _tell_followers(self, resident: Resident, updates: tuple[Update, ...]) -> None:
        """Who follows a game reads its states, which nobody can read of a match of other rules."""
        if type(resident.rules) is OtherRules:
            return
        for follower in self._followers[resident.match.game]:
            for update in updates:
                try:
                    follower(update)
                except Exception:
                    log.exception("follower failed", match_id=resident.match.id)

    def _announce(self, match_id: str, updates: tuple[Update, ...], said: Words) -> None:
        """Tell the other processes."""
        topic, last = f"match:{match_id}", updates[-1]
        for update in updates:
            words = said if update is last else UNSAID
            self._runtime.bus.publish_elsewhere(topic, stepped(update.entry, words))
