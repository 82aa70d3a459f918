"""The queue: first come first served, kept in the store, left by silence."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest

from parlour.play import keeper
from parlour.play import player as players
from parlour.settings import Settings
from parlour.store import queries
from parlour.store.change import Change
from tests.servers.parlour import Served
from tests.wire.connect4.conftest import (
    House,
    NewPlayer,
    Player,
    begin,
    nothing_changes,
    ok,
    opened,
    refused,
    way_to,
)

NOT_QUEUED = {"status": "not_queued"}


@pytest.fixture
def house() -> Iterator[House]:
    """A server for each test: who waits in one must not be paired in the next."""
    with opened() as running:
        yield running


def enter(player: Player) -> dict[str, str]:
    answer: dict[str, str] = ok(player.post("/api/matchmaking/join"))
    return answer


def slip_in(player: Player) -> None:
    """A place in the queue without a look for a partner: as if the server died in between."""
    kernel = player.served.services.kernel
    guest = players.Player(name=player.username, user_id=player.id)
    player.served.run(
        kernel.runtime.store.commit(Change((kernel.queue.tickets.new("connect4", guest),)))
    )


def status(player: Player) -> dict[str, str]:
    answer: dict[str, str] = ok(player.get("/api/matchmaking/status"))
    return answer


@pytest.mark.spec("A108", "A110", "A117", "A121")
def test_who_comes_first_waits(ann: Player) -> None:
    entered = enter(ann)
    assert entered["status"] == "queued"
    queued = status(ann)
    assert queued["status"] == "queued"
    assert datetime.fromisoformat(queued["queuedAt"]).tzinfo is not None
    assert status(ann) == queued, "looking does not move one back"


@pytest.mark.spec("A114", "A116", "A117", "A119", "A23")
def test_who_comes_second_plays(ann: Player, bob: Player) -> None:
    enter(ann)
    matched = enter(bob)
    assert set(matched) == {"status", "gameId", "publicId"}
    assert matched["status"] == "matched"
    assert status(ann) == status(bob) == matched
    game = bob.active_game()
    assert game is not None
    assert (game["id"], game["publicId"]) == (matched["gameId"], matched["publicId"])
    assert (game["player1Id"], game["player2Id"]) == (ann.id, bob.id), "who waited is player 1"
    assert (game["status"], game["code"]) == ("ACTIVE", None)
    assert game["currentTurn"] in (1, 2)
    assert (game["p1RatingBefore"], game["p2RatingBefore"]) == (1000, 1000)
    assert game["player1LastSeen"] is not None
    assert game["player2LastSeen"] is not None


@pytest.mark.spec("A116")
def test_who_begins_is_drawn_by_lot(new_player: NewPlayer) -> None:
    firsts = set()
    for _ in range(24):
        players = new_player(), new_player()
        for player in players:
            enter(player)
        game = players[0].active_game()
        assert game is not None
        firsts.add(game["currentTurn"])
    assert firsts == {1, 2}


@pytest.mark.spec("A114")
def test_first_come_first_served(new_player: NewPlayer, house: House) -> None:
    waiting = [new_player() for _ in range(3)]
    for player in waiting:
        slip_in(player)
        house.pass_sec(1)
    enter(new_player())
    assert status(waiting[0])["status"] == "matched"
    assert waiting[1].active_game() is None


@pytest.mark.spec("A112", "A133")
def test_nobody_waits_twice(ann: Player) -> None:
    enter(ann)
    before = status(ann)
    refused(ann.post("/api/matchmaking/join"), 409, "ALREADY_QUEUED", {"status": "already_queued"})
    assert status(ann) == before


@pytest.mark.spec("A113", "A124", "A133")
def test_who_has_a_game_does_not_wait(ann: Player, bob: Player, eve: Player) -> None:
    waiting = ann.create()
    busy = {"status": "has_active_game", **way_to(waiting)}
    with nothing_changes(eve, waiting):
        refused(ann.post("/api/matchmaking/join"), 409, "HAS_ACTIVE_GAME", busy)
    bob.join(waiting)
    for player in (ann, bob):
        refused(player.post("/api/matchmaking/join"), 409, "HAS_ACTIVE_GAME", busy)
    assert enter(eve)["status"] == "queued"


@pytest.mark.spec("A119")
def test_status_of_one_who_does_not_wait(ann: Player, bob: Player) -> None:
    assert status(ann) == NOT_QUEUED
    game = ann.create()
    assert status(ann) == NOT_QUEUED, "a game that waits is no match"
    bob.join(game)
    matched = {"status": "matched", "gameId": game["id"], "publicId": game["publicId"]}
    assert status(ann) == matched


@pytest.mark.spec("A108", "A122", "A133")
def test_leaving(ann: Player, bob: Player) -> None:
    refused(ann.ask("DELETE", "/api/matchmaking/leave"), 400, "NOT_QUEUED", NOT_QUEUED)
    enter(ann)
    assert ok(ann.ask("DELETE", "/api/matchmaking/leave")) == {"status": "left"}
    assert status(ann) == NOT_QUEUED
    assert enter(bob)["status"] == "queued", "nobody is left to play with"
    refused(ann.ask("DELETE", "/api/matchmaking/leave"), 400, "NOT_QUEUED", NOT_QUEUED)


@pytest.mark.spec("A115", "A120")
def test_a_partner_who_turns_out_busy_is_passed_over(new_player: NewPlayer) -> None:
    busy, free, late = new_player(), new_player(), new_player()
    begin(busy, new_player())
    slip_in(busy)
    assert enter(free)["status"] == "queued", "the busy one is dropped, not played with"
    assert status(free)["status"] == "queued"
    assert enter(late)["status"] == "matched"
    refused(busy.ask("DELETE", "/api/matchmaking/leave"), 400, "NOT_QUEUED", NOT_QUEUED)


@pytest.mark.spec("A120")
def test_whose_partner_turns_out_busy_goes_on_waiting(new_player: NewPlayer) -> None:
    busy, free, late = new_player(), new_player(), new_player()
    game = begin(busy, new_player())
    slip_in(busy)
    slip_in(free)
    queued = status(free)
    assert set(queued) == {"status", "queuedAt"}
    assert queued["status"] == "queued"
    assert status(free) == queued
    assert enter(late)["status"] == "matched"
    assert status(busy)["gameId"] == game["id"]
    refused(busy.ask("DELETE", "/api/matchmaking/leave"), 400, "NOT_QUEUED", NOT_QUEUED)


@pytest.mark.spec("A120")
def test_who_is_busy_and_asks_takes_nobody_out_of_the_queue(new_player: NewPlayer) -> None:
    busy, free = new_player(), new_player()
    game = begin(busy, new_player())
    slip_in(free)
    slip_in(busy)
    assert status(busy)["gameId"] == game["id"]
    assert status(free)["status"] == "queued"
    assert enter(new_player())["status"] == "matched"
    assert status(free)["status"] == "matched"


@pytest.mark.spec("A118", "A120")
def test_polling_finds_a_partner_too(new_player: NewPlayer) -> None:
    ann, bob = new_player(), new_player()
    for player in (ann, bob):
        slip_in(player)
    matched = status(bob)
    assert matched["status"] == "matched"
    assert status(ann) == matched


@pytest.mark.spec("A111", "A114", "A123")
def test_who_falls_silent_is_taken_to_be_gone(house: House, ann: Player, bob: Player) -> None:
    enter(ann)
    house.pass_sec(30.1)
    # Nobody asks for the silent one: the queue itself drops it.
    house.sweep()
    assert house.served.run(waiting(house.served)) == 0
    assert enter(bob)["status"] == "queued"
    assert status(ann) == NOT_QUEUED
    assert enter(ann)["status"] == "matched"


@pytest.mark.spec("A123")
def test_who_falls_silent_is_dropped_though_nobody_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither the silent one nor anybody else does anything; the server looks by itself."""
    monkeypatch.setattr(keeper, "SWEEP_S", 0.01)
    with opened(Settings.given(database_url="sqlite://", queue_stale_sec=0.05)) as house:
        enter(house.new_player())
        while house.served.run(waiting(house.served)):
            pass


