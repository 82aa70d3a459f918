"""A change is made whole or not at all, alone and among many others."""

from __future__ import annotations

import asyncio

import pytest
from sqlalchemy import func, select

from parlour.store import queries, schema
from parlour.store.api import Store
from parlour.store.change import (
    Change,
    Conflict,
    Impossible,
    InsufficientFunds,
    SettleEscrow,
    Sighting,
    StoreError,
    Taken,
    TakeTicket,
    Unavailable,
    Write,
)
from tests.servers.stores import opened
from tests.store.rows import (
    NOW,
    advance,
    create,
    entry,
    event,
    everything,
    make,
    move,
    pay,
    pot,
    pots,
    purchase,
    seat,
    ticket,
    unchanged,
    user,
    versions_of,
    wallet,
)

FAILING: list[tuple[Write, type[StoreError]]] = [
    (TakeTicket(id="none"), Conflict),
    (entry(7), Conflict),
    (user("ann", id="x", subject="x"), Taken),
    (pay("wallet-Ann", "pot", 1), InsufficientFunds),
    (Sighting(match_id="none", seat=0, seen_at=1), Impossible),
]


@pytest.mark.spec("A57")
@pytest.mark.parametrize(("failing", "error"), FAILING, ids=lambda each: type(each).__name__)
async def test_a_change_whose_last_write_fails_leaves_no_trace(
    store: Store, failing: Write, error: type[StoreError]
) -> None:
    await make(store, user("Ann"), wallet("Ann"), pot(), create(), ticket("Ann"))
    before: tuple[Write, ...] = (
        entry(1),
        advance(1),
        event(),
        create("other", seat(0, "Ann", user_id="user-Ann", sole=True)),
        pay("mint:TNB", "pot", 5),
        TakeTicket(id="ticket-Ann"),
    )
    async with unchanged(store):
        with pytest.raises(error):
            await store.commit(Change((*before, failing)))
    await store.commit(Change(before))


async def test_an_empty_change_is_no_trouble(store: Store) -> None:
    async with unchanged(store):
        await store.commit(Change(()))


async def test_good_and_bad_changes_made_at_once_do_not_touch_each_other(store: Store) -> None:
    await make(store, user("Ann"), wallet("Ann"), pot())
    await asyncio.gather(*(make(store, create(f"m{n}")) for n in range(60)))

    def change(number: int) -> Change:
        match_id = f"m{number}"
        kinds = (
            move(1, match_id),
            Change((*move(1, match_id).writes, event(match_id))),
            move(2, match_id),
            Change((*move(1, match_id).writes, pay("wallet-Ann", "pot", 1, match_id))),
            Change((*move(1, match_id).writes, event(match_id), TakeTicket(id="none"))),
            Change((pay("mint:TNB", "pot", 1, match_id), *move(1, match_id).writes)),
        )
        return kinds[number % 6]

    results = await asyncio.gather(
        *(store.commit(change(number)) for number in range(60)), return_exceptions=True
    )
    kinds = [None, None, Conflict, InsufficientFunds, Conflict, None]
    expected = [kinds[number % 6] for number in range(60)]
    assert [type(each) if each else None for each in results] == expected
    versions = await versions_of(store, (f"m{number}" for number in range(60)))
    assert versions == {f"m{n}": int(expected[n] is None) for n in range(60)}
    for table, count in ((schema.journal, 30), (schema.outbox, 10), (schema.ledger_entry, 20)):
        counted = await store.row(select(func.count()).select_from(table))
        assert counted is not None
        assert counted[0] == count


async def test_one_impossible_move_among_many_harms_no_other(store: Store) -> None:
    await asyncio.gather(*(make(store, create(f"m{number}")) for number in range(20)))
    moves = [move(1, f"m{number}") for number in range(20)]
    moves[7] = Change((entry(1, "m7", kind=None), advance(1, "m7")))
    moves[8] = Change((entry(1, "m8", seat=5), advance(1, "m8"), event("m8")))
    results = await asyncio.gather(*map(store.commit, moves), return_exceptions=True)
    assert [type(each) for each in results[7:9]] == [Impossible, Impossible]
    assert results.count(None) == 18
    versions = await versions_of(store, (f"m{number}" for number in range(20)))
    assert versions == {f"m{n}": int(n not in (7, 8)) for n in range(20)}


@pytest.mark.spec("A69", "C45")
async def test_of_a_hundred_who_advance_a_match_one_wins_each_version(store: Store) -> None:
    await make(store, create())
    wins: list[int] = []

    async def try_to_move(version: int) -> None:
        try:
            await store.commit(move(version))
        except Conflict:
            return
        wins.append(version)

    for version in (1, 2, 3):
        await asyncio.gather(*(try_to_move(version) for _ in range(100)))
    assert wins == [1, 2, 3]
    assert [each.version for each in await queries.journal(store, "match")] == [1, 2, 3]


async def test_forty_who_retry_make_forty_steps(database: str) -> None:
    """Two stores stand for two processes on one database."""
    async with opened(database) as one, opened(database) as other:
        await forty_steps(one, other)


async def forty_steps(*stores: Store) -> None:
    await make(stores[0], create())

    async def step(store: Store) -> None:
        while True:
            version = (await versions_of(store, ["match"]))["match"] + 1
            try:
                await make(store, entry(version), advance(version), event(number=version))
            except Conflict:
                continue
            return

    await asyncio.gather(*(step(stores[number % 2]) for number in range(40)))
    entries = await queries.journal(stores[0], "match")
    assert [each.version for each in entries] == list(range(1, 41))
    sent = await stores[0].rows(select(schema.outbox.c.payload).order_by(schema.outbox.c.position))
    assert [int(row["payload"]) for row in sent] == list(range(1, 41))


