"""What a client may name by an integer has one: given by the database when the row is made.

Both databases count without ever giving a number again, be it that the row was removed: PostgreSQL
by a sequence, SQLite by an entry in its own table of sequences.
"""
# ruff: noqa: S608 (only names of our own are put into SQL)

from __future__ import annotations

from typing import Final

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

NUMBERED: Final = ("user", "match", "challenge", "notification", "account")

ANSWERED: Final = "OLD.status <> 'pending'"
ANSWERED_AND_NUMBERED: Final = f"{ANSWERED} AND OLD.number IS NOT NULL"


def upgrade() -> None:
    for table in NUMBERED:
        op.add_column(table, sa.Column("number", sa.BigInteger()))
    # An answered challenge is closed for good, once it has its number.
    guard_challenges(ANSWERED_AND_NUMBERED)
    for table in NUMBERED:
        op.execute(number_existing(table))
        op.create_index(f"uq_{table}_number", table, ["number"], unique=True)
        if is_postgres():
            count_on_postgres(table)
        else:
            count_on_sqlite(table)
        keep_number(table)


def downgrade() -> None:
    for table in NUMBERED:
        drop_trigger(f"{table}_number", table)
        if is_postgres():
            op.execute(f'ALTER TABLE "{table}" ALTER COLUMN number DROP DEFAULT')
            op.execute(f"DROP SEQUENCE {table}_number")
        else:
            drop_trigger(f"{table}_numbered", table)
            op.execute(f"DELETE FROM sqlite_sequence WHERE name = '{table}.number'")
        op.drop_index(f"uq_{table}_number", table)
    guard_challenges(ANSWERED)
    for table in NUMBERED:
        op.drop_column(table, "number")


def number_existing(table: str) -> str:
    """In the order in which they were made."""
    return f"""
UPDATE "{table}" SET number = placed.place
FROM (SELECT id, row_number() OVER (ORDER BY created_at, id) AS place FROM "{table}") AS placed
WHERE placed.id = "{table}".id
"""


def count_on_postgres(table: str) -> None:
    op.execute(f'CREATE SEQUENCE {table}_number OWNED BY "{table}".number')
    op.execute(
        f"""SELECT setval('{table}_number', (SELECT coalesce(max(number), 0) + 1 FROM "{table}"),
        false)"""
    )
    op.execute(
        f"""ALTER TABLE "{table}" ALTER COLUMN number SET DEFAULT nextval('{table}_number')"""
    )


def count_on_sqlite(table: str) -> None:
    name = f"'{table}.number'"
    op.execute(
        f"""INSERT INTO sqlite_sequence (name, seq)
        SELECT {name}, coalesce(max(number), 0) FROM "{table}" """
    )
    number_on_sqlite(table)


def number_on_sqlite(table: str) -> None:
    """Each new row gets the next number."""
    name = f"'{table}.number'"
    op.execute(
        f"""CREATE TRIGGER {table}_numbered AFTER INSERT ON "{table}" WHEN NEW.number IS NULL
        BEGIN
            UPDATE sqlite_sequence SET seq = seq + 1 WHERE name = {name};
            UPDATE "{table}" SET number = (SELECT seq FROM sqlite_sequence WHERE name = {name})
            WHERE id = NEW.id;
        END"""
    )


def keep_number(table: str) -> None:
    """A number is for good."""
    refuse(
        f"{table}_number",
        "UPDATE OF number",
        table,
        f"OLD.number IS NOT NULL AND NEW.number IS {changed()} OLD.number",
    )


def guard_challenges(when: str) -> None:
    drop_trigger("challenge_answered", "challenge")
    refuse("challenge_answered", "UPDATE", "challenge", when)


def is_postgres() -> bool:
    return op.get_bind().dialect.name == "postgresql"


def changed() -> str:
    return "DISTINCT FROM" if is_postgres() else "NOT"


def refuse(name: str, event: str, table: str, when: str) -> None:
    """A trigger that lets nothing through for which `when` holds."""
    head = f'CREATE TRIGGER {name} BEFORE {event} ON "{table}"'
    if is_postgres():
        op.execute(f"{head} FOR EACH ROW WHEN ({when}) EXECUTE FUNCTION refuse()")
    else:
        op.execute(f"{head} WHEN {when} BEGIN SELECT RAISE(ABORT, '{name}'); END")


def drop_trigger(name: str, table: str) -> None:
    op.execute(f'DROP TRIGGER {name} ON "{table}"' if is_postgres() else f"DROP TRIGGER {name}")
