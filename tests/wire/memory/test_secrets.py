"""Twin games: the same public history over different decks, told in the same bytes until a reveal.

Two servers get the same ids, tokens and times, but other seeds and other hidden cards. Whatever
leaves them (every kind of message, REST, analytics events, logs) must not tell which is which.
"""

from __future__ import annotations

import asyncio
import json
from base64 import b64encode
from collections.abc import Sequence
from contextlib import AsyncExitStack
from typing import Any

import pytest
from msgspec import Struct
from msgspec.structs import replace
from sqlalchemy import select
from structlog.testing import capture_logs

from parlour.games.api import Env
from parlour.games.memory import messages
from parlour.games.memory.board import Card, Options, State
from parlour.games.memory.powerups import POWER_UPS
from parlour.games.memory.rules import Memory
from parlour.games.registry import all_rules
from parlour.net.services import Services
from parlour.store import schema
from parlour.store.change import Change, UserRow
from tests.play.conftest import SetClock
from tests.servers.parlour import Served, serving
from tests.wire.memory.conftest import (
    CALM,
    Client,
    Message,
    Parlour,
    ShiftedClock,
    all_due,
    places,
    rebuild,
)

# What is found, shown or flipped below is the same in both; 10, 11, 14 and 15 are not.
DECKS = (
    (0, 0, 1, 1, 2, 2, 3, 3, 4, 5, 4, 5, 6, 7, 6, 7),
    (0, 0, 1, 1, 2, 2, 3, 3, 4, 5, 7, 6, 6, 7, 5, 4),
)
SEEDS = (b"\x11" * 32, b"\xee" * 32)
SETTINGS = CALM.changed(
    reveal_duration_ms=10_000,
    powerup_clairvoyance_reveal_ms=10_000,
    turn_limit_sec=100,
    ai_pair_timeout_sec=1_000,
)


class Laid(Memory):
    """Memory with a given deck, seat 0 to begin."""

    def __init__(self, deck: Sequence[int]) -> None:
        super().__init__(POWER_UPS)
        self._deck = deck

    def setup(self, options: Options, env: Env) -> State:
        cards = tuple(Card(pair_id) for pair_id in self._deck)
        return replace(super().setup(options, env), cards=cards, turn=0)


class Entropy:
    """The same for everything but the seed of a match."""

    def __init__(self, seed: bytes) -> None:
        self._seed = seed
        self._drawn = 0

    def __call__(self, size: int) -> bytes:
        if size == len(self._seed):
            return self._seed
        self._drawn += 1
        return self._drawn.to_bytes(size, "big")


class Recorder(Client):
    """A player who keeps everything as it came."""

    tape: list[str]

    async def hear(self) -> Message:
        said = await asyncio.wait_for(self.line.recv(), 20)
        self.tape.append(f"{self.user['id']} {said!s}")
        message: Message = json.loads(said)
        if message["type"] == "match_found":
            self.found = message
        return message


class Told(Struct):
    """All that left a server."""

    frames: list[str] = []
    """Until the reveal."""
    revealing: list[str] = []
    """The frames of it."""
    after: list[str] = []
    """What came later and shows no cards."""
    answers: list[Any] = []
    events: list[bytes] = []
    logs: list[str] = []
    kinds: set[str] = set()


class Twin:
    """One of the two servers, with its players."""

    def __init__(self, served: Served, parlour: Parlour, clock: SetClock) -> None:
        self.served = served
        self.parlour = parlour
        self.clock = clock
        self.tape: list[str] = []

    async def player(self, name: str) -> Recorder:
        services = self.served.services
        user = UserRow(
            id=f"id-of-{name}", subject=f"guest:{name}", username=name, created_at=0, updated_at=0
        )
        await self.run(services.store.commit(Change((user,))))
        return await self.enter(services.tokens.issue_guest(name), {"id": user.id})

    async def enter(self, token: str, user: Message) -> Recorder:
        client = Recorder(await self.parlour.line(), token, user)
        client.tape = self.tape
        await client.say("auth", token=token)
        return client

    async def run(self, work: Any) -> Any:
        return await asyncio.to_thread(self.served.run, work)

    async def pass_sec(self, seconds: int) -> None:
        self.clock.pass_ms(seconds * 1000)
        await self.run(all_due(self.served.services.kernel))

    async def events(self) -> list[bytes]:
        query = select(schema.outbox.c.payload).order_by(schema.outbox.c.position)
        return [row[0] for row in await self.run(self.served.services.store.rows(query))]

    def taken(self) -> list[str]:
        """The tape so far; it begins anew."""
        so_far = self.tape.copy()
        self.tape.clear()
        return so_far


async def both(first: Client, second: Client, *kinds: str) -> None:
    await first.hears(*kinds)
    await second.hears(*kinds)


async def flip(mover: Client, other: Client, index: int) -> None:
    await mover.flip(index)
    await both(mover, other, "game_state")


async def use(mover: Client, other: Client, power_up_id: str, **target: int) -> None:
    await mover.say("use_power_up", powerUpId=power_up_id, **target)
    await both(mover, other, "powerup_used", "game_state")


async def meet(ann: Client, bob: Client) -> None:
    await ann.say("set_name", name="Ann")
    await ann.hears("waiting_for_match")
    await bob.say("set_name", name="Bob")
    await bob.hears("waiting_for_match", "match_found", "game_state")
    await ann.hears("match_found", "game_state")


