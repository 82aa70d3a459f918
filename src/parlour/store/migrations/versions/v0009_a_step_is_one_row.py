"""A step is one row of the journal, and the row of a match a snapshot.

The journal knows matches by their numbers, is appended to, and has no foreign key: its first entry
is that of a match, each further one follows another, and no match is removed. The row of a match
may fall behind its journal, and is never ahead of it.
"""
# ruff: noqa: S608 (only names of our own are put into SQL)

from __future__ import annotations

from typing import Any, Final

import sqlalchemy as sa
from alembic import op

from parlour.store.migrations.versions.v0001_ground_floor import (
    GOES_UP,
    POSITION,
    REFUSE_GAP,
    STAYS,
    refuse,
    refuse_gap,
)
from parlour.store.migrations.versions.v0005_numbers import drop_trigger, is_postgres

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

ENTRY: Final = ("version", "at", "kind", "seat", "action", "seen_0", "seen_1")

BEHIND: Final = """SELECT count(*) FROM "match" WHERE version <
    (SELECT max(version) FROM journal WHERE match_number = "match".number)"""
ASTRAY: Final = """NEW.version < OLD.version OR NOT EXISTS
    (SELECT 1 FROM journal WHERE match_number = NEW.number AND version = NEW.version)"""
REFUSE_ASTRAY: Final = f"""
CREATE FUNCTION refuse_astray() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF {ASTRAY} THEN
        RAISE EXCEPTION USING ERRCODE = 'integrity_constraint_violation',
            MESSAGE = TG_NAME, CONSTRAINT = TG_NAME;
    END IF;
    RETURN NEW;
END $$
"""
NEXT: Final = """(SELECT coalesce(max(version), 0) + 1 FROM journal
    WHERE match_number = NEW.match_number)"""
NO_MATCH: Final = '(SELECT number FROM "match" WHERE number = {}.match_number) IS NULL'
# Once for all that a statement makes: for each row it would cost more than the row. What is asked
# is one value of each, as PostgreSQL may answer EXISTS by reading the whole table.
REFUSE_GAPS: Final = f"""
CREATE FUNCTION refuse_gaps() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (
        SELECT FROM made WHERE CASE WHEN version = 1 THEN {NO_MATCH.format("made")}
        ELSE (SELECT before.version FROM journal AS before WHERE
            before.match_number = made.match_number AND before.version = made.version - 1) IS NULL
        END
    ) THEN
        RAISE EXCEPTION USING ERRCODE = 'integrity_constraint_violation',
            MESSAGE = TG_NAME, CONSTRAINT = TG_NAME;
    END IF;
    RETURN NULL;
END $$
"""


def upgrade() -> None:
    op.execute("CREATE TABLE journal_kept AS SELECT * FROM journal")
    op.drop_table("journal")
    drop_trigger("match_version", "match")
    _make_journal(
        sa.Column("match_number", POSITION, autoincrement=False, nullable=False),
        sa.PrimaryKeyConstraint("match_number", "version", name=op.f("pk_journal")),
    )
    op.execute(
        f"""INSERT INTO journal (match_number, {", ".join(ENTRY)})
        SELECT number, {", ".join(f"kept.{name}" for name in ENTRY)}
        FROM journal_kept AS kept JOIN "match" ON "match".id = kept.match_id
        ORDER BY kept.at, number, kept.version"""
    )
    op.drop_table("journal_kept")
    _guard_journal()
    refuse("match_removed", "DELETE", "match")
    if is_postgres():
        op.execute("DROP FUNCTION refuse_gap()")
        op.execute(REFUSE_GAPS)
        op.execute(
            "CREATE TRIGGER journal_gap AFTER INSERT ON journal REFERENCING NEW TABLE AS made"
            " FOR EACH STATEMENT EXECUTE FUNCTION refuse_gaps()"
        )
        op.execute(REFUSE_ASTRAY)
        op.execute(
            'CREATE TRIGGER match_version BEFORE UPDATE OF version ON "match" FOR EACH ROW'
            f" WHEN (NOT ({STAYS})) EXECUTE FUNCTION refuse_astray()"
        )
    else:
        gap = f"NEW.version <> {NEXT} OR (NEW.version = 1 AND {NO_MATCH.format('NEW')})"
        refuse("journal_gap", "INSERT", "journal", gap)
        refuse("match_version", "UPDATE OF version", "match", f"NOT ({STAYS}) AND ({ASTRAY})")


def downgrade() -> None:
    behind = op.get_bind().execute(sa.text(BEHIND)).scalar_one()
    if behind:
        raise RuntimeError(
            f"the rows of {behind} matches are behind their journals: "
            "`parlour admin snapshot --yes` writes them"
        )
    op.execute(
        f"""CREATE TABLE journal_kept AS
        SELECT "match".id AS match_id, {", ".join(f"journal.{name}" for name in ENTRY)}
        FROM journal JOIN "match" ON "match".number = journal.match_number"""
    )
    drop_trigger("match_version", "match")
    drop_trigger("match_removed", "match")
    op.drop_table("journal")
    if is_postgres():
        op.execute("DROP FUNCTION refuse_gaps()")
        op.execute("DROP FUNCTION refuse_astray()")
        op.execute(REFUSE_GAP)
    _make_journal(
        sa.Column("match_id", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("match_id", "version", name=op.f("pk_journal")),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"], name=op.f("fk_journal_match_id")),
        sqlite_with_rowid=False,
    )
    op.execute(
        f"""INSERT INTO journal (match_id, {", ".join(ENTRY)})
        SELECT match_id, {", ".join(ENTRY)} FROM journal_kept ORDER BY match_id, version"""
    )
    op.drop_table("journal_kept")
    refuse_gap()
    _guard_journal()
    refuse("match_version", "UPDATE OF version", "match", f"NOT ({STAYS} OR {GOES_UP})")


def _make_journal(*items: sa.schema.SchemaItem, **options: Any) -> None:
    op.create_table(
        "journal",
        *items,
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("seat", sa.SmallInteger()),
        sa.Column("action", sa.LargeBinary()),
        sa.Column("seen_0", sa.BigInteger()),
        sa.Column("seen_1", sa.BigInteger()),
        sa.CheckConstraint("seat IN (0, 1)", name=op.f("ck_journal_seat")),
        sa.CheckConstraint("version >= 1", name=op.f("ck_journal_version")),
        **options,
    )


def _guard_journal() -> None:
    """What is written stays."""
    refuse("journal_changed", "UPDATE", "journal")
    refuse("journal_removed", "DELETE", "journal")
    if is_postgres():
        op.execute(
            "CREATE TRIGGER journal_emptied BEFORE TRUNCATE ON journal"
            " FOR EACH STATEMENT EXECUTE FUNCTION refuse()"
        )
