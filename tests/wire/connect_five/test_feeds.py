"""The three sockets of a user: who may listen, what is said, and across processes and losses."""

from __future__ import annotations

import json
from typing import Any

import pytest
from websockets.sync.client import connect

from parlour.games.connect_five.news import MatchNews
from parlour.money.wallets import grant
from parlour.people import notifications
from parlour.store.change import Change, Unavailable
from tests.servers.parlour import Served
from tests.wire.connect_five.conftest import Host
from tests.wire.connect_five.people import (
    C5,
    Ear,
    Json,
    Person,
    audited,
    pair,
    playing,
    unchanged,
    win,
)

People = tuple[Person, Person]

SOCKETS = ["connect-five", "notifications", "wallet"]

CHALLENGE = "update.connect_five_challenge"
MATCH = "update.connect_five_match"


def without_time(match: Json) -> Json:
    """What is the same in an answer and in the update that tells of it."""
    timely = ("server_time", "event_id", "inventories", "remaining_spend", "legal")
    return {name: value for name, value in match.items() if name not in timely}


# --- who may listen ---------------------------------------------------------------------------


@pytest.mark.spec("C13", "C88")
@pytest.mark.parametrize("what", SOCKETS)
def test_one_hears_ones_own_news_only(ann_and_bob: People, what: str) -> None:
    ann, bob = ann_and_bob
    for path_id in (bob.id, bob.uuid, "nobody", ann.uuid.upper(), f"0{ann.id}", 0, -1, 2**63):
        with connect(f"{ann.served.ws}/ws/{what}/{path_id}") as socket:
            socket.send(json.dumps({"type": "auth", "token": ann.token}))
            assert Ear(socket).close_code() == 4403


@pytest.mark.parametrize("what", SOCKETS)
@pytest.mark.parametrize(
    "first",
    ['{"type":"auth","token":"forged"}', '{"type":"auth"}', "[]", "nonsense", b"\x00", "{" * 999],
)
def test_nobody_listens_without_a_good_token(ann_and_bob: People, what: str, first: Any) -> None:
    ann, _ = ann_and_bob
    with connect(f"{ann.served.ws}/ws/{what}/{ann.id}") as socket:
        socket.send(first)
        assert Ear(socket).close_code() == 4401


@pytest.mark.parametrize("what", SOCKETS)
def test_a_header_will_do_too(ann_and_bob: People, what: str) -> None:
    ann, _ = ann_and_bob
    path = f"{ann.served.ws}/ws/{what}/{ann.id}"
    with connect(path, additional_headers=ann.headers) as socket:
        assert Ear(socket).hear() == {"type": "auth_ok"}
    with connect(path, additional_headers={"Authorization": "Bearer forged"}) as socket:
        assert Ear(socket).close_code() == 4401


@pytest.mark.parametrize("what", SOCKETS)
def test_nonsense_is_answered_and_does_no_harm(
    served: Served, ann_and_bob: People, what: str
) -> None:
    ann, _ = ann_and_bob
    with ann.hearing(what) as ear, unchanged(served):
        for nonsense in ("", "{", "[[", "null", '{"type":"auth","token":"x"}', b"\xff", "x" * 9999):
            ear.say(nonsense)
            assert ear.hear()["type"] == "error"


# --- what is said -----------------------------------------------------------------------------


@pytest.mark.spec("C86", "C87", "C89")
def test_both_hear_of_everything_as_it_happens(served: Served, ann_and_bob: People) -> None:
    ann, bob = ann_and_bob
    with ann.hearing("connect-five") as a, bob.hearing("connect-five") as b:
        made = ann.challenge(bob)
        for ear in (a, b):
            assert ear.hear(CHALLENGE)["challenge"] == made
        match = bob.accept(made)
        for ear in (a, b):
            accepted = ear.hear(CHALLENGE)["challenge"]
            assert (accepted["status"], accepted["match_id"]) == ("accepted", match["id"])
            assert without_time(ear.hear(MATCH)["match"]) == without_time(match)
        first, second = (ann, bob) if match["active_player"]["id"] == ann.id else (bob, ann)
        ears = (a, b) if first is ann else (b, a)
        bought = second.buy(match, "V2")
        moved = first.move(match, 6, 6)
        for ear in ears:
            assert without_time(ear.hear(MATCH)["match"]) == without_time(bought)
        shown = [ear.hear(MATCH)["match"] for ear in ears]
        assert without_time(shown[0]) == without_time(shown[1]) == without_time(moved)
        assert shown[0]["legal"] is None
        assert shown[1]["legal"]["V2"][0] == "1"
        second.move(match, 6, 6, status=400)
        assert a.nothing_more()
        assert b.nothing_more()


