"""The migrations make what the schema says, on both databases, however many run them at once."""
# ruff: noqa: S608 (the names put into SQL are the tests' own)

from __future__ import annotations

import asyncio
import re
import sqlite3
from collections.abc import AsyncIterator, Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any
from uuid import uuid4

import asyncpg
import msgspec
import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, NullPool, create_engine, inspect, select, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import create_async_engine

from parlour.games.connect_five.terms import Terms
from parlour.store import schema
from parlour.store.api import open_store
from parlour.store.change import Unavailable
from parlour.store.migrate import PRESENT, check, migrate, migrate_sqlite, sqlite_path
from parlour.store.schema import game_history, player_ratings, whole
from parlour.store.sqlite import store as sqlite
from parlour.store.upgrade import config
from tests.servers.postgres import Postgres
from tests.servers.stores import opened
from tests.store.rows import REFUSED, around, make, unchanged, user

Work = Callable[[Connection], Any]


@pytest.fixture
async def nothing(
    engine: str, tmp_path: Path, request: pytest.FixtureRequest
) -> AsyncIterator[tuple[str, str]]:
    """The addresses of two databases in which there is nothing at all."""
    if engine == "sqlite":
        yield f"sqlite:///{tmp_path}/one.db", f"sqlite:///{tmp_path}/two.db"
        return
    server: Postgres = request.getfixturevalue("postgres_server")
    one, two = (f"parlour_{uuid4().hex}" for _ in range(2))
    connection = await asyncpg.connect(server.url())
    for name in (one, two):
        await connection.execute(f"CREATE DATABASE {name}")
    yield server.url(one), server.url(two)
    for name in (one, two):
        await connection.execute(f"DROP DATABASE {name} WITH (FORCE)")
    await connection.close()


async def on(url: str, work: Work) -> Any:
    """Run something on a connection of SQLAlchemy."""
    if url.startswith("sqlite"):
        with create_engine(url, poolclass=NullPool).begin() as connection:
            return work(connection)
    engine = create_async_engine(
        "postgresql+asyncpg://", async_creator=lambda: asyncpg.connect(url), poolclass=NullPool
    )
    async with engine.begin() as connection:
        return await connection.run_sync(work)


def definitions(sql: str) -> Iterator[str]:
    """What stands between the outer parentheses, part by part: columns that came later share lines
    with what was there before.
    """
    head, _, body = " ".join(sql.split()).partition(" (")
    yield head
    part, depth = "", 0
    for letter in body:
        depth += (letter == "(") - (letter == ")")
        if depth < 0 or (letter == "," and depth == 0):
            yield part.strip()
            part, depth = "", max(depth, 0)
        else:
            part += letter
    yield part.strip()


async def shape(url: str) -> set[str]:
    """All columns, constraints and indexes of our tables, in the database's own words."""
    if url.startswith("sqlite"):
        connection = sqlite3.connect(sqlite_path(url))
        made = connection.execute("SELECT tbl_name, sql FROM sqlite_master WHERE type <> 'trigger'")
        lines = {f"{table}: {part}" for table, sql in made for part in definitions(sql or "")}
        connection.close()
    else:
        server = await asyncpg.connect(url)
        rows = await server.fetch(
            """
            SELECT conrelid::regclass || ': ' || conname || ' ' || pg_get_constraintdef(oid)
                FROM pg_constraint WHERE connamespace = 'public'::regnamespace
            UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'
            UNION ALL SELECT attrelid::regclass || ': ' || attname || ' '
                    || format_type(atttypid, atttypmod) || CASE WHEN attnotnull THEN '!' ELSE '' END
                FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
                WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND attnum > 0
                    AND NOT attisdropped
            UNION ALL SELECT relname || ' ' || reloptions::text FROM pg_class
                WHERE relnamespace = 'public'::regnamespace AND reloptions IS NOT NULL
            """
        )
        lines = {row[0] for row in rows}
        await server.close()
    views = re.compile(r"alembic_version|^(game_history|player_ratings):")
    return {line for line in lines if line and not views.search(line)}


