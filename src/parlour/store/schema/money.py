"""Accounts, the ledger, and the pots of challenges."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    Column,
    ForeignKey,
    Index,
    Table,
    Text,
    UniqueConstraint,
)

from parlour.store.schema.tables import Position, metadata, number, numbered, only

account = Table(
    "account",
    metadata,
    Column("id", Text, primary_key=True),
    Column("kind", Text, nullable=False),
    Column("user_id", Text, ForeignKey("user.id")),
    Column("currency", Text, nullable=False),
    Column("balance", BigInteger, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    number(),
    CheckConstraint("kind IN ('wallet', 'escrow', 'mint')", name="kind"),
    CheckConstraint("(kind = 'wallet') = (user_id IS NOT NULL)", name="owner"),
    CheckConstraint("balance >= 0 OR kind = 'mint'", name="funds"),
)
numbered(account)
Index(
    "uq_account",
    account.c.user_id,
    account.c.currency,
    unique=True,
    info=only("user_id IS NOT NULL"),
)

ledger_entry = Table(
    "ledger_entry",
    metadata,
    Column("position", Position, primary_key=True),
    Column("transfer_id", Text, nullable=False),
    # By its number, as long ids would scatter a payment over many pages of the index.
    Column("account_number", BigInteger, ForeignKey("account.number"), nullable=False),
    # Its place in the account's own book, from 1 without a gap, and what the account held then.
    Column("number", BigInteger, nullable=False),
    Column("direction", Text, nullable=False),
    Column("amount", BigInteger, nullable=False),
    Column("balance", BigInteger, nullable=False),
    Column("action", Text, nullable=False),
    Column("escrow_id", Text, ForeignKey("escrow.id")),
    Column("at", BigInteger, nullable=False),
    UniqueConstraint("transfer_id", "direction", name="transfer"),
    UniqueConstraint("account_number", "number", name="entry"),
    CheckConstraint("direction IN ('debit', 'credit')", name="direction"),
    CheckConstraint("amount >= 0", name="amount"),
)
Index("ix_ledger_entry_escrow_id", ledger_entry.c.escrow_id)

escrow = Table(
    "escrow",
    metadata,
    Column("id", Text, primary_key=True),
    Column("challenge_id", Text, ForeignKey("challenge.id"), nullable=False),
    Column("account_id", Text, ForeignKey("account.id"), nullable=False),
    Column("currency", Text, nullable=False),
    Column("a_contrib", BigInteger, nullable=False),
    Column("b_contrib", BigInteger, nullable=False),
    Column("total", BigInteger, nullable=False),
    Column("status", Text, nullable=False),
    Column("how", Text),
    Column("created_at", BigInteger, nullable=False),
    Column("settled_at", BigInteger),
    UniqueConstraint("challenge_id", name="escrow"),
    UniqueConstraint("account_id", name="escrow_account"),
    CheckConstraint("status IN ('locked', 'settled')", name="status"),
    CheckConstraint("how IN ('won', 'refunded')", name="how"),
    CheckConstraint("a_contrib >= 0 AND b_contrib >= 0", name="contrib"),
    CheckConstraint("total = a_contrib + b_contrib", name="total"),
    CheckConstraint(
        "(status = 'settled') = (how IS NOT NULL) AND (how IS NULL) = (settled_at IS NULL)",
        name="settled",
    ),
)
