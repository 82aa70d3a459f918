"""Once more: asked, agreed, colours swapped, rated."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from parlour.settings import Settings
from parlour.store import queries
from tests.wire.connect4.conftest import (
    WIN,
    House,
    NewPlayer,
    Player,
    begin,
    finished,
    live,
    nothing_changes,
    ok,
    opened,
    play,
    refused,
)


@pytest.mark.spec("A84", "A87", "A88", "A89", "A90", "A91", "A93", "A32")
def test_a_rematch_needs_both(ann: Player, bob: Player) -> None:
    game = finished(ann, bob)
    for _ in range(2):
        assert ok(ann.rematch(game)) == {"status": "requested"}
        assert bob.look(game)["rematchRequestedBy"] == 1
    accepted = ok(bob.rematch(game))
    assert set(accepted) == {"status", "newGameId", "newPublicId"}
    assert accepted["status"] == "accepted"
    new = ann.active_game()
    assert new is not None
    assert (new["id"], new["publicId"]) == (accepted["newGameId"], accepted["newPublicId"])
    assert (new["player1Id"], new["player2Id"]) == (bob.id, ann.id)
    assert (new["status"], new["currentTurn"], new["code"]) == ("ACTIVE", 1, None)
    gain = 16 if game["winnerId"] == ann.id else -16
    assert (new["p1RatingBefore"], new["p2RatingBefore"]) == (1000 - gain, 1000 + gain)
    assert new["player1LastSeen"] is not None
    assert new["player2LastSeen"] is not None
    for player in (ann, bob):
        assert ok(player.rematch(game)) == accepted
    old = ann.look(game)
    assert (old["rematchGameId"], old["rematchPublicId"]) == (new["id"], new["publicId"])
    after = play(new, bob, ann, WIN)["game"]
    assert after["p1RatingDelta"] == -after["p2RatingDelta"] != 0


@pytest.mark.spec("A85", "A86", "A133")
def test_only_players_of_a_finished_game_get_another(
    ann: Player, bob: Player, eve: Player, new_player: NewPlayer
) -> None:
    game = ann.create()
    with nothing_changes(eve, game):
        refused(ann.rematch(game), 409, "GAME_NOT_FINISHED")
    bob.join(game)
    with nothing_changes(eve, game):
        for player in (ann, bob, eve):
            refused(player.rematch(game), 409, "GAME_NOT_FINISHED")
    game = finished(new_player(), new_player())
    with nothing_changes(eve, game):
        refused(eve.rematch(game), 403, "NOT_IN_GAME")


@pytest.mark.spec("A86", "A134")
def test_nobody_plays_again_who_had_no_opponent(tmp_path: Path) -> None:
    """A finished game of one comes about by damage only: somebody took the other out of it."""
    path = tmp_path / "parlour.db"
    chosen = Settings(database_url=f"sqlite:///{path}")
    with opened(chosen) as house:
        ann, bob, eve = (house.new_player() for _ in range(3))
        game = finished(ann, bob)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("DELETE FROM seat WHERE match_id = ? AND seat = 1", (game["id"],))
    with opened(chosen) as house:
        store = house.served.services.store
        before = house.served.run(queries.match_by_id(store, game["id"]))
        for player in map(house.back, (ann, bob, eve)):
            refused(player.rematch(game), 400, "NO_OPPONENT")
        assert house.served.run(queries.match_by_id(store, game["id"])) == before


def test_a_rematch_that_was_given_up_is_not_found(ann: Player, bob: Player, house: House) -> None:
    game = finished(ann, bob)
    ok(ann.rematch(game))
    ok(bob.rematch(game))
    house.pass_sec(24 * 3600 + 1)
    house.sweep()
    for player in (ann, bob):
        refused(player.rematch(game), 404, "GAME_NOT_FOUND")
        assert player.active_game() is None


def test_one_may_ask_while_in_another_game_but_not_agree(
    ann: Player, bob: Player, eve: Player
) -> None:
    game = finished(ann, bob)
    other = begin(ann, eve)
    assert ok(ann.rematch(game)) == {"status": "requested"}
    with nothing_changes(eve, game, other):
        refused(bob.rematch(game), 409, "HAS_ACTIVE_GAME")
    assert bob.active_game() is None


def test_a_rematch_leaves_the_queue(new_player: NewPlayer) -> None:
    ann, bob, eve = new_player(), new_player(), new_player()
    game = finished(ann, bob)
    assert ok(ann.post("/api/matchmaking/join"))["status"] == "queued"
    ok(ann.rematch(game))
    new = ok(bob.rematch(game))
    status = ok(ann.get("/api/matchmaking/status"))
    assert status == {
        "status": "matched",
        "gameId": new["newGameId"],
        "publicId": new["newPublicId"],
    }
    assert ok(eve.post("/api/matchmaking/join"))["status"] == "queued"
    ok(eve.ask("DELETE", "/api/matchmaking/leave"))


async def test_a_rematch_can_be_withdrawn_until_the_other_agrees(
    ann: Player, bob: Player, eve: Player
) -> None:
    game = finished(ann, bob)
    path = f"/api/games/{game['id']}/rematch"
    async with live(bob, game) as theirs:
        await theirs.shown(1)
        ann.rematch(game)
        assert await theirs.next("rematch_requested") == {"player": 1}
        refused(eve.ask("DELETE", path), 403, "NOT_IN_GAME")
        assert ok(bob.ask("DELETE", path)) == {"status": "withdrawn"}
        assert bob.look(game)["rematchRequestedBy"] == 1, "nobody withdraws another's wish"
        assert ok(ann.ask("DELETE", path)) == {"status": "withdrawn"}
        assert await theirs.next("rematch_withdrawn") == {}
    assert bob.look(game)["rematchRequestedBy"] is None
    assert ok(bob.rematch(game)) == {"status": "requested"}
    assert ok(ann.rematch(game))["status"] == "accepted"
    refused(bob.ask("DELETE", path), 409, "GAME_ALREADY_STARTED")


async def test_who_is_still_there_is_told_after_the_end_too(ann: Player, bob: Player) -> None:
    game = finished(ann, bob)
    async with live(ann, game) as mine:
        await mine.shown(2)
        async with live(bob, game) as theirs:
            await theirs.shown()
            assert await mine.next("opponent_back") == {"player": 2}
        assert await mine.next("opponent_away") == {"player": 2}
