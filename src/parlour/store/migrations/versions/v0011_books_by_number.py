"""The ledger knows accounts by their numbers, as the journal does matches.

A book's lines then stand side by side in a small index, in the order in which accounts were made,
where ids of dozens of letters were scattered over a large one. A payment writes to fewer pages.
"""
# ruff: noqa: S608 (only names of our own are put into SQL)

from __future__ import annotations

from typing import Final

import sqlalchemy as sa
from alembic import op

from parlour.store.migrations.versions.v0001_ground_floor import (
    POSITION,
    REPLACES_ENTRY,
    refuse,
)
from parlour.store.migrations.versions.v0005_numbers import drop_trigger, is_postgres

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None

BY_NUMBER: Final = ("account_number", "number", sa.BigInteger())
BY_ID: Final = ("account_id", "id", sa.Text())

Name = tuple[str, str, sa.types.TypeEngine[int] | sa.types.TypeEngine[str]]
"""By which column the ledger names accounts, that of the account, and its type."""


def upgrade() -> None:
    _rename_accounts(BY_ID, BY_NUMBER)


def downgrade() -> None:
    _rename_accounts(BY_NUMBER, BY_ID)


def _rename_accounts(old: Name, new: Name) -> None:
    if is_postgres():
        _rename_on_postgres(old, new)
    else:
        _rename_on_sqlite(old, new)


def _rename_on_postgres(old: Name, new: Name) -> None:
    column, of_account, kind = new
    drop_trigger("ledger_entry_changed", "ledger_entry")
    op.add_column("ledger_entry", sa.Column(column, kind))
    op.execute(
        f"""UPDATE ledger_entry SET {column} = account.{of_account}
        FROM account WHERE account.{old[1]} = ledger_entry.{old[0]}"""
    )
    op.alter_column("ledger_entry", column, nullable=False)
    op.drop_column("ledger_entry", old[0])  # and with it what was said of it
    op.create_unique_constraint(op.f("uq_entry"), "ledger_entry", [column, "number"])
    op.create_foreign_key(
        op.f(f"fk_ledger_entry_{column}"), "ledger_entry", "account", [column], [of_account]
    )
    refuse("ledger_entry_changed", "UPDATE", "ledger_entry")


def _rename_on_sqlite(old: Name, new: Name) -> None:
    column, of_account, kind = new
    op.execute("CREATE TABLE ledger_kept AS SELECT * FROM ledger_entry")
    op.drop_table("ledger_entry")
    op.create_table(
        "ledger_entry",
        sa.Column("position", POSITION, nullable=False),
        sa.Column("transfer_id", sa.Text(), nullable=False),
        sa.Column(column, kind, nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.Column("direction", sa.Text(), nullable=False),
        sa.Column("amount", sa.BigInteger(), nullable=False),
        sa.Column("balance", sa.BigInteger(), nullable=False),
        sa.Column("action", sa.Text(), nullable=False),
        sa.Column("escrow_id", sa.Text()),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("position", name=op.f("pk_ledger_entry")),
        sa.UniqueConstraint("transfer_id", "direction", name=op.f("uq_transfer")),
        sa.UniqueConstraint(column, "number", name=op.f("uq_entry")),
        sa.ForeignKeyConstraint(
            [column], [f"account.{of_account}"], name=op.f(f"fk_ledger_entry_{column}")
        ),
        sa.ForeignKeyConstraint(
            ["escrow_id"], ["escrow.id"], name=op.f("fk_ledger_entry_escrow_id")
        ),
        sa.CheckConstraint("amount >= 0", name=op.f("ck_ledger_entry_amount")),
        sa.CheckConstraint(
            "direction IN ('debit', 'credit')", name=op.f("ck_ledger_entry_direction")
        ),
    )
    op.execute(
        f"""INSERT INTO ledger_entry
        SELECT kept.position, kept.transfer_id, account.{of_account}, kept.number, kept.direction,
            kept.amount, kept.balance, kept.action, kept.escrow_id, kept.at
        FROM ledger_kept AS kept LEFT JOIN account ON account.{old[1]} = kept.{old[0]}
        ORDER BY kept.position"""
    )
    op.drop_table("ledger_kept")
    op.create_index("ix_ledger_entry_escrow_id", "ledger_entry", ["escrow_id"])
    refuse("ledger_entry_changed", "UPDATE", "ledger_entry")
    refuse("ledger_entry_removed", "DELETE", "ledger_entry")
    replaces = REPLACES_ENTRY.replace("account_id", column)
    refuse("ledger_entry_replaced", "INSERT", "ledger_entry", replaces)
