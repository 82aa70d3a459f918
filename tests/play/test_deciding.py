"""A plan becomes updates and one change, without a store, or is refused."""

from __future__ import annotations

import msgspec
import pytest

from parlour.games.api import Refused
from parlour.games.connect4.rules import RULES, Drop, Options
from parlour.play.deciding import (
    SNAPSHOT_STEPS,
    Decided,
    Decider,
    Plan,
    Wanted,
    is_snapshot,
)
from parlour.play.match import Match, Next, deadline
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
        (NOW + 9, None, False),
        (NOW + 9, NOW + 9, False),
        (NOW + 8, NOW + 9, False),
        (NOW + 9, NOW + 8, True),
        (None, NOW + 9, True),
        (NOW, NOW + 9, True),
        (NOW, None, True),
    ],
)
def test_the_row_is_written_when_something_comes_nearer_or_was_due(
    waited: int | None, awaited: int | None, as_row: bool
) -> None:
    match = begun()
    (update,) = decide(match, Plan((Wanted("act", 0, Drop(3)),))).updates
    before = msgspec.structs.replace(match, rules_at=waited)
    after = msgspec.structs.replace(update.after, rules_at=awaited)
    assert is_snapshot(before, update.entry, Next(after)) == as_row


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
