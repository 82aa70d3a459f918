"""All tables, the triggers that keep histories whole, and the two views the documents name."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

POSITION = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    create_people()
    create_queue_and_challenges()
    create_money()
    create_matches()
    create_audit_and_events()
    guard_histories()
    create_views()


def where(condition: str) -> dict[str, Any]:
    """The condition of a partial index, for either engine."""
    return {"sqlite_where": sa.text(condition), "postgresql_where": sa.text(condition)}


def create_people() -> None:
    op.create_table(
        "user",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("username", sa.Text(), nullable=False),
        sa.Column(
            "username_key",
            sa.Text().with_variant(sa.Text(collation="C"), "postgresql"),
            nullable=False,
        ),
        sa.Column("email", sa.Text()),
        sa.Column("is_guest", sa.Boolean(), nullable=False),
        sa.Column("is_bot", sa.Boolean(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("updated_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_user")),
        sa.UniqueConstraint("subject", name=op.f("uq_subject")),
        sa.UniqueConstraint("username_key", name=op.f("uq_username")),
    )
    op.create_index("ix_user_created_at", "user", ["created_at"])
    op.create_table(
        "rating",
        sa.Column("user_id", sa.Text(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("rating", sa.Integer(), nullable=False),
        sa.Column("wins", sa.Integer(), nullable=False),
        sa.Column("losses", sa.Integer(), nullable=False),
        sa.Column("draws", sa.Integer(), nullable=False),
        sa.Column("updated_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("user_id", "game", name=op.f("pk_rating")),
        sa.ForeignKeyConstraint(["user_id"], ["user.id"], name=op.f("fk_rating_user_id")),
        sa.CheckConstraint(
            "wins >= 0 AND losses >= 0 AND draws >= 0", name=op.f("ck_rating_counts")
        ),
    )
    op.create_index("ix_rating_rating", "rating", ["game", "rating"])
    op.create_table(
        "notification",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("user_id", sa.Text(), nullable=False),
        sa.Column("type", sa.Text(), nullable=False),
        sa.Column("payload", sa.LargeBinary(), nullable=False),
        sa.Column("is_read", sa.Boolean(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_notification")),
        sa.ForeignKeyConstraint(["user_id"], ["user.id"], name=op.f("fk_notification_user_id")),
    )
    op.create_index("ix_notification_unread", "notification", ["user_id"], **where("NOT is_read"))
    op.create_index("ix_notification_user_id", "notification", ["user_id", "created_at"])
    op.create_table(
        "signing_key",
        sa.Column("kid", sa.Text(), nullable=False),
        sa.Column("private_pem", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("kid", name=op.f("pk_kid")),
    )
    op.create_table(
        "kept_answer",
        sa.Column("user_id", sa.Text(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("fingerprint", sa.Text(), nullable=False),
        sa.Column("answer", sa.LargeBinary(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("user_id", "key", name=op.f("pk_idempotency_key")),
        sa.ForeignKeyConstraint(["user_id"], ["user.id"], name=op.f("fk_kept_answer_user_id")),
    )
    op.create_index("ix_kept_answer_created_at", "kept_answer", ["created_at"])


def create_queue_and_challenges() -> None:
    op.create_table(
        "ticket",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("user_id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("joined_at", sa.BigInteger(), nullable=False),
        sa.Column("seen_at", sa.BigInteger(), nullable=False),
        sa.Column("deadline_at", sa.BigInteger()),
        sa.Column("connection", sa.Text()),
        sa.Column("process_id", sa.Text()),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_ticket")),
        sa.UniqueConstraint("user_id", "game", name=op.f("uq_ticket")),
        sa.ForeignKeyConstraint(["user_id"], ["user.id"], name=op.f("fk_ticket_user_id")),
    )
    op.create_index("ix_ticket_deadline_at", "ticket", ["deadline_at"])
    op.create_index("ix_ticket_game", "ticket", ["game", "joined_at", "id"])
    op.create_index("ix_ticket_process_id", "ticket", ["process_id"])
    op.create_table(
        "challenge",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("challenger_id", sa.Text(), nullable=False),
        sa.Column("opponent_id", sa.Text(), nullable=False),
        sa.Column("currency", sa.Text(), nullable=False),
        sa.Column("stake_amount", sa.BigInteger(), nullable=False),
        sa.Column("max_spend_amount", sa.BigInteger(), nullable=False),
        sa.Column("time_limit_seconds", sa.Integer(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
        sa.Column("accepted_at", sa.BigInteger()),
        sa.Column("match_id", sa.Text()),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("modified_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_challenge")),
        sa.ForeignKeyConstraint(
            ["challenger_id"], ["user.id"], name=op.f("fk_challenge_challenger_id")
        ),
        sa.ForeignKeyConstraint(
            ["opponent_id"], ["user.id"], name=op.f("fk_challenge_opponent_id")
        ),
        sa.CheckConstraint(
            "stake_amount >= 0 AND max_spend_amount >= 0", name=op.f("ck_challenge_amounts")
        ),
        sa.CheckConstraint(
            "status IN ('pending', 'accepted', 'expired', 'cancelled')",
            name=op.f("ck_challenge_status"),
        ),
        sa.CheckConstraint("challenger_id <> opponent_id", name=op.f("ck_challenge_two_people")),
    )
    op.create_index("ix_challenge_challenger_id", "challenge", ["challenger_id", "created_at"])
    op.create_index(
        "ix_challenge_expires_at", "challenge", ["expires_at"], **where("status = 'pending'")
    )
    op.create_index("ix_challenge_opponent_id", "challenge", ["opponent_id", "created_at"])


def create_money() -> None:
    op.create_table(
        "account",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("user_id", sa.Text()),
        sa.Column("currency", sa.Text(), nullable=False),
        sa.Column("balance", sa.BigInteger(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_account")),
        sa.ForeignKeyConstraint(["user_id"], ["user.id"], name=op.f("fk_account_user_id")),
        sa.CheckConstraint("balance >= 0 OR kind = 'mint'", name=op.f("ck_account_funds")),
        sa.CheckConstraint("kind IN ('wallet', 'escrow', 'mint')", name=op.f("ck_account_kind")),
        sa.CheckConstraint(
            "(kind = 'wallet') = (user_id IS NOT NULL)", name=op.f("ck_account_owner")
        ),
    )
    op.create_index(
        "uq_account",
        "account",
        ["user_id", "currency"],
        unique=True,
        **where("user_id IS NOT NULL"),
    )
    op.create_table(
        "escrow",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("challenge_id", sa.Text(), nullable=False),
        sa.Column("account_id", sa.Text(), nullable=False),
        sa.Column("currency", sa.Text(), nullable=False),
        sa.Column("a_contrib", sa.BigInteger(), nullable=False),
        sa.Column("b_contrib", sa.BigInteger(), nullable=False),
        sa.Column("total", sa.BigInteger(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("how", sa.Text()),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("settled_at", sa.BigInteger()),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_escrow")),
        sa.UniqueConstraint("challenge_id", name=op.f("uq_escrow")),
        sa.UniqueConstraint("account_id", name=op.f("uq_escrow_account")),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=op.f("fk_escrow_account_id")),
        sa.ForeignKeyConstraint(
            ["challenge_id"], ["challenge.id"], name=op.f("fk_escrow_challenge_id")
        ),
        sa.CheckConstraint("a_contrib >= 0 AND b_contrib >= 0", name=op.f("ck_escrow_contrib")),
        sa.CheckConstraint("how IN ('won', 'refunded')", name=op.f("ck_escrow_how")),
        sa.CheckConstraint(
            "(status = 'settled') = (how IS NOT NULL) AND (how IS NULL) = (settled_at IS NULL)",
            name=op.f("ck_escrow_settled"),
        ),
        sa.CheckConstraint("status IN ('locked', 'settled')", name=op.f("ck_escrow_status")),
        sa.CheckConstraint("total = a_contrib + b_contrib", name=op.f("ck_escrow_total")),
    )
    op.create_table(
        "ledger_entry",
        sa.Column("position", POSITION, nullable=False),
        sa.Column("transfer_id", sa.Text(), nullable=False),
        sa.Column("account_id", sa.Text(), nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.Column("direction", sa.Text(), nullable=False),
        sa.Column("amount", sa.BigInteger(), nullable=False),
        sa.Column("balance", sa.BigInteger(), nullable=False),
        sa.Column("action", sa.Text(), nullable=False),
        sa.Column("escrow_id", sa.Text()),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("position", name=op.f("pk_ledger_entry")),
        sa.UniqueConstraint("transfer_id", "direction", name=op.f("uq_transfer")),
        sa.UniqueConstraint("account_id", "number", name=op.f("uq_entry")),
        sa.ForeignKeyConstraint(
            ["account_id"], ["account.id"], name=op.f("fk_ledger_entry_account_id")
        ),
        sa.ForeignKeyConstraint(
            ["escrow_id"], ["escrow.id"], name=op.f("fk_ledger_entry_escrow_id")
        ),
        sa.CheckConstraint("amount >= 0", name=op.f("ck_ledger_entry_amount")),
        sa.CheckConstraint(
            "direction IN ('debit', 'credit')", name=op.f("ck_ledger_entry_direction")
        ),
    )
    op.create_index("ix_ledger_entry_escrow_id", "ledger_entry", ["escrow_id"])
    op.execute(
        "INSERT INTO account (id, kind, currency, balance, created_at)"
        " VALUES ('mint:TNB', 'mint', 'TNB', 0, 0)"
    )


def create_matches() -> None:
    op.create_table(
        "match",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("public_id", sa.Text(), nullable=False),
        sa.Column("code", sa.Text()),
        sa.Column("mode", sa.Text(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("state", sa.LargeBinary()),
        sa.Column("options", sa.LargeBinary(), nullable=False),
        sa.Column("seed", sa.LargeBinary(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("updated_at", sa.BigInteger(), nullable=False),
        sa.Column("started_at", sa.BigInteger()),
        sa.Column("ended_at", sa.BigInteger()),
        sa.Column("deadline_at", sa.BigInteger()),
        sa.Column("bot_at", sa.BigInteger()),
        sa.Column("acted_0_at", sa.BigInteger()),
        sa.Column("acted_1_at", sa.BigInteger()),
        sa.Column("winner", sa.SmallInteger()),
        sa.Column("reason", sa.Text()),
        sa.Column("rematch_by", sa.SmallInteger()),
        sa.Column("rematch_id", sa.Text()),
        sa.Column("escrow_id", sa.Text()),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_match")),
        sa.UniqueConstraint("game", "public_id", name=op.f("uq_public_id")),
        sa.ForeignKeyConstraint(["escrow_id"], ["escrow.id"], name=op.f("fk_match_escrow_id")),
        sa.CheckConstraint("rematch_by IN (0, 1)", name=op.f("ck_match_rematch_by")),
        sa.CheckConstraint(
            "status IN ('waiting', 'active', 'finished', 'cancelled', 'expired')",
            name=op.f("ck_match_status"),
        ),
        sa.CheckConstraint("version >= 0", name=op.f("ck_match_version")),
        sa.CheckConstraint("winner IN (0, 1)", name=op.f("ck_match_winner")),
        postgresql_with={"fillfactor": "60"},
    )
    op.create_index(
        "ix_match_deadline_at", "match", ["deadline_at"], **where("deadline_at IS NOT NULL")
    )
    op.create_index(
        "ix_match_playing", "match", ["game", "mode", "status"], **where("status = 'active'")
    )
    op.create_index("uq_code", "match", ["game", "code"], unique=True, **where("code IS NOT NULL"))
    op.create_table(
        "seat",
        sa.Column("match_id", sa.Text(), nullable=False),
        sa.Column("seat", sa.SmallInteger(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("user_id", sa.Text()),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("secret", sa.Text()),
        sa.Column("bot", sa.Text()),
        sa.Column("sole", sa.Boolean(), nullable=False),
        sa.Column("rating_before", sa.Integer()),
        sa.Column("rating_delta", sa.Integer()),
        sa.Column("score", sa.Integer()),
        sa.PrimaryKeyConstraint("match_id", "seat", name=op.f("pk_seat")),
        sa.UniqueConstraint("match_id", "secret", name=op.f("uq_secret")),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"], name=op.f("fk_seat_match_id")),
        sa.ForeignKeyConstraint(["user_id"], ["user.id"], name=op.f("fk_seat_user_id")),
        sa.CheckConstraint("seat IN (0, 1)", name=op.f("ck_seat_seat")),
    )
    op.create_index("ix_seat_user_id", "seat", ["user_id", "game", "match_id"])
    op.create_index("uq_open_game", "seat", ["user_id", "game"], unique=True, **where("sole"))
    op.create_table(
        "journal",
        sa.Column("match_id", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("seat", sa.SmallInteger()),
        sa.Column("action", sa.LargeBinary()),
        sa.Column("seen_0", sa.BigInteger()),
        sa.Column("seen_1", sa.BigInteger()),
        sa.PrimaryKeyConstraint("match_id", "version", name=op.f("pk_journal")),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"], name=op.f("fk_journal_match_id")),
        sa.CheckConstraint("seat IN (0, 1)", name=op.f("ck_journal_seat")),
        sa.CheckConstraint("version >= 1", name=op.f("ck_journal_version")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "holding",
        sa.Column("match_id", sa.Text(), nullable=False),
        sa.Column("seat", sa.SmallInteger(), nullable=False),
        sa.Column("item", sa.Text(), nullable=False),
        sa.Column("quantity", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("match_id", "seat", "item", name=op.f("pk_holding")),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"], name=op.f("fk_holding_match_id")),
        sa.CheckConstraint("quantity >= 0", name=op.f("ck_holding_quantity")),
        sa.CheckConstraint("seat IN (0, 1)", name=op.f("ck_holding_seat")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "presence",
        sa.Column("match_id", sa.Text(), nullable=False),
        sa.Column("seat", sa.SmallInteger(), nullable=False),
        sa.Column("seen_at", sa.BigInteger(), nullable=False),
        sa.Column("connection", sa.Text()),
        sa.Column("process_id", sa.Text()),
        sa.Column("left_at", sa.BigInteger()),
        sa.PrimaryKeyConstraint("match_id", "seat", name=op.f("pk_presence")),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"], name=op.f("fk_presence_match_id")),
        sa.CheckConstraint(
            "(connection IS NULL) = (process_id IS NULL)", name=op.f("ck_presence_held")
        ),
        sa.CheckConstraint("seat IN (0, 1)", name=op.f("ck_presence_seat")),
        postgresql_with={"fillfactor": "60"},
        sqlite_with_rowid=False,
    )
    op.create_index(
        "ix_presence_process_id", "presence", ["process_id"], **where("process_id IS NOT NULL")
    )
    op.create_table(
        "lease",
        sa.Column("process_id", sa.Text(), nullable=False),
        sa.Column("until", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("process_id", name=op.f("pk_lease")),
    )


def create_audit_and_events() -> None:
    op.create_table(
        "audit",
        sa.Column("position", POSITION, nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("subject_id", sa.Text(), nullable=False),
        sa.Column("match_id", sa.Text()),
        sa.Column("actor_id", sa.Text()),
        sa.Column("type", sa.Text(), nullable=False),
        sa.Column("payload", sa.LargeBinary(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("position", name=op.f("pk_audit")),
        sa.UniqueConstraint("id", name=op.f("uq_audit")),
        sa.ForeignKeyConstraint(["actor_id"], ["user.id"], name=op.f("fk_audit_actor_id")),
    )
    op.create_index("ix_audit_subject_id", "audit", ["subject_id", "position"])
    op.create_table(
        "outbox",
        sa.Column("position", POSITION, nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("type", sa.Text(), nullable=False),
        sa.Column("payload", sa.LargeBinary(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("position", name=op.f("pk_outbox")),
        sqlite_autoincrement=True,
    )


def guard_histories() -> None:
    """What must never be, whoever writes to the database."""
    if op.get_bind().dialect.name == "postgresql":
        op.execute(REFUSE)
        op.execute(REFUSE_GAP)
    refuse("match_version", "UPDATE OF version", "match", f"NOT ({STAYS} OR {GOES_UP})")
    refuse_gap()
    for table in ("journal", "ledger_entry", "audit"):
        refuse(f"{table}_changed", "UPDATE", table)
        refuse(f"{table}_removed", "DELETE", table)
    refuse("escrow_settled", "UPDATE", "escrow", "OLD.status = 'settled'")
    refuse("escrow_removed", "DELETE", "escrow")
    refuse("challenge_answered", "UPDATE", "challenge", "OLD.status <> 'pending'")
    if op.get_bind().dialect.name == "postgresql":
        for table in ("journal", "ledger_entry", "audit", "escrow"):
            op.execute(
                f"CREATE TRIGGER {table}_emptied BEFORE TRUNCATE ON {table}"
                " FOR EACH STATEMENT EXECUTE FUNCTION refuse()"
            )
    else:
        # INSERT OR REPLACE removes rows without asking the triggers on DELETE.
        refuse("ledger_entry_replaced", "INSERT", "ledger_entry", REPLACES_ENTRY)
        refuse("escrow_replaced", "INSERT", "escrow", REPLACES_ESCROW)
        refuse("match_replaced", "INSERT", "match", REPLACES_MATCH, says="pk_match")
        refuse("challenge_replaced", "INSERT", "challenge", REPLACES_CHALLENGE, says="pk_challenge")


STAYS = "NEW.version = OLD.version"
GOES_UP = "NEW.version = OLD.version + 1"
NEXT_VERSION = "(SELECT coalesce(max(version), 0) + 1 FROM journal WHERE match_id = NEW.match_id)"
REPLACES_ENTRY = (
    "EXISTS (SELECT 1 FROM ledger_entry WHERE position = NEW.position"
    " OR (transfer_id = NEW.transfer_id AND direction = NEW.direction)"
    " OR (account_id = NEW.account_id AND number = NEW.number))"
)
REPLACES_MATCH = 'EXISTS (SELECT 1 FROM "match" WHERE id = NEW.id)'
REPLACES_CHALLENGE = "EXISTS (SELECT 1 FROM challenge WHERE id = NEW.id)"
REPLACES_ESCROW = (
    "EXISTS (SELECT 1 FROM escrow WHERE id = NEW.id OR challenge_id = NEW.challenge_id)"
)

REFUSE = """
CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION USING ERRCODE = 'integrity_constraint_violation',
        MESSAGE = TG_NAME, CONSTRAINT = TG_NAME;
