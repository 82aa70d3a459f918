"""What a viewer cannot see changes not one byte of what it is sent."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from parlour.games.api import SEATS, Refused
from parlour.games.registry import all_rules
from parlour.host.messages import encoded
from parlour.host.shown import step_of, table_of
from parlour.host.sight import Seats, Sight, StepSeen
from parlour.play.match import Match, Update
from parlour.store.change import JournalRow, SeatRow
from tests.laws.game import game_of
from tests.laws.walk import START, Table, walk

VIEWERS: tuple[Seats, ...] = ((0,), (1,), ())
HIDING = [key for key in all_rules() if game_of(key).disguise is not None]


def match_of(table: Table, state: Any) -> Match:
    return Match(
        id="m",
        game=table.rules.key,
        public_id="p",
        status="finished" if table.over else "active",
        version=table.number,
        state=state,
        options=b"{}",
        seed=b"secret",
        seats=tuple(SeatRow(seat=seat, name=str(seat), sole=False) for seat in SEATS),
        created_at=START,
        updated_at=START,
    )


def told(table: Table, state: Any, seats: Seats) -> bytes:
    return encoded(table_of(sight_of(table, state, seats), START))


def sight_of(table: Table, state: Any, seats: Seats) -> Sight[Any]:
    return Sight(table.rules, match_of(table, state), seats, (True, True))


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("key", HIDING)
def test_a_table_tells_nothing_that_its_viewer_cannot_see(key: str, seed: int) -> None:
    rules, game, changed = all_rules()[key], game_of(key), 0
    assert game.disguise is not None
    for table, random in walk(rules, game, seed):
        for seats in VIEWERS:
            other = game.disguise(table.state, seats[0] if seats else None, random)
            changed += other != table.state
            assert told(table, other, seats) == told(table, table.state, seats)
    assert changed


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("key", HIDING)
def test_a_step_tells_nothing_that_its_viewer_cannot_see(key: str, seed: int) -> None:
    """The same action on two states that look alike, wherever they look alike afterwards too."""
    rules, game, compared = all_rules()[key], game_of(key), 0
    assert game.disguise is not None
    for table, random in walk(rules, game, seed):
        movers = [seat for seat in SEATS if table.legal(seat)]
        if not movers or table.over:
            continue
        mover = random.choice(movers)
        action = random.choice(table.legal(mover))
        entry = JournalRow(
            match_id="m",
            version=table.number + 1,
            at=table.now,
            kind="act",
            seat=mover,
            action=msgspec.json.encode(action),
        )
        for seats in VIEWERS:
            viewer = seats[0] if seats else None
            states = (table.state, game.disguise(table.state, viewer, random))
            try:
                steps = [rules.act(each, mover, action, table.env()) for each in states]
            except Refused:
                continue
            views = {msgspec.json.encode(rules.view(step.state, viewer)) for step in steps}
            if len(views) > 1:
                continue  # what it looks like now differs, and so may what is told
            frames = {
                encoded(
                    step_of(
                        StepSeen(
                            rules,
                            Update(
                                match_of(table, state),
                                match_of(table, step.state),
                                entry,
                                step.events,
                            ),
                            sight_of(table, state, seats),
                            sight_of(table, step.state, seats),
                        ),
                        START,
                    )
                )
                for state, step in zip(states, steps, strict=True)
            }
            assert len(frames) == 1
            compared += 1
    assert compared
