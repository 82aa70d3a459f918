"""Moves over HTTP: what they answer, in which order they are checked, how a game ends."""

from __future__ import annotations

from datetime import datetime
from itertools import pairwise

import pytest

from parlour.games.connect4.rules import Drop
from parlour.store.change import Change, ChangeRating, Conflict
from tests.servers.parlour import Served
from tests.wire.connect4.conftest import (
    DRAW,
    WIN,
    House,
    NewPlayer,
    Player,
    begin,
    finished,
    in_turn,
    just_before,
    nothing_changes,
    ok,
    play,
    refused,
    settled,
)


@pytest.mark.spec("A42", "A47", "A48", "A56", "A73", "A75")
def test_a_disc_falls_and_the_turn_passes(ann: Player, bob: Player) -> None:
    game = begin(ann, bob)
    first, second = in_turn(game, ann, bob)
    number = game["currentTurn"]
    answer = ok(first.move(game, 3))
    assert set(answer) == {"status", "game", "move"}
    assert answer["status"] == "move_applied"
    move, after = answer["move"], answer["game"]
    assert datetime.fromisoformat(move.pop("ts")).tzinfo is not None
    assert move == {
        "moveNumber": 1,
        "column": 3,
        "row": 5,
        "player": number,
        "userId": first.id,
    }
    assert after["board"] == "0" * 38 + str(number) + "000"
    assert after["currentTurn"] == 3 - number
    assert after["moves"] == [answer["move"] | {"ts": after["moves"][0]["ts"]}]
    assert after["status"] == "ACTIVE"
    again = ok(second.move(game, 3))
    assert (again["move"]["row"], again["move"]["moveNumber"]) == (4, 2)
    assert again["game"]["board"][4 * 7 + 3] == str(3 - number)
    assert settled(ann.look(game)) == settled(again["game"])


@pytest.mark.spec("A73", "A135")
def test_a_move_is_a_sign_of_life(ann: Player, bob: Player) -> None:
    game = begin(ann, bob)
    first, second = in_turn(game, ann, bob)
    seen = f"player{game['currentTurn']}LastSeen"
    moments = [game[seen]]
    for number, column in enumerate((3, 4, 3)):
        moments.append(ok((first, second)[number % 2].move(game, column))["game"][seen])
    assert all(before <= after for before, after in pairwise(moments))
    assert moments[-1] > moments[0]


@pytest.mark.spec("A37", "A38", "A40", "A66", "A68", "A74", "A75", "A52")
def test_four_in_a_row_wins(ann: Player, bob: Player) -> None:
    game = begin(ann, bob)
    first, second = in_turn(game, ann, bob)
    number = game["currentTurn"]
    answer = play(game, first, second, WIN)
    assert (answer["status"], answer["reason"]) == ("game_ended", "CONNECT4")
    after = answer["game"]
    assert after["status"] == "COMPLETED"
    assert after["result"] == f"P{number}_WIN"
    assert after["endedReason"] == "CONNECT4"
    assert after["winnerId"] == first.id
    assert after["currentTurn"] == number, "the turn stays with the winner"
    assert (after[f"p{number}RatingDelta"], after[f"p{3 - number}RatingDelta"]) == (16, -16)
    assert after["ratingAppliedAt"] == after["completedAt"] is not None
    assert after["legalColumns"] == []
    assert sorted(map(tuple, after["winningCells"])) == [(2, 0), (3, 0), (4, 0), (5, 0)]
    assert after[f"player{number}"]["rating"] == 1016


@pytest.mark.spec("A37", "A38", "A53", "A67", "A75")
def test_a_full_board_without_four_is_a_draw(ann: Player, bob: Player) -> None:
    game = begin(ann, bob)
    answer = play(game, *in_turn(game, ann, bob), DRAW)
    assert (answer["status"], answer["reason"]) == ("game_ended", "BOARD_FULL")
    after = answer["game"]
    assert (after["status"], after["result"], after["endedReason"]) == (
        "COMPLETED",
        "DRAW",
        "BOARD_FULL",
    )
    assert after["winnerId"] is None
    assert (after["p1RatingDelta"], after["p2RatingDelta"]) == (0, 0)
    assert after["ratingAppliedAt"] is not None
    assert after["winningCells"] == []
    assert "0" not in after["board"]
    assert len(after["moves"]) == 42


