"""Computer opponents that search: while they do, and when their process dies."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from websockets.asyncio.client import connect

from parlour.net.services import Services
from parlour.play.kernel import Kernel
from parlour.settings import Settings
from tests.host.conftest import Client, Message
from tests.play.conftest import until
from tests.servers.gate import Gate, GatedThinkers
from tests.servers.parlour import Served, serving


@asynccontextmanager
async def house_of(thinkers: GatedThinkers) -> AsyncIterator[Served]:
    """A server whose bots think behind a gate."""

    def alter(services: Services) -> None:
        runtime = services.kernel.runtime
        services.thinkers = thinkers
        services.kernel = Kernel(
            services.store, services.bus, runtime.rules, runtime.policies, thinkers
        )

    with serving(Settings(database_url="sqlite://"), alter=alter) as served:
        yield served


@asynccontextmanager
async def somebody(house: Served) -> AsyncIterator[Client]:
    token, user = await asyncio.to_thread(house.guest)
    async with connect(house.ws + "/ws/play", compression=None) as line:
        client = Client(line, token, user)
        await client.asks("auth", token=token)
        yield client


async def moves(client: Client, standing: Message) -> Message:
    """Makes a move; the step."""
    await client.say(
        "act",
        match=standing["match"],
        version=standing["version"],
        action=standing["legal"][0],
    )
    return await client.hears("step")


async def has_the_computer_think(client: Client, gate: Gate) -> None:
    """By a move, unless it begins."""
    standing = await client.asks("play_bot", game="connect4", bot="master", seat=0)
    if standing["turn"] == 0:
        await moves(client, standing)
    await until(lambda: gate.reached)


async def test_while_one_thinks_others_play(tmp_path: Path) -> None:
    """It thinks in a process of its own, so that the server's loop is free."""
    gate = Gate(tmp_path)
    async with house_of(GatedThinkers(gate)) as house, somebody(house) as ann:
        await has_the_computer_think(ann, gate)
        async with somebody(house) as bob:
            shared = await bob.asks("open", game="connect4", local=True)
            for _ in range(4):
                shared = await moves(bob, shared)
        await ann.hears_nothing()
        gate.open()
        answer = await ann.hears("step")
        assert (answer["kind"], answer["by"]) == ("act", 1)


async def test_one_whose_process_is_killed_moves_all_the_same(tmp_path: Path) -> None:
    gate = Gate(tmp_path)
    thinkers = GatedThinkers(gate)
    async with house_of(thinkers) as house, somebody(house) as ann:
        await has_the_computer_think(ann, gate)
        for pid in thinkers.pids:
            os.kill(pid, signal.SIGKILL)
        answer = await ann.hears("step")
        assert (answer["kind"], answer["by"]) == ("act", 1)
        assert thinkers.tally.replaced == {"died": 1}
