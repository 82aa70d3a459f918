"""The best play of plain Memory: cases counted by hand, the published rule, and what follows."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations

import pytest

from parlour.games.memory.solver import Standing, chances, chances_after_showing, worth


@pytest.mark.parametrize(
    ("pairs", "singles", "mean"),
    [
        (0, 0, Fraction(0)),
        (1, 0, Fraction(1)),
        (1, 1, Fraction(1)),
        # Four unknown cards: one in three the first two match, and so do the others. Otherwise the
        # opponent knows of a partner for whatever it opens, and takes both pairs.
        (2, 0, Fraction(1, 3) * 2 - Fraction(2, 3) * 2),
        # Three unknown cards: one in three its partner is known, and the last pair follows. Else
        # of the other two one is the partner of the first, and one that of the known card.
        (2, 1, Fraction(1, 3) * 2 + Fraction(2, 3) * (Fraction(1, 2) * 2 - Fraction(1, 2) * 2)),
        (2, 2, Fraction(2)),
        # Six unknown cards: one in five they match, and two pairs are left to go on with. Else
        # there are two singles of three pairs for the opponent, worth a third to it.
        (3, 0, Fraction(1, 5) * (1 - Fraction(2, 3)) - Fraction(4, 5) * Fraction(1, 3)),
        (3, 3, Fraction(3)),
    ],
)
def test_few_pairs_are_worth_what_one_counts_by_hand(
    pairs: int, singles: int, mean: Fraction
) -> None:
    assert worth(pairs, singles).mean == mean


def test_two_singles_of_three_pairs_are_worth_a_third() -> None:
    """Four unknown cards, two of them partners of those known; opening two is best.

    One in two the first is such a partner: then it is two pairs and one single. Else the second is
    the partner of the first, one in three, and the two others follow; or it is one of the other
    partners, and the opponent takes all three pairs.
    """
    found = Fraction(1, 2) * (1 + Fraction(2, 3)) + Fraction(1, 2) * (
        Fraction(1, 3) * 3 - Fraction(2, 3) * 3
    )
    assert worth(3, 2).mean == found == Fraction(1, 3)


def test_the_choice_is_the_published_one() -> None:
    """Zwick and Paterson: it is a matter of parity, with one exception.

    A second unknown card if pairs and singles are odd together, a known one if they are even, but
    for six pairs with one single; nothing new if they are odd and two thirds of the pairs, and a
    bit more, are known by one card.
    """
    for pairs in range(1, 31):
        for singles in range(pairs):
            here, odd = worth(pairs, singles), (pairs + singles) % 2 == 1
            assert here.waits == (singles > 1 and odd and 3 * singles >= 2 * (pairs + 1))
            if singles and not here.waits:
                assert here.opens_second == (odd and (pairs, singles) != (6, 1))


def test_no_position_is_bad_for_who_may_show_nothing_new() -> None:
    for pairs in range(31):
        for singles in range(2, pairs + 1):
            assert 0 <= worth(pairs, singles).mean <= pairs


def test_a_large_board_is_worth_next_to_nothing() -> None:
    """Fractions and floats meet without a step."""
    for pairs in (32, 33, 34, 200):
        assert abs(float(worth(pairs, 0).mean)) < 0.02


def test_chances_follow_the_lead() -> None:
    found = [chances(lead, 8, 0) for lead in range(-8, 9)]
    assert found == sorted(found)
    assert -1 < found[0] < -0.8
    assert 0.8 < found[-1] < 1
    assert (chances(-1, 0, 0), chances(0, 0, 0), chances(2, 0, 0)) == (-1, 0, 1)
    assert (chances(-3, 2, 2), chances(-2, 2, 2), chances(-1, 2, 2)) == (-1, 0, 1)


def test_a_standing_counts_sure_pairs_as_taken() -> None:
    here = Standing(lead=-1, taken=3, sure=2, pairs=3, singles=0)
    assert here.margin == pytest.approx(1 - 0.2)
    assert here.chances == chances(1, 3, 0)
    assert not here.decided
    assert Standing(lead=0, pairs=2, singles=2).decided


def test_showing_cards_is_worth_the_mean_of_all_that_may_be_shown() -> None:
    """Three pairs, the second card of pair 0 known, three of the five others shown."""
    decks = list(permutations((0, 1, 1, 2, 2)))
    total = 0.0
    for deck in decks:
        known = (0, *deck[:3])
        sure = sum(known.count(pair_id) == 2 for pair_id in range(3))
        singles = sum(known.count(pair_id) == 1 for pair_id in range(3))
        total += chances(1 + sure, 3 - sure, singles)
    assert chances_after_showing(1, 3, 1, 3) == pytest.approx(total / len(decks))
    assert chances_after_showing(1, 3, 1, 0) == chances(1, 3, 1)
