"""Elo: the documents' arithmetic, and what must hold for any two ratings."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from parlour.games.api import Outcome, Rating, Seat
from parlour.people.ratings import K, elo, rated, rating_changes
from parlour.store.change import ChangeRating, SeatRow

ratings = st.integers(-100_000, 100_000)
floored = st.integers(0, 100_000)
winners = st.sampled_from([None, 0, 1])


@pytest.mark.spec("A52")
@pytest.mark.parametrize(
    ("winner", "loser", "delta"),
    [
        (1000, 1000, 16),
        (1000, 1400, 29),
        (1400, 1000, 3),
        (1000, 1001, 16),
        (1000, 1200, 24),
        (1200, 1000, 8),
        (2400, 1000, 0),
        (1000, 2400, 32),
        (-50, 50, 20),
    ],
)
def test_a_win_moves_both_by_the_winners_rounded_gain(winner: int, loser: int, delta: int) -> None:
    assert elo("zero_sum", (winner, loser), 0) == (delta, -delta)
    assert elo("zero_sum", (loser, winner), 1) == (-delta, delta)


@pytest.mark.spec("A53")
@pytest.mark.parametrize(
    ("first", "second", "delta"),
    [(1000, 1000, 0), (1400, 1000, -13), (1000, 1400, 13), (1200, 1000, -8), (1000, 3000, 16)],
)
def test_a_draw_moves_both_by_the_firsts_rounded_change(
    first: int, second: int, delta: int
) -> None:
    assert elo("zero_sum", (first, second), None) == (delta, -delta)


@pytest.mark.spec("B88")
@pytest.mark.parametrize(
    ("before", "winner", "after"),
    [
        ((1000, 1000), 0, (1016, 984)),
        ((1000, 1000), None, (1000, 1000)),
        ((1400, 1000), 1, (1371, 1029)),
        ((1400, 1000), None, (1387, 1013)),
        ((0, 0), 0, (16, 0)),
        ((5, 3), 1, (0, 19)),
        ((0, 400), None, (13, 387)),
    ],
)
def test_memorys_ratings_stop_at_zero(
    before: tuple[int, int], winner: Seat | None, after: tuple[int, int]
) -> None:
    delta = elo("floor_zero", before, winner)
    assert (before[0] + delta[0], before[1] + delta[1]) == after


@pytest.mark.spec("A52", "A53")
@given(ratings, ratings, winners)
def test_zero_sum_is_zero_sum_and_bounded(first: int, second: int, winner: Seat | None) -> None:
    delta = elo("zero_sum", (first, second), winner)
    assert sum(delta) == 0
    assert max(delta) <= K
    if winner is not None:
        assert delta[winner] >= 0


@pytest.mark.spec("B88")
@given(floored, floored, winners)
def test_no_rating_falls_below_zero_and_none_moves_further_than_k(
    first: int, second: int, winner: Seat | None
) -> None:
    delta = elo("floor_zero", (first, second), winner)
    assert first + delta[0] >= 0
    assert second + delta[1] >= 0
    assert max(map(abs, delta)) <= K
    if winner is not None:
        assert delta[winner] >= 0 >= delta[1 - winner]


@given(st.sampled_from(["zero_sum", "floor_zero"]), floored, floored, winners)
def test_the_order_of_the_seats_does_not_matter(
    rating: Rating, first: int, second: int, winner: Seat | None
) -> None:
    turned = None if winner is None else 1 - winner
    assert elo(rating, (first, second), winner) == elo(rating, (second, first), turned)[::-1]


@given(st.sampled_from(["zero_sum", "floor_zero"]), floored, floored, st.integers(0, 500))
def test_beating_a_better_player_never_gains_less(
    rating: Rating, mine: int, theirs: int, better: int
) -> None:
    gain = elo(rating, (mine, theirs), 0)[0]
    assert elo(rating, (mine, theirs + better), 0)[0] >= gain


@given(ratings, ratings)
def test_winning_beats_drawing_beats_losing(first: int, second: int) -> None:
    won, drawn, lost = (elo("zero_sum", (first, second), winner)[0] for winner in (0, None, 1))
    assert won >= drawn >= lost


SEATS = (
    SeatRow(seat=0, user_id="ada", name="Ada", rating_before=1000),
    SeatRow(seat=1, user_id="bob", name="Bob", rating_before=1400),
)


@pytest.mark.spec("A72")
def test_changes_follow_the_snapshots_and_say_who_won() -> None:
    seats = rated("zero_sum", SEATS, Outcome(winner=0, reason="CONNECT4"))
    assert [seat.rating_delta for seat in seats] == [29, -29]
    assert rating_changes("connect4", "zero_sum", seats, 0, at=7) == (
        ChangeRating(user_id="ada", game="connect4", delta=29, result="win", at=7),
        ChangeRating(user_id="bob", game="connect4", delta=-29, result="loss", at=7),
    )


def test_a_draw_is_one_to_both_and_memory_names_its_floor() -> None:
    seats = rated("floor_zero", SEATS, Outcome(winner=None, reason="completed"))
    assert rating_changes("memory", "floor_zero", seats, None, at=7) == (
        ChangeRating(user_id="ada", game="memory", delta=13, floor=0, result="draw", at=7),
        ChangeRating(user_id="bob", game="memory", delta=-13, floor=0, result="draw", at=7),
    )


@pytest.mark.parametrize(
    ("rating", "seats", "outcome"),
    [
        (None, SEATS, Outcome(winner=0, reason="connect5")),
        ("zero_sum", SEATS, Outcome(winner=0, reason="opponent_left", rated=False)),
        ("zero_sum", SEATS[:1], Outcome(winner=0, reason="forfeit")),
        ("zero_sum", (SEATS[0], replace(SEATS[1], user_id=None)), Outcome(0, "quarto")),
        ("zero_sum", (SEATS[0], replace(SEATS[1], user_id="ada")), Outcome(0, "quarto")),
    ],
    ids=["game without ratings", "unrated end", "alone", "no account", "against oneself"],
)
def test_unrated_games_move_nothing(
    rating: Rating | None, seats: tuple[SeatRow, ...], outcome: Outcome
) -> None:
    assert rated(rating, seats, outcome) == seats
    assert rating_changes("quarto", rating, seats, outcome.winner, at=7) == ()


@pytest.mark.spec("A71", "A81")
def test_a_rated_end_without_snapshots_is_fatal() -> None:
    seats = (SEATS[0], replace(SEATS[1], rating_before=None))
    with pytest.raises(ValueError, match="not kept"):
        rated("zero_sum", seats, Outcome(winner=0, reason="CONNECT4"))
