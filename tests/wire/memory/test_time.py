"""Everything timed is the server's, and goes on where it was after the server was restarted."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import connect

from parlour.play.restore import restored
from parlour.store import queries
from tests.wire.memory.conftest import (
    PATH,
    Client,
    Message,
    Parlour,
    ShiftedClock,
    find_pair,
    mismatch,
    parlour_of,
    places,
)


def revealed(state: Message) -> list[int]:
    return [card["index"] for card in state["cards"] if card["state"] == "revealed"]


async def told(*clients: Client) -> list[Message]:
    return [await each.hears("game_state") for each in clients]


# --- turns ------------------------------------------------------------------------------------


@pytest.mark.spec("B70", "B71", "B93")
async def test_a_turn_that_takes_too_long_passes() -> None:
    async with parlour_of(turn_limit_sec=100, turn_countdown_show_sec=2.5) as parlour:
        mover, other = await parlour.pair()
        await mover.flip(6)
        for state in await told(mover, other):
            assert state["turnCountdownShowSec"] == 2.5
            assert revealed(state) == [6]
        await parlour.pass_sec(100)
        for each in (mover, other):
            assert await each.hears("turn_timeout") == {"type": "turn_timeout"}
        now = (await parlour.match(mover)).updated_at
        seen, shown = await told(mover, other)
        assert (seen["yourTurn"], shown["yourTurn"]) == (False, True)
        assert revealed(seen) == revealed(shown) == []
        assert seen["turnEndsAtUnixMs"] == shown["turnEndsAtUnixMs"] == now + 100_000
        await mover.refused("flip_card", index=0)


@pytest.mark.spec("B93")
async def test_an_action_after_the_time_finds_the_turn_passed() -> None:
    async with parlour_of(turn_limit_sec=100) as parlour:
        mover, other = await parlour.pair()
        parlour.clock.shift += 100_000
        await mover.flip(0)
        heard = [(await mover.hear())["type"] for _ in range(3)]
        assert heard == ["turn_timeout", "game_state", "error"]
        await other.hears("turn_timeout", "game_state")
        await other.hears_nothing()


@pytest.mark.spec("B70")
async def test_the_clock_starts_anew_with_a_pair_and_not_between_two_flips() -> None:
    async with parlour_of(turn_limit_sec=100) as parlour:
        mover, other = await parlour.pair()
        deck = await parlour.deck(mover)
        first, second = places(deck, 5)
        ends = (await parlour.match(mover)).state.turn_ends_at
        await parlour.pass_sec(30)
        await mover.flip(first)
        for state in await told(mover, other):
            assert state["turnEndsAtUnixMs"] == ends
        await mover.flip(second)
        states = await told(mover, other)
        now = (await parlour.match(mover)).updated_at
        assert [state["turnEndsAtUnixMs"] for state in states] == [now + 100_000] * 2


@pytest.mark.spec("B70")
async def test_without_a_limit_nobody_is_hurried() -> None:
    async with parlour_of(turn_limit_sec=0) as parlour:
        mover, other = await parlour.pair()
        await parlour.pass_sec(1_000_000)
        await other.hears_nothing()
        await mover.flip(0)
        for state in await told(mover, other):
            assert state["yourTurn"] is (state["you"]["name"] == other.found["opponentName"])
            assert "turnEndsAtUnixMs" not in state
            assert "turnCountdownShowSec" not in state


# --- shown cards ------------------------------------------------------------------------------


@pytest.mark.spec("B19", "B62")
async def test_a_mismatch_is_shown_for_as_long_as_set() -> None:
    async with parlour_of(reveal_duration_ms=50_000) as parlour:
        mover, other = await parlour.pair()
        for index in mismatch(await parlour.deck(mover)):
            await mover.flip(index)
            await told(mover, other)
        await parlour.pass_sec(40)
        await mover.refused("flip_card", index=2)
        await other.refused("flip_card", index=2)
        await parlour.pass_sec(10)
        seen, shown = await told(mover, other)
        assert (seen["yourTurn"], shown["yourTurn"]) == (False, True)


@pytest.mark.spec("B33", "B73")
async def test_clairvoyance_lasts_as_long_as_set() -> None:
    async with parlour_of(powerup_clairvoyance_reveal_ms=50_000) as parlour:
        mover, other, hidden = await with_clairvoyance(parlour)
        await mover.say("use_power_up", powerUpId="clairvoyance", cardIndex=hidden[0])
        for each in (mover, other):
            state = await each.hears("powerup_used", "game_state")
            assert hidden[0] in revealed(state)
        await parlour.pass_sec(49)
        await other.hears_nothing()
        await parlour.pass_sec(1)
        for state in await told(mover, other):
            assert revealed(state) == []
        await mover.flip(hidden[0])
        await told(mover, other)


async def with_clairvoyance(parlour: Parlour) -> tuple[Client, Client, list[int]]:
    """A game whose mover holds it, and the hidden cards."""
    mover, other = await parlour.pair()
    deck = await parlour.deck(mover)
    await find_pair(mover, other, deck, 1)
    return mover, other, [index for index, each in enumerate(deck) if each != 1]


# --- restarts ---------------------------------------------------------------------------------


@pytest.fixture
def kept(tmp_path: Path, sqlite_template: Path) -> str:
    """The address of a database that outlives its server."""
    path = tmp_path / "parlour.db"
    shutil.copy(sqlite_template, path)
    return f"sqlite:///{path}"


@asynccontextmanager
async def lasting(kept: str, clock: ShiftedClock, **settings: Any) -> AsyncIterator[Parlour]:
    """A server that ends, with whoever is there, when the block does."""
    async with parlour_of(database_url=kept, clock=clock, **settings) as parlour:
        yield parlour
        await parlour.stop()


async def back(parlour: Parlour, *clients: Client) -> tuple[Client, ...]:
    """The same players on the new server, both having heard that both are there."""
    returned: list[Client] = []
    for client in clients:
        assert await client.closed() == 1012
        again = await parlour.again(client)
        again.seat = client.seat
        await again.say("rejoin_my_game")
        await again.hears("match_found", "game_state")
        for earlier in returned:
            await earlier.hears("opponent_reconnecting", "opponent_reconnected", "game_state")
        returned.append(again)
    return tuple(returned)


async def kinds(parlour: Parlour, client: Client) -> list[str]:
    """The game's journal, in a word an entry."""
    work = queries.journal(parlour.served.services.store, client.found["gameId"])
    return [entry.kind for entry in await asyncio.to_thread(parlour.served.run, work)]


