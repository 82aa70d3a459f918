"""The live socket: what players and onlookers hear, in which order, and what they may say."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import InvalidStatus

from parlour.settings import Settings
from parlour.store import queries
from parlour.store.change import Unavailable
from tests.servers.parlour import Served
from tests.wire.connect4.conftest import (
    DRAW,
    WIN,
    Game,
    House,
    Live,
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
)


@asynccontextmanager
async def at_table(game: Game, *players: Player) -> AsyncIterator[list[Live]]:
    """Sockets that have been shown the game, and told of each other."""
    async with AsyncExitStack() as stack:
        sockets: list[Live] = []
        here: set[str] = set()
        for player in players:
            socket = await stack.enter_async_context(live(player, game))
            seats = (game["player1Id"], game["player2Id"])
            playing = game["status"] == "ACTIVE"
            here.add(player.id)
            await socket.shown(*(n for n in (1, 2) if playing and seats[n - 1] not in here))
            for earlier in sockets if playing and player.id in seats else ():
                await earlier.next("opponent_back")
            sockets.append(socket)
        yield sockets


# --- what is heard ----------------------------------------------------------------------------


@pytest.mark.spec("A7", "A150")
async def test_a_socket_begins_with_the_game(ann: Player, bob: Player, eve: Player) -> None:
    game = begin(ann, bob)
    for player in (ann, bob, eve):
        async with live(player, game) as socket:
            shown = await socket.shown(
                *(n for n, each in ((1, ann), (2, bob)) if each is not player)
            )
            await socket.nothing_before()
            assert settled(shown) == settled(ann.look(game))


@pytest.mark.spec("E38", "E40", "E22", "E23", "E8")
async def test_a_move_is_told_to_everyone_in_order(ann: Player, bob: Player, eve: Player) -> None:
    game = begin(ann, bob)
    first, second = in_turn(game, ann, bob)
    number = game["currentTurn"]
    async with at_table(game, first, second, eve) as sockets:
        await sockets[0].move(3)
        for socket in sockets:
            move = await socket.event()
            turn = await socket.event()
            assert (move["type"], turn["type"]) == ("move_made", "turn_changed")
            colour = "red" if number == 1 else "yellow"
            empty = [""] * 7
            assert move["payload"] == {
                "gameId": game["id"],
                "player": number,
                "column": 3,
                "row": 0,
                "board": {
                    "cells": [["", "", "", colour, "", "", ""], *([empty] * 5)],
                    "height": [0, 0, 0, 1, 0, 0, 0],
                },
                "nextTurn": 3 - number,
                "moveCount": 1,
            }
            assert turn["payload"] == {
                "currentTurn": 3 - number,
                "legalColumns": [0, 1, 2, 3, 4, 5, 6],
            }
            assert move["timestamp"] == turn["timestamp"] == ann.look(game)["moves"][0]["ts"]
        await sockets[1].move(3)
        move_made = await sockets[2].next("move_made")
        assert (move_made["player"], move_made["row"]) == (3 - number, 1)
        assert move_made["board"]["height"] == [0, 0, 0, 2, 0, 0, 0]


async def test_a_move_over_http_is_heard_too(ann: Player, bob: Player) -> None:
    game = begin(ann, bob)
    first, second = in_turn(game, ann, bob)
    async with at_table(game, first, second) as sockets:
        ok(first.move(game, 6))
        for socket in sockets:
            assert (await socket.next("move_made"))["column"] == 6
            await socket.next("turn_changed")


@pytest.mark.spec("E39", "E25")
async def test_the_end_is_told_after_the_last_move(ann: Player, bob: Player, eve: Player) -> None:
    game = begin(ann, bob)
    first, second = in_turn(game, ann, bob)
    number = game["currentTurn"]
    async with at_table(game, first, second, eve) as sockets:
        for turn, column in enumerate(WIN):
            await sockets[turn % 2].move(column)
            for socket in sockets:
                move = await socket.next("move_made")
                last = turn == len(WIN) - 1
                assert move["nextTurn"] == (None if last else (number + turn) % 2 + 1)
                told = await socket.next("game_ended" if last else "turn_changed")
        assert (told["winner"], told["reason"]) == (number, "CONNECT4")
        assert settled(told["game"]) == settled(eve.look(game))
        assert told["game"]["status"] == "COMPLETED"


@pytest.mark.spec("E39", "E26")
async def test_a_draw_is_told(ann: Player, bob: Player) -> None:
    game = begin(ann, bob)
    first, second = in_turn(game, ann, bob)
    play(game, first, second, DRAW[:-1])
    async with at_table(game, first, second) as sockets:
        await sockets[1].move(DRAW[-1])
        await sockets[0].next("move_made")
        ended = await sockets[0].next("game_ended")
        assert (ended["winner"], ended["reason"]) == (None, "BOARD_FULL")


async def test_players_are_called_as_they_are_called_now(
    ann: Player, bob: Player, eve: Player
) -> None:
    game = begin(ann, bob)
    name = f"new_{bob.id[:8]}"
    ok(bob.ask("PUT", "/api/users/me", json={"username": name}))
    async with live(eve, game) as socket:
        assert (await socket.shown(1, 2))["player2"]["username"] == name


async def test_the_host_hears_that_the_game_begins(ann: Player, bob: Player) -> None:
    game = ann.create()
    async with live(ann, game) as socket:
        assert (await socket.next("game"))["status"] == "WAITING"
        joined = bob.join(game)
        assert settled(await socket.next("game_started")) == settled(joined)


async def test_who_watches_and_then_joins_is_a_player(ann: Player, bob: Player) -> None:
    game = ann.create()
    async with live(ann, game) as host, live(bob, game) as guest:
        await host.next("game")
        await guest.next("game")
        game = bob.join(game)
        for socket in (host, guest):
            assert (await socket.next("game_started"))["player2Id"] == bob.id
        # From now on the guest's socket holds a seat, and its host hears so.
        assert await host.next("opponent_back") == {"player": 2}
        sockets = (host, guest) if game["currentTurn"] == 1 else (guest, host)
        for number, socket in enumerate(sockets):
            await socket.move(number)
            for each in sockets:
                await each.next("move_made")
                await each.next("turn_changed")


async def test_a_rematch_is_offered_and_agreed_on(ann: Player, bob: Player, eve: Player) -> None:
    game = finished(ann, bob)
    async with live(ann, game) as mine:
        await mine.shown(2)
        async with live(bob, game) as theirs:
            await theirs.shown()
            await mine.next("opponent_back")
            async with live(eve, game) as watching:
                await watching.shown()
                sockets = (mine, theirs, watching)
                ok(bob.rematch(game))
                for socket in sockets:
                    assert await socket.next("rematch_requested") == {"player": 2}
                accepted = ok(ann.rematch(game))
                for socket in sockets:
                    assert await socket.next("rematch_accepted") == {
                        "newGameId": accepted["newGameId"],
                        "newPublicId": accepted["newPublicId"],
                    }
    async with live(eve, game) as socket:
        assert (await socket.next("game"))["rematchPublicId"] == accepted["newPublicId"]


async def test_coming_and_going_is_told_to_the_others(
    ann: Player, bob: Player, eve: Player
) -> None:
    game = begin(ann, bob)
    async with at_table(game, ann, eve) as (mine, onlooker):
        async with live(bob, game) as theirs:
            await theirs.next("game")
            for socket in (mine, onlooker):
                assert await socket.next("opponent_back") == {"player": 2}
        for socket in (mine, onlooker):
            assert await socket.next("opponent_away") == {"player": 2}
        async with live(eve, game) as another:
            await another.next("game")
        await mine.nothing_before()


async def test_after_the_end_it_is_still_told_who_goes(ann: Player, bob: Player) -> None:
    game = begin(ann, bob)
    async with live(ann, game) as mine:
        await mine.shown(2)
        async with live(bob, game) as theirs:
            await theirs.next("game")
            await mine.next("opponent_back")
            play(game, *in_turn(game, ann, bob), WIN)
            for column in WIN:
                assert (await mine.next("move_made"))["column"] == column
                await mine.next("turn_changed", "game_ended")
        assert await mine.next("opponent_away") == {"player": 2}, "no rematch with who is gone"
        async with live(bob, game) as theirs:
            await theirs.next("game")
            assert await mine.next("opponent_back") == {"player": 2}


async def test_a_second_window_keeps_the_seat(ann: Player, bob: Player) -> None:
    game = begin(ann, bob)
    async with at_table(game, bob) as (theirs,):
        async with live(ann, game) as window:
            await window.next("game")
            await theirs.next("opponent_back")
            async with live(ann, game) as another:
                await another.next("game")
            await theirs.nothing_before()
            # The first window is as good as before.
            first = window if game["currentTurn"] == 1 else theirs
            await first.move(0)
            await window.next("move_made")
        await theirs.next("move_made")
        await theirs.next("turn_changed")
        await theirs.next("opponent_away")


async def test_windows_that_are_closed_at_once_leave_the_seat() -> None:
    """One that is to hold the seat after another is closed meanwhile: then nobody holds it."""
    with opened() as house:
        ann, bob = house.new_player(), house.new_player()
        game = begin(ann, bob)
        kernel, loop = house.served.services.kernel, asyncio.get_running_loop()
        async with at_table(game, bob) as (theirs,), live(ann, game) as older:
            await older.next("game")
            await theirs.next("opponent_back")
            async with live(ann, game) as newer:
                await newer.next("game")

                async def close_the_older_one() -> None:
                    asyncio.run_coroutine_threadsafe(older.client.close(), loop)
                    await until_open(house, 2)

                with just_before(kernel.connections, "arrive", close_the_older_one):
                    await newer.client.close()
                    assert await theirs.next("opponent_away") == {"player": 1}
            await theirs.nothing_before()
            held = house.served.run(queries.presence(kernel.runtime.store, game["id"]))[0]
            assert held.connection is None


async def test_who_comes_while_the_last_other_one_goes_hears_everything() -> None:
    with opened() as house:
        ann, bob, eve = (house.new_player() for _ in range(3))
        game = begin(ann, bob)
        first, second = in_turn(game, ann, bob)
        kernel, loop = house.served.services.kernel, asyncio.get_running_loop()
        async with live(eve, game) as onlooker:
            await onlooker.shown(1, 2)

            async def close_the_only_one() -> None:
                asyncio.run_coroutine_threadsafe(onlooker.client.close(), loop)
                await until_open(house, 1)

            with just_before(kernel.connections, "arrive", close_the_only_one):
                async with live(second, game) as mine:
                    await mine.shown(game["currentTurn"])
                    ok(await asyncio.to_thread(first.move, game, 3))
                    assert (await mine.next("move_made"))["column"] == 3


async def until_open(house: House, sockets: int) -> None:
    """Until the server has no more of these sockets than that."""
    registry = house.served.services.metrics.registry
    labels = {"surface": "/ws/connect4/{public_id:str}"}
    while (registry.get_sample_value("parlour_sockets", labels) or 0) > sockets:  # noqa: ASYNC110 - a gauge cannot call
        await asyncio.sleep(0.001)


# --- who may listen ---------------------------------------------------------------------------


async def test_the_token_may_come_as_the_first_message(ann: Player, bob: Player) -> None:
    game = begin(ann, bob)
    async with live(ann, game, additional_headers={}) as socket:
        await socket.say({"type": "auth", "token": ann.token})
        await socket.next("game")


@pytest.mark.parametrize(
    "first",
    [
        {"type": "auth", "token": "x.y.z"},
        {"type": "auth"},
        {"type": "move", "payload": {"column": 3}},
        "nonsense",
        b"binary",
    ],
)
async def test_without_a_good_token_nothing_is_heard(
    ann: Player, bob: Player, eve: Player, first: Any
) -> None:
    game = begin(ann, bob)
    with nothing_changes(eve, game):
        async with live(ann, game, additional_headers={}) as socket:
            await socket.say(first)
            assert await socket.closed() == 4401


async def test_a_bad_header_is_refused(ann: Player) -> None:
    game = ann.create()
    headers = {"Authorization": "Bearer forged"}
    async with live(ann, game, additional_headers=headers) as socket:
        assert await socket.closed() == 4401


@pytest.mark.parametrize("public_id", ["ABCDEFGH", "nonsense", "%00", "ABCDEFG", "💥", "a" * 3000])
async def test_an_unknown_game_is_4404(ann: Player, public_id: str) -> None:
    async with live(ann, {"publicId": public_id}) as socket:
        assert await socket.closed() == 4404


@pytest.mark.parametrize(
    "path",
    ["/ws", "/ws/connect4/ABCDEFGH", "/ws/connect4/ABCDEFGH/", "/party/x", "/ws/wallet/x"],
)
def test_whoever_asks_without_a_socket_is_told_to_open_one(served: Served, path: str) -> None:
    for method in ("GET", "POST"):
        refused(served.ask(method, path), 426, "UPGRADE_REQUIRED")


async def test_pages_from_elsewhere_are_turned_away(ann: Player, served: Served) -> None:
    game = ann.create()
    with pytest.raises(InvalidStatus):
        async with live(ann, game, origin="https://evil.example"):
            pass
    async with live(ann, game, origin=served.url) as socket:
        await socket.next("game")


async def test_allowed_origins_may_listen() -> None:
    allowed = ("https://friend.example",)
    with opened(Settings(database_url="sqlite://", allowed_origins=allowed)) as house:
        ann = house.new_player()
        async with live(ann, ann.create(), origin=allowed[0]) as socket:
            await socket.next("game")


async def test_a_game_that_is_called_off_is_4404_from_then_on(ann: Player, eve: Player) -> None:
    game = ann.create()
    async with at_table(game, ann, eve) as sockets:
        ok(ann.ask("DELETE", f"/api/games/{game['id']}"))
        for socket in sockets:
            assert (await socket.next("error"))["code"] == "GAME_NOT_FOUND"
            assert await socket.closed() == 4404
    async with live(ann, game) as socket:
        assert await socket.closed() == 4404


async def test_a_game_that_is_given_up_is_4404_from_then_on(
    ann: Player, bob: Player, eve: Player, house: House
) -> None:
    game = begin(ann, bob)
    async with live(eve, game) as socket:
        await socket.shown(1, 2)
        house.pass_sec(24 * 3600 + 1)
        house.sweep()
        assert (await socket.next("error"))["code"] == "GAME_NOT_FOUND"
        assert await socket.closed() == 4404


# --- refusals ---------------------------------------------------------------------------------


async def refusal(socket: Live, message: Any) -> str:
    """What a message is refused with; the socket is usable afterwards."""
    await socket.say(message)
    error = await socket.next("error")
    assert set(error) == {"code", "message"}
    code: str = error["code"]
    return code


def move(column: Any) -> dict[str, Any]:
    return {"type": "move", "payload": {"column": column}}


async def test_moves_are_refused_as_over_http(ann: Player, bob: Player, eve: Player) -> None:
    game = begin(ann, bob)
    first, second = in_turn(game, ann, bob)
    play(game, first, second, [2] * 6)
    async with at_table(game, first, second, eve) as (mine, theirs, onlooker):
        with nothing_changes(eve, game):
            assert await refusal(onlooker, move(3)) == "NOT_IN_GAME"
            assert await refusal(theirs, move(3)) == "NOT_YOUR_TURN"
            assert await refusal(theirs, move(99)) == "NOT_YOUR_TURN"
            assert await refusal(mine, move(7)) == "INVALID_COLUMN"
            assert await refusal(mine, move(-(10**30))) == "INVALID_COLUMN"
            assert await refusal(mine, move(2)) == "COLUMN_FULL"
        for socket in (mine, theirs, onlooker):
            await socket.nothing_before()
        await mine.move(3)
        for socket in (mine, theirs, onlooker):
            await socket.next("move_made")


async def test_moves_outside_play_are_refused(ann: Player, bob: Player, eve: Player) -> None:
    game = ann.create()
    async with at_table(game, ann, eve) as (host, onlooker):
        for socket in (host, onlooker):
            assert await refusal(socket, move(3)) == "GAME_NOT_STARTED"
        bob.join(game)
        for socket in (host, onlooker):
            await socket.next("game_started")
            await socket.next("opponent_away")
        game = ann.look(game)
        over = play(game, *in_turn(game, ann, bob), WIN)["game"]
        assert over["status"] == "COMPLETED"
        for socket in (host, onlooker):
            while (await socket.event())["type"] != "game_ended":
                pass
            assert await refusal(socket, move(3)) == "GAME_NOT_ACTIVE"


GARBAGE = (
    "",
    "nonsense",
    "null",
    "[]",
    "3",
    "{}",
    "{",
    '{"type": "dance"}',
    '{"type": 3}',
    '{"type": "move"}',
    '{"type": "move", "payload": null}',
    '{"type": "move", "payload": {}}',
    '{"type": "move", "column": 3}',
    '{"type": "auth", "token": "late"}',
    '{"payload": {"column": 3}}',
    json.dumps(move(None)),
    json.dumps(move("3")),
    json.dumps(move(3.5)),
    json.dumps(move(True)),
    json.dumps(move([3])),
    '{"type": "move", "payload": {"column": 1e999}}',
    '{"type": "move", "payload": {"column": ' + "9" * 6000 + "}}",
    "[" * 30_000,
    "\u0000",
    b'{"type": "move", "payload": {"column": 3}}',
    b"\xff\xfe",
)


@pytest.mark.parametrize("message", GARBAGE, ids=lambda message: repr(message[:30]))
async def test_garbage_is_refused_to_its_sender_alone(
    ann: Player, bob: Player, eve: Player, message: Any
) -> None:
    game = begin(ann, bob)
    async with at_table(game, *in_turn(game, ann, bob)) as (mine, theirs):
        with nothing_changes(eve, game):
            assert await refusal(mine, message) == "INVALID_BODY"
        await theirs.nothing_before()
        await mine.move(3)
        await theirs.next("move_made")


async def test_a_move_against_who_is_gone_is_refused(
    ann: Player, bob: Player, house: House
) -> None:
    game = begin(ann, bob)
    first, second = in_turn(game, ann, bob)
    async with at_table(game, first) as (mine,):
        house.pass_sec(31)
        assert await refusal(mine, move(99)) == "USE_CLAIM_ABANDONED_ENDPOINT"
        over = ok(first.claim(game))["game"]
        ended = await mine.next("game_ended")
        assert ended["reason"] == "ABANDONED"
        assert ended["winner"] == game["currentTurn"]
        assert settled(ended["game"]) == settled(over)
    assert second.me()["losses"] == 1


# --- several processes ------------------------------------------------------------------------


@pytest.fixture
def engine() -> str:
    return "postgres"


@pytest.fixture
def two_houses(database: str, shared_redis: str | None) -> Iterator[tuple[House, House]]:
    """Two servers that know of each other through database and bus alone."""
    settings = Settings(database_url=database, redis_url=shared_redis)
    with opened(settings) as one, opened(settings) as other:
        yield one, other


async def test_players_at_two_servers_hear_of_each_other(
    two_houses: tuple[House, House],
) -> None:
    one, other = two_houses
    ann, bob = one.new_player(), other.new_player()
    game = ann.create()
    async with live(ann, game) as mine:
        await mine.next("game")
        game = bob.join(game)
        await mine.next("game_started")
        assert await mine.next("opponent_away") == {"player": 2}
        async with live(bob, game) as theirs:
            await theirs.shown()
            await mine.next("opponent_back")
            sockets = (mine, theirs) if game["currentTurn"] == 1 else (theirs, mine)
            for number, column in enumerate(WIN):
                await sockets[number % 2].move(column)
                for socket in sockets:
                    assert (await socket.next("move_made"))["moveCount"] == number + 1
                    told = await socket.next("turn_changed", "game_ended")
            assert told["reason"] == "CONNECT4"
            ok(bob.rematch(game))
            for socket in sockets:
                await socket.next("rematch_requested")
            accepted = ok(ann.rematch(game))
            for socket in sockets:
                told = await socket.next("rematch_accepted")
                assert told["newPublicId"] == accepted["newPublicId"]


async def test_a_seat_is_held_wherever_a_window_is_open(two_houses: tuple[House, House]) -> None:
    one, other = two_houses
    ann, bob = one.new_player(), one.new_player()
    game = begin(ann, bob)
    async with at_table(game, bob) as (theirs,), live(ann, game) as here:
        await here.next("game")
        assert await theirs.next("opponent_back")
        async with live(other.back(ann), game) as there:
            await there.next("game")
        # The window at the other server is closed, but the first one is still open.
        await held_again(one, game)
        refused(bob.claim(game), 400, "OPPONENT_NOT_ABANDONED")
        await theirs.nothing_before()


async def held_again(house: House, game: Game) -> None:
    """Until a connection of this server holds player 1's seat."""
    kernel = house.served.services.kernel
    while True:
        held = house.served.run(queries.presence(kernel.runtime.store, game["id"]))[0]
        if held.process_id == kernel.runtime.process_id:
            return


