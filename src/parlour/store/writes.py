"""What each write of a `Change` is in SQL. Both engines run these statements in this order."""
# ruff: noqa: S608 (only names of our own are put into SQL; values are parameters)

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from operator import attrgetter
from typing import Any

import msgspec
from msgspec import Struct

from parlour.store.change import (
    AddToEscrow,
    AdvanceMatch,
    AnswerChallenge,
    Arrive,
    AuditRow,
    ChallengeRow,
    Change,
    ChangeHolding,
    ChangeRating,
    ClearOutbox,
    CloseSeat,
    Conflict,
    CreateMatch,
    Depart,
    EndLease,
    FillSeat,
    ForgetAnswers,
    ForgetLease,
    FreeSeats,
    HoldLease,
    Impossible,
    InsufficientFunds,
    JournalRow,
    KeepAnswer,
    MatchRow,
    NotificationRow,
    OpenAccount,
    OpenEscrow,
    OutboxRow,
    PutTicket,
    ReadNotification,
    ReadNotifications,
    RearmMatch,
    RenameUser,
    RewriteMatch,
    SeatRow,
    SettleEscrow,
    Sighting,
    SigningKeyRow,
    SnapshotRating,
    TakeLease,
    TakeTicket,
    TouchTicket,
    Transfer,
    UserRow,
    counting,
)
from parlour.store.schema import STARTING_RATING, username_key
from parlour.store.statements import Statement, Values, insert, statement

Step = tuple[Statement, Values]


def steps(change: Change) -> Iterator[Step]:
    """The statements of a change with their parameters, in order."""
    for write in change.writes:
        yield from WRITES[type(write)](write)


def is_move(change: Change) -> bool:
    """Whether it is the common step, of which stores make many at once."""
    writes = change.writes
    if len(writes) < 2:
        return False
    advance, entry, *events = writes
    return (
        type(advance) is AdvanceMatch
        and type(entry) is JournalRow
        and entry.match_id == advance.match_id
        and entry.version == advance.version
        and all(type(event) is OutboxRow for event in events)
    )


def run(*statements: Statement) -> Callable[[Any], Iterable[Step]]:
    """These statements, with the parameters they take from the write."""
    return lambda write: [(each, each.values(write)) for each in statements]


# --- matches ----------------------------------------------------------------------------------

_MOVE = """version = :version, state = :state, updated_at = :updated_at, bot_at = :bot_at,
    acted_0_at = :acted_0_at, acted_1_at = :acted_1_at"""

# Most moves leave the deadline where it is. SQLite would write its index anew all the same.
ADVANCE = statement(
    f"""UPDATE match SET {_MOVE}, deadline_at = :deadline_at
    WHERE id = :match_id AND version = :version - 1""",
    Conflict,
    first=f"""UPDATE match SET {_MOVE} WHERE id = :match_id AND version = :version - 1
    AND deadline_at IS :deadline_at""",
)
JOURNAL = insert("journal", JournalRow)
OUTBOX = insert("outbox", OutboxRow)

_FIXED = {"id", "game", "public_id", "seed", "created_at", "rules_version"}
_REWRITTEN = [name for name in MatchRow.__struct_fields__ if name not in _FIXED]
_REWRITE = statement(
    f"""UPDATE match SET {", ".join(f"{name} = :{name}" for name in _REWRITTEN)}
    WHERE id = :id AND version = :version - 1""",
    Conflict,
)
_CREATE = insert("match", MatchRow)

_SEAT = SeatRow.__struct_fields__
_seat_values = attrgetter(*_SEAT)
_SIT = statement(
    f"""INSERT INTO seat (match_id, game, created_at, finished_at, ending, {", ".join(_SEAT)})
    VALUES (:match_id, :game, :created_at, :finished_at, :ending,
        {", ".join(f":{name}" for name in _SEAT)})"""
)
_FILL = statement(
    f"""INSERT INTO seat (match_id, game, created_at, {", ".join(_SEAT)})
    VALUES (:match_id, :game, (SELECT created_at FROM match WHERE id = :match_id),
        {", ".join(f":{name}" for name in _SEAT)})"""
)


def _create(write: CreateMatch) -> Iterator[Step]:
    match = write.match
    yield _CREATE, _CREATE.values(match)
    ending = "open" if match.status in ("waiting", "active") else match.reason or match.status
    finished_at = match.ended_at if match.status == "finished" else None
    for seat, counts in zip(write.seats, counting(write.seats), strict=True):
        at = finished_at if counts else None
        listed = (match.created_at, at, ending)
        yield _SIT, (match.id, match.game, *listed, *_seat_values(seat))


def _rewrite(write: RewriteMatch) -> Iterator[Step]:
    yield _REWRITE, _REWRITE.values(write.match)


