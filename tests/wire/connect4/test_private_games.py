"""Private games: opened under a code, joined by it, called off."""

from __future__ import annotations

import re
from uuid import UUID, uuid4

import pytest

from parlour.play import player as players
from tests.servers.parlour import Served
from tests.wire.connect4.conftest import (
    NewPlayer,
    Player,
    begin,
    finished,
    nothing_changes,
    ok,
    refused,
    settled,
    way_to,
)

NOT_QUEUED = {"status": "not_queued"}
BASE32 = "A-HJ-NP-Z2-9"
FIELDS = {
    "id",
    "publicId",
    "code",
    "player1",
    "player1Id",
    "player2",
    "player2Id",
    "board",
    "currentTurn",
    "status",
    "moves",
    "result",
    "endedReason",
    "winnerId",
    "p1RatingBefore",
    "p2RatingBefore",
    "p1RatingDelta",
    "p2RatingDelta",
    "ratingAppliedAt",
    "rematchRequestedBy",
    "rematchGameId",
    "rematchPublicId",
    "player1LastSeen",
    "player2LastSeen",
    "createdAt",
    "updatedAt",
    "completedAt",
    "legalColumns",
    "winningCells",
}


@pytest.mark.spec(
    "A21", "A22", "A23", "A24", "A25", "A26", "A27", "A28", "A29", "A30", "A31", "A32", "A33",
    "A36", "A105", "A106", "A107",
)  # fmt: skip
def test_a_new_game_waits_under_a_code(ann: Player) -> None:
    answer = ok(ann.post("/api/games"), 201)
    game = answer.pop("game")
    assert answer == {
        "success": True,
        "gameId": game["id"],
        "publicId": game["publicId"],
        "code": game["code"],
    }
    assert set(game) == FIELDS
    assert str(UUID(game["id"])) == game["id"]
    assert re.fullmatch(f"[{BASE32}]{{8}}", game["publicId"])
    assert re.fullmatch(f"[{BASE32}]{{6}}", game["code"])
    shown = {"id": ann.id, "username": ann.username, "rating": 1000}
    assert game["player1"] == {**shown, "firebaseUid": ann.me()["firebaseUid"]}
    assert game["player1Id"] == ann.id
    assert (game["player2"], game["player2Id"]) == (None, None)
    assert game["board"] == "0" * 42
    assert (game["currentTurn"], game["status"], game["moves"]) == (1, "WAITING", [])
    assert game["player1LastSeen"] >= game["createdAt"]
    assert (game["legalColumns"], game["winningCells"]) == ([], [])
    empty = FIELDS - {
        "id", "publicId", "code", "player1", "player1Id", "board", "currentTurn", "status", "moves",
        "player1LastSeen", "createdAt", "updatedAt", "legalColumns", "winningCells",
    }  # fmt: skip
    assert {game[name] for name in empty} == {None}


@pytest.mark.spec("A104", "A133")
def test_who_has_a_game_open_opens_no_other(ann: Player, bob: Player, eve: Player) -> None:
    game = ann.create()
    with nothing_changes(eve, game):
        refused(ann.post("/api/games"), 409, "HAS_ACTIVE_GAME", way_to(game))
    bob.join(game)
    with nothing_changes(eve, game):
        refused(ann.post("/api/games"), 409, "HAS_ACTIVE_GAME", way_to(game))
        refused(bob.post("/api/games"), 409, "HAS_ACTIVE_GAME", way_to(game))


@pytest.mark.spec("A94", "A101", "A103", "A39", "A30", "A36", "A2")
def test_joining_starts_the_game(ann: Player, bob: Player) -> None:
    waiting = ann.create()
    answer = ok(bob.post(f"/api/games/join/{waiting['code']}"))
    game = answer.pop("game")
    assert answer == {"success": True, "gameId": game["id"], "publicId": game["publicId"]}
    assert game["status"] == "ACTIVE"
    assert (game["player1Id"], game["player2Id"]) == (ann.id, bob.id)
    shown = {"id": bob.id, "username": bob.username, "rating": 1000}
    assert game["player2"] == {**shown, "firebaseUid": bob.me()["firebaseUid"]}
    assert game["currentTurn"] in (1, 2)
    assert (game["p1RatingBefore"], game["p2RatingBefore"]) == (1000, 1000)
    assert game["player1LastSeen"] is not None
    assert game["player2LastSeen"] is not None
    assert game["code"] == waiting["code"]
    assert game["legalColumns"] == [0, 1, 2, 3, 4, 5, 6]