async def test_money_is_not_spent_twice_by_changes_made_at_once(store: Store) -> None:
    await make(store, user("Ann"), wallet("Ann"), pot())
    await make(store, pay("mint:TNB", "wallet-Ann", 10))
    results = await asyncio.gather(
        *(make(store, pay("wallet-Ann", "pot", 1, f"t{number}")) for number in range(30)),
        return_exceptions=True,
    )
    assert results.count(None) == 10
    assert sum(isinstance(each, InsufficientFunds) for each in results) == 20


async def balances_and_books(store: Store) -> tuple[dict[str, int], dict[str, list[int]]]:
    """What each account holds, and what its book says of that, line after line."""
    accounts = await store.rows(select(schema.account.c.id, schema.account.c.balance))
    entries, account = schema.ledger_entry.c, schema.account.c
    lines = await store.rows(
        select(account.id, entries.balance)
        .join_from(schema.ledger_entry, schema.account, account.number == entries.account_number)
        .order_by(account.id, entries.number)
    )
    books: dict[str, list[int]] = {}
    for line in lines:
        books.setdefault(line["id"], []).append(line["balance"])
    return {each["id"]: each["balance"] for each in accounts}, books


@pytest.mark.spec("C60")
async def test_purchases_made_at_once_are_made_as_one_by_one(store: Store) -> None:
    names = [f"p{number}" for number in range(60)]
    for change in pots(names, 10):
        await store.commit(change)
    for version, amount in ((1, 4), (2, 3), (3, 3)):
        bought = (purchase(name, amount, version=version) for name in names)
        assert not any(await asyncio.gather(*map(store.commit, bought)))
    accounts, books = await balances_and_books(store)
    for name in names:
        assert (accounts[f"wallet-{name}"], accounts[f"pot-{name}"]) == (0, 10)
        assert books[f"wallet-{name}"] == [10, 6, 3, 0]
        assert books[f"pot-{name}"] == [4, 7, 10]
    paid = await store.rows(select(schema.escrow.c.a_contrib, schema.escrow.c.b_contrib))
    assert {tuple(row) for row in paid} == {(3, 7)}
    assert await versions_of(store, names) == dict.fromkeys(names, 3)


@pytest.mark.spec("C60", "C62")
async def test_purchases_that_cannot_be_harm_no_others_made_at_once(store: Store) -> None:
    names = [f"p{number}" for number in range(60)]
    for change in pots(names, 10):
        await store.commit(change)
    await make(store, SettleEscrow(id="of-p7", how="refunded", at=NOW))
    await make(store, *move(1, "p8").writes)
    bought = [purchase(name, 4) for name in names]
    bought[6] = purchase("p6", 11)  # more than there is
    bought[9] = purchase("p10", 7, at="p9")  # the same wallet as another's
    bought[11] = Change((entry(1, "p11", kind=None), *purchase("p11", 4).writes[1:]))
    results = await asyncio.gather(*map(store.commit, bought), return_exceptions=True)
    failed = {number: type(each) for number, each in enumerate(results) if each is not None}
    (short,) = failed.keys() & {9, 10}
    assert failed.pop(short) is InsufficientFunds
    assert failed == {6: InsufficientFunds, 7: Conflict, 8: Conflict, 11: Impossible}
    accounts, books = await balances_and_books(store)
    assert accounts["wallet-p10"] == books["wallet-p10"][-1] == 10 - (7 if short == 10 else 4)
    for number in {*range(60)} - {6, 7, 8, 9, 10, 11}:
        assert books[f"wallet-p{number}"] == [10, 6]
    for number in (6, 7, 8, 11):
        assert books[f"wallet-p{number}"] == [10]
        assert accounts[f"pot-p{number}"] == 0


async def test_a_query_sees_what_was_committed_before(store: Store) -> None:
    await make(store, create())
    for version in range(1, 30):
        await store.commit(move(version))
        assert await versions_of(store, ["match"]) == {"match": version}


def step(match_id: str) -> Change:
    """A move with something that makes it uncommon."""
    return Change((*move(1, match_id).writes, Sighting(match_id=match_id, seat=0, seen_at=1)))


async def versions_after_reopening(database: str) -> dict[str, int]:
    async with opened(database) as store:
        found = await store.rows(select(schema.match.c.id))
        return await versions_of(store, [row["id"] for row in found])


async def test_a_change_is_made_even_if_its_asker_goes(database: str) -> None:
    async with opened(database) as store:
        await make(store, create("first"), create("second"))
        for change in (move(1, "first"), step("second")):
            asking = asyncio.create_task(store.commit(change))
            await asyncio.sleep(0)
            asking.cancel()
            with pytest.raises(asyncio.CancelledError):
                await asking
    assert await versions_after_reopening(database) == {"first": 1, "second": 1}


async def test_closing_finishes_what_was_begun_and_takes_nothing_more(database: str) -> None:
    async with opened(database) as store:
        await asyncio.gather(*(make(store, create(f"m{number}")) for number in range(30)))
        changes = [
            move(1, f"m{number}") if number % 2 else step(f"m{number}") for number in range(20)
        ]
        begun = [asyncio.create_task(store.commit(change)) for change in changes]
        await asyncio.sleep(0)
        await store.close()
        await asyncio.gather(*begun)
        with pytest.raises(Unavailable):
            await store.commit(move(1, "m29"))
        with pytest.raises(Unavailable):
            await everything(store)
    assert await versions_after_reopening(database) == {f"m{n}": int(n < 20) for n in range(30)}
