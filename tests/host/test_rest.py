"""What a page asks the host before it opens a socket: which games there are, where one sits."""

from __future__ import annotations

from typing import Any

import pytest

from parlour.games.registry import all_rules, bots, strengths
from tests.host.conftest import Enter
from tests.servers.parlour import Served


def tables(house: Served, token: str | None) -> list[dict[str, Any]]:
    answer = house.ask("GET", "/api/play/tables", headers={"Authorization": f"Bearer {token}"})
    assert answer.status_code == 200, answer.text
    found: list[dict[str, Any]] = answer.json()
    return found


def test_every_game_is_listed_with_what_a_start_page_offers(house: Served) -> None:
    answer = house.ask("GET", "/api/play/games")
    assert answer.status_code == 200, answer.text
    listed = {each["key"]: each for each in answer.json()}
    assert listed.keys() == all_rules().keys()
    for key, rules in all_rules().items():
        opponents = listed[key]["opponents"]
        assert [each["name"] for each in opponents] == list(bots(key))
        for each in opponents:
            persona, measured = bots(key)[each["name"]].persona, strengths(key).get(each["name"])
            assert (each["title"], each["character"]) == (persona.title, persona.character)
            assert (each["rating"], each["error"]) == (
                (measured.rating, measured.error) if measured else (None, None)
            )
        assert listed[key]["rated"] is (rules.rating is not None)
        assert [each["name"] for each in listed[key]["options"]] == list(rules.offered)


async def test_every_option_can_be_chosen_as_it_is_offered(enter: Enter, house: Served) -> None:
    for game in house.ask("GET", "/api/play/games").json():
        for option in game["options"]:
            assert option["title"]
            bounds = [option["least"], option["most"]] if option["kind"] == "number" else []
            values = [each["value"] for each in option["choices"]] or bounds or [True, False]
            assert option["default"] in values or option["kind"] == "number"
            for value in values:
                me = await enter()
                table = await me.asks("open", game=game["key"], options={option["name"]: value})
                assert table["type"] == "table", table
                assert table["options"][option["name"]] == value


@pytest.mark.parametrize(
    ("game", "options", "field"),
    [
        ("memory", {"rows": 9}, "rows"),
        ("memory", {"rows": 3, "cols": 3}, "rows"),
        ("memory", {"cols": "4"}, "cols"),
        ("memory", {"turn_limit_ms": 1}, "turn_limit_ms"),
        ("memory", {"turn_limit_ms": False}, "turn_limit_ms"),
        ("memory", {"reconnect_ms": 1}, "reconnect_ms"),
        ("connect_five", {"max_spend": 10**15}, "max_spend"),
        ("quarto", {"first": 0}, "first"),
        ("quarto", [], None),
    ],
)
async def test_options_that_are_none_are_refused_by_their_field(
    enter: Enter, game: str, options: Any, field: str | None
) -> None:
    me = await enter()
    error = await me.asks("open", game=game, options=options)
    assert (error["type"], error["code"]) == ("error", "INVALID_OPTIONS")
    assert error.get("field") == field
    assert error["message"][-1] == "."


async def test_open_tables_of_mine_are_found_until_they_end(enter: Enter, house: Served) -> None:
    me, friend = await enter(), await enter()
    assert tables(house, me.token) == []
    waiting = await me.asks("open", game="quarto")
    against = await me.asks("play_bot", game="connect4", bot="easy", seat=0)
    local = await me.asks("open", game="quarto", local=True)
    found = {each["match"]: each for each in tables(house, me.token)}
    assert found.keys() == {each["match"] for each in (waiting, against, local)}
    assert found[waiting["match"]]["status"] == "waiting"
    assert found[waiting["match"]]["opponent"] is None
    assert found[waiting["match"]]["public_id"] == waiting["public_id"]
    assert found[waiting["match"]]["challenge"] is None
    assert found[against["match"]]["opponent"] == bots("connect4")["easy"].persona.title
    assert found[local["match"]]["mode"] == "local"
    await friend.asks("join", game="quarto", code=waiting["code"])
    assert [each["match"] for each in tables(house, friend.token)] == [waiting["match"]]
    for each in (waiting, local):
        await me.asks("resign", match=each["match"])
    assert [each["match"] for each in tables(house, me.token)] == [against["match"]]
    assert tables(house, friend.token) == []