@pytest.mark.spec("A101")
def test_who_begins_is_drawn_by_lot(new_player: NewPlayer) -> None:
    firsts = {begin(new_player(), new_player())["currentTurn"] for _ in range(24)}
    assert firsts == {1, 2}


@pytest.mark.spec("A95")
def test_a_code_may_be_typed_in_lower_case(ann: Player, bob: Player) -> None:
    game = ann.create()
    assert ok(bob.post(f"/api/games/join/{game['code'].lower()}"))["gameId"] == game["id"]


@pytest.mark.spec("A95", "A133")
@pytest.mark.parametrize(
    "code",
    ["ABCDE", "ABCDEFG", "ABCDEI", "ABCDEO", "ABCDE0", "ABCDE1", "ABC-EF", "%20ABCDE", "ABCDEF%0A",
     "%00%00%00%00%00%00", "\u017f" * 6, "\u212a" * 6, "💥💥💥💥💥💥", "A" * 2000],
)  # fmt: skip
def test_what_is_no_code_is_refused(ann: Player, code: str) -> None:
    refused(ann.post(f"/api/games/join/{code}"), 400, "INVALID_CODE_FORMAT")


@pytest.mark.spec("A97")
def test_a_code_of_no_game_is_not_found(ann: Player) -> None:
    refused(ann.post("/api/games/join/ZZZZZZ"), 404, "GAME_NOT_FOUND")


@pytest.mark.spec("A99")
def test_nobody_joins_their_own_game(ann: Player, bob: Player, eve: Player) -> None:
    game = ann.create()
    with nothing_changes(eve, game):
        refused(ann.post(f"/api/games/join/{game['code']}"), 400, "CANNOT_JOIN_OWN_GAME")
    bob.join(game)
    with nothing_changes(eve, game):
        refused(ann.post(f"/api/games/join/{game['code']}"), 400, "CANNOT_JOIN_OWN_GAME")


@pytest.mark.spec("A96")
def test_who_is_in_a_game_joins_no_other(ann: Player, bob: Player, eve: Player) -> None:
    mine, theirs = ann.create(), bob.create()
    with nothing_changes(eve, mine, theirs):
        for code in (theirs["code"], "ZZZZZZ"):  # checked before the code is looked up
            refused(ann.post(f"/api/games/join/{code}"), 409, "HAS_ACTIVE_GAME", way_to(mine))


@pytest.mark.spec("A98")
def test_a_game_of_two_is_full(ann: Player, bob: Player, eve: Player) -> None:
    game = begin(ann, bob)
    with nothing_changes(eve, game):
        refused(eve.post(f"/api/games/join/{game['code']}"), 409, "GAME_ALREADY_STARTED")


@pytest.mark.spec("A98")
def test_a_finished_game_is_not_joined(ann: Player, bob: Player, eve: Player) -> None:
    game = finished(ann, bob)
    with nothing_changes(eve, game):
        refused(eve.post(f"/api/games/join/{game['code']}"), 409, "GAME_ALREADY_STARTED")
        refused(bob.post(f"/api/games/join/{game['code']}"), 409, "GAME_ALREADY_STARTED")


@pytest.mark.spec("A100")
def test_a_token_nobody_has_seen_is_a_user_from_its_first_request_on(
    ann: Player, served: Served
) -> None:
    game = ann.create()
    token = served.services.tokens.issue_guest(str(uuid4()))
    headers = {"Authorization": f"Bearer {token}"}
    joined = ok(served.ask("POST", f"/api/games/join/{game['code']}", headers=headers))["game"]
    assert joined["player2Id"] == ok(served.ask("GET", "/api/users/me", headers=headers))["id"]


def test_creating_or_joining_leaves_the_queue(ann: Player, bob: Player) -> None:
    for player in (ann, bob):
        # One after the other, or they would be paired.
        assert ok(player.post("/api/matchmaking/join"))["status"] == "queued"
        if player is ann:
            game = ann.create()
        else:
            bob.join(game)
        status = ok(player.get("/api/matchmaking/status"))["status"]
        assert status == ("not_queued" if player is ann else "matched")
        refused(player.ask("DELETE", "/api/matchmaking/leave"), 400, "NOT_QUEUED", NOT_QUEUED)