@pytest.mark.spec("B62", "B94")
async def test_a_mismatch_is_hidden_after_a_restart(database: str) -> None:
    clock = ShiftedClock()
    async with lasting(database, clock, reveal_duration_ms=50_000) as parlour:
        mover, other = await parlour.pair()
        for index in mismatch(await parlour.deck(mover)):
            await mover.flip(index)
            await told(mover, other)
        until = (await parlour.match(mover)).state.reveal_until
    async with lasting(database, clock, reveal_duration_ms=1) as parlour:
        mover, other = await back(parlour, mover, other)
        match = await parlour.match(mover)
        assert match.state.reveal_until == until
        assert match.state.phase == "resolve"
        await parlour.pass_sec(50)
        seen, shown = await told(mover, other)
        assert (seen["yourTurn"], shown["yourTurn"]) == (False, True)
        assert revealed(seen) == []
        assert (await kinds(parlour, mover)).count("expire") == 1


@pytest.mark.spec("B70", "B93")
async def test_a_turns_clock_goes_on_with_what_was_left_before_a_restart(kept: str) -> None:
    clock = ShiftedClock()
    async with lasting(kept, clock, turn_limit_sec=100) as parlour:
        mover, other = await parlour.pair()
        await parlour.pass_sec(40)
    clock.shift += 500_000
    async with lasting(kept, clock) as parlour:
        work = queries.match_by_id(parlour.served.services.store, mover.found["gameId"])
        stored = await asyncio.to_thread(parlour.served.run, work)
        assert stored is not None
        rules = parlour.served.services.kernel.runtime.rules["memory"]
        left_ms = restored(rules, stored).state.turn_left_ms
        assert left_ms <= 60_000
        mover, other = await back(parlour, mover, other)
        match = await parlour.match(mover)
        assert match.state.turn_ends_at == match.updated_at + left_ms
        await parlour.pass_sec(60)
        for each in (mover, other):
            await each.hears("turn_timeout", "game_state")


