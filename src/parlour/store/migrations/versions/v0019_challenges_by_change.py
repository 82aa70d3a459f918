"""Challenges of a user by when they last changed, which feeds ask for at every word of one."""

from __future__ import annotations

from alembic import op

revision = "0019"
down_revision = "0001"
branch_labels = None
depends_on = None

INDEXES = {
    "ix_challenge_challenger_modified": "challenger_id",
    "ix_challenge_opponent_modified": "opponent_id",
}


def upgrade() -> None:
    for name, party in INDEXES.items():
        op.create_index(name, "challenge", [party, "modified_at"])


def downgrade() -> None:
    for name in INDEXES:
        op.drop_index(name, table_name="challenge")