@pytest.mark.spec("A72", "A52")
def test_elo_counts_from_the_ratings_at_the_start(new_player: NewPlayer) -> None:
    ann, bob = new_player(), new_player()
    game = finished(ann, bob)
    winner, loser = (ann, bob) if game["winnerId"] == ann.id else (bob, ann)
    second = begin(winner, loser)
    first, other = in_turn(second, winner, loser)
    after = play(second, first, other, WIN)["game"]
    before = (after["p1RatingBefore"], after["p2RatingBefore"])
    assert before == (1016, 984)
    gain = 15 if after["winnerId"] == winner.id else 17
    deltas = (after["p1RatingDelta"], after["p2RatingDelta"])
    assert deltas == ((gain, -gain) if after["winnerId"] == winner.id else (-gain, gain))
    assert sum(deltas) == 0


@pytest.mark.spec("A72", "A70")
def test_a_rating_that_moved_meanwhile_does_not_count(
    ann: Player, bob: Player, served: Served
) -> None:
    game = begin(ann, bob)
    first, second = in_turn(game, ann, bob)
    raised = ChangeRating(user_id=first.id, game="connect4", delta=400, result="win", at=1)
    served.run(served.services.store.commit(Change((raised,))))
    after = play(game, first, second, WIN)["game"]
    number = game["currentTurn"]
    assert (after["p1RatingBefore"], after["p2RatingBefore"]) == (1000, 1000)
    assert (after[f"p{number}RatingDelta"], after[f"p{3 - number}RatingDelta"]) == (16, -16)
    assert first.me()["rating"] == 1416, "it moves from where it is"


@pytest.mark.spec("A34")
def test_every_move_updates_the_game(ann: Player, bob: Player, house: House) -> None:
    game = begin(ann, bob)
    first, second = in_turn(game, ann, bob)
    for number, column in enumerate(WIN):
        house.pass_sec(1)
        after = ok((first, second)[number % 2].move(game, column))["game"]
        assert after["createdAt"] == game["createdAt"]
        assert after["updatedAt"] == after["moves"][-1]["ts"] > after["createdAt"]
    assert after["completedAt"] == after["updatedAt"]


# --- races ------------------------------------------------------------------------------------


@pytest.mark.spec("A69", "A134")
@pytest.mark.parametrize("made", [(), WIN[:-1]], ids=["goes on", "is won"])
def test_who_was_overtaken_by_a_move_of_their_own_is_told_of_the_conflict(
    ann: Player, bob: Player, eve: Player, served: Served, made: tuple[int, ...]
) -> None:
    """Two windows of one player: the one that comes second was to move when it asked."""
    game = begin(ann, bob)
    first, second = in_turn(game, ann, bob)
    play(game, first, second, made)
    kernel, seat = served.services.kernel, game["currentTurn"] - 1

    async def overtake() -> None:
        await kernel.steps.act(game["id"], seat, Drop(0))

    with just_before(kernel.steps, "act", overtake):
        refused(first.move_by_route(game, 3), 409, "MOVE_CONFLICT")
    assert [move["column"] for move in eve.look(game)["moves"]] == [*made, 0]


