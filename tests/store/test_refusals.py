"""What the database itself refuses, to whoever goes around the store with SQL of their own."""
# ruff: noqa: S608 (going around the store is the point)

from __future__ import annotations

import pytest

from parlour.store.api import Store
from parlour.store.change import AnswerChallenge, AuditRow, SettleEscrow
from tests.store.rows import (
    NOW,
    REFUSED,
    advance,
    around,
    create,
    entry,
    make,
    seat,
    staked,
    unchanged,
)

ENTRY = """INSERT INTO journal (match_number, version, at, kind)
    SELECT number, {}, 1, 'act' FROM match WHERE id = 'match'"""
SEAT = "INSERT INTO seat (match_id, seat, game, user_id, name, sole) VALUES ({})"
ESCROW = """INSERT INTO escrow
    (id, challenge_id, account_id, currency, a_contrib, b_contrib, total, status, created_at)
    VALUES ('escrow', 'challenge', 'pot', 'TNB', 0, 0, 0, 'locked', 1)"""


async def fill(store: Store) -> None:
    """A match with two steps, a user's open game, a stake, a settled escrow."""
    await staked(store)
    await make(store, SettleEscrow(id="escrow", how="won", at=NOW))
    answer = AnswerChallenge(id="challenge", status="expired", modified_at=NOW)
    audit = AuditRow(id="audit", subject_id="challenge", type="move", payload=b"", at=NOW)
    await make(store, answer, audit)
    sole = seat(0, "Ann", user_id="user-Ann", sole=True)
    await make(store, create("match", sole), create("other", seat(0, "Bob")))
    for version in (1, 2):
        await make(store, entry(version), advance(version))


@pytest.mark.parametrize(
    "sql",
    [
        ENTRY.format(4),
        ENTRY.format(2),
        ENTRY.format(0),
        ENTRY.format(-1),
        "INSERT INTO journal (match_number, version, at, kind) VALUES (99, 1, 1, 'act')",
        "INSERT INTO journal (match_number, version, at, kind) VALUES (99, 2, 1, 'act')",
        "UPDATE journal SET at = 5 WHERE version = 1",
        "UPDATE journal SET version = 3 WHERE version = 2",
        "DELETE FROM journal WHERE version = 2",
        "DELETE FROM journal",
    ],
)
async def test_a_journal_stays_whole(store: Store, database: str, sql: str) -> None:
    await fill(store)
    async with unchanged(store):
        with pytest.raises(REFUSED):
            await around(database, sql)
    await around(database, ENTRY.format(3))


@pytest.mark.parametrize("version", [-1, 0, 1, 3, 100])
async def test_a_match_never_goes_back_nor_ahead_of_its_journal(
    store: Store, database: str, version: int
) -> None:
    await fill(store)
    async with unchanged(store):
        with pytest.raises(REFUSED):
            await around(database, f"UPDATE match SET version = {version} WHERE id = 'match'")
    await around(database, "UPDATE match SET version = 2, reason = 'x' WHERE id = 'match'")
    await around(database, ENTRY.format(3))
    await around(database, "UPDATE match SET version = 3 WHERE id = 'match'")


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE account SET balance = -1 WHERE id = 'wallet-Ann'",
        "UPDATE account SET balance = -1 WHERE id = 'pot'",
        "UPDATE account SET kind = 'wallet' WHERE id = 'mint:TNB'",
    ],
)
async def test_nothing_is_below_zero_but_the_mint(store: Store, database: str, sql: str) -> None:
    await fill(store)
    async with unchanged(store):
        with pytest.raises(REFUSED):
            await around(database, sql)
    await around(database, "UPDATE account SET balance = balance - 1 WHERE id = 'mint:TNB'")


@pytest.mark.spec("C38", "C41", "C45")
@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE escrow SET settled_at = 5",
        "UPDATE escrow SET status = 'locked', how = NULL, settled_at = NULL",
        "UPDATE escrow SET a_contrib = a_contrib + 1, total = total + 1",
        "DELETE FROM escrow",
    ],
)
async def test_a_settled_escrow_is_settled(store: Store, database: str, sql: str) -> None:
    await fill(store)
    async with unchanged(store):
        with pytest.raises(REFUSED):
            await around(database, sql)


