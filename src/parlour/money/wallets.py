"""Wallets: opened with a grant when a user is first seen, and looked into ever after."""

from __future__ import annotations

from collections.abc import Collection
from contextlib import suppress
from typing import Literal

from msgspec import Struct
from sqlalchemy import Text, bindparam, func, select

from parlour.games.api import Millis
from parlour.money.ledger import CURRENCY, mint_of, transfer, wallet_of
from parlour.settings import SettingsError
from parlour.store.api import Store
from parlour.store.change import Change, OpenAccount, Taken, Write
from parlour.store.queries import LIST_LIMIT
from parlour.store.schema import account, challenge, ledger_entry, user


class Wallet(Struct, frozen=True):
    """What a user has, and what it is called by."""

    number: int
    owner: int
    """The user's number."""
    currency: int
    """The number of what all its money comes from."""
    balance: int
    created_at: Millis
    modified_at: Millis


class Entry(Struct, frozen=True):
    """One line of a wallet's book."""

    position: int
    """Its place in the whole ledger: later entries have higher ones."""
    action: str
    direction: Literal["credit", "debit"]
    amount: int
    balance: int
    """What the wallet held afterwards."""
    challenge: int | None
    """The number of the challenge it belongs to."""
    at: Millis


_ACCOUNT = bindparam("account_id", type_=Text)
_NUMBER = select(account.c.number).where(account.c.id == _ACCOUNT).scalar_subquery()
_BALANCE = select(account.c.balance).where(account.c.id == _ACCOUNT)
_BALANCES = select(account.c.user_id, account.c.balance).where(
    account.c.user_id.in_(bindparam("users", expanding=True))
)
_mint = account.alias("mint")
_modified_at = (
    select(ledger_entry.c.at)
    .where(ledger_entry.c.account_number == account.c.number)
    .order_by(ledger_entry.c.number.desc())
    .limit(1)
    .scalar_subquery()
)
_WALLETS = (
    select(
        account.c.user_id,
        account.c.number,
        user.c.number.label("owner"),
        _mint.c.number.label("currency"),
        account.c.balance,
        account.c.created_at,
        func.coalesce(_modified_at, account.c.created_at).label("modified_at"),
    )
    .join(user, user.c.id == account.c.user_id)
    .join(_mint, _mint.c.id == bindparam("mint"))
    .where(account.c.user_id.in_(bindparam("users", expanding=True)))
)
_ANY_WALLET = select(account.c.currency).where(account.c.user_id.is_not(None)).limit(1)
_NEWEST = select(func.max(ledger_entry.c.number).label("number")).where(
    ledger_entry.c.account_number == _NUMBER
)
_PAGE = (
    select(ledger_entry, challenge.c.number.label("challenge"))
    .outerjoin(challenge, challenge.c.id == ledger_entry.c.escrow_id)
    .where(
        ledger_entry.c.account_number == _NUMBER,
        ledger_entry.c.number <= bindparam("newest"),
    )
    .order_by(ledger_entry.c.number.desc())
    .limit(bindparam("limit"))
)


async def adopt(store: Store, currency: str) -> None:
    """Have everybody's money be called so, from the first wallet on; `SettingsError` if it is not.

    All wallets are of one currency, so that any of them tells which.
    """
    wallet = await store.row(_ANY_WALLET)
    if wallet is not None and wallet["currency"] != currency:
        raise SettingsError(
            f"DEFAULT_CURRENCY_TICKER: the money in this database is called"
            f" {wallet['currency']}, got {currency!r}"
        )
    mint = OpenAccount(id=mint_of(currency), kind="mint", currency=currency, created_at=0)
    with suppress(Taken):
        await store.commit(Change((mint,)))


def opening(
    user_id: str, starting_balance: int, at: Millis, currency: str = CURRENCY
) -> tuple[Write, ...]:
    """A new user's wallet and what is in it, to be written together with the user."""
    wallet = wallet_of(user_id)
    return (
        OpenAccount(id=wallet, kind="wallet", user_id=user_id, currency=currency, created_at=at),
        *transfer(
            f"{wallet}:opening",
            mint_of(currency),
            wallet,
            starting_balance,
            action="grant",
            at=at,
        ),
    )


def grant(
    transfer_id: str, user_id: str, amount: int, at: Millis, currency: str = CURRENCY
) -> tuple[Write, ...]:
    """New money for a user who has a wallet."""
    mint = mint_of(currency)
    return transfer(transfer_id, mint, wallet_of(user_id), amount, action="grant", at=at)


async def open_wallet(
    store: Store, user_id: str, starting_balance: int, at: Millis, currency: str = CURRENCY
) -> None:
    """Opens the wallet of a user who came without one; if there is one, nothing happens."""
    with suppress(Taken):
        await store.commit(Change(opening(user_id, starting_balance, at, currency)))


async def balance(store: Store, user_id: str) -> int | None:
    """What the user has; None without a wallet."""
    row = await store.row(_BALANCE, account_id=wallet_of(user_id))
    return row["balance"] if row else None


async def balances(store: Store, users: Collection[str]) -> dict[str, int]:
    """What each of these users has."""
    found: dict[str, int] = {}
    wanted = list(users)
    for start in range(0, len(wanted), LIST_LIMIT):
        rows = await store.rows(_BALANCES, users=wanted[start : start + LIST_LIMIT])
        found.update((row["user_id"], row["balance"]) for row in rows)
    return found


async def wallets(
    store: Store, users: Collection[str], currency: str = CURRENCY
) -> dict[str, Wallet]:
    """The wallet of each of these users who has one."""
    found: dict[str, Wallet] = {}
    wanted = list(users)
    for start in range(0, len(wanted), LIST_LIMIT):
        some = wanted[start : start + LIST_LIMIT]
        for row in await store.rows(_WALLETS, users=some, mint=mint_of(currency)):
            fields = {name: row[name] for name in Wallet.__struct_fields__}
            found[row["user_id"]] = Wallet(**fields)
    return found


async def entries(
    store: Store, user_id: str, *, limit: int, offset: int = 0
) -> tuple[list[Entry], int]:
    """A page of the wallet's book, newest first, and how many entries there are in all."""
    wallet = wallet_of(user_id)
    # Entries are numbered, so neither counting nor skipping them looks at any.
    newest = await store.row(_NEWEST, account_id=wallet)
    total = (newest["number"] or 0) if newest else 0
    rows = await store.rows(_PAGE, account_id=wallet, newest=total - offset, limit=limit)
    page = [
        Entry(
            position=row["position"],
            action=row["action"],
            direction=row["direction"],
            amount=row["amount"],
            balance=row["balance"],
            challenge=row["challenge"],
            at=row["at"],
        )
        for row in rows
    ]
    return page, total