def test_the_newest_revision_is_known_by_its_name() -> None:
    assert ScriptDirectory.from_config(config()).get_heads() == [PRESENT]


@pytest.mark.spec("A148")
async def test_schema_and_migrations_agree(nothing: tuple[str, str]) -> None:
    migrated, declared = nothing
    await migrate(migrated)
    await on(declared, whole().create_all)
    assert await shape(migrated) == await shape(declared)

    def differences(connection: Connection) -> list[Any]:
        return list(compare_metadata(MigrationContext.configure(connection), whole()))

    assert await on(migrated, differences) == []


async def test_views_have_the_columns_that_queries_name(database: str) -> None:
    def columns(view: str, connection: Connection) -> list[str]:
        return list(connection.exec_driver_sql(f"SELECT * FROM {view}").keys())

    for view in (game_history, player_ratings):
        found = await on(database, partial(columns, view.name))
        assert found == [column.name for column in view.columns]


@pytest.mark.spec("A20")
async def test_users_can_be_found_by_when_they_came(database: str) -> None:
    def indexed(connection: Connection) -> list[list[str | None]]:
        return [index["column_names"] for index in inspect(connection).get_indexes("user")]

    assert ["created_at"] in await on(database, indexed)


async def test_migrating_again_changes_nothing(database: str) -> None:
    async with opened(database) as store:
        await make(store, user("Ann"))
        async with unchanged(store):
            await migrate(database)


async def test_many_may_start_at_once_on_an_empty_database(
    nothing: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite, "migrate_sqlite", migrate_sqlite)  # from nothing, and no copy
    started = asyncio.Barrier(6)

    async def start(number: int) -> None:
        async with opened(nothing[0]) as store:
            await make(store, user(f"u{number}"))
            await started.wait()
            found = await store.rows(select(schema.user.c.username))
            assert {row["username"] for row in found} == {f"u{n}" for n in range(6)}

    async with asyncio.TaskGroup() as processes:
        for number in range(6):
            processes.create_task(start(number))


@pytest.mark.parametrize(
    "url", ["sqlite:////nowhere/parlour.db", "postgresql://nobody@127.0.0.1:1/nothing"]
)
async def test_a_database_that_cannot_be_opened_is_unavailable(url: str) -> None:
    with pytest.raises(Unavailable, match="cannot open the database"):
        await migrate(url)
    with pytest.raises(Unavailable, match="cannot open the database"):
        await open_store(url).start()


def make_empty(url: str) -> None:
    if url.startswith("sqlite"):
        Path(sqlite_path(url)).touch()


async def test_a_database_that_is_not_ready_is_told_from_one_that_is(
    nothing: tuple[str, str],
) -> None:
    url, _ = nothing
    make_empty(url)
    with pytest.raises(Unavailable, match="parlour migrate"):
        await check(url)
    assert await shape(url) == set()
    await migrate(url)
    await check(url)
    older = text("UPDATE alembic_version SET version_num = '0000'")
    await on(url, lambda connection: connection.execute(older))
    with pytest.raises(Unavailable, match="parlour migrate"):
        await check(url)


