"""Opponents that step in when nobody comes, play like anyone, and are rated like anyone."""

from __future__ import annotations

import asyncio
import json
import shutil
from pathlib import Path

import pytest
from websockets.asyncio.client import connect

from parlour.games.memory.bot import STAND_INS
from parlour.store import queries
from parlour.store.change import JournalRow
from tests.servers.gate import Gate, GatedThinkers
from tests.wire.memory.conftest import (
    Client,
    Message,
    Parlour,
    ShiftedClock,
    parlour_of,
    places,
)

LONGEST_DELAY_SEC = 5
"""Longer than any of them ponders, the time that cards are shown included."""


async def moves(parlour: Parlour, client: Client) -> list[JournalRow]:
    """What the robot has done so far."""
    work = queries.journal(parlour.served.services.store, client.found["gameId"])
    entries = await asyncio.to_thread(parlour.served.run, work)
    return [entry for entry in entries if entry.kind == "act" and entry.seat == 1]


async def against_a_robot(parlour: Parlour) -> tuple[Client, Message]:
    """Somebody whom nobody came for."""
    ann = await parlour.client()
    ann.seat = 0
    await ann.say("set_name", name="Ann")
    await ann.hears("waiting_for_match")
    await parlour.pass_sec(100)
    await ann.hears("match_found")
    return ann, await ann.hears("game_state")


async def its_turn(parlour: Parlour, ann: Client, state: Message) -> None:
    """Miss, unless it is the robot's turn already."""
    if state["yourTurn"]:
        deck = await parlour.deck(ann)
        for index in (0, next(i for i in range(16) if deck[i] != deck[0])):
            await ann.flip(index)
            await ann.hears("game_state")
        state = await ann.hears("game_state")
    assert state["yourTurn"] is False


@pytest.mark.spec("B10", "B69", "B83", "B85", "B86")
async def test_a_robot_steps_in_when_nobody_comes_in_time() -> None:
    async with parlour_of(ai_pair_timeout_sec=100) as parlour:
        ann = await parlour.client()
        await ann.say("set_name", name="Ann")
        await ann.hears("waiting_for_match")
        await parlour.pass_sec(99)
        await ann.hears_nothing()
        await parlour.pass_sec(1)
        await ann.hears("match_found", "game_state")
        assert ann.found["opponentName"] in STAND_INS
        assert ann.found["opponentUserId"] == "ai:" + ann.found["opponentName"]
        await ann.hears_nothing()


@pytest.mark.spec("B83")
async def test_people_who_come_in_time_go_first() -> None:
    async with parlour_of(ai_pair_timeout_sec=100) as parlour:
        mover, other = await parlour.pair()
        await parlour.pass_sec(100)
        assert mover.found["opponentUserId"] == other.user["id"]
        for each in (mover, other):
            await each.hears_nothing()


@pytest.mark.spec("B69")
async def test_a_robot_may_come_at_once() -> None:
    async with parlour_of(ai_pair_timeout_sec=0) as parlour:
        ann = await parlour.client()
        await ann.say("set_name", name="Ann")
        await ann.hears("waiting_for_match", "match_found", "game_state")
        assert ann.found["opponentUserId"].startswith("ai:")


@pytest.mark.spec("B86")
async def test_a_robot_that_was_chosen_at_the_host_is_known_as_one() -> None:
    async with parlour_of() as parlour:
        ann = await parlour.client()
        async with connect(parlour.served.ws + "/ws/play") as host:
            for wish in (
                {"type": "auth", "token": ann.token},
                {"type": "play_bot", "game": "memory", "bot": "Thalia", "seat": 0},
            ):
                await host.send(json.dumps(wish))
            while json.loads(await host.recv())["type"] != "table":
                pass
            await ann.say("rejoin_my_game")
            await ann.hears("match_found", "game_state")
        assert ann.found["opponentUserId"] == "ai:Thalia"


@pytest.mark.spec("B84", "B85", "B86", "B87", "B88")
async def test_a_game_against_a_robot_to_the_end() -> None:
    async with parlour_of(ai_pair_timeout_sec=100) as parlour:
        ann, state = await against_a_robot(parlour)
        await its_turn(parlour, ann, state)
        await parlour.pass_sec(LONGEST_DELAY_SEC)
        message = await ann.hear()
        while message["type"] != "game_over":
            hidden = [card["index"] for card in message.get("cards", ()) if "pairId" not in card]
            if hidden and message["yourTurn"]:
                deck = await parlour.deck(ann)
                for index in places(deck, deck[hidden[0]]):
                    await ann.flip(index)
                    message = await ann.hears("game_state")
                continue
            await parlour.pass_sec(LONGEST_DELAY_SEC)
            message = await ann.hear()
        assert await moves(parlour, ann)

        (entry,) = await parlour.get("/api/history", ann)
        robot = ann.found["opponentUserId"]
        assert entry["player1_user_id"] == robot
        assert entry["player1_name"] == ann.found["opponentName"]
        assert entry["end_reason"] == "completed"
        assert entry["player1_elo_before"] == 1000
        board = await parlour.get("/api/leaderboard")
        (bot,) = [each for each in board["entries"] if each["is_bot"]]
        assert (bot["user_id"], bot["elo"]) == (robot, entry["player1_elo_after"])
        assert bot["display_name"] == ann.found["opponentName"]
        assert bot["wins"] + bot["losses"] + bot["draws"] == 1


async def test_one_may_leave_a_robot() -> None:
    async with parlour_of(ai_pair_timeout_sec=100) as parlour:
        ann, _ = await against_a_robot(parlour)
        await ann.say("leave_game")
        await ann.hears_nothing()
        match = await parlour.match(ann)
        assert (match.winner, match.reason) == (1, "opponent_disconnected")
        assert [seat.rating_delta for seat in match.seats] == [None, None]
        await ann.say("play_again")
        await ann.hears("waiting_for_match")


async def test_a_robot_moves_after_a_restart(tmp_path: Path, sqlite_template: Path) -> None:
    path = tmp_path / "parlour.db"
    shutil.copy(sqlite_template, path)
    clock, kept = ShiftedClock(), f"sqlite:///{path}"
    async with parlour_of(database_url=kept, clock=clock, ai_pair_timeout_sec=100) as parlour:
        ann, state = await against_a_robot(parlour)
        await its_turn(parlour, ann, state)
        before = await moves(parlour, ann)
        await parlour.stop()
    async with parlour_of(database_url=kept, clock=clock) as parlour:
        # Once: a robot takes its time to wake, in which ann's window must not run out.
        await parlour.pass_sec(2 * LONGEST_DELAY_SEC)
        while await moves(parlour, ann) == before:
            await asyncio.to_thread(parlour.served.run, asyncio.sleep(0.02))
        back = await parlour.again(ann)
        await back.say("rejoin_my_game")
        await back.hears("match_found", "game_state")


async def test_a_robot_moves_where_nobody_can_think(tmp_path: Path) -> None:
    """It has nothing to search, so no other process is asked; and none is started."""
    gate = Gate(tmp_path)
    thinkers = GatedThinkers(gate)
    async with parlour_of(ai_pair_timeout_sec=100, thinkers=thinkers) as parlour:
        ann, state = await against_a_robot(parlour)
        await its_turn(parlour, ann, state)
        before = await moves(parlour, ann)
        await parlour.pass_sec(LONGEST_DELAY_SEC)
        await ann.hears("game_state")
        assert len(await moves(parlour, ann)) == len(before) + 1
        assert not gate.reached
        assert thinkers.pids == ()
