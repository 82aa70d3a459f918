"""Memory over random games: what always holds on the table, and what never leaves it."""

from __future__ import annotations

from collections import Counter

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from parlour.games.api import Dice, Env, Outcome, Refused
from parlour.games.memory.board import Card, Options, State
from parlour.games.memory.powerups import POWER_UPS
from parlour.games.memory.rules import RULES, Action, Flip, Leave, PairFound, UsePowerUp
from tests.rules.pairs import NOBODY_AWAY, Taken, random_game

seeds = st.integers(0, 2**32)
tables = st.builds(
    lambda size, limit, revives: Options(
        rows=size[0], cols=size[1], turn_limit_ms=limit, necromancy_revives_itself=revives
    ),
    st.sampled_from([(2, 2), (2, 3), (3, 4), (4, 4)]),
    st.sampled_from([0, 3_000, 60_000]),
    st.booleans(),
)


@st.composite
def moments(draw: st.DrawFn) -> Taken:
    """One step of a random game with comings and goings."""
    return draw(st.sampled_from(list(random_game(draw(seeds), draw(tables), wander=5))))


def every_action(size: int) -> list[Action]:
    """All that could be asked for on and around a board, but for leaving."""
    places = range(-1, size + 1)
    ids = [*(power_up.id for power_up in POWER_UPS), "shuffle"]
    uses = [UsePowerUp(power_up_id, at) for power_up_id in ids for at in (None, *places)]
    return [*(Flip(at) for at in places), *uses]


@pytest.mark.spec("B16", "B20", "B30", "B42")
@settings(max_examples=150, deadline=None)
@given(moments())
def test_what_is_listed_is_accepted_and_all_else_refused_unchanged(moment: Taken) -> None:
    for state in (moment.state, moment.step.state):
        before = msgspec.json.encode(state)
        for seat in (0, 1):
            legal = set(RULES.legal(RULES.view(state, seat)))
            for action in every_action(len(state.cards)):
                try:
                    RULES.act(state, seat, action, Env(moment.env.now, Dice(b"try", 1)))
                except Refused:
                    assert action not in legal
                else:
                    assert action in legal
        assert msgspec.json.encode(state) == before


@pytest.mark.spec("B52")
@settings(max_examples=150, deadline=None)
@given(moments(), seeds)
def test_what_hidden_cards_show_changes_nothing_anybody_sees(moment: Taken, seed: int) -> None:
    state = moment.step.state
    hidden = [index for index, card in enumerate(state.cards) if card.state == "hidden"]
    other_pairs = [state.cards[index].pair_id for index in hidden]
    Dice(b"other deck", seed).shuffle(other_pairs)
    cards = list(state.cards)
    for index, pair_id in zip(hidden, other_pairs, strict=True):
        cards[index] = Card(pair_id)
    twin = replace(state, cards=tuple(cards))
    for seat in (0, 1, None):
        view, other_view = RULES.view(state, seat), RULES.view(twin, seat)
        assert msgspec.json.encode(view) == msgspec.json.encode(other_view)
        assert RULES.legal(view) == RULES.legal(other_view)


def check_table(state: State) -> None:
    """What is true of every table."""
    pairs = Counter(card.pair_id for card in state.cards)
    assert pairs == dict.fromkeys(range(len(state.cards) // 2), 2)
    revealed = {index for index, card in enumerate(state.cards) if card.state == "revealed"}
    matched = Counter(card.pair_id for card in state.cards if card.state == "matched")
    assert set(matched.values()) <= {2}
    assert all((card.matched_by is not None) == (card.state == "matched") for card in state.cards)
    assert len(state.flipped) == {"first_flip": 0, "second_flip": 1, "resolve": 2}[state.phase]
    assert list(state.known) == sorted(set(state.known))
    if state.ended is not None:
        return
    shown = [index for glimpse in state.glimpses for index in glimpse.indices]
    assert revealed == {*state.flipped, *shown}
    assert len(shown) == len(set(shown))
    assert revealed <= set(state.known)
    assert (state.reveal_until is not None) == (state.phase == "resolve")
    running = state.options.turn_limit_ms > 0 and state.phase != "resolve"
    everybody = state.away_until == NOBODY_AWAY
    assert (state.turn_ends_at is not None) == (running and everybody)
    assert (state.turn_left_ms is not None) == (running and not everybody)


@pytest.mark.spec("B4", "B12", "B18", "B19", "B21", "B24", "B25", "B26")
@settings(max_examples=200, deadline=None)
@given(seeds, tables, st.sampled_from([0, 4]))
def test_games_keep_their_books_and_end(seed: int, options: Options, wander: int) -> None:
    points: Counter[int] = Counter()
    hands: Counter[tuple[int, str]] = Counter()
    steps = 0
    state = RULES.setup(options, Env(0, Dice(b"deck", seed)))
    check_table(state)
    for before, seat, action, _, step in random_game(seed, options, wander=wander):
        steps += 1
        state = step.state
        check_table(state)
        assert seat is not None or action == "expire"
        if isinstance(action, UsePowerUp) and seat is not None:
            hands[seat, action.power_up_id] -= 1
        for event in step.events:
            if isinstance(event, PairFound):
                points[event.seat] += 1
                if event.power_up_id is not None:
                    hands[event.seat, event.power_up_id] += 1
        assert state.scores == (points[0], points[1])
        for each in (0, 1):
            held = {held.power_up_id: held.count for held in state.hands[each]}
            assert held == {item: n for (who, item), n in hands.items() if who == each and n}
        if state.turn != before.turn:
            assert action == "expire"
    outcome = RULES.outcome(state)
    assert outcome is not None
    assert RULES.deadline(state) is None
    assert steps <= RULES.longest
    if outcome.reason == "completed":
        assert {card.state for card in state.cards} == {"matched"}
        ahead = points[0] - points[1]
        winner = None if ahead == 0 else 0 if ahead > 0 else 1
        assert outcome == Outcome(winner, "completed", scores=(points[0], points[1]))


@settings(max_examples=150, deadline=None)
@given(moments())
def test_a_stored_game_plays_on_the_same(moment: Taken) -> None:
    state, seat, action, env, step = moment
    stored = msgspec.json.decode(msgspec.json.encode(state), type=State)
    assert stored == state
    if seat is not None and not isinstance(action, str) and not isinstance(action, Leave):
        chance = Dice(b"again", 1), Dice(b"again", 1)
        one = RULES.act(state, seat, action, Env(env.now, chance[0]))
        two = RULES.act(stored, seat, action, Env(env.now, chance[1]))
        assert msgspec.json.encode(one) == msgspec.json.encode(two)
    assert msgspec.json.decode(msgspec.json.encode(step.state), type=State) == step.state