@pytest.mark.spec("C87")
def test_strangers_hear_nothing(served: Served, ann_and_bob: People) -> None:
    eve = Person(served)
    with eve.hearing("connect-five") as ear, eve.hearing("wallet") as purse:
        match, first, second = playing(*ann_and_bob)
        win(match, first, second)
        assert ear.nothing_more()
        assert purse.nothing_more()


@pytest.mark.spec("C86")
def test_a_socket_opened_later_hears_of_what_goes_on(ann_and_bob: People) -> None:
    match, first, second = playing(*ann_and_bob)
    with second.hearing("connect-five") as ear, second.hearing("connect-five") as another:
        moved = first.move(match, 1, 1)
        for each in (ear, another):
            assert without_time(each.hear(MATCH)["match"]) == without_time(moved)
    with second.hearing("connect-five") as ear:
        win_by(second, first, match)
        told = ear.hear(MATCH)["match"]
        while told["status"] == "active":
            told = ear.hear(MATCH)["match"]
        assert (told["status"], told["winner"]) == ("finished_connect5", second.id)


def win_by(mover: Person, other: Person, match: Json) -> None:
    for x in range(4):
        mover.move(match, x, 8)
        other.move(match, x, 10)
    mover.move(match, 4, 8)


@pytest.mark.spec("C88")
def test_a_wallet_tells_of_every_change(ann_and_bob: People) -> None:
    ann, bob = ann_and_bob
    with ann.hearing("wallet") as a, bob.hearing("wallet") as b:

        def balance(ear: Ear) -> int:
            wallet = ear.hear("update.wallet")["wallet"]
            assert wallet["currency"]["ticker"] == "TNB"
            found: int = wallet["balance"]
            return found

        match, first, second = playing(ann, bob)
        assert (balance(a), balance(b)) == (900, 900)
        mine, theirs = (a, b) if first is ann else (b, a)
        second.buy(match, "BOMB", 2)
        assert balance(theirs) == 894
        win(match, first, second)
        assert balance(mine) == 1106
        assert mine.nothing_more()
        assert theirs.nothing_more()
        made = ann.challenge(bob, stake_amount=5)
        before = ann.balance
        assert balance(a) == before
        ann.cancel(made)
        assert balance(a) == before + 5


def failing_once(monkeypatch: pytest.MonkeyPatch, owner: Any, name: str) -> None:
    """The next call finds no database."""
    works = getattr(owner, name)

    async def fail(*_: Any, **__: Any) -> None:
        monkeypatch.setattr(owner, name, works)
        raise Unavailable("for a moment")

    monkeypatch.setattr(owner, name, fail)


@pytest.mark.spec("C86")
@pytest.mark.parametrize("failing", ["get", "watch"])
def test_a_match_is_told_of_though_the_store_failed_once(
    ann_and_bob: People, monkeypatch: pytest.MonkeyPatch, failing: str
) -> None:
    ann, bob = ann_and_bob
    made = ann.challenge(bob)
    with ann.hearing("connect-five") as ear:
        kernel = ann.served.services.kernel
        part = kernel.residents if failing == "get" else kernel.watching
        told = MatchNews._tell

        async def tell(self: MatchNews, *about: Any) -> None:
            monkeypatch.setattr(MatchNews, "_tell", told)
            failing_once(monkeypatch, part, failing)
            await told(self, *about)

        monkeypatch.setattr(MatchNews, "_tell", tell)
        match = bob.accept(made)
        assert ear.hear(CHALLENGE)["challenge"]["status"] == "accepted"
        assert without_time(ear.hear(MATCH)["match"]) == without_time(match)
        first = ann if match["active_player"]["id"] == ann.id else bob
        moved = first.move(match, 3, 3)
        assert without_time(ear.hear(MATCH)["match"]) == without_time(moved)
        assert ear.nothing_more()


