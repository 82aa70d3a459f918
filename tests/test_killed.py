"""A server that is killed while people play: whatever it answered is there, wherever it is read.

Its matches are ahead of their rows when it dies; what leads on from there is in their journals.
"""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx
import pytest

from parlour.play.deciding import SNAPSHOT_STEPS
from parlour.store import queries
from tests.servers import plain
from tests.servers.commands import serving
from tests.servers.stores import opened

COLUMNS = (0, 1, 0, 1, 0, 1, 1, 0, 1, 0, 1, 0, 2, 3, 2, 3)
"""Nobody wins by these."""


STANDS = ("id", "board", "currentTurn", "status", "moves", "result", "winnerId")


class Person:
    """Somebody who plays by requests, at whichever server there is."""

    def __init__(self, url: str) -> None:
        answer = plain.post(f"{url}/api/auth/guest").json()
        self._headers = {"Authorization": f"Bearer {answer['token']}"}

    def get(self, url: str) -> Any:
        return self._done(plain.get(url, headers=self._headers))

    def post(self, url: str, **body: Any) -> Any:
        return self._done(plain.post(url, headers=self._headers, json=body))

    def _done(self, answer: httpx.Response) -> Any:
        assert answer.is_success, answer.text
        return answer.json()


def shown(game: dict[str, Any]) -> dict[str, Any]:
    """What of a game does not depend on when it is looked at."""
    return {name: game[name] for name in STANDS}


@pytest.mark.spec("A3")
@pytest.mark.parametrize("moves", [1, 7, len(COLUMNS)])
async def test_a_match_stands_where_it_was_acknowledged(
    tmp_path: Path, database: str, moves: int
) -> None:
    assert moves < SNAPSHOT_STEPS
    with ExitStack() as stack:
        process, url = stack.enter_context(serving(tmp_path, DATABASE_URL=database))
        host, guest = Person(url), Person(url)
        made = host.post(f"{url}/api/games")["game"]
        game = guest.post(f"{url}/api/games/join/{made['code']}")["game"]
        players = (host, guest) if game["currentTurn"] == 1 else (guest, host)
        path = f"/api/games/{game['id']}"
        for number in range(moves):
            players[number % 2].post(f"{url}{path}/move", column=COLUMNS[number])
        acknowledged = shown(host.get(f"{url}{path}"))
        if database.startswith("postgresql"):  # where there may be another process meanwhile
            _, beside = stack.enter_context(serving(tmp_path, DATABASE_URL=database))
            assert shown(guest.get(f"{beside}{path}")) == acknowledged
        process.kill()
        process.wait()

    async with opened(database) as store:
        stored = await queries.match_by_id(store, game["id"])
    assert stored is not None
    assert stored.version - stored.match.version == moves

    with serving(tmp_path, DATABASE_URL=database) as (_, url):
        assert shown(host.get(f"{url}{path}")) == acknowledged
        assert shown(guest.get(f"{url}/api/users/me/active-game")["activeGame"]) == acknowledged
        (table,) = host.get(f"{url}/api/play/tables")
        assert (table["match"], table["status"]) == (game["id"], "active")
        there = host.get(f"{url}/api/play/tables/{game['id']}")
        assert there["version"] == stored.version
        players[moves % 2].post(f"{url}{path}/move", column=5)
        assert shown(host.get(f"{url}{path}")) != acknowledged
