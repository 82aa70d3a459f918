"""The seats that a process holds can be gone through in portions."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    index(["process_id", "match_id", "seat"])


def downgrade() -> None:
    index(["process_id"])


def index(columns: list[str]) -> None:
    held = sa.text("process_id IS NOT NULL")
    op.drop_index("ix_presence_process_id", "presence")
    op.create_index(
        "ix_presence_process_id", "presence", columns, sqlite_where=held, postgresql_where=held
    )