# --- calling off ------------------------------------------------------------------------------


def test_the_host_may_call_off_a_game_nobody_joined(ann: Player, bob: Player) -> None:
    game = ann.create()
    assert ok(ann.ask("DELETE", f"/api/games/{game['id']}")) == {"success": True}
    refused(ann.get(f"/api/games/{game['id']}"), 404, "GAME_NOT_FOUND")
    refused(bob.get(f"/api/games/by-public/{game['publicId']}"), 404, "GAME_NOT_FOUND")
    refused(bob.post(f"/api/games/join/{game['code']}"), 404, "GAME_NOT_FOUND")
    refused(ann.ask("DELETE", f"/api/games/{game['id']}"), 404, "GAME_NOT_FOUND")
    refused(ann.move(game, 3), 404, "GAME_NOT_FOUND")
    refused(ann.rematch(game), 404, "GAME_NOT_FOUND")
    assert ann.active_game() is None
    ann.create()


def test_only_the_host_calls_off_and_only_while_waiting(
    ann: Player, bob: Player, eve: Player
) -> None:
    game = ann.create()
    with nothing_changes(eve, game):
        refused(bob.ask("DELETE", f"/api/games/{game['id']}"), 403, "NOT_IN_GAME")
    bob.join(game)
    with nothing_changes(eve, game):
        for player in (ann, bob):
            answer = player.ask("DELETE", f"/api/games/{game['id']}")
            refused(answer, 409, "GAME_ALREADY_STARTED")


# --- looking ----------------------------------------------------------------------------------


@pytest.mark.spec("A131", "A132")
def test_anyone_signed_in_may_look(ann: Player, bob: Player, eve: Player) -> None:
    game = begin(ann, bob)
    by_id = ok(eve.get(f"/api/games/{game['id']}"))
    by_public_id = ok(eve.get(f"/api/games/by-public/{game['publicId']}"))
    lower = ok(eve.get(f"/api/games/by-public/{game['publicId'].lower()}"))
    assert settled(by_id) == settled(by_public_id) == settled(lower) == settled(game)


@pytest.mark.spec("A58", "A133")
@pytest.mark.parametrize(
    "game_id",
    ["nonsense", "0", "-1", "%00", "\u017f", "a" * 5000, "💥",
     "00000000-0000-7000-8000-000000000000", "'; DROP TABLE match; --"],
)  # fmt: skip
def test_an_id_of_no_game_is_not_found(ann: Player, game_id: str) -> None:
    refused(ann.get(f"/api/games/{game_id}"), 404, "GAME_NOT_FOUND")
    refused(ann.get(f"/api/games/by-public/{game_id}"), 404, "GAME_NOT_FOUND")
    for what in ("claim-abandoned", "rematch", "resign", "cancel"):
        refused(ann.post(f"/api/games/{game_id}/{what}"), 404, "GAME_NOT_FOUND")
    refused(ann.post(f"/api/games/{game_id}/move", json={"column": 1}), 404, "GAME_NOT_FOUND")
    refused(ann.ask("DELETE", f"/api/games/{game_id}"), 404, "GAME_NOT_FOUND")


def test_a_match_of_another_game_is_none_of_ours(ann: Player, served: Served) -> None:
    guest = players.Player(name="Ann", user_id=ann.id)
    room = served.run(served.services.kernel.seating.open("quarto", guest))
    refused(ann.get(f"/api/games/{room.id}"), 404, "GAME_NOT_FOUND")
    refused(ann.get(f"/api/games/by-public/{room.public_id}"), 404, "GAME_NOT_FOUND")
    refused(ann.ask("DELETE", f"/api/games/{room.id}"), 404, "GAME_NOT_FOUND")
    assert ann.active_game() is None


def test_a_new_name_is_shown_at_once(ann: Player, bob: Player) -> None:
    game = begin(ann, bob)
    name = f"new_{bob.id[:8]}"
    ok(bob.ask("PUT", "/api/users/me", json={"username": name}))
    assert ann.look(game)["player2"]["username"] == name