def test_open_tables_are_only_for_who_says_who_asks(house: Served) -> None:
    assert house.ask("GET", "/api/play/tables").status_code == 401


async def test_two_at_one_device_come_back_to_their_table(enter: Enter) -> None:
    me = await enter()
    table = await me.asks("open", game="quarto", local=True)
    await me.hang_up()
    again = await enter(me.token, me.user)
    back = await again.asks("join", match=table["match"])
    assert back["seats"] == [0, 1]
    assert back["players"][1]["user_id"] is None


def one_table(house: Served, match_id: str, token: str | None = None) -> Any:
    more = {} if token is None else {"headers": {"Authorization": f"Bearer {token}"}}
    return house.ask("GET", f"/api/play/tables/{match_id}", **more)


async def test_a_table_is_shown_by_its_id_as_far_as_one_may_know(
    enter: Enter, house: Served
) -> None:
    me, stranger = await enter(), await enter()
    told = await me.asks("play_bot", game="memory", bot=next(iter(bots("memory"))), seat=0)
    mine = one_table(house, told["match"], me.token).json()
    assert (mine["seat"], mine["view"], mine["legal"]) == (0, told["view"], told["legal"])
    for asker in (None, stranger.token):
        seen = one_table(house, told["match"], asker).json()
        assert (seen["seat"], seen["code"], seen["legal"]) == (None, None, [])
        assert seen["players"][0]["name"] == me.user["username"]


def test_what_is_no_table_is_not_found(house: Served) -> None:
    for match_id in ("nothing", "00000000-0000-0000-0000-000000000000", "%00", "a" * 300):
        answer = one_table(house, match_id)
        assert (answer.status_code, answer.json()["code"]) == (404, "NO_SUCH_TABLE")
    assert one_table(house, "nothing", "no token").status_code == 401


async def test_who_has_a_code_or_an_address_can_ask_who_waits_there(
    enter: Enter, house: Served
) -> None:
    host = await enter()
    table = await host.asks("open", game="quarto")
    names = (table["code"], table["code"].lower(), table["public_id"], table["match"])
    for name in names:
        answer = house.ask("GET", f"/api/play/waiting/quarto/{name}")
        assert answer.json() == {"by": host.user["username"]}
    for path in (f"connect4/{table['code']}", f"chess/{table['code']}", "quarto/NOSUCH"):
        assert house.ask("GET", f"/api/play/waiting/{path}").json() == {"by": None}
    guest = await enter()
    assert await guest.refused("join", match=table["match"]) == "NOT_SEATED"
    joined = await guest.asks("join", match=table["match"], take=True)
    assert (joined["status"], joined["seat"]) == ("active", 1)
    for name in names:
        assert house.ask("GET", f"/api/play/waiting/quarto/{name}").json() == {"by": None}
    assert await (await enter()).refused("join", match=table["match"], take=True) == "NOT_SEATED"


async def test_who_played_the_computer_at_connect_4_finds_that_in_the_history_of_the_document(
    enter: Enter, house: Served
) -> None:
    me = await enter()
    against = await me.asks("play_bot", game="connect4", bot="easy", seat=0)
    await me.asks("resign", match=against["match"])
    local = await me.asks("open", game="connect4", local=True)
    await me.asks("resign", match=local["match"])
    headers = {"Authorization": f"Bearer {me.token}"}
    answer = house.ask("GET", "/api/users/me/games", headers=headers)
    assert answer.status_code == 200, answer.text
    games = {each["id"]: each for each in answer.json()["games"]}
    assert games.keys() == {against["match"], local["match"]}
    computer = games[against["match"]]["player2"]
    title = bots("connect4")["easy"].persona.title
    assert (computer["id"], computer["username"]) == ("ai:easy", title)
    assert games[local["match"]]["player2"]["username"] == "Player 2"
