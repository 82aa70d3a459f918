"""Words and lots: every one as likely as any other, and nothing that could be misread."""

from __future__ import annotations

from collections import Counter
from itertools import count

import pytest

from parlour.play.clock import Chance


@pytest.mark.spec("A44")
def test_words_are_made_of_32_signs_that_nobody_mistakes_each_equally_likely() -> None:
    every_byte = bytes(range(256))
    word = Chance(lambda length: every_byte[:length]).word(256)
    assert Counter(word) == dict.fromkeys("ABCDEFGHJKLMNPQRSTUVWXYZ23456789", 8)


@pytest.mark.spec("B8")
@pytest.mark.parametrize("limit", [1, 2, 3, 7, 50])
def test_a_lot_is_any_number_below_the_limit_equally_likely(limit: int) -> None:
    numbers = count()
    chance = Chance(lambda length: next(numbers).to_bytes(length, "big"))
    drawn = Counter(chance.below(limit) for _ in range(limit * 100))
    assert drawn == dict.fromkeys(range(limit), 100)


def test_ids_sort_by_time_and_are_never_the_same() -> None:
    moments = count(1_800_000_000_000)
    ids = [Chance(clock=lambda: next(moments)).id() for _ in range(100)]
    assert sorted(set(ids)) == ids