@pytest.mark.spec("B73")
async def test_clairvoyance_ends_after_a_restart(kept: str) -> None:
    clock = ShiftedClock()
    async with lasting(kept, clock, powerup_clairvoyance_reveal_ms=50_000) as parlour:
        mover, other, hidden = await with_clairvoyance(parlour)
        await mover.say("use_power_up", powerUpId="clairvoyance", cardIndex=hidden[0])
        for each in (mover, other):
            await each.hears("powerup_used", "game_state")
    async with lasting(kept, clock) as parlour:
        mover, other = await back(parlour, mover, other)
        assert "revealed" in {card.state for card in (await parlour.match(mover)).state.cards}
        await parlour.pass_sec(50)
        for state in await told(mover, other):
            assert revealed(state) == []


@pytest.mark.spec("B92")
async def test_the_time_to_come_back_goes_on_after_a_restart(database: str) -> None:
    clock = ShiftedClock()
    async with lasting(database, clock) as parlour:
        mover, other = await parlour.pair()
        await mover.line.close()
        message = await other.hears("opponent_reconnecting")
        await other.hears("game_state")
        await parlour.pass_sec(5_000)
    async with lasting(database, clock) as parlour:
        assert await other.closed() == 1012
        returned = await parlour.again(other)
        await returned.say("rejoin_my_game")
        await returned.hears("match_found", "game_state")
        assert await returned.hears("opponent_reconnecting") == message
        await parlour.pass_sec(5_000)
        await returned.hears("opponent_disconnected")
        match = await parlour.match(returned)
        assert (match.winner, match.reason) == (other.seat, "opponent_disconnected")


@pytest.mark.spec("B92")
async def test_what_came_due_while_no_server_ran_is_made_up_for(kept: str) -> None:
    clock = ShiftedClock()
    async with lasting(kept, clock) as parlour:
        mover, other = await parlour.pair()
        await mover.line.close()
        await other.hears("opponent_reconnecting", "game_state")
        await parlour.pass_sec(10)
    clock.shift += 10_000_000
    async with lasting(kept, clock) as parlour:
        await parlour.pass_sec(0)
        (entry,) = await parlour.get("/api/history", other)
        assert entry["end_reason"] == "opponent_disconnected"
        assert entry["winner_index"] == entry["your_index"] == other.seat


# --- a crash ----------------------------------------------------------------------------------


@contextmanager
def process(kept: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """The server as an operator starts it, and where it listens."""
    settings = {"DATABASE_URL": kept, "PORT": "0", "AI_PAIR_TIMEOUT_SEC": "1000"}
    started = subprocess.Popen(
        [sys.executable, "-c", "from parlour.cli import main; main()", "serve"],
        env={**os.environ, **settings},
        stderr=subprocess.PIPE,
        text=True,
    )
    assert started.stderr is not None
    try:
        for line in started.stderr:
            if '"listening"' in line:
                break
        yield started, json.loads(line)["url"].replace("http", "ws")
    finally:
        started.kill()
        started.wait()
        started.stderr.close()


@pytest.mark.spec("B94")
async def test_a_server_that_is_killed_takes_no_game_with_it(kept: str) -> None:
    async def enter(url: str, token: str) -> Client:
        client = Client(await connect(url + PATH, compression=None), token, {})
        await client.say("auth", token=token)
        return client

    clock = ShiftedClock()
    async with parlour_of(database_url=kept, clock=clock) as parlour:
        tokens = [parlour.served.guest()[0] for _ in range(2)]
    with process(kept) as (server, url):
        ann, bob = [await enter(url, token) for token in tokens]
        for each in (ann, bob):
            await each.say("set_name", name="Ann or Bob")
        for each in (ann, bob):
            await each.hears("waiting_for_match", "match_found", "game_state")
        mover, other = (ann, bob) if ann.found["yourTurn"] else (bob, ann)
        await mover.flip(7)
        acknowledged = await mover.hears("game_state")
        server.send_signal(signal.SIGKILL)
        server.wait()
        for each in (ann, bob):
            assert await each.closed() == 1006
    with process(kept) as (_, url):
        returned = await enter(url, mover.token)
        await returned.say("rejoin_my_game")
        assert await returned.hears("match_found", "game_state") == acknowledged
        opponent = await enter(url, other.token)
        await opponent.say("rejoin_my_game")
        await opponent.hears("match_found", "game_state")
        await returned.flip(8)
        # The two may happen to be a pair.
        card = (await opponent.hears("game_state"))["cards"][8]
        assert card["state"] in {"revealed", "matched"}
        for each in (returned, opponent):
            await each.line.close()
