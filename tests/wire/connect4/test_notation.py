"""The board as the wire spells it, over random games; and games that something was wrong with."""

from __future__ import annotations

import json
import re
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from parlour.games.api import Dice, Env
from parlour.games.connect4.answers import game_of
from parlour.games.connect4.notation import board_text, cells, cells_as_json, open_columns
from parlour.games.connect4.rules import RULES, Drop, Options, State, View, history
from parlour.host.sight import Sight
from parlour.operators import Operator
from parlour.play.match import Match
from parlour.settings import Settings
from parlour.store import queries
from parlour.store.change import SeatRow
from tests.wire.connect4.conftest import (
    DRAW,
    WIN,
    Game,
    begin,
    in_turn,
    nothing_changes,
    ok,
    opened,
    play,
    refused,
    settled,
)

SPELT = {"0": "", "1": "red", "2": "yellow"}


@st.composite
def positions(draw: st.DrawFn) -> State:
    """Any position that can come about by legal moves."""
    env = Env(1_700_000_000_000, Dice(b"seed", 1))
    state = RULES.setup(Options(starter=draw(st.sampled_from((0, 1)))), env)
    for wish in draw(st.lists(st.integers(0, 6), max_size=42)):
        legal = RULES.legal(RULES.view(state, state.turn))
        if not legal:
            break
        state = RULES.act(state, state.turn, legal[wish % len(legal)], env).state
    return state


@pytest.mark.spec("A25", "A48", "A51")
@given(positions())
def test_a_board_is_42_characters_with_the_top_row_first(state: State) -> None:
    board = board_text(state)
    assert re.fullmatch("[012]{42}", board)
    from_below = [[SPELT[mark] for mark in board[start : start + 7]] for start in range(35, -1, -7)]
    assert [list(row) for row in cells(state)] == from_below
    assert json.loads(bytes(cells_as_json(state))) == from_below
    assert board.count("0") == 42 - len(state.moves)


@pytest.mark.spec("A42", "A47", "A48", "A28")
@settings(max_examples=60)
@given(positions())
def test_the_moves_of_a_game_lead_to_its_board(state: State) -> None:
    game = game_of(sight_of(state), {})
    board = ["0"] * 42
    for number, move in enumerate(game.moves, start=1):
        assert move.move_number == number
        index = move.row * 7 + move.column
        below = range(index + 7, 42, 7)
        assert board[index] == "0"
        assert all(board[each] != "0" for each in below), "a disc falls as far as it can"
        board[index] = str(move.player)
        assert move.user_id == ("user-0", "user-1")[move.player - 1]
    assert "".join(board) == game.board


@pytest.mark.spec("A29", "A37", "A38", "A66", "A67", "A74")
@pytest.mark.parametrize(
    ("columns", "starter", "told"),
    [
        (WIN, 0, ("P1_WIN", "CONNECT4", "user-0", 1)),
        (WIN, 1, ("P2_WIN", "CONNECT4", "user-1", 2)),
        (DRAW, 0, ("DRAW", "BOARD_FULL", None, 2)),
        (DRAW, 1, ("DRAW", "BOARD_FULL", None, 1)),
        (WIN[:-1], 1, (None, None, None, 2)),
    ],
)
def test_a_result_is_told_from_either_side(
    columns: tuple[int, ...], starter: int, told: tuple[str | None, str | None, str | None, int]
) -> None:
    env = Env(1_700_000_000_000, Dice(b"seed", 1))
    state = RULES.setup(Options(starter=starter), env)
    for column in columns:
        state = RULES.act(state, state.turn, Drop(column), env).state
    game = game_of(sight_of(state), {})
    assert (game.result, game.ended_reason, game.winner_id, game.current_turn) == told


@pytest.mark.spec("A65")
@given(positions())
def test_legal_columns_are_those_with_room(state: State) -> None:
    top = board_text(state)[:7]
    assert open_columns(state) == tuple(column for column in range(7) if top[column] == "0")


def sight_of(state: State) -> Sight[View]:
    return Sight(RULES, match_at(state), (), (False, False))


