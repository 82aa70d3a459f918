"""What a step is to be, decided: plain functions of a match, a plan and the time.

Laws:

* Nothing is awaited here, and nothing changed: a plan becomes updates and the change that makes
  them durable, whole or not at all, or it is `Refused`.
* A new match is a plan on a blank one, at version 0.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from parlour.events import outbox
from parlour.games.api import Millis, Seat, Seen
from parlour.games.registry import AnyRules
from parlour.play.closing import closing, purchases
from parlour.play.match import Kind, Linked, Match, Next, Update, deadline, lets_go, take, to_row
from parlour.play.policy import Policy
from parlour.play.robots import Robots
from parlour.store.change import (
    AdvanceMatch,
    Change,
    CreateMatch,
    FreeSeats,
    JournalRow,
    RewriteMatch,
    Write,
)

_ENCODER = msgspec.json.Encoder()


class Wanted(Struct, frozen=True, gc=False):
    """An entry of the journal that somebody wants."""

    kind: Kind
    seat: Seat | None = None
    action: Any = None
    linked: Linked | None = None


class Plan(Struct, frozen=True, gc=False):
    """What somebody wants of a match as it is: entries, and what becomes durable with them."""

    entries: tuple[Wanted, ...]
    writes: tuple[Write, ...] = ()


Propose = Callable[[Match], Plan]
"""What is wanted, of the match as it then is; or `Refused`."""

Attempt = Callable[[Match], Plan | None]
"""As `Propose`, where there may be nothing to do any more."""

Together = Callable[[Update], tuple[Write, ...]]
"""What becomes durable together with a step, by what the step turns out to be."""


class Decided(Struct, frozen=True, gc=False):
    """Steps computed from one version, and the change that makes them so."""

    updates: tuple[Update, ...]
    change: Change
    deadline_at: Millis | None
    """When the match is due after them."""

    @property
    def match(self) -> Match:
        """As it is after them."""
        return self.updates[-1].after


class Decider:
    """How steps are decided in this process."""

    def __init__(self, robots: Robots, *, analytics: bool) -> None:
        self._robots = robots
        self._analytics = analytics

    def decide(
        self,
        rules: AnyRules,
        policy: Policy,
        match: Match,
        plan: Plan,
        now: Millis,
        seen: Seen,
        together: Together | None = None,
    ) -> Decided:
        """A plan carried out on a match; or `Refused`."""
        updates: tuple[Update, ...] = ()
        made: tuple[Write, ...] = ()
        due: Millis | None = None
        at = max(match.updated_at, now)
        for wanted in plan.entries:
            entry = _entry(match, wanted, at, seen)
            taken = take(rules, match, entry, wanted.action, wanted.linked)
            after = self._timed(rules, policy, match, taken.match, entry)
            due = deadline(rules, after)
            step = taken.step
            made += self._writes(rules, match, entry, Next(after, step), due)
            updates += (Update(match, after, entry, step.events if step is not None else ()),)
            match = after
        made += plan.writes
        if together is not None:
            made += together(updates[0])
        return Decided(updates, Change(made), due)

    def _writes(
        self,
        rules: AnyRules,
        match: Match,
        entry: JournalRow,
        following: Next,
        due: Millis | None,
    ) -> tuple[Write, ...]:
        """All that one entry makes durable."""
        after, step = following.match, following.step
        before = match if match.version else None
        if before is not None and after.status == before.status == "active":
            made: tuple[Write, ...] = (_advance(after, due), entry)
        else:
            made = (_whole(before, after, due), entry)
        if step is not None and step.charges:
            made += tuple(purchases(after, entry, step))
        if before is not None and after.over and not before.over:
            made += tuple(closing(rules, after))
        if lets_go(entry, after):
            made += (FreeSeats(match_id=after.id, at=entry.at),)
        if self._analytics:
            made += outbox.of_step(rules, before, entry, after)
        return made

    def follow(self, rules: AnyRules, policy: Policy, match: Match, entry: JournalRow) -> Update:
        """A step that was taken elsewhere, of a kind whose effect follows from its entry alone."""
        taken = take(rules, match, entry)
        timed = self._timed(rules, policy, match, taken.match, entry)
        return update_of(match, entry, Next(timed, taken.step))

    def _timed(
        self, rules: AnyRules, policy: Policy, before: Match, after: Match, entry: JournalRow
    ) -> Match:
        """Set what play waits for: a bot's move, and a look whether anybody is still there."""
        now = entry.at
        new = before.version == 0
        if new or before.status != after.status or (after.over and before.code != after.code):
            ttl = policy.ttl(after)
            after = replace(after, idle_at=None if ttl is None else now + ttl)
        # Whoever comes and goes does not keep a bot from its move.
        thinking = entry.kind in ("gone", "back") and before.bot_at is not None
        if after.with_bot and after.status == "active" and not thinking:
            after = replace(after, bot_at=self._robots.due(rules, after, now))
        return after


def update_of(before: Match, entry: JournalRow, after: Next) -> Update:
    """What watchers hear of an entry."""
    return Update(before, after.match, entry, after.step.events if after.step else ())


def _entry(match: Match, wanted: Wanted, at: Millis, seen: Seen) -> JournalRow:
    action = wanted.action
    return JournalRow(
        match_id=match.id,
        version=match.version + 1,
        at=at,
        kind=wanted.kind,
        seat=wanted.seat,
        action=None if action is None else _ENCODER.encode(action),
        seen_0=seen[0],
        seen_1=seen[1],
    )


def _advance(match: Match, due: Millis | None) -> AdvanceMatch:
    return AdvanceMatch(
        match_id=match.id,
        version=match.version,
        state=_ENCODER.encode(match.state),
        updated_at=match.updated_at,
        deadline_at=due,
        bot_at=match.bot_at,
        acted_0_at=match.acted_at[0],
        acted_1_at=match.acted_at[1],
    )


def _whole(before: Match | None, match: Match, due: Millis | None) -> Write:
    row = to_row(match, due)
    if before is None:
        return CreateMatch(match=row, seats=match.seats)
    return RewriteMatch(match=row)
