"""Whatever happens in whatever order: money is conserved to the unit, and never owed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    initialize,
    invariant,
    multiple,
    rule,
    run_state_machine_as_test,
)
from sqlalchemy import func, select

from parlour.money import wallets
from parlour.money.audit import audit
from parlour.money.escrow import stakes_of
from parlour.store.api import Store, open_store
from parlour.store.change import ChallengeStatus, Conflict, InsufficientFunds
from parlour.store.schema import account, ledger_entry
from tests.money import till
from tests.money.till import GRANT, Ending, Table

amounts = st.one_of(st.integers(0, 30), st.integers(0, 2 * GRANT), st.just(10**15))
seats = st.sampled_from([0, 1])
MAX_SPEND = 10**15


class Till(RuleBasedStateMachine):
    """Four users who challenge each other, against what a child would write down."""

    tables: Bundle[Table] = Bundle("tables")

    def __init__(self, store: Store, run: Callable[[Coroutine[Any, Any, Any]], Any]) -> None:
        super().__init__()
        self.store = store
        self.run = run
        self.purse: dict[str, int] = {}

    @initialize()
    def come_in(self) -> None:
        for _ in range(4):
            self.purse[self.run(till.make_user(self.store))] = GRANT

    def attempt(self, work: Coroutine[Any, Any, Any], refusal: type[Exception] | None) -> bool:
        """Does it, or sees it refused as it must be."""
        if refusal is None:
            self.run(work)
            return True
        with pytest.raises(refusal):
            self.run(work)
        return False

    def pay(self, work: Coroutine[Any, Any, Any], user: str, amount: int) -> bool:
        enough = self.purse[user] >= amount
        done = self.attempt(work, None if enough else InsufficientFunds)
        if done:
            self.purse[user] -= amount
        return done

    @rule(who=st.integers(0, 3), amount=st.integers(1, GRANT))
    def mint(self, who: int, amount: int) -> None:
        user = list(self.purse)[who]
        self.run(till.mint(self.store, user, amount))
        self.purse[user] += amount

    @rule(target=tables, who=st.permutations(range(4)), stake=amounts)
    def challenge(self, who: list[int], stake: int) -> Any:
        users = list(self.purse)
        pair = (users[who[0]], users[who[1]])
        if self.purse[pair[0]] < stake:
            with pytest.raises(InsufficientFunds):
                self.run(till.challenge(self.store, pair, stake, MAX_SPEND))
            return multiple()
        self.purse[pair[0]] -= stake
        return self.run(till.challenge(self.store, pair, stake, MAX_SPEND))

    @rule(table=tables)
    def accept(self, table: Table) -> None:
        stake, opponent = stakes_of(table.challenge).stake_amount, table.users[1]
        if table.challenge.status != "pending":
            self.attempt(till.accept(self.store, table), Conflict)
        else:
            self.pay(till.accept(self.store, table), opponent, stake)

    @rule(table=tables, status=st.sampled_from(["cancelled", "expired"]))
    def call_off(self, table: Table, status: ChallengeStatus) -> None:
        pending = table.challenge.status == "pending"
        work = till.call_off(self.store, table, status)
        if self.attempt(work, None if pending else Conflict):
            self.purse[table.users[0]] += stakes_of(table.challenge).stake_amount

    @rule(table=tables, seat=seats, amount=amounts)
    def buy(self, table: Table, seat: int, amount: int) -> None:
        if table.match is None:
            return
        work = till.buy(self.store, table, seat, amount)
        if not table.open:
            self.attempt(work, Conflict)
        else:
            self.pay(work, table.users[seat], amount)

    @rule(table=tables, ending=st.sampled_from(["first", "second", "draw", "cancelled"]))
    def end(self, table: Table, ending: Ending) -> None:
        if table.match is None:
            return
        if not self.attempt(till.end(self.store, table, ending), None if table.open else Conflict):
            return
        first, second = table.users
        if ending in ("first", "second"):
            self.purse[first if ending == "first" else second] += sum(table.paid)
        else:
            self.purse[first] += table.paid[0]
            self.purse[second] += table.paid[1]

    @invariant()
    def purses_hold_what_was_written_down(self) -> None:
        assert self.run(wallets.balances(self.store, self.purse)) == self.purse


async def conserved(store: Store) -> None:
    row = await store.row(select(func.sum(account.c.balance).label("net")))
    assert row is not None
    assert row["net"] == 0
    below = await store.rows(select(account).where(account.c.balance < 0, account.c.kind != "mint"))
    assert not below
    assert [finding async for finding in audit(store)] == []
    moved = await store.row(select(func.count().label("entries")).select_from(ledger_entry))
    assert moved is not None
    assert moved["entries"] > 500, "too little happened to prove anything"


@pytest.mark.spec("C30", "C31", "C32", "C33", "C34", "C35", "C36", "C37")
@pytest.mark.spec("C38", "C40", "C41", "C42", "C43", "C45", "C46")
def test_no_sequence_of_operations_makes_or_loses_money(database: str) -> None:
    with asyncio.Runner() as runner:
        store = open_store(database)
        runner.run(store.start())
        try:

            class ThisTill(Till):
                def __init__(self) -> None:
                    super().__init__(store, runner.run)

            run_state_machine_as_test(
                ThisTill,
                settings=settings(
                    max_examples=40,
                    stateful_step_count=30,
                    deadline=None,
                    suppress_health_check=list(HealthCheck),
                ),
            )
            runner.run(conserved(store))
        finally:
            runner.run(store.close())
