"""Memory's power-ups: earning, using, each effect, and how they meet."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from msgspec.structs import replace

from parlour.games.memory.board import Card, Glimpse, Held, Options, State
from parlour.games.memory.powerups import POWER_UPS
from parlour.games.memory.powerups.api import PowerUp, Use
from parlour.games.memory.powerups.clairvoyance import around
from parlour.games.memory.rules import RULES, Flip, Memory, PowerUpUsed, UsePowerUp
from tests.rules.pairs import (
    env,
    expired,
    flips,
    holding,
    laid,
    matched_cards,
    open_cards,
    random_game,
    refusal,
    use,
)

PAGE = Path(__file__).parents[2] / "web" / "src" / "games" / "memory" / "power-ups.json"
EACH = ["chaos", "clairvoyance", "necromancy", "unveiling"]


def pair_ids(state: State, indices: set[int] | range = range(16)) -> list[int]:
    """What lies at these places."""
    return [state.cards[index].pair_id for index in sorted(indices)]


# --- earning and using ------------------------------------------------------------------------


@pytest.mark.spec("B28", "B29", "B31", "B36")
def test_the_registry_is_in_the_documents_order_and_says_what_each_is() -> None:
    assert [power_up.id for power_up in POWER_UPS] == EACH
    assert [power_up.name for power_up in POWER_UPS] == [each.capitalize() for each in EACH]
    descriptions = {power_up.description for power_up in POWER_UPS}
    assert len(descriptions) == 4
    assert "" not in descriptions
    assert [power_up.id for power_up in POWER_UPS if power_up.needs_target] == ["clairvoyance"]


@pytest.mark.spec("B28", "B31", "B37")
def test_the_page_knows_exactly_the_power_ups_there_are() -> None:
    """States name a power-up by its id alone: its label and its card are the page's to know."""
    shown = json.loads(PAGE.read_text("utf-8"))
    known = [(each["id"], each["label"], each["pairId"], each["targeted"]) for each in shown]
    assert known == [
        (power_up.id, power_up.name, pair_id, power_up.needs_target)
        for pair_id, power_up in enumerate(POWER_UPS)
    ]
    assert all(each["description"] for each in shown)


@pytest.mark.spec("B25", "B28", "B29")
@pytest.mark.parametrize("pair_id", range(8))
def test_a_pair_grants_the_power_up_at_its_place(pair_id: int) -> None:
    state = flips(laid(), 2 * pair_id, 2 * pair_id + 1)
    expected = (Held(EACH[pair_id], 1),) if pair_id < 4 else ()
    assert state.hands == (expected, ())


@pytest.mark.spec("B25")
def test_a_second_copy_is_counted() -> None:
    state = holding("necromancy", state=flips(laid(), 4, 5, 6, 7))
    state = use(state, "necromancy")
    places = [index for index in range(4, 8) if state.cards[index].pair_id == 3]
    state = flips(replace(state, hands=((Held("unveiling", 1),), ())), *places)
    assert state.hands[0] == (Held("unveiling", 2),)


@pytest.mark.spec("B26", "B30")
@pytest.mark.parametrize("power_up_id", EACH)
def test_using_takes_one_copy_no_points_and_no_turn(power_up_id: str) -> None:
    hand = (Held("chaos", 2), Held("clairvoyance", 2), Held("necromancy", 2), Held("unveiling", 2))
    before = laid(hands=(hand, hand), scores=(3, 2), turn_ends_at=60_000)
    target = 5 if power_up_id == "clairvoyance" else None
    step = RULES.act(before, 0, UsePowerUp(power_up_id, target), env(700))
    after = step.state
    assert {held.power_up_id: held.count for held in after.hands[0]} == {
        each: 1 if each == power_up_id else 2 for each in EACH
    }
    assert after.hands[1] == hand
    assert (after.scores, after.turn, after.phase) == ((3, 2), 0, "first_flip")
    assert (after.flipped, after.turn_ends_at) == ((), 60_000)
    (used,) = step.events
    assert used == PowerUpUsed(0, power_up_id, power_up_id.capitalize())


@pytest.mark.spec("B26")
def test_the_last_copy_leaves_the_hand() -> None:
    state = use(holding("chaos"), "chaos")
    assert state.hands == ((), ())
    assert refusal(state, UsePowerUp("chaos")).code == "power_up_not_owned"


