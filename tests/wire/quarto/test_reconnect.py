"""Going away and coming back: windows, takeovers, restarts of the server, rooms that expire."""

from __future__ import annotations

import json

import pytest

from tests.wire.quarto.conftest import Client, House, Json, play, table


def returned(house: House, player_id: str) -> Client:
    client = house.enter()
    client.player_id = player_id
    client.say("RECONNECT", playerId=player_id)
    return client


@pytest.mark.spec("D16", "D21", "D48", "D49", "D51", "D52")
def test_a_player_who_was_cut_off_returns(house: House) -> None:
    host, guest, game = table(house)
    game = play(host, guest, game, [(1, 1)])
    guest.socket.close()
    assert host.hear("PLAYER_LEFT")["reason"] == "disconnect"

    guest = returned(house, guest.player_id)
    joined = guest.hear("ROOM_JOINED")
    assert joined["playerId"] == guest.player_id
    assert joined["game"]["board"] == game["board"]
    assert guest.state()["board"] == game["board"]
    host.state()
    play(host, guest, game, [(2, 2)])


def test_a_host_who_returns_is_told_the_room(house: House) -> None:
    host, guest, _ = table(house)
    host.socket.close()
    assert guest.hear("PLAYER_LEFT")["reason"] == "disconnect"
    host = returned(house, host.player_id)
    created = host.hear("ROOM_CREATED")
    assert (created["roomId"], created["playerId"]) == (house.room, host.player_id)
    assert host.state()["status"] == "playing"


def test_a_host_returns_to_a_room_that_still_waits(house: House) -> None:
    host = house.enter()
    host.say("CREATE_ROOM", playerName="Ann")
    player_id = host.hear("ROOM_CREATED")["playerId"]
    host.socket.close()
    guest = house.enter()
    guest.say("JOIN_ROOM", playerName="Bob")
    assert guest.hear("ROOM_JOINED")["game"]["status"] == "playing"
    guest.state()
    assert guest.hear("PLAYER_LEFT")["reason"] == "disconnect", "the window begins with play"
    host = returned(house, player_id)
    host.hear("ROOM_CREATED")
    assert host.state()["status"] == "playing"


def test_play_goes_on_while_the_other_is_away(house: House) -> None:
    host, guest, game = table(house)
    sides = (host, guest)
    mover, other = sides[game["currentTurn"]], sides[1 - game["currentTurn"]]
    other.socket.close()
    mover.hear("PLAYER_LEFT")
    mover.say("SELECT_PIECE", pieceId=4)
    assert mover.state()["selectedPiece"] == 4


def test_a_newer_socket_takes_the_seat_over(house: House) -> None:
    host, guest, game = table(house)
    again = returned(house, host.player_id)
    again.hear("ROOM_CREATED")
    again.state()
    guest.state()
    assert host.close_code() == 4409
    play(again, guest, game, [(1, 1)])


@pytest.mark.parametrize("player_id", ["", "nobody", "6f1c1c34-0000-4000-8000-000000000000"])
def test_an_id_that_has_no_seat_here_is_refused(house: House, player_id: str) -> None:
    host, guest, game = table(house)
    stranger = house.enter()
    assert stranger.refused("RECONNECT", playerId=player_id) == "ROOM_NOT_FOUND"
    play(host, guest, game, [(1, 1)])


def test_moves_that_were_buffered_offline_do_no_harm(house: House) -> None:
    host, guest, game = table(house)
    sides = (host, guest)
    mover = sides[game["currentTurn"]]
    mover.socket.close()
    sides[1 - game["currentTurn"]].hear("PLAYER_LEFT")
    again = house.enter()
    assert again.refused("SELECT_PIECE", pieceId=3) == "NOT_YOUR_TURN"
    again.say("RECONNECT", playerId=mover.player_id)
    again.hear()
    assert again.state()["selectedPiece"] is None


@pytest.mark.spec("D21", "D46", "D47", "D51")
def test_who_stays_away_for_two_minutes_forfeits(house: House) -> None:
    host, guest, _ = table(house)
    guest.socket.close()
    assert host.hear("PLAYER_LEFT")["reason"] == "disconnect"
    house.pass_sec(119)
    host.hears_nothing()
    house.pass_sec(1)
    assert host.hear("PLAYER_LEFT")["reason"] == "timeout"
    final = host.state()
    assert (final["status"], final["winner"]) == ("finished", 0)
    over = host.hear("GAME_OVER")
    assert (over["winner"], over["winnerId"]) == (0, host.player_id)
    host.hears_nothing()


