"""The queue: who waits, who meets whom, and how one leaves it."""

from __future__ import annotations

import asyncio
import time

import pytest

from parlour.store import queries
from tests.wire.memory.conftest import Client, Parlour, parlour_of


async def waiting(parlour: Parlour, name: str = "Ann") -> Client:
    client = await parlour.client()
    await client.say("set_name", name=name)
    await client.hears("waiting_for_match")
    return client


async def tickets(parlour: Parlour) -> list[str]:
    """Who waits, as the store has it."""
    work = queries.tickets(parlour.served.services.store, "memory")
    return [each.user_id for each in await asyncio.to_thread(parlour.served.run, work)]


@pytest.mark.spec("B7", "B10", "B48", "B69")
async def test_who_names_itself_waits_and_hears_when_a_bot_steps_in() -> None:
    async with parlour_of(ai_pair_timeout_sec=100) as parlour:
        before = time.time_ns() // 1_000_000
        ann = await parlour.client()
        await ann.say("set_name", name="Ann")
        message = await ann.hears("waiting_for_match")
        assert set(message) == {"type", "botAtUnixMs"}
        after = time.time_ns() // 1_000_000
        assert before + 100_000 <= message["botAtUnixMs"] <= after + 100_000
        assert await tickets(parlour) == [ann.user["id"]]
        await ann.hears_nothing()


@pytest.mark.spec("B1", "B7", "B8", "B49", "B56", "B91")
async def test_two_who_wait_meet(parlour: Parlour) -> None:
    ann = await waiting(parlour, "Ann")
    bob = await parlour.client()
    await bob.say("set_name", name="Bob")
    assert await bob.hears("waiting_for_match") == {"type": "waiting_for_match"}
    for client, name, other in ((ann, "Bob", bob), (bob, "Ann", ann)):
        found = await client.hears("match_found")
        assert set(found) == {
            "type",
            "opponentName",
            "opponentUserId",
            "boardRows",
            "boardCols",
            "yourTurn",
            "gameId",
            "rejoinToken",
        }
        assert found["opponentName"] == name
        assert found["opponentUserId"] == other.user["id"]
        assert (found["boardRows"], found["boardCols"]) == (4, 4)
        state = await client.hears("game_state")
        assert state["yourTurn"] is found["yourTurn"]
        await client.hears_nothing()
    assert ann.found["gameId"] == bob.found["gameId"]
    assert ann.found["rejoinToken"] != bob.found["rejoinToken"]
    assert ann.found["yourTurn"] is not bob.found["yourTurn"]
    assert await tickets(parlour) == []


@pytest.mark.spec("B8")
async def test_whom_one_meets_of_several_is_left_to_chance(parlour: Parlour) -> None:
    """What that means is tried where several can be made to wait; here, that it is so in Memory."""
    assert parlour.served.services.kernel.runtime.policies["memory"].order == "uniform"


async def test_nobody_meets_oneself(parlour: Parlour) -> None:
    here = await waiting(parlour)
    there = await parlour.again(here)
    await there.say("set_name", name="Ann too")
    await there.hears("waiting_for_match")
    assert "another window or device" in (await here.hears("error"))["message"]
    assert await here.closed() == 4409
    await there.hears_nothing()
    assert await tickets(parlour) == [here.user["id"]]
    bob = await parlour.client()
    await bob.say("set_name", name="Bob")
    await bob.hears("waiting_for_match", "match_found")
    assert bob.found["opponentName"] == "Ann too"
    await there.hears("match_found", "game_state")


@pytest.mark.spec("B11")
async def test_who_goes_while_waiting_is_silently_removed(parlour: Parlour) -> None:
    ann = await waiting(parlour)
    await ann.line.close()
    while await tickets(parlour):
        pass
    bob = await waiting(parlour, "Bob")
    await bob.hears_nothing()


async def test_one_may_leave_the_queue_and_come_back(parlour: Parlour) -> None:
    ann = await waiting(parlour)
    await ann.say("leave_queue")
    await ann.hears_nothing()
    assert await tickets(parlour) == []
    assert await ann.refused("leave_queue") == "You are not waiting for a match."
    await ann.say("play_again")
    await ann.hears("waiting_for_match")


@pytest.mark.spec("B43")
async def test_what_makes_no_sense_now_is_refused_and_harms_nothing(parlour: Parlour) -> None:
    ann = await parlour.client()
    assert await ann.refused("play_again") == "Choose a name first: send set_name."
    for kind in ("leave_queue", "leave_game", "rejoin_my_game"):
        await ann.refused(kind)
    assert await ann.refused("flip_card", index=0) == "You are not in a game."
    await ann.say("set_name", name="Ann")
    await ann.hears("waiting_for_match")
    for kind in ("play_again", "leave_game"):
        await ann.refused(kind)
    assert await ann.refused("set_name", name="Eve") == "You are already waiting for a match."
    assert await tickets(parlour) == [ann.user["id"]]

    bob = await parlour.client()
    await bob.say("set_name", name="Bob")
    await bob.hears("waiting_for_match", "match_found", "game_state")
    await ann.hears("match_found", "game_state")
    for kind in ("play_again", "leave_queue", "rejoin_my_game"):
        await ann.refused(kind)
    await ann.refused("set_name", name="Eve")
    token = ann.found["rejoinToken"]
    await ann.refused("rejoin", gameId=ann.found["gameId"], rejoinToken=token, name="Ann")
    await bob.hears_nothing()
    assert bob.found["opponentName"] == "Ann"


async def test_who_is_in_a_game_cannot_queue_from_another_device(parlour: Parlour) -> None:
    ann, bob = await parlour.pair()
    there = await parlour.again(ann)
    assert "rejoin_my_game" in await there.refused("set_name", name="Ann")
    await ann.hears_nothing()
    await bob.hears_nothing()
    assert await tickets(parlour) == []


@pytest.mark.spec("B9")
async def test_forty_at_once_make_twenty_games(parlour: Parlour) -> None:
    crowd = await asyncio.gather(*(parlour.client() for _ in range(40)))
    await asyncio.gather(*(each.say("set_name", name="One of many") for each in crowd))
    await asyncio.gather(
        *(each.hears("waiting_for_match", "match_found", "game_state") for each in crowd)
    )
    games: dict[str, list[Client]] = {}
    for each in crowd:
        games.setdefault(each.found["gameId"], []).append(each)
    assert len(games) == 20
    for first, second in games.values():
        assert first.found["opponentUserId"] == second.user["id"] != first.user["id"]
    assert await tickets(parlour) == []
