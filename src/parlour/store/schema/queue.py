"""Who waits for an opponent."""

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

from parlour.store.schema.tables import metadata

ticket = Table(
    "ticket",
    metadata,
    Column("id", Text, primary_key=True),
    Column("game", Text, nullable=False),
    Column("user_id", Text, ForeignKey("user.id"), nullable=False),
    Column("name", Text, nullable=False),
    Column("joined_at", BigInteger, nullable=False),
    Column("seen_at", BigInteger, nullable=False),
    Column("deadline_at", BigInteger),
    Column("connection", Text),
    Column("process_id", Text),
    Column("options", LargeBinary),
    UniqueConstraint("user_id", "game", name="ticket"),
)
Index("ix_ticket_game", ticket.c.game, ticket.c.joined_at, ticket.c.id)
Index("ix_ticket_deadline_at", ticket.c.deadline_at, ticket.c.id)
Index("ix_ticket_process_id", ticket.c.process_id, ticket.c.id)
