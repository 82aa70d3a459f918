"""Invitations of one user by another."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    Column,
    ForeignKey,
    Index,
    LargeBinary,
    Table,
    Text,
)

from parlour.store.schema.tables import metadata, number, numbered, only

challenge = Table(
    "challenge",
    metadata,
    Column("id", Text, primary_key=True),
    Column("game", Text, nullable=False),
    Column("challenger_id", Text, ForeignKey("user.id"), nullable=False),
    Column("opponent_id", Text, ForeignKey("user.id"), nullable=False),
    Column("currency", Text, nullable=False),
    # JSON: of the game it is a challenge to.
    Column("terms", LargeBinary, nullable=False),
    Column("status", Text, nullable=False),
    Column("expires_at", BigInteger, nullable=False),
    Column("accepted_at", BigInteger),
    # The match is made in the same change, before or after.
    Column("match_id", Text),
    Column("created_at", BigInteger, nullable=False),
    Column("modified_at", BigInteger, nullable=False),
    number(),
    CheckConstraint("status IN ('pending', 'accepted', 'expired', 'cancelled')", name="status"),
    CheckConstraint("challenger_id <> opponent_id", name="two_people"),
)

numbered(challenge)
for _party in (challenge.c.challenger_id, challenge.c.opponent_id):
    _listed = (_party, challenge.c.game)
    _newest = (challenge.c.created_at, challenge.c.id)
    _name = f"ix_challenge_{_party.name.removesuffix('_id')}"
    Index(f"{_name}_id", *_listed, *_newest)
    Index(f"{_name}_status", *_listed, challenge.c.status, *_newest)
    Index(f"{_name}_modified_at", *_listed, challenge.c.modified_at, challenge.c.id)
Index(
    "ix_challenge_expires_at",
    challenge.c.expires_at,
    challenge.c.id,
    info=only("status = 'pending'"),
)
