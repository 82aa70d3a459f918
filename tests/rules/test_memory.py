"""Memory, rule by rule: cards, turns, points and ends."""

from __future__ import annotations

from collections import Counter

import msgspec
import pytest
from msgspec.structs import replace

from parlour.games.api import Dice, Env, Outcome
from parlour.games.memory.board import Card, Held, Options, State
from parlour.games.memory.rules import RULES, Flip, Leave, PairFound, UsePowerUp
from tests.rules.pairs import env, expired, flips, holding, laid, matched_cards, open_cards, refusal

# --- the start --------------------------------------------------------------------------------


@pytest.mark.spec("B12", "B13", "B14", "B60", "B61")
@pytest.mark.parametrize(("rows", "cols"), [(4, 4), (2, 3), (1, 2), (6, 7), (20, 20)])
def test_every_card_is_one_of_a_pair(rows: int, cols: int) -> None:
    state = RULES.setup(Options(rows=rows, cols=cols), env())
    pairs = Counter(card.pair_id for card in state.cards)
    assert pairs == dict.fromkeys(range(rows * cols // 2), 2)
    assert {card.state for card in state.cards} == {"hidden"}
    assert [card.index for card in RULES.view(state, 0).cards] == list(range(rows * cols))


@pytest.mark.spec("B60", "B61", "B62", "B70", "B71", "B72", "B73", "B75", "B79")
def test_the_options_are_the_documents() -> None:
    assert Options() == Options(
        rows=4,
        cols=4,
        reveal_ms=1_000,
        turn_limit_ms=60_000,
        countdown_show_ms=30_000,
        reconnect_ms=120_000,
        clairvoyance_ms=2_000,
        necromancy_revives_itself=True,
    )


@pytest.mark.spec("B61")
@pytest.mark.parametrize(
    "bad",
    [
        '{"rows":3,"cols":3}',
        '{"rows":0}',
        '{"rows":-2,"cols":-2}',
        '{"cols":21}',
        '{"rows":2.0}',
        '{"reveal_ms":-1}',
        '{"turn_limit_ms":-1}',
    ],
)
def test_boards_that_cannot_be_are_no_options(bad: str) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(bad, type=Options)


@pytest.mark.spec("B13", "B15")
def test_places_and_the_first_player_are_random() -> None:
    states = [RULES.setup(Options(), Env(0, Dice(bytes([n]) * 16, 1))) for n in range(200)]
    assert len({state.cards for state in states}) == 200
    assert 60 < sum(state.turn for state in states) < 140


@pytest.mark.spec("B57", "B58")
def test_a_game_is_its_board_its_players_and_the_turn() -> None:
    stored = msgspec.json.decode(msgspec.json.encode(flips(laid(), 8, 9, 3)))
    assert stored["cards"][3] == {"pair_id": 1, "state": "revealed"}
    assert stored["cards"][4] == {"pair_id": 2}
    assert stored["cards"][8] == {"pair_id": 4, "state": "matched", "matched_by": 0}
    assert (stored["turn"], stored["phase"], stored["flipped"]) == (0, "second_flip", [3])
    assert (stored["scores"], stored["ended"]) == ([1, 0], None)


# --- flips ------------------------------------------------------------------------------------


@pytest.mark.spec("B16", "B17", "B53")
def test_the_first_flip_is_seen_by_both() -> None:
    state = flips(laid(), 5)
    for seat in (0, 1):
        view = RULES.view(state, seat)
        assert (view.cards[5].state, view.cards[5].pair_id) == ("revealed", 2)
        assert (view.phase, view.flipped, view.turn) == ("second_flip", (5,), 0)


@pytest.mark.spec("B3", "B18", "B24")
def test_a_pair_scores_one_point_and_keeps_the_turn() -> None:
    state = laid()
    for points, pair in enumerate([(8, 9), (13, 12), (14, 15)], start=1):
        state = flips(state, *pair)
        assert state.scores == (points, 0)
        assert (state.turn, state.phase, state.flipped) == (0, "first_flip", ())
    assert matched_cards(state) == {8, 9, 12, 13, 14, 15}
    for seat in (0, 1):
        card = RULES.view(state, seat).cards[8]
        assert (card.state, card.pair_id, card.matched_by) == ("matched", 4, 0)


def test_a_pair_is_told_with_what_it_granted() -> None:
    step = RULES.act(flips(laid(), 0), 0, Flip(1), env())
    assert step.events == (PairFound(0, 0, (0, 1), "chaos"),)
    step = RULES.act(flips(laid(), 9), 0, Flip(8), env())
    assert step.events == (PairFound(0, 4, (9, 8), None),)


@pytest.mark.spec("B3", "B19", "B53", "B62")
def test_two_others_stay_open_for_a_moment_then_the_turn_passes() -> None:
    state = flips(laid(), 0, 2, now=500)
    assert (state.phase, state.flipped, state.turn) == ("resolve", (0, 2), 0)
    assert open_cards(state) == {0, 2}
    assert RULES.deadline(state) == 1_500
    for seat in (0, 1):
        assert RULES.legal(RULES.view(state, seat)) == ()
    state = expired(state).state
    assert (state.phase, state.flipped, state.turn, state.scores) == ("first_flip", (), 1, (0, 0))
    assert open_cards(state) == set()


@pytest.mark.spec("B20")
def test_only_hidden_cards_are_flipped() -> None:
    state = flips(laid(), 8, 9, 3)
    assert refusal(state, Flip(3)).code == "card_revealed"
    assert refusal(state, Flip(8)).code == "card_matched"


@pytest.mark.parametrize("index", [-1, 16, 10**300, -(10**300)])
def test_only_cards_that_exist_are_flipped(index: int) -> None:
    refused = refusal(laid(), Flip(index))
    assert (refused.code, refused.field) == ("no_such_card", "index")


@pytest.mark.spec("B16")
def test_only_the_one_whose_turn_it_is_flips() -> None:
    assert refusal(laid(), Flip(0), seat=1).code == "not_your_turn"
    assert refusal(flips(laid(), 0), Flip(1), seat=1).code == "not_your_turn"
    showing = flips(laid(), 0, 2)
    assert refusal(showing, Flip(4), seat=1).code == "not_your_turn"
    assert refusal(showing, Flip(4), seat=0).code == "cards_showing"
    assert refusal(showing, UsePowerUp("chaos"), seat=0).code == "cards_showing"


# --- the end ----------------------------------------------------------------------------------


def last_pair(scores: tuple[int, int], turn: int = 0) -> State:
    """Only cards 14 and 15 are left."""
    state = laid(scores=scores, turn=turn)
    cards = (*(Card(card.pair_id, "matched", 1) for card in state.cards[:14]), *state.cards[14:])
    return replace(state, cards=cards)


@pytest.mark.spec("B4", "B21", "B24")
@pytest.mark.parametrize(
    ("scores", "turn", "winner"),
    [((3, 4), 0, None), ((4, 3), 0, 0), ((2, 5), 0, 1), ((4, 3), 1, None), ((0, 7), 1, 1)],
)
def test_the_game_ends_with_the_last_pair_and_the_higher_score_wins(
    scores: tuple[int, int], turn: int, winner: int | None
) -> None:
    state = flips(last_pair(scores, turn), 14, 15)
    final = (scores[0] + (turn == 0), scores[1] + (turn == 1))
    assert RULES.outcome(state) == Outcome(winner, "completed", rated=True, scores=final)
    assert RULES.deadline(state) is None


@pytest.mark.spec("B23")
@pytest.mark.parametrize("leaver", [0, 1])
@pytest.mark.parametrize("moment", ["first_flip", "second_flip", "resolve"])
def test_who_leaves_loses_at_once_and_unrated(leaver: int, moment: str) -> None:
    state = {
        "first_flip": laid(),
        "second_flip": flips(laid(), 0),
        "resolve": flips(laid(), 0, 2),
    }[moment]
    state = replace(state, scores=(2, 1))
    ended = RULES.act(state, leaver, Leave(), env()).state
    expected = Outcome(1 - leaver, "opponent_disconnected", rated=False, scores=(2, 1))
    assert RULES.outcome(ended) == expected
    assert RULES.deadline(ended) is None
    assert [card.pair_id for card in ended.cards] == [card.pair_id for card in state.cards]


def test_nothing_happens_after_the_end() -> None:
    ended = flips(last_pair((4, 3)), 14, 15)
    ended = replace(ended, hands=((Held("necromancy", 1),), ()))
    for action in (Flip(0), UsePowerUp("necromancy"), Leave()):
        for seat in (0, 1):
            assert refusal(ended, action, seat).code == "game_over"
    for seat in (0, 1):
        assert RULES.legal(RULES.view(ended, seat)) == ()
        for here in (True, False):
            assert RULES.presence(ended, seat, here, env(9)).state is ended


# --- what is seen -----------------------------------------------------------------------------


@pytest.mark.spec("B52")
@pytest.mark.parametrize("seat", [0, 1, None])
def test_what_a_hidden_card_shows_is_in_no_view(seat: int | None) -> None:
    state = flips(laid(), 8, 9, 3)
    view = RULES.view(state, seat)
    told = {card.index for card in view.cards if card.pair_id is not None}
    assert told == {3, 8, 9}
    shown = msgspec.json.decode(msgspec.json.encode(view))
    assert [set(card) for card in shown["cards"][:2]] == [{"index", "state"}] * 2
    secrets = {"known", "glimpses", "hands", "seed", "deck"}
    assert secrets.isdisjoint(shown)


@pytest.mark.spec("B25")
def test_a_hand_is_its_owners() -> None:
    state = holding("chaos", "unveiling")
    assert RULES.view(state, 0).hand == (Held("chaos", 1), Held("unveiling", 1))
    assert RULES.view(state, 1).hand == ()
    assert RULES.view(state, None).hand == ()


def test_what_is_listed_follows_the_turn() -> None:
    state = holding("clairvoyance", "chaos")
    listed = RULES.legal(RULES.view(state, 0))
    flipping = {Flip(index) for index in range(16)}
    aiming = {UsePowerUp("clairvoyance", index) for index in range(16)}
    assert set(listed) == flipping | aiming | {UsePowerUp("chaos")}
    assert RULES.legal(RULES.view(state, 1)) == ()
    assert RULES.legal(RULES.view(state, None)) == ()
    second = RULES.legal(RULES.view(flips(state, 4), 0))
    assert set(second) == flipping - {Flip(4)}


@pytest.mark.parametrize(
    "junk",
    [
        '{"type":"flip","index":true}',
        '{"type":"flip","index":"3"}',
        '{"type":"flip","index":1.5}',
        '{"type":"flip"}',
        '{"type":"use_power_up","power_up_id":7}',
        '{"type":"use_power_up","power_up_id":"chaos","card_index":false}',
        '{"type":"peek"}',
        "[]",
    ],
)
def test_what_is_no_action_does_not_decode(junk: str) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(junk, type=RULES.action_type)


def test_the_rating_stops_at_zero() -> None:
    assert (RULES.key, RULES.rating) == ("memory", "floor_zero")
