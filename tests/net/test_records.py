"""`/api/history` and `/api/leaderboard` over HTTP."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from parlour.games.connect4.rules import Drop, Options
from parlour.net.services import Services
from parlour.play.player import Player
from parlour.settings import Settings
from parlour.store.change import Change, ChangeRating, UserRow
from tests.servers.parlour import Served, serving


@pytest.fixture
def served(database: str) -> Iterator[Served]:
    with serving(Settings(database_url=database)) as running:
        yield running


def guest(served: Served) -> tuple[dict[str, str], dict[str, Any]]:
    token, user = served.guest()
    return {"Authorization": f"Bearer {token}"}, user


async def play(services: Services, winner: dict[str, Any], loser: dict[str, Any]) -> str:
    """One game of Connect 4 in which the first stacks four."""
    players = (
        Player(name=winner["username"], user_id=winner["id"]),
        Player(name=loser["username"], user_id=loser["id"]),
    )
    match = await services.kernel.seating.start("connect4", players, options=Options(starter=0))
    for column in (0, 1, 0, 1, 0, 1, 0):
        await services.kernel.steps.act(match.id, column, Drop(column))
    return match.id


@pytest.mark.spec("B89")
def test_history_tells_a_game_as_its_players_know_it(
    served: Served,
) -> None:
    ann, her = guest(served)
    bob, him = guest(served)
    match_id = served.run(play(served.services, her, him))
    answer = served.ask("GET", "/api/history?game=connect4", headers=ann)
    assert answer.status_code == 200
    (entry,) = answer.json()
    assert entry["played_at"].endswith("Z")
    assert {name: value for name, value in entry.items() if name != "played_at"} == {
        "id": match_id,
        "game_id": match_id,
        "game": "connect4",
        "player0_user_id": her["id"],
        "player1_user_id": him["id"],
        "player0_name": her["username"],
        "player1_name": him["username"],
        "player0_score": None,
        "player1_score": None,
        "winner_index": 0,
        "your_index": 0,
        "end_reason": "CONNECT4",
        "left": False,
        "player0_elo_before": 1000,
        "player0_elo_after": 1016,
        "player1_elo_before": 1000,
        "player1_elo_after": 984,
    }
    (his,) = served.ask("GET", "/api/history?game=connect4", headers=bob).json()
    assert his["your_index"] == 1
    assert served.ask("GET", "/api/history", headers=ann).json() == []


@pytest.mark.spec("B90")
def test_the_leaderboard_shows_the_best_and_oneself(
    served: Served,
) -> None:
    ann, her = guest(served)
    bob, him = guest(served)
    cleo, _ = guest(served)
    served.run(play(served.services, her, him))

    everyone = served.ask("GET", "/api/leaderboard?game=connect4").json()
    assert [entry["user_id"] for entry in everyone["entries"]] == [her["id"], him["id"]]
    assert everyone["entries"][0] == {
        "user_id": her["id"],
        "display_name": her["username"],
        "elo": 1016,
        "wins": 1,
        "losses": 0,
        "draws": 0,
        "is_bot": False,
        "is_current_user": False,
    }
    assert everyone["current_user_entry"] is None

    hers = served.ask("GET", "/api/leaderboard?game=connect4&limit=1", headers=ann).json()
    assert hers["entries"][0]["is_current_user"]
    assert hers["current_user_entry"] is None
    his = served.ask("GET", "/api/leaderboard?game=connect4&limit=1", headers=bob).json()
    assert not his["entries"][0]["is_current_user"]
    assert his["current_user_entry"]["user_id"] == him["id"]
    assert his["current_user_entry"]["is_current_user"]
    newcomer = served.ask("GET", "/api/leaderboard?game=connect4&limit=1", headers=cleo).json()
    assert newcomer["current_user_entry"] is None


@pytest.mark.spec("B90")
def test_pages_are_bounded(served: Served) -> None:
    users = [
        UserRow(id=f"u{n}", subject=f"u{n}", username=f"u{n}", created_at=0, updated_at=0)
        for n in range(210)
    ]
    won = [
        ChangeRating(user_id=user.id, game="memory", delta=n, result="win", at=1)
        for n, user in enumerate(users)
    ]
    served.run(served.services.store.commit(Change((*users, *won))))

    def listed(query: str) -> list[str]:
        answer = served.ask("GET", f"/api/leaderboard?{query}")
        assert answer.status_code == 200
        return [entry["user_id"] for entry in answer.json()["entries"]]

    assert listed("") == [f"u{n}" for n in range(209, 189, -1)]
    assert listed("limit=2&offset=5") == ["u204", "u203"]
    assert len(listed("limit=100000000000000000000")) == 200
    assert len(listed("limit=-5")) == 1
    assert listed("offset=100000000000000000000") == []
    assert len(listed("offset=-1")) == 20


@pytest.mark.spec("B90")
def test_the_leaderboard_goes_on_from_where_one_was(served: Served) -> None:
    users = [
        UserRow(id=f"u{n:02}", subject=f"u{n}", username=f"u{n}", created_at=0, updated_at=0)
        for n in range(60)
    ]
    # Many with the same rating, and some of those with as many wins.
    won = [
        ChangeRating(user_id=user.id, game="memory", delta=n // 20, result=result, at=1)
        for n, user in enumerate(users)
        for result in ("win", "loss" if n % 3 else "win")
    ]
    served.run(served.services.store.commit(Change((*users, *won))))
    whole = served.ask("GET", "/api/leaderboard?limit=200").json()
    assert (len(whole["entries"]), whole["next"]) == (60, None)
    told: list[dict[str, Any]] = []
    following = ""
    while True:
        page = served.ask("GET", f"/api/leaderboard?limit=7{following}").json()
        told += page["entries"]
        if page["next"] is None:
            break
        following = f"&after={page['next']}"
    assert told == whole["entries"]


@pytest.mark.spec("B89")
def test_history_goes_on_from_where_one_was(served: Served) -> None:
    ann, her = guest(served)
    _, him = guest(served)
    ids = [served.run(play(served.services, her, him)) for _ in range(5)][::-1]

    def listed(query: str) -> list[str]:
        answer = served.ask("GET", f"/api/history?game=connect4&{query}", headers=ann)
        assert answer.status_code == 200, answer.text
        return [entry["id"] for entry in answer.json()]

    assert listed("limit=2") == ids[:2]
    assert listed(f"limit=2&before={ids[1]}") == ids[2:4]
    assert listed(f"before={ids[3]}&offset=0") == ids[4:]
    assert listed(f"before={ids[4]}") == []
    cleo, _ = guest(served)
    for headers, query in (
        (cleo, f"game=connect4&before={ids[0]}"),
        (ann, f"game=quarto&before={ids[0]}"),
        (ann, "game=connect4&before=nowhere"),
    ):
        answer = served.ask("GET", f"/api/history?{query}", headers=headers)
        assert (answer.status_code, answer.json()["code"]) == (400, "INVALID_QUERY")


NONSENSE = ("game=chess", "game=", "limit=ten", "offset=1.5", "limit=", "game=memory&limit=null")
NO_PLACE = {
    "/api/history": ("before=", "before=%00", "before=" + "9" * 65),
    "/api/leaderboard": ("after=", "after=1", "after=1.2.", "after=1.2.%00", "after=" + "9" * 30),
}
on_sqlite = pytest.mark.parametrize("engine", ["sqlite"], indirect=True)


@on_sqlite
def test_a_query_that_makes_no_sense_is_refused(served: Served) -> None:
    ann, _ = guest(served)
    for path in ("/api/history", "/api/leaderboard"):
        for query in (*NONSENSE, *NO_PLACE[path]):
            answer = served.ask("GET", f"{path}?{query}", headers=ann)
            assert answer.status_code == 400, (path, query)
            assert answer.json()["code"] == "INVALID_QUERY"


@on_sqlite
@pytest.mark.spec("B89", "B90")
def test_a_bad_token_is_refused_even_where_none_is_needed(served: Served) -> None:
    for path, without in (("/api/history", 401), ("/api/leaderboard", 200)):
        answer = served.ask("GET", path, headers={"Authorization": "Bearer forged"})
        assert answer.status_code == 401
        assert answer.json()["code"] == "UNAUTHORIZED"
        assert served.ask("GET", path).status_code == without