BEFORE_LISTS = """
INSERT INTO "user" (id, subject, username, username_key, is_guest, is_bot, created_at, updated_at)
    VALUES ('ann', 'ann', 'ann', 'ann', false, false, 0, 0),
        ('bob', 'bob', 'bob', 'bob', false, false, 0, 0);
INSERT INTO "match" (id, game, public_id, mode, status, version, options, seed, created_at,
        updated_at, ended_at, reason)
    VALUES ('won', 'memory', 'a', 'online', 'finished', 0, '', '', 11, 21, 21, 'completed'),
        ('off', 'memory', 'b', 'online', 'cancelled', 0, '', '', 12, 22, 22, 'cancelled'),
        ('on', 'memory', 'c', 'online', 'active', 0, '', '', 13, 23, NULL, NULL),
        ('both', 'quarto', 'd', 'local', 'finished', 0, '', '', 14, 24, 24, 'quarto');
INSERT INTO seat (match_id, seat, game, user_id, name, sole)
    VALUES ('won', 0, 'memory', 'ann', 'Ann', false), ('won', 1, 'memory', 'bob', 'Bob', false),
        ('off', 0, 'memory', 'ann', 'Ann', false), ('on', 1, 'memory', 'ann', 'Ann', true),
        ('both', 0, 'quarto', 'ann', 'Ann', false), ('both', 1, 'quarto', 'ann', 'Ann', false);
"""


def stepped(step: Callable[[Config, str], None], revision: str, connection: Connection) -> None:
    settings = config()
    settings.attributes["connection"] = connection
    step(settings, revision)


async def test_what_was_played_before_there_were_lists_is_in_them(
    nothing: tuple[str, str],
) -> None:
    url, _ = nothing
    make_empty(url)
    await on(url, partial(stepped, command.upgrade, "0001"))
    before = await shape(url)
    for statement in BEFORE_LISTS.split(";")[:-1]:
        await on(url, partial(Connection.exec_driver_sql, statement=statement))
    await on(url, partial(stepped, command.upgrade, "0002"))
    columns = "match_id, seat, created_at, finished_at, ending"
    listed = text(f"SELECT {columns} FROM seat ORDER BY created_at, seat")
    assert await on(url, lambda connection: list(map(tuple, connection.execute(listed)))) == [
        ("won", 0, 11, 21, "completed"),
        ("won", 1, 11, 21, "completed"),
        ("off", 0, 12, None, "cancelled"),
        ("on", 1, 13, None, "open"),
        ("both", 0, 14, 24, "quarto"),
        ("both", 1, 14, None, "quarto"),
    ]
    await on(url, partial(stepped, command.downgrade, "0001"))
    assert await shape(url) == before


BEFORE_TERMS = """
INSERT INTO "user" (id, subject, username, username_key, is_guest, is_bot, created_at, updated_at)
    VALUES ('ann', 'ann', 'ann', 'ann', false, false, 0, 0),
        ('bob', 'bob', 'bob', 'bob', false, false, 0, 0);
INSERT INTO challenge (id, game, challenger_id, opponent_id, currency, stake_amount,
        max_spend_amount, time_limit_seconds, status, expires_at, created_at, modified_at)
    VALUES ('one', 'connect_five', 'ann', 'bob', 'TNB', 10, 40, 300, 'pending', 9, 1, 2),
        ('two', 'connect_five', 'bob', 'ann', 'TNB', 0, 1000000000000000, 1800, 'expired', 9, 3, 4);
INSERT INTO account (id, kind, currency, balance, created_at) VALUES ('pot', 'escrow', 'TNB', 0, 1);
INSERT INTO escrow (id, challenge_id, account_id, currency, a_contrib, b_contrib, total, status,
        created_at) VALUES ('one', 'one', 'pot', 'TNB', 0, 0, 0, 'locked', 1);
INSERT INTO "match" (id, game, public_id, mode, status, version, options, seed, state, created_at,
        updated_at) VALUES ('on', 'connect_five', 'a', 'online', 'active', 0, '', '',
        '{"inventories":[{"h2":1,"bomb":0},{"h2":0,"bomb":3}]}', 1, 1);
INSERT INTO holding (match_id, seat, item, quantity)
    VALUES ('on', 0, 'H2', 1), ('on', 0, 'BOMB', 0), ('on', 1, 'H2', 0), ('on', 1, 'BOMB', 3)
"""


