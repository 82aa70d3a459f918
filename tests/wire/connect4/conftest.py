"""Players of Connect 4 at a real server, over real connections."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any

import httpx
import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from parlour.settings import Settings
from tests.servers import plain
from tests.servers.buses import shared_redis
from tests.servers.parlour import Served, serving
from tests.servers.valkey import redis_url

__all__ = ["redis_url", "shared_redis"]

Answer = dict[str, Any]
Game = dict[str, Any]

WIN = (0, 1, 0, 1, 0, 1, 0)
"""Columns by which whoever begins wins."""
DRAW = tuple(map(int, "330254564223355224331121550404466660106011"))
"""Columns of a game that nobody wins."""


class Player:
    """A signed-in guest."""

    def __init__(
        self, served: Served, http: httpx.Client, token: str, user: dict[str, Any]
    ) -> None:
        self.served = served
        self.token = token
        self.id: str = user["id"]
        self.username: str = user["username"]
        self.headers = {"Authorization": f"Bearer {token}"}
        self._http = http

    def ask(self, method: str, path: str, **more: Any) -> httpx.Response:
        return self._http.request(method, path, headers=self.headers, **more)

    def get(self, path: str) -> httpx.Response:
        return self.ask("GET", path)

    def post(self, path: str, **more: Any) -> httpx.Response:
        return self.ask("POST", path, **more)

    # --- what tests do most

    def create(self) -> Game:
        game: Game = ok(self.post("/api/games"), 201)["game"]
        return game

    def join(self, game: Game) -> Game:
        joined: Game = ok(self.post(f"/api/games/join/{game['code']}"))["game"]
        return joined

    def look(self, game: Game) -> Game:
        return ok(self.get(f"/api/games/{game['id']}"))

    def move(self, game: Game, column: int) -> httpx.Response:
        return self.post(f"/api/games/{game['id']}/move", json={"column": column})

    def move_by_route(self, game: Game, column: int) -> httpx.Response:
        """The same where no short way leads."""
        path = f"/api/games/{game['id']}/move"
        return self.post(path, json={"column": column}, params={"by": "route"})

    def claim(self, game: Game) -> httpx.Response:
        return self.post(f"/api/games/{game['id']}/claim-abandoned")

    def resign(self, game: Game) -> httpx.Response:
        return self.post(f"/api/games/{game['id']}/resign")

    def rematch(self, game: Game) -> httpx.Response:
        return self.post(f"/api/games/{game['id']}/rematch")

    def me(self) -> Answer:
        return ok(self.get("/api/users/me"))

    def active_game(self) -> Game | None:
        game: Game | None = ok(self.get("/api/users/me/active-game"))["activeGame"]
        return game


def ok(response: httpx.Response, status: int = 200) -> Answer:
    """The answer of a request that must have succeeded."""
    assert response.status_code == status, response.text
    answer: Answer = response.json()
    return answer


def refused(response: httpx.Response, status: int, code: str, beside: Answer | None = None) -> None:
    """The request was refused in exactly this way."""
    assert response.status_code == status, response.text
    body = response.json()
    assert body.pop("message")
    assert body == {"error": code, "code": code} | (beside or {})


def way_to(game: Game) -> Answer:
    """By what a refusal leads to a game."""
    return {"gameId": game["id"], "publicId": game["publicId"]}


NewPlayer = Callable[[], Player]


class House:
    """A running server, and the way in."""

    def __init__(self, served: Served, http: httpx.Client) -> None:
        self.served = served
        self._http = http

    def new_player(self) -> Player:
        """A new guest."""
        welcome = ok(self._http.post("/api/auth/guest"), 201)
        return Player(self.served, self._http, welcome["token"], welcome["user"])

    def pass_sec(self, seconds: float) -> None:
        """Let time pass for everything that this server plays."""
        runtime = self.served.services.kernel.runtime
        before = runtime.clock
        runtime.clock = lambda: before() + round(seconds * 1000)

    def sweep(self) -> None:
        """Have the server look after all that is overdue, as it does every second."""
        self.served.run(self.served.services.kernel.keeper.sweep())

    def back(self, player: Player) -> Player:
        """A guest who was here before the server started anew."""
        user = {"id": player.id, "username": player.username}
        return Player(self.served, self._http, player.token, user)


@contextmanager
def opened(settings: Settings | None = None) -> Iterator[House]:
    """A server of one's own."""
    with serving(settings) as served, plain.Client(base_url=served.url, timeout=20) as http:
        yield House(served, http)


@pytest.fixture(scope="module")
def house() -> Iterator[House]:
    """One server for all tests of a module."""
    with opened() as running:
        yield running


