"""The audit finds what does not add up, however it came about, and nothing else."""
# ruff: noqa: S608 (only names of our own are put into SQL)

from __future__ import annotations

import pytest
from msgspec.structs import replace

from parlour.money import wallets
from parlour.money.audit import Books, audit, faults
from parlour.money.ledger import pot_of, wallet_of
from parlour.store.api import Store
from tests.money import till
from tests.money.conftest import Meddle
from tests.money.till import Table


@pytest.fixture
async def table(store: Store) -> Table:
    """One match under way, among others that are over."""
    ann, bob = await till.make_user(store), await till.make_user(store)
    for ending in ("first", "second", "draw", "cancelled"):
        other = await till.challenge(store, (ann, bob), 10, 20)
        await till.accept(store, other)
        await till.buy(store, other, 0, 4)
        await till.end(store, other, ending)
    await till.call_off(store, await till.challenge(store, (bob, ann), 10, 0), "expired")
    await till.challenge(store, (bob, ann), 10, 0)
    running = await till.challenge(store, (ann, bob), 10, 20)
    await till.accept(store, running)
    await till.buy(store, running, 1, 8)
    return running


async def problems(store: Store) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    async for finding in audit(store):
        found.setdefault(finding.subject, []).append(finding.problem)
    return found


def number_of(account_id: str) -> str:
    """By which the ledger knows an account."""
    return f"(SELECT number FROM account WHERE id = '{account_id}')"


async def test_books_in_order_give_nothing_to_report(store: Store, table: Table) -> None:
    assert await problems(store) == {}


@pytest.mark.spec("C38", "C43", "C104")
async def test_a_changed_balance_is_found(store: Store, table: Table, meddle: Meddle) -> None:
    wallet = wallet_of(table.users[0])
    await meddle(f"UPDATE account SET balance = balance + 7 WHERE id = '{wallet}'")
    found = await problems(store)
    assert set(found) == {wallet, "TNB"}
    assert found["TNB"] == ["all accounts together hold 7 instead of 0"]


@pytest.mark.spec("C43", "C104")
async def test_money_moved_around_the_ledger_is_found(
    store: Store, table: Table, meddle: Meddle
) -> None:
    ann, bob = map(wallet_of, table.users)
    await meddle(
        f"UPDATE account SET balance = balance + 7 WHERE id = '{ann}'",
        f"UPDATE account SET balance = balance - 7 WHERE id = '{bob}'",
    )
    assert set(await problems(store)) == {ann, bob}


@pytest.mark.spec("C43", "C104")
async def test_a_forged_amount_is_found(store: Store, table: Table, meddle: Meddle) -> None:
    purchase = f"{table.challenge.id}:purchase:1:1"
    await meddle(
        f"UPDATE ledger_entry SET amount = 80 WHERE transfer_id = '{purchase}'"
        " AND direction = 'debit'"
    )
    found = await problems(store)
    assert found[purchase] == ["2 entries that add up to -72"]
    assert set(found) == {purchase, wallet_of(table.users[1]), table.challenge.id}


@pytest.mark.spec("C43", "C104")
async def test_a_forged_line_of_a_book_is_found(store: Store, table: Table, meddle: Meddle) -> None:
    wallet = wallet_of(table.users[1])
    last = f"transfer_id = '{table.challenge.id}:purchase:1:1' AND direction = 'debit'"
    await meddle(f"UPDATE ledger_entry SET balance = balance + 1 WHERE {last}")
    held = (await wallets.entries(store, table.users[1], limit=1))[0][0].balance
    assert (await problems(store))[wallet] == [
        f"says it held {held} after entry 13, not {held - 1}"
    ]
    await meddle(f"UPDATE ledger_entry SET balance = balance - 1, number = number + 1 WHERE {last}")
    assert (await problems(store))[wallet] == ["has no entry 13"]


