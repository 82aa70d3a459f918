"""The audit: every balance and every escrow worked out again from the ledger, and compared.

Each query sees the books as of one instant, so an audit may run beside a live server.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any, Literal

from msgspec import Struct
from msgspec.json import decode
from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Select,
    Text,
    and_,
    bindparam,
    case,
    cast,
    func,
    literal,
    or_,
    select,
)

from parlour.games.api import Seat
from parlour.money.escrow import Stakes
from parlour.money.ledger import wallet_of
from parlour.store.api import Record, Store
from parlour.store.change import ChallengeStatus, Status
from parlour.store.schema import account, challenge, escrow, ledger_entry, match

FINDINGS_MAX = 1_000
"""So many findings of one kind tell enough."""
PAGE = 5_000
"""Escrows looked at in one go."""


class Finding(Struct, frozen=True):
    """Something that does not add up."""

    subject: str
    """The account, transfer or escrow."""
    problem: str


async def audit(store: Store) -> AsyncIterator[Finding]:
    """All that is wrong with the books, if anything."""
    for row in await store.scan(_WRONG_BALANCES):
        yield Finding(row["id"], f"holds {row['found']}, its entries add up to {row['expected']}")
    for row in await store.scan(_WRONG_LINES):
        yield Finding(row["id"], _wrong_line(row))
    for row in await store.scan(_WRONG_TRANSFERS):
        yield Finding(row["id"], f"{row['entries']} entries that add up to {row['net']}")
    for row in await store.scan(_WRONG_CIRCULATION):
        yield Finding(row["currency"], f"all accounts together hold {row['net']} instead of 0")
    async for books in _all_books(store):
        for problem in faults(books):
            yield Finding(books.id, problem)


# --- accounts and transfers -------------------------------------------------------------------


def _total(amount: ColumnElement[Any]) -> ColumnElement[int]:
    # PostgreSQL adds up to a wider type, which its driver hands over as a decimal.
    return cast(func.coalesce(func.sum(amount), 0), BigInteger)


_AMOUNT = ledger_entry.c.amount
_SIGNED = case((ledger_entry.c.direction == "credit", _AMOUNT), else_=-_AMOUNT)
_NET = _total(_SIGNED)
_MOVED = (
    select(ledger_entry.c.account_number, _NET.label("net"))
    .group_by(ledger_entry.c.account_number)
    .subquery()
)
_EXPECTED = func.coalesce(_MOVED.c.net, 0)
_WRONG_BALANCES = (
    select(account.c.id, account.c.balance.label("found"), _EXPECTED.label("expected"))
    .select_from(account.outerjoin(_MOVED, _MOVED.c.account_number == account.c.number))
    .where(or_(account.c.balance != _EXPECTED, and_(_EXPECTED < 0, account.c.kind != "mint")))
    .limit(FINDINGS_MAX)
)


def _before(column: ColumnElement[int]) -> ColumnElement[int]:
    """What the line before says in an account's own book; 0 at the first."""
    entry = ledger_entry.c
    lag = func.lag(column).over(partition_by=entry.account_number, order_by=entry.number)
    return func.coalesce(lag, 0)


# Numbered without a gap, each line following from the one before.
_LINES = select(
    ledger_entry.c.account_number,
    ledger_entry.c.number,
    ledger_entry.c.balance,
    (_before(ledger_entry.c.number) + 1).label("place"),
    (_before(ledger_entry.c.balance) + _SIGNED).label("due"),
).subquery()
_WRONG_LINES = (
    select(account.c.id, _LINES)
    .join_from(_LINES, account, account.c.number == _LINES.c.account_number)
    .where(or_(_LINES.c.number != _LINES.c.place, _LINES.c.balance != _LINES.c.due))
    .limit(FINDINGS_MAX)
)


def _wrong_line(row: Record) -> str:
    if row["number"] != row["place"]:
        return f"has no entry {row['place']}"
    return f"says it held {row['balance']} after entry {row['number']}, not {row['due']}"


# A debit and a credit of the same amount, for the same reason, on two accounts.
_WRONG_TRANSFERS = (
    select(ledger_entry.c.transfer_id.label("id"), func.count().label("entries"), _NET.label("net"))
    .group_by(ledger_entry.c.transfer_id)
    .having(
        or_(
            func.count() != 2,
            _NET != 0,
            func.min(ledger_entry.c.action) != func.max(ledger_entry.c.action),
            func.min(ledger_entry.c.account_number) == func.max(ledger_entry.c.account_number),
            func.count(ledger_entry.c.escrow_id) == 1,
            func.min(ledger_entry.c.escrow_id) != func.max(ledger_entry.c.escrow_id),
        )
    )
    .limit(FINDINGS_MAX)
)
_WRONG_CIRCULATION = (
    select(account.c.currency, _total(account.c.balance).label("net"))
    .group_by(account.c.currency)
    .having(_total(account.c.balance) != 0)
)


# --- escrows ----------------------------------------------------------------------------------


class Books(Struct, frozen=True, kw_only=True):
    """All that is written about one escrow."""

    id: str
    status: Literal["locked", "settled"]
    how: Literal["won", "refunded"] | None
    contrib: tuple[int, int]
    """What its row says that each side paid in."""
    total: int
    pot: int
    """What its account holds."""
    paid: tuple[int, int]
    """What the ledger says that each side paid in, and got out."""
    got: tuple[int, int]
    stake: int
    max_spend: int
    challenge_status: ChallengeStatus
    match_status: Status | None
    winner: Seat | None


