"""Steps that are answered where they came in: as the route answers, which refuses all others."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from tests.net.raw import dial, rest
from tests.servers.parlour import Served
from tests.wire.connect_five.conftest import Host
from tests.wire.connect_five.people import C5, Person, audited, pair, playing

FLEETING = {"id", "uuid", "challenge", "event_id", "version", "turn_started_at", "server_time"}
FLEETING |= {"created_date", "modified_date", "last_action_at", "inventories", "username", "user"}
FLEETING |= {"clock_a_remaining_ms", "clock_b_remaining_ms"}


class Counted:
    """How many steps of a server went by a short way."""

    def __init__(self, served: Served) -> None:
        self.short = 0
        by_end = served.services.short_ways._by_end
        for end, ways in by_end.items():
            by_end[end] = [replace(way, take=self._counting(way.take)) for way in ways]

    def _counting(self, take: Any) -> Any:
        def counting(asked: Any, told: Any) -> Any:
            taken = take(asked, told)
            self.short += taken is not None
            return taken

        return counting


def lasting(shown: Any) -> Any:
    """What two matches of the same steps have in common."""
    if isinstance(shown, dict):
        return {name: lasting(each) for name, each in shown.items() if name not in FLEETING}
    return [lasting(each) for each in shown] if isinstance(shown, list) else shown


STEPS = [
    (0, "move", {"move_type": "SINGLE", "x": 3, "y": 4}),
    (1, "purchase", {"special_type": "h2", "quantity": 2}),
    (1, "move", {"move_type": "H2", "x": 0, "y": 0}),
    (0, "purchase", {"special_type": "BOMB"}),
    (0, "move", {"move_type": "bomb", "x": 0, "y": 0}),
]


def ask(person: Person, path: str, body: Any, **more: Any) -> Any:
    return person.ask("POST", f"{C5}/{path}", json=body, **more)


@pytest.mark.spec("C82", "C102")
def test_a_short_way_answers_what_the_route_does(host: Host) -> None:
    served = host.start()
    counted = Counted(served)

    def answers(**more: Any) -> list[Any]:
        match, first, second = playing(*pair(served), stake_amount=10)
        while first.id != match["player_a"]["id"]:
            match, first, second = playing(*pair(served), stake_amount=10)
        # Who plays for the first time here is looked up by the route.
        for person in (first, second):
            assert person.ask("GET", f"{C5}/matches/{match['id']}").status_code == 200
        found = []
        for seat, what, body in STEPS:
            answer = ask((first, second)[seat], f"matches/{match['id']}/{what}", body, **more)
            assert answer.status_code == 200, answer.text
            found.append((list(answer.json()), lasting(answer.json())))
        return found

    quick = answers()
    taken = counted.short
    assert taken == len(STEPS), "nothing was in the way"
    assert answers(params={"by": "route"}) == quick
    assert counted.short == taken
    audited(served)


@pytest.mark.spec("C60", "C62")
def test_what_cannot_be_paid_is_refused_and_changes_nothing(host: Host) -> None:
    served = host.start(starting_balance=12)
    counted = Counted(served)
    match, first, second = playing(*pair(served), stake_amount=10, max_spend_amount=500)
    path = f"matches/{match['id']}/purchase"
    answers = [
        ask(first, path, {"special_type": "CROSS4"}, **more)
        for more in ({}, {"params": {"by": "route"}})
    ]
    assert [answer.status_code for answer in answers] == [422, 422]
    assert answers[0].json() == answers[1].json()
    assert counted.short == 1, "the store alone knows what somebody has"
    assert second.look(match)["version"] == match["version"]
    audited(served)


def test_answers_come_in_their_order_whatever_follows_a_step(host: Host) -> None:
    served = host.start()
    counted = Counted(served)
    match, first, second = playing(*pair(served), stake_amount=10)
    for person in (first, second):
        assert person.ask("GET", f"{C5}/matches/{match['id']}").status_code == 200
    body = b'{"move_type":"SINGLE","x":3,"y":4}'
    head = (
        f"POST {C5}/matches/{match['id']}/move HTTP/1.1\r\nHost: parlour\r\n"
        f"Authorization: Bearer {first.token}\r\nContent-Type: application/json\r\n"
        f"Content-Length: {len(body)}\r\n\r\n"
    )
    with dial(served.port) as client:
        client.sendall(head.encode() + body + b"no request\r\n\r\n")
        came = rest(client)
    assert counted.short == 1
    statuses = [line.split()[1] for line in came.split(b"\r\n") if b"HTTP/1.1 " in line]
    assert statuses == [b"200", b"400"]
    assert came.index(b'"event_id":') < came.index(b"HTTP/1.1 400")
    assert second.look(match)["version"] == match["version"] + 1
