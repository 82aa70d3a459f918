"""Who is not seen for too long: claims, heartbeats, and games given up for lack of use.

Time is moved, not waited for, so that a slow machine changes nothing.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from parlour.games.connect4.rules import Claim, Drop
from parlour.settings import Settings
from parlour.store import queries
from tests.wire.connect4.conftest import (
    WIN,
    Game,
    House,
    NewPlayer,
    Player,
    begin,
    finished,
    in_turn,
    just_before,
    live,
    nothing_changes,
    ok,
    opened,
    play,
    refused,
    settled,
    to_anyone,
)

TOO_LONG = 30.1
NOT_YET = 20


@pytest.mark.spec("A54", "A76", "A79", "A80", "A83", "A40", "A52", "A36", "A38")
def test_the_win_over_who_is_gone_is_claimed(
    ann: Player, bob: Player, eve: Player, house: House
) -> None:
    game = begin(ann, bob)
    house.pass_sec(TOO_LONG)
    over = ok(ann.claim(game))["game"]
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


@pytest.mark.spec("A79", "A80", "A37")
def test_the_second_player_may_claim_as_well(ann: Player, bob: Player, house: House) -> None:
    game = begin(ann, bob)
    house.pass_sec(TOO_LONG)
    over = ok(bob.claim(game))["game"]
    assert (over["status"], over["result"], over["winnerId"]) == ("ABANDONED", "P2_WIN", bob.id)
    assert (over["p1RatingDelta"], over["p2RatingDelta"]) == (-16, 16)
    assert (bob.me()["rating"], bob.me()["wins"]) == (1016, 1)
    assert (ann.me()["rating"], ann.me()["losses"]) == (984, 1)


@pytest.mark.spec("A82")
@pytest.mark.parametrize("by", ["a winning move", "the same claim"])
def test_a_claim_that_comes_too_late_is_answered_with_the_game_as_it_ended(
    ann: Player, bob: Player, eve: Player, house: House, by: str
) -> None:
    game = begin(ann, bob)
    winner, claimer = in_turn(game, ann, bob)
    play(game, winner, claimer, WIN[:-1])
    house.pass_sec(TOO_LONG)
    claimer.look(game)
    kernel, seat = house.served.services.kernel, game["currentTurn"] - 1

    async def end() -> None:
        ending = (seat, Drop(WIN[-1])) if by == "a winning move" else (1 - seat, Claim())
        await kernel.steps.act(game["id"], *ending)

    with just_before(kernel.steps, "act", end):
        answer = ok(claimer.claim(game))["game"]
    assert settled(answer) == settled(eve.look(game))
    assert answer["status"] == ("COMPLETED" if by == "a winning move" else "ABANDONED")
    assert answer["winnerId"] == (winner if by == "a winning move" else claimer).id
    assert sorted((ann.me()["rating"], bob.me()["rating"])) == [984, 1016], "rated once"
    assert (ann.me()["wins"] + bob.me()["wins"], ann.me()["losses"] + bob.me()["losses"]) == (1, 1)


@pytest.mark.spec("A77", "A78", "A133")
def test_who_may_not_claim(
    ann: Player, bob: Player, eve: Player, new_player: NewPlayer, house: House
) -> None:
    waiting = new_player().create()
    game = begin(ann, bob)
    over = finished(new_player(), new_player())
    with nothing_changes(eve, waiting, game, over):
        for player in (ann, bob):
            refused(player.claim(game), 400, "OPPONENT_NOT_ABANDONED")
        house.pass_sec(NOT_YET)
        for player in (ann, bob):
            refused(player.claim(game), 400, "OPPONENT_NOT_ABANDONED")
        house.pass_sec(TOO_LONG)
        refused(eve.claim(waiting), 409, "GAME_NOT_STARTED")
        refused(eve.claim(game), 403, "NOT_IN_GAME")
        refused(eve.claim(over), 409, "GAME_NOT_ACTIVE")


@pytest.mark.spec("A62", "A54", "A55", "A133")
def test_against_who_is_gone_nothing_but_a_claim_is_possible(
    ann: Player, bob: Player, eve: Player, house: House
) -> None:
    game = begin(ann, bob)
    house.pass_sec(TOO_LONG)
    with nothing_changes(eve, game):
        for player in (ann, bob):
            for column in (0, 99):
                # Before the turn and the column are looked at.
                refused(player.move(game, column), 400, "USE_CLAIM_ABANDONED_ENDPOINT")


@pytest.mark.spec("A78", "A135", "A33")
@pytest.mark.parametrize("path", ["/api/games/{id}", "/api/games/by-public/{publicId}"])
def test_looking_at_the_game_is_a_sign_of_life(
    ann: Player, bob: Player, house: House, path: str
) -> None:
    game = begin(ann, bob)
    for _ in range(3):
        house.pass_sec(NOT_YET)
        shown = ok(bob.get(path.format(**game)))
        refused(ann.claim(game), 400, "OPPONENT_NOT_ABANDONED")
    assert shown["player2LastSeen"] > game["player2LastSeen"]
    assert shown["updatedAt"] == shown["player2LastSeen"], "it counts as touching the game"
    assert shown["player1LastSeen"] == game["player1LastSeen"]
    house.pass_sec(TOO_LONG)
    over = ok(ann.claim(game))["game"]
    assert over["player2LastSeen"] == shown["player2LastSeen"]


@pytest.mark.spec("A73")
def test_a_move_keeps_the_mover_there(ann: Player, bob: Player, house: House) -> None:
    game = begin(ann, bob)
    first, second = in_turn(game, ann, bob)
    house.pass_sec(NOT_YET)
    ok(first.move(game, 0))
    house.pass_sec(NOT_YET)
    refused(second.claim(game), 400, "OPPONENT_NOT_ABANDONED")
    house.pass_sec(NOT_YET)
    assert ok(second.claim(game))["game"]["winnerId"] == second.id


OTHER_REQUESTS = (
    ("GET", "/api/users/me"),
    ("GET", "/api/users/me/active-game"),
    ("GET", "/api/matchmaking/status"),
    ("POST", "/api/games/{id}/claim-abandoned"),
    ("POST", "/api/games/{id}/rematch"),
    ("POST", "/api/games/{id}/move"),
)


def test_nothing_else_is_a_sign_of_life(ann: Player, bob: Player, house: House) -> None:
    game = begin(ann, bob)
    first, second = in_turn(game, ann, bob)
    for _ in range(2):
        house.pass_sec(NOT_YET)
        for method, path in OTHER_REQUESTS:
            body = {"column": 99} if "move" in path else None
            second.ask(method, path.format(**game), json=body)
        first.look(game)
    assert ok(first.claim(game))["game"]["winnerId"] == first.id


async def test_an_open_socket_is_a_sign_of_life(ann: Player, bob: Player, house: House) -> None:
    game = begin(ann, bob)
    async with live(bob, game) as socket:
        await socket.next("game")
        house.pass_sec(TOO_LONG)
        refused(ann.claim(game), 400, "OPPONENT_NOT_ABANDONED")
        async with live(ann, game) as mine:
            await mine.next("game")
            await socket.client.close()
            await mine.next("opponent_away")
    house.pass_sec(NOT_YET)
    refused(ann.claim(game), 400, "OPPONENT_NOT_ABANDONED")
    house.pass_sec(NOT_YET)
    assert ok(ann.claim(game))["game"]["winnerId"] == ann.id


def test_an_onlooker_keeps_nobody_there(
    ann: Player, bob: Player, eve: Player, house: House
) -> None:
    game = begin(ann, bob)
    house.pass_sec(TOO_LONG)
    eve.look(game)
    ok(ann.claim(game))


def test_after_the_end_nobody_is_seen_any_more(ann: Player, bob: Player, house: House) -> None:
    game = begin(ann, bob)
    house.pass_sec(TOO_LONG)
    over = ok(ann.claim(game))["game"]
    house.pass_sec(NOT_YET)
    for player in (ann, bob):
        assert to_anyone(player.look(over)) == to_anyone(over)


async def test_who_stays_at_the_table_after_the_end_is_not_seen_any_more_either(
    ann: Player, bob: Player, house: House
) -> None:
    game = begin(ann, bob)
    async with live(ann, game) as mine, live(bob, game) as theirs:
        await mine.next("game")
        await theirs.next("game")
        over = play(game, *in_turn(game, ann, bob), WIN)["game"]
        house.pass_sec(NOT_YET)
        for player in (ann, bob):
            assert to_anyone(player.look(over)) == to_anyone(over)
        assert over["player1LastSeen"] == over["player2LastSeen"] == over["completedAt"]


@pytest.mark.spec("A101", "A33", "A91")
def test_who_sits_down_is_seen_and_so_is_the_host(ann: Player, bob: Player, house: House) -> None:
    waiting = ann.create()
    house.pass_sec(TOO_LONG)
    game = bob.join(waiting)
    assert game["player1LastSeen"] == game["player2LastSeen"] > waiting["player1LastSeen"]
    refused(bob.claim(game), 400, "OPPONENT_NOT_ABANDONED")
    over = play(game, *in_turn(game, ann, bob), WIN)["game"]
    house.pass_sec(TOO_LONG)
    ok(ann.rematch(over))
    ok(bob.rematch(over))
    again = ann.active_game()
    assert again is not None
    assert again["player1LastSeen"] == again["player2LastSeen"] == again["createdAt"]
    for player in (ann, bob):
        refused(player.claim(again), 400, "OPPONENT_NOT_ABANDONED")


@pytest.mark.spec("A54", "A33", "A3")
def test_absence_goes_on_while_the_server_starts_anew(tmp_path: Path) -> None:
    settings = Settings(database_url=f"sqlite:///{tmp_path / 'parlour.db'}")
    with opened(settings) as house:
        ann, bob = house.new_player(), house.new_player()
        game = begin(ann, bob)
        play(game, *in_turn(game, ann, bob), WIN[:3])
        before = ann.look(game)
    with opened(settings) as house:
        house.pass_sec(NOT_YET)
        ann, bob = house.back(ann), house.back(bob)
        again = ann.look(game)
        assert settled(again) == settled(before)
        assert again["player2LastSeen"] <= before["player2LastSeen"]
        refused(ann.claim(game), 400, "OPPONENT_NOT_ABANDONED")
        house.pass_sec(NOT_YET)
        over = ok(ann.claim(game))["game"]
        assert (over["winnerId"], len(over["moves"])) == (ann.id, 3)


@pytest.mark.spec("A54", "A143", "A144")
def test_how_long_is_too_long_is_set_by_the_operator() -> None:
    patient = Settings.given(
        database_url="sqlite://",
        abandon_threshold_sec=100,
        waiting_game_ttl_sec=300,
        active_game_ttl_sec=200,
    )
    with opened(patient) as house:
        ann, bob = house.new_player(), house.new_player()
        game = begin(ann, bob)
        over = play(game, *in_turn(game, ann, bob), WIN)["game"]
        ok(ann.rematch(over))
        ok(bob.rematch(over))
        for rematch in (ann.active_game(), None):
            current = rematch or begin(ann, bob)
            house.pass_sec(99)
            refused(bob.claim(current), 400, "OPPONENT_NOT_ABANDONED")
            house.pass_sec(2)
            ok(bob.claim(current))
        waiting, active = ann.create(), begin(bob, house.new_player())
        house.pass_sec(199)
        house.sweep()
        assert bob.active_game() is not None
        house.pass_sec(2)
        house.sweep()
        assert_gone(bob, active)
        assert ann.active_game() is not None
        house.pass_sec(100)
        house.sweep()
        assert_gone(ann, waiting)


# --- games given up ---------------------------------------------------------------------------


def assert_gone(player: Player, game: Game) -> None:
    """To everyone it no longer exists."""
    refused(player.get(f"/api/games/{game['id']}"), 404, "GAME_NOT_FOUND")
    refused(player.get(f"/api/games/by-public/{game['publicId']}"), 404, "GAME_NOT_FOUND")
    refused(player.move(game, 3), 404, "GAME_NOT_FOUND")
    refused(player.claim(game), 404, "GAME_NOT_FOUND")
    refused(player.rematch(game), 404, "GAME_NOT_FOUND")
    assert player.active_game() is None


@pytest.mark.spec("A143")
def test_a_game_nobody_joins_is_given_up(ann: Player, bob: Player, house: House) -> None:
    game = ann.create()
    for _ in range(3):
        house.pass_sec(600)
        house.sweep()
        assert ann.look(game)["status"] == "WAITING", "its host was there ten minutes ago"
    house.pass_sec(901)
    house.sweep()
    assert_gone(ann, game)
    refused(bob.post(f"/api/games/join/{game['code']}"), 404, "GAME_NOT_FOUND")
    ann.create()


@pytest.mark.spec("A144")
def test_a_game_nobody_touches_is_given_up(
    ann: Player, bob: Player, eve: Player, house: House
) -> None:
    game = begin(ann, bob)
    ok(in_turn(game, ann, bob)[0].move(game, 3))
    for _ in range(3):
        house.pass_sec(20 * 3600)
        house.sweep()
        assert ann.look(game)["status"] == "ACTIVE", "looking counts as touching"
    house.pass_sec(24 * 3600 + 1)
    house.sweep()
    for player in (ann, bob):
        assert_gone(player, game)
        assert (player.me()["rating"], player.me()["losses"]) == (1000, 0)
    journal = house.served.run(queries.journal(house.served.services.store, game["id"]))
    assert [entry.kind for entry in journal] == ["open", "start", "act", "lapse"]
    refused(eve.get(f"/api/games/{game['id']}"), 404, "GAME_NOT_FOUND")


def test_a_move_at_a_game_that_was_just_given_up_finds_none(
    ann: Player, bob: Player, house: House
) -> None:
    game = begin(ann, bob)
    kernel = house.served.services.kernel

    async def give_up() -> None:
        house.pass_sec(24 * 3600 + 1)
        await kernel.keeper.sweep()

    with just_before(kernel.steps, "act", give_up):
        refused(in_turn(game, ann, bob)[0].move_by_route(game, 3), 404, "GAME_NOT_FOUND")
    assert_gone(ann, game)


@pytest.mark.spec("A143", "A144", "A149")
def test_games_are_given_up_though_the_server_was_away(tmp_path: Path) -> None:
    settings = Settings(database_url=f"sqlite:///{tmp_path / 'parlour.db'}")
    with opened(settings) as house:
        ann, bob, eve = (house.new_player() for _ in range(3))
        active, waiting = begin(ann, bob), eve.create()
    with opened(settings) as house:
        house.pass_sec(24 * 3600 + 1)
        house.sweep()
        assert_gone(house.back(ann), active)
        assert_gone(house.back(eve), waiting)


def test_a_game_is_given_up_on_time() -> None:
    """By its own deadline, before anybody sweeps."""
    with opened(Settings.given(database_url="sqlite://", waiting_game_ttl_sec=0.2)) as house:
        ann, bob = house.new_player(), house.new_player()
        game = ann.create()
        while bob.get(f"/api/games/{game['id']}").status_code == 200:
            pass
        assert_gone(ann, game)
