"""Queries: any SQLAlchemy select runs on both databases and answers in the same shape."""

from __future__ import annotations

import sqlite3
from typing import Any

import pytest
from sqlalchemy import Executable, bindparam, func, select

from parlour.store import queries
from parlour.store.api import Store
from parlour.store.migrate import sqlite_path
from parlour.store.schema import metadata, user
from parlour.store.sqlite.store import SqliteStore
from tests.store import rows
from tests.store.rows import make


async def test_a_row_is_read_by_name_or_number(store: Store) -> None:
    await make(store, rows.user("Ann", is_guest=True), rows.user("Bob"))
    query = select(user.c.username, user.c.is_guest, user.c.created_at).order_by(user.c.username)
    ann, bob = await store.rows(query)
    assert (ann["username"], ann[1], ann["created_at"]) == ("Ann", True, rows.NOW)
    assert bob["is_guest"] is False
    assert list(ann.keys()) == ["username", "is_guest", "created_at"]
    assert tuple(ann) == ("Ann", True, rows.NOW)


async def test_one_row_or_none(store: Store) -> None:
    await make(store, rows.user("Ann"))
    query = select(user.c.id).where(user.c.username_key == bindparam("key"))
    found = await store.row(query, key="ann")
    assert found is not None
    assert found["id"] == "user-Ann"
    assert await store.row(query, key="bob") is None


async def test_values_may_be_given_as_parameters_or_in_the_query(store: Store) -> None:
    await make(store, *(rows.user(f"u{number}") for number in range(9)))
    names = select(user.c.username).order_by(user.c.username)
    asked = names.where(user.c.username.in_(bindparam("names", expanding=True))).limit(
        bindparam("limit")
    )
    for wanted in ([], ["u1"], ["u3", "u2", "u1"], [f"u{number}" for number in range(9)]):
        found = await store.rows(asked, names=wanted, limit=2)
        assert [row[0] for row in found] == sorted(wanted)[:2]
    given = names.where(user.c.username.in_(["u1", "u2"]), user.c.created_at == rows.NOW)
    assert [row[0] for row in await store.rows(given)] == ["u1", "u2"]
    prefix = select(func.count()).where(user.c.username_key.startswith(bindparam("prefix")))
    counted = await store.row(prefix, prefix="u")
    assert counted is not None
    assert counted[0] == 9


class Noting(SqliteStore):
    """Remembers what was asked of it."""

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self.asked: list[tuple[str, Any]] = []

    def compiled(self, query: Executable, params: dict[str, Any]) -> tuple[str, Any]:
        self.asked.append(super().compiled(query, params))
        return self.asked[-1]


@pytest.mark.parametrize("engine", ["sqlite"], indirect=True)
async def test_no_query_of_play_reads_a_whole_table(database: str) -> None:
    store = Noting(database)
    await store.start()
    await queries.match_by_id(store, "m")
    await queries.matches_by_id(store, ["m", "n"])
    await queries.match_by_public_id(store, "g", "p")
    await queries.match_by_code(store, "g", "c")
    await queries.open_match_of(store, "u", "g")
    await queries.match_seated_by(store, "u", "g", "s", 5)
    await queries.journal(store, "m", after=5)
    await queries.standings(store, ["m", "n"])
    await queries.overdue_matches(store, 5)
    await queries.presence(store, "m")
    await queries.holders(store)
    await queries.held_seats(store, "p")
    await queries.held_tickets(store, "p")
    await queries.existing_tickets(store, ["t", "u"])
    await queries.tickets(store, "g")
    await queries.ticket_of(store, "u", "g")
    await queries.overdue_tickets(store, 5)
    await queries.challenge(store, "c")
    await queries.overdue_challenges(store, 5)
    await queries.ratings(store, ["u", "v"], "g")
    await store.close()

    connection = sqlite3.connect(sqlite_path(database))
    for sql, values in store.asked:
        plan = connection.execute(f"EXPLAIN QUERY PLAN {sql}", values).fetchall()
        steps = {step for *_, step in plan}
        assert not steps & {f"SCAN {table}" for table in metadata.tables}, (sql, plan)
    connection.close()