# --- restart ----------------------------------------------------------------------------------


async def test_a_game_goes_on_where_it_was(tmp_path: Path) -> None:
    settings = Settings(database_url=f"sqlite:///{tmp_path / 'parlour.db'}")
    with opened(settings) as house:
        ann, bob = house.new_player(), house.new_player()
        game = begin(ann, bob)
        first, second = in_turn(game, ann, bob)
        async with at_table(game, first, second) as sockets:
            await sockets[0].move(3)
            for socket in sockets:
                await socket.next("move_made")
            house.served.stop()
            assert await sockets[0].closed() == 1012
    with opened(settings) as house:
        first, second = house.back(first), house.back(second)
        async with at_table(first.look(game), first, second) as sockets:
            await sockets[1].move(3)
            made = await sockets[0].next("move_made")
            assert (made["moveCount"], made["row"]) == (2, 1)


async def test_while_the_store_is_away_one_is_asked_to_come_later(
    ann: Player, bob: Player, served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = begin(ann, bob)
    first, second = in_turn(game, ann, bob)

    async def away(change: object) -> None:
        raise Unavailable("on holiday")

    def answered(change: object, answer: Callable[[Exception | None], None]) -> bool:
        asyncio.get_running_loop().call_soon(answer, Unavailable("on holiday"))
        return True

    async with at_table(game, first) as (mine,):
        with monkeypatch.context() as patch:
            patch.setattr(served.services.store, "commit", away)
            patch.setattr(served.services.store, "submit", answered)
            assert await refusal(mine, move(3)) == "UNAVAILABLE"
            refused(first.move(game, 3), 503, "UNAVAILABLE")
            async with live(second, game) as socket:
                assert await socket.closed() == 1013
        await mine.move(3)
        assert (await mine.next("move_made"))["moveCount"] == 1
