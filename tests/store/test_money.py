"""Accounts, transfers and escrow; the audit trail and the outbox."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from msgspec.structs import replace
from sqlalchemy import func, select

from parlour.store import queries, schema
from parlour.store.api import Record, Store
from parlour.store.change import (
    AddToEscrow,
    AuditRow,
    ClearOutbox,
    Conflict,
    Impossible,
    InsufficientFunds,
    OpenAccount,
    SettleEscrow,
    Taken,
)
from tests.store.rows import (
    NOW,
    create,
    escrow,
    event,
    make,
    pay,
    pot,
    staked,
    unchanged,
    user,
    wallet,
)


async def balances(store: Store) -> dict[str, int]:
    rows = await store.rows(select(schema.account.c.id, schema.account.c.balance))
    return {row["id"]: row["balance"] for row in rows}


async def test_a_transfer_moves_money_and_writes_two_entries(store: Store) -> None:
    await make(store, user("Ann"), wallet("Ann"))
    await make(store, pay("mint:TNB", "wallet-Ann", 10**15, "first"))
    assert await balances(store) == {"mint:TNB": -(10**15), "wallet-Ann": 10**15}
    said = ("account", "number", "direction", "amount", "balance", "action", "escrow_id", "at")
    entries = await lines(store)
    assert [(row["transfer_id"], *(row[name] for name in said)) for row in entries] == [
        ("first", "mint:TNB", 1, "debit", 10**15, -(10**15), "grant", None, NOW),
        ("first", "wallet-Ann", 1, "credit", 10**15, 10**15, "grant", None, NOW),
    ]


async def lines(store: Store) -> Sequence[Record]:
    """All books, line by line as they were entered, with the ids of their accounts."""
    return await store.rows(
        select(schema.ledger_entry, schema.account.c.id.label("account"))
        .join(schema.account, schema.account.c.number == schema.ledger_entry.c.account_number)
        .order_by(schema.ledger_entry.c.position)
    )


async def test_each_account_has_a_book_of_its_own(store: Store) -> None:
    await make(store, user("Ann"), wallet("Ann"), user("Bob"), wallet("Bob"))
    await make(store, pay("mint:TNB", "wallet-Ann", 10))
    await make(store, pay("mint:TNB", "wallet-Bob", 5), pay("wallet-Ann", "wallet-Bob", 4))
    assert [(row["account"], row["number"], row["balance"]) for row in await lines(store)] == [
        ("mint:TNB", 1, -10),
        ("wallet-Ann", 1, 10),
        ("mint:TNB", 2, -15),
        ("wallet-Bob", 1, 5),
        ("wallet-Ann", 2, 6),
        ("wallet-Bob", 2, 9),
    ]


async def test_nobody_pays_what_they_do_not_hold(store: Store) -> None:
    await make(store, user("Ann"), wallet("Ann"), pot())
    await make(store, pay("mint:TNB", "wallet-Ann", 10))
    async with unchanged(store):
        with pytest.raises(InsufficientFunds):
            await make(store, pay("wallet-Ann", "pot", 11))
        with pytest.raises(InsufficientFunds):
            await make(store, pay("wallet-Ann", "pot", 6), pay("wallet-Ann", "pot", 5))
        with pytest.raises(InsufficientFunds):
            await make(store, pay("nobody", "pot", 0))
    await make(store, pay("wallet-Ann", "pot", 10), pay("pot", "wallet-Ann", 0))
    assert await balances(store) == {"mint:TNB": -10, "wallet-Ann": 0, "pot": 10}


async def test_a_transfer_reaches_an_account_of_its_currency(store: Store) -> None:
    await make(store, user("Ann"), wallet("Ann"), replace(pot("other"), currency="XYZ"))
    await make(store, pay("mint:TNB", "wallet-Ann", 10))
    async with unchanged(store):
        for payee in ("other", "nobody"):
            with pytest.raises(Impossible):
                await make(store, pay("mint:TNB", payee, 5))
        with pytest.raises(Impossible):
            await make(store, pay("mint:TNB", "wallet-Ann", -5))


async def test_a_transfer_is_made_once(store: Store) -> None:
    await make(store, user("Ann"), wallet("Ann"))
    await make(store, pay("mint:TNB", "wallet-Ann", 5, "once"))
    async with unchanged(store):
        with pytest.raises(Taken) as taken:
            await make(store, pay("mint:TNB", "wallet-Ann", 5, "once"))
    assert taken.value.what == "transfer"


async def test_a_user_has_one_wallet_of_a_currency(store: Store) -> None:
    await make(store, user("Ann"), wallet("Ann"))
    async with unchanged(store):
        for again in (wallet("Ann"), replace(wallet("Ann"), id="second")):
            with pytest.raises(Taken) as taken:
                await make(store, again)
            assert taken.value.what == "account"
        with pytest.raises(Impossible):
            await make(store, OpenAccount(id="w", kind="wallet", currency="TNB", created_at=NOW))


@pytest.mark.spec("C38", "C83")
async def test_an_escrow_counts_what_each_side_put_in(store: Store) -> None:
    await staked(store)
    await make(
        store,
        pay("wallet-Bob", "pot", 10),
        AddToEscrow(id="escrow", seat=1, amount=10),
        create(escrow_id="escrow"),
    )
    await make(store, pay("wallet-Ann", "pot", 4), AddToEscrow(id="escrow", seat=0, amount=4))
    found = await queries.match_by_id(store, "match")
    assert found is not None
    assert found.escrow == queries.EscrowRow(
        id="escrow",
        challenge_id="challenge",
        account_id="pot",
        currency="TNB",
        a_contrib=14,
        b_contrib=10,
        total=24,
        status="locked",
        created_at=NOW,
    )
    assert (await balances(store))["pot"] == 24


@pytest.mark.spec("C41", "C45")
async def test_an_escrow_is_settled_once(store: Store) -> None:
    await staked(store)
    async with unchanged(store):
        with pytest.raises(Taken) as taken:
            await make(store, pot("new"), replace(escrow(), id="second", account_id="new"))
        assert taken.value.what == "escrow"
    await make(
        store,
        SettleEscrow(id="escrow", how="refunded", at=NOW + 1),
        pay("pot", "wallet-Ann", 10, action="challenge_refund", escrow_id="escrow"),
    )
    async with unchanged(store):
        for late in (
            SettleEscrow(id="escrow", how="won", at=NOW + 2),
            AddToEscrow(id="escrow", seat=0, amount=1),
            SettleEscrow(id="none", how="won", at=NOW),
        ):
            with pytest.raises(Conflict):
                await make(store, pay("mint:TNB", "wallet-Ann", 1, "more"), late)
    settled = await store.row(select(schema.escrow))
    assert settled is not None
    assert (settled["status"], settled["how"], settled["settled_at"]) == (
        "settled",
        "refunded",
        NOW + 1,
    )


async def test_audit_rows_keep_their_order(store: Store) -> None:
    await make(store, user("Ann"))

    def row(number: int) -> AuditRow:
        fields = {"match_id": None, "actor_id": "user-Ann", "type": "move", "payload": b"{}"}
        return AuditRow(id=f"{9 - number}", subject_id="s", at=NOW, **fields)  # type: ignore[arg-type]

    await make(store, row(1), row(2))
    await make(store, row(3))
    found = await store.rows(select(schema.audit.c.id).order_by(schema.audit.c.position))
    assert [each["id"] for each in found] == ["8", "7", "6"]
    async with unchanged(store):
        with pytest.raises(Taken):
            await make(store, row(3))


async def test_an_event_leaves_the_outbox_once_and_its_place_is_not_used_again(
    store: Store,
) -> None:
    positions = select(schema.outbox.c.position).order_by(schema.outbox.c.position)
    await make(store, event(number=1), event(number=2), event(number=3))
    placed = tuple(row["position"] for row in await store.rows(positions))
    assert len(placed) == 3
    await make(store, ClearOutbox(positions=placed))
    await make(store, event(number=4))
    async with unchanged(store):
        await make(store, ClearOutbox(positions=placed))
        await make(store, ClearOutbox(positions=()))
    left = await store.row(select(func.min(schema.outbox.c.position)))
    assert left is not None
    assert left[0] > max(placed)