@pytest.mark.spec("D46", "D49")
def test_a_window_is_closed_by_coming_back(house: House) -> None:
    host, guest, game = table(house)
    guest.socket.close()
    host.hear("PLAYER_LEFT")
    house.pass_sec(119)
    guest = returned(house, guest.player_id)
    guest.hear("ROOM_JOINED")
    guest.state()
    host.state()
    house.pass_sec(119)
    play(host, guest, game, [(1, 1)])


def test_a_finished_game_can_be_returned_to(house: House) -> None:
    host, guest, _ = table(house)
    guest.say("LEAVE_ROOM")
    host.hear("PLAYER_LEFT")
    host.state()
    host.hear("GAME_OVER")
    host.socket.close()
    host = returned(house, host.player_id)
    host.hear("ROOM_CREATED")
    assert host.state()["winner"] == 0


HALF_AN_HOUR = 30 * 60


def waiting_room(house: House) -> Client:
    host = house.enter()
    host.say("CREATE_ROOM", playerName="Ann")
    host.hear("ROOM_CREATED")
    return host


@pytest.mark.spec("D38", "D44")
def test_a_room_nobody_is_in_expires(house: House) -> None:
    host = waiting_room(house)
    live = house.served.run(house.served.services.kernel.finder.find_code("quarto", house.room))
    assert live is not None
    host.socket.close()
    house.gone(live.id, 0)
    house.pass_sec(HALF_AN_HOUR - 10)
    assert house.served.run(house.served.services.kernel.finder.find_code("quarto", house.room))
    house.pass_sec(11)
    newcomer = house.enter()
    assert newcomer.refused("JOIN_ROOM", playerName="Bob") == "ROOM_NOT_FOUND"
    newcomer.say("CREATE_ROOM", playerName="Bob")
    newcomer.hear("ROOM_CREATED")


@pytest.mark.spec("D44")
def test_a_room_somebody_is_in_does_not(house: House) -> None:
    host = waiting_room(house)
    house.pass_sec(2 * HALF_AN_HOUR)
    host.hears_nothing()
    guest = house.enter()
    guest.say("JOIN_ROOM", playerName="Bob")
    guest.hear("ROOM_JOINED")


@pytest.mark.spec("D44")
def test_a_finished_room_is_kept_as_long(house: House) -> None:
    host, guest, _ = table(house)
    guest.say("LEAVE_ROOM")
    while host.hear()["type"] != "GAME_OVER":
        pass
    match = house.served.run(house.served.services.kernel.finder.find_code("quarto", house.room))
    assert match is not None
    for seat, client in enumerate((host, guest)):
        client.socket.close()
        house.gone(match.id, seat)
    house.pass_sec(HALF_AN_HOUR - 10)
    back = returned(house, host.player_id)
    back.hear("ROOM_CREATED")
    assert back.state()["winner"] == 0
    back.socket.close()
    house.gone(match.id, 0)
    house.pass_sec(HALF_AN_HOUR + 1)
    late = house.enter()
    assert late.refused("RECONNECT", playerId=host.player_id) == "ROOM_NOT_FOUND"


@pytest.mark.spec("D45")
def test_there_is_no_turn_timeout(house: House) -> None:
    host, guest, game = table(house)
    house.pass_sec(24 * 60 * 60)
    host.hears_nothing()
    game = play(host, guest, game, [(1, 1)])
    sides = (host, guest)
    sides[game["currentTurn"]].say("SELECT_PIECE", pieceId=2)
    for client in sides:
        client.state()
    house.pass_sec(24 * 60 * 60)
    for client in sides:
        client.hears_nothing()
    sides[1 - game["currentTurn"]].say("PLACE_PIECE", position=2)
    assert host.state()["board"]["positions"][2] == 2


def test_the_server_restarts_between_two_moves_and_play_goes_on(own_house: House) -> None:
    host, guest, game = table(own_house)
    game = play(host, guest, game, [(1, 1)])
    own_house.stop()
    assert host.close_code() == 1012
    own_house.start()
    host = returned(own_house, host.player_id)
    host.hear("ROOM_CREATED")
    assert host.state()["board"] == game["board"]
    guest = returned(own_house, guest.player_id)
    guest.hear("ROOM_JOINED")
    assert guest.state()["history"] == game["history"]
    host.state()
    play(host, guest, game, [(2, 2)])