@pytest.mark.spec("C43", "C104")
async def test_half_a_transfer_is_found(store: Store, table: Table, meddle: Meddle) -> None:
    purchase = f"{table.challenge.id}:purchase:1:1"
    await meddle(
        f"DELETE FROM ledger_entry WHERE transfer_id = '{purchase}' AND direction = 'credit'"
    )
    found = await problems(store)
    assert found[purchase] == ["1 entries that add up to -8"]
    assert pot_of(table.challenge.id) in found


@pytest.mark.spec("C38", "C104")
async def test_contributions_nobody_made_are_found(
    store: Store, table: Table, meddle: Meddle
) -> None:
    escrow_id = table.challenge.id
    await meddle(
        f"UPDATE escrow SET a_contrib = a_contrib + 5, total = total + 5 WHERE id = '{escrow_id}'"
    )
    assert await problems(store) == {
        escrow_id: ["says (15, 18) of 33 were paid in, the ledger (10, 18) of 28"]
    }


@pytest.mark.spec("C41", "C104")
async def test_an_escrow_that_is_not_as_its_match_stands_is_found(
    store: Store, table: Table, meddle: Meddle
) -> None:
    assert table.match is not None
    escrow_id = table.challenge.id
    await meddle(f"UPDATE match SET status = 'finished', winner = 1 WHERE id = '{table.match.id}'")
    assert await problems(store) == {escrow_id: ["is locked (None), should be settled (won)"]}
    await meddle(
        "UPDATE escrow SET status = 'settled', how = 'won', settled_at = 9"
        f" WHERE id = '{escrow_id}'"
    )
    assert await problems(store) == {escrow_id: ["paid out (0, 0), should have paid (0, 28)"]}


@pytest.mark.spec("C34", "C104")
async def test_a_payout_to_the_wrong_player_is_found(
    store: Store, table: Table, meddle: Meddle
) -> None:
    await till.end(store, table, "first")
    ann, bob = map(wallet_of, table.users)
    await meddle(
        "UPDATE ledger_entry SET (account_number, number, balance) ="
        " (SELECT account_number, number + 1, balance + 28 FROM ledger_entry"
        f" WHERE account_number = {number_of(bob)} ORDER BY number DESC LIMIT 1)"
        f" WHERE account_number = {number_of(ann)}"
        f" AND transfer_id = '{table.challenge.id}:win_payout'",
        f"UPDATE account SET balance = balance - 28 WHERE id = '{ann}'",
        f"UPDATE account SET balance = balance + 28 WHERE id = '{bob}'",
    )
    assert await problems(store) == {
        table.challenge.id: ["paid out (0, 28), should have paid (28, 0)"]
    }


@pytest.mark.spec("C39", "C104")
async def test_spending_beyond_what_was_agreed_is_found(
    store: Store, table: Table, meddle: Meddle
) -> None:
    await meddle(
        f"""UPDATE challenge SET terms = '{{"stake_amount":10,"max_spend_amount":7}}'
        WHERE id = '{table.challenge.id}'""",
    )
    assert await problems(store) == {
        table.challenge.id: ["one side paid in 18: stake 10, spending up to 7"]
    }


BOOKS = Books(
    id="e",
    status="settled",
    how="won",
    contrib=(14, 10),
    total=24,
    pot=0,
    paid=(14, 10),
    got=(24, 0),
    stake=10,
    max_spend=20,
    challenge_status="accepted",
    match_status="finished",
    winner=0,
)


@pytest.mark.parametrize(
    "changed",
    [
        {"contrib": (10, 14)},
        {"total": 23},
        {"pot": 1},
        {"got": (0, 24)},
        {"got": (12, 12)},
        {"got": (24, 24)},
        {"how": "refunded"},
        {"status": "locked", "how": None},
        {"winner": 1},
        {"winner": None},
        {"match_status": "active"},
        {"match_status": "cancelled"},
        {"match_status": None},
        {"challenge_status": "pending"},
        {"challenge_status": "expired"},
        {"stake": 11},
        {"max_spend": 3},
    ],
)
def test_no_single_wrong_word_about_an_escrow_goes_unnoticed(changed: dict[str, object]) -> None:
    assert list(faults(BOOKS)) == []
    assert list(faults(replace(BOOKS, **changed)))
