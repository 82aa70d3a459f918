"""One step: decided by the rules, committed under a guard, told afterwards, replayable."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import msgspec
import pytest
from sqlalchemy import Executable

from parlour.games.api import Refused
from parlour.games.connect4.rules import Claim, Drop
from parlour.play.kernel import Kernel
from parlour.play.match import Gone, Match
from parlour.play.replay import replay
from parlour.play.restore import restored
from parlour.store import queries
from parlour.store.api import Record, Store
from tests.play.conftest import Ear, MakeKernel, MakePlayer, SetClock


async def connect4(kernel: Kernel, player: MakePlayer) -> Match:
    ann, bob = await player("ann"), await player("bob")
    return await kernel.seating.start("connect4", (ann, bob))


async def win(kernel: Kernel, match: Match) -> None:
    """Seat 0 stacks four."""
    for column in (0, 1, 0, 1, 0, 1):
        await kernel.steps.act(match.id, column, Drop(column))
    await kernel.steps.act(match.id, 0, Drop(0))


async def test_a_step_is_durable_and_told_in_order(
    kernel: Kernel, player: MakePlayer, store: Store
) -> None:
    match = await connect4(kernel, player)
    ear = Ear()
    assert await kernel.watching.watch(match.id, ear) == match

    update = await kernel.steps.act(match.id, 0, Drop(3))

    assert update.before == match
    assert update.after.version == 2
    assert ear.updates == [update]
    stored = await queries.match_by_id(store, match.id)
    assert stored is not None
    assert stored.version == 2
    assert restored(kernel.runtime.rules[match.game], stored).state == update.after.state
    assert [entry.kind for entry in await queries.journal(store, match.id)] == ["start", "act"]


async def test_a_refusal_changes_nothing(kernel: Kernel, player: MakePlayer, store: Store) -> None:
    match = await connect4(kernel, player)
    ear = Ear()
    await kernel.watching.watch(match.id, ear)
    with pytest.raises(Refused, match="NOT_YOUR_TURN"):
        await kernel.steps.act(match.id, 1, Drop(3))
    assert await kernel.finder.find(match.id) == match
    assert len(await queries.journal(store, match.id)) == 1
    assert ear.updates == []


async def test_nothing_can_be_done_to_a_match_that_is_not_there(kernel: Kernel) -> None:
    with pytest.raises(Gone):
        await kernel.steps.act("nowhere", 0, Drop(3))
    assert await kernel.finder.find("nowhere") is None


@pytest.mark.spec("A66", "A70", "A72")
async def test_the_last_move_ends_the_match_and_moves_ratings_at_once(
    kernel: Kernel, player: MakePlayer, store: Store
) -> None:
    match = await connect4(kernel, player)
    await win(kernel, match)
    after = await kernel.finder.find(match.id)
    assert after is not None
    assert (after.status, after.winner, after.reason) == ("finished", 0, "CONNECT4")
    assert [seat.rating_delta for seat in after.seats] == [16, -16]
    assert await queries.ratings(store, ["user-ann", "user-bob"], "connect4") == {
        "user-ann": 1016,
        "user-bob": 984,
    }
    with pytest.raises(Refused, match="GAME_NOT_ACTIVE"):
        await kernel.steps.act(match.id, 1, Drop(3))


async def test_a_process_that_is_behind_decides_again(
    make_kernel: MakeKernel, player: MakePlayer
) -> None:
    here, there = make_kernel(), make_kernel()
    match = await connect4(here, player)
    ear = Ear()
    await there.watching.watch(match.id, ear)
    there.runtime.bus.cut = True  # type: ignore[attr-defined]  # the hub's own switch

    await here.steps.act(match.id, 0, Drop(3))
    update = await there.steps.act(match.id, 1, Drop(3))

    assert update.after.version == 3
    assert ear.versions == [2, 3]


async def test_a_refusal_is_given_for_the_match_as_it_is(
    make_kernel: MakeKernel, player: MakePlayer
) -> None:
    here, there = make_kernel(), make_kernel()
    match = await connect4(here, player)
    await there.finder.find(match.id)
    there.runtime.bus.cut = True  # type: ignore[attr-defined]  # the hub's own switch
    await here.steps.act(match.id, 0, Drop(3))
    await here.steps.act(match.id, 1, Drop(3))
    await here.steps.act(match.id, 0, Drop(3))
    with pytest.raises(Refused, match="NOT_YOUR_TURN"):
        await there.steps.act(match.id, 0, Drop(3))


async def test_a_refusal_costs_one_look_at_the_version(
    kernel: Kernel, player: MakePlayer, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = await connect4(kernel, player)
    asked: list[str] = []
    real = store.rows

    async def rows(query: Executable, /, **params: Any) -> Sequence[Record]:
        sql, _ = store.compiled(query, params)
        asked.append(" ".join(sql.replace('"', "").split()))
        return await real(query, **params)

    monkeypatch.setattr(store, "rows", rows)
    with pytest.raises(Refused, match="NOT_YOUR_TURN"):
        await kernel.steps.act(match.id, 1, Drop(3))
    (look,) = asked
    assert look.startswith("SELECT coalesce((SELECT max(journal.version)")


async def test_of_many_identical_moves_one_is_made(
    make_kernel: MakeKernel, player: MakePlayer, store: Store
) -> None:
    kernels = [make_kernel() for _ in range(3)]
    match = await connect4(kernels[0], player)
    tries = [kernels[n % 3].steps.act(match.id, 0, Drop(3)) for n in range(12)]
    results = await asyncio.gather(*tries, return_exceptions=True)
    refusals = [result for result in results if isinstance(result, Refused)]
    assert len(refusals) == 11
    assert {refusal.code for refusal in refusals} == {"NOT_YOUR_TURN"}
    assert len(await queries.journal(store, match.id)) == 2


async def test_watchers_elsewhere_hear_every_step(
    make_kernel: MakeKernel, player: MakePlayer
) -> None:
    here, there = make_kernel(), make_kernel()
    match = await connect4(here, player)
    ear = Ear()
    await there.watching.watch(match.id, ear)
    await win(here, match)
    await asyncio.wait_for(ear.heard(7), 5)
    assert ear.versions == list(range(2, 9))
    final = ear.updates[-1].after
    assert [seat.rating_delta for seat in final.seats] == [16, -16]
    assert final.status == "finished"


async def test_a_match_can_be_rebuilt_step_by_step(
    kernel: Kernel, player: MakePlayer, store: Store
) -> None:
    match = await connect4(kernel, player)
    await win(kernel, match)
    updates = await replay(store, kernel.runtime.rules["connect4"], match.id)
    stored = await queries.match_by_id(store, match.id)
    assert stored is not None
    assert msgspec.json.encode(updates[-1].after.state) == stored.match.state
    assert [update.after.version for update in updates] == list(range(1, 9))
    assert updates[-1].after.winner == 0


@pytest.mark.spec("A62", "A78", "A79", "A80")
async def test_who_has_gone_is_decided_by_what_was_seen(
    kernel: Kernel, player: MakePlayer, clock: SetClock
) -> None:
    match = await connect4(kernel, player)
    clock.pass_ms(30_000)
    resident = await kernel.finder.playable(match.id)
    assert resident is not None
    with pytest.raises(Refused, match="OPPONENT_NOT_ABANDONED"):
        await kernel.steps.act(match.id, 0, Claim())
    clock.pass_ms(1)
    kernel.presence.saw(resident, 0)
    with pytest.raises(Refused, match="USE_CLAIM_ABANDONED_ENDPOINT"):
        await kernel.steps.act(match.id, 0, Drop(0))
    update = await kernel.steps.act(match.id, 0, Claim())
    assert (update.after.winner, update.after.reason) == (0, "ABANDONED")
    assert [seat.rating_delta for seat in update.after.seats] == [16, -16]


async def test_a_sighting_elsewhere_counts(
    make_kernel: MakeKernel, player: MakePlayer, clock: SetClock
) -> None:
    here, there = make_kernel(), make_kernel()
    match = await connect4(here, player)
    clock.pass_ms(40_000)
    resident = await there.finder.playable(match.id)
    assert resident is not None
    there.presence.saw(resident, 1)
    await there.drain()
    with pytest.raises(Refused, match="OPPONENT_NOT_ABANDONED"):
        await here.steps.act(match.id, 0, Claim())