@pytest.mark.spec("D46", "D47", "D51")
def test_a_window_that_ends_while_the_server_is_down_ends_the_game(own_house: House) -> None:
    host, guest, _ = table(own_house)
    guest.socket.close()
    assert host.hear("PLAYER_LEFT")["reason"] == "disconnect"
    own_house.later_ms += 10_000
    own_house.stop()
    own_house.later_ms += 1_000_000
    own_house.start()
    own_house.pass_sec(0)
    host = returned(own_house, host.player_id)
    while host.hear()["type"] != "ROOM_CREATED":
        pass  # what happens in the room just then is heard by who comes in, before the greeting
    final = host.state()
    assert (final["status"], final["winner"]) == ("finished", 0), "who left first has lost"
    match = own_house.served.run(own_house.served.services.kernel.finder.find(final["id"]))
    assert match is not None
    assert match.reason == "timeout"


@pytest.mark.spec("D46", "D51")
def test_who_leaves_as_the_next_game_begins_has_left_it(house: House) -> None:
    host, guest, _ = table(house)
    guest.say("LEAVE_ROOM")
    while host.hear()["type"] != "GAME_OVER":
        pass
    host.say("REMATCH")
    host.hear("REMATCH_REQUESTED")
    guest.say("REMATCH")
    guest.socket.close()
    new = host.state()
    assert new["status"] == "playing"
    assert host.hear("PLAYER_LEFT")["reason"] == "disconnect"
    again = returned(house, guest.player_id)
    assert again.hear("ROOM_JOINED")["game"]["id"] == new["id"]


def test_a_signed_in_player_is_remembered(own_house: House) -> None:
    host, guest = own_house.enter(), own_house.enter()
    tokens = [own_house.served.guest(name)[0] for name in ("AnnSigned", "BobSigned")]
    assert host.refused("auth", token="nonsense") == "UNAUTHORIZED"
    host.say("auth", token=tokens[0])
    guest.say("auth", token=tokens[1])
    host.say("CREATE_ROOM", playerName="Ann")
    host.hear("ROOM_CREATED")
    guest.say("JOIN_ROOM", playerName="Bob")
    guest.hear("ROOM_JOINED")
    guest.say("LEAVE_ROOM")
    while host.hear()["type"] != "GAME_OVER":
        pass
    bearer = {"Authorization": f"Bearer {tokens[0]}"}
    (record,) = own_house.served.ask("GET", "/api/history?game=quarto", headers=bearer).json()
    assert (record["winner_index"], record["your_index"]) == (0, 0)
    assert (record["player0_elo_after"], record["player1_elo_after"]) == (1016, 984)
    board = own_house.served.ask("GET", "/api/leaderboard?game=quarto").json()
    assert [entry["elo"] for entry in board["entries"]] == [1016, 984]


def test_who_watches_hears_until_when_an_absent_player_may_return(house: House) -> None:
    host, guest, _ = table(house)
    watcher = house.enter()
    watcher.say("WATCH")
    watcher.state()
    first = watcher.hear("DEADLINES")
    assert (first["finalCall"], first["away"]) == (None, [None, None])
    guest.socket.close()
    assert watcher.hear("PLAYER_LEFT")["reason"] == "disconnect"
    told = watcher.hear("DEADLINES")
    assert told["away"][0] is None
    assert told["away"][1] > told["now"]
    late = house.enter()
    late.say("WATCH")
    late.state()
    assert late.hear("DEADLINES")["away"] == told["away"]
    returned(house, guest.player_id).hear("ROOM_JOINED")
    watcher.state()
    assert watcher.hear("DEADLINES")["away"] == [None, None]
    assert host.hear("PLAYER_LEFT"), "who never asked hears what the document says"
    host.state()
    host.say("ping")
    host.hear("pong")


# --- an answer that was lost ------------------------------------------------------------------

KEY = "6f1c6e0a-4c0e-4f6e-9d53-7a3c1f2e9b10"
ANOTHER = "6f1c6e0a-4c0e-4f6e-9d53-7a3c1f2e9b11"


def created_match(house: House) -> str:
    found = house.served.run(house.served.services.kernel.finder.find_code("quarto", house.room))
    assert found is not None
    return found.id


def answer(client: Client) -> Json:
    """The next message but for word of the computer's move, which comes when it may to who looks
    on.
    """
    while (message := client.hear())["type"] == "STATE_UPDATE":
        pass
    return message


