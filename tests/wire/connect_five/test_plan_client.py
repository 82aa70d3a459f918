"""Connect Five as a client plays it that was written for the plan: ids are integers, users objects,
and the bell and the purse are read as the apps of its framework have them.
"""

from __future__ import annotations

import asyncio
import json
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from datetime import datetime
from typing import Any
from uuid import uuid4

import httpx
import pytest
from websockets.sync.client import connect

from parlour.games.connect_five import numbers
from parlour.store.change import Change, NotificationRow
from tests.servers.parlour import Served
from tests.store.rows import around
from tests.wire.connect_five.conftest import Host
from tests.wire.connect_five.people import HTTP, Ear, Json, answered, audited

SAFE = 2**53
TYPE = "CONNECT_FIVE_CHALLENGE"
TERMS = {"stake_amount": 25, "max_spend_amount": 16, "time_limit_seconds": 600}


def is_id(value: object) -> bool:
    return type(value) is int and 0 < value < SAFE


class Client:
    """Signed in with a guest's token; knows nothing but what answers and messages tell it."""

    def __init__(self, served: Served, name: str) -> None:
        welcome = answered(
            HTTP.post(f"{served.url}/api/auth/guest", json={"username": name}), status=201
        )
        self.served = served
        self.token = welcome["token"]
        self.id: int = welcome["user"]["number"]
        self.name = name
        self.challenges: dict[int, Json] = {}
        self.matches: dict[int, Json] = {}

    def ask(self, method: str, path: str, body: Any = None) -> httpx.Response:
        headers = {"Authorization": f"Bearer {self.token}"}
        return HTTP.request(method, f"{self.served.url}/api/{path}", headers=headers, json=body)

    def get(self, path: str) -> Any:
        return answered(self.ask("GET", path), 200)

    def post(self, path: str, body: Any = None, status: int = 200) -> Any:
        return answered(self.ask("POST", path, body), status)

    def patch(self, path: str, body: Any = None, status: int = 200) -> Any:
        return answered(self.ask("PATCH", path, body), status)

    def socket(self, stack: ExitStack, what: str) -> Ear:
        ear = Ear(stack.enter_context(connect(f"{self.served.ws}/ws/{what}/{self.id}")))
        ear.say({"type": "auth", "token": self.token})
        assert ear.hear() == {"type": "auth_ok"}
        return ear

    def hear(self, ear: Ear) -> str:
        """Take one message into the store, by id."""
        message = ear.hear()
        if message["type"] == "update.connect_five_match":
            self.matches[message["match"]["id"]] = message["match"]
        elif message["type"] == "update.connect_five_challenge":
            self.challenges[message["challenge"]["id"]] = message["challenge"]
        kind: str = message["type"]
        return kind

    def my_turn(self, match: Json) -> bool:
        return match["active_player"] is not None and match["active_player"]["id"] == self.id

    def move(self, match_id: int, x: int, y: int) -> httpx.Response:
        body = {"move_type": "SINGLE", "x": x, "y": y}
        return self.ask("POST", f"connect-five/matches/{match_id}/move", body)


@pytest.fixture
def served(host: Host) -> Served:
    return host.start()


def begun(ann: Client, bob: Client) -> tuple[Json, Client, Client]:
    """A match between two, who moves first, and the other."""
    made = ann.post("connect-five/challenges", {"opponent_id": bob.id, **TERMS}, status=201)
    match = bob.post(f"connect-five/challenges/{made['id']}/accept")
    return (match, ann, bob) if ann.my_turn(match) else (match, bob, ann)


