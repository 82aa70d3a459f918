"""Quarto over real sockets: a server, and clients that say and hear JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from parlour.net.services import Services
from parlour.play.clock import wall_clock
from parlour.settings import Settings
from parlour.store import queries
from tests.servers.parlour import Served, serving

Json = dict[str, Any]


class Client:
    """One socket."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.player_id = ""

    def say(self, kind: str, **fields: Any) -> None:
        self.socket.send(json.dumps({"type": kind, **fields}))

    def hear(self, kind: str | None = None) -> Json:
        """The next message, which must be of that type."""
        message: Json = json.loads(self.socket.recv(timeout=10))
        assert kind in (None, message["type"]), message
        return message

    def state(self) -> Json:
        game: Json = self.hear("STATE_UPDATE")["game"]
        return game

    def hears_nothing(self) -> None:
        """Nothing has been said that was not heard."""
        self.say("ping")
        self.hear("pong")

    def refused(self, kind: str, **fields: Any) -> str:
        """Says something that is refused; the code of the refusal."""
        self.say(kind, **fields)
        refusal = self.hear("ERROR")
        assert refusal["message"]
        code: str = refusal["code"]
        return code

    def close_code(self) -> int | None:
        """How the server closes the socket."""
        try:
            while True:
                self.socket.recv(timeout=10)
        except ConnectionClosed as closed:
            return closed.rcvd.code if closed.rcvd else None


class House:
    """A server whose time passes when told to; each test has a room of its own in it."""

    def __init__(self, settings: Settings, servers: ExitStack) -> None:
        self._settings = settings
        self._servers = servers
        self._server: ExitStack | None = None
        self._clients = servers
        self.room = "A3B7KP"
        self.later_ms = 0
        self.served = self.start()

    def start(self) -> Served:
        """Serve, perhaps again on the same database."""
        self._server = ExitStack()
        self._servers.push(self._server)
        self.served = self._server.enter_context(serving(self._settings, alter=self._set_clock))
        return self.served

    def _set_clock(self, services: Services) -> None:
        services.kernel.runtime.clock = self.now

    def now(self) -> int:
        """What time it is there."""
        return wall_clock() + self.later_ms

    def stop(self) -> None:
        assert self._server is not None
        self._server.close()

    def begin(self, room: str, clients: ExitStack) -> House:
        """Another test, in another room."""
        self.room, self._clients = room, clients
        return self

    def pass_sec(self, seconds: int) -> None:
        """It is so much later, and whatever that makes due happens."""
        self.later_ms += seconds * 1000
        self.served.run(self.served.services.kernel.keeper.sweep())

    def gone(self, match_id: str, seat: int) -> None:
        """Until the server has noticed that nobody holds that seat any more."""
        store = self.served.services.store
        while self.served.run(queries.presence(store, match_id))[seat].connection is not None:
            pass

    def unwatched(self, match_id: str) -> None:
        """Until the server has noticed that nobody looks on any more."""
        while (live := self.served.services.kernel.residents.by_id.get(match_id)) and live.watchers:
            pass

    def enter(
        self, room: str | None = None, path: str = "/party/", key: str | None = None
    ) -> Client:
        query = "" if key is None else f"?_pk={key}"
        opened = connect(self.served.ws + path + (room or self.room) + query, open_timeout=10)
        return Client(self._clients.enter_context(opened))


@pytest.fixture(scope="module")
def common() -> Iterator[House]:
    """One server for all tests of a module that need none of their own."""
    with ExitStack() as stack:
        yield House(Settings(database_url="sqlite://"), stack)


_rooms = count(1)


@pytest.fixture
def house(common: House) -> Iterator[House]:
    with ExitStack() as clients:
        yield common.begin(f"R{next(_rooms):05}", clients)


@pytest.fixture
def own_house(tmp_path: Path) -> Iterator[House]:
    """A server for one test alone, which can be restarted."""
    with ExitStack() as stack:
        yield House(Settings(database_url=f"sqlite:///{tmp_path}/parlour.db"), stack)


def table(house: House) -> tuple[Client, Client, Json]:
    """Host and guest with the game begun, and the game as the host sees it."""
    host, guest = house.enter(), house.enter()
    game, _ = sit_down(host, guest)
    return host, guest, game


def sit_down(host: Client, guest: Client) -> tuple[Json, tuple[str, str]]:
    """Both take their seats: the game as the host sees it, and their secrets."""
    host.say("CREATE_ROOM", playerName="Ann")
    host.player_id = host.hear("ROOM_CREATED")["playerId"]
    guest.say("JOIN_ROOM", playerName="Bob")
    guest.player_id = guest.hear("ROOM_JOINED")["playerId"]
    host.hear("PLAYER_JOINED")
    guest.state()
    return host.state(), (host.player_id, guest.player_id)


def play(host: Client, guest: Client, game: Json, pairs: list[tuple[int, int]]) -> Json:
    """Pieces selected and placed in turn: `(piece, position)`; the game after the last."""
    sides = (host, guest)
    for piece, position in pairs:
        sides[game["currentTurn"]].say("SELECT_PIECE", pieceId=piece)
        game = host.state()
        guest.state()
        sides[game["currentTurn"]].say("PLACE_PIECE", position=position)
        game = host.state()
        guest.state()
    return game