@pytest.mark.spec("D17", "D52")
@pytest.mark.parametrize("opponent", [{}, {"opponent": "easy"}, {"opponent": "local"}])
@pytest.mark.parametrize("restarted", [False, True])
def test_a_host_whose_answer_was_lost_has_its_room(
    own_house: House, opponent: Json, restarted: bool
) -> None:
    cut = own_house.enter(key=KEY)
    cut.say("CREATE_ROOM", playerName="Ann", **opponent)
    created = cut.hear("ROOM_CREATED")
    cut.socket.close()
    for seat in (0, 1) if opponent.get("opponent") == "local" else (0,):
        own_house.gone(created_match(own_house), seat)
    if restarted:
        own_house.stop()
        own_house.start()
    for key in (ANOTHER, None):
        stranger = own_house.enter(key=key)
        stranger.say("CREATE_ROOM", playerName="Eve", **opponent)
        refusal = answer(stranger)
        assert (refusal["type"], refusal.get("code")) == ("ERROR", "ROOM_FULL")
    host = own_house.enter(key=KEY)
    host.say("CREATE_ROOM", playerName="Ann", **opponent)
    assert answer(host) == created
    game = host.state()
    assert game["players"][0]["id"] == created["playerId"]
    if not opponent:
        guest = own_house.enter(key=ANOTHER)
        guest.say("JOIN_ROOM", playerName="Bob")
        guest.hear("ROOM_JOINED")
        assert host.hear("PLAYER_JOINED")["playerName"] == "Bob"


def test_a_signed_in_host_whose_answer_was_lost_has_its_room(own_house: House) -> None:
    ann, eve = (own_house.served.guest(name)[0] for name in ("AnnAgain", "EveAgain"))
    sockets = [own_house.enter() for _ in range(3)]
    for client, token in zip(sockets, (ann, eve, ann), strict=True):
        client.say("auth", token=token)
    sockets[0].say("CREATE_ROOM", playerName="Ann")
    created = sockets[0].hear("ROOM_CREATED")
    assert sockets[1].refused("CREATE_ROOM", playerName="Eve") == "ROOM_FULL"
    sockets[2].say("CREATE_ROOM", playerName="Ann")
    assert sockets[2].hear("ROOM_CREATED") == created
    assert sockets[0].close_code() == 4409, "the older socket gives way, as for RECONNECT"


@pytest.mark.spec("D18")
def test_a_guest_whose_answer_was_lost_has_its_seat(house: House) -> None:
    host, cut = house.enter(key=ANOTHER), house.enter(key=KEY)
    host.say("CREATE_ROOM", playerName="Ann")
    host.hear("ROOM_CREATED")
    cut.say("JOIN_ROOM", playerName="Bob")
    joined = cut.hear("ROOM_JOINED")
    cut.socket.close()
    while host.hear()["type"] != "PLAYER_LEFT":  # else Eve might hear of it
        pass
    assert house.enter().refused("JOIN_ROOM", playerName="Eve") == "ROOM_FULL"
    guest = house.enter(key=KEY)
    guest.say("JOIN_ROOM", playerName="Bob")
    assert guest.hear("ROOM_JOINED")["playerId"] == joined["playerId"]


def test_one_key_on_both_sides_makes_two_players(house: House) -> None:
    host, guest = house.enter(key=KEY), house.enter(key=KEY)
    host.say("CREATE_ROOM", playerName="Ann")
    created = host.hear("ROOM_CREATED")
    guest.say("JOIN_ROOM", playerName="Ann too")
    assert guest.hear("ROOM_JOINED")["playerId"] != created["playerId"]


@pytest.mark.parametrize("key", ["", "short", "x" * 129, f"{KEY}&_pk={KEY}", "&" * 50])
def test_what_is_no_key_gives_nobody_a_seat(house: House, key: str) -> None:
    first, second = house.enter(key=key), house.enter(key=key)
    first.say("CREATE_ROOM", playerName="Ann")
    first.hear("ROOM_CREATED")
    assert second.refused("CREATE_ROOM", playerName="Ann") == "ROOM_FULL"


def test_a_game_that_is_over_cannot_be_created_again(house: House) -> None:
    host = house.enter(key=KEY)
    host.say("CREATE_ROOM", playerName="Ann", opponent="easy")
    host.hear("ROOM_CREATED")
    host.say("LEAVE_ROOM")
    while host.hear()["type"] != "GAME_OVER":
        pass
    assert house.enter(key=KEY).refused("CREATE_ROOM", playerName="Ann") == "ROOM_FULL"


def test_the_key_is_neither_kept_nor_shown(house: House) -> None:
    host, watcher = house.enter(key=KEY), house.enter()
    host.say("CREATE_ROOM", playerName="Ann")
    created = host.hear("ROOM_CREATED")
    watcher.say("WATCH")
    told = json.dumps(watcher.hear())
    assert KEY not in json.dumps(created)
    assert KEY not in told
    assert created["playerId"] not in told
