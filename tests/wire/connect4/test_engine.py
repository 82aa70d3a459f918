"""Connect 4 as a library: six operations on both stores, and what they refuse."""

from __future__ import annotations

import asyncio
import re
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from parlour.bus import LocalBus
from parlour.games.connect4.engine import (
    Engine,
    GameEnded,
    GameError,
    GameNotFound,
    GameSession,
    InvalidMove,
    InvalidPlayers,
    MoveResult,
    NotPlayerTurn,
    PlayerNotFound,
)
from parlour.games.connect4.policy import policy
from parlour.games.connect4.rules import RULES, Claim
from parlour.games.registry import all_rules
from parlour.play.kernel import Kernel
from parlour.play.player import Player
from parlour.play.policy import Policy
from parlour.settings import Settings
from parlour.store import queries, schema
from parlour.store.api import Store
from parlour.store.change import Change, UserRow
from tests.play.conftest import SetClock, think_here
from tests.wire.connect4 import conftest as web
from tests.wire.connect4.conftest import DRAW, WIN, House

NO_GAME = "00000000-0000-7000-8000-000000000000"
GUIDE = Path(__file__).parents[3] / "docs" / "ENGINE.md"


@pytest.fixture
def engine_on(store: Store) -> Engine:
    return Engine(store)


async def play(engine: Engine, game: GameSession, columns: Iterable[int]) -> MoveResult:
    """Drop discs in turn, ada first."""
    for number, column in enumerate(columns):
        result = await engine.make_move(game.id, ("ada", "grace")[number % 2], column)
    return result


async def refused(engine: Engine, game: GameSession, player: str, column: int) -> GameError:
    """Both ways of trying a move raise the same, and change nothing."""
    before = await engine.get_game(game.id)
    with pytest.raises(GameError) as tried:
        await engine.validate_move(game.id, player, column)
    with pytest.raises(GameError) as made:
        await engine.make_move(game.id, player, column)
    assert type(made.value) is type(tried.value)
    assert made.value.body == tried.value.body
    assert await engine.get_game(game.id) == before
    return made.value


# --- operations -------------------------------------------------------------------------------


@pytest.mark.spec("E1", "E2", "E8", "E9", "E22")
async def test_a_new_game_is_empty_and_red_begins(engine_on: Engine) -> None:
    game = await engine_on.create_game("ada", "grace")
    assert (game.player1, game.player2) == ("ada", "grace")
    assert (game.status, game.current_turn, game.winner) == ("in_progress", "red", None)
    assert game.board.grid == (("",) * 7,) * 6
    assert game.board.height == (0,) * 7
    assert game.player_color("ada") == "red"
    assert game.player_color("grace") == "yellow"
    assert await engine_on.get_game(game.id) == game


@pytest.mark.spec("E3", "E10", "E23", "E24", "E27")
async def test_a_disc_falls_to_the_lowest_free_row_and_the_turn_passes(engine_on: Engine) -> None:
    game = await engine_on.create_game("ada", "grace")
    first = await engine_on.make_move(game.id, "ada", 3)
    assert (first.player, first.column, first.row) == ("ada", 3, 0)
    assert not first.end.ended
    assert first.game.current_turn == "yellow"
    second = await engine_on.make_move(game.id, "grace", 3)
    assert second.row == 1
    assert second.game.board.grid[0][3] == "red"
    assert second.game.board.grid[1][3] == "yellow"
    assert second.game.board.height == (0, 0, 0, 2, 0, 0, 0)
    assert second.game.current_turn == "red"
    assert await engine_on.get_game(game.id) == second.game


@pytest.mark.spec("E7", "E24")
async def test_sessions_and_moves_are_kept_in_the_store(engine_on: Engine, store: Store) -> None:
    game = await engine_on.create_game("ada", "grace")
    await play(engine_on, game, (3, 4))
    stored = await queries.match_by_id(store, game.id)
    assert stored is not None
    assert [seat.name for seat in stored.seats] == ["ada", "grace"]
    journal = await queries.journal(store, game.id)
    assert [(entry.kind, entry.seat) for entry in journal] == [
        ("start", None),
        ("act", 0),
        ("act", 1),
    ]


@pytest.mark.spec("E4")
async def test_validating_changes_nothing(engine_on: Engine) -> None:
    game = await engine_on.create_game("ada", "grace")
    await engine_on.validate_move(game.id, "ada", 3)
    assert await engine_on.get_game(game.id) == game


@pytest.mark.spec("E5", "E20", "E25")
async def test_four_in_a_row_completes_the_game(engine_on: Engine) -> None:
    game = await engine_on.create_game("ada", "grace")
    result = await play(engine_on, game, WIN)
    assert (result.end.ended, result.end.winner, result.end.is_draw) == (True, "ada", False)
    assert result.end.reason == "CONNECT4"
    assert (result.game.status, result.game.winner) == ("completed", "ada")
    assert await engine_on.check_game_end(await engine_on.get_game(game.id)) == result.end
    assert not (await engine_on.check_game_end(game)).ended, "that session was before the end"


