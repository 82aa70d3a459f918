"""The clock of all processes: it follows the database's, and never goes back."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from structlog.testing import capture_logs

from parlour.store.api import Store
from parlour.timekeeping import FAR_AHEAD_MS, NS, Timekeeper, wall_clock

NOON = 1_800_000_000_000
SEC = 1_000


class Machines:
    """A machine, and the database's, with clocks that can be set; answers take time."""

    def __init__(self, *, local_ms: int = NOON, there_ms: int | None = NOON) -> None:
        self.passed_ns = 0
        self.local_ms = local_ms
        self.there_ms = there_ms
        self.ways_ms: Iterator[tuple[int, int]] = iter(())
        self.clock = Timekeeper(self.ask, local=self.local, monotonic_ns=lambda: self.passed_ns)

    def local(self) -> int:
        return self.local_ms + self.passed_ns // NS

    async def ask(self) -> int | None:
        to_ms, back_ms = next(self.ways_ms, (0, 0))
        self.pass_ms(to_ms)
        told = None if self.there_ms is None else self.there_ms + self.passed_ns // NS
        self.pass_ms(back_ms)
        return told

    def pass_ms(self, ms: float) -> None:
        self.passed_ns += int(ms * NS)

    @property
    def off_ms(self) -> int:
        assert self.there_ms is not None
        return self.clock() - self.there_ms - self.passed_ns // NS


async def test_two_machines_agree_with_the_database_from_the_start() -> None:
    for local in (NOON - 20 * SEC, NOON + 20 * SEC):
        machines = Machines(local_ms=local)
        with capture_logs() as logs:
            await machines.clock.start()
            await machines.clock.look()
            await machines.clock.close()
        assert machines.off_ms == 0
        assert machines.clock.offset_ms == NOON - local
        assert [(entry["event"], entry["ahead_ms"]) for entry in logs] == [
            ("clock differs from the database's", local - NOON)
        ]


async def test_the_quickest_answer_counts() -> None:
    machines = Machines(local_ms=NOON - 5 * SEC)
    machines.ways_ms = iter([(900, 10), (2, 2), (10, 900), (400, 0), (0, 400)])
    await machines.clock.start()
    await machines.clock.close()
    assert machines.off_ms == 0


async def test_a_step_of_this_machines_clock_moves_nothing_on_postgres() -> None:
    machines = Machines()
    await machines.clock.start()
    for step in (20 * SEC, -40 * SEC, 3600 * SEC):
        machines.local_ms += step
        machines.pass_ms(500)
        assert machines.off_ms == 0
        await machines.clock.look()
        machines.pass_ms(500)
        assert machines.off_ms == 0
    await machines.clock.close()


@pytest.mark.parametrize("there_ms", [NOON, None])
@pytest.mark.parametrize("step_ms", [20 * SEC, -20 * SEC, 300, -300])
async def test_a_clock_set_anew_is_followed_gradually(there_ms: int | None, step_ms: int) -> None:
    machines = Machines(there_ms=there_ms)
    await machines.clock.start()
    if there_ms is None:
        machines.local_ms += step_ms
    else:
        machines.there_ms = there_ms + step_ms
    for _ in range(30):
        await machines.clock.look()
        for _ in range(100):
            before = machines.clock()
            machines.pass_ms(100)
            assert 90 <= machines.clock() - before <= 111
    assert abs(machines.clock() - NOON - step_ms - machines.passed_ns // NS) <= 2
    await machines.clock.close()


async def test_nothing_is_overdone_while_the_database_is_away() -> None:
    machines = Machines()
    await machines.clock.start()
    assert machines.there_ms is not None
    machines.there_ms += 2 * SEC
    await machines.clock.look()
    machines.pass_ms(3600 * SEC)
    assert abs(machines.off_ms) <= 1
    await machines.clock.close()


async def test_after_a_long_sleep_the_clock_is_right_at_once() -> None:
    machines = Machines()
    await machines.clock.start()
    assert machines.there_ms is not None
    machines.there_ms += FAR_AHEAD_MS + 1
    await machines.clock.look()
    assert machines.off_ms == 0
    await machines.clock.close()


async def test_what_the_way_of_an_answer_explains_is_left_alone() -> None:
    machines = Machines()
    await machines.clock.start()
    machines.ways_ms = iter([(80, 0)] * 5)
    await machines.clock.look()
    machines.pass_ms(1_000)
    assert machines.off_ms == 0
    await machines.clock.close()


@given(st.lists(st.tuples(st.integers(-(10**7), 10**7), st.integers(0, 10**5)), max_size=30))
async def test_time_never_goes_back(steps: list[tuple[int, int]]) -> None:
    machines = Machines()
    await machines.clock.start()
    before = machines.clock()
    for set_by, passed_us in steps:
        assert machines.there_ms is not None
        machines.there_ms += set_by
        await machines.clock.look()
        for _ in range(3):
            machines.pass_ms(passed_us / 1000)
            assert machines.clock() >= before
            before = machines.clock()
    await machines.clock.close()


async def test_the_store_tells_its_time_where_it_has_one(store: Store, engine: str) -> None:
    before = wall_clock()
    told = await store.time()
    if engine == "sqlite":
        assert told is None
    else:
        assert told is not None
        assert before <= told <= wall_clock()
