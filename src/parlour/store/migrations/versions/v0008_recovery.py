"""Guests may come back on another device, by a code of which only the hash is kept."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "recovery",
        sa.Column("user_id", sa.Text(), nullable=False),
        sa.Column("code_hash", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("used_at", sa.BigInteger()),
        sa.PrimaryKeyConstraint("user_id", name="pk_recovery"),
        sa.ForeignKeyConstraint(["user_id"], ["user.id"], name="fk_recovery_user_id"),
        sa.UniqueConstraint("code_hash", name="recovery_code"),
    )


def downgrade() -> None:
    op.drop_table("recovery")
