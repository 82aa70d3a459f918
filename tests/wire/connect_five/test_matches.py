"""Matches: what a player is shown, moves and purchases, and each way they end."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from tests.playthroughs import record
from tests.servers.parlour import Served
from tests.wire.connect_five.people import (
    C5,
    Json,
    Person,
    audited,
    pair,
    playing,
    unchanged,
    win,
)

People = tuple[Person, Person]

DRAWN = Path(record.__file__).parent / "connect_five" / "drawn.json"


def player(match: Json, person: Person) -> Json:
    found: Json = next(each for each in match["players"] if each["user"]["id"] == person.id)
    return found


def clock_of(match: Json, person: Person) -> int:
    mine = "a" if match["player_a"]["id"] == person.id else "b"
    left: int = match[f"clock_{mine}_remaining_ms"]
    return left


def empty_board() -> list[list[int]]:
    return [[0] * 14 for _ in range(14)]


@pytest.mark.spec("C11", "C47", "C55", "C74", "C80", "C81", "C85")
def test_a_match_shows_all_there_is_to_know(ann_and_bob: People) -> None:
    ann, bob = ann_and_bob
    match, first, second = playing(ann, bob)
    people = [each.shown for each in (ann, bob)]
    seen = first.look(match)
    assert seen == {
        "id": match["id"],
        "uuid": match["uuid"],
        "challenge": match["challenge"],
        "version": 1,
        "player_a": people[0],
        "player_b": people[1],
        "status": "active",
        "winner": None,
        "active_player": first.shown,
        "turn_number": 1,
        "turn_started_at": match["created_date"],
        "clock_a_remaining_ms": 300_000,
        "clock_b_remaining_ms": 300_000,
        "currency": "TNB",
        "stake_amount": 100,
        "prize_pool_total": 200,
        "max_spend_amount": 40,
        "time_limit_seconds": 300,
        "board_state": empty_board(),
        "players": [
            {
                "user": person,
                "spent_total": 0,
                "remaining_spend": 40,
                "inventory_h2": 0,
                "inventory_v2": 0,
                "inventory_cross4": 0,
                "inventory_bomb": 0,
                "last_action_at": None,
            }
            for person in people
        ],
        "last_move": None,
        "winning_cells": [],
        "legal": {
            "SINGLE": "1" * 196,
            "H2": "0" * 196,
            "V2": "0" * 196,
            "CROSS4": "0" * 196,
            "BOMB": "0" * 196,
        },
        "finished_at": None,
        "finish_reason": None,
        "created_date": match["created_date"],
        "modified_date": match["created_date"],
        "server_time": seen["server_time"],
    }
    assert second.look(match)["legal"] is None


@pytest.mark.spec("C3", "C24")
def test_chance_decides_who_moves_first(served: Served) -> None:
    ann, bob = pair(served)
    firsts = {playing(ann, bob, stake_amount=1)[0]["active_player"]["id"] for _ in range(30)}
    assert firsts == {ann.id, bob.id}


@pytest.mark.spec("C29", "C48", "C49", "C51", "C56", "C76")
def test_a_move_passes_the_turn_and_is_charged_to_the_mover(ann_and_bob: People) -> None:
    match, first, second = playing(*ann_and_bob)
    after = first.move(match, 3, 5)
    mark = 1 if first is ann_and_bob[0] else 2
    board = empty_board()
    board[5][3] = mark
    assert after["board_state"] == board
    assert (after["active_player"], after["turn_number"]) == (second.shown, 2)
    assert after["event_id"] == first.events(match)[-1]["id"]
    assert after["last_move"] == {
        "user": first.id,
        "move_type": "SINGLE",
        "x": 3,
        "y": 5,
        "placed": [[3, 5]],
        "removed": [],
    }
    thought = _ms(after["turn_started_at"]) - _ms(match["turn_started_at"])
    assert clock_of(after, first) == 300_000 - thought
    assert clock_of(after, second) == 300_000
    assert after["turn_started_at"] == after["server_time"]
    assert player(after, first)["last_action_at"] == after["turn_started_at"]
    assert second.look(match)["legal"]["SINGLE"][5 * 14 + 3] == "0"


@pytest.mark.spec("C10", "C33", "C38", "C49", "C52", "C77")
def test_a_purchase_is_paid_into_the_pot_and_keeps_the_turn(
    served: Served, ann_and_bob: People
) -> None:
    match, first, second = playing(*ann_and_bob)
    after = second.buy(match, "CROSS4", 2)
    assert after["prize_pool_total"] == 216
    assert after["remaining_spend"] == 24
    assert after["inventories"][str(second.id)] == {"H2": 0, "V2": 0, "CROSS4": 2, "BOMB": 0}
    assert after["inventories"][str(first.id)] == {"H2": 0, "V2": 0, "CROSS4": 0, "BOMB": 0}
    assert after["event_id"] == first.events(match)[-1]["id"]
    assert (after["active_player"], after["turn_number"]) == (first.shown, 1)
    thought = _ms(after["turn_started_at"]) - _ms(match["turn_started_at"])
    assert clock_of(after, first) == 300_000 - thought
    assert clock_of(after, second) == 300_000
    assert player(after, second)["spent_total"] == 16
    assert second.balance == 884
    for special, cost in (("H2", 4), ("V2", 4), ("BOMB", 3)):
        before = second.balance
        second.buy(match, special)
        assert before - second.balance == cost
    assert player(second.look(match), second)["remaining_spend"] == 13
    audited(served)


@pytest.mark.spec("C57", "C58", "C59", "C60", "C76")
def test_each_special_can_be_used_once_bought(ann_and_bob: People) -> None:
    match, first, second = playing(*ann_and_bob)
    mine, theirs = (1, 2) if first is ann_and_bob[0] else (2, 1)
    for special in ("H2", "v2", "Cross4", "bomb"):
        first.buy(match, special)
    board = empty_board()

    def place(cells: list[tuple[int, int]], mark: int) -> None:
        for x, y in cells:
            board[y][x] = mark

    for reply, (move_type, (x, y), cells) in enumerate(
        (
            ("h2", (0, 0), [(0, 0), (1, 0)]),
            ("V2", (13, 12), [(13, 12), (13, 13)]),
            ("CROSS4", (5, 5), [(5, 4), (4, 5), (6, 5), (5, 6)]),
        )
    ):
        after = first.move(match, x, y, move_type)
        place(cells, mine)
        assert after["board_state"] == board
        second.move(match, reply, 9)
        place([(reply, 9)], theirs)
    after = first.move(match, 2, 9, "BOMB")
    place([(2, 9)], 0)
    assert after["board_state"] == board
    assert after["last_move"]["removed"] == [[2, 9]]
    assert after["active_player"] == second.shown
    held = player(after, first)
    assert [held[f"inventory_{each}"] for each in ("h2", "v2", "cross4", "bomb")] == [0] * 4


@pytest.mark.spec("C23", "C25", "C34", "C41", "C63")
def test_five_in_a_row_win_the_whole_pot(served: Served, ann_and_bob: People) -> None:
    match, first, second = playing(*ann_and_bob)
    first.buy(match, "H2", 3)
    second.buy(match, "BOMB", 5)
    after = win(match, first, second)
    assert (after["status"], after["finish_reason"]) == ("finished_connect5", "connect5")
    assert (after["winner"], after["active_player"]) == (first.id, None)
    assert after["winning_cells"] == [[x, 0] for x in range(5)]
    assert after["finished_at"] == after["server_time"]
    assert after["prize_pool_total"] == 227
    assert after["legal"] is None
    assert (first.balance, second.balance) == (1000 - 112 + 227, 1000 - 115)
    assert second.look(match)["status"] == "finished_connect5"
    audited(served)


@pytest.mark.spec("C4", "C23", "C27", "C35", "C65")
def test_a_full_board_without_five_returns_everything(served: Served) -> None:
    ann, bob = pair(served)
    match, *seats = playing(ann, bob, max_spend_amount=196)
    for step in json.loads(DRAWN.read_text())["steps"]:
        seat, action = seats[step["seat"]], step["action"]
        if action["type"] == "purchase":
            seat.buy(match, action["special_type"], action["quantity"])
        else:
            seat.move(match, action["x"], action["y"], action["move_type"])
    after = ann.look(match)
    assert (after["status"], after["finish_reason"]) == ("draw", "draw")
    assert (after["winner"], after["active_player"]) == (None, None)
    assert after["prize_pool_total"] > 200
    assert not any(0 in row for row in after["board_state"])
    assert (ann.balance, bob.balance) == (1000, 1000)
    audited(served)


@pytest.mark.spec("C23", "C28", "C37", "C41")
def test_an_operator_calls_a_match_off_and_both_get_their_money_back(
    served: Served, ann_and_bob: People
) -> None:
    match, first, second = playing(*ann_and_bob)
    first.buy(match, "H2", 3)
    with second.hearing("connect-five") as ear:
        served.run(served.services.kernel.seating.call_off(match["uuid"]))
        told = ear.hear("update.connect_five_match")["match"]
        assert (told["status"], told["finish_reason"]) == ("cancelled", "cancelled")
    assert told["winner"] is None
    assert (first.balance, second.balance) == (1000, 1000)
    with unchanged(served):
        assert first.move(match, 0, 0, status=409)["code"] == "match_not_active"
        assert first.buy(match, "H2", status=409)["code"] == "match_not_active"
    audited(served)


@pytest.mark.spec("C5", "C28")
def test_players_can_neither_resign_nor_call_off(served: Served, ann_and_bob: People) -> None:
    match, first, _ = playing(*ann_and_bob)
    with unchanged(served):
        for verb in ("resign", "cancel", "draw"):
            assert first.ask("POST", f"{C5}/matches/{match['id']}/{verb}").status_code == 404
        assert first.ask("DELETE", f"{C5}/matches/{match['id']}").status_code == 405


@pytest.mark.spec("C76", "C77")
def test_nothing_can_be_done_after_the_end(served: Served, ann_and_bob: People) -> None:
    match, first, second = playing(*ann_and_bob)
    win(match, first, second)
    with unchanged(served):
        for person in (first, second):
            assert person.move(match, 9, 9, status=410)["code"] == "match_ended"
            assert person.buy(match, "H2", status=409)["code"] == "match_ended"


@pytest.mark.spec("C46")
def test_buying_twice_without_a_key_pays_twice(ann_and_bob: People) -> None:
    match, first, _ = playing(*ann_and_bob)
    first.buy(match, "H2")
    first.buy(match, "H2")
    assert first.balance == 892


@pytest.mark.spec("C75")
def test_matches_are_listed_by_status(served: Served, ann_and_bob: People) -> None:
    ann, bob = ann_and_bob
    won, first, second = playing(ann, bob)
    win(won, first, second)
    off, _, _ = playing(ann, bob)
    served.run(served.services.kernel.seating.call_off(off["uuid"]))
    going, mover, waiting = playing(ann, bob)

    def listed(query: str) -> list[str]:
        return [each["id"] for each in bob.get(f"{C5}/matches?{query}")["results"]]

    assert (
        listed("") == listed("status=&mine=") == listed("mine=received") == listed("mine=whoever")
    )
    assert listed("") == [going["id"], off["id"], won["id"]]
    assert listed("status=active") == [going["id"]]
    assert listed("status=finished_connect5") == [won["id"]]
    assert listed("status=cancelled") == [off["id"]]
    assert listed("status=draw") == listed("status=finished_timeout") == []
    assert listed("page_size=2&page=2") == [won["id"]]
    shown = mover.get(f"{C5}/matches?status=active")["results"][0]
    assert shown | {"server_time": ""} == mover.look(going) | {"server_time": ""}
    assert waiting.get(f"{C5}/matches")["results"][0]["legal"] is None
    assert Person(served).get(f"{C5}/matches") == {
        "count": 0,
        "next": None,
        "previous": None,
        "results": [],
    }


@pytest.mark.spec("C12", "C13")
def test_every_route_is_in_the_reference_with_what_it_refuses(served: Served) -> None:
    paths: dict[str, Any] = served.ask("GET", "/api/docs/openapi.json").json()["paths"]
    refusals = {
        (path.removeprefix(C5), method): {status for status in told["responses"] if status > "299"}
        for path, methods in paths.items()
        if path.startswith(C5)
        for method, told in methods.items()
    }
    anywhere = {"414", "429"}
    assert all(anywhere <= statuses for statuses in refusals.values())
    assert {route: statuses - anywhere for route, statuses in refusals.items()} == {
        ("/challenges", "get"): {"400", "401", "404", "503"},
        ("/challenges", "post"): {"400", "401", "404", "409", "422", "503"},
        ("/challenges/{challenge_id}", "get"): {"400", "401", "404", "503"},
        ("/challenges/{challenge_id}/decline", "post"): {
            "400",
            "401",
            "403",
            "404",
            "409",
            "422",
            "503",
        },
        ("/challenges/{challenge_id}/accept", "post"): {
            *("400", "401", "403", "404", "409", "410", "422", "503")
        },
        ("/challenges/{challenge_id}/cancel", "post"): {
            *("400", "401", "403", "404", "409", "422", "503")
        },
        ("/matches", "get"): {"400", "401", "404", "503"},
        ("/matches/{match_id}", "get"): {"400", "401", "404", "503"},
        ("/matches/{match_id}/events", "get"): {"400", "401", "404", "503"},
        ("/matches/{match_id}/move", "post"): {"400", "401", "403", "404", "409", "410", "503"},
        ("/matches/{match_id}/purchase", "post"): {"400", "401", "404", "409", "422", "503"},
    }


def _ms(text: str) -> int:
    return round(datetime.fromisoformat(text).timestamp() * 1000)
