"""A plan becomes updates and one change, without a store, or is refused."""

from __future__ import annotations

from typing import Any, cast

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour.games.api import Refused, Rules, with_seat
from parlour.games.clocks import Clocks
from parlour.games.connect4.rules import RULES, Drop, Options
from parlour.games.registry import AnyRules
from parlour.play.deciding import (
    SNAPSHOT_STEPS,
    Decided,
    Decider,
    Plan,
    Wanted,
    is_snapshot,
)
from parlour.play.match import LOOK_MS, SOON_MS, Match, Next, deadline, row_deadline
from parlour.play.policy import Policy
from parlour.play.robots import Robots
from parlour.store.change import (
    AdvanceMatch,
    CreateMatch,
    FreeSeats,
    JournalRow,
    RewriteMatch,
    SeatRow,
    TakeTicket,
)

NOW = 1_800_000_000_000
NEAR = NOW + LOOK_MS
POLICY = Policy(options=Options(starter=0), active_ttl_ms=60_000)
BLANK = Match(
    id="match",
    game="connect4",
    public_id="PUBLIC",
    status="waiting",
    version=0,
    options=b'{"starter":0}',
    seed=bytes(32),
    seats=tuple(SeatRow(seat=seat, name=name) for seat, name in enumerate(("ann", "bob"))),
    created_at=NOW,
    updated_at=NOW,
)
TAKE = TakeTicket(id="ticket")


def decide(match: Match, plan: Plan, now: int = NOW) -> Decided:
    decider = Decider(Robots(), analytics=False)
    return decider.decide(RULES, POLICY, match, plan, now, (now, now))


def begun() -> Match:
    return decide(BLANK, Plan((Wanted("start"),))).match


def test_a_new_match_is_a_plan_on_a_blank_one() -> None:
    decided = decide(BLANK, Plan((Wanted("start"),), (TAKE,)))
    made = decided.change.writes
    assert [type(write) for write in made] == [CreateMatch, JournalRow, TakeTicket]
    assert (decided.match.version, decided.match.status) == (1, "active")
    assert decided.match.idle_at == decided.deadline_at == NOW + 60_000


def test_a_move_is_one_entry() -> None:
    match = begun()
    decided = decide(match, Plan((Wanted("act", 0, Drop(3)),)), NOW + 5)
    assert [type(write) for write in decided.change.writes] == [JournalRow]
    (update,) = decided.updates
    assert (update.before, update.after) == (match, decided.match)
    assert update.entry.at == NOW + 5
    assert decided.deadline_at == deadline(decided.match)


def test_who_plays_the_computer_is_patient_and_others_are_not() -> None:
    match, plan = begun(), Plan((Wanted("act", 0, Drop(3)),))
    assert not decide(match, plan).change.patient
    robot = msgspec.structs.replace(match.seats[1], bot="easy")
    beside = msgspec.structs.replace(match, seats=(match.seats[0], robot), with_bot=True)
    assert decide(beside, plan).change.patient


def test_the_row_is_written_every_so_many_steps_and_when_it_must_be_found_there() -> None:
    match = msgspec.structs.replace(begun(), version=SNAPSHOT_STEPS - 2)
    kinds = []
    for seat, column in ((0, 3), (1, 4), (0, 3)):
        decided = decide(match, Plan((Wanted("act", seat, Drop(column)),)))
        kinds.append([type(write) for write in decided.change.writes])
        match = decided.match
    assert kinds == [[JournalRow], [JournalRow, AdvanceMatch], [JournalRow]]
    decided = decide(match, Plan((Wanted("cancel"),)))
    assert [type(write) for write in decided.change.writes][:2] == [JournalRow, RewriteMatch]


@pytest.mark.parametrize(
    ("waited", "awaited", "as_row"),
    [
        (None, None, False),
        (None, NEAR, True),
        (NEAR, None, False),
        (NEAR, NEAR, False),
        (NEAR - 1, NEAR, False),
        (NEAR, NEAR - 1, False),
        (NEAR + 1, NEAR, True),
        (NOW, NEAR, False),
        (NOW, None, True),
    ],
)
def test_the_row_is_written_when_something_comes_much_nearer(
    waited: int | None, awaited: int | None, as_row: bool
) -> None:
    before = waiting(begun(), NOW, waited)
    after = waiting(before, NOW, awaited)
    assert is_snapshot(WAITING, before, entry_at(NOW), Next(after)) == as_row


@pytest.mark.parametrize(("waited_ms", "as_row"), [(LOOK_MS, False), (LOOK_MS + 1, True)])
def test_the_row_is_written_when_what_was_long_waited_for_is_due(
    waited_ms: int, as_row: bool
) -> None:
    before = waiting(begun(), NOW - waited_ms, NOW)
    after = waiting(before, NOW, NOW + 9)
    assert is_snapshot(WAITING, before, entry_at(NOW), Next(after)) == as_row


