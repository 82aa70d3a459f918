"""What each operation writes into the books, and who wins when several want the same pot."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator
from itertools import count

import pytest
from sqlalchemy import select

from parlour.money import escrow, wallets
from parlour.money.audit import audit
from parlour.money.ledger import CURRENCY, mint_of, pot_of, wallet_of
from parlour.store.api import Store
from parlour.store.change import (
    ChallengeStatus,
    Change,
    Conflict,
    InsufficientFunds,
    SettleEscrow,
    Taken,
    UserRow,
    Write,
)
from parlour.store.schema import account, ledger_entry
from parlour.store.schema import escrow as escrow_table
from parlour.store.sqlite.store import SqliteStore
from tests.money import till
from tests.money.till import GRANT


async def two(store: Store) -> tuple[str, str]:
    return await till.make_user(store), await till.make_user(store)


async def balances(store: Store, users: tuple[str, str]) -> tuple[int, int]:
    held = await wallets.balances(store, users)
    return held[users[0]], held[users[1]]


async def movements(store: Store) -> list[tuple[str, str, str, int]]:
    """Every transfer but the grants: payer, payee, why, how much."""
    debit, credit = ledger_entry.alias("debit"), ledger_entry.alias("credit")
    payer, payee = account.alias("payer"), account.alias("payee")
    rows = await store.rows(
        select(
            payer.c.id.label("payer"),
            payee.c.id.label("payee"),
            debit.c.action,
            debit.c.amount,
        )
        .join_from(debit, credit, debit.c.transfer_id == credit.c.transfer_id)
        .join(payer, payer.c.number == debit.c.account_number)
        .join(payee, payee.c.number == credit.c.account_number)
        .where(
            debit.c.direction == "debit", credit.c.direction == "credit", debit.c.action != "grant"
        )
        .order_by(debit.c.position)
    )
    return [(row["payer"], row["payee"], row["action"], row["amount"]) for row in rows]


async def sound(store: Store) -> None:
    assert [finding async for finding in audit(store)] == []


async def test_a_user_begins_with_a_grant_from_the_mint(store: Store) -> None:
    user = await till.make_user(store)
    assert await wallets.balance(store, user) == GRANT
    (entry,), total = await wallets.entries(store, user, limit=10)
    assert total == 1
    assert (entry.action, entry.direction, entry.amount) == ("grant", "credit", GRANT)
    assert (entry.balance, entry.challenge) == (GRANT, None)
    mint = await store.row(select(account.c.balance).where(account.c.id == mint_of(CURRENCY)))
    assert mint is not None
    assert mint["balance"] == -GRANT
    assert await wallets.balance(store, "nobody") is None


async def test_a_wallet_is_opened_once_however_many_try(store: Store) -> None:
    user = UserRow(id="late", subject="late", username="late", created_at=1, updated_at=1)
    await store.commit(Change((user,)))
    await asyncio.gather(*(wallets.open_wallet(store, "late", 70, 2) for _ in range(10)))
    assert await wallets.balance(store, "late") == 70
    await sound(store)


async def test_a_grant_of_nothing_opens_an_empty_wallet(store: Store) -> None:
    user = UserRow(id="poor", subject="poor", username="poor", created_at=1, updated_at=1)
    await store.commit(Change((user, *wallets.opening("poor", 0, 1))))
    assert await wallets.balance(store, "poor") == 0
    assert await wallets.entries(store, "poor", limit=10) == ([], 0)


@pytest.mark.spec("C31", "C32", "C33", "C34", "C43")
async def test_from_challenge_to_payout(store: Store) -> None:
    users = await two(store)
    table = await till.challenge(store, users, 100, 50)
    assert await balances(store, users) == (900, 1000)
    await till.accept(store, table)
    await till.buy(store, table, 0, 8)
    await till.buy(store, table, 1, 3)
    assert await balances(store, users) == (892, 897)
    row = await store.row(select(escrow_table))
    assert row is not None
    assert (row["a_contrib"], row["b_contrib"], row["total"]) == (108, 103, 211)
    assert row["status"] == "locked"
    await till.end(store, table, "second")
    assert await balances(store, users) == (892, 1108)
    pot, ann, bob = pot_of(table.challenge.id), wallet_of(users[0]), wallet_of(users[1])
    assert await movements(store) == [
        (ann, pot, "stake_lock", 100),
        (bob, pot, "stake_accept", 100),
        (ann, pot, "purchase", 8),
        (bob, pot, "purchase", 3),
        (pot, bob, "win_payout", 211),
    ]
    await sound(store)


@pytest.mark.spec("C35", "C37")
@pytest.mark.parametrize(
    ("ending", "action"), [("draw", "draw_refund"), ("cancelled", "cancel_refund")]
)
async def test_draws_and_cancellations_return_what_each_paid(
    store: Store, ending: till.Ending, action: str
) -> None:
    users = await two(store)
    table = await till.challenge(store, users, 100, 50)
    await till.accept(store, table)
    await till.buy(store, table, 0, 8)
    await till.end(store, table, ending)
    assert await balances(store, users) == (1000, 1000)
    pot = pot_of(table.challenge.id)
    assert (await movements(store))[-2:] == [
        (pot, wallet_of(users[0]), action, 108),
        (pot, wallet_of(users[1]), action, 100),
    ]
    await sound(store)


@pytest.mark.spec("C36")
@pytest.mark.parametrize("status", ["cancelled", "expired"])
async def test_a_challenge_that_came_to_nothing_returns_the_stake(
    store: Store, status: ChallengeStatus
) -> None:
    users = await two(store)
    table = await till.challenge(store, users, 100, 50)
    await till.call_off(store, table, status)
    assert await balances(store, users) == (1000, 1000)
    assert (await movements(store))[-1][2:] == ("challenge_refund", 100)
    await sound(store)


@pytest.mark.spec("C7")
async def test_nothing_at_stake_moves_nothing(store: Store) -> None:
    users = await two(store)
    table = await till.challenge(store, users, 0, 0)
    await till.accept(store, table)
    await till.end(store, table, "first")
    assert await movements(store) == []
    row = await store.row(select(escrow_table))
    assert row is not None
    assert (row["status"], row["how"]) == ("settled", "won")
    await sound(store)


@pytest.mark.spec("C30", "C32", "C33")
async def test_nobody_pays_what_they_do_not_have(store: Store) -> None:
    users = await two(store)
    with pytest.raises(InsufficientFunds):
        await till.challenge(store, users, GRANT + 1, 0)
    assert await store.rows(select(escrow_table)) == []
    rich = await till.make_user(store)
    await till.mint(store, rich, 5_000)
    table = await till.challenge(store, (rich, users[0]), GRANT + 1, 0)
    with pytest.raises(InsufficientFunds):
        await till.accept(store, table)
    assert table.challenge.status == "pending"
    assert await wallets.balance(store, users[0]) == GRANT
    await sound(store)


@pytest.mark.spec("C41", "C45")
async def test_an_escrow_settles_once_however_it_is_tried(store: Store) -> None:
    users = await two(store)
    table = await till.challenge(store, users, 100, 50)
    await till.accept(store, table)
    settlements = (
        escrow.pay_winner(table.pot, 0, 5),
        escrow.pay_winner(table.pot, 1, 5),
        escrow.refund_draw(table.pot, 5),
        escrow.refund_cancelled(table.pot, 5),
        escrow.refund_challenge(table.challenge, 5),
        (SettleEscrow(id=table.challenge.id, how="won", at=5),),
    )
    answers = await asyncio.gather(
        *(store.commit(Change(writes)) for writes in settlements[:4]), return_exceptions=True
    )
    assert Counter(map(type, answers)) == {type(None): 1, Conflict: 3}
    for writes in settlements:
        with pytest.raises(Conflict):
            await store.commit(Change(writes))
    assert sum(await balances(store, users)) == 2 * GRANT


@pytest.mark.spec("C44", "C45")
async def test_accept_cancel_and_expiry_at_once_have_one_winner(store: Store) -> None:
    users = await two(store)
    for _ in range(5):
        table = await till.challenge(store, users, 100, 50)
        work = (
            *(till.accept(store, table) for _ in range(4)),
            *(till.call_off(store, table, "cancelled") for _ in range(3)),
            *(till.call_off(store, table, "expired") for _ in range(3)),
        )
        answers = await asyncio.gather(*work, return_exceptions=True)
        assert Counter(map(type, answers)) == {type(None): 1, Conflict: 9}
        if table.match is not None:
            await till.end(store, table, "draw")
        assert await balances(store, users) == (GRANT, GRANT)
    await sound(store)


@pytest.mark.spec("C33", "C44")
async def test_spending_the_same_money_in_many_places_at_once_succeeds_as_often_as_it_lasts(
    store: Store,
) -> None:
    spender = await till.make_user(store)
    others = [await till.make_user(store) for _ in range(20)]
    answers = await asyncio.gather(
        *(till.challenge(store, (spender, other), 300, 0) for other in others),
        return_exceptions=True,
    )
    assert sum(isinstance(answer, till.Table) for answer in answers) == 3
    assert sum(isinstance(answer, InsufficientFunds) for answer in answers) == 17
    assert await wallets.balance(store, spender) == 100
    await sound(store)


async def test_the_same_cause_never_moves_money_twice(store: Store) -> None:
    user = await till.make_user(store)
    await store.commit(Change(wallets.grant("the-one-grant", user, 5, 2)))
    with pytest.raises(Taken):
        await store.commit(Change(wallets.grant("the-one-grant", user, 5, 2)))
    assert await wallets.balance(store, user) == GRANT + 5
    await sound(store)


async def test_a_wallets_book_is_read_page_by_page_with_its_balances(store: Store) -> None:
    user = await till.make_user(store)
    for amount in range(1, 25):
        await till.mint(store, user, amount)
    newest, total = await wallets.entries(store, user, limit=10)
    oldest, _ = await wallets.entries(store, user, limit=10, offset=20)
    assert total == 25
    assert [entry.amount for entry in newest] == list(range(24, 14, -1))
    assert newest[0].balance == await wallets.balance(store, user)
    assert [entry.balance for entry in oldest] == [1010, 1006, 1003, 1001, 1000]


@pytest.mark.parametrize("engine", ["sqlite"], indirect=True)
@pytest.mark.parametrize("page", [0, 50])
async def test_a_page_of_a_long_book_is_as_quick_as_a_short_ones(store: Store, page: int) -> None:
    user = await till.make_user(store)
    await store.commit(Change(tuple(_grants(user, 99))))
    short = await _effort(store, user, offset=0)
    await store.commit(Change(tuple(_grants(user, 5_000))))
    assert await _effort(store, user, offset=100 * page) < 2 * short


def _grants(user: str, many: int) -> Iterator[Write]:
    for number in range(many):
        yield from wallets.grant(f"{many}-{number}", user, 1, 2)


async def _effort(store: Store, user: str, *, offset: int) -> int:
    """How many steps of its machine SQLite needs for a page; they tell more than time does."""
    steps = count()
    assert isinstance(store, SqliteStore)
    assert store._short is not None
    connection = store._short._connection
    connection.set_progress_handler(lambda: next(steps) < 0, 1)
    page, _ = await wallets.entries(store, user, limit=100, offset=offset)
    connection.set_progress_handler(None, 1)
    assert len(page) == 100
    return next(steps)


async def test_the_books_of_who_moves_money_in_many_places_at_once_stay_in_order(
    store: Store,
) -> None:
    ann, bob = await two(store)
    tables = [await till.challenge(store, (ann, bob), 10, 50) for _ in range(8)]
    for table in tables:
        await till.accept(store, table)
    await asyncio.gather(*(till.buy(store, table, 0, 3) for table in tables))
    page, total = await wallets.entries(store, ann, limit=100)
    assert total == len(page) == 17
    assert [entry.balance for entry in page[:9]] == list(range(896, 921, 3))
    assert [entry.position for entry in page] == sorted(
        (entry.position for entry in page), reverse=True
    )
    await sound(store)
