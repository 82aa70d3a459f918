"""A time for each move: only where it is asked for, and by both who meet in the queue.

Time is moved, not waited for.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.wire.connect4.conftest import (
    House,
    Live,
    NewPlayer,
    Player,
    begin,
    in_turn,
    live,
    ok,
    opened,
    refused,
)


@pytest.fixture
def house() -> Iterator[House]:
    """One whose time is moved by each test."""
    with opened() as running:
        yield running


QUICK = "/api/matchmaking/join?moveTimeSec=60"


def test_the_documents_routes_have_none_unless_it_is_set(ann: Player, bob: Player) -> None:
    game = begin(ann, bob)
    assert not {"moveTimeMs", "moveEndsAt"} & set(game)


def test_a_private_game_may_have_one_and_so_does_its_rematch(
    ann: Player, bob: Player, house: House
) -> None:
    created = ok(ann.post("/api/games?moveTimeSec=30"), 201)["game"]
    assert "moveEndsAt" not in created
    game = bob.join(created)
    assert game["moveTimeMs"] == 30_000
    first, second = in_turn(game, ann, bob)
    moved = ok(first.move(game, 3))["game"]
    assert moved["moveEndsAt"] > game["moveEndsAt"]

    # Both are there all the time; only one of them does not move.
    for _ in range(2):
        house.pass_sec(16)
        for each in (first, second):
            each.look(game)
    house.sweep()
    over = second.look(game)
    assert (over["status"], over["endedReason"]) == ("COMPLETED", "TIMEOUT")
    assert over["winnerId"] == first.id
    assert "moveEndsAt" not in over
    assert {over["p1RatingDelta"], over["p2RatingDelta"]} == {16, -16}

    assert ok(first.rematch(game))["status"] == "requested"
    assert ok(second.rematch(game))["status"] == "accepted"
    again = first.active_game()
    assert again is not None
    assert again["moveTimeMs"] == 30_000


async def test_whoever_looks_on_hears_of_the_time_and_of_its_end(
    ann: Player, bob: Player, house: House
) -> None:
    game = bob.join(ok(ann.post("/api/games?moveTimeSec=30"), 201)["game"])
    first, second = in_turn(game, ann, bob)
    async with live(first, game) as theirs, live(second, game) as line:
        await theirs.next("game")
        await line.next("game")
        await theirs.move(3)
        assert (await told(line, "turn_changed"))["moveEndsAt"] > game["moveEndsAt"]
        house.pass_sec(31)
        house.sweep()
        ended = await told(line, "game_ended")
        assert ended["reason"] == "TIMEOUT"
        assert ended["game"]["winnerId"] == first.id


async def told(line: Live, wanted: str) -> dict[str, Any]:
    """The next event of that type, whatever comes before it."""
    while (event := await line.event())["type"] != wanted:
        pass
    payload: dict[str, Any] = event["payload"]
    return payload


def test_two_who_both_ask_for_it_in_the_queue_play_with_it(
    ann: Player, bob: Player, new_player: NewPlayer
) -> None:
    assert ok(ann.post(QUICK))["status"] == "queued"
    assert ok(bob.post(QUICK))["status"] == "matched"
    game = ann.active_game()
    assert game is not None
    assert game["moveTimeMs"] == 60_000

    cid, dan = new_player(), new_player()
    assert ok(cid.post(QUICK))["status"] == "queued"
    assert ok(dan.post("/api/matchmaking/join"))["status"] == "matched"
    usual = cid.active_game()
    assert usual is not None
    assert "moveTimeMs" not in usual


@pytest.mark.parametrize("seconds", ["7", "0", "-30", "soon", "99999999999"])
def test_a_time_that_is_not_offered_is_refused(ann: Player, seconds: str) -> None:
    for path in ("/api/games", "/api/matchmaking/join"):
        answer = ann.post(f"{path}?moveTimeSec={seconds}")
        refused(answer, 400, "INVALID_QUERY")
    assert ann.active_game() is None
    assert ok(ann.get("/api/matchmaking/status")) == {"status": "not_queued"}