PAUSES = st.integers(0, 3 * LOOK_MS)
WAITS = st.none() | st.integers(0, 9 * LOOK_MS)
SWEPT = st.booleans()
"""Whether somebody looks at the match before a step, and puts the row off before or behind it."""


@given(first=WAITS, happens=st.lists(st.tuples(PAUSES, PAUSES, SWEPT, WAITS)))
def test_whatever_is_due_is_found_within_the_time_to_look(
    first: int | None, happens: list[tuple[int, int, bool, int | None]]
) -> None:
    """Whatever rules wait for after each step, and whenever somebody puts the row off."""
    match = waiting(begun(), NOW, None if first is None else NOW + first)
    due = row_deadline(WAITING, match, NOW)
    for until_swept, until_step, sweep, wait in happens:
        swept_at = match.updated_at + until_swept
        at = swept_at + until_step
        after = waiting(match, at, None if wait is None else at + wait)
        due = swept(WAITING, match, after, due, sweep, swept_at)
        match = after
        if match.rules_at is not None:
            assert due is not None
            assert due <= max(match.rules_at, match.updated_at + LOOK_MS)


@given(
    clocks=st.tuples(PAUSES, PAUSES),
    happens=st.lists(st.tuples(PAUSES, PAUSES, SWEPT, st.integers(0, LOOK_MS))),
)
def test_whoever_presses_a_clock_its_fall_is_found_soon(
    clocks: tuple[int, int], happens: list[tuple[int, int, bool, int]]
) -> None:
    """Clocks of any two lengths, which may gain time when they are pressed."""
    running = Clocks(clocks, 0, NOW)
    match = clocked(begun(), NOW, running)
    due = row_deadline(CLOCKED, match, NOW)
    for until_swept, until_step, sweep, gained in happens:
        swept_at = match.updated_at + until_swept
        at = swept_at + until_step
        if at >= running.falls_at:
            return
        mover = running.running
        charged = running.charged(at)
        left = with_seat(charged.left_ms, mover, charged.left_ms[mover] + gained)
        running = Clocks(left, 1 - mover, at)
        after = clocked(match, at, running)
        due = swept(CLOCKED, match, after, due, sweep, swept_at)
        match = after
        assert due is not None
        assert due <= max(running.falls_at, at + SOON_MS)


class Waiting(Rules[int | None, Any, None]):
    """Only the time matters: when the next thing is due is all there is to a state."""

    def deadline(self, state: int | None) -> int | None:
        return state


class Clocked(Rules[Clocks, Any, None]):
    """The same with two clocks."""

    def deadline(self, state: Clocks) -> int | None:
        return state.falls_at

    def horizon(self, state: Clocks, now: int) -> int | None:
        return state.none_falls_before(now)


WAITING: AnyRules = cast(Any, Waiting)()
CLOCKED: AnyRules = cast(Any, Clocked)()


def entry_at(at: int) -> JournalRow:
    return JournalRow(match_id="match", version=2, at=at, kind="act", seat=0)


def waiting(match: Match, at: int, due: int | None) -> Match:
    """A match after a step at that time, with what is due then."""
    return msgspec.structs.replace(match, updated_at=at, state=due, rules_at=due, idle_at=None)


def clocked(match: Match, at: int, clocks: Clocks) -> Match:
    falls_at = clocks.falls_at
    return msgspec.structs.replace(
        match, updated_at=at, state=clocks, rules_at=falls_at, idle_at=None
    )


def swept(
    rules: AnyRules, before: Match, after: Match, due: int | None, sweep: bool, swept_at: int
) -> int | None:
    """What the row says after a step, and somebody who looked at the match before."""
    found = row_deadline(rules, before, swept_at)
    if is_snapshot(rules, before, entry_at(after.updated_at), Next(after)):
        return row_deadline(rules, after, after.updated_at)
    return found if sweep else due


def test_several_entries_follow_each_other_in_one_change() -> None:
    plan = Plan((Wanted("act", 0, Drop(3)), Wanted("act", 1, Drop(4)), Wanted("cancel")), (TAKE,))
    decided = decide(begun(), plan)
    assert [update.after.version for update in decided.updates] == [2, 3, 4]
    assert decided.updates[0].after is decided.updates[1].before
    kinds = [type(write) for write in decided.change.writes]
    assert kinds.count(JournalRow) == 3
    assert {RewriteMatch, FreeSeats, TakeTicket} <= set(kinds)
    assert decided.match.status == "cancelled"


def test_a_refused_plan_leaves_the_match_as_it_was() -> None:
    match = begun()
    with pytest.raises(Refused):
        decide(match, Plan((Wanted("act", 0, Drop(3)), Wanted("act", 0, Drop(3)))))
    assert match == begun()


def test_time_never_goes_back() -> None:
    match = decide(begun(), Plan((Wanted("act", 0, Drop(3)),)), NOW + 10).match
    later = decide(match, Plan((Wanted("act", 1, Drop(3)),)), NOW + 3)
    assert later.match.updated_at == NOW + 10
