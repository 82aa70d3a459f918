"""Any number of things that cannot be seen to leaves everything else moving."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest
from msgspec.structs import replace
from structlog.testing import capture_logs

from parlour.play import rounds
from parlour.play.keeper import GRACE_MS
from parlour.play.kernel import Kernel
from parlour.play.match import Match
from parlour.play.player import Player
from parlour.play.rounds import AGAIN_FIRST_MS, AGAIN_LAST_MS, ROUND_LIMIT, Worklist
from parlour.store import queries
from parlour.store.api import Store
from parlour.store.change import Unavailable
from tests.play.conftest import MakeKernel, SetClock, live_on, policies
from tests.store.rows import around

MANY = ROUND_LIMIT + rounds.PAGE // 2
"""More than any round goes through."""

SOME = 220
TTL_MS = 20_000


async def room(kernel: Kernel, code: str) -> Match:
    """A room that waits, its seat held by a connection."""
    host = Player(name=code, connection=f"{code}-1", process_id=kernel.runtime.process_id)
    return await kernel.seating.open("quarto", host, code=code)


async def playing(kernel: Kernel, name: str) -> Match:
    """A match whose seats are held by connections."""
    first, second = (
        Player(name=name, connection=f"{name}-{n}", process_id=kernel.runtime.process_id)
        for n in range(2)
    )
    return await kernel.seating.start("quarto", (first, second))


async def held(store: Store, process_id: str) -> int:
    return len(await queries.held_seats(store, process_id, limit=10 * MANY))


async def test_any_number_of_expired_rooms_gives_its_seats_back_and_holds_up_nobody(
    make_kernel: MakeKernel, clock: SetClock, store: Store, database: str
) -> None:
    games = policies()
    games["quarto"] = replace(games["quarto"], held=True, waiting_ttl_ms=TTL_MS)
    dead, restarted = make_kernel(policies=games), make_kernel(policies=games)
    await asyncio.gather(*(room(dead, f"R{number:05}") for number in range(MANY)))
    # As an earlier version left them: expired, and their seats held for ever.
    await around(database, "UPDATE match SET status = 'expired', deadline_at = NULL")
    clock.pass_ms(1)
    late = await playing(dead, "late")
    await live_on(clock, 2 * TTL_MS, restarted)
    for _ in range(4):
        await restarted.keeper.sweep()
    assert await held(store, dead.runtime.process_id) == 0
    found = await restarted.finder.find(late.id)
    assert found is not None
    assert None not in found.state.away_until, "whose process died is away, and not for ever here"
    assert dead.runtime.process_id not in dict(await queries.leases(store))


async def test_any_number_of_rooms_lapses_after_a_restart_and_holds_no_seat(
    make_kernel: MakeKernel, clock: SetClock, store: Store
) -> None:
    games = policies()
    games["quarto"] = replace(games["quarto"], held=True, waiting_ttl_ms=TTL_MS)
    dead = make_kernel(policies=games)
    rooms = await asyncio.gather(*(room(dead, f"R{number:05}") for number in range(SOME)))
    await dead.drain()
    clock.pass_ms(10 * TTL_MS)
    restarted = make_kernel(policies=games)
    for _ in range(20):
        await live_on(clock, 1_000, restarted)
        await restarted.keeper.sweep()
    stored = await queries.matches_by_id(store, [each.id for each in rooms])
    assert {each.match.status for each in stored} == {"expired"}
    assert await held(store, dead.runtime.process_id) == 0


async def test_any_number_of_matches_that_cannot_be_read_is_set_aside_and_looked_at_again(
    make_kernel: MakeKernel,
    clock: SetClock,
    store: Store,
    database: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(rounds, "PAGE", 40)
    monkeypatch.setattr(rounds, "ROUND_LIMIT", 200)
    dead, living = make_kernel(), make_kernel()
    await dead.lease.renew()
    broken = await asyncio.gather(*(playing(dead, f"b{number}") for number in range(SOME)))
    await around(database, "UPDATE match SET deadline_at = created_at, mode = 'broken'")
    await around(database, "UPDATE match SET options = state, state = options")
    clock.pass_ms(1)
    whole = await playing(dead, "whole")
    timed = await dead.seating.open("connect4", Player(name="ann"))
    await dead.drain()
    await live_on(clock, 900_000 + GRACE_MS, living)
    assert (broken[0].id, broken[0].created_at) < (whole.id, timed.created_at)
    with capture_logs() as logs:
        for _ in range(5):
            await living.keeper.sweep()
    assert await living.finder.find(timed.id) is None, "it lapsed though others cannot be read"
    rows = await queries.presence(store, whole.id)
    assert [row.connection for row in rows] == [None, None]
    aside = {each.what: each.set_aside for each in living.keeper.worklists if each.set_aside}
    assert aside == {"overdue match": SOME, "lapsed seat": 2 * SOME}
    assert [line["event"] for line in logs].count("set aside") == 3 * SOME, "each is logged once"
    assert dead.runtime.process_id in dict(await queries.leases(store)), "it still holds something"

    await around(
        database,
        "UPDATE match SET options = state, state = options, deadline_at = NULL"
        " WHERE mode = 'broken'",
    )
    await live_on(clock, AGAIN_FIRST_MS, living)
    for _ in range(4):
        await living.keeper.sweep()
    assert await held(store, dead.runtime.process_id) == 0


# --- one worklist -----------------------------------------------------------------------------


class Rows:
    """Numbers to be seen to, of which some fail."""

    def __init__(self, numbers: Sequence[int], bad: Sequence[int] = ()) -> None:
        self.numbers = list(numbers)
        self.bad = set(bad)
        self.tried: list[int] = []
        self.error: Exception = ValueError("bad")

    async def read(self, after: int | None, limit: int) -> list[int]:
        return [each for each in self.numbers if after is None or each > after][:limit]

    async def do(self, number: int) -> None:
        self.tried.append(number)
        if number in self.bad:
            raise self.error
        self.numbers.remove(number)


def worklist(clock: SetClock) -> Worklist[int]:
    return Worklist("number", clock, lambda number: (number,))


async def test_what_failed_is_tried_again_later_and_later(clock: SetClock) -> None:
    rows, work = Rows([1, 2], bad=[1]), worklist(clock)
    waits: list[int] = []
    tried_at = clock()
    for _ in range(3 * AGAIN_LAST_MS // 10_000):
        before = len(rows.tried)
        await work.work(rows.read, rows.do)
        if rows.tried[before:].count(1):
            waits.append(clock() - tried_at)
            tried_at = clock()
        clock.pass_ms(10_000)
    assert waits[:5] == [0, 10_000, 20_000, 40_000, 80_000]
    assert max(waits) == AGAIN_LAST_MS
    assert rows.tried.count(2) == 1
    assert work.set_aside == 1
    rows.bad.clear()
    clock.pass_ms(AGAIN_LAST_MS)
    await work.work(rows.read, rows.do)
    assert (rows.numbers, work.set_aside) == ([], 0)


async def test_a_store_that_does_not_answer_for_one_ends_the_round_and_not_the_next(
    clock: SetClock,
) -> None:
    rows, work = Rows([1, 2, 3], bad=[1]), worklist(clock)
    rows.error = Unavailable()
    with pytest.raises(Unavailable):
        await work.work(rows.read, rows.do)
    await work.work(rows.read, rows.do)
    assert rows.tried == [1, 2, 3]
    assert work.set_aside == 0


async def test_more_than_can_be_remembered_is_neither_remembered_nor_logged(
    clock: SetClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rounds, "ASIDE_LIMIT", 3)
    rows, work = Rows(range(9), bad=range(8)), worklist(clock)
    with capture_logs() as logs:
        for _ in range(2):
            await work.work(rows.read, rows.do)
    assert work.set_aside == 3
    assert [line["event"] for line in logs] == ["set aside"] * 3 + ["too many set aside"]
    assert 8 not in rows.numbers


async def test_what_somebody_else_saw_to_is_forgotten(clock: SetClock) -> None:
    rows, work = Rows([1], bad=[1]), worklist(clock)
    await work.work(rows.read, rows.do)
    work.tidy()
    assert work.set_aside == 1
    clock.pass_ms(AGAIN_FIRST_MS + rounds.STALE_MS + 1)
    work.tidy()
    assert work.set_aside == 0