async def alike(twin: Twin, ann: Recorder, bob: Recorder) -> Recorder:
    """A history in which nothing shows that differs; Bob's second socket."""
    await meet(ann, bob)
    await bob.refused("flip_card", index=10)
    for index in range(8):
        await flip(ann, bob, index)
    await use(ann, bob, "unveiling")
    await use(ann, bob, "clairvoyance", cardIndex=12)
    await ann.refused("flip_card", index=12)
    await twin.pass_sec(10)
    await both(ann, bob, "game_state")
    for index in (8, 9):
        await flip(ann, bob, index)
    await twin.pass_sec(10)
    await both(ann, bob, "game_state")
    await flip(bob, ann, 12)
    await twin.pass_sec(100)
    await both(ann, bob, "turn_timeout", "game_state")
    await use(ann, bob, "chaos")
    await use(ann, bob, "necromancy")
    await bob.line.close()
    await ann.hears("opponent_reconnecting", "game_state")
    bob = await twin.enter(bob.token, bob.user)
    token, game_id = "0" * 36, ann.found["gameId"]
    await bob.refused("rejoin", gameId=game_id, rejoinToken=token, name="Bob")
    await bob.say("rejoin_my_game")
    await bob.hears("match_found", "game_state")
    await ann.hears("opponent_reconnected", "game_state")
    return bob


async def deck_of(twin: Twin, client: Client) -> list[int]:
    match = await twin.run(twin.served.services.kernel.finder.find(client.found["gameId"]))
    return [card.pair_id for card in match.state.cards]


async def to_the_end(twin: Twin, ann: Client, bob: Client) -> None:
    """Another game, of which only the end is looked at: on the way everything is revealed."""
    await meet(ann, bob)
    deck = await deck_of(twin, ann)
    for pair_id in range(8):
        for index in places(deck, pair_id):
            await flip(ann, bob, index)
    twin.taken()
    await both(ann, bob, "game_over")


async def lived(deck: Sequence[int], seed: bytes, reveal: int | None) -> tuple[Told, list[int]]:
    """One twin's life, and its deck after the common history."""
    clock, told = SetClock(), Told()
    rules = {**all_rules(), "memory": Laid(deck)}

    def alter(services: Services) -> None:
        rebuild(services, clock=clock, entropy=Entropy(seed), rules=rules, analytics=True)

    with capture_logs() as logs, serving(SETTINGS, alter=alter) as served:
        async with AsyncExitStack() as stack:
            twin = Twin(served, Parlour(served, stack, ShiftedClock()), clock)
            ann, bob = await twin.player("ann"), await twin.player("bob")
            bob = await alike(twin, ann, bob)
            hidden = await deck_of(twin, ann)
            told.frames = twin.taken()
            told.events = await twin.events()
            for path in ("/api/history", "/api/leaderboard"):
                for client in (ann, bob):
                    told.answers.append(await twin.parlour.get(path, client))
            if reveal is not None:
                await flip(ann, bob, reveal)
                told.revealing = twin.taken()
                await bob.say("leave_game")
                await ann.hears("opponent_disconnected")
                told.after = twin.taken()
                await to_the_end(twin, ann, bob)
                told.after += twin.taken()
                for path in ("/api/history", "/api/leaderboard"):
                    told.answers.append(await twin.parlour.get(path, ann))
        told.logs = [str(entry) for entry in logs if entry["event"] != "listening"]
    tapes = (*told.frames, *told.revealing, *told.after)
    told.kinds = {json.loads(each.partition(" ")[2])["type"] for each in tapes}
    return told, hidden


@pytest.mark.spec("B52", "B59")
async def test_twins_cannot_be_told_apart_until_a_reveal() -> None:
    _, hidden = await lived(DECKS[0], SEEDS[0], None)
    _, other_hidden = await lived(DECKS[1], SEEDS[1], None)
    reveal = next(index for index in range(16) if hidden[index] != other_hidden[index])
    one, _ = await lived(DECKS[0], SEEDS[0], reveal)
    two, _ = await lived(DECKS[1], SEEDS[1], reveal)

    assert one.frames == two.frames
    assert one.events == two.events != []
    assert one.answers == two.answers
    assert one.after == two.after
    assert sorted(set(one.logs)) == sorted(set(two.logs))
    assert one.revealing != two.revealing, "they are twins, not the same"
    assert _without_pair(one.revealing, reveal) == _without_pair(two.revealing, reveal)
    every = {each.__struct_config__.tag for each in messages.ServerMessage.__args__}
    assert one.kinds == every


def _without_pair(frames: list[str], index: int) -> list[Any]:
    told = [json.loads(each.partition(" ")[2]) for each in frames]
    for each in told:
        del each["cards"][index]["pairId"]
    return told


@pytest.mark.spec("B52")
async def test_nothing_says_what_a_deck_comes_from() -> None:
    told, _ = await lived(DECKS[0], SEEDS[0], 10)
    everything = "\n".join(
        [*told.frames, *told.revealing, *told.after, *told.logs, json.dumps(told.answers)]
        + [event.decode() for event in told.events]
    )
    seed = SEEDS[0]
    for secret in (seed.hex(), b64encode(seed).decode(), repr(seed)[2:-1], '"seed"', '"known"'):
        assert secret not in everything
    for line in (*told.frames, *told.revealing):
        message = json.loads(line.partition(" ")[2])
        for card in message.get("cards", ()):
            assert (card["state"] == "hidden") is ("pairId" not in card)
