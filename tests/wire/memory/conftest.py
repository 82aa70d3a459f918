"""Memory over real sockets of a real server: players, and what they hear."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from parlour.games.memory.board import State
from parlour.net.services import Services
from parlour.play.clock import wall_clock
from parlour.play.kernel import Kernel
from parlour.play.match import Match
from parlour.play.thinkers import Thinkers
from parlour.settings import Settings
from parlour.store import queries
from tests.servers.keys import Keys, KeyServer
from tests.servers.parlour import Served, serving

PATH = "/ws"
PATIENCE_S = 20

Message = dict[str, Any]

CALM = Settings.given(
    database_url="sqlite://",
    ai_pair_timeout_sec=10_000,
    reveal_duration_ms=0,
    turn_limit_sec=10_000,
    turn_countdown_show_sec=30,
    reconnect_timeout_sec=10_000,
)
"""Nothing happens by itself, but that mismatched cards are hidden at once."""


class ShiftedClock:
    """The real time, and however much a test lets pass besides."""

    def __init__(self) -> None:
        self.shift = 0

    def __call__(self) -> int:
        return wall_clock() + self.shift


def rebuild(services: Services, **parts: Any) -> None:
    """Exchange parts of the kernel: its clock, its chance, its rules."""
    runtime = services.kernel.runtime
    rules = parts.pop("rules", runtime.rules)
    services.kernel = Kernel(
        services.store, services.bus, rules, runtime.policies, services.thinkers, **parts
    )


class Client:
    """A socket of a player, and who that is."""

    def __init__(self, line: ClientConnection, token: str, user: Message) -> None:
        self.line = line
        self.token = token
        self.user = user
        self.found: Message = {}
        """The last `match_found`."""
        self.seat = -1

    async def say(self, kind: str, **fields: Any) -> None:
        await self.line.send(json.dumps({"type": kind, **fields}))

    async def hear(self) -> Message:
        """Whatever comes next."""
        said = await asyncio.wait_for(self.line.recv(), PATIENCE_S)
        message: Message = json.loads(said)
        if message["type"] == "match_found":
            self.found = message
        return message

    async def hears(self, *kinds: str) -> Message:
        """Exactly these messages in this order; the last one."""
        for kind in kinds:
            message = await self.hear()
            assert message["type"] == kind, message
        return message

    async def hears_nothing(self) -> None:
        """Nothing has been sent that was not heard."""
        await self.say("ping")
        await self.hears("pong")

    async def refused(self, kind: str, **fields: Any) -> str:
        """That is answered by an error, and by nothing else."""
        await self.say(kind, **fields)
        message = await self.hears("error")
        assert set(message) == {"type", "message", "code"}
        assert message["message"]
        assert re.fullmatch(r"[A-Z]+(_[A-Z]+)*", message["code"])
        await self.hears_nothing()
        return str(message["message"])

    async def closed(self) -> int | None:
        """Until the server hangs up: how it does so."""
        try:
            while True:
                await asyncio.wait_for(self.line.recv(), PATIENCE_S)
        except ConnectionClosed:
            return self.line.close_code

    async def flip(self, index: int) -> None:
        await self.say("flip_card", index=index)


async def all_due(kernel: Kernel) -> None:
    """What timers do, which know nothing of a clock that was moved; and what the sweep does."""
    for resident in kernel.residents.all():
        await kernel.deadlines.due(resident)
    await kernel.keeper.sweep()


class Parlour:
    """A running server and the sockets to it."""

    def __init__(self, served: Served, stack: AsyncExitStack, clock: ShiftedClock) -> None:
        self.served = served
        self._stack = stack
        self.clock = clock
        self._lines: list[ClientConnection] = []

    async def pass_sec(self, seconds: float) -> None:
        """It is so much later, and whatever that makes due happens."""
        self.clock.shift += int(seconds * 1000)
        await asyncio.to_thread(self.served.run, all_due(self.served.services.kernel))

    async def line(self, **more: Any) -> ClientConnection:
        """A socket that has not said anything."""
        opening = connect(self.served.ws + PATH, compression=None, **more)
        line = await self._stack.enter_async_context(opening)
        self._lines.append(line)
        return line

    async def stop(self) -> None:
        """The server ends with all who are there."""
        self.served.stop()
        for line in self._lines:
            await asyncio.wait_for(line.wait_closed(), PATIENCE_S)

    async def client(self, token: str | None = None, user: Message | None = None) -> Client:
        """A signed-in player; a new guest unless a token is given."""
        if token is None:
            token, user = await asyncio.to_thread(self.served.guest)
        client = Client(await self.line(), str(token), user or {})
        await client.say("auth", token=token)
        return client

    async def again(self, client: Client) -> Client:
        """The same player on another socket."""
        return await self.client(client.token, client.user)

    async def pair(self, first: str = "Ann", second: str = "Bob") -> tuple[Client, Client]:
        """Two players at a new game who have heard how it stands; the one to move comes first."""
        ann, bob = await self.client(), await self.client()
        await ann.say("set_name", name=first)
        await ann.hears("waiting_for_match")
        await bob.say("set_name", name=second)
        await bob.hears("waiting_for_match", "match_found", "game_state")
        await ann.hears("match_found", "game_state")
        ann.seat, bob.seat = 0, 1
        return (ann, bob) if ann.found["yourTurn"] else (bob, ann)

    async def match(self, client: Client) -> Match:
        """The match as the server has it."""
        work = self.served.services.kernel.finder.find(client.found["gameId"])
        found = await asyncio.to_thread(self.served.run, work)
        assert found is not None
        return found

    async def deck(self, client: Client) -> list[int]:
        """What the cards show, hidden or not."""
        state: State = (await self.match(client)).state
        return [card.pair_id for card in state.cards]

    async def get(self, path: str, client: Client | None = None) -> Any:
        """What REST answers."""
        headers = {"Authorization": f"Bearer {client.token}"} if client else {}
        answer = await asyncio.to_thread(self.served.ask, "GET", path, headers=headers)
        assert answer.status_code == 200, answer.text
        return answer.json()


def places(deck: list[int], pair_id: int) -> tuple[int, int]:
    """Where the two cards of a pair lie."""
    first, second = (index for index, each in enumerate(deck) if each == pair_id)
    return first, second


def mismatch(deck: list[int]) -> tuple[int, int]:
    """Two cards that do not match."""
    return 0, next(index for index, each in enumerate(deck) if each != deck[0])


async def find_pair(mover: Client, other: Client, deck: list[int], pair_id: int) -> Message:
    """The mover finds a pair and both hear of it; the mover's last state."""
    for index in places(deck, pair_id):
        await mover.flip(index)
        state = await mover.hears("game_state")
        await other.hears("game_state")
    return state


