"""Memory on several processes, which share a database and a bus and nothing else."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack

import pytest
from msgspec.structs import replace

from parlour.play.clock import wall_clock
from parlour.store import queries
from tests.servers.buses import shared_redis
from tests.servers.parlour import serving
from tests.servers.valkey import redis_url
from tests.wire.memory.conftest import CALM, Client, Parlour, ShiftedClock, parlour_of

__all__ = ["redis_url", "shared_redis"]

pytestmark = pytest.mark.parametrize("engine", ["postgres"])

Two = tuple[Parlour, Parlour]


@pytest.fixture
async def two(database: str, shared_redis: str | None) -> AsyncIterator[Two]:
    """Two servers on one PostgreSQL."""
    async with (
        parlour_of(database_url=database, redis_url=shared_redis) as here,
        parlour_of(database_url=database, redis_url=shared_redis) as there,
    ):
        yield here, there


async def meet(two: Two) -> tuple[Client, Client]:
    """A player on each, in one game; the one to move comes first."""
    ann, bob = await two[0].client(), await two[1].client()
    await ann.say("set_name", name="Ann")
    await ann.hears("waiting_for_match")
    await bob.say("set_name", name="Bob")
    await bob.hears("waiting_for_match", "match_found", "game_state")
    await ann.hears("match_found", "game_state")
    assert ann.found["gameId"] == bob.found["gameId"]
    return (ann, bob) if ann.found["yourTurn"] else (bob, ann)


async def test_players_of_two_processes_meet_and_play(two: Two) -> None:
    mover, other = await meet(two)
    deck = await two[0].deck(mover)
    for index in sorted(range(16), key=lambda index: deck[index]):
        await mover.flip(index)
        seen, shown = await mover.hears("game_state"), await other.hears("game_state")
        assert [card["state"] for card in seen["cards"]] == [c["state"] for c in shown["cards"]]
    for each in (mover, other):
        await each.hears("game_over")


async def test_who_queue_at_the_same_moment_find_each_other(two: Two) -> None:
    crowd = [await two[number % 2].client() for number in range(10)]
    await asyncio.gather(*(each.say("set_name", name="One of ten") for each in crowd))
    await asyncio.gather(
        *(each.hears("waiting_for_match", "match_found", "game_state") for each in crowd)
    )
    assert len({each.found["gameId"] for each in crowd}) == 5


async def test_a_device_elsewhere_takes_over_a_seat(two: Two) -> None:
    here, there = two
    mover, other = await here.pair()
    phone = await there.again(mover)
    await phone.say("rejoin_my_game")
    await phone.hears("match_found", "game_state")
    await mover.hears("error")
    assert await mover.closed() == 4409
    await other.hears_nothing()
    await phone.flip(0)
    await phone.hears("game_state")
    await other.hears("game_state")


async def test_a_device_elsewhere_takes_over_waiting(two: Two) -> None:
    here, there = two
    ann = await here.client()
    await ann.say("set_name", name="Ann")
    await ann.hears("waiting_for_match")
    phone = await there.again(ann)
    await phone.say("set_name", name="Ann")
    await phone.hears("waiting_for_match")
    await ann.hears("error")
    assert await ann.closed() == 4409
    await phone.hears_nothing()


async def test_all_devices_at_once_leave_one_in_the_seat(two: Two) -> None:
    mover, other = await meet(two)
    devices = [await two[number % 2].again(mover) for number in range(4)]
    await asyncio.gather(*(each.say("rejoin_my_game") for each in devices))
    left = {asyncio.create_task(each.closed()): each for each in devices}
    while len(left) > 1:
        closed, _ = await asyncio.wait(left, return_when=asyncio.FIRST_COMPLETED)
        for task in closed:
            del left[task]
            assert await task == 4409
    assert await mover.closed() == 4409
    ((listening, device),) = left.items()
    listening.cancel()
    await asyncio.wait([listening])
    await other.hears_nothing()
    await device.flip(0)
    await other.hears("game_state")
    await device.line.close()
    await other.hears("opponent_reconnecting")


async def test_a_process_that_stops_sends_its_players_to_another(
    database: str, shared_redis: str | None
) -> None:
    async with AsyncExitStack() as stack:
        kept = parlour_of(database_url=database, redis_url=shared_redis)
        there = await stack.enter_async_context(kept)
        async with parlour_of(database_url=database, redis_url=shared_redis) as here:
            players = await meet((here, there))
            ports = {each.line.remote_address[1]: each for each in players}
            leaver, stayer = ports[here.served.port], ports[there.served.port]
            await here.stop()
            assert await leaver.closed() == 1012
            await stayer.hears("opponent_reconnecting", "game_state")
        back = await there.again(leaver)
        await back.say("rejoin_my_game")
        await back.hears("match_found", "game_state")
        await stayer.hears("opponent_reconnected", "game_state")
        rows = await asyncio.to_thread(
            there.served.run, queries.presence(there.served.services.store, back.found["gameId"])
        )
        assert {row.process_id for row in rows} == {there.served.services.kernel.runtime.process_id}


async def test_machines_whose_clocks_differ_play_on(
    database: str, shared_redis: str | None
) -> None:
    """Nobody counts as gone by another machine's clock, and no move is too late by it."""
    settings = replace(CALM, database_url=database, redis_url=shared_redis)
    async with AsyncExitStack() as stack:
        two = [
            Parlour(stack.enter_context(serving(settings, local=local)), stack, ShiftedClock())
            for local in (lambda: wall_clock() - 10_000, lambda: wall_clock() + 10_000)
        ]
        mover, other = await meet((two[0], two[1]))
        deck = await two[0].deck(mover)
        for index in sorted(range(16), key=lambda index: deck[index]):
            for each in two:
                sweep = each.served.services.kernel.keeper.sweep()
                await asyncio.to_thread(each.served.run, sweep)
            await other.hears_nothing()
            await mover.flip(index)
            assert await mover.hears("game_state")
            assert await other.hears("game_state")
        for player in (mover, other):
            await player.hears("game_over")
        for each, ahead in zip(two, (-10, 10), strict=True):
            (shown,) = [
                line.split()[1]
                for line in each.served.ask("GET", "/metrics").text.splitlines()
                if line.startswith("parlour_clock_offset_seconds ")
            ]
            assert round(float(shown)) == -ahead
