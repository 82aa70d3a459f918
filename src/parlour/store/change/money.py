"""Accounts, the ledger, and the pots of challenges."""
# ruff: noqa: S608 (only names of our own are put into SQL; values are parameters)

from __future__ import annotations

from typing import Literal

from parlour.games.api import Millis, Seat
from parlour.store.change.change import (
    Conflict,
    Impossible,
    InsufficientFunds,
    Write,
)
from parlour.store.change.statement import (
    Statement,
    Steps,
    insert,
    run,
    statement,
)

AccountKind = Literal["wallet", "escrow", "mint"]


class OpenAccount(Write, frozen=True, kw_only=True):
    """Taken: `account`."""

    id: str
    kind: AccountKind
    user_id: str | None = None
    currency: str
    created_at: Millis


class Transfer(Write, frozen=True, kw_only=True):
    """Two ledger rows, two balances. InsufficientFunds unless the payer (mint aside) holds it."""

    id: str
    payer: str
    payee: str
    amount: int
    action: str
    escrow_id: str | None = None
    at: Millis


class OpenEscrow(Write, frozen=True, kw_only=True):
    """Locks the pot of a challenge, empty. Taken: `escrow`."""

    id: str
    challenge_id: str
    account_id: str
    currency: str
    created_at: Millis


class AddToEscrow(Write, frozen=True, kw_only=True):
    """Guard: the escrow is locked."""

    id: str
    seat: Seat
    amount: int


class SettleEscrow(Write, frozen=True, kw_only=True):
    """Guard: the escrow is locked; it never is again."""

    id: str
    how: Literal["won", "refunded"]
    at: Millis


def _entry(party: str, direction: str, sign: str) -> Statement:
    """The next line of an account's own book.

    The account's row is changed first, so that nobody else enters anything for it meanwhile. What
    others entered until then must be seen: it is not begun before.
    """
    return statement(
        f"""INSERT INTO ledger_entry
        (transfer_id, account_number, direction, amount, action, escrow_id, at, number, balance)
        SELECT :id, account.number, '{direction}', :amount, :action, :escrow_id, :at,
            coalesce(last.number, 0) + 1, coalesce(last.balance, 0) {sign} :amount
        FROM account LEFT JOIN ledger_entry AS last ON last.account_number = account.number
            AND last.number = (SELECT max(number) FROM ledger_entry
                WHERE account_number = account.number)
        WHERE account.id = :{party}""",
        lambda: Impossible(party),
        key=(party,),
        follows={"account": party},
    )


WRITES: Steps = {
    OpenAccount: run(insert("account", OpenAccount, balance="0")),
    Transfer: run(
        statement(
            """UPDATE account SET balance = balance - :amount
            WHERE id = :payer AND (balance >= :amount OR kind = 'mint')""",
            InsufficientFunds,
            key=("payer",),
        ),
        statement(
            """UPDATE account SET balance = balance + :amount
            WHERE id = :payee AND currency = (SELECT currency FROM account WHERE id = :payer)""",
            lambda: Impossible("payee"),
            key=("payee",),
            needs={"account": "payer"},
        ),
        _entry("payer", "debit", "-"),
        _entry("payee", "credit", "+"),
    ),
    OpenEscrow: run(
        insert("escrow", OpenEscrow, a_contrib="0", b_contrib="0", total="0", status="'locked'")
    ),
    AddToEscrow: run(
        statement(
            """UPDATE escrow SET a_contrib = a_contrib + :a, b_contrib = b_contrib + :b,
            total = total + :a + :b WHERE id = :id AND status = 'locked'""",
            Conflict,
            key=("id",),
            computed={
                "a": lambda write: write.amount if write.seat == 0 else 0,
                "b": lambda write: write.amount if write.seat == 1 else 0,
            },
        )
    ),
    SettleEscrow: run(
        statement(
            """UPDATE escrow SET status = 'settled', how = :how, settled_at = :at
            WHERE id = :id AND status = 'locked'""",
            Conflict,
            key=("id",),
        )
    ),
}
