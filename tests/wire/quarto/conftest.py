"""Quarto over real sockets: a server, and clients that say and hear JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from parlour.settings import Settings
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
    """A server that can be restarted on the same database."""

    def __init__(self, path: Path, stack: ExitStack, settings: Json) -> None:
        self._settings = Settings(database_url=f"sqlite:///{path}", **settings)
        self._stack = stack
        self._server: ExitStack | None = None
        self.served = self.start()

    def start(self) -> Served:
        self._server = ExitStack()
        self._stack.push(self._server)
        self.served = self._server.enter_context(serving(self._settings))
        return self.served

    def stop(self) -> None:
        assert self._server is not None
        self._server.close()

    def enter(self, room: str = "A3B7KP", path: str = "/party/", key: str | None = None) -> Client:
        query = "" if key is None else f"?_pk={key}"
        opened = connect(self.served.ws + path + room + query, open_timeout=10)
        return Client(self._stack.enter_context(opened))


@pytest.fixture
def make_house(tmp_path: Path) -> Iterator[Callable[..., House]]:
    with ExitStack() as stack:
        yield lambda **settings: House(tmp_path / "parlour.db", stack, settings)


@pytest.fixture
def house(make_house: Callable[..., House]) -> House:
    return make_house()


def table(house: House, room: str = "A3B7KP") -> tuple[Client, Client, Json]:
    """Host and guest with the game begun, and the game as the host sees it."""
    host, guest = house.enter(room), house.enter(room)
    host.say("CREATE_ROOM", playerName="Ann")
    host.player_id = host.hear("ROOM_CREATED")["playerId"]
    guest.say("JOIN_ROOM", playerName="Bob")
    guest.player_id = guest.hear("ROOM_JOINED")["playerId"]
    host.hear("PLAYER_JOINED")
    guest.state()
    return host, guest, host.state()


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