def match_at(state: State) -> Match:
    over = state.outcome
    began = next((move.seat for move in history(state)), state.turn)
    return Match(
        id=f"begun by {began}",  # of one match, by its id, moves are not told from the start again
        game="connect4",
        public_id="ABCDEFGH",
        status="finished" if over else "active",
        version=len(state.moves) + 1,
        state=state,
        options=b"{}",
        seed=b"",
        winner=over.winner if over else None,
        reason=over.reason if over else None,
        seats=tuple(SeatRow(seat=seat, user_id=f"user-{seat}", name="x") for seat in (0, 1)),
        created_at=0,
        updated_at=0,
    )


# --- what must never be -----------------------------------------------------------------------


def stored_as(path: Path, game: Game, **damage: Any) -> None:
    """Something else wrote to the database: a part of what it keeps of a game is not as it was."""
    with closing(sqlite3.connect(path)) as connection, connection:
        (state,) = connection.execute("SELECT state FROM match WHERE id = ?", (game["id"],))
        whole = json.dumps(json.loads(state[0]) | damage).encode()
        connection.execute("UPDATE match SET state = ? WHERE id = ?", (whole, game["id"]))


@pytest.mark.spec("A41", "A49")
def test_a_board_that_cannot_be_is_said_to_be_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "parlour.db"
    chosen = Settings(database_url=f"sqlite:///{path}")
    with opened(chosen) as house:
        players = [house.new_player() for _ in range(4)]
        game, whole = begin(*players[:2]), begin(*players[2:])
        first, second = in_turn(game, *players[:2])
        play(game, first, second, (3, 4))
    stored_as(path, game, red=1 << 21, yellow=1 << 21)
    with opened(chosen) as house:
        store = house.served.services.store
        before = house.served.run(queries.match_by_id(store, game["id"]))
        capsys.readouterr()
        for player in map(house.back, (first, second)):
            refused(player.move(game, 0), 500, "INTERNAL_ERROR")
            refused(player.get(f"/api/games/{game['id']}"), 500, "INTERNAL_ERROR")
        logged = " ".join(capsys.readouterr().out.split())
        assert f"match {game['id']} cannot be read: a cell is taken twice" in logged
        assert house.served.run(queries.match_by_id(store, game["id"])) == before
        ok(house.back(in_turn(whole, *players[2:])[0]).move(whole, 0))


@pytest.mark.spec("A43")
def test_moves_that_are_no_list_count_as_none(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "parlour.db"
    chosen = Settings(database_url=f"sqlite:///{path}")
    with opened(chosen) as house:
        players = house.new_player(), house.new_player()
        game = begin(*players)
        before = play(game, *in_turn(game, *players), WIN[:-1])["game"]
        house.served.run(Operator(house.served.services, yes=True).snapshot())
    stored_as(path, game, moves={"0": WIN})
    with opened(chosen) as house:
        first, second = map(house.back, in_turn(game, *players))
        capsys.readouterr()
        shown = second.look(game)
        logged = capsys.readouterr().out
        assert "part of a match cannot be read" in logged
        assert game["id"] in logged
        assert settled(shown) == settled(before) | {"moves": []}
        # The game goes on from the board, on which the next disc makes four.
        ended = ok(first.move(game, WIN[-1]))
        assert (ended["status"], ended["reason"]) == ("game_ended", "CONNECT4")
        assert (ended["move"]["moveNumber"], ended["move"]["row"]) == (1, 2)
        assert ended["game"]["winnerId"] == first.id


@pytest.mark.spec("A71", "A81", "A39")
def test_a_game_that_lost_its_ratings_does_not_end(tmp_path: Path) -> None:
    path = tmp_path / "parlour.db"
    chosen = Settings(database_url=f"sqlite:///{path}")
    with opened(chosen) as house:
        players = [house.new_player() for _ in range(5)]
        one, two = begin(*players[:2]), begin(*players[2:4])
        play(one, *in_turn(one, *players[:2]), WIN[:-1])
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE seat SET rating_before = NULL WHERE seat = 1")
    with opened(chosen) as house:
        ann, bob, cid, _, eve = map(house.back, players)
        first, _ = in_turn(one, ann, bob)
        with nothing_changes(eve, one, two):
            refused(first.move(one, WIN[-1]), 500, "INTERNAL_ERROR")
            house.pass_sec(31)
            refused(cid.claim(two), 500, "INTERNAL_ERROR")
        for player in (ann, bob, cid):
            assert (player.me()["rating"], player.me()["wins"]) == (1000, 0)
