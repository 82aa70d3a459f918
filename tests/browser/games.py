"""Games set up without a browser, for tests that begin in the middle of one or after it."""

from __future__ import annotations

import json
from typing import Any

from msgspec import Struct
from websockets.sync.client import ClientConnection, connect

from tests.servers.parlour import Served


class Two(Struct, frozen=True):
    """Two guests at one game; `mover` is the token of whoever moves first."""

    mover: str
    other: str
    game: dict[str, Any]

    @property
    def path(self) -> str:
        """Where the game is."""
        return f"/connect4/game/{self.game['publicId']}"


def two_at_a_game(house: Served, columns: str = "") -> Two:
    """A game after these columns, taken in turn; counted from 1, as on the keys."""
    host, _ = house.guest()
    guest, me = house.guest()
    two = _sit_down(house, host, guest)
    assert me["id"] == two.game["player2Id"]
    return Two(two.mover, two.other, _drop(house, two, columns))


def played(house: Served, host: str, guest: str, columns: str) -> dict[str, Any]:
    """A game of these two to its end."""
    return _drop(house, _sit_down(house, host, guest), columns)


def _sit_down(house: Served, host: str, guest: str) -> Two:
    created = post(house, host, "/api/games")
    game = post(house, guest, f"/api/games/join/{created['code']}")["game"]
    guest_begins = game["currentTurn"] == 2
    mover, other = (guest, host) if guest_begins else (host, guest)
    return Two(mover, other, game)


def _drop(house: Served, two: Two, columns: str) -> dict[str, Any]:
    game = two.game
    for turn, key in enumerate(columns):
        token = (two.mover, two.other)[turn % 2]
        game = post(house, token, f"/api/games/{game['id']}/move", column=int(key) - 1)["game"]
    return game


def given_up(house: Served, token: str, game: str, bot: str = "easy") -> str:
    """A game against the computer that was given up at once, by its id."""
    with _at_the_tables(house, token) as line:
        match = _begun(line, game, bot)
        line.send(json.dumps({"type": "resign", "match": match, "ref": 1}))
        _heard(line, "done")
        return match


def _at_the_tables(house: Served, token: str) -> ClientConnection:
    who = {"Authorization": f"Bearer {token}"}
    return connect(f"{house.ws}/ws/play", additional_headers=who)


def _begun(line: ClientConnection, game: str, bot: str) -> str:
    line.send(json.dumps({"type": "play_bot", "game": game, "bot": bot}))
    return str(_heard(line, "table")["match"])


def _heard(line: ClientConnection, kind: str) -> dict[str, Any]:
    """The next message of that kind."""
    while True:
        heard: dict[str, Any] = json.loads(line.recv(timeout=10))
        assert heard["type"] != "error", heard
        if heard["type"] == kind:
            return heard


def post(house: Served, token: str, path: str, **body: Any) -> dict[str, Any]:
    """An answer that is no refusal."""
    more = {"json": body} if body else {}
    answer = house.ask("POST", path, headers={"Authorization": f"Bearer {token}"}, **more)
    assert answer.is_success, answer.text
    found: dict[str, Any] = answer.json()
    return found
