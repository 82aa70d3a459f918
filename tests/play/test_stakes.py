"""Challenges and their pots in the kernel: what is committed together, and who comes too late."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from functools import partial
from typing import Any

import pytest
from sqlalchemy import select

from parlour.games.api import Refused
from parlour.games.connect_five.policy import policy
from parlour.games.connect_five.table import Move, Options, Purchase
from parlour.games.connect_five.terms import Terms
from parlour.money.audit import audit
from parlour.money.wallets import balance, opening
from parlour.play.keeper import GRACE_MS
from parlour.play.kernel import Kernel
from parlour.play.match import Match, Update
from parlour.play.player import Player
from parlour.settings import Settings
from parlour.store import queries, schema
from parlour.store.api import Store
from parlour.store.change import ChallengeRow, Change, KeepAnswer, SettleEscrow, Taken, Write
from tests.play.conftest import MakeKernel, MakePlayer, SetClock, policies

GAME = "connect_five"
TERMS = Terms(stake_amount=100, max_spend_amount=40, time_limit_seconds=300)
TTL_MS = 300_000


def staked() -> dict[str, Any]:
    return policies() | {GAME: policy(Settings())}


@pytest.fixture
def kernel(make_kernel: MakeKernel) -> Kernel:
    return make_kernel(policies=staked())


@pytest.fixture
def rich(store: Store, player: MakePlayer, clock: SetClock) -> MakePlayer:
    """A user with a wallet, ready to sit down."""

    async def make(name: str) -> Player:
        seated = await player(name)
        assert seated.user_id is not None
        await store.commit(Change(opening(seated.user_id, 1000, clock())))
        return seated

    return make


async def invite(kernel: Kernel, ann: Player, bob: Player) -> ChallengeRow:
    assert ann.user_id is not None
    assert bob.user_id is not None
    return await kernel.challenges.create(GAME, ann.user_id, bob.user_id, TERMS, TTL_MS)


async def playing(kernel: Kernel, rich: MakePlayer) -> Match:
    ann, bob = await rich("ann"), await rich("bob")
    challenge = await invite(kernel, ann, bob)
    return (await kernel.challenges.accept(challenge.id, lambda _: (ann, bob)))[1]


async def purses(store: Store) -> tuple[int | None, int | None]:
    assert [finding async for finding in audit(store)] == []
    return await balance(store, "user-ann"), await balance(store, "user-bob")


def keep(update: Update) -> tuple[Write, ...]:
    answer = str(update.after.version).encode()
    return (
        KeepAnswer(
            user_id="user-ann", key="k", fingerprint="f", answer=answer, created_at=update.entry.at
        ),
    )


@pytest.mark.spec("C45")
async def test_who_accepts_too_late_hears_so_even_without_money_for_it(
    kernel: Kernel, rich: MakePlayer, store: Store
) -> None:
    ann, bob = await rich("ann"), await rich("bob")
    assert ann.user_id is not None
    assert bob.user_id is not None
    terms = Terms(stake_amount=1000, max_spend_amount=0, time_limit_seconds=300)
    challenge = await kernel.challenges.create(GAME, ann.user_id, bob.user_id, terms, TTL_MS)
    tries = [kernel.challenges.accept(challenge.id, lambda _: (ann, bob)) for _ in range(10)]
    results = await asyncio.gather(*tries, return_exceptions=True)
    refusals = [result for result in results if isinstance(result, Refused)]
    assert [refusal.code for refusal in refusals] == ["challenge_accepted"] * 9
    assert await purses(store) == (0, 0)


async def test_what_goes_along_with_a_step_is_committed_with_it_or_not_at_all(
    kernel: Kernel, rich: MakePlayer, store: Store
) -> None:
    match = await playing(kernel, rich)
    update = await kernel.steps.act(match.id, 0, Purchase("H2"), together=keep)
    assert update.after.version == 2
    with pytest.raises(Taken, match="idempotency_key"):
        await kernel.steps.act(match.id, 0, Purchase("H2"), together=keep)
    assert len(await queries.journal(store, match.id)) == 2
    assert await purses(store) == (896, 900)
    again = await kernel.steps.act(match.id, 0, Purchase("H2"))
    assert again.after.version == 3


async def test_a_purchase_writes_its_entry_and_the_money_and_is_found_by_all(
    kernel: Kernel, make_kernel: MakeKernel, rich: MakePlayer, store: Store
) -> None:
    """What is in the pot is not counted again by who takes the steps since the row again."""
    match = await playing(kernel, rich)
    for _ in range(2):
        bought = await kernel.steps.act(match.id, 0, Purchase("H2"))
    stored = await queries.match_by_id(store, match.id)
    assert stored is not None
    assert (stored.match.version, stored.version) == (1, 3)
    assert stored.pot == bought.after.pot == (108, 100)
    other = make_kernel(policies=staked())
    assert await other.finder.find(match.id) == bought.after
    again = await other.steps.act(match.id, 0, Purchase("H2"))
    assert again.after.pot == (112, 100)
    followed = await kernel.steps.act(match.id, 0, Purchase("H2"))
    assert followed.after.pot == (116, 100)
    assert await purses(store) == (884, 900)


class Ticking(SetClock):
    """Every look takes a millisecond."""

    ticks = False

    def __call__(self) -> int:
        self.now += self.ticks
        return self.now


@pytest.mark.spec("C50", "C54")
async def test_a_flag_that_falls_while_a_move_is_decided_is_committed_first(
    make_kernel: MakeKernel, rich: MakePlayer, store: Store
) -> None:
    clock = Ticking()
    kernel = make_kernel(policies=staked(), clock=clock)
    became: set[tuple[str, str | None]] = set()
    for looks in range(8):
        ann, bob = await rich(f"ann{looks}"), await rich(f"bob{looks}")
        challenge = await invite(kernel, ann, bob)
        _, match = await kernel.challenges.accept(challenge.id, partial(seats, ann, bob))
        clock.now = match.state.clocks.falls_at - looks
        clock.ticks = True
        said = await answer(kernel.steps.act(match.id, match.state.turn, Move("SINGLE", 0, 0)))
        clock.ticks = False
        stored = await queries.match_by_id(store, match.id)
        assert stored is not None
        became.add((said, stored.match.reason))
    assert became == {("done", None), ("match_ended", "timeout")}


def seats(ann: Player, bob: Player, _: ChallengeRow) -> tuple[Player, Player]:
    return ann, bob


async def answer(step: Awaitable[object]) -> str:
    try:
        await step
    except Refused as refused:
        return refused.code
    return "done"


@pytest.mark.spec("C28", "C37", "C41", "C103")
async def test_calling_a_match_off_gives_everyone_back_what_they_paid(
    kernel: Kernel, rich: MakePlayer, store: Store
) -> None:
    match = await playing(kernel, rich)
    await kernel.steps.act(match.id, 1, Purchase("CROSS4", 2))
    update = await kernel.seating.call_off(match.id, keep)
    assert (update.after.status, update.after.reason) == ("cancelled", "cancelled")
    assert await purses(store) == (1000, 1000)
    for late in (
        kernel.seating.call_off(match.id),
        kernel.steps.act(match.id, 0, Move("SINGLE", 0, 0)),
    ):
        with pytest.raises(Refused, match="NOT_ACTIVE"):
            await late
    assert await purses(store) == (1000, 1000)


@pytest.mark.spec("C26", "C41")
async def test_a_flag_that_has_fallen_goes_before_calling_off(
    kernel: Kernel, rich: MakePlayer, store: Store, clock: SetClock
) -> None:
    match = await playing(kernel, rich)
    clock.pass_ms(300_000)
    with pytest.raises(Refused, match="NOT_ACTIVE"):
        await kernel.seating.call_off(match.id)
    found = await kernel.finder.find(match.id)
    assert found is not None
    assert (found.status, found.reason) == ("finished", "timeout")
    assert sorted(filter(None, await purses(store))) == [900, 1100]


async def test_followers_hear_every_step_that_this_process_takes(
    make_kernel: MakeKernel, rich: MakePlayer
) -> None:
    here, there = make_kernel(policies=staked()), make_kernel(policies=staked())
    heard: list[Update] = []
    here.steps.subscribe(GAME, heard.append)
    match = await playing(here, rich)
    await here.steps.act(match.id, 0, Purchase("H2"))
    await there.steps.act(match.id, 1, Purchase("H2"))
    await here.finder.find(match.id)
    assert [update.after.version for update in heard] == [2]


@pytest.mark.spec("C15", "C53", "C101", "C104")
async def test_the_sweep_ends_what_nobody_noticed_and_raises_an_alarm(
    make_kernel: MakeKernel, rich: MakePlayer, store: Store, clock: SetClock
) -> None:
    match = await playing(make_kernel(policies=staked()), rich)
    other = make_kernel(policies=staked())
    alarms: list[str] = []
    other.keeper.alarm(lambda found: alarms.append(found.id))
    clock.pass_ms(300_000 + GRACE_MS - 1)
    await other.keeper.sweep()
    assert alarms == [], "a timer may be a little late"
    clock.pass_ms(1)
    await other.keeper.sweep()
    await other.keeper.sweep()
    assert alarms == [match.id]
    stored = await queries.match_by_id(store, match.id)
    assert stored is not None
    assert (stored.match.status, stored.match.reason) == ("finished", "timeout")
    assert stored.match.winner == 1 - match.state.turn
    assert sorted(filter(None, await purses(store))) == [900, 1100]


@pytest.mark.spec("C41", "C101")
async def test_one_pot_that_is_wrong_does_not_hold_up_the_sweep(
    make_kernel: MakeKernel, rich: MakePlayer, store: Store, clock: SetClock
) -> None:
    kernel = make_kernel(policies=staked())
    ann, bob = await rich("ann"), await rich("bob")
    challenges = [await invite(kernel, ann, bob) for _ in range(4)]
    matches = []
    for challenge in challenges[:2]:
        matches.append((await kernel.challenges.accept(challenge.id, lambda _: (ann, bob)))[1])
        clock.pass_ms(1)
    for wrong in (challenges[0], challenges[2]):
        await store.commit(Change((SettleEscrow(id=wrong.id, how="refunded", at=clock()),)))
    clock.pass_ms(TTL_MS + GRACE_MS)
    await kernel.keeper.sweep()
    first, second = [await queries.match_by_id(store, match.id) for match in matches]
    assert first is not None
    assert second is not None
    assert (first.match.status, second.match.status) == ("active", "finished")
    late = await queries.challenge(store, challenges[3].id)
    assert late is not None
    assert late.status == "expired"


async def test_without_a_stake_it_is_played_for_nothing(
    make_kernel: MakeKernel, rich: MakePlayer, store: Store, clock: SetClock
) -> None:
    kernel, other = make_kernel(policies=staked()), make_kernel(policies=staked())
    players = (await rich("ann"), await rich("bob"))
    entries = await ledger(store)
    match = await kernel.seating.start(GAME, players, options=Options(first=0, max_spend=9))
    await kernel.steps.act(match.id, 0, Purchase("H2"))
    await kernel.steps.act(match.id, 1, Purchase("BOMB", 3))
    with pytest.raises(Refused) as refusal:
        await kernel.steps.act(match.id, 0, Purchase("CROSS4"))
    assert refusal.value.code == "max_spend_exceeded"
    moved = (await kernel.steps.act(match.id, 0, Move("H2", 3, 3))).after
    assert moved.state.spent == (4, 9)
    assert moved.pot == (0, 0)
    with pytest.raises(Refused) as refusal:
        await kernel.steps.act(match.id, 1, Move("H2", 5, 5))
    assert refusal.value.code == "no_inventory"
    # Whoever takes over knows the same of it, and the clock decides it.
    assert await other.finder.find(match.id) == moved
    clock.pass_ms(moved.state.options.time_limit_ms)
    resident = await other.finder.playable(match.id)
    assert resident is not None
    await other.deadlines.due(resident)
    assert (resident.match.status, resident.match.winner) == ("finished", 0)
    assert await purses(store) == (1000, 1000)
    assert await ledger(store) == entries


async def ledger(store: Store) -> list[Any]:
    return [dict(row) for row in await store.rows(select(schema.ledger_entry))]
