"""Matches, their seats, and the journal of their steps."""

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
    SmallInteger,
    Table,
    Text,
    UniqueConstraint,
    text,
)

from parlour.store.schema.tables import ROOMY, Position, metadata, number, numbered, only

match = Table(
    "match",
    metadata,
    Column("id", Text, primary_key=True),
    Column("game", Text, nullable=False),
    Column("public_id", Text, nullable=False),
    Column("code", Text),
    Column("mode", Text, nullable=False),
    Column("status", Text, nullable=False),
    # The row is a snapshot as of this version; the journal may have gone on since.
    Column("version", Integer, nullable=False),
    Column("state", LargeBinary),
    Column("options", LargeBinary, nullable=False),
    Column("seed", LargeBinary, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("updated_at", BigInteger, nullable=False),
    Column("started_at", BigInteger),
    Column("ended_at", BigInteger),
    # Nothing is due before; it may be later than that.
    Column("deadline_at", BigInteger),
    Column("bot_at", BigInteger),
    Column("acted_0_at", BigInteger),
    Column("acted_1_at", BigInteger),
    Column("winner", SmallInteger),
    Column("reason", Text),
    Column("rematch_by", SmallInteger),
    Column("rematch_id", Text),
    Column("escrow_id", Text, ForeignKey("escrow.id")),
    # Which version of its game's rules it is played by.
    Column("rules_version", Integer, nullable=False, server_default=text("1")),
    number(),
    UniqueConstraint("game", "public_id", name="public_id"),
    CheckConstraint(
        "status IN ('waiting', 'active', 'finished', 'cancelled', 'expired')", name="status"
    ),
    CheckConstraint("version >= 0", name="version"),
    CheckConstraint("winner IN (0, 1)", name="winner"),
    CheckConstraint("rematch_by IN (0, 1)", name="rematch_by"),
    info=ROOMY,
)
numbered(match)
Index(
    "uq_code",
    match.c.game,
    match.c.code,
    unique=True,
    info=only("code IS NOT NULL"),
)
Index(
    "ix_match_deadline_at",
    match.c.deadline_at,
    match.c.id,
    info=only("deadline_at IS NOT NULL"),
)
# What an upgrade of a game's rules left behind is found at once.
Index(
    "ix_match_rules_version",
    match.c.game,
    match.c.rules_version,
    match.c.id,
    info=only("status IN ('waiting', 'active')"),
)
# How many play now is counted without looking at a row.
Index(
    "ix_match_playing",
    match.c.game,
    match.c.mode,
    match.c.status,
    info=only("status = 'active'"),
)

seat = Table(
    "seat",
    metadata,
    Column("match_id", Text, ForeignKey("match.id"), nullable=False),
    Column("seat", SmallInteger, nullable=False),
    Column("game", Text, nullable=False),
    Column("user_id", Text, ForeignKey("user.id")),
    Column("name", Text, nullable=False),
    Column("secret", Text),
    Column("bot", Text),
    Column("sole", Boolean, nullable=False),
    Column("rating_before", Integer),
    Column("rating_delta", Integer),
    Column("score", Integer),
    # Of the match, for the lists of its players' matches.
    Column("created_at", BigInteger, nullable=False, server_default=text("0")),
    # When it was played to its end; of two seats of one user only the first has it.
    Column("finished_at", BigInteger),
    # `open`, then the reason for the end.
    Column("ending", Text, nullable=False, server_default=text("'open'")),
    PrimaryKeyConstraint("match_id", "seat"),
    # Within the match only: a rematch in the same room keeps its players' secrets.
    UniqueConstraint("match_id", "secret", name="secret"),
    CheckConstraint("seat IN (0, 1)", name="seat"),
)
Index(
    "uq_open_game",
    seat.c.user_id,
    seat.c.game,
    unique=True,
    info=only("sole"),
)
Index("ix_seat_user_id", seat.c.user_id, seat.c.game, seat.c.created_at, seat.c.match_id)
Index(
    "ix_seat_ending",
    seat.c.user_id,
    seat.c.game,
    seat.c.ending,
    seat.c.created_at,
    seat.c.match_id,
)
Index(
    "ix_seat_finished_at",
    seat.c.user_id,
    seat.c.game,
    seat.c.finished_at,
    seat.c.match_id,
    info=only("finished_at IS NOT NULL"),
)

# Rows are appended, and nothing beside its key is looked at: a step is one cheap row. That a match
# goes with it is seen to by the statement that writes it.
journal = Table(
    "journal",
    metadata,
    Column("match_number", Position, nullable=False, autoincrement=False),
    Column("version", Integer, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("kind", Text, nullable=False),
    Column("seat", SmallInteger),
    Column("action", LargeBinary),
    Column("seen_0", BigInteger),
    Column("seen_1", BigInteger),
    PrimaryKeyConstraint("match_number", "version"),
    CheckConstraint("version >= 1", name="version"),
    CheckConstraint("seat IN (0, 1)", name="seat"),
)