@pytest.mark.spec("B30")
@pytest.mark.parametrize("power_up_id", EACH)
def test_it_must_be_held_on_ones_turn_before_any_flip(power_up_id: str) -> None:
    target = 9 if power_up_id == "clairvoyance" else None
    action = UsePowerUp(power_up_id, target)
    assert refusal(laid(), action).code == "power_up_not_owned"
    state = laid(hands=((Held(power_up_id, 1),), (Held(power_up_id, 1),)))
    assert refusal(state, action, seat=1).code == "not_your_turn"
    assert refusal(flips(state, 0), action).code == "already_flipped"
    assert refusal(flips(state, 0, 2), action).code == "cards_showing"


@pytest.mark.spec("B30")
def test_it_may_be_used_again_after_a_pair_in_the_same_turn() -> None:
    state = flips(laid(), 6, 7)
    assert RULES.view(use(state, "unveiling"), 0).highlight


def test_there_are_no_others() -> None:
    for unknown in ("shuffle", "", "CHAOS", "x" * 1_000):
        refused = refusal(laid(), UsePowerUp(unknown))
        assert (refused.code, refused.field) == ("unknown_power_up", "power_up_id")


@pytest.mark.spec("B33", "B42")
def test_a_target_is_a_hidden_card_and_only_where_one_is_needed() -> None:
    state = holding("clairvoyance", "chaos", state=flips(laid(), 8, 9))
    assert refusal(state, UsePowerUp("clairvoyance")).code == "target_needed"
    assert refusal(state, UsePowerUp("clairvoyance", 16)).code == "no_such_card"
    assert refusal(state, UsePowerUp("clairvoyance", -1)).code == "no_such_card"
    assert refusal(state, UsePowerUp("clairvoyance", 8)).code == "card_matched"
    refused = refusal(state, UsePowerUp("chaos", 3))
    assert (refused.code, refused.field) == ("target_not_needed", "card_index")


# --- chaos ------------------------------------------------------------------------------------


@pytest.mark.spec("B32")
def test_chaos_moves_all_cards_that_are_not_matched_and_no_others() -> None:
    state = holding("chaos", state=flips(laid(), 8, 9))
    layouts = set()
    for step in range(50):
        after = RULES.act(state, 0, UsePowerUp("chaos"), env(step=step)).state
        assert matched_cards(after) == {8, 9}
        assert pair_ids(after, {8, 9}) == [4, 4]
        assert Counter(pair_ids(after)) == Counter(pair_ids(state))
        layouts.add(tuple(pair_ids(after)))
    assert len(layouts) == 50


@pytest.mark.spec("B32", "B35")
def test_chaos_makes_every_card_unknown() -> None:
    state = expired(flips(laid(), 0, 2)).state
    state = expired(flips(state, 4, 6)).state
    assert state.known == (0, 2, 4, 6)
    state = use(holding("chaos", "unveiling", state=state), "chaos")
    assert (state.known, state.shuffles) == ((), 1)
    assert RULES.view(use(state, "unveiling"), 0).highlight == tuple(range(16))


@pytest.mark.spec("B32", "B33")
def test_chaos_hides_what_is_being_shown_before_it_shuffles() -> None:
    state = use(holding("clairvoyance", "chaos"), "clairvoyance", 5)
    after = use(state, "chaos")
    assert open_cards(after) == set()
    assert after.glimpses == ()
    assert RULES.deadline(after) == after.turn_ends_at
    assert all(card.pair_id is None for card in RULES.view(after, 0).cards)


# --- clairvoyance -----------------------------------------------------------------------------


@pytest.mark.spec("B33")
@pytest.mark.parametrize(
    ("target", "area"),
    [
        (5, {0, 1, 2, 4, 5, 6, 8, 9, 10}),
        (0, {0, 1, 4, 5}),
        (3, {2, 3, 6, 7}),
        (15, {10, 11, 14, 15}),
        (8, {4, 5, 8, 9, 12, 13}),
        (2, {1, 2, 3, 5, 6, 7}),
    ],
)
def test_clairvoyance_shows_three_by_three_cut_off_at_the_edges(
    target: int, area: set[int]
) -> None:
    state = use(holding("clairvoyance"), "clairvoyance", target, now=100)
    assert open_cards(state) == area
    assert RULES.deadline(state) == 2_100
    for seat in (0, 1):
        view = RULES.view(state, seat)
        assert {card.index for card in view.cards if card.pair_id is not None} == area
        assert (view.phase, view.flipped) == ("first_flip", ())
    state = expired(state).state
    assert open_cards(state) == set()
    assert (state.turn, state.phase) == (0, "first_flip")
    assert state.known == tuple(sorted(area))


