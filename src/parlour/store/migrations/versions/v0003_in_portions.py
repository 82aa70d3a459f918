"""What periodic tasks go through can be gone through in portions: each index has a place in it."""

from __future__ import annotations

from typing import Any, Final

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

INDEXES: Final = (
    ("ix_presence_process_id", "presence", "process_id", ("match_id", "seat"), "process_id"),
    ("ix_match_deadline_at", "match", "deadline_at", ("id",), "deadline_at"),
    ("ix_ticket_deadline_at", "ticket", "deadline_at", ("id",), None),
    ("ix_ticket_process_id", "ticket", "process_id", ("id",), None),
    ("ix_challenge_expires_at", "challenge", "expires_at", ("id",), "pending"),
)
"""Name, table, what it is ordered by, what tells the rows of one place apart, which rows it has."""


def upgrade() -> None:
    for name, table, ordered_by, within, rows in INDEXES:
        index(name, table, [ordered_by, *within], rows)


def downgrade() -> None:
    for name, table, ordered_by, _, rows in INDEXES:
        index(name, table, [ordered_by], rows)


def index(name: str, table: str, columns: list[str], rows: str | None) -> None:
    op.drop_index(name, table)
    only: dict[str, Any] = {}
    if rows is not None:
        which = sa.text("status = 'pending'" if rows == "pending" else f"{rows} IS NOT NULL")
        only = {"sqlite_where": which, "postgresql_where": which}
    op.create_index(name, table, columns, **only)
