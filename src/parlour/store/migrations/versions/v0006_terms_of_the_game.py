"""A challenge keeps the terms of the game it is a challenge to, whatever these are, as JSON.

Until now they were Connect Five's, in columns of their own. The table of what seats own in a match
goes: it repeated what stands in the match's state, and nobody read it.
"""
# ruff: noqa: S608 (only names of our own are put into SQL)

from __future__ import annotations

import json
from typing import Any, Final

import sqlalchemy as sa
from alembic import op

from parlour.store.migrations.versions.v0001_ground_floor import REPLACES_CHALLENGE, refuse, where
from parlour.store.migrations.versions.v0002_lists_by_index import CHALLENGE_LISTS
from parlour.store.migrations.versions.v0005_numbers import (
    ANSWERED_AND_NUMBERED,
    keep_number,
    number_on_sqlite,
)

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

TERMS: Final = ("stake_amount", "max_spend_amount", "time_limit_seconds")
SHARED: Final = (
    *("id", "game", "challenger_id", "opponent_id", "currency", "status", "expires_at"),
    *("accepted_at", "match_id", "created_at", "modified_at", "number"),
)


def upgrade() -> None:
    op.drop_table("holding")
    if _on_postgres():
        op.add_column("challenge", sa.Column("terms", sa.LargeBinary()))
        _fill(f"terms = convert_to(json_build_object({_pairs()})::text, 'UTF8')")
        op.alter_column("challenge", "terms", nullable=False)
        for name in TERMS:
            op.drop_column("challenge", name)
    else:
        _rebuild(
            [sa.Column("terms", sa.LargeBinary(), nullable=False)],
            {"terms": f"CAST(json_object({_pairs()}) AS BLOB)"},
        )


def downgrade() -> None:
    if _on_postgres():
        for column in _columns():
            column.nullable = True
            op.add_column("challenge", column)
        read = "(convert_from(terms, 'UTF8')::json ->> '{0}')"
        _fill(", ".join(f"{name} = {read.format(name)}::bigint" for name in TERMS))
        for name in TERMS:
            op.alter_column("challenge", name, nullable=False)
        op.drop_column("challenge", "terms")
        op.create_check_constraint(op.f("ck_challenge_amounts"), "challenge", AMOUNTS)
    else:
        read = "json_extract(CAST(terms AS TEXT), '$.{0}')"
        _rebuild(
            [*_columns(), sa.CheckConstraint(AMOUNTS, name=op.f("ck_challenge_amounts"))],
            {name: read.format(name) for name in TERMS},
        )
    _make_holdings()


AMOUNTS: Final = "stake_amount >= 0 AND max_spend_amount >= 0"


def _on_postgres() -> bool:
    return op.get_bind().dialect.name == "postgresql"


def _pairs() -> str:
    return ", ".join(f"'{name}', {name}" for name in TERMS)


def _columns() -> list[sa.Column[Any]]:
    return [
        sa.Column("stake_amount", sa.BigInteger(), nullable=False),
        sa.Column("max_spend_amount", sa.BigInteger(), nullable=False),
        sa.Column("time_limit_seconds", sa.Integer(), nullable=False),
    ]


def _fill(assignments: str) -> None:
    """Answered challenges too, which otherwise stay as they are."""
    op.execute("ALTER TABLE challenge DISABLE TRIGGER challenge_answered")
    op.execute(f"UPDATE challenge SET {assignments}")
    op.execute("ALTER TABLE challenge ENABLE TRIGGER challenge_answered")


def _rebuild(items: list[sa.schema.SchemaItem], values: dict[str, str]) -> None:
    """SQLite drops no column that a constraint names: the table is made anew around its rows."""
    op.execute("CREATE TABLE challenge_kept AS SELECT * FROM challenge")
    op.drop_table("challenge")
    op.create_table(
        "challenge",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("challenger_id", sa.Text(), nullable=False),
        sa.Column("opponent_id", sa.Text(), nullable=False),
        sa.Column("currency", sa.Text(), nullable=False),
        *items,
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
        sa.Column("accepted_at", sa.BigInteger()),
        sa.Column("match_id", sa.Text()),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("modified_at", sa.BigInteger(), nullable=False),
        sa.Column("number", sa.BigInteger()),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_challenge")),
        *(
            sa.ForeignKeyConstraint([name], ["user.id"], name=op.f(f"fk_challenge_{name}"))
            for name in ("challenger_id", "opponent_id")
        ),
        sa.CheckConstraint(
            "status IN ('pending', 'accepted', 'expired', 'cancelled')",
            name=op.f("ck_challenge_status"),
        ),
        sa.CheckConstraint("challenger_id <> opponent_id", name=op.f("ck_challenge_two_people")),
    )
    into, what = ", ".join([*SHARED, *values]), ", ".join([*SHARED, *values.values()])
    op.execute(f"INSERT INTO challenge ({into}) SELECT {what} FROM challenge_kept")
    op.drop_table("challenge_kept")
    for name, columns in CHALLENGE_LISTS:
        op.create_index(name, "challenge", columns)
    op.create_index(
        "ix_challenge_expires_at", "challenge", ["expires_at", "id"], **where("status = 'pending'")
    )
    op.create_index("uq_challenge_number", "challenge", ["number"], unique=True)
    number_on_sqlite("challenge")
    keep_number("challenge")
    refuse("challenge_answered", "UPDATE", "challenge", ANSWERED_AND_NUMBERED)
    refuse("challenge_replaced", "INSERT", "challenge", REPLACES_CHALLENGE, says="pk_challenge")


def _make_holdings() -> None:
    """As they stand in open matches of Connect Five, which alone had any."""
    holding = op.create_table(
        "holding",
        sa.Column("match_id", sa.Text(), nullable=False),
        sa.Column("seat", sa.SmallInteger(), nullable=False),
        sa.Column("item", sa.Text(), nullable=False),
        sa.Column("quantity", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("match_id", "seat", "item", name=op.f("pk_holding")),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"], name=op.f("fk_holding_match_id")),
        sa.CheckConstraint("quantity >= 0", name=op.f("ck_holding_quantity")),
        sa.CheckConstraint("seat IN (0, 1)", name=op.f("ck_holding_seat")),
        sqlite_with_rowid=False,
    )
    played = op.get_bind().execute(
        sa.text(
            'SELECT id, state FROM "match"'
            " WHERE game = 'connect_five' AND status = 'active' AND state IS NOT NULL"
        )
    )
    for match_id, state in played.fetchall():
        owned = [
            {"match_id": match_id, "seat": seat, "item": item.upper(), "quantity": quantity}
            for seat, inventory in enumerate(json.loads(state).get("inventories", ()))
            for item, quantity in inventory.items()
        ]
        if owned:
            op.bulk_insert(holding, owned)
