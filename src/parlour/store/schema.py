"""The tables and views, for queries and for comparison with the migrations.

Times are milliseconds since 1970, ids are text. The name of a constraint that a user can run into
is `pk_` or `uq_` followed by what a `Taken` error names. Triggers, which keep histories whole and
closed things closed, stand in `migrations/` beside the tables they guard.
"""

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
    MetaData,
    PrimaryKeyConstraint,
    SmallInteger,
    Table,
    Text,
    UniqueConstraint,
    column,
    table,
    text,
)

STARTING_RATING = 1000

metadata = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "uq": "uq_%(constraint_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "ix": "ix_%(table_name)s_%(column_0_name)s",
    }
)

Position = BigInteger().with_variant(Integer, "sqlite")
"""A number the database counts up; SQLite counts only what it calls INTEGER."""


def _number() -> Column[int]:
    """By which a client may name the row: the database gives it when the row is made, for good."""
    return Column("number", BigInteger)


# --- matches ----------------------------------------------------------------------------------

match = Table(
    "match",
    metadata,
    Column("id", Text, primary_key=True),
    Column("game", Text, nullable=False),
    Column("public_id", Text, nullable=False),
    Column("code", Text),
    Column("mode", Text, nullable=False),
    Column("status", Text, nullable=False),
    Column("version", Integer, nullable=False),
    Column("state", LargeBinary),
    Column("options", LargeBinary, nullable=False),
    Column("seed", LargeBinary, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("updated_at", BigInteger, nullable=False),
    Column("started_at", BigInteger),
    Column("ended_at", BigInteger),
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
    _number(),
    UniqueConstraint("game", "public_id", name="public_id"),
    CheckConstraint(
        "status IN ('waiting', 'active', 'finished', 'cancelled', 'expired')", name="status"
    ),
    CheckConstraint("version >= 0", name="version"),
    CheckConstraint("winner IN (0, 1)", name="winner"),
    CheckConstraint("rematch_by IN (0, 1)", name="rematch_by"),
    # A move rewrites the row in place: room on the page spares the indexes of PostgreSQL.
    postgresql_with={"fillfactor": "60"},
)
Index(
    "uq_code",
    match.c.game,
    match.c.code,
    unique=True,
    sqlite_where=text("code IS NOT NULL"),
    postgresql_where=text("code IS NOT NULL"),
)
Index(
    "ix_match_deadline_at",
    match.c.deadline_at,
    match.c.id,
    sqlite_where=text("deadline_at IS NOT NULL"),
    postgresql_where=text("deadline_at IS NOT NULL"),
)
# What an upgrade of a game's rules left behind is found at once.
Index(
    "ix_match_rules_version",
    match.c.game,
    match.c.rules_version,
    match.c.id,
    sqlite_where=text("status IN ('waiting', 'active')"),
    postgresql_where=text("status IN ('waiting', 'active')"),
)
# How many play now is counted without looking at a row.
Index(
    "ix_match_playing",
    match.c.game,
    match.c.mode,
    match.c.status,
    sqlite_where=text("status = 'active'"),
    postgresql_where=text("status = 'active'"),
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
    sqlite_where=text("sole"),
    postgresql_where=text("sole"),
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
    sqlite_where=text("finished_at IS NOT NULL"),
    postgresql_where=text("finished_at IS NOT NULL"),
)

journal = Table(
    "journal",
    metadata,
    Column("match_id", Text, ForeignKey("match.id"), nullable=False),
    Column("version", Integer, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("kind", Text, nullable=False),
    Column("seat", SmallInteger),
    Column("action", LargeBinary),
    Column("seen_0", BigInteger),
    Column("seen_1", BigInteger),
    PrimaryKeyConstraint("match_id", "version"),
    CheckConstraint("version >= 1", name="version"),
    CheckConstraint("seat IN (0, 1)", name="seat"),
    sqlite_with_rowid=False,
)

holding = Table(
    "holding",
    metadata,
    Column("match_id", Text, ForeignKey("match.id"), nullable=False),
    Column("seat", SmallInteger, nullable=False),
    Column("item", Text, nullable=False),
    Column("quantity", BigInteger, nullable=False),
    PrimaryKeyConstraint("match_id", "seat", "item"),
    CheckConstraint("quantity >= 0", name="quantity"),
    CheckConstraint("seat IN (0, 1)", name="seat"),
    sqlite_with_rowid=False,
)

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
    postgresql_with={"fillfactor": "60"},
    sqlite_with_rowid=False,
)
# What a process holds is gone through in portions, in this order.
Index(
    "ix_presence_process_id",
    presence.c.process_id,
    presence.c.match_id,
    presence.c.seat,
    sqlite_where=text("process_id IS NOT NULL"),
    postgresql_where=text("process_id IS NOT NULL"),
)

lease = Table(
    "lease",
    metadata,
    Column("process_id", Text, primary_key=True),
    Column("until", BigInteger, nullable=False),
)


# --- people -----------------------------------------------------------------------------------

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
    _number(),
    UniqueConstraint("subject", name="subject"),
    UniqueConstraint("username_key", name="username"),
)
Index("ix_user_created_at", user.c.created_at)


