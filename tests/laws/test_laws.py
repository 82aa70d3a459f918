"""Laws that hold in every registered game, whatever is played."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import pytest

from parlour.games.api import SEATS, Env, Refused, Step
from parlour.games.registry import AnyRules, all_rules
from tests.laws.game import Game, game_of
from tests.laws.walk import Entry, Table, acting, attempt, hurry, walk, wander

SEEDS = range(20)
RESUMED = 3
"""In so many games every position is resumed."""
TRIED = 12
"""How many actions are tried in every state."""

pytestmark = [
    pytest.mark.parametrize("key", all_rules()),
    pytest.mark.parametrize("seed", SEEDS),
]

encode = msgspec.json.encode


def told(key: str) -> tuple[AnyRules, Game]:
    return all_rules()[key], game_of(key)


def everyone_here(table: Table) -> Env:
    return table.env((table.now, table.now))


def some(items: tuple[Any, ...], random: Random) -> list[Any]:
    return random.sample(items, min(TRIED, len(items)))


def test_what_is_legal_is_accepted(key: str, seed: int) -> None:
    rules, game = told(key)
    for table, random in walk(rules, game, seed):
        assert table.legal(None) == ()
        before = encode(table.state)
        for seat in SEATS:
            for action in some(table.legal(seat), random):
                step = rules.act(table.state, seat, action, everyone_here(table))
                assert encode(step.state) != before
        assert encode(table.state) == before


def test_only_who_plays_may_claim_and_only_while_it_is_played(key: str, seed: int) -> None:
    rules, game = told(key)
    for table, _ in walk(rules, game, seed):
        for seen in ((None, None), (table.now, None), (None, table.now - 10**6), (0, 0)):
            assert rules.claims(rules.view(table.state, None), seen) == ()
            for seat in SEATS:
                view = rules.view(table.state, seat)
                claims = rules.claims(view, seen)
                assert not (claims and table.over)
                assert all(isinstance(claim.action, rules.action_type) for claim in claims)
                # What may be claimed is told by the view, whatever else the state holds.
                assert rules.claims(msgspec.convert(view, rules.view_type), seen) == claims


def test_all_else_is_refused_and_changes_nothing(key: str, seed: int) -> None:
    rules, game = told(key)
    for table, random in walk(rules, game, seed):
        before = encode(table.state)
        for seat in SEATS:
            legal = table.legal(seat)
            for _ in range(TRIED):
                action = game.wild(random)
                if action in legal or game.undecided(action):
                    continue
                with pytest.raises(Refused) as refused:
                    rules.act(table.state, seat, action, everyone_here(table))
                assert refused.value.code
        assert encode(table.state) == before


def test_a_journal_replays_to_the_same_bytes(key: str, seed: int) -> None:
    rules, game = told(key)
    random = Random(seed)
    options, secret = game.options[seed % len(game.options)], b"the match's secret"
    table = Table(rules, options, secret)
    journal: list[tuple[Entry, msgspec.Raw]] = []
    for entry in wander(table, game, random):
        step = attempt(table, entry)
        if isinstance(step, Step):
            journal.append((entry, msgspec.Raw(encode(step))))
    again = Table(rules, msgspec.json.decode(encode(options), type=type(options)), secret)
    for entry, stored in msgspec.json.decode(encode(journal), type=list[tuple[Entry, msgspec.Raw]]):
        # A process that takes over in mid-game knows the state only from its bytes.
        again.state = msgspec.json.decode(encode(again.state), type=rules.state_type)
        assert encode(again.take(entry)) == bytes(stored)
    assert encode(again.state) == encode(table.state)


def test_states_and_actions_survive_being_stored(key: str, seed: int) -> None:
    rules, game = told(key)
    for table, random in walk(rules, game, seed):
        stored = encode(table.state)
        loaded = msgspec.json.decode(stored, type=rules.state_type)
        assert loaded == table.state
        assert encode(loaded) == stored
        assert rules.deadline(loaded) == rules.deadline(table.state)
        assert rules.outcome(loaded) == rules.outcome(table.state)
        for action in (*some(table.legal(random.choice(SEATS)), random), game.wild(random)):
            assert msgspec.json.decode(encode(action), type=rules.action_type) == action


def test_what_a_seat_cannot_see_changes_nothing_it_receives(key: str, seed: int) -> None:
    rules, game = told(key)
    changed = 0
    for table, random in walk(rules, game, seed):
        for viewer in (*SEATS, None):
            view = rules.view(table.state, viewer)
            assert encode(rules.view(table.state, viewer)) == encode(view)
            if game.disguise is None:
                continue
            disguised = game.disguise(table.state, viewer, random)
            changed += disguised != table.state
            like = rules.view(disguised, viewer)
            assert encode(like) == encode(view)
            assert tuple(rules.legal(like)) == tuple(rules.legal(view))
    assert changed or game.disguise is None


def test_nothing_is_due_before_the_rules_foresaw_it(key: str, seed: int) -> None:
    rules, game = told(key)
    before: Any = None
    for table, random in walk(rules, game, seed):
        due, now = rules.deadline(table.state), table.now
        foreseen = rules.horizon(table.state, now)
        assert (foreseen is None) == (due is None)
        if before is not None and due is not None and foreseen is not None:
            earlier = rules.horizon(before, now)
            assert earlier is None or foreseen >= min(earlier, due)
        if due is not None and foreseen is not None:
            later = rules.horizon(table.state, now + random.choice((1, 5_000, 10**6)))
            assert later is not None
            assert foreseen <= later <= due
        before = table.state


def test_random_games_end_in_time(key: str, seed: int) -> None:
    rules, game = told(key)
    for more in range(5):
        options = game.options[(seed + more) % len(game.options)]
        table = Table(rules, options, bytes([seed, more]))
        for number, entry in enumerate(hurry(table, Random(5 * seed + more)), start=1):
            table.take(entry)
            assert number <= rules.longest


def test_the_end_is_the_end(key: str, seed: int) -> None:
    rules, game = told(key)
    random = Random(seed)
    table = Table(rules, game.options[seed % len(game.options)], bytes([seed]))
    for entry in hurry(table, random):
        table.take(entry)
    outcome, state = rules.outcome(table.state), table.state
    assert outcome is not None
    assert rules.deadline(state) is None
    for seat in SEATS:
        assert table.legal(seat) == ()
        for here in (False, True):
            assert rules.presence(state, seat, here, everyone_here(table)).state is state
        for _ in range(TRIED):
            entry = acting(seat, game.wild(random), table.now + 100_000_000)
            assert isinstance(attempt(table, entry), Refused)
            assert table.state is state
    assert rules.outcome(table.state) == outcome


def test_a_position_is_resumed_as_it_was_with_all_its_time(key: str, seed: int) -> None:
    rules, game = told(key)
    if seed >= RESUMED:
        return
    if rules.hidden:
        assert game.disguise is not None, "what hides nothing can be gone back to"
        return
    assert game.disguise is None
    for table, _ in walk(rules, game, seed):
        if table.over:
            continue
        options = game.options[seed % len(game.options)]
        later = Env(table.now + 10**12, table.env().dice)
        resumed = rules.resume(table.state, options, later)
        assert rules.turn(resumed) == rules.turn(table.state)
        assert rules.outcome(resumed) is None
        due = rules.deadline(resumed)
        assert due is None or due > later.now
        for seat in SEATS:
            before, after = (rules.view(each, seat) for each in (table.state, resumed))
            assert tuple(rules.legal(after)) == tuple(rules.legal(before))
        # It is the same whatever time it is resumed from, and read again as it was written.
        assert encode(rules.resume(resumed, options, later)) == encode(resumed)
        assert encode(rules.load(encode(resumed)).state) == encode(resumed)
