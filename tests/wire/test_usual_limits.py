"""A whole game on every surface under the usual rate limits: nobody who plays notices them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AsyncExitStack, ExitStack

import pytest
from websockets.sync.client import connect

from tests.servers import plain
from tests.servers.parlour import Served, serving
from tests.wire.connect4 import conftest as connect4
from tests.wire.connect_five import people as connect_five
from tests.wire.memory import conftest as memory
from tests.wire.quarto import conftest as quarto

LINE = [(0, 0), (1, 1), (2, 2)]
"""Pieces and places of Quarto; the fourth piece of the line ends it."""


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    with serving(memory.CALM, rate_limits=True) as running:
        yield running


def nobody_was_limited(served: Served) -> bool:
    return "parlour_rate_limited_total{" not in served.ask("GET", "/metrics").text


async def test_connect_4(served: Served) -> None:
    with plain.Client(base_url=served.url, timeout=20) as http:
        house = connect4.House(served, http)
        ann, bob = house.new_player(), house.new_player()
        connect4.finished(ann, bob, connect4.DRAW)
        game = connect4.begin(ann, bob)
        first, second = connect4.in_turn(game, ann, bob)
        async with connect4.live(first, game) as one, connect4.live(second, game) as two:
            for live in (one, two):
                assert (await live.event())["type"] == "game"
            for number, column in enumerate(connect4.DRAW):
                await (one, two)[number % 2].move(column)
                ends = ("turn_changed", "game_ended")
                for live in (one, two):
                    while (await live.event())["type"] not in ends:
                        pass
        assert ann.look(game)["status"] == "COMPLETED"
    assert nobody_was_limited(served)


async def test_memory(served: Served) -> None:
    async with AsyncExitStack() as stack:
        parlour = memory.Parlour(served, stack, memory.ShiftedClock())
        mover, other = await parlour.pair()
        deck = await parlour.deck(mover)
        for _ in range(20):
            await mover.hears_nothing()
        for pair_id in sorted(set(deck)):
            state = await memory.find_pair(mover, other, deck, pair_id)
        assert state["you"]["score"] == len(deck) // 2
        await mover.hears("game_over")
        await mover.say("play_again")
        await mover.hears("waiting_for_match")
        await mover.say("leave_queue")
        await mover.hears_nothing()
    assert nobody_was_limited(served)


def test_connect_five(served: Served) -> None:
    ann, bob = connect_five.pair(served)
    with ann.hearing("connect-five") as ear, bob.hearing("notifications") as bell:
        match, first, second = connect_five.playing(ann, bob)
        assert bell.hear()["type"] == "create.notification"
        connect_five.win(match, first, second)
        while ear.hear().get("match", {}).get("winner") is None:
            pass
    assert nobody_was_limited(served)


def test_quarto(served: Served) -> None:
    with ExitStack() as stack:
        for number in range(5):
            path = f"{served.ws}/party/ROOM0{number}"
            host, guest = (quarto.Client(stack.enter_context(connect(path))) for _ in range(2))
            host.say("CREATE_ROOM", playerName="Ann")
            host.hear("ROOM_CREATED")
            guest.say("JOIN_ROOM", playerName="Bob")
            guest.hear("ROOM_JOINED")
            host.hear("PLAYER_JOINED")
            guest.state()
            game = quarto.play(host, guest, host.state(), LINE)
            assert [each is not None for each in game["board"]["positions"][:3]] == [True] * 3
            guest.say("LEAVE_ROOM")
            host.hear("PLAYER_LEFT")
            host.state()
            host.hear("GAME_OVER")
    assert nobody_was_limited(served)