@pytest.mark.spec("A69", "A134")
def test_a_guard_that_fails_again_and_again_is_a_conflict(
    ann: Player, bob: Player, eve: Player, house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    waiting, game, cid = eve.create(), begin(ann, bob), house.new_player()

    async def refuse(change: object) -> None:
        raise Conflict

    with nothing_changes(cid, waiting, game), monkeypatch.context() as patch:
        patch.setattr(house.served.services.store, "commit", refuse)
        patch.setattr(house.served.services.store, "submit", lambda *_: False)
        refused(in_turn(game, ann, bob)[0].move(game, 3), 409, "MOVE_CONFLICT")
        refused(cid.post("/api/games"), 409, "MOVE_CONFLICT")
        refused(cid.post(f"/api/games/join/{waiting['code']}"), 409, "MOVE_CONFLICT")


# --- refusals, in their order -----------------------------------------------------------------


@pytest.mark.spec("A60", "A133")
def test_nobody_moves_before_the_game_begins(ann: Player, bob: Player) -> None:
    game = ann.create()
    with nothing_changes(bob, game):
        refused(ann.move(game, 3), 409, "GAME_NOT_STARTED")
        refused(bob.move(game, 3), 409, "GAME_NOT_STARTED")


@pytest.mark.spec("A59", "A133")
def test_nobody_moves_after_the_end(ann: Player, bob: Player, eve: Player) -> None:
    game = finished(ann, bob)
    with nothing_changes(eve, game):
        for player in (ann, bob, eve):
            refused(player.move(game, 3), 409, "GAME_NOT_ACTIVE")


@pytest.mark.spec("A61", "A133")
def test_an_onlooker_does_not_move(ann: Player, bob: Player, eve: Player) -> None:
    game = begin(ann, bob)
    with nothing_changes(eve, game):
        refused(eve.move(game, 3), 403, "NOT_IN_GAME")
        refused(eve.move(game, 99), 403, "NOT_IN_GAME")


@pytest.mark.spec("A63", "A64", "A133")
def test_the_turn_is_checked_before_the_column(ann: Player, bob: Player, eve: Player) -> None:
    game = begin(ann, bob)
    first, second = in_turn(game, ann, bob)
    with nothing_changes(eve, game):
        for column in (3, 7, -1):
            refused(second.move(game, column), 403, "NOT_YOUR_TURN")
        for column in (7, -1, 2**31, -(2**63), 2**64, 10**30):
            refused(first.move(game, column), 400, "INVALID_COLUMN")


@pytest.mark.spec("A65", "A133", "A49")
def test_a_full_column_takes_no_more(ann: Player, bob: Player, eve: Player) -> None:
    game = begin(ann, bob)
    first, second = in_turn(game, ann, bob)
    play(game, first, second, [2] * 6)
    with nothing_changes(eve, game):
        refused(first.move(game, 2), 400, "COLUMN_FULL")
    assert ann.look(game)["legalColumns"] == [0, 1, 3, 4, 5, 6]


BODIES = (
    b"",
    b"null",
    b"[]",
    b"3",
    b"{",
    b"{}",
    b"not json",
    b"\xff\xfe",
    b'{"column": null}',
    b'{"column": "3"}',
    b'{"column": 3.5}',
    b'{"column": 3.0}',
    b'{"column": true}',
    b'{"column": [3]}',
    b'{"column": {"column": 3}}',
    b'{"Column": 3}',
    b'{"column": 1e400}',
    b'{"column": ' + b"9" * 6000 + b"}",
    b'{"column": 3',
    b'{"column": 3}{"column": 4}',
    b"[" * 10_000,
)


@pytest.mark.spec("A56")
@pytest.mark.parametrize("body", BODIES, ids=lambda body: repr(body[:20]))
def test_what_is_no_move_is_refused_before_the_game_is_looked_up(
    ann: Player, bob: Player, eve: Player, body: bytes
) -> None:
    game = begin(ann, bob)
    first, second = in_turn(game, ann, bob)
    with nothing_changes(eve, game):
        for player in (first, second, eve):
            answer = player.post(f"/api/games/{game['id']}/move", content=body)
            refused(answer, 400, "INVALID_BODY")
        refused(first.post("/api/games/nonsense/move", content=body), 400, "INVALID_BODY")
    ok(first.move(game, 3))


def test_a_megabyte_is_too_much(ann: Player, bob: Player, eve: Player) -> None:
    game = begin(ann, bob)
    first, _ = in_turn(game, ann, bob)
    body = b'{"column": 3, "why": "' + b"x" * 2**20 + b'"}'
    with nothing_changes(eve, game):
        answer = first.post(f"/api/games/{game['id']}/move", content=body)
        refused(answer, 413, "BODY_TOO_LARGE")
    ok(first.move(game, 3))


def test_more_than_was_asked_for_does_no_harm(ann: Player, bob: Player) -> None:
    game = begin(ann, bob)
    first, _ = in_turn(game, ann, bob)
    body = {"column": 3, "player": 2, "board": "2" * 42, "winnerId": first.id}
    ok(first.post(f"/api/games/{game['id']}/move", json=body))
    assert ann.look(game)["moves"][0]["column"] == 3


@pytest.mark.spec("A57", "A68", "A70")
def test_the_last_move_the_result_and_the_ratings_are_one_commit(
    ann: Player, bob: Player, served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = begin(ann, bob)
    first, second = in_turn(game, ann, bob)
    play(game, first, second, WIN[:-1])
    store = served.services.store
    changes = []
    real = store.commit

    async def commit(change: object) -> None:
        changes.append(change)
        await real(change)  # type: ignore[arg-type] # passed on

    monkeypatch.setattr(store, "commit", commit)
    ok(first.move_by_route(game, WIN[-1]))
    [writes] = [change.writes for change in changes if len(change.writes) > 1]  # type: ignore[attr-defined] # as above
    kinds = [type(write).__name__ for write in writes]
    assert kinds == [
        "JournalRow",
        "RewriteMatch",
        "CloseSeat",
        "CloseSeat",
        "ChangeRating",
        "ChangeRating",
    ]
