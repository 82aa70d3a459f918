"""Moves that are answered where they came in: as the route answers, which refuses all others."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import httpx
import msgspec
import pytest
from msgspec.structs import replace

from parlour.games.connect4.rules import Drop
from parlour.rates import Rate
from parlour.settings import Settings
from parlour.store.change import Change, JournalRow, Unavailable
from tests.net import raw
from tests.servers import plain
from tests.servers.parlour import Served, serving
from tests.wire.connect4.conftest import (
    DRAW,
    WIN,
    House,
    Player,
    begin,
    in_turn,
    nothing_changes,
    ok,
    opened,
    play,
    refused,
)

FLEETING = {"id", "publicId", "code", "ts", "userId", "createdAt", "updatedAt", "completedAt"}
FLEETING |= {f"player{number}{what}" for number in (1, 2) for what in ("Id", "LastSeen")}
FLEETING |= {"username", "firebaseUid", "winnerId", "ratingAppliedAt", "gameId"}


class Counted:
    """How many moves of a server went by the short way."""

    def __init__(self, served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
        self.short = 0
        [way] = served.services.short_ways._by_end["/move"][:1]

        def take(asked: Any, told: Any) -> Any:
            taken = way.take(asked, told)
            self.short += taken is not None
            return taken

        counting = replace(way, take=take)
        monkeypatch.setitem(served.services.short_ways._by_end, "/move", [counting])


@pytest.fixture
def counted(served: Served, monkeypatch: pytest.MonkeyPatch) -> Counted:
    return Counted(served, monkeypatch)


def lasting(shown: Any) -> Any:
    """What two games of the same moves have in common."""
    if isinstance(shown, dict):
        return {name: lasting(each) for name, each in shown.items() if name not in FLEETING}
    return [lasting(each) for each in shown] if isinstance(shown, list) else shown


@pytest.mark.spec("A47", "A56", "A73")
@pytest.mark.parametrize("columns", [WIN, DRAW], ids=["won", "drawn"])
def test_a_short_way_answers_what_the_route_does(
    house: House, counted: Counted, columns: tuple[int, ...]
) -> None:
    def answers(way: str) -> Iterator[tuple[Any, dict[str, str]]]:
        ann, bob = house.new_player(), house.new_player()
        game = begin(ann, bob)
        while game["currentTurn"] != 1:
            ok(ann.resign(game))
            game = begin(ann, bob)
        for number, column in enumerate(columns):
            mover = (ann, bob)[number % 2]
            answer: httpx.Response = getattr(mover, way)(game, column)
            headers = {name: value for name, value in answer.headers.items() if name != "date"}
            shown = lasting(ok(answer))
            for player in ("player1", "player2"):
                # It may have been rated before, by the games that began with the other one.
                shown["game"][player].pop("rating")
            for rating in [name for name in shown["game"] if "Rating" in name]:
                del shown["game"][rating]
            assert headers.pop("content-length") == str(len(answer.content))
            yield shown, headers

    quick = list(answers("move"))
    assert counted.short == len(columns)
    assert list(answers("move_by_route")) == quick
    assert counted.short == len(columns)


@pytest.mark.spec("A58", "A59", "A60", "A61", "A62")
def test_what_is_refused_is_refused_by_the_route(
    ann: Player, bob: Player, eve: Player, counted: Counted
) -> None:
    game = begin(ann, bob)
    first, second = in_turn(game, ann, bob)
    path = f"/api/games/{game['id']}/move"
    with nothing_changes(eve, game):
        refused(second.move(game, 3), 403, "NOT_YOUR_TURN")
        refused(eve.move(game, 3), 403, "NOT_IN_GAME")
        refused(first.move(game, 7), 400, "INVALID_COLUMN")
        refused(first.post(path, json={"column": "3"}), 400, "INVALID_BODY")
        refused(first.post(path, content=b"{"), 400, "INVALID_BODY")
        refused(first.post("/api/games/nothing/move", json={"column": 3}), 404, "GAME_NOT_FOUND")
    assert counted.short == 0


@pytest.mark.spec("A69", "A134")
def test_who_lost_a_race_on_the_short_way_is_told_so(
    ann: Player, bob: Player, served: Served, counted: Counted, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another process has committed a move of the same player."""
    game = begin(ann, bob)
    first, _ = in_turn(game, ann, bob)
    store = served.services.store
    real = store.submit

    def late(change: Change, answer: Any) -> bool:
        monkeypatch.setattr(store, "submit", real)
        entry = change.writes[0]
        assert isinstance(entry, JournalRow)
        other = replace(entry, action=msgspec.json.encode(Drop(0)))

        async def overtaken() -> None:
            await store.commit(Change((other,)))
            assert real(change, answer)

        asyncio.get_running_loop().create_task(overtaken())
        return True

    monkeypatch.setattr(store, "submit", late)
    refused(first.move(game, 3), 409, "MOVE_CONFLICT")
    assert counted.short == 1
    assert [move["column"] for move in first.look(game)["moves"]] == [0]


