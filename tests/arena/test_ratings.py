"""Ratings are what the games say: known strengths are found again, and errors say how surely."""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest

from parlour.arena.plot import Measured, picture
from parlour.arena.ratings import MIDDLE, Pair, Score, fitted

STRENGTHS = {"weak": 1100, "plain": 1400, "good": 1600, "best": 1900}
NAMES = tuple(STRENGTHS)


def drawn_by_lot(games: int, seed: int) -> dict[Pair, Score]:
    """What might come of so many games of each pair, some of them drawn."""
    random, scores = Random(seed), {}
    for one, other in combinations(NAMES, 2):
        expected = 1 / (1 + 10 ** ((STRENGTHS[other] - STRENGTHS[one]) / 400))
        draws = min(expected, 1 - expected) / 2
        lots = [random.random() for _ in range(games)]
        won = sum(lot < expected - draws / 2 for lot in lots)
        drawn = sum(expected - draws / 2 <= lot < expected + draws / 2 for lot in lots)
        scores[one, other] = Score(won, drawn, games - won - drawn)
    return scores


def test_known_strengths_are_found_again_as_surely_as_is_said() -> None:
    """Of a hundred ratings with such errors, 95 hold the truth."""
    missed = 0
    for seed in range(25):
        found = fitted(NAMES, drawn_by_lot(200, seed))
        assert found is not None
        assert {each.games for each in found.values()} == {600}
        missed += sum(
            abs(found[name].rating - STRENGTHS[name]) > found[name].error for name in NAMES
        )
    assert missed <= 5


def test_four_times_the_games_halve_the_error() -> None:
    few, many = fitted(NAMES, drawn_by_lot(100, 1)), fitted(NAMES, drawn_by_lot(400, 1))
    assert few is not None
    assert many is not None
    for name in NAMES:
        assert few[name].error / many[name].error == pytest.approx(2, abs=0.6)


def test_odds_of_ten_to_one_are_400_points_and_the_middle_stays() -> None:
    found = fitted(("one", "other"), {("one", "other"): Score(90_909, 0, 9_091)})
    assert found is not None
    assert found["one"].rating - found["other"].rating == pytest.approx(400, abs=1)
    assert found["one"].rating + found["other"].rating == 2 * MIDDLE


def test_who_wins_every_game_is_stronger_and_not_infinitely_so() -> None:
    pairs = combinations(("a", "b", "c"), 2)
    found = fitted(("a", "b", "c"), dict.fromkeys(pairs, Score(0, 0, 40)))
    assert found is not None
    assert 0 < found["a"].rating < found["b"].rating < found["c"].rating < 3000
    assert found["c"].error > 100


def test_draws_alone_make_all_alike() -> None:
    found = fitted(("a", "b"), {("a", "b"): Score(0, 10, 0)})
    assert found is not None
    assert {each.rating for each in found.values()} == {MIDDLE}


def test_who_never_met_cannot_be_compared() -> None:
    scores = {("a", "b"): Score(3, 0, 1), ("c", "d"): Score(1, 0, 3), ("b", "c"): Score()}
    assert fitted(("a", "b", "c", "d"), scores) is None


def test_the_picture_shows_everybody_by_day_and_by_night() -> None:
    found = fitted(NAMES, drawn_by_lot(40, 1))
    assert found is not None
    drawn = picture("<All>", [Measured(f"{name} & co", found[name]) for name in NAMES])
    assert "prefers-color-scheme: dark" in drawn
    assert "&lt;All&gt;" in drawn
    for name in NAMES:
        assert f"{name} &amp; co" in drawn
        assert f">{found[name].rating}<" in drawn
