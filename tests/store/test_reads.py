"""No read keeps the others waiting: what takes long is read beside, and ends."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest
from sqlalchemy import Executable, bindparam, select, text

from parlour.store.api import Record, Store
from parlour.store.change import Unavailable
from parlour.store.postgres import store as postgres
from parlour.store.schema import user
from parlour.store.sqlite import reads as sqlite_reads
from parlour.store.sqlite import store as sqlite
from tests.store import rows

COUNTING = """WITH RECURSIVE numbers(n) AS
    (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < {0}) SELECT max(n) AS n FROM numbers"""
LONG = text(COUNTING.format(1_000_000))
ENDLESS = text(COUNTING.format(10**15))
SHORT = select(user.c.username).where(user.c.id == bindparam("id"))

on_sqlite = pytest.mark.parametrize("engine", ["sqlite"], indirect=True)


async def under_way(store: Store, query: Executable) -> asyncio.Task[Sequence[Record]]:
    """A read that has begun."""
    reading = asyncio.create_task(store.rows(query))
    await asyncio.sleep(0)
    return reading


async def test_others_are_answered_while_a_long_read_goes_on(store: Store) -> None:
    await rows.make(store, rows.user("Ann"))
    reading = await under_way(store, LONG)
    found = await store.row(SHORT, id="user-Ann")
    assert not reading.done()
    assert found is not None
    await rows.make(store, rows.user("Bob"))
    assert not reading.done()
    (counted,) = await reading
    assert counted["n"] == 1_000_000


@on_sqlite
async def test_a_read_that_turned_out_long_is_counted_and_short_ones_never_are(
    store: Store,
) -> None:
    await rows.make(store, rows.user("Ann"))
    # Far more work together than one read may do.
    for _ in range(5 * sqlite_reads.BUDGET_STEPS // 10):
        await store.rows(SHORT, id="user-Ann")
    assert store.overlong_reads == 0
    await store.rows(LONG)
    assert store.overlong_reads == 1
    await store.list_rows(LONG)
    assert store.overlong_reads == 1


async def test_a_list_that_takes_too_long_is_given_up(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (postgres, sqlite):
        monkeypatch.setattr(module, "READ_LIMIT_S", 0.05)
    with pytest.raises(Unavailable, match="the read took too long"):
        await store.list_rows(ENDLESS)
    assert await store.list_rows(SHORT, id="nobody") == []


@on_sqlite
async def test_whoever_asked_and_went_holds_no_thread_for_good(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite, "READ_LIMIT_S", 0.05)
    asked = [asyncio.create_task(store.list_rows(ENDLESS)) for _ in range(50)]
    await asyncio.sleep(0)
    for task in asked:
        task.cancel()
    assert await store.list_rows(SHORT, id="nobody") == []
    await asyncio.gather(*asked, return_exceptions=True)


@on_sqlite
async def test_a_read_beside_sees_what_was_committed_before(store: Store) -> None:
    for number in range(20):
        await rows.make(store, rows.user(f"u{number}"))
        found = await store.list_rows(SHORT, id=f"user-u{number}")
        assert len(found) == 1
