"""Who is here: seats held by connections, and the leases of processes."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    Column,
    ForeignKey,
    Index,
    PrimaryKeyConstraint,
    SmallInteger,
    Table,
    Text,
)

from parlour.store.schema.tables import ROOMY, metadata, only

presence = Table(
    "presence",
    metadata,
    Column("match_id", Text, ForeignKey("match.id"), nullable=False),
    Column("seat", SmallInteger, nullable=False),
    Column("seen_at", BigInteger, nullable=False),
    Column("connection", Text),
    Column("process_id", Text),
    Column("left_at", BigInteger),
    PrimaryKeyConstraint("match_id", "seat"),
    CheckConstraint("seat IN (0, 1)", name="seat"),
    CheckConstraint("(connection IS NULL) = (process_id IS NULL)", name="held"),
    info=ROOMY,
    sqlite_with_rowid=False,
)
# What a process holds is gone through in portions, in this order.
Index(
    "ix_presence_process_id",
    presence.c.process_id,
    presence.c.match_id,
    presence.c.seat,
    info=only("process_id IS NOT NULL"),
)

lease = Table(
    "lease",
    metadata,
    Column("process_id", Text, primary_key=True),
    Column("until", BigInteger, nullable=False),
)
