"""Rooms: opening and joining them, playing in them, every message and every refusal."""

from __future__ import annotations

import asyncio
from typing import Any
from uuid import UUID

import pytest

from parlour.games.quarto.bot import BOTS
from parlour.play.resident import Resident
from tests.wire.quarto.conftest import House, Json, play, table

LINE = [(8, 0), (9, 1), (10, 2), (11, 3)]
"""Four tall pieces in the first row."""

FIELDS = {
    "id": str,
    "mode": str,
    "status": str,
    "players": list,
    "board": dict,
    "availablePieces": list,
    "currentTurn": int,
    "phase": str,
    "selectedPiece": int | None,
    "winner": int | str | None,
    "winningLine": list | None,
    "history": list,
    "createdAt": int,
    "updatedAt": int,
}


def check_shape(game: Json) -> None:
    assert set(game) == set(FIELDS)
    for name, kind in FIELDS.items():
        assert isinstance(game[name], kind), name
    assert set(game["board"]) == {"positions"}
    assert len(game["board"]["positions"]) == 16
    assert str(UUID(game["id"])) == game["id"]
    for player in game["players"]:
        assert set(player) == {"id", "type", "name"}
        assert str(UUID(player["id"])) == player["id"]


@pytest.mark.spec("D1", "D2", "D3", "D6", "D7", "D8", "D9", "D10", "D11", "D17", "D18", "D19")
def test_a_host_opens_a_room_and_a_guest_joins_it(house: House) -> None:
    host, guest = house.enter(), house.enter()
    host.say("CREATE_ROOM", playerName="  Ann ")
    created = host.hear("ROOM_CREATED")
    assert created["roomId"] == house.room
    guest.say("JOIN_ROOM", playerName="Bob")
    joined = guest.hear("ROOM_JOINED")
    told = host.hear("PLAYER_JOINED")
    assert told["playerName"] == "Bob"
    assert [player["name"] for player in told["game"]["players"]] == ["Ann", "Bob"]
    assert joined["game"]["status"] == "playing"
    mine, theirs = host.state(), guest.state()
    for game in (joined["game"], told["game"], mine, theirs):
        check_shape(game)
    assert mine["players"][0]["id"] == created["playerId"]
    assert theirs["players"][1]["id"] == joined["playerId"]


