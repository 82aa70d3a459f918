"""Rates hold whatever the order of events, and remember no more than they may."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour.rates import Buckets, Nanos, Rate

rates = st.builds(Rate, st.integers(1, 1000), st.integers(1, 100_000))
spans = st.integers(0, 10**10)


class Clock:
    def __init__(self) -> None:
        self.now: Nanos = 10**15

    def __call__(self) -> Nanos:
        return self.now


def granted(buckets: Buckets, key: str) -> bool:
    """Ask, and spend if there is one."""
    if buckets.wait(key):
        return False
    buckets.spend(key)
    return True


@given(rates, st.lists(st.tuples(st.integers(0, 30), spans), max_size=40))
def test_within_any_time_no_more_is_granted_than_the_rate_allows(
    rate: Rate, bursts: list[tuple[int, Nanos]]
) -> None:
    clock = Clock()
    buckets = Buckets(rate, clock=clock)
    each = rate.per_ms * 1_000_000 // rate.count
    times: list[Nanos] = []
    for asked, then in bursts:
        times += [clock.now for _ in range(asked) if granted(buckets, "who")]
        clock.now += then
    for first, began in enumerate(times):
        for last in range(first, len(times)):
            assert last - first + 1 <= rate.count + (times[last] - began) / each


@given(rates)
def test_a_whole_count_may_be_spent_at_once_and_not_one_more(rate: Rate) -> None:
    clock = Clock()
    buckets = Buckets(rate, clock=clock)
    assert all(granted(buckets, "who") for _ in range(rate.count))
    assert not granted(buckets, "who")
    assert granted(buckets, "another")
    clock.now += rate.per_ms * 1_000_000
    assert all(granted(buckets, "who") for _ in range(rate.count))


@given(rates, st.lists(spans, max_size=20), st.integers(1, 2000))
def test_who_waits_as_long_as_told_is_granted_and_not_sooner(
    rate: Rate, pauses: list[Nanos], spent: int
) -> None:
    clock = Clock()
    buckets = Buckets(rate, owed_ns=rate.per_ms * 1_000_000, clock=clock)
    buckets.spend("who", spent)
    for pause in pauses:
        clock.now += pause
        while granted(buckets, "who"):
            pass
    if wait := buckets.wait("who"):
        clock.now += wait - 1
        assert buckets.wait("who") == 1
        clock.now += 1
    assert granted(buckets, "who")


@given(rates, st.integers(0, 50))
def test_what_is_refused_costs_nothing(rate: Rate, refused: int) -> None:
    clock = Clock()
    buckets = Buckets(rate, clock=clock)
    buckets.spend("who", rate.count)
    before = buckets.wait("who")
    assert not any(granted(buckets, "who") for _ in range(refused))
    assert buckets.wait("who") == before


@given(rates, st.integers(0, 10**10), st.lists(st.integers(1, 10**6), max_size=10))
def test_no_more_is_owed_than_may_be(rate: Rate, owed: Nanos, spent: list[int]) -> None:
    buckets = Buckets(rate, owed_ns=owed, clock=Clock())
    for count in spent:
        buckets.spend("who", count)
    each = rate.per_ms * 1_000_000 // rate.count
    assert buckets.wait("who") <= owed + each


@given(st.integers(1, 10), st.lists(st.integers(0, 30), max_size=200))
def test_memory_is_bounded_and_who_is_forgotten_is_full_again(size: int, keys: list[int]) -> None:
    buckets = Buckets(Rate(1, 1000), size=size, clock=Clock())
    for key in keys:
        buckets.spend(str(key))
        assert len(buckets) <= size
    known = list(dict.fromkeys(map(str, reversed(keys))))
    assert all(buckets.wait(key) for key in known[:size])
    assert not any(buckets.wait(key) for key in known[size:])


@given(rates)
def test_a_rate_is_read_as_it_is_written(rate: Rate) -> None:
    if rate.per_ms % 1000 == 0:
        assert Rate.read(str(rate)) == rate


@pytest.mark.parametrize(
    "text",
    [
        "",
        "5",
        "5/",
        "/s",
        "0/s",
        "5/0s",
        "5 / s",
        "-5/s",
        "5/s ",
        "5/d",
        "5/25h",
        "1000001/s",
        "\N{ARABIC-INDIC DIGIT FIVE}/s",
    ],
)
def test_what_is_no_rate_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"expected a number|a rate is"):
        Rate.read(text)