@pytest.mark.spec("E5", "E18", "E20", "E26")
async def test_a_full_board_is_a_draw(engine_on: Engine) -> None:
    game = await engine_on.create_game("ada", "grace")
    result = await play(engine_on, game, DRAW)
    assert (result.end.ended, result.end.winner, result.end.is_draw) == (True, None, True)
    assert (result.game.status, result.game.winner) == ("completed", None)
    assert result.game.board.is_full


@pytest.mark.spec("E6", "E23")
async def test_whose_turn_it_is(engine_on: Engine) -> None:
    game = await engine_on.create_game("ada", "grace")
    assert await engine_on.is_player_turn(game, "ada")
    assert not await engine_on.is_player_turn(game, "grace")
    assert not await engine_on.is_player_turn(game, "eve")
    after = (await engine_on.make_move(game.id, "ada", 0)).game
    assert await engine_on.is_player_turn(after, "grace")
    over = (await play(engine_on, await engine_on.create_game("ada", "grace"), WIN)).game
    assert not await engine_on.is_player_turn(over, "ada")


@pytest.mark.spec("E22")
async def test_there_is_no_limit_to_open_games_and_red_begins_in_each(engine_on: Engine) -> None:
    games = [await engine_on.create_game("ada", "grace") for _ in range(12)]
    assert len({game.id for game in games}) == 12
    assert {game.current_turn for game in games} == {"red"}


async def test_time_passes_and_nobody_is_ever_gone(engine_on: Engine) -> None:
    clock = engine_on._kernel.runtime.clock = SetClock()
    game = await engine_on.create_game("ada", "grace")
    clock.pass_ms(10 * 365 * 86_400_000)
    after = (await engine_on.make_move(game.id, "ada", 3)).game
    assert after.created_at == game.created_at == game.updated_at
    assert (after.updated_at - after.created_at).days == 10 * 365


async def test_two_engines_on_one_store_see_the_same(store: Store) -> None:
    one, other = Engine(store), Engine(store)
    game = await one.create_game("ada", "grace")
    await other.make_move(game.id, "ada", 3)
    assert (await one.get_game(game.id)).board.height[3] == 1
    await one.make_move(game.id, "grace", 3)
    moves = (other.make_move(game.id, "ada", column) for column in range(7))
    results = await asyncio.gather(*moves, return_exceptions=True)
    assert sum(isinstance(result, MoveResult) for result in results) == 1
    assert sum(isinstance(result, NotPlayerTurn) for result in results) == 6
    assert len((await one.get_game(game.id)).moves) == 3


# --- refusals, in their order -----------------------------------------------------------------


@pytest.mark.spec("E29", "E33")
@pytest.mark.parametrize("game_id", [NO_GAME, "", "nonsense", "\u0000", "💥", "x" * 5000])
async def test_an_unknown_game(engine_on: Engine, game_id: str) -> None:
    for attempt in (
        engine_on.get_game(game_id),
        engine_on.make_move(game_id, "ada", 3),
        engine_on.validate_move(game_id, "ada", 3),
    ):
        with pytest.raises(GameNotFound) as error:
            await attempt
        assert error.value.http_status == 404
        assert error.value.body == {
            "code": "GAME_NOT_FOUND",
            "message": "There is no such game.",
            "details": game_id,
        }


@pytest.mark.spec("E12", "E13", "E31", "E33")
async def test_a_game_that_is_over(engine_on: Engine) -> None:
    game = await engine_on.create_game("ada", "grace")
    await play(engine_on, game, WIN)
    for player in ("ada", "grace", "eve"):
        error = await refused(engine_on, game, player, 99)
        assert isinstance(error, GameEnded)
        assert error.http_status == 400
        assert error.body == {"code": "GAME_ENDED", "message": "The game is over."}


@pytest.mark.spec("E32")
async def test_somebody_else(engine_on: Engine) -> None:
    game = await engine_on.create_game("ada", "grace")
    for name in ("eve", "", "Ada"):
        error = await refused(engine_on, game, name, 99)
        assert isinstance(error, PlayerNotFound)
        assert (error.http_status, error.code) == (404, "PLAYER_NOT_FOUND")
    with pytest.raises(PlayerNotFound):
        game.player_color("eve")


@pytest.mark.spec("E4", "E12", "E30")
async def test_the_turn_is_checked_before_the_column(engine_on: Engine) -> None:
    game = await engine_on.create_game("ada", "grace")
    for column in (3, 99):
        error = await refused(engine_on, game, "grace", column)
        assert isinstance(error, NotPlayerTurn)
        assert (error.http_status, error.code) == (403, "NOT_PLAYER_TURN")


@pytest.mark.spec("E4", "E12", "E14", "E28")
async def test_a_column_that_is_none_or_full(engine_on: Engine) -> None:
    game = await engine_on.create_game("ada", "grace")
    odd: tuple[Any, ...] = (True, 3.0, "3", None)
    for column in (-1, 7, 10**30, *odd):
        error = await refused(engine_on, game, "ada", column)
        assert isinstance(error, InvalidMove)
        assert (error.http_status, error.code) == (400, "INVALID_MOVE")
    await play(engine_on, game, [2] * 6)
    assert isinstance(await refused(engine_on, game, "ada", 2), InvalidMove)


