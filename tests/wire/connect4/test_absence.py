"""Who is not seen for too long: claims, heartbeats, and games given up for lack of use."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from parlour.settings import Settings
from parlour.store import queries
from tests.wire.connect4.conftest import (
    WIN,
    Game,
    House,
    NewPlayer,
    Player,
    begin,
    eventually,
    finished,
    in_turn,
    live,
    nothing_changes,
    ok,
    opened,
    play,
    refused,
    settled,
)

THRESHOLD_SEC = 0.4


@pytest.fixture(scope="module")
def house() -> Iterator[House]:
    """A server that is quick to call somebody gone."""
    with opened(Settings(database_url="sqlite://", abandon_threshold_sec=THRESHOLD_SEC)) as running:
        yield running


def until_claimed(claimer: Player, game: Game) -> Game:
    """Claim until the opponent counts as gone."""
    over: Game = ok(eventually(lambda: claimer.claim(game)))["game"]
    return over


@pytest.mark.spec("A54", "A76", "A79", "A80", "A83", "A40", "A52", "A62")
def test_the_win_over_who_is_gone_is_claimed(ann: Player, bob: Player, eve: Player) -> None:
    game = begin(ann, bob)
    over = until_claimed(ann, game)
    assert (over["status"], over["endedReason"], over["result"]) == (
        "ABANDONED",
        "ABANDONED",
        "P1_WIN",
    )
    assert over["winnerId"] == ann.id
    assert (over["p1RatingDelta"], over["p2RatingDelta"]) == (16, -16)
    assert over["ratingAppliedAt"] == over["completedAt"] is not None
    assert over["currentTurn"] == game["currentTurn"]
    assert (ann.me()["rating"], ann.me()["wins"]) == (1016, 1)
    assert (bob.me()["rating"], bob.me()["losses"]) == (984, 1)
    with nothing_changes(eve, over):
        for player in (ann, bob, eve):
            refused(player.claim(game), 409, "GAME_NOT_ACTIVE")
            refused(player.move(game, 0), 409, "GAME_NOT_ACTIVE")
    assert ann.me()["rating"] == 1016
    assert ok(bob.get("/api/users/me/games"))["games"][0]["status"] == "ABANDONED"
    assert ok(ann.rematch(over)) == {"status": "requested"}


@pytest.mark.spec("A77", "A78", "A133")
def test_who_may_not_claim(ann: Player, eve: Player, new_player: NewPlayer) -> None:
    waiting = ann.create()
    with nothing_changes(eve, waiting):
        refused(ann.claim(waiting), 409, "GAME_NOT_STARTED")
        refused(eve.claim(waiting), 409, "GAME_NOT_STARTED")
    game = begin(new_player(), new_player())
    with nothing_changes(eve, game):
        refused(eve.claim(game), 403, "NOT_IN_GAME")
    over = finished(new_player(), new_player())
    with nothing_changes(eve, over):
        refused(eve.claim(over), 409, "GAME_NOT_ACTIVE")


@pytest.mark.spec("A62", "A54", "A55", "A133")
def test_against_who_is_gone_nothing_but_a_claim_is_possible(
    ann: Player, bob: Player, eve: Player
) -> None:
    game = begin(ann, bob)
    gone(ann, game)
    with nothing_changes(eve, game):
        for player in (ann, bob):
            for column in (0, 99):
                # Before the turn and the column are looked at.
                refused(player.move(game, column), 400, "USE_CLAIM_ABANDONED_ENDPOINT")


def gone(player: Player, game: Game) -> None:
    """Wait until neither side was seen for long enough, without anybody being seen."""
    eventually(lambda: player.move(game, 99), 400)
    while player.move(game, 99).json()["code"] != "USE_CLAIM_ABANDONED_ENDPOINT":
        pass


@pytest.mark.spec("A78", "A135", "A33")
@pytest.mark.parametrize("path", ["/api/games/{id}", "/api/games/by-public/{publicId}"])
def test_looking_at_the_game_is_a_sign_of_life(ann: Player, bob: Player, path: str) -> None:
    game = begin(ann, bob)
    until = time.monotonic() + 3 * THRESHOLD_SEC
    while time.monotonic() < until:
        shown = ok(bob.get(path.format(**game)))
        refused(ann.claim(game), 400, "OPPONENT_NOT_ABANDONED")
    assert shown["player2LastSeen"] > game["player2LastSeen"]
    over = until_claimed(ann, game)
    assert over["player2LastSeen"] >= shown["player2LastSeen"]


@pytest.mark.spec("A73")
def test_a_move_keeps_the_mover_there(ann: Player, bob: Player) -> None:
    game = begin(ann, bob)
    first, second = in_turn(game, ann, bob)
    # The other player keeps itself alive by looking, or the move would be refused.
    ok(second.get(f"/api/games/{game['id']}"))
    ok(first.move(game, 0))
    refused(second.claim(game), 400, "OPPONENT_NOT_ABANDONED")
    assert until_claimed(second, game)["winnerId"] == second.id


OTHER_REQUESTS = (
    ("GET", "/api/users/me"),
    ("GET", "/api/users/me/active-game"),
    ("GET", "/api/matchmaking/status"),
    ("POST", "/api/games/{id}/claim-abandoned"),
    ("POST", "/api/games/{id}/rematch"),
    ("POST", "/api/games/{id}/move"),
)


def test_nothing_else_is_a_sign_of_life(ann: Player, bob: Player) -> None:
    game = begin(ann, bob)
    first, second = in_turn(game, ann, bob)

    def busy_then_claim() -> httpx.Response:
        for method, path in OTHER_REQUESTS:
            second.ask(method, path.format(**game), json={"column": 99} if "move" in path else None)
        # A claim of the one who is busy must not succeed first.
        ok(first.get(f"/api/games/{game['id']}"))
        return first.claim(game)

    assert ok(eventually(busy_then_claim))["game"]["winnerId"] == first.id


async def test_an_open_socket_is_a_sign_of_life(ann: Player, bob: Player) -> None:
    game = begin(ann, bob)
    async with live(bob, game) as socket:
        await socket.next("game")
        until = time.monotonic() + 3 * THRESHOLD_SEC
        while time.monotonic() < until:
            refused(ann.claim(game), 400, "OPPONENT_NOT_ABANDONED")
            await socket.nothing_before()
    assert until_claimed(ann, game)["winnerId"] == ann.id


def test_an_onlooker_keeps_nobody_there(ann: Player, bob: Player, eve: Player) -> None:
    game = begin(ann, bob)

    def look_and_claim() -> httpx.Response:
        eve.look(game)
        return ann.claim(game)

    eventually(look_and_claim)


def test_after_the_end_nobody_is_seen_any_more(ann: Player, bob: Player) -> None:
    over = until_claimed(ann, begin(ann, bob))
    assert (
        ann.look(over)
        == bob.look(over)
        == over
        | {
            "player1": over["player1"],
            "updatedAt": ann.look(over)["updatedAt"],
        }
    )


# --- restart ----------------------------------------------------------------------------------


@pytest.mark.spec("A54", "A33", "A3")
def test_absence_goes_on_while_the_server_starts_anew(tmp_path: Path) -> None:
    settings = Settings(
        database_url=f"sqlite:///{tmp_path / 'parlour.db'}", abandon_threshold_sec=1.0
    )
    with opened(settings) as house:
        ann, bob = house.new_player(), house.new_player()
        game = begin(ann, bob)
        play(game, *in_turn(game, ann, bob), WIN[:3])
        before = ann.look(game)
    with opened(settings) as house:
        ann, bob = house.back(ann), house.back(bob)
        again = ann.look(game)
        assert settled(again) == settled(before)
        assert again["player2LastSeen"] <= before["player2LastSeen"]
        over = until_claimed(ann, game)
        assert (over["winnerId"], len(over["moves"])) == (ann.id, 3)


# --- games given up ---------------------------------------------------------------------------


@pytest.mark.spec("A143")
def test_a_game_nobody_joins_is_given_up() -> None:
    with opened(Settings(database_url="sqlite://", waiting_game_ttl_sec=0.5)) as house:
        ann, bob = house.new_player(), house.new_player()
        game = ann.create()
        # As long as its host looks at it, it waits.
        until = time.monotonic() + 1.2
        while time.monotonic() < until:
            assert ann.look(game)["status"] == "WAITING"
        eventually(lambda: bob.get(f"/api/games/{game['id']}"), 404)
        refused(bob.get(f"/api/games/by-public/{game['publicId']}"), 404, "GAME_NOT_FOUND")
        refused(bob.post(f"/api/games/join/{game['code']}"), 404, "GAME_NOT_FOUND")
        assert ann.active_game() is None
        ann.create()


@pytest.mark.spec("A144")
def test_a_game_nobody_touches_is_given_up() -> None:
    with opened(Settings(database_url="sqlite://", active_game_ttl_sec=0.6)) as house:
        ann, bob, eve = (house.new_player() for _ in range(3))
        game = begin(ann, bob)
        ok(in_turn(game, ann, bob)[0].move(game, 3))
        until = time.monotonic() + 1.4
        while time.monotonic() < until:
            assert ann.look(game)["status"] == "ACTIVE", "looking counts as touching"
        eventually(lambda: eve.get(f"/api/games/{game['id']}"), 404)
        for player in (ann, bob):
            refused(player.move(game, 3), 404, "GAME_NOT_FOUND")
            refused(player.claim(game), 404, "GAME_NOT_FOUND")
            refused(player.rematch(game), 404, "GAME_NOT_FOUND")
            assert player.active_game() is None
            assert (player.me()["rating"], player.me()["losses"]) == (1000, 0)
        journal = house.served.run(queries.journal(house.served.services.store, game["id"]))
        assert [entry.kind for entry in journal] == ["open", "start", "act", "lapse"]


@pytest.mark.spec("A143", "A144")
def test_games_are_given_up_though_the_server_was_away(tmp_path: Path) -> None:
    settings = Settings(
        database_url=f"sqlite:///{tmp_path / 'parlour.db'}",
        waiting_game_ttl_sec=0.3,
        active_game_ttl_sec=0.3,
    )
    with opened(settings) as house:
        ann, bob, eve = (house.new_player() for _ in range(3))
        active, waiting = begin(ann, bob), eve.create()
    with opened(settings) as house:
        ann, eve = house.back(ann), house.back(eve)
        # Nobody asks for the games: the sweep alone finds them.
        store = house.served.services.store
        for game in (active, waiting):
            while True:
                stored = house.served.run(queries.match_by_id(store, game["id"]))
                assert stored is not None
                if stored.match.status == "expired":
                    break
        assert ann.active_game() is None
        assert eve.active_game() is None