@asynccontextmanager
async def parlour_of(
    settings: Settings = CALM,
    *,
    clock: ShiftedClock | None = None,
    thinkers: Thinkers | None = None,
    **changes: Any,
) -> AsyncIterator[Parlour]:
    """A server with those settings; its robots think where `thinkers` has them do it."""
    time = clock or ShiftedClock()
    settings = settings.changed(**changes)

    def alter(services: Services) -> None:
        services.thinkers = thinkers or services.thinkers
        rebuild(services, clock=time)

    with serving(settings, alter=alter) as served:
        async with AsyncExitStack() as stack:
            yield Parlour(served, stack, time)


@pytest.fixture(scope="module")
def clock() -> ShiftedClock:
    """The time of a module's server."""
    return ShiftedClock()


@pytest.fixture(scope="module")
def served(clock: ShiftedClock) -> Iterator[Served]:
    """One server for all tests of a module, on which nothing happens by itself."""
    with serving(CALM, alter=lambda services: rebuild(services, clock=clock)) as running:
        yield running


@pytest.fixture
async def parlour(served: Served, clock: ShiftedClock) -> AsyncIterator[Parlour]:
    """That server, with nobody waiting before or after the test."""
    async with AsyncExitStack() as stack:
        yield Parlour(served, stack, clock)
    store = served.services.store
    while await asyncio.to_thread(served.run, queries.tickets(store, "memory")):
        pass


@pytest.fixture(scope="module")
def neon() -> Iterator[KeyServer]:
    """Another issuer, as Neon Auth is one."""
    keys = Keys()
    keys.make("first", "EdDSA")
    with KeyServer(keys).running() as server:
        yield server


def issued(neon: KeyServer, **claims: Any) -> str:
    return neon.keys.token("first", {"iss": neon.origin, "aud": neon.origin, **claims})
