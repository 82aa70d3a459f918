"""What is asked often is answered by an index, not by looking through a table."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import asyncpg
import pytest
from sqlalchemy import Select

from parlour.money import wallets
from parlour.people import history, leaderboard, users
from parlour.store import queries
from parlour.store.api import open_store

ASKED: dict[str, tuple[Select[Any], dict[str, Any], tuple[str, ...]]] = {
    "a game by its public id": (
        queries._BY_PUBLIC_ID,
        {"game": "connect4", "public_id": "ABCDEFGH"},
        ("sqlite_autoindex_match", "sqlite_autoindex_seat"),
    ),
    "a game by its code": (
        queries._BY_CODE,
        {"game": "connect4", "code": "ABCDEF"},
        ("uq_code",),
    ),
    "the open game of a user": (
        queries._OPEN_OF,
        {"game": "connect4", "user_id": "ann"},
        ("uq_open_game",),
    ),
    "the past games of a user": (
        history._IDS,
        {"game": "connect4", "user_id": "ann", "limit": 10, "offset": 0},
        ("ix_seat_user_id",),
    ),
    "who is best": (
        leaderboard._BEST,
        {"game": "connect4", "limit": 10, "offset": 0},
        ("ix_rating_rating",),
    ),
    "who is called like this": (
        users._BY_PREFIX,
        {"first": "ann", "last": "ann\N{DELETE}", "but": "bob"},
        ("sqlite_autoindex_user",),
    ),
    "how many entries a wallet has": (
        wallets._NEWEST,
        {"account_id": "wallet:ann"},
        ("sqlite_autoindex_ledger_entry",),
    ),
    "what moved a wallet's money": (
        wallets._PAGE,
        {"account_id": "wallet:ann", "newest": 90, "limit": 10},
        ("(account_id=? AND number<?)",),
    ),
    "what is overdue": (
        queries._OVERDUE_MATCHES,
        {"now": 0, "after_at": -1, "after_id": "", "limit": 10},
        ("ix_match_deadline_at (deadline_at>? AND deadline_at<?)",),
    ),
    "what a process holds": (
        queries._HELD_SEATS,
        {"process_id": "p", "match_id": "m", "seat": 0, "limit": 10},
        ("ix_presence_process_id (process_id=? AND (match_id,seat)>(?,?))",),
    ),
    "who waits longest": (
        queries._TICKETS,
        {"game": "connect4", "limit": 10},
        ("ix_ticket_game",),
    ),
}


@pytest.mark.spec("A20", "A35")
@pytest.mark.parametrize("asked", ASKED)
def test_an_index_answers(asked: str, sqlite_template: Path) -> None:
    query, params, indexes = ASKED[asked]
    sql, values = open_store("sqlite://").compiled(query, params)
    with closing(sqlite3.connect(sqlite_template)) as connection:
        plan = [row[3] for row in connection.execute(f"EXPLAIN QUERY PLAN {sql}", values)]
    for index in indexes:
        assert any(index in step for step in plan), plan
    assert not any(step.startswith("SCAN") and "INDEX" not in step for step in plan), plan


async def test_postgres_finds_the_beginning_of_a_name_in_the_index(postgres_database: str) -> None:
    query, params, _ = ASKED["who is called like this"]
    sql, values = open_store(postgres_database).compiled(query, params)
    connection = await asyncpg.connect(postgres_database)
    try:
        # An empty table would be read whole.
        await connection.execute("SET enable_seqscan = off")
        plan = [row[0].strip() for row in await connection.fetch(f"EXPLAIN {sql}", *values)]
    finally:
        await connection.close()
    assert any("Index Cond:" in step and ">= 'ann'" in step for step in plan), plan