def test_a_notification_is_told_though_the_store_failed_once(
    ann_and_bob: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, bob = ann_and_bob
    with bob.hearing("notifications") as bell:
        failing_once(monkeypatch, notifications, "unread_count")
        made = ann.challenge(bob)
        assert bell.hear("create.notification")["notification"]["payload"]["challenge"] == made
        assert bell.nothing_more()


# --- what is kept -----------------------------------------------------------------------------


def followed(served: Served, match: Json) -> int:
    """By how many a match is followed in this process."""

    async def count() -> int:
        live = await served.services.kernel.finder.playable(match["uuid"])
        return 0 if live is None else len(live.watchers)

    return served.run(count())


def test_nothing_is_kept_of_a_match_that_is_over(served: Served, ann_and_bob: People) -> None:
    ann, bob = ann_and_bob
    with ann.hearing("connect-five") as a, bob.hearing("connect-five") as b:
        won, first, second = playing(ann, bob)
        off, *_ = playing(ann, bob)
        for ear in (a, b):
            while ear.hear().get("match", {}).get("id") != off["id"]:
                pass
        assert (followed(served, won), followed(served, off)) == (1, 1)
        win(won, first, second)
        served.run(served.services.kernel.seating.call_off(off["uuid"]))
        for ear in (a, b):
            ends = [ear.hear(MATCH)["match"] for _ in range(10)][-2:]
            assert [end["status"] for end in ends] == ["finished_connect5", "cancelled"]
        assert (followed(served, won), followed(served, off)) == (0, 0)


def test_nothing_is_kept_of_who_hangs_up(served: Served, ann_and_bob: People) -> None:
    ann, bob = ann_and_bob
    match, *_ = playing(ann, bob)
    with ann.hearing("connect-five"), ann.hearing("connect-five"):
        assert followed(served, match) == 1
    while followed(served, match):
        pass


# --- across processes -------------------------------------------------------------------------


@pytest.mark.spec("C86", "C88")
@pytest.mark.parametrize(
    ("engine", "over_redis"), [("sqlite", True), ("postgres", True), ("postgres", False)]
)
def test_news_travel_between_processes(host: Host, redis_url: str, over_redis: bool) -> None:
    shared = redis_url if over_redis else None
    here, there = host.start(redis_url=shared), host.start(redis_url=shared)
    ann, bob = pair(here)
    with (
        bob.at(there).hearing("connect-five") as ear,
        bob.at(there).hearing("notifications") as bell,
        bob.at(there).hearing("wallet") as purse,
    ):
        made = ann.challenge(bob)
        assert bell.hear("create.notification")["notification"]["payload"]["challenge"] == made
        assert ear.hear(CHALLENGE)["challenge"] == made
        match = bob.accept(made)
        assert purse.hear("update.wallet")["wallet"]["balance"] == 900
        assert ear.hear(CHALLENGE)["challenge"]["status"] == "accepted"
        assert without_time(ear.hear(MATCH)["match"]) == without_time(match)
        first, second = (ann, bob) if match["active_player"]["id"] == ann.id else (bob, ann)
        for person, x in ((first, 0), (second.at(there), 1), (first.at(there), 2), (second, 3)):
            moved = person.move(match, x, x)
            assert without_time(ear.hear(MATCH)["match"]) == without_time(moved)
        assert second.at(there).look(match)["version"] == first.look(match)["version"] == 5
    audited(there)


@pytest.mark.spec("C86", "C105")
def test_what_no_bus_tells_is_found_within_seconds(host: Host, redis_url: str) -> None:
    """Two processes that cannot hear each other, as every word is lost."""
    here, there = host.start(redis_url=redis_url), host.start(redis_url=redis_url)
    for served in (here, there):
        bus: Any = served.services.bus
        bus.publish = bus._here.publish
    ann, bob = pair(here)
    with (
        bob.at(there).hearing("connect-five") as ear,
        bob.at(there).hearing("notifications") as bell,
        bob.at(there).hearing("wallet") as purse,
    ):
        match = bob.accept(ann.challenge(bob))
        status = ear.hear(CHALLENGE)["challenge"]["status"]
        if status == "pending":  # it was found before it was accepted
            status = ear.hear(CHALLENGE)["challenge"]["status"]
        assert status == "accepted"
        assert ear.hear(MATCH)["match"]["id"] == match["id"]
        told = bell.hear("create.notification")["notification"]
        assert told["notification_type"] == "CONNECT_FIVE_CHALLENGE"
        assert purse.hear("update.wallet")["wallet"]["balance"] == 900
        first = ann if match["active_player"]["id"] == ann.id else bob
        moved = first.move(match, 3, 3)
        here.run(here.services.store.commit(Change(grant("gift", bob.uuid, 50, 1))))
        assert without_time(ear.hear(MATCH)["match"]) == without_time(moved)
        assert purse.hear("update.wallet")["wallet"]["balance"] == 950


def test_a_gap_in_the_bus_is_made_up_for(host: Host, redis_url: str) -> None:
    """The word of a challenge is lost; the next sign of life from the bus makes up for it."""
    here, there = host.start(redis_url=redis_url), host.start(redis_url=redis_url)
    ann, bob = pair(here)
    with bob.at(there).hearing("connect-five") as ear:
        bus: Any = here.services.bus
        published, bus.publish = bus.publish, lambda *_: None
        made = ann.challenge(bob)
        bus.publish = published
        other = ann.challenge(bob, stake_amount=1)
        heard = [ear.hear(CHALLENGE)["challenge"] for _ in range(2)]
        assert heard == [made, other]
        assert bob.get(f"{C5}/challenges")["count"] == 2