def _fill(write: FillSeat) -> Iterator[Step]:
    yield _FILL, (write.match_id, write.game, *_seat_values(write.seat))


_GAIN = statement(
    """INSERT INTO holding (match_id, seat, item, quantity)
    VALUES (:match_id, :seat, :item, :delta)
    ON CONFLICT (match_id, seat, item)
    DO UPDATE SET quantity = holding.quantity + excluded.quantity"""
)
_USE = statement(
    """UPDATE holding SET quantity = quantity + :delta
    WHERE match_id = :match_id AND seat = :seat AND item = :item AND quantity + :delta >= 0""",
    Conflict,
)


def _change_holding(write: ChangeHolding) -> Iterator[Step]:
    change = _USE if write.delta < 0 else _GAIN
    yield change, change.values(write)


# --- people -----------------------------------------------------------------------------------


def _floored(rating: str) -> str:
    return f"CASE WHEN {rating} < :floor THEN :floor ELSE {rating} END"


_CHANGE_RATING = statement(
    f"""INSERT INTO rating (user_id, game, rating, wins, losses, draws, updated_at)
    VALUES (:user_id, :game, {_floored(f"{STARTING_RATING} + :delta")},
        :wins, :losses, :draws, :at)
    ON CONFLICT (user_id, game) DO UPDATE SET
        rating = {_floored("rating.rating + :delta")}, wins = rating.wins + excluded.wins,
        losses = rating.losses + excluded.losses, draws = rating.draws + excluded.draws,
        updated_at = excluded.updated_at""",
    computed={
        "wins": lambda write: int(write.result == "win"),
        "losses": lambda write: int(write.result == "loss"),
        "draws": lambda write: int(write.result == "draw"),
    },
)

READ_AT_ONCE = 500
"""So many notifications are marked as read in one commit: others wait meanwhile."""

_LATER = """CASE WHEN presence.seen_at < excluded.seen_at
    THEN excluded.seen_at ELSE presence.seen_at END"""


# --- money ------------------------------------------------------------------------------------

# The account's row is changed first, so nobody else can enter anything for it meanwhile. When all
# is one statement PostgreSQL overlooks what was entered while it waited for that row: then the
# number is taken, and the change is made again step by step.
_ENTRY = """INSERT INTO ledger_entry
    (transfer_id, account_id, direction, amount, action, escrow_id, at, number, balance)
    VALUES (:id, :{party}, '{direction}', :amount, :action, :escrow_id, :at,
        (SELECT coalesce(max(number), 0) + 1 FROM ledger_entry WHERE account_id = :{party}),
        coalesce((SELECT balance FROM ledger_entry WHERE account_id = :{party}
            ORDER BY number DESC LIMIT 1), 0) {sign} :amount)"""

_CONTRIBUTE = tuple(
    statement(
        f"""UPDATE escrow SET {contrib} = {contrib} + :amount, total = total + :amount
        WHERE id = :id AND status = 'locked'""",
        Conflict,
    )
    for contrib in ("a_contrib", "b_contrib")
)


def _add_to_escrow(write: AddToEscrow) -> Iterator[Step]:
    contribute = _CONTRIBUTE[write.seat]
    yield contribute, contribute.values(write)


# --- the table --------------------------------------------------------------------------------

