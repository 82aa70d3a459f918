"""The trail for disputes, and analytics events on their way out."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Column,
    ForeignKey,
    Index,
    LargeBinary,
    Table,
    Text,
    UniqueConstraint,
)

from parlour.store.schema.tables import Position, metadata

audit = Table(
    "audit",
    metadata,
    Column("position", Position, primary_key=True),
    Column("id", Text, nullable=False),
    Column("subject_id", Text, nullable=False),
    Column("match_id", Text),
    Column("actor_id", Text, ForeignKey("user.id")),
    Column("type", Text, nullable=False),
    Column("payload", LargeBinary, nullable=False),
    Column("at", BigInteger, nullable=False),
    UniqueConstraint("id", name="audit"),
)
Index("ix_audit_subject_id", audit.c.subject_id, audit.c.position)

outbox = Table(
    "outbox",
    metadata,
    Column("position", Position, primary_key=True),
    Column("key", Text, nullable=False),
    Column("type", Text, nullable=False),
    Column("payload", LargeBinary, nullable=False),
    Column("at", BigInteger, nullable=False),
    # A position names one event for ever, so that clearing it twice clears nothing else.
    sqlite_autoincrement=True,
)