async def test_the_terms_of_challenges_are_kept_on_the_way_up_and_down(
    nothing: tuple[str, str],
) -> None:
    url, _ = nothing
    make_empty(url)
    await on(url, partial(stepped, command.upgrade, "0004"))
    before = await shape(url)
    for statement in BEFORE_TERMS.split(";"):
        await on(url, partial(Connection.exec_driver_sql, statement=statement))

    async def rows(sql: str) -> Any:
        return await on(url, lambda connection: list(map(tuple, connection.execute(text(sql)))))

    challenges = "SELECT * FROM challenge ORDER BY id"
    holdings = "SELECT * FROM holding ORDER BY match_id, seat, item"
    were = {name: sorted(map(repr, await rows(name))) for name in (challenges, holdings)}

    await on(url, partial(stepped, command.upgrade, "0006"))
    terms = await rows("SELECT id, terms, status, modified_at FROM challenge ORDER BY id")
    assert [(key, msgspec.json.decode(kept, type=Terms), *more) for key, kept, *more in terms] == [
        (
            "one",
            Terms(stake_amount=10, max_spend_amount=40, time_limit_seconds=300),
            "pending",
            2,
        ),
        (
            "two",
            Terms(stake_amount=0, max_spend_amount=10**15, time_limit_seconds=1800),
            "expired",
            4,
        ),
    ]
    with pytest.raises(DBAPIError, match="challenge_answered"):
        await rows("UPDATE challenge SET status = 'pending' WHERE id = 'two'")

    await on(url, partial(stepped, command.downgrade, "0004"))
    assert await shape(url) == before
    columns = (
        "id, game, challenger_id, opponent_id, currency, stake_amount, max_spend_amount,"
        " time_limit_seconds, status, expires_at, accepted_at, match_id, created_at, modified_at"
    )
    again = await rows(f"SELECT {columns} FROM challenge ORDER BY id")
    assert sorted(map(repr, again)) == were[challenges]
    assert sorted(map(repr, await rows(holdings))) == were[holdings]
    with pytest.raises(DBAPIError, match="challenge_answered"):
        await rows("UPDATE challenge SET status = 'pending' WHERE id = 'two'")


async def test_what_periodic_tasks_go_along_can_be_undone_and_made_again(
    nothing: tuple[str, str],
) -> None:
    url, _ = nothing
    await migrate(url)
    made = await shape(url)

    await on(url, partial(stepped, command.downgrade, "0002"))
    assert await shape(url) != made
    await migrate(url)
    assert await shape(url) == made


BEFORE_NUMBERS = """
INSERT INTO "user" (id, subject, username, username_key, is_guest, is_bot, created_at, updated_at)
    VALUES ('zoe', 'zoe', 'zoe', 'zoe', false, false, 1, 1),
        ('ann', 'ann', 'ann', 'ann', false, false, 2, 2),
        ('bob', 'bob', 'bob', 'bob', false, false, 2, 2);
INSERT INTO challenge (id, game, challenger_id, opponent_id, currency, stake_amount,
        max_spend_amount, time_limit_seconds, status, expires_at, created_at, modified_at)
    VALUES ('c2', 'connect_five', 'ann', 'bob', 'TNB', 1, 1, 300, 'accepted', 9, 6, 7),
        ('c1', 'connect_five', 'ann', 'bob', 'TNB', 1, 1, 300, 'expired', 9, 5, 7);
"""