END
$$
"""
REFUSE_GAP = f"""
CREATE FUNCTION refuse_gap() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.version <> {NEXT_VERSION} THEN
        RAISE EXCEPTION USING ERRCODE = 'integrity_constraint_violation',
            MESSAGE = TG_NAME, CONSTRAINT = TG_NAME;
    END IF;
    RETURN NEW;
END
$$
"""


def refuse(name: str, event: str, table: str, when: str = "true", says: str = "") -> None:
    """A trigger that lets nothing through for which `when` holds; by default it says its name."""
    if op.get_bind().dialect.name == "postgresql":
        op.execute(
            f'CREATE TRIGGER {name} BEFORE {event} ON "{table}" FOR EACH ROW'
            f" WHEN ({when}) EXECUTE FUNCTION refuse()"
        )
    else:
        op.execute(
            f'CREATE TRIGGER {name} BEFORE {event} ON "{table}" WHEN {when}'
            f" BEGIN SELECT RAISE(ABORT, '{says or name}'); END"
        )


def refuse_gap() -> None:
    """A journal goes 1, 2, 3 and so on, and nothing is entered twice."""
    if op.get_bind().dialect.name == "postgresql":
        op.execute(
            "CREATE TRIGGER journal_gap BEFORE INSERT ON journal FOR EACH ROW"
            " EXECUTE FUNCTION refuse_gap()"
        )
    else:
        refuse("journal_gap", "INSERT", "journal", f"NEW.version <> {NEXT_VERSION}")


def create_views() -> None:
    op.execute(
        """
