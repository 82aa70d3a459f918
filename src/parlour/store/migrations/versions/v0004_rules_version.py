"""A match says which version of its game's rules it is played by.

Those that are open are indexed by it, so that what an upgrade left behind is found at once.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

OPEN = sa.text("status IN ('waiting', 'active')")


def upgrade() -> None:
    op.add_column(
        "match",
        sa.Column("rules_version", sa.Integer(), nullable=False, server_default=sa.text("1")),
    )
    op.create_index(
        "ix_match_rules_version",
        "match",
        ["game", "rules_version", "id"],
        sqlite_where=OPEN,
        postgresql_where=OPEN,
    )


def downgrade() -> None:
    op.drop_index("ix_match_rules_version", "match")
    op.drop_column("match", "rules_version")