async def test_what_was_there_before_has_numbers_in_the_order_it_was_made(
    nothing: tuple[str, str],
) -> None:
    url, _ = nothing
    make_empty(url)
    await on(url, partial(stepped, command.upgrade, "0004"))
    before = await shape(url)
    for statement in BEFORE_NUMBERS.split(";")[:-1]:
        await on(url, partial(Connection.exec_driver_sql, statement=statement))
    await on(url, partial(stepped, command.upgrade, "0005"))

    async def numbers(table: str) -> list[tuple[Any, ...]]:
        listed = text(f'SELECT id, number FROM "{table}" ORDER BY number')
        return list(await on(url, lambda connection: list(map(tuple, connection.execute(listed)))))

    assert await numbers("user") == [("zoe", 1), ("ann", 2), ("bob", 3)]
    assert await numbers("challenge") == [("c1", 1), ("c2", 2)]
    for refused in (
        "UPDATE challenge SET status = 'pending' WHERE id = 'c1'",
        "UPDATE challenge SET number = 7 WHERE id = 'c1'",
        """UPDATE "user" SET number = 7 WHERE id = 'ann'""",
        """UPDATE "user" SET number = NULL WHERE id = 'ann'""",
    ):
        with pytest.raises(REFUSED):
            await around(url, refused)
    await on(url, partial(stepped, command.downgrade, "0004"))
    assert await shape(url) == before
    with pytest.raises(REFUSED):
        await around(url, "UPDATE challenge SET status = 'pending' WHERE id = 'c1'")
    await migrate(url)
    assert await numbers("user") == [("zoe", 1), ("ann", 2), ("bob", 3)]


async def test_a_number_is_given_with_the_row_and_to_no_other_ever(database: str) -> None:
    async with opened(database) as store:
        for name in ("Ann", "Bob", "Zoe"):
            await make(store, user(name))
        last = select(schema.user.c.id, schema.user.c.number).order_by(schema.user.c.number.desc())
        newest, second, first = await store.rows(last)
        assert newest["number"] > second["number"] > first["number"] > 0
        await around(database, f"""DELETE FROM "user" WHERE id = '{newest["id"]}'""")
        await make(store, user("Eve"))
        newer, *others = await store.rows(last)
        assert newer["number"] > newest["number"]
        assert [row["number"] for row in others] == [second["number"], first["number"]]


BEFORE_SNAPSHOTS = """
INSERT INTO "match" (id, game, public_id, mode, status, version, options, seed, created_at,
        updated_at)
    VALUES ('later', 'connect4', 'a', 'online', 'active', 2, '', '', 12, 22),
        ('first', 'connect4', 'b', 'online', 'finished', 3, '', '', 11, 21),
        ('empty', 'connect4', 'c', 'online', 'active', 0, '', '', 13, 13);
INSERT INTO journal (match_id, version, at, kind, seat, action, seen_0, seen_1)
    VALUES ('later', 1, 12, 'start', NULL, NULL, 1, 2), ('later', 2, 22, 'act', 1, '{}', 3, 4);
INSERT INTO journal (match_id, version, at, kind, seat, action, seen_0, seen_1)
    VALUES ('first', 1, 11, 'start', NULL, NULL, NULL, NULL),
        ('first', 2, 12, 'act', 0, '{"column":3}', 11, 11),
        ('first', 3, 21, 'expire', NULL, NULL, 12, 13);
"""


async def stocked(url: str, revision: str, rows: str) -> set[str]:
    """A database as it was then, with these rows in it; its shape."""
    make_empty(url)
    await on(url, partial(stepped, command.upgrade, revision))
    for statement in rows.split(";")[:-1]:
        await on(url, partial(Connection.exec_driver_sql, statement=statement))
    return await shape(url)


