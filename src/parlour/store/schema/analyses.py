"""What was made of finished games."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Column,
    ForeignKey,
    LargeBinary,
    PrimaryKeyConstraint,
    Table,
    Text,
)

from parlour.store.schema.tables import metadata

analysis = Table(
    "analysis",
    metadata,
    Column("match_id", Text, ForeignKey("match.id"), nullable=False),
    # As it is told to whoever asks.
    Column("analysis", LargeBinary, nullable=False),
    Column("made_at", BigInteger, nullable=False),
    PrimaryKeyConstraint("match_id"),
)
