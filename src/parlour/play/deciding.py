"""What a step is to be, decided: plain functions of a match, a plan and the time.

Laws:

* Nothing is awaited here, and nothing changed: a plan becomes updates and the change that makes
  them durable, whole or not at all, or it is `Refused`.
* A new match is a plan on a blank one, at version 0.
* A step is an entry of the journal. The match's row is a snapshot, written when something must be
  found there (`is_snapshot`). What it says of when to look at the match is never later than what
  the rules foresee (`Rules.horizon`), or than `LOOK_MS` after the last step if that is later: what
  is due is found by then, wherever the process is gone to that had a timer for it. So a wait that
  is short writes no row, neither when it begins nor when it ends; nor do clocks that take turns.
  Of a match with a bot it is never farther away than `LOOK_MS` from its last step.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from parlour.events import outbox
from parlour.games.api import Millis, Seat, Seen
from parlour.games.registry import AnyRules
from parlour.play.closing import closing, purchases
from parlour.play.match import (
    LOOK_MS,
    RULES_KINDS,
    Kind,
    Linked,
    Match,
    Next,
    Update,
    Words,
    deadline,
    lets_go,
    row_deadline,
    take,
    to_row,
)
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

SNAPSHOT_STEPS: Final = 32
"""After so many steps at most the row is written: who loads a match takes fewer than these."""


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
        at = max(match.updated_at, now)
        first, made = self._stepped(rules, policy, match, plan.entries[0], at, seen)
        updates: tuple[Update, ...] = (first,)
        after = first.after
        if len(plan.entries) > 1:
            for wanted in plan.entries[1:]:
                following, writes = self._stepped(rules, policy, after, wanted, at, seen)
                updates += (following,)
                made += writes
                after = following.after
        if plan.writes:
            made += plan.writes
        if together is not None:
            made += together(first)
        # Who plays the computer waits for it to think anyway.
        return Decided(updates, Change(made, after.with_bot), deadline(after))

    def _stepped(
        self,
        rules: AnyRules,
        policy: Policy,
        match: Match,
        wanted: Wanted,
        at: Millis,
        seen: Seen,
    ) -> tuple[Update, tuple[Write, ...]]:
        """One entry, and all that it makes durable."""
        action, version = wanted.action, match.version + 1
        entry = JournalRow(
            match_id=match.id,
            version=version,
            at=at,
            kind=wanted.kind,
            seat=wanted.seat,
            action=None if action is None else _ENCODER.encode(action),
            seen_0=seen[0],
            seen_1=seen[1],
        )
        following = take(rules, match, entry, action, wanted.linked)
        step, taken = following.step, following.match
        after = self.timed(rules, policy, match, taken, entry)
        if after is not taken:
            following = Next(after, step)
        as_row = is_snapshot(rules, match, entry, following)
        made: tuple[Write, ...] = (entry,)  # a move like most: nothing else comes of it
        if as_row or self._analytics or (step is not None and step.charges):
            made = self._writes(rules, match, entry, following, as_row=as_row)
        return Update(match, after, entry, step.events if step is not None else ()), made

    def _writes(
        self,
        rules: AnyRules,
        match: Match,
        entry: JournalRow,
        following: Next,
        *,
        as_row: bool,
    ) -> tuple[Write, ...]:
        """All that one entry makes durable, as the match's row too or not."""
        after, step = following.match, following.step
        before = match if match.version else None
        due = row_deadline(rules, after, entry.at)
        made: tuple[Write, ...]
        if before is None:
            made = (CreateMatch(match=to_row(after, due), seats=after.seats), entry)
        elif not as_row:
            made = (entry,)
        elif after.status == before.status == "active":
            made = (entry, snapshot(after, due))
        else:
            made = (entry, RewriteMatch(match=to_row(after, due)))
        if step is not None and step.charges:
            made += tuple(purchases(after, entry, step))
        if before is not None and after.over and not before.over:
            made += tuple(closing(rules, after))
        if lets_go(entry, after):
            made += (FreeSeats(match_id=after.id, at=entry.at),)
        if self._analytics:
            made += outbox.of_step(rules, before, entry, after)
        return made

    def follow(
        self, rules: AnyRules, policy: Policy, match: Match, entry: JournalRow, said: Words
    ) -> Update:
        """A step that was taken elsewhere, of a kind whose effect follows from its entry alone."""
        taken = take(rules, match, entry)
        after, step = self.timed(rules, policy, match, taken.match, entry), taken.step
        return Update(match, after, entry, step.events if step is not None else (), said)

    def timed(
        self, rules: AnyRules, policy: Policy, before: Match, after: Match, entry: JournalRow
    ) -> Match:
        """Set what play waits for: a bot's move, and a look whether anybody is still there."""
        goes_on = before.version and before.status == after.status
        if goes_on and after.status == "active" and not after.with_bot:
            return after  # as mostly
        now = entry.at
        if not goes_on or (before.code != after.code and after.over):
            ttl = policy.ttl(after)
            after = replace(after, idle_at=None if ttl is None else now + ttl)
        # Whoever comes and goes does not keep a bot from its move.
        thinking = before.bot_at is not None and entry.kind in ("gone", "back")
        if after.with_bot and after.status == "active" and not thinking:
            after = replace(after, bot_at=self._robots.due(rules, after, now))
        return after


def update_of(before: Match, entry: JournalRow, after: Next) -> Update:
    """What watchers hear of an entry."""
    return Update(before, after.match, entry, after.step.events if after.step else ())


def is_snapshot(rules: AnyRules, before: Match, entry: JournalRow, after: Next) -> bool:
    """Whether a step must be found in the match's row."""
    match = after.match
    if not (match.status == before.status == "active" and entry.kind in RULES_KINDS):
        return True
    if entry.version % SNAPSHOT_STEPS == 0:
        return True
    if match.with_bot and entry.at - before.updated_at >= LOOK_MS:
        return True  # it may have been at rest
    waited, awaits = before.rules_at, match.rules_at
    if waited is None:
        return awaits is not None
    if waited <= entry.at:
        # The row may say so, and nobody need look again; it hardly does if that was a short wait.
        return awaits is None or waited > before.updated_at + LOOK_MS
    # Mostly there is no need to ask what the rules foresee.
    nearer = awaits is not None and awaits < waited and waited > entry.at + LOOK_MS
    return nearer and _unforeseen(rules, before, match, entry.at)


def _unforeseen(rules: AnyRules, before: Match, after: Match, at: Millis) -> bool:
    """Whether something may be due now that would be found too late by what was foreseen."""
    foreseen, foresees = rules.horizon(before.state, at), rules.horizon(after.state, at)
    if foreseen is None or foresees is None:
        return True
    return foresees < foreseen and foreseen > at + LOOK_MS


def snapshot(match: Match, due: Millis | None) -> AdvanceMatch:
    """The row of a match that goes on, as it is now."""
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