async def test_journals_are_kept_on_the_way_up_and_down(nothing: tuple[str, str]) -> None:
    url, _ = nothing
    before = await stocked(url, "0008", BEFORE_SNAPSHOTS)

    async def entries(match: str, of: str) -> list[tuple[Any, ...]]:
        listed = text(
            f"""SELECT {match}, j.version, j.at, j.kind, j.seat, j.action, j.seen_0, j.seen_1
            FROM journal AS j {of} ORDER BY 1, 2"""
        )
        found = await on(url, lambda connection: list(map(tuple, connection.execute(listed))))
        return [tuple(bytes(v) if isinstance(v, memoryview) else v for v in row) for row in found]

    written = await entries("match_id", "")
    assert len(written) == 5
    by_number = ("match.id", "JOIN match ON match.number = j.match_number")

    await on(url, partial(stepped, command.upgrade, "0009"))
    assert await entries(*by_number) == written
    for refused in (
        "UPDATE journal SET at = 1",
        "DELETE FROM journal",
        "DELETE FROM match WHERE id = 'empty'",
        "UPDATE match SET version = 3 WHERE id = 'later'",
    ):
        with pytest.raises(REFUSED):
            await around(url, refused)
    step = """INSERT INTO journal (match_number, version, at, kind)
        SELECT number, {}, 30, 'act' FROM match WHERE id = 'later'"""
    with pytest.raises(REFUSED):
        await around(url, step.format(4))
    await around(url, step.format(3))

    # The older schema knows no row that is behind its journal: nothing is changed.
    with pytest.raises(RuntimeError, match="admin snapshot"):
        await on(url, partial(stepped, command.downgrade, "0008"))
    assert len(await entries(*by_number)) == 6
    await around(url, "UPDATE match SET version = 3 WHERE id = 'later'")

    await on(url, partial(stepped, command.downgrade, "0008"))
    assert await shape(url) == before
    added = ("later", 3, 30, "act", None, None, None, None)
    assert await entries("match_id", "") == sorted([*written, added], key=lambda row: row[:2])
    for refused in (
        "UPDATE journal SET at = 1",
        "INSERT INTO journal (match_id, version, at, kind) VALUES ('later', 5, 1, 'act')",
        "UPDATE match SET version = 9 WHERE id = 'later'",
    ):
        with pytest.raises(REFUSED):
            await around(url, refused)
    await migrate(url)
    assert len(await entries(*by_number)) == 6


BOOKS = """
INSERT INTO account (id, kind, currency, balance, created_at)
    VALUES ('pot', 'escrow', 'TNB', 7, 1), ('another', 'escrow', 'TNB', 3, 2);
INSERT INTO ledger_entry (position, transfer_id, account_id, number, direction, amount, balance,
    action, at)
    VALUES (1, 'first', 'mint:TNB', 1, 'debit', 10, -10, 'grant', 3),
        (2, 'first', 'pot', 1, 'credit', 10, 10, 'grant', 3),
        (5, 'second', 'pot', 2, 'debit', 3, 7, 'grant', 4),
        (6, 'second', 'another', 1, 'credit', 3, 3, 'grant', 4);
"""


async def test_books_are_kept_on_the_way_up_and_down(nothing: tuple[str, str]) -> None:
    url, _ = nothing
    before = await stocked(url, "0010", BOOKS)

    async def lines(account: str, of: str) -> list[tuple[Any, ...]]:
        listed = text(
            f"""SELECT position, transfer_id, {account}, e.number, direction, amount, e.balance,
            action, escrow_id, at FROM ledger_entry AS e {of} ORDER BY 1"""
        )
        found = await on(url, lambda connection: list(map(tuple, connection.execute(listed))))
        return list(found)

    written = await lines("account_id", "")
    assert len(written) == 4
    by_number = ("account.id", "JOIN account ON account.number = e.account_number")

    async def guarded(column: str, pot: str) -> None:
        entry = f"""INSERT INTO ledger_entry (position, transfer_id, {column}, number, direction,
            amount, balance, action, at)
            VALUES (9, '{{}}', {{}}, {{}}, 'debit', 1, 1, 'grant', 5)"""
        for refused in (
            "UPDATE ledger_entry SET amount = 1",
            "DELETE FROM ledger_entry",
            entry.format("third", pot, 2),
            entry.format("second", pot, 3),
        ):
            with pytest.raises(REFUSED):
                await around(url, refused)

    await on(url, partial(stepped, command.upgrade, "0011"))
    assert await lines(*by_number) == written
    await guarded("account_number", "(SELECT number FROM account WHERE id = 'pot')")
    await on(url, partial(stepped, command.downgrade, "0010"))
    assert await shape(url) == before
    assert await lines("account_id", "") == written
    await guarded("account_id", "'pot'")
    await migrate(url)
    assert await lines(*by_number) == written
