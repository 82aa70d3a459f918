"""What a player may claim comes from the server, and is granted when its time has come."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack

import pytest
from websockets.asyncio.client import connect

from parlour.games.registry import all_rules, bots
from parlour.settings import Settings
from tests.host.conftest import Client, Enter
from tests.host.test_play import seated
from tests.servers.parlour import Served, serving
from tests.wire.memory.conftest import ShiftedClock, rebuild


@pytest.fixture(scope="module")
def clock() -> ShiftedClock:
    return ShiftedClock()


@pytest.fixture(scope="module")
def house(clock: ShiftedClock) -> Iterator[Served]:
    """A server whose clock a test may move on."""
    settings = Settings(database_url="sqlite://")
    with serving(settings, alter=lambda services: rebuild(services, clock=clock)) as served:
        yield served


@pytest.fixture
async def enter(house: Served) -> AsyncIterator[Enter]:
    async with AsyncExitStack() as stack:

        async def come(token: str | None = "", user: dict[str, str] | None = None) -> Client:
            line = await stack.enter_async_context(connect(house.ws + "/ws/play", compression=None))
            if token == "":
                token, user = await asyncio.to_thread(house.guest)
            client = Client(line, token, user or {})
            if token is not None:
                await client.asks("auth", token=token)
            return client

        yield come


async def test_who_is_left_alone_may_claim_the_win_once_it_has_lasted(
    enter: Enter, clock: ShiftedClock
) -> None:
    host, guest, table = await seated(enter, "connect4")
    onlooker = await enter(None)
    await onlooker.asks("watch", match=table["match"])
    assert table["claims"] == []
    await guest.hang_up()
    gone = await host.hears("presence")
    assert gone["here"] == [True, False]
    (claim,) = gone["claims"]
    assert claim["action"] == {"type": "claim"}
    assert claim["at"] > gone["now"]
    assert (await onlooker.hears("presence"))["claims"] == []
    again = await host.asks("watch", match=table["match"])
    assert again["claims"] == [claim]

    act = {"match": table["match"], "version": table["version"], "action": claim["action"]}
    early = await host.asks("act", **act)
    assert (early["type"], early["code"]) == ("error", "OPPONENT_NOT_ABANDONED")
    clock.shift += claim["at"] - again["now"]
    won = await host.asks("act", **act)
    assert won["type"] == "done", won
    over = await host.asks("watch", match=table["match"])
    assert (over["result"]["winner"], over["result"]["reason"]) == (0, "ABANDONED")
    assert over["claims"] == []


async def test_who_comes_back_is_not_claimed_from(enter: Enter) -> None:
    host, guest, table = await seated(enter, "connect4")
    await guest.hang_up()
    assert (await host.hears("presence"))["claims"]
    again = await enter(guest.token, guest.user)
    await again.asks("join", match=table["match"])
    assert await host.hears("presence") == {
        "type": "presence",
        "match": table["match"],
        "here": [True, True],
        "claims": [],
        "now": pytest.approx(table["now"], abs=10**6),
    }


async def test_the_computer_is_always_there(enter: Enter, clock: ShiftedClock) -> None:
    me = await enter()
    table = await me.asks("play_bot", game="connect4", bot="easy", seat=0)
    while table["turn"] != 0:
        table = table | await me.hears("step")
    clock.shift += 60_000
    act = {"match": table["match"], "version": table["version"]}
    assert (await me.asks("watch", match=table["match"]))["claims"] == []
    moved = await me.asks("act", **act, action=table["legal"][0])
    assert moved["type"] == "done", moved


async def test_a_quarto_may_be_called_on_ones_turn_whether_there_is_one_or_not(
    enter: Enter,
) -> None:
    host, guest, table = await seated(enter, "quarto")
    look = {0: await host.asks("watch", match=table["match"]), 1: table}
    mover, other = table["turn"], 1 - table["turn"]
    assert look[mover]["claims"] == [{"action": {"type": "call"}, "at": None}]
    assert look[other]["claims"] == []
    act = {"match": table["match"], "version": table["version"], "action": {"type": "call"}}
    assert await (host, guest)[mover].refused("act", **act) == "NO_QUARTO"


@pytest.mark.parametrize("game", [key for key in all_rules() if bots(key)])
async def test_nobody_loses_to_the_computer_by_being_away(
    enter: Enter, house: Served, clock: ShiftedClock, game: str
) -> None:
    me, onlooker = await enter(), await enter(None)
    table = await me.asks("play_bot", game=game, bot=next(iter(bots(game))), seat=0)
    await onlooker.asks("watch", match=table["match"])
    await me.hang_up()
    while (await onlooker.hears("presence"))["here"][0]:
        pass
    # Longer than anybody waits for a person, and not so long that the table is put away.
    clock.shift += 4 * 60_000
    house.run(house.services.kernel.keeper.sweep())
    again = await (await enter(me.token, me.user)).asks("join", match=table["match"])
    assert again["status"] == "active"
