"""Rate limits of a real server: who is refused, how it is told so, and that nothing happened."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx
import pytest
import redis
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import func, select
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from parlour.bus.local import LocalBus
from parlour.games.registry import all_rules, bots
from parlour.net import front, spending
from parlour.net.addresses import address_group
from parlour.net.limits import SEC, Limits, RateLimited, Who
from parlour.net.metrics import Metrics
from parlour.rates import Rate
from parlour.settings import Settings
from parlour.store.schema import metadata
from tests.host.test_names import WITHOUT_A_DOCUMENT
from tests.net.conftest import routes
from tests.servers import plain
from tests.servers.parlour import Served, serving
from tests.servers.valkey import Valkey, valkey

__all__ = ["valkey"]

ELSEWHERE = ("127.0.0.2", 0)
ECHO = "/ws/test/echo"
PLAY = "/ws/play"
GAME = WITHOUT_A_DOCUMENT[0]
CHALLENGES = "/api/connect-five/challenges"

Json = dict[str, Any]


@pytest.fixture(autouse=True)
def _not_held(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(front, "HELD_SEC", (0.0, 0.0))


@contextmanager
def limited(database: str = "sqlite://", redis_url: str = "", **rates: str) -> Iterator[Served]:
    """A server with these limits, and the usual ones for all else."""
    given = {f"RATE_LIMIT_{name.upper()}": rate for name, rate in rates.items()}
    settings = Settings.read({"DATABASE_URL": database, "REDIS_URL": redis_url} | given)
    with serving(settings, routes, rate_limits=True) as served:
        yield served


def refused(answer: httpx.Response) -> Json:
    """It was, with a time to try again that makes sense; what it says."""
    assert answer.status_code == 429, answer.text
    assert answer.headers["content-type"] == "application/json"
    assert int(answer.headers["retry-after"]) >= 1
    body: Json = answer.json()
    return body


def bearer(token: str) -> Json:
    return {"headers": {"Authorization": f"Bearer {token}"}}


def from_elsewhere(served: Served) -> httpx.Client:
    transport = plain.Transport(local_address=ELSEWHERE[0])
    return plain.Client(base_url=served.url, transport=transport, timeout=20)


@contextmanager
def opened(served: Served, path: str = ECHO, **more: Any) -> Iterator[ClientConnection]:
    with connect(served.ws + path, compression=None, **more) as client:
        yield client


def hear(client: ClientConnection) -> Json:
    heard: Json = json.loads(client.recv(timeout=20))
    return heard


def hear_of(client: ClientConnection, kind: str) -> Json:
    """The next message of that kind."""
    while (heard := hear(client))["type"] != kind:
        assert heard["type"] != "error", heard
    return heard


def until_closed(client: ClientConnection) -> tuple[list[str | bytes], int]:
    """All that is still said, and how it ends."""
    said: list[str | bytes] = []
    with suppress(ConnectionClosed):
        while True:
            said.append(client.recv(timeout=20))
    assert client.close_code is not None
    return said, client.close_code


def rows(served: Served, table: str) -> int:
    count = select(func.count().label("n")).select_from(metadata.tables[table])
    (row,) = served.run(served.services.store.rows(count))
    return int(row["n"])


def counted(served: Served, limit: str, by: str) -> float:
    name = f'parlour_rate_limited_total{{by="{by}",limit="{limit}"}} '
    for row in served.ask("GET", "/metrics").text.splitlines():
        if row.startswith(name):
            return float(row.removeprefix(name))
    return 0


# --- requests


def test_a_user_who_asks_too_often_is_refused_and_others_are_not() -> None:
    with limited(requests_per_user="3/h") as served:
        (ann, _), (bob, _) = served.guest(), served.guest()
        # A token counts for its user once it has been verified, so the first one is free.
        for _ in range(4):
            assert served.ask("GET", "/api/users/me", **bearer(ann)).status_code == 200
        answer = served.ask("GET", "/api/users/me", **bearer(ann))
        body = refused(answer)
        assert body["error"] == body["code"] == "RATE_LIMITED"
        assert body["message"].startswith("Too many requests. Please wait ")
        assert 1000 < int(answer.headers["retry-after"]) <= 1200
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert served.ask("GET", "/api/users/me", **bearer(bob)).status_code == 200
        assert counted(served, "requests", "user") == 1


def test_an_address_is_refused_and_others_are_not() -> None:
    with limited(anonymous_requests_per_address="3/h") as served, from_elsewhere(served) as http:
        assert [http.get("/api/config").status_code for _ in range(5)] == [200] * 3 + [429] * 2
        assert http.get("/").status_code == 200  # files are counted apart
        assert served.ask("GET", "/api/config").status_code == 200
        assert counted(served, "anonymous_requests", "address") == 2


def test_files_are_limited_too() -> None:
    with limited(files_per_address="2/h") as served:
        asked = [served.ask("GET", "/") for _ in range(3)]
        assert [answer.status_code for answer in asked] == [200, 200, 429]
        refused(asked[-1])


def test_surfaces_with_another_shape_of_errors_refuse_in_theirs() -> None:
    with limited(requests_per_address="1/h") as served:
        token, _ = served.guest()
        for _ in range(2):
            assert served.ask("GET", "/api/wallet", **bearer(token)).status_code == 200
        body = refused(served.ask("GET", "/api/wallet", **bearer(token)))
        assert set(body) == {"detail", "code"}
        assert body["code"] == "rate_limited"


def test_an_address_is_the_one_that_a_proxy_we_believe_names() -> None:
    with limited(anonymous_requests_per_address="1/h") as served:

        def ask(address: str) -> int:
            headers = {"X-Forwarded-For": address}
            return served.ask("GET", "/api/config", headers=headers).status_code

        assert (ask("192.0.2.1"), ask("192.0.2.1"), ask("192.0.2.2")) == (200, 429, 200)
        assert (ask("2001:db8::1"), ask("2001:db8::2:3:4:5"), ask("2001:db8:0:1::1")) == (
            200,
            429,
            200,
        )


def test_what_is_one_address() -> None:
    assert address_group("::ffff:192.0.2.7") == address_group("192.0.2.7") == "192.0.2.7"
    assert address_group("fe80::1%eth0") == address_group("fe80::2")
    assert address_group("2001:db8:1:2::1") != address_group("2001:db8:1:3::1")
    assert len(address_group("x" * 10_000)) == 64


def test_a_page_of_an_allowed_origin_may_read_the_refusal() -> None:
    origin = "https://friend.example"
    settings = Settings(
        database_url="sqlite://",
        allowed_origins=(origin,),
        rate_limit_anonymous_requests_per_address=Rate.read("1/h"),
    )
    with serving(settings, rate_limits=True) as served:
        served.ask("GET", "/api/config")
        for asks, may in ((origin, origin), ("https://other.example", None)):
            answer = served.ask("GET", "/api/config", headers={"Origin": asks})
            refused(answer)
            assert answer.headers.get("access-control-allow-origin") == may


def test_a_connection_goes_on_after_a_refusal() -> None:
    with limited(requests_per_user="1/h") as served:
        token, _ = served.guest()
        with plain.Client(base_url=served.url, timeout=20) as http:
            me = [http.get("/api/users/me", **bearer(token)) for _ in range(3)]
            assert [each.status_code for each in me] == [200, 200, 429]
            move = http.post("/api/test/c4/move", json={"column": 3}, **bearer(token))
            assert refused(move)["code"] == "RATE_LIMITED"
            again = http.post("/api/test/c4/move", json={"column": 3})
            assert again.json() == {"c4": 3}


def test_nothing_is_refused_where_limits_are_off() -> None:
    rate = Rate.read("1/h")
    settings = Settings(
        database_url="sqlite://",
        rate_limit_anonymous_requests_per_address=rate,
        rate_limit_sign_ups_per_address=rate,
        rate_limit_messages_per_address=rate,
        rate_limit_sockets_per_address=rate,
    )
    with serving(settings, routes) as served:
        assert all(served.guest() for _ in range(5))
        for _ in range(3):
            with opened(served) as client:
                client.send("hello")
                assert client.recv(timeout=20) == "hello"


def test_users_of_one_address_are_counted_together_apart_from_who_is_none() -> None:
    with limited(requests_per_address="3/h") as served:
        (ann, _), (bob, _) = served.guest(), served.guest()
        for token in (ann, bob):
            assert served.ask("GET", "/api/users/me", **bearer(token)).status_code == 200
        asked = [served.ask("GET", "/api/users/me", **bearer(each)) for each in (ann, bob) * 2]
        assert [answer.status_code for answer in asked] == [200, 200, 200, 429]
        assert served.ask("GET", "/api/config").status_code == 200


# --- new users


def test_sign_ups_from_one_address_end_and_make_nobody() -> None:
    with limited(sign_ups_per_address="3/h") as served, from_elsewhere(served) as http:
        asked = [http.post("/api/auth/guest") for _ in range(5)]
        assert [answer.status_code for answer in asked] == [201] * 3 + [429] * 2
        assert refused(asked[-1])["code"] == "RATE_LIMITED"
        assert rows(served, "user") == 3
        served.guest()
        assert counted(served, "sign_ups", "address") == 2


def test_codes_tried_from_one_address_end_even_where_the_next_is_right() -> None:
    with limited(recoveries_per_address="3/h") as served, from_elsewhere(served) as http:
        token, _ = served.guest()
        code = served.ask("POST", "/api/users/me/recovery", **bearer(token)).json()["code"]
        wrong = [http.post("/api/auth/recover", json={"code": "A" * 20}) for _ in range(3)]
        assert [answer.status_code for answer in wrong] == [404] * 3
        assert (
            refused(http.post("/api/auth/recover", json={"code": code}))["code"] == "RATE_LIMITED"
        )
        assert counted(served, "recoveries", "address") == 1
        assert served.ask("POST", "/api/auth/recover", json={"code": code}).status_code == 200


# --- sockets


def test_too_many_sockets_from_one_address_are_refused_before_the_handshake() -> None:
    with limited(sockets_per_address="2/h") as served:
        for _ in range(2):
            with opened(served):
                pass
        with pytest.raises(InvalidStatus) as refusal, opened(served):
            pass
        answer = refusal.value.response
        assert answer.status_code == 429
        assert int(answer.headers["Retry-After"]) >= 1
        with opened(served, source_address=ELSEWHERE) as client:
            client.send("hello")
            assert client.recv(timeout=20) == "hello"


def test_too_many_sockets_of_one_user_are_told_so() -> None:
    with limited(sockets_per_user="1/h") as served:
        ann, user = served.guest()
        bob, _ = served.guest()
        path = f"/ws/wallet/{user['id']}"
        for _ in range(2):
            with opened(served, path) as client:
                client.send(json.dumps({"type": "auth", "token": ann}))
                heard = hear(client)
                if heard["type"] == "auth_ok":
                    continue
                assert heard["code"] == "rate_limited"
                assert until_closed(client) == ([], 1013)
        assert heard["type"] == "error"
        with opened(served, "/ws/test/private/A", additional_headers=bearer(bob)["headers"]) as it:
            assert str(it.recv(timeout=20)).startswith("hello ")


def test_messages_beyond_the_limit_are_told_apart_and_not_acted_on() -> None:
    with limited(messages_per_user="3/h") as served, opened(served) as client:
        for word in "abcde":
            client.send(word)
        assert [client.recv(timeout=20) for _ in "abc"] == list("abc")
        for _ in "de":
            error = hear(client)
            assert (error["type"], error["code"]) == ("error", "RATE_LIMITED")
            assert error["message"]
        with opened(served) as another:
            another.send("x")
            assert another.recv(timeout=20) == "x"
        assert counted(served, "messages", "user") == 2


def test_messages_from_one_address_are_counted_together() -> None:
    with limited(messages_per_address="3/h") as served:
        with opened(served, source_address=ELSEWHERE) as first:
            for _ in range(3):
                first.send("x")
                assert first.recv(timeout=20) == "x"
        with opened(served, source_address=ELSEWHERE) as second, opened(served) as here:
            second.send("x")
            assert hear(second)["code"] == "RATE_LIMITED"
            here.send("x")
            assert here.recv(timeout=20) == "x"


def test_who_goes_on_beyond_the_limit_is_hung_up_on() -> None:
    with (
        limited(messages_per_user="1/h", refused_messages_per_user="5/h") as served,
        opened(served) as client,
    ):
        for _ in range(20):
            client.send("x")
        said, code = until_closed(client)
        assert code == 1008
        assert said[0] == "x"
        assert all(json.loads(error)["code"] == "RATE_LIMITED" for error in said[1:])
        assert len(said) == 8  # the one that was heard, six refusals, and that it is enough
        assert 'parlour_socket_drops_total{why="flood"} 1.0' in served.ask("GET", "/metrics").text


@pytest.mark.parametrize(
    ("path", "last"),
    [
        ("/ws", ("error", "RATE_LIMITED")),
        ("/party/K7QF2M", ("ERROR", "RATE_LIMITED")),
        ("/ws/wallet/{}", ("error", "rate_limited")),
        ("/ws/notifications/{}", ("error", "rate_limited")),
        ("/ws/connect-five/{}", ("error", "rate_limited")),
    ],
)
def test_too_many_refused_messages_end_a_socket_in_its_own_words(
    path: str, last: tuple[str, str]
) -> None:
    with limited(refused_messages_per_user="3/h") as served:
        token, user = served.guest()
        with opened(served, path.format(user["id"])) as client:
            client.send(json.dumps({"type": "auth", "token": token}))
            for _ in range(6):
                client.send("nonsense")
            said, code = until_closed(client)
        errors = [json.loads(each) for each in said if b"auth_ok" not in str(each).encode()]
        assert code == 1008
        assert len(errors) == 5  # four that made no sense, and that it is enough
        assert (errors[-1]["type"], errors[-1]["code"]) == last


def test_connect_4_tells_of_too_many_messages_as_of_other_errors() -> None:
    with limited(messages_per_user="2/h") as served:
        token, _ = served.guest()
        game = served.ask("POST", "/api/games", **bearer(token)).json()["game"]
        path = f"/ws/connect4/{game['publicId']}"
        with opened(served, path, additional_headers=bearer(token)["headers"]) as client:
            assert hear(client)["type"] == "game"
            for _ in range(3):
                client.send(json.dumps({"type": "ping"}))
            heard = [hear(client) for _ in range(3)]
        assert [each["type"] for each in heard] == ["pong", "pong", "error"]
        assert set(heard[2]) == {"type", "payload", "timestamp"}
        assert set(heard[2]["payload"]) == {"code", "message"}
        assert heard[2]["payload"]["code"] == "RATE_LIMITED"


# --- rooms, searches, challenges


def test_private_games_are_limited_and_none_is_opened() -> None:
    with limited(rooms_per_user="2/h") as served:
        ann, bob = bearer(served.guest()[0]), bearer(served.guest()[0])
        for _ in range(2):
            game = served.ask("POST", "/api/games", **ann).json()["gameId"]
            assert served.ask("DELETE", f"/api/games/{game}", **ann).status_code == 200
        assert refused(served.ask("POST", "/api/games", **ann))["code"] == "RATE_LIMITED"
        assert rows(served, "match") == 2
        assert served.ask("POST", "/api/games", **bob).status_code == 201


@pytest.mark.parametrize(("limit", "opponent"), [("rooms", None), ("computer_games", "easy")])
def test_rooms_of_quarto_are_limited_and_none_is_opened(limit: str, opponent: str | None) -> None:
    with limited(**{f"{limit}_per_address": "1/h"}) as served:
        create = {"type": "CREATE_ROOM", "playerName": "Ann", "opponent": opponent}
        with opened(served, "/party/AAAAAA") as first, opened(served, "/party/BBBBBB") as second:
            first.send(json.dumps(create))
            assert hear(first)["type"] == "ROOM_CREATED"
            second.send(json.dumps(create))
            assert hear(second)["code"] == "RATE_LIMITED"
            second.send(json.dumps({"type": "ping"}))
            assert hear(second)["type"] == "pong"
        assert rows(served, "match") == 1


def test_searches_of_memory_are_limited_and_nobody_waits() -> None:
    with limited(computer_games_per_user="1/h") as served:
        token, _ = served.guest()
        with opened(served, "/ws") as client:
            for message in (
                {"type": "auth", "token": token},
                {"type": "set_name", "name": "Ann"},
                {"type": "leave_queue"},
                {"type": "play_again"},
            ):
                client.send(json.dumps(message))
            assert hear(client)["type"] == "waiting_for_match"
            error = hear(client)
            assert (error["type"], error["code"]) == ("error", "RATE_LIMITED")
            assert error["message"].startswith("Too many new games. Please wait ")
        assert rows(served, "ticket") == 0


@pytest.mark.parametrize(
    ("game", "by"),
    [(game, "address") for game in all_rules() if bots(game)] + [(GAME, "user")],
)
def test_games_against_the_computer_are_limited_at_the_play_socket(game: str, by: str) -> None:
    with limited(**{f"computer_games_per_{by}": "1/h"}) as served, opened(served, PLAY) as client:
        bot = list(bots(game))[-1]
        client.send(json.dumps({"type": "auth", "token": served.guest()[0]}))
        for _ in range(2):
            client.send(json.dumps({"type": "play_bot", "game": game, "bot": bot, "seat": 0}))
        assert hear_of(client, "error")["code"] == "RATE_LIMITED"
        assert rows(served, "match") == 1


def test_another_game_against_the_computer_counts_as_a_game() -> None:
    with limited(computer_games_per_address="1/h") as served, opened(served, PLAY) as client:
        client.send(json.dumps({"type": "auth", "token": served.guest()[0]}))
        client.send(json.dumps({"type": "play_bot", "game": GAME, "bot": "easy", "seat": 0}))
        match = hear_of(client, "table")["match"]
        client.send(json.dumps({"type": "resign", "match": match, "ref": 1}))
        hear_of(client, "done")
        client.send(json.dumps({"type": "rematch", "match": match}))
        assert hear_of(client, "error")["code"] == "RATE_LIMITED"
        assert rows(served, "match") == 1


def test_searches_that_end_with_the_computer_are_limited_at_the_play_socket() -> None:
    with limited(computer_games_per_address="1/h") as served, opened(served, PLAY) as client:
        client.send(json.dumps({"type": "auth", "token": served.guest()[0]}))
        client.send(json.dumps({"type": "seek", "game": "memory"}))
        assert hear_of(client, "seeking")["bot_at"] is not None
        client.send(json.dumps({"type": "withdraw", "game": "memory", "ref": 1}))
        hear_of(client, "done")
        client.send(json.dumps({"type": "seek", "game": "memory"}))
        assert hear_of(client, "error")["code"] == "RATE_LIMITED"
        client.send(json.dumps({"type": "seek", "game": GAME}))
        assert hear_of(client, "seeking")["bot_at"] is None, (
            "where nobody steps in it costs nothing"
        )
        assert rows(served, "ticket") == 1


def challenge(served: Served, me: Json, other: Json, stake: int = 1) -> httpx.Response:
    body = {
        "opponent_id": other["id"],
        "stake_amount": stake,
        "max_spend_amount": 0,
        "time_limit_seconds": 300,
    }
    return served.ask("POST", CHALLENGES, json=body, **me)


def test_challenges_are_limited_and_no_money_moves() -> None:
    with limited(challenges_per_user="2/h") as served:
        ann = bearer(served.guest()[0])
        people = [served.guest()[1] for _ in range(3)]
        asked = [challenge(served, ann, person) for person in people]
        assert [answer.status_code for answer in asked] == [201, 201, 429]
        assert refused(asked[2])["code"] == "rate_limited"
        assert served.ask("GET", "/api/wallet", **ann).json()["balance"] == 998
        assert rows(served, "challenge") == rows(served, "notification") == 2


def test_nobody_is_challenged_over_and_over() -> None:
    with limited(challenges_to_one_per_user="2/h") as served:
        ann = bearer(served.guest()[0])
        (_, bob), (_, eve) = served.guest(), served.guest()
        for _ in range(2):
            made = challenge(served, ann, bob).json()
            path = f"{CHALLENGES}/{made['id']}/cancel"
            assert served.ask("POST", path, **ann).status_code == 200
        assert refused(challenge(served, ann, bob))["code"] == "rate_limited"
        assert challenge(served, ann, eve).status_code == 201
        assert rows(served, "notification") == 3


def test_many_users_of_one_address_cannot_spam_one_person_either() -> None:
    with limited(challenges_to_one_per_address="3/h") as served:
        _, bob = served.guest()
        asked = [challenge(served, bearer(served.guest()[0]), bob) for _ in range(5)]
        assert [answer.status_code for answer in asked] == [201] * 3 + [429] * 2
        assert rows(served, "notification") == 3


def test_few_challenges_of_one_person_wait_for_the_same_answer() -> None:
    with limited() as served:
        ann, (_, bob) = bearer(served.guest()[0]), served.guest()
        asked = [challenge(served, ann, bob) for _ in range(6)]
        assert [answer.status_code for answer in asked] == [201] * 5 + [429]
        refused(asked[5])
        assert 1 <= int(asked[5].headers["retry-after"]) <= 300  # when the first one expires
        cancel = f"{CHALLENGES}/{asked[0].json()['id']}/cancel"
        assert served.ask("POST", cancel, **ann).status_code == 200
        assert challenge(served, ann, bob).status_code == 201


def test_a_challenge_that_is_asked_for_again_by_the_same_key_counts_once() -> None:
    with limited(challenges_per_user="1/h") as served:
        ann, (_, bob) = bearer(served.guest()[0]), served.guest()
        ann["headers"]["Idempotency-Key"] = "once"
        first, second = challenge(served, ann, bob), challenge(served, ann, bob)
        assert first.status_code == second.status_code == 201
        assert first.json() == second.json()


# --- what operators see


def test_refusals_are_logged_once_in_a_while(capsys: pytest.CaptureFixture[str]) -> None:
    with limited(anonymous_requests_per_address="1/h") as served:
        for _ in range(5):
            served.ask("GET", "/api/config")
    logged = [line for line in capsys.readouterr().out.splitlines() if "rate limited" in line]
    assert len(logged) == 1
    assert "requests" in logged[0]
    assert "127.0.0.1" in logged[0]


# --- the pace


class Clock:
    def __init__(self) -> None:
        self.now = 10**15

    def __call__(self) -> int:
        return self.now


@given(st.lists(st.tuples(st.integers(1, 200), st.integers(0, 2 * SEC)), max_size=20))
def test_what_an_address_saved_up_is_begun_at_a_steady_pace(
    arrivals: list[tuple[int, int]],
) -> None:
    clock = Clock()
    limits = Limits(Settings(), LocalBus(), Metrics(500), clock=clock)
    begun: list[float] = []
    for many, then in arrivals:
        for _ in range(many):
            try:
                begun.append(clock.now / SEC + limits.sign_ups.take(Who(None, "192.0.2.1")))
            except RateLimited:
                break
        clock.now += then
    assert begun == sorted(begun), "in the order they came"
    for first, began in enumerate(begun):
        for last in range(first, len(begun)):
            assert last - first + 1 <= 5 + (begun[last] - began) * 40.001 + 1e-3


def test_a_school_gets_in_by_the_usual_limits() -> None:
    """500 pupils sign up within three minutes, load the page, open sockets and play."""
    clock = Clock()
    limits = Limits(Settings(), LocalBus(), Metrics(500), clock=clock)
    for pupil in range(500):
        who = Who(f"guest:{pupil}", "192.0.2.1")
        assert limits.sign_ups.take(who) < 1
        for limit, times in (
            (limits.files, 40),
            (limits.requests, 20),
            (limits.anonymous_requests, 5),
            (limits.sockets, 4),
        ):
            assert max(limit.take(who) for _ in range(times)) < 1
        clock.now += SEC * 180 // 500
    for _ in range(60):  # a minute of polling every two seconds, and of a message a second each
        for pupil in range(500):
            who = Who(f"guest:{pupil}", "192.0.2.1")
            if pupil % 2:
                limits.requests.take(who)
            elif pupil % 10 == 0:
                limits.anonymous_requests.take(who)
            limits.messages.take(who)
            clock.now += SEC // 500


# --- several processes


@pytest.fixture
def two(valkey: Valkey, tmp_path: Path) -> Callable[..., Any]:
    """Starts two servers on one database that hear each other."""

    @contextmanager
    def start(**rates: str) -> Iterator[tuple[Served, Served]]:
        url = f"sqlite:///{tmp_path}/parlour.db"
        with limited(url, valkey.url, **rates) as here, limited(url, valkey.url, **rates) as there:
            with redis.Redis.from_url(valkey.url) as server:
                while server.pubsub_numsub("parlour:0:rates")[0][1] < 2:
                    time.sleep(0.005)
            yield here, there

    return start


async def _until_limited(limits: Limits, who: Who) -> None:
    """Without spending anything."""
    async with asyncio.timeout(20):
        while True:
            try:
                limits.anonymous_requests.check(who)
            except RateLimited:
                return
            await asyncio.sleep(0.005)


def test_what_was_spent_in_one_process_is_spent_in_the_other(two: Callable[..., Any]) -> None:
    with two(anonymous_requests_per_address="10/h") as (here, there), from_elsewhere(here) as http:
        for _ in range(10):
            assert http.get("/api/config").status_code == 200
        there.run(_until_limited(there.services.limits, Who(None, ELSEWHERE[0])))
        with from_elsewhere(there) as another:
            refused(another.get("/api/config"))
        assert there.ask("GET", "/api/config").status_code == 200


def test_who_spreads_over_two_processes_gets_about_the_limit(two: Callable[..., Any]) -> None:
    with two(anonymous_requests_per_address="200/h") as (here, there):
        granted = 0
        with from_elsewhere(here) as one, from_elsewhere(there) as another:
            for _ in range(200):
                for http in (one, another):
                    granted += http.get("/api/config").status_code == 200
        assert 200 <= granted <= 260


def test_a_process_goes_by_its_own_buckets_while_the_bus_is_away(
    two: Callable[..., Any], valkey: Valkey
) -> None:
    with two(anonymous_requests_per_address="5/h") as (here, there):
        valkey.stop()
        for served in (here, there):
            with from_elsewhere(served) as http:
                statuses = [http.get("/api/config").status_code for _ in range(6)]
                assert statuses == [200] * 5 + [429]
        valkey.start()


async def test_words_are_small_enough_for_any_bus() -> None:
    heard: list[bytes] = []

    class Loud(LocalBus):
        alone = False

        def publish(self, topic: str, payload: bytes) -> None:
            assert topic == spending.TOPIC
            heard.append(payload)

    told = spending.Spending(Loud())
    for number in range(500):
        told.note("challenges_to_one/address", f"2001:db8:{number}::/64{'x' * 36}", Rate(100, 1000))
    told.close()
    assert sum(payload.count(b"2001:db8") for payload in heard) == 500
    assert max(map(len, heard)) < 5000


async def test_a_word_that_makes_no_sense_changes_nothing() -> None:
    bus = LocalBus()
    limits = Limits(Settings(), bus, Metrics(500))
    limits.start()
    for payload in (
        b"",
        b"\xff",
        b"[]",
        b"\x92\xa1x\x91\x93\xa1a\xa1b\x00",
        b"\x92\xa1x\x91\x93\xa1a\xa1b\x05",
    ):
        bus.tell(spending.TOPIC, payload)
    assert limits.requests.take(Who("a", "b")) == 0