@pytest.mark.spec("D6", "D7", "D8")
def test_a_host_hears_of_the_room_before_it_hears_of_a_guest(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    kernel = house.served.services.kernel
    arrive = kernel.connections.arrive
    came = asyncio.Event()
    kernel.steps.subscribe("quarto", lambda _: came.set())

    async def once_somebody_came(*seat: Any) -> Resident:
        await came.wait()
        return await arrive(*seat)

    monkeypatch.setattr(kernel.connections, "arrive", once_somebody_came)
    host, guest = house.enter(), house.enter()
    host.say("CREATE_ROOM", playerName="Ann")
    while True:
        guest.say("JOIN_ROOM", playerName="Bob")
        if guest.hear()["type"] == "ROOM_JOINED":
            break
    player_id = host.hear("ROOM_CREATED")["playerId"]
    told = host.hear("PLAYER_JOINED")
    assert told["playerName"] == "Bob"
    assert host.state()["players"][0]["id"] == player_id
    assert guest.state()["status"] == "playing"


NAMES = ["A", "x" * 20, "  " + "y" * 20 + " ", "Zo\u00eb \U0001f3b2", "\U0001f3b2" * 20]
NO_NAMES = ["", "   ", "x" * 21, "\U0001f3b2" * 21, "a\u0007b", "a\nb"]


@pytest.mark.spec("D10", "D11", "D39")
@pytest.mark.parametrize("name", NAMES)
def test_a_name_is_trimmed_and_has_up_to_twenty_characters(house: House, name: str) -> None:
    host, guest = house.enter(), house.enter()
    host.say("CREATE_ROOM", playerName=name)
    host.hear("ROOM_CREATED")
    guest.say("JOIN_ROOM", playerName=name)
    players = guest.hear("ROOM_JOINED")["game"]["players"]
    assert [player["name"] for player in players] == [name.strip()] * 2
    assert host.hear("PLAYER_JOINED")["playerName"] == name.strip()


@pytest.mark.spec("D10", "D11", "D39")
def test_any_other_name_is_refused_and_takes_no_seat(house: House) -> None:
    host, guest = house.enter(), house.enter()
    for name in NO_NAMES:
        assert host.refused("CREATE_ROOM", playerName=name) == "INVALID_MESSAGE"
    host.say("CREATE_ROOM", playerName="Ann")
    host.hear("ROOM_CREATED")
    for name in NO_NAMES:
        assert guest.refused("JOIN_ROOM", playerName=name) == "INVALID_MESSAGE"
    guest.say("JOIN_ROOM", playerName="Bob")
    guest.hear("ROOM_JOINED")


@pytest.mark.spec("D24", "D25")
def test_a_room_waits_with_its_host_in_it(house: House) -> None:
    host, watcher = house.enter(), house.enter()
    host.say("CREATE_ROOM", playerName="Ann")
    player_id = host.hear("ROOM_CREATED")["playerId"]
    host.say("WATCH")
    watcher.say("WATCH")
    for client, mine in ((host, True), (watcher, False)):
        game = client.state()
        check_shape(game)
        assert game["status"] == "waiting"
        (player,) = game["players"]
        assert (player["name"], player["type"]) == ("Ann", "human-remote")
        assert (player["id"] == player_id) is mine
        assert game["history"] == []


def test_one_may_sit_across_from_oneself_for_nothing(house: House) -> None:
    token = house.served.guest()[0]
    host, guest = house.enter(), house.enter()
    for client in (host, guest):
        client.say("auth", token=token)
    host.say("CREATE_ROOM", playerName="Ann")
    host.hear("ROOM_CREATED")
    guest.say("JOIN_ROOM", playerName="Anna")
    guest.hear("ROOM_JOINED")
    guest.say("LEAVE_ROOM")
    while host.hear()["type"] != "GAME_OVER":
        pass
    bearer = {"Authorization": f"Bearer {token}"}
    (record,) = house.served.ask("GET", "/api/history?game=quarto", headers=bearer).json()
    assert (record["winner_index"], record["your_index"]) == (0, 0)
    assert record["player0_elo_after"] is None, "it moves no rating"


@pytest.mark.spec("D20", "D24", "D25", "D26", "D27", "D28", "D29", "D30", "D41", "D42", "D50")
def test_a_game_goes_to_and_fro(house: House) -> None:
    before = house.now()
    host, guest, game = table(house)
    check_shape(game)
    assert before <= game["createdAt"] <= game["updatedAt"] <= house.now()
    assert (game["mode"], game["status"], game["phase"]) == ("online", "playing", "selecting")
    assert {player["type"] for player in game["players"]} == {"human-remote"}
    assert game["availablePieces"] == list(range(16))
    first = game["currentTurn"]
    sides = (host, guest)

    sides[first].say("SELECT_PIECE", pieceId=5)
    game = host.state()
    assert guest.state()["selectedPiece"] == 5
    check_shape(game)
    assert (game["currentTurn"], game["phase"]) == (1 - first, "placing")
    assert 5 in game["availablePieces"], "until it is placed"

    sides[1 - first].say("PLACE_PIECE", position=10)
    game = host.state()
    guest.state()
    check_shape(game)
    assert game["board"]["positions"][10] == 5
    assert 5 not in game["availablePieces"]
    assert (game["currentTurn"], game["phase"]) == (1 - first, "selecting")
    assert game["selectedPiece"] is None
    assert [entry["type"] for entry in game["history"]] == ["select", "place"]
    select, place = game["history"]
    assert (select["player"], select["pieceId"]) == (first, 5)
    assert "position" not in select
    assert (place["player"], place["pieceId"], place["position"]) == (1 - first, 5, 10)
    assert before <= select["timestamp"] <= place["timestamp"] == game["updatedAt"] <= house.now()


@pytest.mark.spec("D14", "D22", "D29", "D43")
def test_a_called_quarto_wins(house: House) -> None:
    host, guest, game = table(house)
    game = play(host, guest, game, LINE)
    assert game["winner"] is None, "nobody has called it"
    winner = game["currentTurn"]
    sides = (host, guest)
    sides[winner].say("CALL_QUARTO")
    for seat, client in enumerate(sides):
        final = client.state()
        assert (final["status"], final["winner"]) == ("finished", winner)
        assert final["winningLine"] == [0, 1, 2, 3]
        over = client.hear("GAME_OVER")
        assert (over["winner"], over["winningPositions"]) == (winner, [0, 1, 2, 3])
        assert over["game"] == final
        if seat == winner:
            assert over["winnerId"] == client.player_id
        else:
            assert over["winnerId"] == final["players"][winner]["id"]
            assert over["winnerId"] != sides[winner].player_id


def test_an_uncalled_line_stays_callable(house: House) -> None:
    host, guest, game = table(house)
    game = play(host, guest, game, [*LINE, (0, 8)])
    sides = (host, guest)
    sides[game["currentTurn"]].say("CALL_QUARTO")
    assert host.state()["winner"] == game["currentTurn"]


@pytest.mark.spec("D29")
def test_a_full_board_without_a_line_is_a_draw(house: House) -> None:
    order = drawn_order()
    host, guest, game = table(house)
    game = play(host, guest, game, order)
    assert (game["status"], game["winner"], game["winningLine"]) == ("finished", "draw", None)
    over = host.hear("GAME_OVER")
    assert (over["winner"], over["winnerId"], over["winningPositions"]) == ("draw", None, None)


def drawn_order() -> list[tuple[int, int]]:
    """A filling of the board in which no line shares a trait, found by trying."""
    from parlour.games.quarto.board import EMPTY, first_line  # noqa: PLC0415 (a local search)

    def extend(board: tuple[int | None, ...], position: int) -> tuple[int | None, ...] | None:
        if position == 16:
            return board
        for piece in range(16):
            if piece not in board:
                tried = (*board[:position], piece, *board[position + 1 :])
                if first_line(tried) is None and (found := extend(tried, position + 1)):
                    return found
        return None

    board = extend(EMPTY, 0)
    assert board is not None
    return [(piece, position) for position, piece in enumerate(board) if piece is not None]


def test_a_full_board_with_a_line_leaves_time_for_the_call(house: House) -> None:
    pieces = [8, 9, 10, 11, 0, 1, 2, 4, 3, 5, 6, 7, 12, 13, 14, 15]
    host, guest, game = table(house)
    game = play(host, guest, game, list(zip(pieces, range(16), strict=True)))
    house.pass_sec(29)
    host.hears_nothing()
    house.pass_sec(1)
    final = host.state()
    assert (final["status"], final["winner"], final["winningLine"]) == ("finished", "draw", None)
    assert host.hear("GAME_OVER")["winner"] == "draw"


def test_who_watches_hears_until_when_the_last_line_may_be_called(house: House) -> None:
    pieces = [8, 9, 10, 11, 0, 1, 2, 4, 3, 5, 6, 7, 12, 13, 14, 15]
    host, guest, game = table(house)
    play(host, guest, game, list(zip(pieces, range(15), strict=False)))
    watcher = house.enter()
    watcher.say("WATCH")
    game = watcher.state()
    assert watcher.hear("DEADLINES")["finalCall"] is None
    play(host, guest, game, [(15, 15)])
    watcher.state()
    watcher.state()
    final = watcher.hear("DEADLINES")
    assert final["finalCall"] > final["now"]


@pytest.mark.spec("D12", "D13", "D23", "D31", "D32", "D33", "D34", "D35")
def test_refusals_in_their_order(house: House) -> None:
    host, guest, game = table(house)
    sides = (host, guest)
    turn = game["currentTurn"]
    mover, other = sides[turn], sides[1 - turn]
    assert other.refused("SELECT_PIECE", pieceId=99) == "NOT_YOUR_TURN"
    assert mover.refused("PLACE_PIECE", position=99) == "WRONG_PHASE"
    assert mover.refused("CALL_QUARTO") == "NO_QUARTO"
    for piece in (16, -1, 10**30):
        assert mover.refused("SELECT_PIECE", pieceId=piece) == "INVALID_PIECE"
    game = play(host, guest, game, [(3, 7)])
    mover = sides[game["currentTurn"]]
    assert mover.refused("SELECT_PIECE", pieceId=3) == "INVALID_PIECE"
    mover.say("SELECT_PIECE", pieceId=4)
    game = host.state()
    guest.state()
    placer = sides[game["currentTurn"]]
    assert placer.refused("SELECT_PIECE", pieceId=5) == "WRONG_PHASE"
    for position in (16, -1, 7):
        assert placer.refused("PLACE_PIECE", position=position) == "INVALID_POSITION"
    placer.say("WATCH")
    assert placer.state()["history"] == game["history"], "nothing of it was done"


@pytest.mark.parametrize(
    "junk",
    [
        "",
        "nonsense",
        "[]",
        "null",
        "3",
        '{"type":"DANCE"}',
        '{"kind":"SELECT_PIECE"}',
        '{"type":"SELECT_PIECE"}',
        '{"type":"SELECT_PIECE","pieceId":"3"}',
        '{"type":"SELECT_PIECE","pieceId":true}',
        '{"type":"SELECT_PIECE","pieceId":3.5}',
        '{"type":"CREATE_ROOM"}',
        '{"type":"CREATE_ROOM","playerName":7}',
        '{"type":"CREATE_ROOM","playerName":"x","opponent":"god"}',
        '{"type":"RECONNECT","playerId":null}',
        "[" * 5000,
        b"\x00\x01",
    ],
)
def test_what_makes_no_sense_is_refused_and_the_game_goes_on(
    house: House, junk: str | bytes
) -> None:
    host, guest, game = table(house)
    stranger = house.enter()
    for client in (host, stranger):
        client.socket.send(junk)
        assert client.hear("ERROR")["code"] == "INVALID_MESSAGE"
    game = play(host, guest, game, [(1, 1)])
    assert game["board"]["positions"][1] == 1


@pytest.mark.spec("D37", "D40")
def test_a_third_player_finds_the_room_full(house: House) -> None:
    table(house)
    third = house.enter()
    assert third.refused("JOIN_ROOM", playerName="Eve") == "ROOM_FULL"
    assert third.refused("CREATE_ROOM", playerName="Eve") == "ROOM_FULL"
    assert third.refused("SELECT_PIECE", pieceId=1) == "NOT_YOUR_TURN"


@pytest.mark.spec("D5", "D38")
@pytest.mark.parametrize("room", ["abc123", "ABC12", "ABC1234", "ABC%2012", "%C3%84BCDEF"])
def test_a_bad_room_id_is_told_so_and_closed(house: House, room: str) -> None:
    client = house.enter(room)
    assert client.hear("ERROR")["code"] == "ROOM_NOT_FOUND"
    assert client.close_code() == 1000


@pytest.mark.spec("D38")
def test_a_room_nobody_opened_cannot_be_joined(house: House) -> None:
    client = house.enter()
    assert client.refused("JOIN_ROOM", playerName="Bob") == "ROOM_NOT_FOUND"
    assert client.refused("WATCH") == "ROOM_NOT_FOUND"
    client.say("CREATE_ROOM", playerName="Bob")
    client.hear("ROOM_CREATED")


def test_who_sits_cannot_sit_down_again(house: House) -> None:
    host = house.enter()
    host.say("CREATE_ROOM", playerName="Ann")
    host.hear("ROOM_CREATED")
    assert host.refused("CREATE_ROOM", playerName="Ann") == "INVALID_MESSAGE"
    assert host.refused("JOIN_ROOM", playerName="Ann") == "INVALID_MESSAGE"
    assert host.refused("SELECT_PIECE", pieceId=1) == "WRONG_PHASE"


@pytest.mark.spec("D36")
def test_after_the_end_nothing_can_be_done(house: House) -> None:
    host, guest, game = table(house)
    game = play(host, guest, game, LINE)
    (host, guest)[game["currentTurn"]].say("CALL_QUARTO")
    for client in (host, guest):
        client.state()
        client.hear("GAME_OVER")
        assert client.refused("SELECT_PIECE", pieceId=5) == "GAME_ENDED"
        assert client.refused("LEAVE_ROOM") == "GAME_ENDED"
    assert house.enter().refused("JOIN_ROOM", playerName="Eve") == "ROOM_FULL"


@pytest.mark.spec("D15", "D21")
def test_leaving_forfeits(house: House) -> None:
    host, guest, _ = table(house)
    guest.say("LEAVE_ROOM")
    assert host.hear("PLAYER_LEFT")["reason"] == "forfeit"
    assert host.state()["winner"] == 0
    over = host.hear("GAME_OVER")
    assert (over["winner"], over["winnerId"]) == (0, host.player_id)
    final = guest.state()
    assert (final["status"], final["winner"]) == ("finished", 0)
    assert guest.hear("GAME_OVER")["winnerId"] == final["players"][0]["id"] != host.player_id
    for client in (host, guest):
        client.hears_nothing()


def test_leaving_a_waiting_room_frees_its_code(house: House) -> None:
    host = house.enter()
    host.say("CREATE_ROOM", playerName="Ann")
    host.hear("ROOM_CREATED")
    host.say("LEAVE_ROOM")
    assert host.hear("ERROR")["code"] == "ROOM_NOT_FOUND", "there is no room any more"
    other = house.enter()
    other.say("CREATE_ROOM", playerName="Bob")
    other.hear("ROOM_CREATED")


def test_a_spectator_sees_the_game_and_no_secret(house: House) -> None:
    host, guest, game = table(house)
    spectator = house.enter()
    spectator.say("WATCH")
    shown = spectator.state()
    spectator.hear("DEADLINES")
    secrets = {host.player_id, guest.player_id}
    assert not secrets & {player["id"] for player in shown["players"]}
    play(host, guest, game, [(1, 1)])
    assert spectator.state()["selectedPiece"] == 1


def test_nobody_sees_the_other_players_secret(house: House) -> None:
    host, guest, game = table(house)
    assert game["players"][0]["id"] == host.player_id
    shown = game["players"][1]["id"]
    assert shown != guest.player_id
    thief = house.enter()
    assert thief.refused("RECONNECT", playerId=shown) == "ROOM_NOT_FOUND"


@pytest.mark.spec("D3")
def test_the_address_of_the_client_library_works_too(house: House) -> None:
    host = house.enter(path="/parties/main/")
    host.say("CREATE_ROOM", playerName="Ann")
    host.hear("ROOM_CREATED")
    guest = house.enter()
    guest.say("JOIN_ROOM", playerName="Bob")
    guest.hear("ROOM_JOINED")


def test_a_rematch_when_both_want_one(house: House) -> None:
    host, guest, game = table(house)
    first = game["currentTurn"]
    assert host.refused("REMATCH") == "WRONG_PHASE"
    guest.say("LEAVE_ROOM")
    for client, count in ((host, 3), (guest, 2)):
        for _ in range(count):
            client.hear()
    host.say("REMATCH")
    assert guest.hear("REMATCH_REQUESTED")["player"] == 0
    host.hear("REMATCH_REQUESTED")
    guest.say("REMATCH")
    new = host.state()
    assert guest.state()["id"] == new["id"]
    assert new["id"] != game["id"]
    assert (new["status"], new["history"]) == ("playing", [])
    assert new["currentTurn"] == 1 - first, "the other one selects first"
    assert new["players"][0]["id"] == host.player_id
    play(host, guest, new, [(1, 1)])


def test_a_rematch_can_be_withdrawn(house: House) -> None:
    host, guest, _ = table(house)
    assert host.refused("WITHDRAW_REMATCH") == "WRONG_PHASE"
    guest.say("LEAVE_ROOM")
    for client, count in ((host, 3), (guest, 2)):
        for _ in range(count):
            client.hear()
    host.say("REMATCH")
    for client in (host, guest):
        client.hear("REMATCH_REQUESTED")
    assert guest.refused("WITHDRAW_REMATCH") == "WRONG_PHASE"
    host.say("WITHDRAW_REMATCH")
    for client in (host, guest):
        client.hear("REMATCH_WITHDRAWN")
    guest.say("REMATCH")
    assert host.hear("REMATCH_REQUESTED")["player"] == 1


def test_one_device_plays_both_sides(house: House) -> None:
    client = house.enter()
    client.say("CREATE_ROOM", playerName="Ann", opponent="local")
    client.hear("ROOM_CREATED")
    game = client.state()
    assert game["mode"] == "local"
    assert [player["type"] for player in game["players"]] == ["human-local"] * 2
    for piece, position in LINE:
        client.say("SELECT_PIECE", pieceId=piece)
        client.state()
        client.say("PLACE_PIECE", position=position)
        game = client.state()
    client.say("CALL_QUARTO")
    assert client.state()["winner"] == game["currentTurn"]
    assert client.hear("GAME_OVER")["winningPositions"] == [0, 1, 2, 3]
    client.say("REMATCH")
    client.hear("REMATCH_REQUESTED")
    assert client.state()["status"] == "playing"


@pytest.mark.parametrize("level", BOTS)
def test_the_computer_plays_along(house: House, level: str) -> None:
    client = house.enter()
    client.say("CREATE_ROOM", playerName="Ann", opponent=level)
    client.hear("ROOM_CREATED")
    game = client.state()
    assert game["mode"] == "ai"
    assert game["players"][1]["type"] == "ai"
    assert game["players"][1]["name"] == BOTS[level].persona.title
    for _ in range(6):
        if game["winner"] is not None:
            break
        if game["currentTurn"] == 1:
            game = client.state()
        elif game["phase"] == "selecting":
            client.say("SELECT_PIECE", pieceId=game["availablePieces"][0])
            game = client.state()
        else:
            free = game["board"]["positions"].index(None)
            client.say("PLACE_PIECE", position=free)
            game = client.state()
    moved_by = {entry["player"] for entry in game["history"]}
    assert moved_by == {0, 1}