@pytest.mark.spec("C38")
@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE escrow SET total = 11",
        "UPDATE escrow SET a_contrib = 11",
        "UPDATE escrow SET b_contrib = 1",
        "UPDATE escrow SET a_contrib = 11, b_contrib = -1",
        "UPDATE escrow SET status = 'settled'",
        "UPDATE escrow SET how = 'won'",
        "DELETE FROM escrow",
    ],
)
async def test_a_pot_is_the_sum_of_its_parts(store: Store, database: str, sql: str) -> None:
    await staked(store)
    async with unchanged(store):
        with pytest.raises(REFUSED):
            await around(database, sql)
    await around(database, "UPDATE escrow SET a_contrib = 11, total = 11")


@pytest.mark.spec("C43", "C84")
@pytest.mark.parametrize("table", ["ledger_entry", "audit"])
async def test_books_are_only_added_to(store: Store, database: str, table: str) -> None:
    await fill(store)
    async with unchanged(store):
        for sql in (f"UPDATE {table} SET at = 5", f"DELETE FROM {table}"):
            with pytest.raises(REFUSED):
                await around(database, sql)


@pytest.mark.parametrize("engine", ["postgres"], indirect=True)
@pytest.mark.parametrize("table", ["journal", "ledger_entry", "audit", "escrow"])
async def test_nothing_is_emptied(store: Store, database: str, table: str) -> None:
    await fill(store)
    async with unchanged(store):
        with pytest.raises(REFUSED):
            await around(database, f"TRUNCATE {table} CASCADE")


@pytest.mark.spec("A124")
async def test_a_second_open_game_is_refused(store: Store, database: str) -> None:
    await fill(store)
    second = SEAT.format("'other', 1, 'connect4', 'user-Ann', 'Ann', true")
    async with unchanged(store):
        with pytest.raises(REFUSED):
            await around(database, second)
        with pytest.raises(REFUSED):
            await around(database, "UPDATE seat SET user_id = 'user-Ann', sole = true")
    await around(database, "UPDATE seat SET sole = false WHERE match_id = 'match'")
    await around(database, second)


@pytest.mark.spec("C21")
async def test_an_answered_challenge_is_answered(store: Store, database: str) -> None:
    await fill(store)
    async with unchanged(store):
        with pytest.raises(REFUSED):
            await around(database, "UPDATE challenge SET status = 'pending'")


@pytest.mark.parametrize(
    "sql",
    [
        "DELETE FROM match WHERE id = 'match'",
        "UPDATE match SET status = 'paused'",
        "UPDATE match SET winner = 2",
        "UPDATE seat SET seat = 2",
        "INSERT INTO seat (match_id, seat, game, name, sole) VALUES ('x', 0, 'g', 'n', false)",
        "DELETE FROM \"user\" WHERE id = 'user-Ann'",
        "UPDATE \"user\" SET username_key = 'bob' WHERE id = 'user-Ann'",
    ],
)
async def test_what_would_make_no_sense_is_refused(store: Store, database: str, sql: str) -> None:
    await fill(store)
    async with unchanged(store):
        with pytest.raises(REFUSED):
            await around(database, sql)


@pytest.mark.parametrize("engine", ["sqlite"], indirect=True)
@pytest.mark.parametrize(
    "sql",
    [
        "INSERT OR REPLACE INTO journal SELECT * FROM journal WHERE version = 1",
        """INSERT OR REPLACE INTO journal (match_number, version, at, kind)
            SELECT match_number, max(version), 1, 'act' FROM journal""",
        "INSERT OR REPLACE INTO ledger_entry SELECT * FROM ledger_entry",
        """INSERT OR REPLACE INTO ledger_entry
            SELECT 99, transfer_id, account_number, 99, direction, 0, balance, action, escrow_id, at
            FROM ledger_entry LIMIT 1""",
        """INSERT OR REPLACE INTO ledger_entry
            SELECT 99, 'x', account_number, number, direction, 0, balance, action, escrow_id, at
            FROM ledger_entry LIMIT 1""",
        "INSERT OR REPLACE" + ESCROW.removeprefix("INSERT"),
        "INSERT OR REPLACE" + ESCROW.removeprefix("INSERT").replace("'escrow'", "'another'"),
        "INSERT OR REPLACE INTO match SELECT * FROM match WHERE id = 'match'",
        "INSERT OR REPLACE INTO challenge SELECT * FROM challenge",
    ],
)
async def test_replacing_is_no_way_around(store: Store, database: str, sql: str) -> None:
    await fill(store)
    async with unchanged(store):
        with pytest.raises(REFUSED):
            await around(database, sql)
