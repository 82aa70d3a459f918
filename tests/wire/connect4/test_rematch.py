"""Once more: asked, agreed, colours swapped, rated."""

from __future__ import annotations

import pytest

from tests.wire.connect4.conftest import (
    WIN,
    NewPlayer,
    Player,
    begin,
    finished,
    nothing_changes,
    ok,
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