def test_a_store_that_does_not_answer_is_no_end_of_the_connection(
    ann: Player, bob: Player, served: Served, counted: Counted, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = begin(ann, bob)
    first, _ = in_turn(game, ann, bob)
    store = served.services.store

    def fail(_: Change, answer: Any) -> bool:
        asyncio.get_running_loop().call_soon(answer, Unavailable("no disk"))
        return True

    with nothing_changes(bob, game), monkeypatch.context() as patch:
        patch.setattr(store, "submit", fail)
        refused(first.move(game, 3), 503, "UNAVAILABLE")
    assert counted.short == 1
    assert ok(first.move(game, 3))["move"]["moveNumber"] == 1


@pytest.mark.spec("A31")
def test_a_new_name_is_shown_at_once(ann: Player, bob: Player, counted: Counted) -> None:
    game = begin(ann, bob)
    first, second = in_turn(game, ann, bob)
    ok(first.move(game, 0))
    assert ok(ann.ask("PUT", "/api/users/me", json={"username": "renamed_now"}))
    for number, mover in enumerate((second, first, second), 1):
        shown = ok(mover.move(game, number))["game"]
        assert shown["player1"]["username"] == "renamed_now"
    assert counted.short >= 2


def test_moves_count_for_the_rate_limit_once() -> None:
    settings = Settings(database_url="sqlite://")
    settings = replace(settings, rate_limit_requests_per_user=Rate.read("12/10m"))
    with (
        serving(settings, rate_limits=True) as served,
        plain.Client(base_url=served.url, timeout=20) as http,
    ):
        house = House(served, http)
        ann, bob = house.new_player(), house.new_player()
        # Who was never seen before counts for nobody.
        game = begin(ann, bob)
        players = in_turn(game, ann, bob)
        answers = [
            players[number % 2].move(game, column).status_code
            for number, column in enumerate(DRAW[:26])
        ]
    assert answers == [200] * 24 + [429] * 2


def test_requests_in_a_row_and_a_connection_that_is_to_close(ann: Player, bob: Player) -> None:
    """Several requests in one piece are answered in order, and the last word is heard."""
    game = begin(ann, bob)
    first, second = in_turn(game, ann, bob)

    def asks(player: Player, column: int, more: str = "") -> bytes:
        body = f'{{"column":{column}}}'
        return (
            f"POST /api/games/{game['id']}/move HTTP/1.1\r\nHost: x\r\n{more}"
            f"Authorization: Bearer {player.token}\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(body)}\r\n\r\n{body}"
        ).encode()

    with raw.dial(ann.served.port) as client:
        pieces = asks(first, 0) + asks(second, 1) + asks(first, 2, "Connection: close\r\n")
        # The body of the first comes behind its head.
        client.sendall(pieces[:60])
        client.sendall(pieces[60:])
        came = raw.rest(client)
    assert came.count(b"HTTP/1.1 200 OK") == 3
    assert b"connection: close" in came.rpartition(b"HTTP/1.1")[2].lower()
    assert [move["column"] for move in ann.look(game)["moves"]] == [0, 1, 2]


def test_whose_proxy_says_so_counts_as_coming_from_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", "127.0.0.1")
    with opened() as house:
        seen: list[str | None] = []
        limit = house.served.services.limits.requests
        real = limit.is_free
        ann, bob = house.new_player(), house.new_player()
        game = begin(ann, bob)
        first, second = in_turn(game, ann, bob)
        path = f"/api/games/{game['id']}/move"
        play(game, first, second, (0,))
        counted = Counted(house.served, monkeypatch)

        def noted(who: Any) -> bool:
            seen.append(who.address)
            return real(who)

        monkeypatch.setattr(type(limit), "is_free", lambda _, who: noted(who))
        headers = second.headers | {"X-Forwarded-For": "192.0.2.9"}
        answer = house.served.ask("POST", path, headers=headers, json={"column": 1})
        ok(answer)
    assert counted.short == 1
    assert seen == ["192.0.2.9"]