@pytest.mark.spec("A114", "A111")
def test_who_fell_silent_is_not_played_with(house: House, ann: Player, bob: Player) -> None:
    enter(ann)
    house.pass_sec(30.1)
    # Whether or not the queue was swept since.
    assert enter(bob)["status"] == "queued"
    assert enter(ann)["status"] == "matched", "a stale entry of one's own counts as none"


async def waiting(served: Served) -> int:
    """How many wait."""
    return len(await queries.tickets(served.services.store, "connect4"))


@pytest.mark.spec("A118", "A136")
def test_asking_now_and_then_keeps_the_place(house: House, ann: Player, bob: Player) -> None:
    enter(ann)
    queued = status(ann)
    for _ in range(4):
        house.pass_sec(20)
        house.sweep()
        assert status(ann) == queued
    assert enter(bob)["status"] == "matched"


@pytest.mark.spec("A8", "A9", "A10", "A109")
def test_the_queue_outlives_the_server(tmp_path: Path) -> None:
    settings = Settings(database_url=f"sqlite:///{tmp_path / 'parlour.db'}")
    with opened(settings) as house:
        ann, bob = house.new_player(), house.new_player()
        enter(ann)
        queued = status(ann)
    with opened(settings) as house:
        ann, bob = house.back(ann), house.back(bob)
        assert status(ann) == queued
        assert enter(bob)["status"] == "matched"
        assert status(ann)["status"] == "matched"