@pytest.mark.spec("C66", "C69", "C72", "C74", "C76", "C87", "C88", "C89", "C93")
def test_a_whole_game_from_the_search_to_the_payout(served: Served) -> None:
    ann, bob = Client(served, "ann"), Client(served, "bob")
    with ExitStack() as stack:
        a, b = ann.socket(stack, "connect-five"), bob.socket(stack, "connect-five")
        bell, purse = bob.socket(stack, "notifications"), bob.socket(stack, "wallet")
        (found,) = ann.get("users/search?q=bob")
        assert (found["id"], found["username"]) == (bob.id, "bob")
        made = ann.post("connect-five/challenges", {"opponent_id": found["id"], **TERMS}, 201)
        assert is_id(made["id"])
        assert (made["challenger"]["id"], made["opponent"]["id"]) == (ann.id, bob.id)

        rung = bell.hear("create.notification")
        payload = rung["notification"]["payload"]
        assert is_id(rung["notification"]["id"])
        assert rung["total_unread_count"] == 1
        assert payload["notification_type"] == rung["notification"]["notification_type"] == TYPE
        assert payload["challenger"] == made["challenger"]
        assert {name: payload[name] for name in TERMS} == TERMS
        assert payload["expires_at"] == made["expires_at"]
        assert payload["challenge"] == made
        ann.hear(a), bob.hear(b)
        assert bob.challenges[payload["challenge_id"]] == made

        match = bob.post(f"connect-five/challenges/{payload['challenge_id']}/accept")
        assert (is_id(match["id"]), match["challenge"]) == (True, made["id"])
        for client, ear in ((ann, a), (bob, b)):
            assert client.hear(ear) == "update.connect_five_challenge"
            assert client.challenges[made["id"]]["match_id"] == match["id"]
            assert client.hear(ear) == "update.connect_five_match"
            assert client.matches[match["id"]]["challenge"] == made["id"]
        paid = purse.hear("update.wallet")["wallet"]
        assert (paid["owner"], paid["balance"]) == (bob.id, 975)

        first, second = (ann, bob) if ann.my_turn(match) else (bob, ann)
        ears = {first: a if first is ann else b, second: b if first is ann else a}
        for turn in range(9):
            mover, row = (first, 0) if turn % 2 == 0 else (second, 5)
            assert mover.my_turn(mover.matches[match["id"]])
            after = answered(mover.move(match["id"], turn // 2, row), 200)
            for client in (first, second):
                client.hear(ears[client])
                told = client.matches[match["id"]]
                assert (told["version"], told["winner"]) == (after["version"], after["winner"])
        assert after["winner"] == first.id
        assert after["active_player"] is None
        (wallet,) = first.get("wallets")["results"]
        assert (wallet["owner"], wallet["balance"]) == (first.id, 1025)
    audited(served)


@pytest.mark.spec("C45", "C76")
def test_double_posts_and_polls_without_pause_harm_nobody(served: Served) -> None:
    match, first, second = begun(Client(served, "ann"), Client(served, "bob"))
    path = f"connect-five/matches/{match['id']}"
    with ThreadPoolExecutor(6) as pool:
        for turn in range(9):
            mover, row = (first, 0) if turn % 2 == 0 else (second, 5)
            posts = [pool.submit(mover.move, match["id"], turn // 2, row) for _ in range(2)]
            polls = [pool.submit(each.get, path) for each in (first, second) * 4]
            statuses = sorted(post.result().status_code for post in posts)
            over = turn == 8
            assert statuses == [200, 410 if over else 403]
            for poll in polls:
                assert poll.result()["version"] in (turn + 1, turn + 2)
            assert mover.get(path)["version"] == turn + 2
    assert first.get(path)["winner"] == first.id
    assert [each.get("wallet")["balance"] for each in (first, second)] == [1025, 975]
    audited(served)


def test_a_move_asks_the_store_for_no_numbers(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    match, first, second = begun(Client(served, "ann"), Client(served, "bob"))
    store, asked = served.services.store, []
    rows = store.rows

    async def noted(query: Any, **params: Any) -> Any:
        asked.append(query)
        return await rows(query, **params)

    monkeypatch.setattr(store, "rows", noted)
    for turn, mover in enumerate((first, second, first)):
        answered(mover.move(match["id"], turn, 0), 200)
    first.get("wallet")
    assert asked, "who asks is looked up there"
    assert not any(query in (numbers._BY_IDS, numbers._BY_NUMBER) for query in asked)


@pytest.mark.spec("C82", "C102")
def test_ids_are_integers_unique_and_the_same_after_a_restart(host: Host) -> None:
    served = host.start()
    ann, bob = Client(served, "ann"), Client(served, "bob")
    played = []
    for _ in range(2):
        match, first, second = begun(ann, bob)
        for turn in range(9):
            mover, row = (first, 0) if turn % 2 == 0 else (second, 5)
            answered(mover.move(match["id"], turn // 2, row), 200)
        played.append(match["id"])
    paths = (
        "connect-five/challenges",
        "connect-five/matches",
        *(f"connect-five/matches/{match_id}/events" for match_id in played),
        "notifications",
        "wallets",
    )

    def ids(client: Client) -> dict[str, list[int]]:
        return {path: [each["id"] for each in client.get(path)["results"]] for path in paths}

    before = ids(bob)
    assert all(is_id(each) for listed in before.values() for each in listed)
    assert all(len(set(listed)) == len(listed) > 0 for listed in before.values())
    events = [before[f"connect-five/matches/{match_id}/events"] for match_id in played]
    assert [len(each) for each in events] == [13, 13]
    assert not set(events[0]) & set(events[1])
    assert all(each == sorted(each) for each in events)
    host.stop(served)
    ann.served = bob.served = host.start()
    assert ids(bob) == before
    newest = ann.post("connect-five/challenges", {"opponent_id": bob.id, **TERMS}, 201)
    assert newest["id"] > max(before["connect-five/challenges"])


def test_either_id_will_do(served: Served) -> None:
    ann, bob = Client(served, "ann"), Client(served, "bob")
    (found,) = ann.get("users/search?q=bob")
    made = ann.post("connect-five/challenges", {"opponent_id": found["uuid"], **TERMS}, 201)
    again = ann.post("connect-five/challenges", {"opponent_id": str(found["id"]), **TERMS}, 201)
    assert again["opponent"] == made["opponent"] == found
    ann.post(f"connect-five/challenges/{again['uuid']}/cancel")
    match = bob.post(f"connect-five/challenges/{made['uuid']}/accept")
    for name in ("id", "uuid"):
        shown = ann.get(f"connect-five/matches/{match[name]}")
        assert (shown["id"], shown["uuid"]) == (match["id"], match["uuid"])
        assert ann.get(f"connect-five/challenges/{made[name]}")["match_id"] == match["id"]
        assert ann.get(f"connect-five/matches/{match[name]}/events")["count"] == 3


def test_the_bell(served: Served) -> None:
    ann, bob = Client(served, "ann"), Client(served, "bob")
    made = [
        ann.post("connect-five/challenges", {"opponent_id": bob.id, **TERMS}, 201) for _ in range(3)
    ]
    page = bob.get("notifications?page_size=2")
    assert (page["count"], page["unread_count"], len(page["results"])) == (3, 3, 2)
    newest = page["results"][0]
    assert newest["payload"]["challenge_id"] == made[-1]["id"]
    assert bob.get("notifications/unread-count") == {"unread_count": 3}
    read = bob.patch(f"notifications/{newest['id']}", {"is_read": True})
    assert read == newest | {"is_read": True}
    assert bob.get("notifications/unread-count") == {"unread_count": 2}
    refused: Any
    for refused in ({"is_read": False}, {"is_read": 1}, {"is_read": "true"}, {}, []):
        bob.patch(f"notifications/{newest['id']}", refused, status=400)
    for missing in (newest["id"], 0, -1, 2**63, "nonsense"):
        assert ann.patch(f"notifications/{missing}", {"is_read": True}, 404)["code"] == "not_found"
    assert ann.patch("notifications/mark-all-as-read") == {"success": True, "unread_count": 0}
    assert bob.get("notifications")["unread_count"] == 2
    assert bob.patch("notifications/mark-all-as-read") == {"success": True, "unread_count": 0}
    page = bob.get("notifications")
    assert (page["unread_count"], {each["is_read"] for each in page["results"]}) == (0, {True})


def test_a_late_look_shows_what_became_of_a_challenge(served: Served) -> None:
    ann, bob = Client(served, "ann"), Client(served, "bob")
    match, _, _ = begun(ann, bob)
    (notified,) = bob.get("notifications")["results"]
    challenge = notified["payload"]["challenge"]
    assert (challenge["status"], challenge["match_id"]) == ("accepted", match["id"])


@pytest.mark.spec("C30")
def test_the_purse(served: Served) -> None:
    ann, bob = Client(served, "ann"), Client(served, "bob")
    page = ann.get("wallets")
    (wallet,) = page["results"]
    assert (page["count"], page["next"], page["previous"]) == (1, None, None)
    assert set(wallet) == {"id", "owner", "balance", "currency", "created_date", "modified_date"}
    assert (wallet["owner"], wallet["balance"]) == (ann.id, 1000)
    assert is_id(wallet["id"])
    assert wallet["id"] != bob.get("wallets")["results"][0]["id"]
    assert (is_id(wallet["currency"]["id"]), wallet["currency"]["ticker"]) == (True, "TNB")
    begun(ann, bob)
    (after,) = ann.get("wallets")["results"]
    assert (after["id"], after["created_date"]) == (wallet["id"], wallet["created_date"])
    assert after["balance"] == 975
    earlier, later = (datetime.fromisoformat(each["modified_date"]) for each in (wallet, after))
    assert later > earlier
    assert ann.get("wallet") == {"currency": "TNB", "balance": 975}


def test_kept_answers_bear_the_same_numbers(served: Served) -> None:
    ann, bob = Client(served, "ann"), Client(served, "bob")

    def twice(client: Client, path: str, body: Any) -> Json:
        headers = {"Authorization": f"Bearer {client.token}", "Idempotency-Key": "k"}
        answers = [
            HTTP.post(f"{served.url}/api/{path}", headers=headers, json=body) for _ in range(2)
        ]
        assert answers[0].content == answers[1].content
        shown: Json = answers[0].json()
        assert is_id(shown["id"])
        return shown

    made = twice(ann, "connect-five/challenges", {"opponent_id": bob.id, **TERMS})
    match = twice(bob, f"connect-five/challenges/{made['id']}/accept", None)
    shown = ann.get(f"connect-five/challenges/{made['id']}")
    assert (shown["uuid"], shown["match_id"]) == (made["uuid"], match["id"])


# --- what was there before there were numbers -------------------------------------------------


def test_an_answer_kept_when_ids_were_no_numbers_is_given_as_it_was(
    served: Served, database: str
) -> None:
    ann, bob = Client(served, "ann"), Client(served, "bob")
    headers = {"Authorization": f"Bearer {ann.token}", "Idempotency-Key": "k"}
    body = {"opponent_id": bob.id, **TERMS}
    path = f"{served.url}/api/connect-five/challenges"
    answered(HTTP.post(path, headers=headers, json=body), 201)
    older = '{"id":"0190-long","status":"pending"}'
    value = f"X'{older.encode().hex()}'" if database.startswith("sqlite") else f"'{older}'"
    asyncio.run(around(database, f"UPDATE kept_answer SET answer = {value}"))  # noqa: S608 (ours)
    assert HTTP.post(path, headers=headers, json=body).text == older


@pytest.mark.parametrize("payload", [{"challenge": {"id": "THE-ID", "status": "pending"}}, {}])
def test_a_notification_of_before_is_shown_with_numbers_or_says_what_it_was(
    served: Served, payload: Json
) -> None:
    ann, bob = Client(served, "ann"), Client(served, "bob")
    made = ann.post("connect-five/challenges", {"opponent_id": bob.id, **TERMS}, 201)
    (row,) = answered(bob.ask("GET", "notifications"), 200)["results"]
    stored = json.dumps(payload).replace("THE-ID", made["uuid"])
    older = NotificationRow(
        id=str(uuid4()),
        user_id=made["opponent"]["uuid"],
        type=TYPE,
        payload=stored.encode(),
        created_at=1,
    )
    served.run(served.services.store.commit(Change((older,))))
    newest, oldest = bob.get("notifications")["results"]
    assert newest == row
    told = row["payload"] if payload else {"notification_type": TYPE}
    assert (is_id(oldest["id"]), oldest["payload"]) == (True, told)


def test_the_numbers_of_so_many_matches_are_kept(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(numbers, "KEPT", 2)
    ann, bob = Client(served, "ann"), Client(served, "bob")
    played = [begun(ann, bob)[0] for _ in range(3)]
    kept = numbers.Numbers(served.services.store)

    async def look(match: Json) -> None:
        assert await kept.match_id(str(match["id"])) == match["uuid"]
        found = await kept.of(match["uuid"])
        assert found is not None
        assert (found.match, found.challenge) == (match["id"], match["challenge"])
        assert len(kept._kept) == len(kept._ids) <= 2

    for match in (*played, *reversed(played)):
        served.run(look(match))
    assert served.run(kept.match_id(str(played[-1]["id"] + 1))) is None
    assert len(served.run(kept.of_all([*(each["uuid"] for each in played), "none"]))) == 3