@pytest.mark.spec("E1")
@pytest.mark.parametrize(
    "names", [("ada", "ada"), ("", "grace"), ("ada", "x" * 101), ("ada", "a\u0000b")]
)
async def test_who_cannot_play(engine_on: Engine, store: Store, names: tuple[str, str]) -> None:
    with pytest.raises(InvalidPlayers) as error:
        await engine_on.create_game(*names)
    assert (error.value.http_status, error.value.code) == (400, "INVALID_PLAYERS")
    assert await store.rows(select(schema.match)) == []


# --- beside a server --------------------------------------------------------------------------


@pytest.mark.spec("E19", "E21", "E13")
async def test_games_of_the_web_can_be_read(engine_on: Engine, store: Store) -> None:
    clock = SetClock()
    chosen = {"connect4": policy(Settings())}
    kernel = Kernel(store, LocalBus(), {"connect4": RULES}, chosen, think_here, clock=clock)
    for name in ("ada", "grace"):
        row = UserRow(id=name, subject=name, username=name, created_at=0, updated_at=0)
        await store.commit(Change((row,)))
    match = await kernel.seating.open("connect4", Player(name="ada", user_id="ada"))
    waiting = await engine_on.get_game(match.id)
    assert (waiting.status, waiting.player2) == ("waiting", None)
    assert isinstance(await refused(engine_on, waiting, "ada", 3), InvalidMove)
    await kernel.seating.join(match.id, Player(name="grace", user_id="grace"))
    assert (await engine_on.get_game(match.id)).status == "in_progress"
    clock.pass_ms(30_001)
    await kernel.steps.act(match.id, 1, Claim())
    game = await engine_on.get_game(match.id)
    assert (game.status, game.winner) == ("abandoned", "grace")
    end = await engine_on.check_game_end(game)
    assert (end.ended, end.winner, end.reason) == (True, "grace", "ABANDONED")
    assert isinstance(await refused(engine_on, game, "ada", 3), GameEnded)
    await kernel.drain()


async def test_a_game_of_the_web_that_was_called_off_is_none(
    engine_on: Engine, store: Store
) -> None:
    chosen = {"connect4": policy(Settings())}
    kernel = Kernel(store, LocalBus(), {"connect4": RULES}, chosen, think_here)
    match = await kernel.seating.open("connect4", Player(name="ada"))
    await kernel.seating.cancel(match.id, 0)
    with pytest.raises(GameNotFound):
        await engine_on.get_game(match.id)


async def test_reading_a_game_of_the_web_does_not_change_when_it_is_given_up(
    engine_on: Engine, store: Store
) -> None:
    settings = Settings.given(waiting_game_ttl_sec=0.05)
    chosen = {"connect4": policy(settings)}
    kernel = Kernel(store, LocalBus(), {"connect4": RULES}, chosen, think_here)
    match = await kernel.seating.open("connect4", Player(name="ada"))
    kernel.residents.drain()  # nobody gives it up by a timer
    before = await queries.match_by_id(store, match.id)
    await engine_on.get_game(match.id)
    await engine_on.close()
    assert await queries.match_by_id(store, match.id) == before
    await kernel.drain()


def test_the_web_does_not_show_games_of_the_engine(house: House) -> None:
    served = house.served
    game = served.run(Engine(served.services.store).create_game("ada", "grace"))
    web.refused(house.new_player().get(f"/api/games/{game.id}"), 404, "GAME_NOT_FOUND")


async def test_a_match_of_another_game_is_none_of_ours(engine_on: Engine, store: Store) -> None:
    rules = {"quarto": all_rules()["quarto"]}
    chosen = {"quarto": Policy(options=rules["quarto"].options_type())}
    kernel = Kernel(store, LocalBus(), rules, chosen, think_here)
    room = await kernel.seating.open("quarto", Player(name="ada"))
    with pytest.raises(GameNotFound):
        await engine_on.get_game(room.id)


@pytest.mark.spec("E41", "E42", "E43")
async def test_events_are_written_with_what_they_tell_of(store: Store) -> None:
    engine = Engine(store, analytics=True)
    game = await engine.create_game("ada", "grace")
    await play(engine, game, WIN)
    rows = await store.rows(select(schema.outbox).order_by(schema.outbox.c.position))
    types = [row["type"] for row in rows]
    begun = ["player_joined", "player_joined", "game_started"]
    assert types == [*begun, *["move_made"] * len(WIN), "game_completed"]
    assert {row["key"] for row in rows} == {game.id}


# --- the guide --------------------------------------------------------------------------------


def test_the_example_in_the_guide_works(tmp_path: Path) -> None:
    fenced = re.compile(r"^```(python|text)\n(.*?)^```", re.MULTILINE | re.DOTALL)
    blocks = dict(fenced.findall(GUIDE.read_text()))
    ran = subprocess.run(  # noqa: S603 (our own guide)
        [sys.executable, "-W", "error", "-c", blocks["python"]],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.stderr == ""
    assert ran.stdout == blocks["text"]
    lines = blocks["python"].partition("async def main")[2].strip().splitlines()
    assert len(lines) <= 10
