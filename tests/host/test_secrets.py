"""What a viewer cannot see changes not one byte of what it is sent, on any surface of any game."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec
import pytest

from parlour.games.api import SEATS, Refused, Seat, Step
from parlour.games.registry import AnyRules, all_rules
from parlour.host.audience import Voice
from parlour.host.sight import Facts, Seats, Sight, StepSeen
from parlour.net.failures import failure_of
from parlour.play.match import Update
from parlour.store.change import JournalRow
from tests.host.spoken import (
    SECRETS,
    SEED,
    UNTOLD,
    VIEWERS,
    match_of,
    standing,
    step,
    surface_of,
    voices,
)
from tests.laws.game import Game, game_of
from tests.laws.walk import Table, walk

SPOKEN = list(voices())
HIDING = [(key, voice) for key, voice in SPOKEN if game_of(key).disguise is not None]


def name(value: object) -> str:
    return value if isinstance(value, str) else type(value).__name__


of_hiding = pytest.mark.parametrize(("key", "voice"), HIDING, ids=name)
of_all = pytest.mark.parametrize(("key", "voice"), SPOKEN, ids=name)
walks = pytest.mark.parametrize("seed", range(6))
few_walks = pytest.mark.parametrize("seed", range(2))


class Tried(msgspec.Struct, frozen=True):
    """An action in some state of a game, and what it led to there and in its disguise."""

    entry: JournalRow
    seats: Seats
    states: tuple[Any, Any]
    steps: tuple[Step[Any], Step[Any]]


def disguised(game: Game, state: Any, seats: Seats, random: Random) -> Any:
    assert game.disguise is not None
    return game.disguise(state, seats[0] if seats else None, random)


def act_entry(table: Table, mover: Seat, action: Any) -> JournalRow:
    return JournalRow(
        match_id="m",
        version=table.number + 1,
        at=table.now,
        kind="act",
        seat=mover,
        action=msgspec.json.encode(action),
    )


def move(table: Table, random: Random) -> tuple[Seat, Any] | None:
    movers = [seat for seat in SEATS if table.legal(seat)]
    if not movers or table.over:
        return None
    mover = random.choice(movers)
    return mover, random.choice(table.legal(mover))


def tried(rules: AnyRules, game: Game, seed: int) -> Iterator[Tried]:
    """The same action on two states that look alike, wherever they look alike afterwards too."""
    for table, random in walk(rules, game, seed):
        chosen = move(table, random)
        if chosen is None:
            continue
        mover, action = chosen
        for seats in VIEWERS:
            viewer = seats[0] if seats else None
            states = (table.state, disguised(game, table.state, seats, random))
            try:
                first, second = (rules.act(each, mover, action, table.env()) for each in states)
            except Refused:
                continue
            seen = [msgspec.json.encode(rules.view(each.state, viewer)) for each in (first, second)]
            if seen[0] == seen[1]:
                yield Tried(act_entry(table, mover, action), seats, states, (first, second))


def update_of(rules: AnyRules, before: Any, after: Step[Any], entry: JournalRow) -> Update:
    matches = (match_of(rules, before, entry.version - 1), match_of(rules, after.state, 1))
    return Update(*matches, entry, after.events)


# --- hidden things ----------------------------------------------------------------------------


@walks
@of_hiding
def test_a_table_tells_nothing_that_its_viewer_cannot_see(
    key: str, voice: Voice[Any], seed: int
) -> None:
    rules, game, changed = all_rules()[key], game_of(key), 0
    for table, random in walk(rules, game, seed):
        for seats in VIEWERS:
            other = disguised(game, table.state, seats, random)
            changed += other != table.state
            told, told_of_other = (
                standing(voice, rules, match_of(rules, state, table.number), seats)
                for state in (table.state, other)
            )
            assert told == told_of_other != []
    assert changed


@walks
@of_hiding
def test_a_step_tells_nothing_that_its_viewer_cannot_see(
    key: str, voice: Voice[Any], seed: int
) -> None:
    rules, compared = all_rules()[key], 0
    for each in tried(rules, game_of(key), seed):
        told, told_of_other = (
            step(voice, rules, update_of(rules, before, after, each.entry), each.seats)
            for before, after in zip(each.states, each.steps, strict=True)
        )
        assert told == told_of_other != []
        compared += 1
    assert compared


@walks
@pytest.mark.parametrize("key", sorted({key for key, _ in HIDING}))
def test_a_refusal_tells_nothing_that_its_viewer_cannot_see(key: str, seed: int) -> None:
    rules, game, refused = all_rules()[key], game_of(key), 0

    def answer(state: Any, seat: Seat, action: Any, table: Table) -> object:
        try:
            rules.act(state, seat, action, table.env())
        except Refused as refusal:
            return failure_of(refusal)
        return None

    for table, random in walk(rules, game, seed):
        for seat in SEATS:
            other = disguised(game, table.state, (seat,), random)
            action = game.wild(random)
            said = answer(table.state, seat, action, table)
            assert answer(other, seat, action, table) == said
            refused += said is not None
    assert refused


# --- nothing but views ------------------------------------------------------------------------


class Sealed:
    """A state that nobody can read but the rules."""

    def __init__(self, state: Any) -> None:
        self._state = state

    @classmethod
    def opened(cls, part: Any) -> Any:
        return part._state if isinstance(part, cls) else part


class SealedRules:
    """Rules that take sealed states; a surface gets out of one what the rules let it see."""

    def __init__(self, rules: AnyRules) -> None:
        self._rules = rules

    def __getattr__(self, attribute: str) -> Any:
        value = getattr(self._rules, attribute)
        if not callable(value):
            return value

        def unsealed(*parts: Any) -> Any:
            return value(*map(Sealed.opened, parts))

        return unsealed


@few_walks
@of_all
def test_what_is_told_is_made_of_views(key: str, voice: Voice[Any], seed: int) -> None:
    rules: Any = all_rules()[key]
    sealed: Any = SealedRules(rules)
    for table, random in walk(rules, game_of(key), seed):
        chosen = move(table, random)
        entry = after = None
        if chosen is not None:
            entry = act_entry(table, *chosen)
            after = rules.act(table.state, *chosen, table.env((table.now, table.now)))
        for seats in VIEWERS:
            open_match = match_of(rules, table.state, table.number)
            match = match_of(sealed, Sealed(table.state), table.number)
            told = standing(voice, sealed, match, seats)
            assert told == standing(voice, rules, open_match, seats)
            if entry is not None and after is not None:
                hidden = Step(Sealed(after.state), after.events)
                told += step(
                    voice, sealed, update_of(sealed, Sealed(table.state), hidden, entry), seats
                )
            _holds_no_secrets(told, seats)


def _holds_no_secrets(told: list[bytes], seats: Seats) -> None:
    everything = b"".join(told)
    assert SEED not in everything
    for seat in SEATS:
        assert seat in seats or SECRETS[seat].encode() not in everything


# --- that these tests would notice ------------------------------------------------------------


class Gossip(Voice[Any]):
    """Tells what it should not be able to know."""

    def step(self, step: StepSeen[Any]) -> Iterator[bytes]:
        yield from self.arrived(step.after)

    def presence(self, sight: Sight[Any], before: tuple[bool, bool]) -> Iterator[bytes]:
        del before
        yield from self.arrived(sight)

    def next_game(self, sight: Sight[Any], following: Facts) -> Iterator[bytes]:
        del following
        yield from self.arrived(sight)

    def arrived(self, sight: Sight[Any]) -> Iterator[bytes]:
        state: Any = sight.match.state  # type: ignore[attr-defined]  # the leak that is looked for
        yield msgspec.json.encode(state)


def test_a_voice_that_tells_of_states_is_found_out() -> None:
    key = HIDING[0][0]
    with pytest.raises(AssertionError):
        test_a_table_tells_nothing_that_its_viewer_cannot_see(key, Gossip(), 0)
    with pytest.raises(AssertionError):
        test_a_step_tells_nothing_that_its_viewer_cannot_see(key, Gossip(), 0)
    with pytest.raises(TypeError):
        test_what_is_told_is_made_of_views(key, Gossip(), 0)


def test_every_surface_says_by_what_voices_it_speaks() -> None:
    surfaces = {key: surface_of(key) for key in all_rules()}
    without = {key for key, wire in surfaces.items() if wire and not hasattr(wire, "voices")}
    assert without == UNTOLD, "who says so now is to be struck from the list"
