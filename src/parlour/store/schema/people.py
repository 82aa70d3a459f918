"""Users with their ratings, notifications and kept answers; the key of the guest issuer."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    PrimaryKeyConstraint,
    Table,
    Text,
    UniqueConstraint,
)

from parlour.store.schema.tables import metadata, number, numbered, only

STARTING_RATING = 1000

# So that an index finds what begins alike; SQLite compares bytes anyway.
_IN_BYTE_ORDER = Text().with_variant(Text(collation="C"), "postgresql")

user = Table(
    "user",
    metadata,
    Column("id", Text, primary_key=True),
    Column("subject", Text, nullable=False),
    Column("username", Text, nullable=False),
    Column("username_key", _IN_BYTE_ORDER, nullable=False),
    Column("email", Text),
    Column("is_guest", Boolean, nullable=False),
    Column("is_bot", Boolean, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("updated_at", BigInteger, nullable=False),
    number(),
    UniqueConstraint("subject", name="subject"),
    UniqueConstraint("username_key", name="username"),
)
numbered(user)
Index("ix_user_created_at", user.c.created_at)


def username_key(username: str) -> str:
    """What of a username must be unique, and what a search compares."""
    return username.casefold()


# How a guest comes back on another device. Only the hash of the code is kept.
recovery = Table(
    "recovery",
    metadata,
    Column("user_id", Text, ForeignKey("user.id"), nullable=False),
    Column("code_hash", Text, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("used_at", BigInteger),
    PrimaryKeyConstraint("user_id"),
    UniqueConstraint("code_hash", name="recovery_code"),
)

rating = Table(
    "rating",
    metadata,
    Column("user_id", Text, ForeignKey("user.id"), nullable=False),
    Column("game", Text, nullable=False),
    Column("rating", Integer, nullable=False),
    Column("wins", Integer, nullable=False),
    Column("losses", Integer, nullable=False),
    Column("draws", Integer, nullable=False),
    Column("updated_at", BigInteger, nullable=False),
    PrimaryKeyConstraint("user_id", "game"),
    CheckConstraint("wins >= 0 AND losses >= 0 AND draws >= 0", name="counts"),
)
Index(
    "ix_rating_rating",
    rating.c.game,
    rating.c.rating.desc(),
    rating.c.wins.desc(),
    rating.c.user_id,
)

notification = Table(
    "notification",
    metadata,
    Column("id", Text, primary_key=True),
    Column("user_id", Text, ForeignKey("user.id"), nullable=False),
    Column("type", Text, nullable=False),
    Column("payload", LargeBinary, nullable=False),
    Column("is_read", Boolean, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    number(),
)
numbered(notification)
Index(
    "ix_notification_user_id",
    notification.c.user_id,
    notification.c.created_at,
    notification.c.id,
)
Index(
    "ix_notification_unread",
    notification.c.user_id,
    info=only("NOT is_read"),
)

signing_key = Table(
    "signing_key",
    metadata,
    Column("kid", Text, nullable=False),
    Column("private_pem", Text, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    PrimaryKeyConstraint("kid", name="pk_kid"),
)

kept_answer = Table(
    "kept_answer",
    metadata,
    Column("user_id", Text, ForeignKey("user.id"), nullable=False),
    Column("key", Text, nullable=False),
    Column("fingerprint", Text, nullable=False),
    Column("answer", LargeBinary, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    PrimaryKeyConstraint("user_id", "key", name="pk_idempotency_key"),
)
Index("ix_kept_answer_created_at", kept_answer.c.created_at)