WRITES: dict[type[Struct], Callable[[Any], Iterable[Step]]] = {
    CreateMatch: _create,
    AdvanceMatch: run(ADVANCE),
    RewriteMatch: _rewrite,
    RearmMatch: run(
        statement(
            """UPDATE match SET deadline_at = :deadline_at
            WHERE id = :match_id AND version = :version""",
            Conflict,
        )
    ),
    FillSeat: _fill,
    SnapshotRating: run(
        statement(
            """UPDATE seat SET rating_before = :rating_before
            WHERE match_id = :match_id AND seat = :seat""",
            Conflict,
        )
    ),
    CloseSeat: run(
        statement(
            """UPDATE seat SET sole = false, rating_delta = :rating_delta, score = :score,
            ending = :ending, finished_at = :finished_at
            WHERE match_id = :match_id AND seat = :seat""",
            Conflict,
        )
    ),
    JournalRow: run(JOURNAL),
    ChangeHolding: _change_holding,
    UserRow: run(insert("user", UserRow, username_key=lambda write: username_key(write.username))),
    RenameUser: run(
        statement(
            """UPDATE "user" SET username = :username, username_key = :key,
            updated_at = :updated_at WHERE id = :user_id""",
            Conflict,
            computed={"key": lambda write: username_key(write.username)},
        )
    ),
    ChangeRating: run(_CHANGE_RATING),
    NotificationRow: run(insert("notification", NotificationRow)),
    ReadNotification: run(
        statement(
            "UPDATE notification SET is_read = true WHERE id = :id AND user_id = :user_id", Conflict
        )
    ),
    ReadNotifications: run(
        statement(
            f"""UPDATE notification SET is_read = true WHERE id IN (SELECT id FROM notification
            WHERE user_id = :user_id AND NOT is_read AND created_at <= :until
            LIMIT {READ_AT_ONCE})"""
        )
    ),
    SigningKeyRow: run(insert("signing_key", SigningKeyRow)),
    KeepAnswer: run(insert("kept_answer", KeepAnswer)),
    ForgetAnswers: run(statement("DELETE FROM kept_answer WHERE created_at < :before")),
    HoldLease: run(
        statement(
            """INSERT INTO lease (process_id, until) VALUES (:process_id, :until)
            ON CONFLICT (process_id) DO UPDATE SET until = excluded.until"""
        )
    ),
    TakeLease: run(
        statement(
            """INSERT INTO lease (process_id, until) VALUES (:process_id, :until)
            ON CONFLICT (process_id) DO UPDATE SET until = excluded.until
            WHERE lease.until = :seen_until""",
            Conflict,
        )
    ),
    EndLease: run(statement("DELETE FROM lease WHERE process_id = :process_id")),
    ForgetLease: run(
        statement("DELETE FROM lease WHERE process_id = :process_id AND until = :until")
    ),
    Sighting: run(
        statement(
            f"""INSERT INTO presence (match_id, seat, seen_at) VALUES (:match_id, :seat, :seen_at)
            ON CONFLICT (match_id, seat) DO UPDATE SET seen_at = {_LATER}"""
        )
    ),
    Arrive: run(
        statement(
            f"""INSERT INTO presence (match_id, seat, seen_at, connection, process_id)
            VALUES (:match_id, :seat, :seen_at, :connection, :process_id)
            ON CONFLICT (match_id, seat) DO UPDATE SET seen_at = {_LATER},
            connection = excluded.connection, process_id = excluded.process_id,
            left_at = NULL"""
        )
    ),
    Depart: run(
        statement(
            """UPDATE presence SET connection = NULL, process_id = NULL, left_at = :seen_at,
            seen_at = CASE WHEN seen_at < :seen_at THEN :seen_at ELSE seen_at END
            WHERE match_id = :match_id AND seat = :seat AND connection = :connection""",
            Conflict,
        )
    ),
    FreeSeats: run(
        statement(
            """UPDATE presence SET connection = NULL, process_id = NULL, left_at = :at
            WHERE match_id = :match_id AND connection IS NOT NULL"""
        )
    ),
    PutTicket: run(insert("ticket", PutTicket)),
    TouchTicket: run(
        statement(
            """UPDATE ticket SET seen_at = :seen_at, deadline_at = :deadline_at
            WHERE id = :id AND seen_at <= :seen_at"""
        )
    ),
    TakeTicket: run(statement("DELETE FROM ticket WHERE id = :id", Conflict)),
    ChallengeRow: run(insert("challenge", ChallengeRow)),
    AnswerChallenge: run(
        statement(
            """UPDATE challenge SET status = :status, accepted_at = :accepted_at,
            match_id = :match_id, modified_at = :modified_at
            WHERE id = :id AND status = 'pending'""",
            Conflict,
        )
    ),
    OpenAccount: run(insert("account", OpenAccount, balance="0")),
    Transfer: run(
        statement(
            """UPDATE account SET balance = balance - :amount
            WHERE id = :payer AND (balance >= :amount OR kind = 'mint')""",
            InsufficientFunds,
        ),
        statement(
            """UPDATE account SET balance = balance + :amount
            WHERE id = :payee AND currency = (SELECT currency FROM account WHERE id = :payer)""",
            lambda: Impossible("payee"),
        ),
        statement(_ENTRY.format(party="payer", direction="debit", sign="-")),
        statement(_ENTRY.format(party="payee", direction="credit", sign="+")),
    ),
    OpenEscrow: run(
        insert("escrow", OpenEscrow, a_contrib="0", b_contrib="0", total="0", status="'locked'")
    ),
    AddToEscrow: _add_to_escrow,
    SettleEscrow: run(
        statement(
            """UPDATE escrow SET status = 'settled', how = :how, settled_at = :at
            WHERE id = :id AND status = 'locked'""",
            Conflict,
        )
    ),
    AuditRow: run(insert("audit", AuditRow)),
    OutboxRow: run(OUTBOX),
    ClearOutbox: run(
        statement(
            "DELETE FROM outbox WHERE position IN (SELECT value FROM json_each(:listed))",
            postgres="""DELETE FROM outbox WHERE position IN
            (SELECT CAST(value AS bigint) FROM json_array_elements_text(CAST(:listed AS json)))""",
            computed={"listed": lambda write: msgspec.json.encode(write.positions).decode()},
        )
    ),
}
