"""A database in which much has happened, made in seconds: for plans and times that tell something.

Most of it happened to one person, who has more of everything than an offset reaches. Rows are made
by the database itself, in the same words on both.
"""
# ruff: noqa: S608 (only numbers and words of our own are put into SQL)

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing

import asyncpg
import msgspec
from msgspec import Struct

from parlour.games.api import Dice, Env
from parlour.games.registry import all_rules
from parlour.store.migrate import sqlite_path

BUSY = "u100000000"
"""Who has more of everything than an offset reaches."""
WALLET_NUMBER = 2
"""Of the busy one's account; the mint has the first."""
OTHER = "u100000001"
BASE = 1_800_000_000_000
"""When it all began."""


BYTES = "bytes"
"""Stands for what the database calls them: the one thing that has no common name."""


class Size(Struct, frozen=True):
    """How much has happened; half of the matches, in three games, are the busy one's."""

    matches: int
    players: int
    own: int
    """Challenges, notifications and ledger entries of the busy one, each."""


def _numbers(count: int) -> str:
    return f"""(WITH RECURSIVE counted(n) AS
        (SELECT 0 UNION ALL SELECT n + 1 FROM counted WHERE n < {count - 1})
        SELECT n FROM counted) AS counted"""


def _id(letter: str, number: str) -> str:
    return f"'{letter}' || CAST(100000000 + {number} AS text)"


def statements(size: Size) -> Iterator[str]:
    """All that happened, in SQL of either database."""
    numbers = _numbers(size.players)
    yield f"""INSERT INTO "user" (id, subject, username, username_key, is_guest, is_bot,
            created_at, updated_at)
        SELECT {_id("u", "n")}, {_id("s", "n")}, {_id("Name", "n")}, {_id("name", "n")},
            true, false, {BASE}, {BASE} FROM {numbers}"""
    # Of those who have played little there are many with the same rating.
    for game in ("connect4", "memory"):
        yield f"""INSERT INTO rating (user_id, game, rating, wins, losses, draws, updated_at)
            SELECT {_id("u", "n")}, '{game}',
                CASE WHEN n % 3 = 0 THEN 1016 ELSE 600 + (n * 7919) % 1200 END,
                CASE WHEN n % 3 = 0 THEN 1 ELSE n % 40 END, 1, 0, {BASE} FROM {numbers}"""
    yield from _matches(size)
    yield from _challenges(size)
    yield from _own(size)
    yield from _under_way()


_GAME = "CASE (n / 2) % 3 WHEN 0 THEN 'connect4' WHEN 1 THEN 'memory' ELSE 'connect_five' END"
_OPEN = "(n / 6) % 10 = 9"
_REASON = "CASE (n / 6) % 10 WHEN 0 THEN 'cancelled' WHEN 1 THEN 'timeout' ELSE 'connect5' END"
_STATUS = "CASE (n / 6) % 10 WHEN 0 THEN 'cancelled' WHEN 9 THEN 'active' ELSE 'finished' END"


def _states() -> str:
    """Boards as they are at the start; most of a page's weight."""
    states = {key: _state(key) for key in ("connect4", "memory", "connect_five")}
    cases = " ".join(
        f"WHEN '{key}' THEN CAST('{state}' AS {BYTES})" for key, state in states.items()
    )
    return f"CASE {_GAME} {cases} END"


def _state(key: str) -> str:
    rules = all_rules()[key]
    state = rules.setup(rules.options_type(), Env(BASE, Dice(b"seed", 1)))
    return msgspec.json.encode(state).decode().replace("'", "''")


def _matches(size: Size) -> Iterator[str]:
    numbers = _numbers(size.matches)
    at = f"{BASE} + n"
    yield f"""INSERT INTO "match" (number, id, game, public_id, mode, status, version, state,
            options, seed, created_at, updated_at, started_at, ended_at, deadline_at, winner,
            reason)
        SELECT n + 1, {_id("m", "n")}, {_GAME}, {_id("p", "n")}, 'online', {_STATUS}, 0,
            {_states()}, '{{}}', '0', {at}, {at}, {at},
            CASE WHEN {_OPEN} THEN NULL ELSE {at} + 60000 END,
            CASE WHEN {_OPEN} THEN {at} + 60000 END, CASE WHEN NOT {_OPEN} THEN 0 END,
            CASE WHEN NOT {_OPEN} THEN {_REASON} END
        FROM {numbers}"""
    somebody = _id("u", f"(2 + (n * 31) % {size.players - 2})")
    players = (
        f"CASE WHEN n % 2 = 0 THEN '{BUSY}' ELSE {somebody} END",
        _id("u", f"(1 + (n * 17) % {size.players - 1})"),
    )
    for seat, player in enumerate(players):
        yield f"""INSERT INTO seat (match_id, seat, game, user_id, name, sole, created_at,
                finished_at, ending)
            SELECT {_id("m", "n")}, {seat}, {_GAME}, {player}, 'Name', false, {at},
                CASE WHEN {_STATUS} = 'finished' THEN {at} + 60000 END,
                CASE WHEN {_OPEN} THEN 'open' ELSE {_REASON} END
            FROM {numbers}"""


_TERMS = (
    """CAST('{"stake_amount":0,"max_spend_amount":0,"time_limit_seconds":300}' AS """ + f"{BYTES})"
)