def faults(books: Books) -> Iterator[str]:
    """What does not add up about an escrow."""
    if books.contrib != books.paid or books.total != sum(books.paid):
        yield (
            f"says {books.contrib} of {books.total} were paid in,"
            f" the ledger {books.paid} of {sum(books.paid)}"
        )
    asked = (books.stake, books.stake if books.challenge_status == "accepted" else 0)
    for stake, contrib in zip(asked, books.contrib, strict=True):
        if not stake <= contrib <= stake + books.max_spend:
            yield f"one side paid in {contrib}: stake {stake}, spending up to {books.max_spend}"
    if (books.status, books.how) != (due := _due(books)):
        yield f"is {books.status} ({books.how}), should be {due[0]} ({due[1]})"
    if books.got != (fair := _fair(books)):
        yield f"paid out {books.got}, should have paid {fair}"
    if books.pot != sum(books.paid) - sum(books.got):
        yield f"holds {books.pot} after {sum(books.paid)} in and {sum(books.got)} out"


def _due(books: Books) -> tuple[str, str | None]:
    """What should have become of it, as its challenge and match stand."""
    if books.challenge_status == "pending":
        return "locked", None
    if books.challenge_status == "accepted":
        if books.match_status == "active":
            return "locked", None
        if books.match_status == "finished" and books.winner is not None:
            return "settled", "won"
    return "settled", "refunded"


def _fair(books: Books) -> tuple[int, int]:
    """What each side should have got out, as the escrow was settled."""
    if books.status == "locked":
        return 0, 0
    if books.how == "refunded":
        return books.paid
    return (sum(books.paid), 0) if books.winner == 0 else (0, sum(books.paid))


def _escrows(chosen: Callable[[ColumnElement[str]], ColumnElement[bool]]) -> Select[Any]:
    """All that is written about the escrows whose id is chosen.

    The ledger is cut down by the same choice, so that a page of escrows costs a page of entries.
    """
    credit = ledger_entry.c.direction == "credit"
    flows = (
        select(
            ledger_entry.c.escrow_id,
            ledger_entry.c.account_number,
            _total(case((credit, 0), else_=_AMOUNT)).label("paid"),
            _total(case((credit, _AMOUNT), else_=0)).label("got"),
        )
        .where(chosen(ledger_entry.c.escrow_id))
        .group_by(ledger_entry.c.escrow_id, ledger_entry.c.account_number)
        .cte("flows")
    )
    a, b = flows.alias("a"), flows.alias("b")
    wallet = literal(wallet_of(""))
    hers, his = account.alias("hers"), account.alias("his")
    a_is = and_(a.c.escrow_id == escrow.c.id, a.c.account_number == hers.c.number)
    b_is = and_(b.c.escrow_id == escrow.c.id, b.c.account_number == his.c.number)
    return (
        select(
            escrow.c.id,
            escrow.c.status,
            escrow.c.how,
            escrow.c.a_contrib,
            escrow.c.b_contrib,
            escrow.c.total,
            account.c.balance.label("pot"),
            func.coalesce(a.c.paid, 0).label("a_paid"),
            func.coalesce(b.c.paid, 0).label("b_paid"),
            func.coalesce(a.c.got, 0).label("a_got"),
            func.coalesce(b.c.got, 0).label("b_got"),
            challenge.c.terms,
            challenge.c.status.label("challenge_status"),
            match.c.status.label("match_status"),
            match.c.winner,
        )
        .select_from(
            escrow.join(account, account.c.id == escrow.c.account_id)
            .join(challenge, challenge.c.id == escrow.c.challenge_id)
            .outerjoin(match, match.c.id == challenge.c.match_id)
            .outerjoin(hers, hers.c.id == wallet + challenge.c.challenger_id)
            .outerjoin(his, his.c.id == wallet + challenge.c.opponent_id)
            .outerjoin(a, a_is)
            .outerjoin(b, b_is)
        )
        .where(chosen(escrow.c.id))
    )


_AFTER, _UNTIL = bindparam("after", type_=Text), bindparam("until", type_=Text)
_NEXT_IDS = (
    select(escrow.c.id).where(escrow.c.id > _AFTER).order_by(escrow.c.id).limit(PAGE).subquery()
)
_LAST_ID = select(func.max(_NEXT_IDS.c.id).label("id"))
_PAGE = _escrows(lambda escrow_id: and_(escrow_id > _AFTER, escrow_id <= _UNTIL))
_ONE = _escrows(lambda escrow_id: escrow_id == bindparam("id", type_=Text))


async def _all_books(store: Store) -> AsyncIterator[Books]:
    after = ""
    while (until := (await store.scan(_LAST_ID, after=after))[0]["id"]) is not None:
        for row in await store.scan(_PAGE, after=after, until=until):
            yield _books(row)
        after = until


async def books_of(store: Store, escrow_id: str) -> Books | None:
    """All that is written about one escrow."""
    row = await store.row(_ONE, id=escrow_id)
    return _books(row) if row else None


def _books(row: Record) -> Books:
    stakes = decode(row["terms"], type=Stakes)
    return Books(
        id=row["id"],
        status=row["status"],
        how=row["how"],
        contrib=(row["a_contrib"], row["b_contrib"]),
        total=row["total"],
        pot=row["pot"],
        paid=(row["a_paid"], row["b_paid"]),
        got=(row["a_got"], row["b_got"]),
        stake=stakes.stake_amount,
        max_spend=stakes.max_spend_amount,
        challenge_status=row["challenge_status"],
        match_status=row["match_status"],
        winner=row["winner"],
    )