def username_key(username: str) -> str:
    """What of a username must be unique, and what a search compares."""
    return username.casefold()


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
    _number(),
)
Index(
    "ix_notification_user_id",
    notification.c.user_id,
    notification.c.created_at,
    notification.c.id,
)
Index(
    "ix_notification_unread",
    notification.c.user_id,
    sqlite_where=text("NOT is_read"),
    postgresql_where=text("NOT is_read"),
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


# --- queue and challenges ---------------------------------------------------------------------

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
    UniqueConstraint("user_id", "game", name="ticket"),
)
Index("ix_ticket_game", ticket.c.game, ticket.c.joined_at, ticket.c.id)
Index("ix_ticket_deadline_at", ticket.c.deadline_at, ticket.c.id)
Index("ix_ticket_process_id", ticket.c.process_id, ticket.c.id)

challenge = Table(
    "challenge",
    metadata,
    Column("id", Text, primary_key=True),
    Column("game", Text, nullable=False),
    Column("challenger_id", Text, ForeignKey("user.id"), nullable=False),
    Column("opponent_id", Text, ForeignKey("user.id"), nullable=False),
    Column("currency", Text, nullable=False),
    Column("stake_amount", BigInteger, nullable=False),
    Column("max_spend_amount", BigInteger, nullable=False),
    Column("time_limit_seconds", Integer, nullable=False),
    Column("status", Text, nullable=False),
    Column("expires_at", BigInteger, nullable=False),
    Column("accepted_at", BigInteger),
    # The match is made in the same change, before or after.
    Column("match_id", Text),
    Column("created_at", BigInteger, nullable=False),
    Column("modified_at", BigInteger, nullable=False),
    _number(),
    CheckConstraint("status IN ('pending', 'accepted', 'expired', 'cancelled')", name="status"),
    CheckConstraint("stake_amount >= 0 AND max_spend_amount >= 0", name="amounts"),
    CheckConstraint("challenger_id <> opponent_id", name="two_people"),
)
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
    sqlite_where=text("status = 'pending'"),
    postgresql_where=text("status = 'pending'"),
)


# --- money ------------------------------------------------------------------------------------

account = Table(
    "account",
    metadata,
    Column("id", Text, primary_key=True),
    Column("kind", Text, nullable=False),
    Column("user_id", Text, ForeignKey("user.id")),
    Column("currency", Text, nullable=False),
    Column("balance", BigInteger, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    _number(),
    CheckConstraint("kind IN ('wallet', 'escrow', 'mint')", name="kind"),
    CheckConstraint("(kind = 'wallet') = (user_id IS NOT NULL)", name="owner"),
    CheckConstraint("balance >= 0 OR kind = 'mint'", name="funds"),
)
Index(
    "uq_account",
    account.c.user_id,
    account.c.currency,
    unique=True,
    sqlite_where=text("user_id IS NOT NULL"),
    postgresql_where=text("user_id IS NOT NULL"),
)

ledger_entry = Table(
    "ledger_entry",
    metadata,
    Column("position", Position, primary_key=True),
    Column("transfer_id", Text, nullable=False),
    Column("account_id", Text, ForeignKey("account.id"), nullable=False),
    # Its place in the account's own book, from 1 without a gap, and what the account held then.
    Column("number", BigInteger, nullable=False),
    Column("direction", Text, nullable=False),
    Column("amount", BigInteger, nullable=False),
    Column("balance", BigInteger, nullable=False),
    Column("action", Text, nullable=False),
    Column("escrow_id", Text, ForeignKey("escrow.id")),
    Column("at", BigInteger, nullable=False),
    UniqueConstraint("transfer_id", "direction", name="transfer"),
    UniqueConstraint("account_id", "number", name="entry"),
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


# --- audit and events -------------------------------------------------------------------------

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

for _numbered in (user, match, challenge, notification, account):
    Index(f"uq_{_numbered.name}_number", _numbered.c.number, unique=True)


# --- views ------------------------------------------------------------------------------------

game_history = table(
    "game_history",
    column("id", Text),
    column("game_id", Text),
    column("game", Text),
    column("played_at", BigInteger),
    column("player0_user_id", Text),
    column("player1_user_id", Text),
    column("player0_name", Text),
    column("player1_name", Text),
    column("player0_score", Integer),
    column("player1_score", Integer),
    column("winner_index", SmallInteger),
    column("end_reason", Text),
    column("player0_elo_before", Integer),
    column("player0_elo_after", Integer),
    column("player1_elo_before", Integer),
    column("player1_elo_after", Integer),
)

player_ratings = table(
    "player_ratings",
    column("user_id", Text),
    column("game", Text),
    column("display_name", Text),
    column("elo", Integer),
    column("wins", Integer),
    column("losses", Integer),
    column("draws", Integer),
    column("is_bot", Boolean),
    column("updated_at", BigInteger),
)
