"""Wallet, notifications and user search: what belongs to a user, in DRF's shapes."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import or_, select
from structlog.testing import capture_logs

from parlour.operators import Operator
from parlour.settings import Settings
from parlour.store.schema import account, challenge, escrow
from tests.servers.parlour import Served, serving
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
from tests.wire.connect_five.test_bad_input import NOBODYS

People = tuple[Person, Person]

TICKER = "PLAY"


@pytest.mark.spec("C1", "C30")
def test_a_wallet_opens_with_the_starting_balance() -> None:
    with serving(Settings(database_url="sqlite://", starting_balance=77)) as served:
        assert Person(served).get("/api/wallet") == {"currency": "TNB", "balance": 77}
        audited(served)


TICKER = "PLAY"


@pytest.mark.spec("C1", "C42", "C79", "C83", "C88")
def test_what_the_money_is_called_is_a_setting(tmp_path: Path) -> None:
    """Wherever the ticker is told or written down, and whatever is done with money."""
    told = {"DATABASE_URL": f"sqlite:///{tmp_path}/p.db", "DEFAULT_CURRENCY_TICKER": TICKER}
    with serving(Settings.read(told)) as served:
        ann, bob = pair(served)
        with ann.hearing("wallet") as purse, bob.hearing("connect-five") as ear:
            made = ann.challenge(bob, stake_amount=100)
            purse_now = purse.hear("update.wallet")["wallet"]
            assert (purse_now["currency"]["ticker"], purse_now["balance"]) == (TICKER, 900)
            assert ear.hear()["challenge"]["currency"] == made["currency"] == TICKER
            match = bob.accept(made)
            assert ear.hear()["challenge"]["currency"] == TICKER
            assert ear.hear()["match"]["currency"] == match["currency"] == TICKER
        bought = ann.buy(match, "H2")
        first, second = (ann, bob) if match["active_player"]["id"] == ann.id else (bob, ann)
        poor = first.challenge(second, stake_amount=5000, status=422)
        assert poor["detail"] == f"You do not have enough {TICKER} for this."
        won = win(match, first, second)
        for shown in (bought, won, ann.look(match), ann.get(f"{C5}/matches")["results"][0]):
            assert shown["currency"] == TICKER
        assert first.get("/api/wallet")["currency"] == TICKER
        entries = first.get("/api/wallet/entries")["results"]
        assert {each["currency"] for each in entries} == {TICKER}
        ann.cancel(ann.challenge(bob, stake_amount=1))
        before = ann.balance
        served.run(Operator(served.services, yes=True).mint(ann.name, 5))
        assert ann.balance == before + 5
        audited(served)

        async def stored() -> set[str]:
            books = (account.c.user_id.is_not(None), account.c.balance != 0)
            queries = (
                select(account.c.currency).where(or_(*books)),
                select(challenge.c.currency),
                select(escrow.c.currency),
            )
            rows = [row for query in queries for row in await served.services.store.rows(query)]
            return {row["currency"] for row in rows}

        assert served.run(stored()) == {TICKER}


@pytest.mark.spec("C1", "C42")
def test_money_is_not_called_something_else_later(tmp_path: Path) -> None:
    """A wallet that was opened under one name could not be paid from under another."""
    house = {"DATABASE_URL": f"sqlite:///{tmp_path}/p.db"}
    with serving(Settings.read(house)) as served:
        ann = Person(served)
        assert ann.get("/api/wallet") == {"currency": "TNB", "balance": 1000}
    renamed = Settings.read(house | {"DEFAULT_CURRENCY_TICKER": TICKER})
    complaint = "DEFAULT_CURRENCY_TICKER: the money in this database is called TNB, got 'PLAY'"
    with capture_logs() as logs, pytest.raises(RuntimeError), serving(renamed):
        pass
    assert [each["problem"] for each in logs if each["event"] == "cannot start"] == [
        f"SettingsError: {complaint}"
    ]
    with serving(Settings.read(house | {"DEFAULT_CURRENCY_TICKER": "TNB"})) as served:
        assert ann.at(served).balance == 1000


@pytest.mark.spec("C43", "C84")
def test_every_change_of_a_wallet_is_an_entry(served: Served, ann_and_bob: People) -> None:
    ann, bob = ann_and_bob
    match, first, second = playing(ann, bob)
    first.buy(match, "CROSS4")
    win(match, first, second)
    page = first.get("/api/wallet/entries")
    stake = "stake_lock" if first is ann else "stake_accept"
    told = [
        (each["action"], each["direction"], each["amount"], each["balance"])
        for each in page["results"]
    ]
    assert told == [
        ("win_payout", "credit", 208, 1100),
        ("purchase", "debit", 8, 892),
        (stake, "debit", 100, 900),
        ("grant", "credit", 1000, 1000),
    ]
    assert page["count"] == 4
    assert {each["currency"] for each in page["results"]} == {"TNB"}
    assert [each["challenge"] for each in page["results"]] == [match["challenge"]] * 3 + [None]
    ids = [each["id"] for each in page["results"]]
    assert ids == sorted(ids, reverse=True)
    assert second.get("/api/wallet/entries")["results"][0]["balance"] == second.balance


def test_entries_come_in_pages(served: Served, ann_and_bob: People) -> None:
    ann, bob = ann_and_bob
    for _ in range(3):
        ann.cancel(ann.challenge(bob, stake_amount=3))
    whole = ann.get("/api/wallet/entries")["results"]
    told: list[Json] = []
    following = "/api/wallet/entries?page_size=3"
    while following:
        page = ann.get(following.removeprefix(served.url))
        told += page["results"]
        following = page["next"]
    assert told == whole
    assert len(whole) == 7
    assert whole[-1]["action"] == "grant"


def test_notifications_are_read_one_by_one(served: Served, ann_and_bob: People) -> None:
    ann, bob = ann_and_bob
    for _ in range(3):
        ann.challenge(bob, stake_amount=1)
    page = bob.get("/api/notifications?page_size=2")
    assert (page["count"], len(page["results"])) == (3, 2)
    newest = page["results"][0]
    read = bob.post(f"/api/notifications/{newest['id']}/read")
    assert read == newest | {"is_read": True}
    assert bob.post(f"/api/notifications/{newest['id']}/read") == read
    assert [each["is_read"] for each in bob.get("/api/notifications")["results"]] == [
        True,
        False,
        False,
    ]
    eve = Person(served)
    with unchanged(served):
        for missing in (newest["id"], *NOBODYS):
            assert eve.post(f"/api/notifications/{missing}/read", status=404)["code"] == "not_found"
        assert eve.get("/api/notifications")["results"] == []


@pytest.mark.spec("C93")
def test_people_are_found_by_the_beginning_of_their_name(served: Served) -> None:
    ann = Person(served, "Zed_ann")
    for number in range(12):
        Person(served, f"zED_bob_{number:02}")
    Person(served, "ZedXother")
    found = ann.get("/api/users/search?q=zed_")
    assert [person["username"] for person in found] == [f"zED_bob_{n:02}" for n in range(10)]
    assert set(found[0]) == {"id", "uuid", "username"}
    assert [each["username"] for each in ann.get("/api/users/search?q=ZEDX")] == ["ZedXother"]
    for nobody in ("", "zed%25", "no such", "%00", "*", "Zed_ann"):
        assert ann.get(f"/api/users/search?q={nobody}") == []
    assert ann.get("/api/users/search") == []
    assert list(ann.get(f"/api/users/search?q={'x' * 201}", 400)) == ["q"]


@pytest.mark.parametrize(
    "path",
    [
        "/api/wallet",
        "/api/wallets",
        "/api/wallet/entries",
        "/api/notifications",
        "/api/notifications/unread-count",
        "/api/users/search?q=a",
        "/api/connect-five/challenges",
        "/api/connect-five/matches",
    ],
)
def test_who_is_not_signed_in_is_asked_to(served: Served, path: str) -> None:
    for headers in ({}, {"Authorization": "Bearer forged"}, {"Authorization": "Basic x"}):
        answer = served.ask("GET", path, headers=headers)
        assert answer.status_code == 401
        assert answer.headers["www-authenticate"] == "Bearer"
        assert answer.json() == {"detail": "Please sign in.", "code": "not_authenticated"}


@pytest.mark.parametrize("path", ["/api/wallets", "/api/wallet/entries", "/api/notifications"])
def test_pages_that_are_none_are_refused(ann_and_bob: People, path: str) -> None:
    ann, _ = ann_and_bob
    for query, field in (
        ("page=0", "page"),
        ("page=-1", "page"),
        ("page=x", "page"),
        ("page=1.5", "page"),
        ("page=99999999999999999999999999", "page"),
        ("page_size=0", "page_size"),
        ("page_size=", "page_size"),
    ):
        assert list(ann.get(f"{path}?{query}", 400)) == [field]
    assert ann.get(f"{path}?page=1000000000", 404)["detail"] == "Invalid page."
    assert pair(ann.served)[0].get(f"{path}?page_size=100000000000000000000")["count"] <= 1