@pytest.mark.parametrize(("rows", "cols"), [(1, 2), (2, 1), (1, 8), (3, 4), (5, 2)])
def test_an_area_stays_on_any_board(rows: int, cols: int) -> None:
    options = Options(rows=rows, cols=cols)
    for index in range(rows * cols):
        row, col = divmod(index, cols)
        expected = {
            r * cols + c
            for r in range(rows)
            for c in range(cols)
            if abs(r - row) <= 1 and abs(c - col) <= 1
        }
        assert set(around(options, index)) == expected


@pytest.mark.spec("B33")
def test_clairvoyance_turns_hidden_cards_only() -> None:
    state = holding("clairvoyance", state=flips(laid(), 0, 1))
    after = use(state, "clairvoyance", 5)
    assert open_cards(after) == {2, 4, 5, 6, 8, 9, 10}
    assert matched_cards(expired(after).state) == {0, 1}


def test_play_goes_on_with_other_cards_meanwhile() -> None:
    state = use(holding("clairvoyance"), "clairvoyance", 0)
    assert refusal(state, Flip(1)).code == "card_revealed"
    state = flips(state, 14, now=1_000)
    state = RULES.expire(state, env(2_000)).state
    assert open_cards(state) == {14}
    assert (state.phase, state.flipped) == ("second_flip", (14,))
    assert matched_cards(flips(state, 15, now=2_500)) == {14, 15}


def test_hiding_leaves_pairs_found_meanwhile_alone() -> None:
    state = flips(use(holding("clairvoyance"), "clairvoyance", 0), 14, 15)
    state = RULES.expire(state, env(2_000)).state
    assert matched_cards(state) == {14, 15}
    assert open_cards(state) == set()


def test_two_looks_end_each_at_its_own_time() -> None:
    state = laid(hands=((Held("clairvoyance", 2),), ()))
    state = use(state, "clairvoyance", 0, now=0)
    assert refusal(state, UsePowerUp("clairvoyance", 5)).code == "card_revealed"
    state = use(state, "clairvoyance", 6, now=800)
    assert open_cards(state) == {0, 1, 4, 5, 2, 3, 6, 7, 9, 10, 11}
    state = expired(state).state
    assert open_cards(state) == {2, 3, 6, 7, 9, 10, 11}
    assert RULES.deadline(state) == 2_800
    assert open_cards(expired(state).state) == set()


def test_a_turn_change_ends_a_look() -> None:
    state = use(holding("clairvoyance"), "clairvoyance", 0, now=0)
    state = flips(state, 12, 14, now=100)
    assert RULES.deadline(state) == 1_100
    state = expired(state).state
    assert (state.turn, open_cards(state), state.glimpses) == (1, set(), ())


def test_a_look_may_end_while_two_other_cards_are_showing() -> None:
    state = use(holding("clairvoyance"), "clairvoyance", 0, now=0)
    state = flips(state, 12, 14, now=1_500)
    state = expired(state).state
    assert (state.phase, open_cards(state), state.turn) == ("resolve", {12, 14}, 0)
    assert RULES.deadline(state) == 2_500


def test_when_all_hidden_cards_are_being_shown_there_is_nothing_to_flip_yet() -> None:
    small = laid("0 0 1 1", Options(rows=2, cols=2))
    state = use(holding("clairvoyance", state=small), "clairvoyance", 0)
    assert RULES.legal(RULES.view(state, 0)) == ()
    state = expired(state).state
    assert len(RULES.legal(RULES.view(state, 0))) == 4


# --- necromancy -------------------------------------------------------------------------------


def after_four_pairs(options: Options | None = None) -> State:
    """Seat 0 matched the pairs 2, 4, 6 and 7 and holds Necromancy."""
    return flips(laid(options=options), 4, 5, 8, 9, 12, 13, 14, 15)


@pytest.mark.spec("B34")
def test_necromancy_brings_all_matched_cards_back_in_new_places() -> None:
    before = after_four_pairs()
    back = {4, 5, 8, 9, 12, 13, 14, 15}
    layouts = set()
    for step in range(50):
        after = RULES.act(before, 0, UsePowerUp("necromancy"), env(step=step)).state
        assert {card.state for card in after.cards} == {"hidden"}
        assert {card.matched_by for card in after.cards} == {None}
        assert Counter(pair_ids(after, back)) == {2: 2, 4: 2, 6: 2, 7: 2}
        assert pair_ids(after, {0, 1, 2, 3, 6, 7, 10, 11}) == [0, 0, 1, 1, 3, 3, 5, 5]
        assert (after.scores, after.known, after.turn) == ((4, 0), before.known, 0)
        layouts.add(tuple(pair_ids(after)))
    assert len(layouts) > 40


