"""Every list has an index in its order, so that a page costs what it shows.

What a user's matches are listed by (when they began, when and how they ended) stands with the
user's seat from now on.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

CHALLENGE_LISTS = tuple(
    (f"ix_challenge_{party}{name}", [f"{party}_id", *columns])
    for party in ("challenger", "opponent")
    for name, columns in (
        ("_id", ["game", "created_at", "id"]),
        ("_status", ["game", "status", "created_at", "id"]),
        ("_modified_at", ["game", "modified_at", "id"]),
    )
)


def upgrade() -> None:
    op.add_column(
        "seat",
        sa.Column("created_at", sa.BigInteger(), nullable=False, server_default=sa.text("0")),
    )
    op.add_column("seat", sa.Column("finished_at", sa.BigInteger()))
    op.add_column(
        "seat", sa.Column("ending", sa.Text(), nullable=False, server_default=sa.text("'open'"))
    )
    op.execute(FILL_SEATS)
    op.drop_index("ix_seat_user_id", "seat")
    op.create_index("ix_seat_user_id", "seat", ["user_id", "game", "created_at", "match_id"])
    op.create_index(
        "ix_seat_ending", "seat", ["user_id", "game", "ending", "created_at", "match_id"]
    )
    op.create_index(
        "ix_seat_finished_at",
        "seat",
        ["user_id", "game", "finished_at", "match_id"],
        sqlite_where=sa.text("finished_at IS NOT NULL"),
        postgresql_where=sa.text("finished_at IS NOT NULL"),
    )
    op.drop_index("ix_rating_rating", "rating")
    op.create_index(
        "ix_rating_rating",
        "rating",
        ["game", sa.text("rating DESC"), sa.text("wins DESC"), "user_id"],
    )
    op.drop_index("ix_notification_user_id", "notification")
    op.create_index("ix_notification_user_id", "notification", ["user_id", "created_at", "id"])
    for name in ("ix_challenge_challenger_id", "ix_challenge_opponent_id"):
        op.drop_index(name, "challenge")
    for name, columns in CHALLENGE_LISTS:
        op.create_index(name, "challenge", columns)


# Who plays both sides has played one game: it stands with the first seat.
FILL_SEATS = """
UPDATE seat SET
    created_at = (SELECT created_at FROM "match" WHERE id = seat.match_id),
    ending = (SELECT CASE WHEN status IN ('waiting', 'active') THEN 'open'
            ELSE coalesce(reason, status) END
        FROM "match" WHERE id = seat.match_id),
    finished_at = (SELECT ended_at FROM "match" WHERE id = seat.match_id AND status = 'finished'
        AND NOT (seat.seat = 1 AND EXISTS (SELECT 1 FROM seat AS first
            WHERE first.match_id = seat.match_id AND first.seat = 0
            AND first.user_id = seat.user_id)))
"""


def downgrade() -> None:
    for name, _ in CHALLENGE_LISTS:
        op.drop_index(name, "challenge")
    op.create_index("ix_challenge_challenger_id", "challenge", ["challenger_id", "created_at"])
    op.create_index("ix_challenge_opponent_id", "challenge", ["opponent_id", "created_at"])
    op.drop_index("ix_notification_user_id", "notification")
    op.create_index("ix_notification_user_id", "notification", ["user_id", "created_at"])
    op.drop_index("ix_rating_rating", "rating")
    op.create_index("ix_rating_rating", "rating", ["game", "rating"])
    for name in ("ix_seat_finished_at", "ix_seat_ending", "ix_seat_user_id"):
        op.drop_index(name, "seat")
    op.create_index("ix_seat_user_id", "seat", ["user_id", "game", "match_id"])
    for column in ("ending", "finished_at", "created_at"):
        op.drop_column("seat", column)
