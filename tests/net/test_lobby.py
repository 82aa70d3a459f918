"""What every page asks first: how the server is set up, and how many play now."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy.dialects import sqlite

from parlour.games.registry import all_rules
from parlour.net.lobby import _PLAYING, Headcount, Lobby
from parlour.play.player import Player
from parlour.settings import Settings
from tests.servers.parlour import Served, serving


def test_pages_learn_how_the_server_is_set_up(served: Served) -> None:
    answer = served.ask("GET", "/api/config")
    assert answer.status_code == 200
    assert answer.json() == {
        "firebase": None,
        "guests": True,
        "games": list(all_rules()),
        "abandonThresholdSec": 30.0,
        "pollIntervalMs": 2000,
    }


def test_pages_learn_how_to_sign_in_with_google() -> None:
    settings = Settings.given(
        database_url="sqlite://",
        firebase_project_id="parlour-test",
        firebase_api_key="public-key",
        local_auth=False,
        abandon_threshold_sec=1.5,
    )
    with serving(settings) as served:
        config = served.ask("GET", "/api/config").json()
    assert config["firebase"] == {
        "apiKey": "public-key",
        "authDomain": "parlour-test.firebaseapp.com",
        "projectId": "parlour-test",
    }
    assert config["guests"] is False
    assert config["abandonThresholdSec"] == 1.5


def test_the_lobby_needs_no_token(served: Served) -> None:
    answer = served.ask("GET", "/api/lobby")
    assert answer.status_code == 200
    for counted in ("playing", "waiting"):
        assert set(answer.json()[counted]) == set(all_rules())


def test_those_who_play_are_counted(database: str) -> None:
    with serving(Settings(database_url=database)) as served:
        seating, queue = served.services.kernel.seating, served.services.kernel.queue
        looking = Player(name="cid", user_id=served.guest()[1]["id"])

        async def play() -> Lobby:
            ann, bob = Player(name="ann"), Player(name="bob")
            await seating.open("connect4", ann)
            for _ in range(3):
                await seating.start("connect4", (ann, bob))
            await seating.start("quarto", (ann, bob))
            await seating.start("quarto", (ann, bob), mode="local")
            over = await seating.open("quarto", ann)
            await seating.cancel(over.id, 0)
            await queue.join("connect4", looking)
            return await Headcount(served.services.store).now()

        counted = served.run(play())
    nobody = dict.fromkeys(all_rules(), 0)
    assert counted.playing == nobody | {"connect4": 6, "quarto": 3}
    assert counted.waiting == nobody | {"connect4": 1}


@pytest.mark.spec("A35")
def test_counting_looks_at_no_game(sqlite_template: Path) -> None:
    sql = _PLAYING.compile(dialect=sqlite.dialect(), compile_kwargs={"literal_binds": True})
    with closing(sqlite3.connect(sqlite_template)) as connection:
        plan = connection.execute(f"EXPLAIN QUERY PLAN {sql}").fetchall()
    assert "COVERING INDEX ix_match_playing" in str(plan)