@pytest.mark.spec("B34")
def test_necromancy_leaves_its_own_pair_where_it_is_if_told_so() -> None:
    before = after_four_pairs(Options(necromancy_revives_itself=False))
    after = use(before, "necromancy")
    assert matched_cards(after) == {4, 5}
    assert after.cards[4] == Card(2, "matched", 0)
    assert Counter(pair_ids(after, {8, 9, 12, 13, 14, 15})) == {4: 2, 6: 2, 7: 2}


def test_cards_that_came_back_count_again() -> None:
    state = use(after_four_pairs(), "necromancy")
    places = [index for index, card in enumerate(state.cards) if card.pair_id == 2]
    state = flips(state, *places)
    assert state.scores == (5, 0)
    assert state.hands[0] == (Held("necromancy", 1),)


def test_necromancy_leaves_cards_that_are_being_shown_alone() -> None:
    state = holding("clairvoyance", "necromancy", state=after_four_pairs())
    state = use(use(state, "clairvoyance", 1), "necromancy")
    assert open_cards(state) == {0, 1, 2, 6}
    assert {index for index, card in enumerate(state.cards) if card.state == "hidden"} == set(
        range(16)
    ) - {0, 1, 2, 6}
    assert state.glimpses == (Glimpse((0, 1, 2, 6), 2_000),)
    assert open_cards(expired(state).state) == set()


def test_necromancy_with_nothing_to_bring_back_is_allowed_and_used_up() -> None:
    state = use(holding("necromancy"), "necromancy")
    assert state == replace(holding("necromancy"), hands=((), ()))


# --- unveiling --------------------------------------------------------------------------------


@pytest.mark.spec("B35")
def test_unveiling_highlights_what_nobody_has_seen_to_its_user_only() -> None:
    state = expired(flips(laid(), 0, 2)).state
    state = flips(expired(flips(state, 4, 8)).state, 14, 15)
    state = use(holding("unveiling", state=state), "unveiling")
    unseen = (1, 3, 5, 6, 7, 9, 10, 11, 12, 13)
    assert RULES.view(state, 0).highlight == unseen
    assert RULES.view(state, 1).highlight == ()
    assert RULES.view(state, None).highlight == ()
    assert open_cards(state) == set()
    assert all(card.pair_id is None for card in RULES.view(state, 0).cards if card.index in unseen)


@pytest.mark.spec("B35")
def test_the_highlight_follows_the_turn() -> None:
    state = use(holding("unveiling"), "unveiling")
    state = flips(state, 12, 13)
    assert RULES.view(state, 0).highlight == (*range(12), 14, 15)
    state = flips(state, 0, 2)
    assert RULES.view(state, 0).highlight == (1, *range(3, 12), 14, 15)
    state = expired(state).state
    for seat in (0, 1):
        assert RULES.view(state, seat).highlight == ()
    assert not state.unveiled


@pytest.mark.spec("B35")
def test_chaos_and_the_turn_limit_end_the_highlight() -> None:
    state = use(holding("unveiling", "chaos"), "unveiling")
    assert RULES.view(use(state, "chaos"), 0).highlight == ()
    timed_out = expired(state).state
    assert timed_out.turn == 1
    assert not timed_out.unveiled


# --- a fifth ----------------------------------------------------------------------------------


class Windfall(PowerUp):
    """Not in the game: the user gets a point for nothing."""

    id = "windfall"
    name = "Windfall"
    description = "One point."

    def effect(self, state: State, use: Use) -> State:
        """One point, told by nothing but this class."""
        points = [*state.scores]
        points[use.seat] += 1
        return replace(state, scores=(points[0], points[1]))


@pytest.mark.spec("B27", "B36", "B76")
def test_a_fifth_power_up_takes_one_class_and_nothing_else() -> None:
    rules = Memory((*POWER_UPS, Windfall()))
    state = flips(laid(), 8, 9, rules=rules)
    assert state.hands[0] == (Held("windfall", 1),)
    assert UsePowerUp("windfall") in rules.legal(rules.view(state, 0))
    step = rules.act(state, 0, UsePowerUp("windfall"), env())
    assert step.state.scores == (2, 0)
    assert step.state.hands == ((), ())
    assert step.events == (PowerUpUsed(0, "windfall", "Windfall"),)
    used = [
        taken.action.power_up_id
        for seed in range(10)
        for taken in random_game(seed, Options(), rules)
        if isinstance(taken.action, UsePowerUp)
    ]
    assert set(used) == {*EACH, "windfall"}


@pytest.mark.spec("B28")
def test_a_small_board_grants_only_the_first() -> None:
    state = laid("0 0 1 1", Options(rows=2, cols=2))
    hands = flips(state, 0, 1, 2, 3).hands
    assert hands == ((Held("chaos", 1), Held("clairvoyance", 1)), ())