def _challenges(size: Size) -> Iterator[str]:
    """As many to the busy one as from there; half of each were taken back."""
    yield f"""INSERT INTO challenge (id, game, challenger_id, opponent_id, currency, terms, status,
            expires_at, created_at, modified_at)
        SELECT {_id("c", "n")}, 'connect_five',
            CASE n % 2 WHEN 0 THEN '{BUSY}' ELSE {_id("u", f"(1 + n % {size.players - 1})")} END,
            CASE n % 2 WHEN 1 THEN '{BUSY}' ELSE {_id("u", f"(1 + n % {size.players - 1})")} END,
            'TNB', {_TERMS},
            CASE (n / 2) % 4 WHEN 0 THEN 'pending' WHEN 1 THEN 'expired' ELSE 'cancelled' END,
            {BASE} + n + 300000, {BASE} + n, {BASE} + n
        FROM {_numbers(2 * size.own)}"""


def _own(size: Size) -> Iterator[str]:
    numbers = _numbers(size.own)
    yield f"""INSERT INTO notification (id, user_id, type, payload, is_read, created_at)
        SELECT {_id("n", "n")}, '{BUSY}', 'T', '{{}}', n % 8 = 0, {BASE} + n FROM {numbers}"""
    yield f"""INSERT INTO account (id, kind, user_id, currency, balance, created_at, number)
        VALUES ('wallet:{BUSY}', 'wallet', '{BUSY}', 'TNB', {size.own}, {BASE},
            {WALLET_NUMBER})"""
    yield f"""INSERT INTO ledger_entry (position, transfer_id, account_number, number, direction,
            amount, balance, action, at)
        SELECT n + 1, {_id("t", "n")}, {WALLET_NUMBER}, n + 1, 'credit', 1, n + 1, 'grant',
            {BASE} + n FROM {numbers}"""


def _under_way() -> Iterator[str]:
    """What a server holds while it runs: thousands of tickets, seats and events on their way."""
    numbers = _numbers(2_000)
    yield f"""INSERT INTO ticket (id, game, user_id, name, joined_at, seen_at, deadline_at,
            connection, process_id)
        SELECT {_id("k", "n")}, 'connect4', {_id("u", "n")}, 'Name', {BASE} + n, {BASE} + n,
            {BASE} + n, {_id("x", "n")}, {_id("process", "(n % 3)")} FROM {numbers}"""
    yield f"""INSERT INTO presence (match_id, seat, seen_at, connection, process_id)
        SELECT {_id("m", "n")}, 0, {BASE}, {_id("x", "n")}, {_id("process", "(n % 3)")}
        FROM {numbers}"""
    yield f"""INSERT INTO lease (process_id, until)
        SELECT {_id("process", "n")}, {BASE} FROM {_numbers(3)}"""
    yield f"""INSERT INTO outbox (key, type, payload, at)
        SELECT {_id("m", "n")}, 'move_made', '{{}}', {BASE} + n FROM {numbers}"""
    yield f"""INSERT INTO kept_answer (user_id, "key", fingerprint, answer, created_at)
        SELECT '{BUSY}', {_id("w", "n")}, 'f', '{{}}', {BASE} FROM {numbers}"""
    yield f"""INSERT INTO journal (match_number, version, at, kind, seat, action)
        SELECT number, n + 1, {BASE} + n, 'act', 0, '{{}}'
        FROM match, {_numbers(40)} WHERE match.id = 'm100000000'"""


async def fill(url: str, size: Size) -> None:
    """Make it all happen in an empty database."""
    if url.startswith("sqlite"):
        fill_sqlite(sqlite_path(url), size)
        return
    connection = await asyncpg.connect(url)
    try:
        # As a replica, for a replica asks neither foreign keys nor triggers.
        await connection.execute("SET session_replication_role = replica")
        for statement in statements(size):
            await connection.execute(statement.replace(f"AS {BYTES})", "AS bytea)"))
        await connection.execute("SELECT setval('match_number', $1)", size.matches)
        await connection.execute("SELECT setval('account_number', $1)", WALLET_NUMBER)
        await connection.execute("RESET session_replication_role")
        await connection.execute("VACUUM ANALYZE")
    finally:
        await connection.close()


def fill_sqlite(path: str, size: Size) -> None:
    """The same in a file. Indexes are made afterwards, which takes a fraction of the time."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA synchronous = OFF")
        connection.execute("PRAGMA cache_size = -200000")
        later = connection.execute(
            "SELECT name, sql FROM sqlite_master WHERE type IN ('index', 'trigger') AND sql <> ''"
        ).fetchall()
        kinds = dict(connection.execute("SELECT name, type FROM sqlite_master"))
        connection.execute("BEGIN")
        for name, _ in later:
            connection.execute(f"DROP {kinds[name]} {name}")
        for statement in statements(size):
            connection.execute(statement.replace(f"AS {BYTES})", "AS blob)"))
        for given, last in (("match.number", size.matches), ("account.number", WALLET_NUMBER)):
            connection.execute("UPDATE sqlite_sequence SET seq = ? WHERE name = ?", (last, given))
        for _, sql in later:
            connection.execute(sql)
        connection.execute("COMMIT")
