"""A ticket says what its holder would like to play by, where that is not as usual."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("ticket", sa.Column("options", sa.LargeBinary()))


def downgrade() -> None:
    op.drop_column("ticket", "options")
