"""Quarto as a client of the document plays it: it comes back by its key, and says nothing first."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from uuid import uuid4

import pytest
import structlog

from parlour.net import logs
from parlour.settings import Settings
from parlour.store import queries
from tests.servers.buses import shared_redis
from tests.servers.valkey import redis_url
from tests.wire.quarto.conftest import Client, House, Json, play, sit_down

__all__ = ["redis_url", "shared_redis"]

HALF_AN_HOUR = 30 * 60


def key() -> str:
    """What a client names itself by, as the library draws it."""
    return str(uuid4())


def match_of(house: House) -> str:
    found = house.served.run(house.served.services.kernel.finder.find_code("quarto", house.room))
    assert found is not None
    return found.id


def table(house: House) -> tuple[Client, Client, Json, tuple[str, str]]:
    """Host and guest with a key each, and the game begun."""
    keys = (key(), key())
    host, guest = (house.enter(key=each) for each in keys)
    game, _ = sit_down(host, guest)
    return host, guest, game, keys


@pytest.mark.spec("D16", "D21", "D48", "D49")
@pytest.mark.parametrize("seat", [0, 1])
def test_who_comes_back_with_its_key_has_its_seat_again(house: House, seat: int) -> None:
    host, guest, game, keys = table(house)
    sides = [host, guest]
    game = play(host, guest, game, [(1, 1)])
    player_id = sides[seat].player_id
    sides[seat].socket.close()
    stays = sides[1 - seat]
    assert stays.hear("PLAYER_LEFT")["reason"] == "disconnect"

    sides[seat] = house.enter(key=keys[seat])
    told = sides[seat].hear(("ROOM_CREATED", "ROOM_JOINED")[seat])
    assert told["playerId"] == player_id, "as for RECONNECT"
    assert sides[seat].state()["board"] == game["board"]
    stays.state()
    play(sides[0], sides[1], game, [(2, 2)])
    for each in sides:
        each.hears_nothing()


def test_moves_that_were_buffered_offline_are_its_seats(house: House) -> None:
    host, guest, game, keys = table(house)
    at = game["currentTurn"]
    mover, other = (host, guest)[at], (guest, host)[at]
    mover.socket.close()
    other.hear("PLAYER_LEFT")
    again = house.enter(key=keys[at])
    again.say("SELECT_PIECE", pieceId=3)
    assert again.hear()["type"] in ("ROOM_CREATED", "ROOM_JOINED")
    again.state()
    assert again.state()["selectedPiece"] == 3
    stranger = house.enter(key=key())
    assert stranger.refused("PLACE_PIECE", position=0) == "NOT_YOUR_TURN"


def test_a_line_that_only_seems_to_be_open_gives_way(house: House) -> None:
    """The server has not noticed yet that the older socket is dead."""
    host, guest, game, keys = table(house)
    again = house.enter(key=keys[0])
    assert again.hear("ROOM_CREATED")["playerId"] == host.player_id
    again.state()
    guest.state()
    assert host.close_code() == 4409
    play(again, guest, game, [(1, 1)])


@pytest.mark.parametrize("word", ["CREATE_ROOM", "RECONNECT"])
def test_who_says_all_the_same_that_it_comes_back_is_told_once(house: House, word: str) -> None:
    _, guest, game, keys = table(house)
    again = house.enter(key=keys[0])
    player_id = again.hear("ROOM_CREATED")["playerId"]
    again.state()
    guest.state()
    fields = {"playerName": "Ann"} if word == "CREATE_ROOM" else {"playerId": player_id}
    again.say(word, **fields)
    again.hears_nothing()
    play(again, guest, game, [(1, 1)])
    assert again.refused("CREATE_ROOM", playerName="Ann") == "INVALID_MESSAGE"


def test_a_key_is_good_for_its_seat_and_its_window_only(house: House) -> None:
    host, guest, _, keys = table(house)
    stranger = house.enter(key=key())
    stranger.hears_nothing()
    assert stranger.refused("SELECT_PIECE", pieceId=3) == "NOT_YOUR_TURN"
    guest.socket.close()
    host.hear("PLAYER_LEFT")
    stranger.hear("PLAYER_LEFT")
    house.pass_sec(120)
    assert host.hear("PLAYER_LEFT")["reason"] == "timeout"
    late = house.enter(key=keys[1])
    late.hears_nothing()
    late.say("RECONNECT", playerId=guest.player_id)
    assert late.hear("ROOM_JOINED")["game"]["winner"] == 0


def test_the_next_game_is_come_back_to_as_well(house: House) -> None:
    host, guest, _, keys = table(house)
    guest.say("LEAVE_ROOM")
    for each in (host, guest):
        while each.hear()["type"] != "GAME_OVER":
            pass
        each.say("REMATCH")
    for each in (host, guest):
        while each.hear()["type"] != "STATE_UPDATE":
            pass
    host.socket.close()
    guest.hear("PLAYER_LEFT")
    again = house.enter(key=keys[0])
    assert again.hear("ROOM_CREATED")["playerId"] == host.player_id
    assert again.state()["status"] == "playing"


@pytest.fixture
def logged() -> Iterator[io.StringIO]:
    """All that the server logs, set up as when it is served."""
    stream = io.StringIO()
    root, config = logging.getLogger(), structlog.get_config()
    handlers, level = root.handlers, root.level
    try:
        logs.configure(stream)
        yield stream
    finally:
        root.handlers, root.level = handlers, level
        structlog.configure(**config)


def test_the_key_is_never_logged_nor_shown(house: House, logged: io.StringIO) -> None:
    logging.getLogger("seen").info("logs are kept")
    host, guest, game, keys = table(house)
    watcher = house.enter()
    host.socket.close()
    told = [guest.hear("PLAYER_LEFT"), watcher.hear()]
    again = house.enter(key=keys[0])
    mine = [again.hear("ROOM_CREATED"), again.hear("STATE_UPDATE")]
    told += [guest.hear("STATE_UPDATE"), watcher.hear("STATE_UPDATE")]
    again.refused("PLACE_PIECE", position=0)
    house.enter(room="nope!!", key=keys[0]).close_code()
    assert "logs are kept" in logged.getvalue()
    everything = logged.getvalue() + json.dumps([told, mine, game])
    for each in keys:
        assert each not in everything
    assert host.player_id not in json.dumps(told)


# --- a room that waits ------------------------------------------------------------------------


@pytest.mark.spec("D44")
@pytest.mark.parametrize("watches", [False, True])
def test_a_room_does_not_lapse_while_a_spectator_is_there(house: House, watches: bool) -> None:
    host = house.enter()
    host.say("CREATE_ROOM", playerName="Ann")
    player_id = host.hear("ROOM_CREATED")["playerId"]
    spectator = house.enter()
    if watches:
        spectator.say("WATCH")
        spectator.state()
        spectator.hear("DEADLINES")
    spectator.hears_nothing()
    host.socket.close()
    house.gone(match_of(house), 0)
    for _ in range(3):
        house.pass_sec(HALF_AN_HOUR + 1)
        spectator.hears_nothing()
    host = house.enter()
    host.say("RECONNECT", playerId=player_id)
    host.hear("ROOM_CREATED")


@pytest.mark.spec("D44")
def test_when_the_last_spectator_has_gone_the_room_lapses_in_time(house: House) -> None:
    host = house.enter()
    host.say("CREATE_ROOM", playerName="Ann")
    host.hear("ROOM_CREATED")
    match_id = match_of(house)
    spectator = house.enter()
    spectator.hears_nothing()
    host.socket.close()
    house.gone(match_id, 0)
    house.pass_sec(HALF_AN_HOUR + 1)
    spectator.socket.close()
    house.unwatched(match_id)
    house.pass_sec(HALF_AN_HOUR - 10)
    assert match_of(house) == match_id
    house.pass_sec(20)
    newcomer = house.enter()
    assert newcomer.refused("JOIN_ROOM", playerName="Bob") == "ROOM_NOT_FOUND"


def test_another_process_sees_that_somebody_is_there(tmp_path: Path, redis_url: str) -> None:
    """The host was at one process, a spectator is at the other, and the first finds time is up."""
    settings = Settings.given(
        database_url=f"sqlite:///{tmp_path}/parlour.db",
        redis_url=redis_url,
        quarto_room_ttl_sec=12,
    )
    with ExitStack() as stack:
        here, there = House(settings, stack), House(settings, stack)
        host = here.enter()
        host.say("CREATE_ROOM", playerName="Ann")
        host.hear("ROOM_CREATED")
        host.socket.close()
        match_id = match_of(here)
        here.gone(match_id, 0)
        left_at = seen_at(here, match_id)
        here.pass_sec(8)
        there.later_ms = here.later_ms
        spectator = there.enter()
        spectator.hears_nothing()
        while seen_at(here, match_id) == left_at:
            pass
        here.pass_sec(8)
        spectator.hears_nothing()
        assert match_of(here) == match_id


def seen_at(house: House, match_id: str) -> int:
    """When there was the last sign of life in a room, as the store has it."""
    rows = house.served.run(queries.presence(house.served.services.store, match_id))
    return rows[0].seen_at