@pytest.fixture
def served(house: House) -> Served:
    return house.served


@pytest.fixture
def new_player(house: House) -> NewPlayer:
    return house.new_player


@pytest.fixture
def ann(new_player: NewPlayer) -> Player:
    return new_player()


@pytest.fixture
def bob(new_player: NewPlayer) -> Player:
    return new_player()


@pytest.fixture
def eve(new_player: NewPlayer) -> Player:
    """Who is in no game."""
    return new_player()


@contextmanager
def just_before(part: Any, call: str, happens: Callable[[], Awaitable[object]]) -> Iterator[None]:
    """The next call of a part of the server comes too late: something happens right before it."""
    real = getattr(part, call)

    async def late(*args: Any, **more: Any) -> Any:
        setattr(part, call, real)
        await happens()
        return await real(*args, **more)

    setattr(part, call, late)
    yield
    assert getattr(part, call) == real, "it was never called"


# --- games ------------------------------------------------------------------------------------


def begin(host: Player, guest: Player) -> Game:
    """A private game of two that has begun."""
    return guest.join(host.create())


def in_turn(game: Game, first: Player, second: Player) -> tuple[Player, Player]:
    """The two players of a new game, whoever moves first in front."""
    return (first, second) if game["currentTurn"] == 1 else (second, first)


def play(game: Game, first: Player, second: Player, columns: Iterable[int]) -> Answer:
    """Drop discs in turn; the answer to the last one."""
    answer: Answer = {}
    for number, column in enumerate(columns):
        answer = ok((first, second)[number % 2].move(game, column))
    return answer


def finished(host: Player, guest: Player, columns: Iterable[int] = WIN) -> Game:
    """A private game played to its end by these columns."""
    game = begin(host, guest)
    over: Game = play(game, *in_turn(game, host, guest), columns)["game"]
    assert over["status"] == "COMPLETED"
    return over


def to_anyone(game: Game) -> Game:
    """A game as everybody is shown it, without the uid of the one who asked."""
    players = {
        name: game[name] and {key: game[name][key] for key in ("id", "username", "rating")}
        for name in ("player1", "player2")
    }
    return game | players


def settled(game: Game) -> Game:
    """What of a game does not change by being looked at, whoever looks."""
    fleeting = ("player1LastSeen", "player2LastSeen", "updatedAt")
    return {name: value for name, value in to_anyone(game).items() if name not in fleeting}


@contextmanager
def nothing_changes(onlooker: Player, *games: Game) -> Iterator[None]:
    """Whatever happens in this block changes none of the games, nor how their players fare."""
    before = [settled(onlooker.look(game)) for game in games]
    yield
    assert [settled(onlooker.look(game)) for game in games] == before


# --- live sockets -----------------------------------------------------------------------------


class Live:
    """A client of the live socket."""

    def __init__(self, client: ClientConnection) -> None:
        self.client = client

    async def next(self, *types: str) -> dict[str, Any]:
        """The next event, which must be of one of these types; its payload."""
        event = await self.event()
        assert event["type"] in types, event
        payload: dict[str, Any] = event["payload"]
        return payload

    async def shown(self, *absent: int) -> dict[str, Any]:
        """The game, which comes first, and which players are not here, which comes next."""
        game = await self.next("game")
        for player in absent:
            assert await self.next("opponent_away") == {"player": player}
        return game

    async def event(self) -> dict[str, Any]:
        async with asyncio.timeout(20):
            event: dict[str, Any] = json.loads(await self.client.recv())
        assert set(event) == {"type", "payload", "timestamp"}
        return event

    async def say(self, message: Any) -> None:
        await self.client.send(message if isinstance(message, str | bytes) else json.dumps(message))

    async def move(self, column: Any) -> None:
        await self.say({"type": "move", "payload": {"column": column}})

    async def nothing_before(self, mark: str = "pong") -> None:
        """Nothing was told that has not been read."""
        await self.say({"type": "ping"})
        await self.next(mark)

    async def closed(self) -> int | None:
        """The code that the server ends it with."""
        async with asyncio.timeout(20):
            try:
                while True:
                    await self.client.recv()
            except ConnectionClosed:
                return self.client.close_code


@asynccontextmanager
async def live(player: Player, game: Game, **more: Any) -> AsyncIterator[Live]:
    """A socket at a game, before anything was read from it."""
    more.setdefault("additional_headers", player.headers)
    path = f"{player.served.ws}/ws/connect4/{game['publicId']}"
    async with connect(path, compression=None, **more) as client:
        yield Live(client)
