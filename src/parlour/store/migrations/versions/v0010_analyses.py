"""What was made of a finished game is kept."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "analysis",
        sa.Column("match_id", sa.Text(), nullable=False),
        sa.Column("analysis", sa.LargeBinary(), nullable=False),
        sa.Column("made_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("match_id", name=op.f("pk_analysis")),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"], name=op.f("fk_analysis_match_id")),
    )


def downgrade() -> None:
    op.drop_table("analysis")
