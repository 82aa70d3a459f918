"""Memory's opponents: who they are, what they remember, and how well they play."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import msgspec
import pytest
from msgspec.structs import replace

from parlour.games.api import Dice, Env, Seat
from parlour.games.memory.board import Card, Held, Options, State, View
from parlour.games.memory.bot import BOTS, STAND_INS, MemoryBot, Profile, bots
from parlour.games.memory.powerups import POWER_UPS
from parlour.games.memory.powerups.api import PowerUp, Use
from parlour.games.memory.recall import Mind
from parlour.games.memory.rules import RULES, Action, Flip, Memory, UsePowerUp
from tests.rules.pairs import ORDERLY, expired, flips, holding, laid, use


def profile(use_known_pair: int = 100, forget: int = 0) -> Profile:
    return Profile(
        name="Test",
        delay_min_ms=10,
        delay_max_ms=20,
        use_known_pair_chance=use_known_pair,
        forget_chance=forget,
    )


PERFECT = MemoryBot(profile())


def minded(bot: MemoryBot, seat: Seat, states: Sequence[State]) -> Mind:
    """What a bot remembers after having seen these."""
    mind = bot.begin()
    for number, state in enumerate(states):
        mind = bot.observe(mind, RULES.view(state, seat), Dice(b"mind", number))
    return mind


def chosen(bot: MemoryBot, seat: Seat, states: Sequence[State], roll: int = 0) -> Action:
    """What it does after having seen these."""
    view = RULES.view(states[-1], seat)
    legal = RULES.legal(view)
    action = bot.choose(minded(bot, seat, states), view, legal, Dice(b"choose", roll), lambda: 1.0)
    assert action in legal
    return action


# --- who they are -----------------------------------------------------------------------------


@pytest.mark.spec("B85")
def test_the_opponents_are_the_documents() -> None:
    def told(name: str) -> tuple[int, ...]:
        each = BOTS[name].profile
        return (
            each.delay_min_ms,
            each.delay_max_ms,
            each.use_known_pair_chance,
            each.forget_chance,
        )

    assert set(STAND_INS) == {"Mnemosyne", "Calliope", "Thalia"}
    assert all(bot.name == name for name, bot in BOTS.items())
    assert told("Mnemosyne") == (1000, 2500, 90, 1)
    assert told("Calliope") == (500, 1100, 87, 15)
    assert told("Thalia") == (500, 2000, 85, 30)


def test_the_levels_go_from_weak_to_strong() -> None:
    assert list(BOTS) == ["Lethe", "Hypnos", "Thalia", "Calliope", "Mnemosyne", "Athena"]
    assert len({bot.persona.character for bot in BOTS.values()}) == len(BOTS)


ERATO = """
[[profile]]
name = "Erato"
delay_min_ms = 300
delay_max_ms = 400
use_known_pair_chance = 50
forget_chance = 50
"""


@pytest.mark.spec("B85")
def test_an_opponent_is_added_in_a_file() -> None:
    erato = bots(ERATO.encode())["Erato"]
    view = RULES.view(laid(), 0)
    assert {erato.delay(view, Dice(b"d", n)) for n in range(2_000)} == set(range(300, 401))


@pytest.mark.parametrize(
    ("told", "wrong"),
    [
        ("forget_chance = 50", "forget_chance = 101"),
        ("forget_chance = 50", "forget_chance = -1"),
        ("forget_chance = 50", "forget_chance = 0.5"),
        ("delay_min_ms = 300", "delay_min_ms = 401"),
        ('name = "Erato"', 'name = ""'),
        ('name = "Erato"', 'name = "Erato"\nmood = 3'),
    ],
)
def test_a_profile_that_makes_no_sense_is_refused(told: str, wrong: str) -> None:
    with pytest.raises(msgspec.ValidationError):
        bots(ERATO.replace(told, wrong).encode())


@pytest.mark.spec("B85")
def test_a_delay_is_within_its_bounds_and_waits_for_shown_cards() -> None:
    thalia = BOTS["Thalia"]
    for state, wait in ((laid(), 0), (use(holding("clairvoyance"), "clairvoyance", 0), 2_000)):
        view = RULES.view(state, 0)
        delays = [thalia.delay(view, Dice(b"delay", n)) for n in range(300)]
        assert wait + 500 <= min(delays) < max(delays) <= wait + 2_000
    view = RULES.view(flips(laid(), 3), 0)
    assert thalia.delay(view, Dice(b"delay", 1)) <= 2_000


@pytest.mark.parametrize("name", BOTS)
def test_while_all_that_is_left_lies_open_a_power_up_is_used(name: str) -> None:
    bot, view = BOTS[name], RULES.view(holding("clairvoyance"), 0)
    legal = tuple(each for each in RULES.legal(view) if isinstance(each, UsePowerUp))
    mind = bot.observe(bot.begin(), view, Dice(b"eye", 1))
    for number in range(20):
        assert bot.at_once(mind, view, legal, Dice(b"mind", number)) in legal


def test_nothing_is_chosen_from_nothing() -> None:
    with pytest.raises(ValueError, match="nothing to choose from"):
        Dice(b"seed", 1).choice([])


# --- what they remember -----------------------------------------------------------------------


def two_misses() -> list[State]:
    """Seat 0 opened 0 and 2, seat 1 opened 1 and 4; seat 0 is to move and could know 0 and 1."""
    states = [laid()]
    for index in (0, 2):
        states.append(flips(states[-1], index))
    states.append(expired(states[-1]).state)
    for index in (1, 4):
        states.append(flips(states[-1], index))
    states.append(expired(states[-1]).state)
    return states


@pytest.mark.spec("B84")
def test_what_was_open_is_remembered_whoever_opened_it() -> None:
    for seat in (0, 1):
        mind = minded(PERFECT, seat, two_misses())
        seen = {index: pair_id for index, pair_id in enumerate(mind.seen) if pair_id is not None}
        assert seen == {0: 0, 1: 0, 2: 1, 4: 2}


@pytest.mark.spec("B84", "B85")
def test_a_known_pair_is_taken() -> None:
    states = two_misses()
    for roll in range(20):
        first = chosen(PERFECT, 0, states, roll)
        assert isinstance(first, Flip)
        assert first.index in (0, 1)
        second = chosen(PERFECT, 0, [*states, flips(states[-1], first.index)], roll)
        assert second == Flip(1 - first.index)


@pytest.mark.spec("B85")
def test_the_partner_of_an_unknown_card_is_remembered_as_often_as_the_profile_says() -> None:
    states = two_misses()
    states.append(flips(states[-1], 3))
    for percent in (0, 70, 100):
        bot = MemoryBot(profile(use_known_pair=percent))
        hits = sum(chosen(bot, 0, states, roll) == Flip(2) for roll in range(500))
        assert abs(hits - 5 * percent) < 50


@pytest.mark.spec("B85")
def test_a_pair_it_came_for_is_not_lost_between_the_flips() -> None:
    states = two_misses()
    bot = MemoryBot(profile(use_known_pair=50))
    # The same view twice, as when somebody comes or goes, is no second thought.
    states += [flips(states[-1], 0)] * 2
    assert {chosen(bot, 0, states, roll) for roll in range(50)} == {Flip(1)}


@pytest.mark.spec("B85")
def test_with_every_turn_cards_are_forgotten_as_often_as_the_profile_says() -> None:
    states = two_misses()
    for percent in (0, 30, 100):
        bot = MemoryBot(profile(forget=percent))
        left = 0
        for number in range(300):
            mind = minded(PERFECT, 0, states[:-1])
            mind = bot.observe(mind, RULES.view(states[-1], 0), Dice(b"forget", number))
            left += sum(pair_id is not None for pair_id in mind.seen)
        assert abs(left / 1_200 - (1 - percent / 100)) < 0.05


def test_nothing_is_forgotten_within_a_turn() -> None:
    bot = MemoryBot(profile(forget=100))
    state = use(holding("clairvoyance"), "clairvoyance", 5)
    mind = minded(bot, 0, [holding("clairvoyance"), state, expired(state).state])
    assert sum(pair_id is not None for pair_id in mind.seen) == 9


def test_chaos_leaves_nothing_to_remember() -> None:
    states = two_misses()
    states.append(use(holding("chaos", state=states[-1]), "chaos"))
    assert set(minded(PERFECT, 0, states).seen) == {None}


def test_cards_that_necromancy_brought_back_are_not_remembered() -> None:
    states = [laid()]
    for index in (4, 5, 8, 9):
        states.append(flips(states[-1], index))
    states.append(use(states[-1], "necromancy"))
    assert set(minded(PERFECT, 1, states).seen) == {None}


def test_unveiled_cards_are_tried_first() -> None:
    states = two_misses()
    state = replace(states[-1], hands=((Held("unveiling", 1),), ()))
    states[-1] = use(state, "unveiling")
    bot = MemoryBot(profile(use_known_pair=0, forget=100))
    tried = {chosen(bot, 0, states, roll) for roll in range(200)}
    assert tried == {Flip(index) for index in range(16) if index not in (0, 1, 2, 4)}


def test_who_misplaces_cards_reaches_for_a_neighbour() -> None:
    bot = MemoryBot(replace(profile(), misplace_chance=30))
    states = two_misses()
    states.append(flips(states[-1], 0))
    found = Counter(chosen(bot, 0, states, roll) for roll in range(300))
    assert set(found) == {Flip(1), Flip(2), Flip(4), Flip(5), Flip(6)}
    assert 180 < found[Flip(1)] < 240


# --- the best play ----------------------------------------------------------------------------

ATHENA = BOTS["Athena"]


def seen_singly(pairs: int, singles: int) -> list[State]:
    """So many pairs are left, of which so many have one card that was open; seat 0 is to move.

    Pair n lies at 2n and 2n + 1; the pairs that were matched are the last ones.
    """
    state = laid()
    cards = [
        Card(index // 2) if index < 2 * pairs else Card(index // 2, "matched", 0)
        for index in range(16)
    ]
    state = replace(state, cards=tuple(cards))
    opened = [
        Card(index // 2, "revealed") if index % 2 == 0 and index < 2 * singles else card
        for index, card in enumerate(cards)
    ]
    return [replace(state, cards=tuple(opened)), state]


@pytest.mark.parametrize(
    ("pairs", "singles", "opens_second"),
    [(8, 0, True), (8, 1, True), (8, 2, False), (7, 1, False), (6, 1, False), (7, 2, True)],
)
def test_a_second_card_shows_something_new_only_where_that_is_best(
    pairs: int, singles: int, opens_second: bool
) -> None:
    states = seen_singly(pairs, singles)
    first = {chosen(ATHENA, 0, states, roll) for roll in range(300)}
    unknown = set(range(2 * pairs)) - {2 * pair for pair in range(singles)}
    assert first == {Flip(index) for index in unknown}
    # The first card is one of a pair of which nothing was seen.
    states.append(flips(states[-1], 2 * pairs - 1))
    second = {chosen(ATHENA, 0, states, roll) for roll in range(300)}
    known = {Flip(2 * pair) for pair in range(singles)}
    assert second == (
        {Flip(index) for index in unknown - {2 * pairs - 1}} if opens_second else known
    )


def test_who_would_open_for_the_opponent_waits_but_never_twice_in_a_row() -> None:
    states = seen_singly(5, 4)
    known = {Flip(0), Flip(2), Flip(4), Flip(6)}
    assert {chosen(ATHENA, 0, states, roll) for roll in range(40)} == known
    states.append(flips(states[-1], 2))
    assert {chosen(ATHENA, 0, states, roll) for roll in range(40)} == known - {Flip(2)}
    states.append(flips(states[-1], 4))
    states.append(expired(states[-1]).state)
    # The opponent waits, too.
    for index in (0, 6):
        states.append(flips(states[-1], index))
    states.append(expired(states[-1]).state)
    again = {chosen(ATHENA, 0, states, roll) for roll in range(40)}
    assert again == {Flip(index) for index in (1, 3, 5, 7, 8, 9)}


def test_two_who_play_best_come_to_an_end() -> None:
    for seed in range(12):
        _, done = duel((ATHENA, ATHENA), seed)
        assert len(done) < 300


def test_necromancy_is_kept_while_ahead_and_used_when_all_is_lost() -> None:
    last = seen_singly(1, 0)[-1]
    state = holding("necromancy", state=last)
    act = UsePowerUp("necromancy")
    assert chosen(ATHENA, 0, [replace(state, scores=(5, 2))]) != act
    assert chosen(ATHENA, 0, [replace(state, scores=(2, 5))]) == act


def test_clairvoyance_is_used_where_most_is_unknown_and_unveiling_never() -> None:
    state = holding("clairvoyance", "unveiling")
    uses = {chosen(ATHENA, 0, [state], roll) for roll in range(60)}
    assert uses == {UsePowerUp("clairvoyance", index) for index in (5, 6, 9, 10)}


def test_chaos_undoes_what_would_be_bad_to_go_on_with() -> None:
    # Two pairs of which nothing was seen are bad for who must begin: chaos would not help.
    assert chosen(ATHENA, 0, [holding("chaos", state=seen_singly(2, 0)[-1])]) != UsePowerUp("chaos")
    # Nor is knowledge given up that wins.
    states = seen_singly(3, 3)
    states[-1] = holding("chaos", state=states[-1])
    assert chosen(ATHENA, 0, states) != UsePowerUp("chaos")
    # But who leads, and would have to open for the other, rather has nobody know anything.
    states = seen_singly(8, 7)
    states[-1] = replace(holding("chaos", state=states[-1]), scores=(4, 0))
    assert chosen(ATHENA, 0, states) == UsePowerUp("chaos")


# --- power-ups --------------------------------------------------------------------------------


def test_necromancy_is_for_those_who_are_behind() -> None:
    state = holding("necromancy", state=flips(laid(), 8, 9))
    wins = replace(state, scores=(5, 1))
    loses = replace(state, scores=(1, 5))
    act = UsePowerUp("necromancy")
    assert act not in {chosen(PERFECT, 0, [wins], roll) for roll in range(50)}
    assert act in {chosen(PERFECT, 0, [loses], roll) for roll in range(50)}


def test_clairvoyance_is_aimed_where_most_is_unknown() -> None:
    state = holding("clairvoyance")
    uses = {
        action.card_index
        for roll in range(100)
        if isinstance(action := chosen(PERFECT, 0, [state], roll), UsePowerUp)
    }
    assert uses == {5, 6, 9, 10}


class Windfall(PowerUp):
    """Not in the game: a power-up that says nothing of when to use it."""

    id = "windfall"
    name = "Windfall"
    description = "One point."

    def effect(self, state: State, use: Use) -> State:
        """A point for the user."""
        points = [*state.scores]
        points[use.seat] += 1
        return replace(state, scores=(points[0], points[1]))


@pytest.mark.spec("B27", "B76")
def test_a_bot_uses_a_power_up_it_was_never_told_of() -> None:
    power_ups = (*POWER_UPS, Windfall())
    rules = Memory(power_ups)
    bot = MemoryBot(profile(), power_ups)
    view = rules.view(holding("windfall"), 0)
    legal = rules.legal(view)
    mind = bot.observe(bot.begin(), view, Dice(b"mind", 1))
    used = [
        bot.choose(mind, view, legal, Dice(b"choose", roll), lambda: 1.0) == UsePowerUp("windfall")
        for roll in range(200)
    ]
    assert 20 < sum(used) < 80


# --- whole games ------------------------------------------------------------------------------


def duel(players: tuple[MemoryBot, MemoryBot], seed: int) -> tuple[Seat | None, list[Action]]:
    """A game between two bots with all their delays: who won, and all they did."""
    state = RULES.setup(Options(), Env(0, Dice(b"deck", seed)))
    minds = [bot.begin() for bot in players]
    now, number = 0, 0
    done: list[Action] = []
    while True:
        for seat, bot in enumerate(players):
            view = RULES.view(state, seat)
            minds[seat] = bot.observe(minds[seat], view, Dice(b"observe%d" % seat, number))
        outcome, deadline = RULES.outcome(state), RULES.deadline(state)
        if outcome is not None:
            return outcome.winner, done
        assert deadline is not None
        number += 1
        chance = Dice(b"%d" % seed, number, b"effects")
        seat, bot = state.turn, players[state.turn]
        view = RULES.view(state, seat)
        legal = RULES.legal(view)
        due = now + bot.delay(view, Dice(b"%d" % seed, number, b"delay"))
        if not legal or deadline <= due:
            now = deadline
            state = RULES.expire(state, Env(now, chance)).state
            continue
        now = due
        dice = Dice(b"%d" % seed, number, b"choose")
        action = bot.choose(minds[seat], view, legal, dice, lambda: 1.0)
        assert action in legal
        done.append(action)
        state = RULES.act(state, seat, action, Env(now, chance)).state


@pytest.mark.spec("B84", "B85")
@pytest.mark.parametrize(("better", "worse"), [("Mnemosyne", "Thalia"), ("Calliope", "Thalia")])
def test_the_better_memory_wins_more_often(better: str, worse: str) -> None:
    players = (BOTS[better], BOTS[worse])
    wins: Counter[str | None] = Counter()
    used: Counter[str] = Counter()
    for seed in range(100):
        pair = players if seed % 2 else (players[1], players[0])
        winner, done = duel(pair, seed)
        wins[None if winner is None else pair[winner].name] += 1
        used.update(action.power_up_id for action in done if isinstance(action, UsePowerUp))
    assert wins[better] > wins[worse] + 20
    assert set(used) == {power_up.id for power_up in POWER_UPS}


@pytest.mark.parametrize(("better", "worse"), [("Athena", "Calliope"), ("Thalia", "Lethe")])
def test_the_strongest_and_the_weakest_are_so(better: str, worse: str) -> None:
    wins: Counter[str | None] = Counter()
    for seed in range(30):
        pair = (BOTS[better], BOTS[worse]) if seed % 2 else (BOTS[worse], BOTS[better])
        winner, _ = duel(pair, seed)
        wins[None if winner is None else pair[winner].name] += 1
    assert wins[better] > wins[worse] + 6


@pytest.mark.spec("B84")
def test_a_bot_does_the_same_whatever_hidden_cards_show() -> None:
    """Two games that look alike so far: nothing a bot does can tell them apart."""

    def shown(deck: str) -> list[View]:
        state = laid(deck)
        views = [RULES.view(state, 0)]
        for index in (0, 2):
            state = flips(state, index)
            views.append(RULES.view(state, 0))
        state = expired(state).state
        views.append(RULES.view(replace(state, turn=0), 0))
        return views

    other_deck = "0 7 1 3  2 0 6 3  4 2 5 5  1 6 4 7"
    twins = [shown(ORDERLY), shown(other_deck)]
    assert twins[0] == twins[1]
    for bot in BOTS.values():
        actions = []
        for views in twins:
            mind = bot.begin()
            for number, view in enumerate(views):
                mind = bot.observe(mind, view, Dice(b"mind", number))
            legal = RULES.legal(views[-1])
            actions.append(bot.choose(mind, views[-1], legal, Dice(b"choose", 1), lambda: 1.0))
            assert bot.at_once(mind, views[-1], legal, Dice(b"choose", 1)) == actions[-1]
        assert actions[0] == actions[1]


def test_the_cards_themselves_are_out_of_reach() -> None:
    view = RULES.view(laid(), 0)
    assert not any(isinstance(value, Card) for value in msgspec.structs.astuple(view)[2])
