"""Everybody at once, over HTTP, on both databases: the right number succeeds, and nobody twice."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import ExitStack
from itertools import cycle
from typing import Any

import httpx
import pytest
from sqlalchemy import select

from parlour.settings import Settings
from parlour.store.schema import match, seat, ticket
from tests.servers import plain
from tests.wire.connect4.conftest import (
    WIN,
    House,
    Player,
    begin,
    finished,
    in_turn,
    ok,
    opened,
    play,
    settled,
)

Ask = Callable[..., Awaitable[httpx.Response]]


@pytest.fixture(params=["sqlite", "postgres", "two processes"])
def setup(request: pytest.FixtureRequest) -> str:
    """Each kind of database, and two servers that share one."""
    return str(request.param)


@pytest.fixture
def engine(setup: str) -> str:
    return "sqlite" if setup == "sqlite" else "postgres"


@pytest.fixture
def settings(setup: str, database: str, request: pytest.FixtureRequest) -> Settings:
    if setup != "two processes":
        return Settings(database_url=database)
    return Settings(database_url=database, redis_url=request.getfixturevalue("redis_url"))


@pytest.fixture
def houses(setup: str, settings: Settings) -> Iterator[list[House]]:
    """One server, or two that know of each other through the database and the bus alone."""
    with ExitStack() as stack:
        count = 2 if setup == "two processes" else 1
        yield [stack.enter_context(opened(settings)) for _ in range(count)]


@pytest.fixture
def house(houses: list[House]) -> House:
    return houses[0]


@pytest.fixture
async def at_once(houses: list[House]) -> AsyncIterator[Ask]:
    """Requests that do not wait for each other, to every server in turn."""
    limits = httpx.Limits(max_connections=None)
    async with plain.AsyncClient(limits=limits, timeout=30) as http:
        urls = cycle(house.served.url for house in houses)

        async def ask(player: Player, method: str, path: str, **more: Any) -> httpx.Response:
            return await http.request(method, next(urls) + path, headers=player.headers, **more)

        yield ask


def codes(answers: list[httpx.Response]) -> Counter[str]:
    """How often each refusal was given; `ok` for what succeeded."""
    return Counter("ok" if each.is_success else each.json()["code"] for each in answers)


@pytest.mark.spec("A101", "A98")
async def test_of_twenty_who_join_by_one_code_one_sits_down(house: House, at_once: Ask) -> None:
    host, *guests = (house.new_player() for _ in range(21))
    game = host.create()
    path = f"/api/games/join/{game['code']}"
    answers = await asyncio.gather(*(at_once(guest, "POST", path) for guest in guests))
    assert codes(answers) == {"ok": 1, "GAME_ALREADY_STARTED": 19}
    seated = [guest for guest, answer in zip(guests, answers, strict=True) if answer.is_success]
    after = host.look(game)
    assert (after["player2Id"], after["status"]) == (seated[0].id, "ACTIVE")
    for guest in guests:
        active = guest.active_game()
        assert (active is not None) == (guest is seated[0])


@pytest.mark.spec("A69", "A57")
async def test_of_ten_identical_moves_one_is_made(house: House, at_once: Ask) -> None:
    ann, bob = house.new_player(), house.new_player()
    game = begin(ann, bob)
    path = f"/api/games/{game['id']}/move"
    first, second = in_turn(game, ann, bob)
    for turn in range(6):
        mover = (first, second)[turn % 2]
        moves = (at_once(mover, "POST", path, json={"column": turn % 7}) for _ in range(10))
        answers = await asyncio.gather(*moves)
        counted = codes(answers)
        assert counted.pop("ok") == 1
        assert sum(counted.values()) == 9
        assert set(counted) <= {"MOVE_CONFLICT", "NOT_YOUR_TURN"}
        assert all(each.status_code == 409 for each in answers if "MOVE_CONFLICT" in each.text)
        after = ann.look(game)
        assert [move["column"] for move in after["moves"]] == list(range(turn + 1))
        assert 42 - after["board"].count("0") == turn + 1


@pytest.mark.spec("A68", "A69", "A70")
async def test_a_winning_move_sent_ten_times_wins_once(house: House, at_once: Ask) -> None:
    ann, bob = house.new_player(), house.new_player()
    game = begin(ann, bob)
    first, second = in_turn(game, ann, bob)
    play(game, first, second, WIN[:-1])
    path = f"/api/games/{game['id']}/move"
    answers = await asyncio.gather(
        *(at_once(first, "POST", path, json={"column": WIN[-1]}) for _ in range(10))
    )
    counted = codes(answers)
    assert counted.pop("ok") == 1
    assert set(counted) <= {"MOVE_CONFLICT", "GAME_NOT_ACTIVE"}
    assert (first.me()["rating"], first.me()["wins"]) == (1016, 1)
    assert (second.me()["rating"], second.me()["losses"]) == (984, 1)


@pytest.mark.spec("A92", "A87", "A88")
async def test_both_asking_for_a_rematch_at_once_get_one(house: House, at_once: Ask) -> None:
    for _ in range(5):
        ann, bob = house.new_player(), house.new_player()
        game = finished(ann, bob)
        path = f"/api/games/{game['id']}/rematch"
        asked = [at_once(player, "POST", path) for player in (ann, bob) for _ in range(5)]
        answers = [ok(answer) for answer in await asyncio.gather(*asked)]
        accepted = {each["newGameId"] for each in answers if each["status"] == "accepted"}
        assert len(accepted) == 1
        games = [player.active_game() for player in (ann, bob)]
        assert [each and each["id"] for each in games] == [*accepted, *accepted]
        old = ann.look(game)
        assert old["rematchGameId"] in accepted
        assert ok(ann.rematch(game)) == ok(bob.rematch(game))


@pytest.mark.spec("A69", "A80")
async def test_a_claim_against_a_winning_move_has_one_winner(
    houses: list[House], at_once: Ask
) -> None:
    for number in range(6):
        await duel(houses, at_once, move_first=number % 2 == 0)


async def duel(houses: list[House], at_once: Ask, *, move_first: bool) -> None:
    """One is about to win and the other to claim, both at the same time."""
    house = houses[0]
    ann, bob = house.new_player(), house.new_player()
    game = begin(ann, bob)
    winner, claimer = in_turn(game, ann, bob)
    play(game, winner, claimer, WIN[:-1])
    for each in houses:
        each.pass_sec(31)
    claimer.look(game)
    path = f"/api/games/{game['id']}"
    move = at_once(winner, "POST", f"{path}/move", json={"column": WIN[-1]})
    claims = [at_once(claimer, "POST", f"{path}/claim-abandoned") for _ in range(3)]
    requests = [move, *claims] if move_first else [*claims, move]
    answers = await asyncio.gather(*requests)
    moved = answers[0 if move_first else -1]

    over = ann.look(game)
    won_by_move = over["status"] == "COMPLETED"
    assert over["winnerId"] == (winner if won_by_move else claimer).id
    assert moved.is_success == won_by_move
    counted = codes([answer for answer in answers if answer is not moved])
    assert set(counted) <= {"ok", "GAME_NOT_ACTIVE"}
    assert won_by_move or counted["ok"] >= 1
    if not won_by_move:
        # The other process may not have heard yet that the claimer is back after half a minute.
        assert moved.json()["code"] in (
            "MOVE_CONFLICT",
            "GAME_NOT_ACTIVE",
            "USE_CLAIM_ABANDONED_ENDPOINT",
        )
    for answer in answers:
        if answer.is_success:
            assert settled(answer.json()["game"]) == settled(over), "who lost the race is told so"
    assert sorted((ann.me()["rating"], bob.me()["rating"])) == [984, 1016]
    assert sorted((ann.me()["wins"], bob.me()["wins"])) == [0, 1]


@pytest.mark.spec("A8", "A9", "A109", "A114", "A116", "A2")
async def test_forty_who_queue_at_once_play_twenty_games(house: House, at_once: Ask) -> None:
    players = [house.new_player() for _ in range(40)]
    asked = (at_once(player, "POST", "/api/matchmaking/join") for player in players)
    answers = await asyncio.gather(*asked)
    assert codes(answers) == {"ok": 40}
    games = [player.active_game() for player in players]
    assert all(game is not None for game in games)
    count = Counter(game["id"] for game in games if game)
    assert len(count) == 20
    assert set(count.values()) == {2}
    for player, game in zip(players, games, strict=True):
        assert game is not None
        assert player.id in (game["player1Id"], game["player2Id"])
        assert game["player1Id"] != game["player2Id"]


async def test_who_asks_for_everything_at_once_is_in_one_game(house: House, at_once: Ask) -> None:
    """Queue, create and join at the same time, again and again: one seat, or none."""
    players = [house.new_player() for _ in range(10)]
    hosts = [house.new_player() for _ in range(5)]
    waiting = [host.create() for host in hosts]
    wishes = [
        at_once(player, "POST", path)
        for number, player in enumerate(players)
        for path in (
            "/api/matchmaking/join",
            "/api/games",
            f"/api/games/join/{waiting[number % 5]['code']}",
        )
    ]
    answers = await asyncio.gather(*wishes)
    assert not any(answer.is_server_error for answer in answers)
    assert set(codes(answers)) <= {
        "ok",
        "HAS_ACTIVE_GAME",
        "GAME_ALREADY_STARTED",
        "ALREADY_QUEUED",
        "MOVE_CONFLICT",
    }
    open_games = await asyncio.to_thread(seats_held, house)
    assert all(count == 1 for count in open_games.values())
    waiting_users = await asyncio.to_thread(tickets_held, house)
    assert not waiting_users & open_games.keys(), "nobody waits who plays"


def tickets_held(house: House) -> set[str]:
    """Who is in the queue, as the database has it."""
    rows = house.served.run(house.served.services.store.rows(select(ticket.c.user_id)))
    return {row["user_id"] for row in rows}


def seats_held(house: House) -> Counter[str]:
    """How many open games each user sits at, as the database has it."""
    query = (
        select(seat.c.user_id)
        .join_from(seat, match, match.c.id == seat.c.match_id)
        .where(match.c.status.in_(["waiting", "active"]))
    )
    rows = house.served.run(house.served.services.store.rows(query))
    return Counter(row["user_id"] for row in rows)