CREATE VIEW game_history AS
SELECT
    "match".id AS id,
    "match".id AS game_id,
    "match".game AS game,
    "match".ended_at AS played_at,
    first.user_id AS player0_user_id,
    second.user_id AS player1_user_id,
    first.name AS player0_name,
    second.name AS player1_name,
    first.score AS player0_score,
    second.score AS player1_score,
    "match".winner AS winner_index,
    "match".reason AS end_reason,
    first.rating_before AS player0_elo_before,
    first.rating_before + first.rating_delta AS player0_elo_after,
    second.rating_before AS player1_elo_before,
    second.rating_before + second.rating_delta AS player1_elo_after
FROM "match"
JOIN seat AS first ON first.match_id = "match".id AND first.seat = 0
JOIN seat AS second ON second.match_id = "match".id AND second.seat = 1
WHERE "match".status = 'finished'
"""
    )
    op.execute(
        """
CREATE VIEW player_ratings AS
SELECT
    rating.user_id AS user_id,
    rating.game AS game,
    "user".username AS display_name,
    rating.rating AS elo,
    rating.wins AS wins,
    rating.losses AS losses,
    rating.draws AS draws,
    "user".is_bot AS is_bot,
    rating.updated_at AS updated_at
FROM rating
JOIN "user" ON "user".id = rating.user_id
"""
    )


def downgrade() -> None:
    """There is nothing before the first version."""
    raise NotImplementedError
