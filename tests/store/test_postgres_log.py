"""What a PostgreSQL server writes into its log: nothing, of what succeeds or a guard refuses."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Sequence
from typing import Any
from uuid import uuid4

import pytest

from parlour.store.api import Store
from parlour.store.change import (
    AddToEscrow,
    AnswerChallenge,
    Arrive,
    AuditRow,
    Change,
    ChangeRating,
    ClearOutbox,
    CloseSeat,
    Conflict,
    Depart,
    EndLease,
    FillSeat,
    ForgetAnswers,
    ForgetLease,
    FreeSeats,
    GetUp,
    HoldLease,
    InsufficientFunds,
    KeepAnalysis,
    KeepAnswer,
    NotificationRow,
    PutRecovery,
    QueueUp,
    ReadNotification,
    ReadNotifications,
    RearmMatch,
    RenameUser,
    RewriteMatch,
    SettleEscrow,
    Sighting,
    SigningKeyRow,
    SnapshotRating,
    StoreError,
    TakeLease,
    TakeTicket,
    TouchTicket,
    UseRecovery,
    Write,
)
from parlour.store.change.steps import WRITES
from tests.servers.postgres import Postgres
from tests.servers.stores import opened
from tests.store.rows import (
    NOW,
    advance,
    challenge,
    create,
    entry,
    escrow,
    event,
    make,
    match,
    move,
    pay,
    pot,
    seat,
    staked,
    ticket,
    unchanged,
    user,
    wallet,
)


@pytest.fixture
def server() -> Iterator[Postgres]:
    """One whose log nobody else writes to."""
    own = Postgres(f"log-{uuid4().hex[:12]}")
    yield own
    own.remove()


def errors(server: Postgres) -> list[str]:
    return [line for line in server.log().splitlines() if "ERROR:" in line or "FATAL:" in line]


def rating(name: str, delta: int) -> ChangeRating:
    result: Any = "win" if delta > 0 else "loss"
    return ChangeRating(user_id=f"user-{name}", game="connect4", delta=delta, result=result, at=NOW)


def arrive(number: int, connection: str) -> Arrive:
    return Arrive(
        match_id="match", seat=number, seen_at=NOW, connection=connection, process_id="process"
    )


def note(note_id: str) -> AuditRow:
    return AuditRow(
        id=note_id, subject_id="challenge", type="challenge_created", payload=b"{}", at=NOW
    )


def answer(status: Any) -> AnswerChallenge:
    return AnswerChallenge(id="challenge", status=status, modified_at=NOW + 1)


def close(number: int) -> CloseSeat:
    return CloseSeat(match_id="match", seat=number, ending="connected", finished_at=NOW)


def refund(name: str, amount: int) -> Write:
    return pay("pot", f"wallet-{name}", amount, action="draw_refund", escrow_id="escrow")


SEATED = (seat(0, "Ann", user_id="user-Ann", sole=True),)

SUCCEED: Sequence[tuple[str, Sequence[Write]]] = (
    # Somebody comes: the account is opened and filled in the change that brings them.
    ("sign up", (user("Cid"), wallet("Cid"), pay("mint:TNB", "wallet-Cid", 100), note("1"))),
    ("keys", (SigningKeyRow(kid="key", private_pem="", created_at=NOW),)),
    ("rename", (RenameUser(user_id="user-Cid", username="Dan", updated_at=NOW),)),
    (
        "answers",
        (
            KeepAnswer(user_id="user-Ann", key="k", fingerprint="f", answer=b"{}", created_at=NOW),
            ForgetAnswers(before=NOW + 1),
        ),
    ),
    (
        "notifications",
        (
            NotificationRow(id="n", user_id="user-Ann", type="t", payload=b"{}", created_at=NOW),
            ReadNotification(id="n", user_id="user-Ann"),
            ReadNotifications(user_id="user-Ann", until=NOW),
            PutRecovery(user_id="user-Ann", code_hash="hash", created_at=NOW),
            UseRecovery(code_hash="hash", used_at=NOW, since=NOW),
        ),
    ),
    ("queue", (ticket("Ann"), QueueUp(ticket=ticket("Bob")))),
    ("touch", (TouchTicket(id="ticket-Ann", seen_at=NOW + 1, deadline_at=None), event("a", 0))),
    ("pair", (TakeTicket(id="ticket-Ann"), TakeTicket(id="ticket-Bob"))),
    # A match with all its seats, and a table that waits for the second.
    ("wait", (create("match", *SEATED, status="waiting", state=None), arrive(0, "one"))),
    (
        "join",
        (
            entry(1, kind="start"),
            RewriteMatch(match=match(version=1)),
            FillSeat(match_id="match", game="connect4", seat=seat(1, "Bob", user_id="user-Bob")),
            SnapshotRating(match_id="match", seat=0, rating_before=1000),
            event("match", 1),
            event("match", 2),
            arrive(1, "two"),
        ),
    ),
    ("move", (entry(2),)),
    (
        "move and more",
        (entry(3), advance(3), event(), Sighting(match_id="match", seat=0, seen_at=1)),
    ),
    ("rearm", (RearmMatch(match_id="match", version=3, deadline_at=NOW),)),
    ("leave", (Depart(match_id="match", seat=1, seen_at=NOW, connection="two"), event())),
    (
        "end",
        (
            entry(4),
            RewriteMatch(match=match(version=4, status="finished", ended_at=NOW, winner=0)),
            close(0),
            close(1),
            rating("Ann", 16),
            rating("Bob", -16),
            GetUp(match_id="match", at=NOW, connection_0=None, connection_1="two"),
            FreeSeats(match_id="match", at=NOW),
            event("match", 3),
            event("match", 4),
            create("again", *SEATED, rematch_by=0),
        ),
    ),
    ("analysis", (KeepAnalysis(match_id="match", analysis=b"{}", made_at=NOW),)),
    ("analysis again", (KeepAnalysis(match_id="match", analysis=b"[]", made_at=NOW + 1),)),
    # Money: twice from and to the same account in one change, and from one that is new.
    ("stake", (AddToEscrow(id="escrow", seat=1, amount=10), pay("wallet-Bob", "pot", 10, "bob"))),
    (
        "draw",
        (
            answer("accepted"),
            SettleEscrow(id="escrow", how="refunded", at=NOW),
            refund("Ann", 10),
            refund("Bob", 10),
            note("2"),
            note("3"),
        ),
    ),
    (
        "challenge",
        (
            challenge("other"),
            pot("other pot"),
            type(escrow())(
                id="other",
                challenge_id="other",
                account_id="other pot",
                currency="TNB",
                created_at=NOW,
            ),
            AddToEscrow(id="other", seat=0, amount=7),
            pay("wallet-Ann", "other pot", 7, "seven", escrow_id="other"),
            note("4"),
        ),
    ),
    ("leases", (HoldLease(process_id="p", until=1), HoldLease(process_id="q", until=1))),
    (
        "lease again",
        (
            TakeLease(process_id="p", seen_until=1, until=2),
            ForgetLease(process_id="q", until=1),
            EndLease(process_id="p"),
        ),
    ),
    ("outbox", (ClearOutbox(positions=(1, 2)), event())),
)

REFUSED: Sequence[tuple[str, type[StoreError], Sequence[Write]]] = (
    ("move", Conflict, (entry(2), event())),
    ("gap", Conflict, (entry(7), advance(7), note("5"))),
    ("move and more", Conflict, (entry(2), advance(2), note("5"))),
    ("end", Conflict, (entry(4), RewriteMatch(match=match(version=4)), close(0), event())),
    ("ticket", Conflict, (note("5"), TakeTicket(id="none"), event(), user("Eve"))),
    ("funds", InsufficientFunds, (note("5"), pay("wallet-Ann", "wallet-Bob", 10**9), event())),
    ("answered", Conflict, (answer("cancelled"), pay("mint:TNB", "wallet-Ann", 1), note("5"))),
    (
        "settled",
        Conflict,
        (pay("mint:TNB", "wallet-Ann", 1), SettleEscrow(id="escrow", how="won", at=1)),
    ),
    ("rearm", Conflict, (RearmMatch(match_id="match", version=1, deadline_at=None),)),
    ("lease", Conflict, (TakeLease(process_id="r", seen_until=None, until=5), TakeTicket(id="no"))),
)


@pytest.fixture
async def logged(server: Postgres) -> AsyncIterator[Store]:
    async with opened(server.url()) as store:
        await staked(store)
        yield store


async def test_what_succeeds_or_is_refused_by_a_guard_is_no_error_of_the_server(
    server: Postgres, logged: Store
) -> None:
    for name, writes in SUCCEED:
        await make(logged, *writes)
        assert errors(server) == [], name
    for name, error, writes in REFUSED:
        async with unchanged(logged):
            with pytest.raises(error):
                await make(logged, *writes)
        assert errors(server) == [], name


async def test_the_log_would_show_an_error(server: Postgres, logged: Store) -> None:
    with pytest.raises(StoreError):
        await make(logged, user("Ann"))
    assert len(errors(server)) == 1


def test_every_kind_of_write_is_among_them() -> None:
    tried = {type(write) for _, writes in SUCCEED for write in writes}
    before = {type(write) for write in Change((user("Ann"), *move(1).writes)).writes}
    assert tried | before == set(WRITES)
