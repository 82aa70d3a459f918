"""Challenges: made, listed, accepted, cancelled, expired; and whose business they are."""

from __future__ import annotations

from datetime import datetime

import pytest
from sqlalchemy import select

from parlour.settings import Settings
from parlour.store.schema import account, escrow, ledger_entry
from tests.servers.parlour import Served, serving
from tests.wire.connect_five.people import (
    C5,
    Json,
    Person,
    audited,
    pair,
    playing,
    unchanged,
)
from tests.wire.connect_five.test_bad_input import NOBODYS

People = tuple[Person, Person]


def moment(text: str) -> datetime:
    assert text.endswith("Z")
    return datetime.fromisoformat(text)


def rows(served: Served, table: object, challenge: Json) -> list[Json]:
    """What the books hold about a challenge's pot."""
    column = escrow.c.id if table is escrow else ledger_entry.c.escrow_id
    query = select(table).where(column == challenge["uuid"])  # type: ignore[call-overload]  # a table
    if table is ledger_entry:
        joined = account.c.number == ledger_entry.c.account_number
        query = query.add_columns(account.c.id.label("account_id")).join(account, joined)

    async def read() -> list[Json]:
        found = await served.services.store.rows(query)
        return [{name: row[name] for name in row.keys()} for row in found]  # noqa: SIM118 - a record

    return served.run(read())


@pytest.mark.spec("C1", "C2", "C16", "C17", "C42", "C66", "C67", "C71", "C79")
def test_a_challenge_is_pending_for_five_minutes(ann_and_bob: People) -> None:
    ann, bob = ann_and_bob
    made = ann.challenge(bob, stake_amount=250, max_spend_amount=12, time_limit_seconds=900)
    expires, created = moment(made["expires_at"]), moment(made["created_date"])
    assert (expires - created).total_seconds() == 300
    assert made == {
        "id": made["id"],
        "uuid": made["uuid"],
        "challenger": ann.shown,
        "opponent": bob.shown,
        "currency": "TNB",
        "stake_amount": 250,
        "max_spend_amount": 12,
        "time_limit_seconds": 900,
        "status": "pending",
        "expires_at": made["expires_at"],
        "accepted_at": None,
        "match_id": None,
        "created_date": made["created_date"],
        "modified_date": made["created_date"],
    }
    for person in (ann, bob):
        assert person.get(f"{C5}/challenges/{made['id']}") == made


@pytest.mark.spec("C30", "C31", "C43", "C83", "C84")
def test_the_stake_is_locked_with_an_escrow_and_two_ledger_entries(
    served: Served, ann_and_bob: People
) -> None:
    ann, bob = ann_and_bob
    made = ann.challenge(bob, stake_amount=250)
    assert (ann.balance, bob.balance) == (750, 1000)
    (pot,) = rows(served, escrow, made)
    assert (pot["currency"], pot["status"]) == ("TNB", "locked")
    assert (pot["a_contrib"], pot["b_contrib"], pot["total"]) == (250, 0, 250)
    debit, credit = rows(served, ledger_entry, made)
    assert [debit["direction"], credit["direction"]] == ["debit", "credit"]
    assert {debit["action"], credit["action"]} == {"stake_lock"}
    assert {debit["amount"], credit["amount"]} == {250}
    assert debit["account_id"] == f"wallet:{ann.uuid}"
    audited(served)


@pytest.mark.spec("C7", "C8")
def test_stakes_and_spending_may_be_nothing_or_all_one_has(
    served: Served, ann_and_bob: People
) -> None:
    ann, bob = ann_and_bob
    assert ann.challenge(bob, stake_amount=0, max_spend_amount=0)["status"] == "pending"
    assert ann.challenge(bob, stake_amount=1000, max_spend_amount=10**15)["stake_amount"] == 1000
    assert ann.balance == 0
    audited(served)


@pytest.mark.spec("C9")
@pytest.mark.parametrize("seconds", [300, 600, 900, 1800])
def test_each_time_limit_starts_both_clocks(ann_and_bob: People, seconds: int) -> None:
    ann, bob = ann_and_bob
    match, _, _ = playing(ann, bob, time_limit_seconds=seconds)
    assert match["time_limit_seconds"] == seconds
    assert match["clock_a_remaining_ms"] == match["clock_b_remaining_ms"] == seconds * 1000


@pytest.mark.spec("C19", "C22", "C24", "C32", "C38", "C72")
def test_accepting_pays_as_much_and_begins_the_match(served: Served, ann_and_bob: People) -> None:
    ann, bob = ann_and_bob
    made = ann.challenge(bob, stake_amount=250)
    match = bob.accept(made)
    assert match["status"] == "active"
    assert match["challenge"] == made["id"]
    assert match["prize_pool_total"] == 500
    assert match["active_player"] in (ann.shown, bob.shown)
    assert (ann.balance, bob.balance) == (750, 750)
    accepted = ann.get(f"{C5}/challenges/{made['id']}")
    assert (accepted["status"], accepted["match_id"]) == ("accepted", match["id"])
    assert moment(accepted["accepted_at"]) >= moment(made["created_date"])
    assert moment(match["turn_started_at"]) >= moment(accepted["accepted_at"])
    (pot,) = rows(served, escrow, made)
    assert (pot["a_contrib"], pot["b_contrib"], pot["total"]) == (250, 250, 500)
    assert {entry["action"] for entry in rows(served, ledger_entry, made)} == {
        "stake_lock",
        "stake_accept",
    }
    audited(served)


@pytest.mark.spec("C18", "C36", "C73")
def test_cancelling_returns_the_stake(served: Served, ann_and_bob: People) -> None:
    ann, bob = ann_and_bob
    made = ann.challenge(bob)
    cancelled = ann.cancel(made)
    assert cancelled["status"] == "cancelled"
    assert cancelled == bob.get(f"{C5}/challenges/{made['id']}")
    assert ann.balance == 1000
    assert rows(served, escrow, made)[0]["status"] == "settled"
    assert rows(served, ledger_entry, made)[-1]["action"] == "challenge_refund"
    audited(served)


@pytest.mark.spec("C18", "C19", "C72", "C73")
def test_each_side_may_do_its_part_only(served: Served, ann_and_bob: People) -> None:
    ann, bob = ann_and_bob
    made = ann.challenge(bob)
    with unchanged(served):
        assert ann.accept(made, status=403)["code"] == "permission_denied"
        assert bob.cancel(made, status=403)["code"] == "permission_denied"


@pytest.mark.spec("C2", "C71")
def test_strangers_see_nothing(served: Served, ann_and_bob: People) -> None:
    ann, bob = ann_and_bob
    made = ann.challenge(bob)
    eve = Person(served)
    missing = "00000000-0000-7000-8000-000000000000"
    with unchanged(served):
        for challenge_id in (made["id"], made["uuid"], missing, *NOBODYS):
            path = f"{C5}/challenges/{challenge_id}"
            refusals = (
                eve.get(path, 404),
                eve.post(f"{path}/accept", status=404),
                eve.post(f"{path}/cancel", status=404),
            )
            assert {refusal["code"] for refusal in refusals} == {"not_found"}
    assert eve.get(f"{C5}/challenges")["results"] == []


@pytest.mark.spec("C21", "C72", "C73")
def test_what_was_answered_stays_answered(served: Served, ann_and_bob: People) -> None:
    ann, bob = ann_and_bob
    accepted, cancelled = ann.challenge(bob), ann.challenge(bob)
    bob.accept(accepted)
    ann.cancel(cancelled)
    with unchanged(served):
        for made, code in ((accepted, "challenge_accepted"), (cancelled, "challenge_cancelled")):
            assert bob.accept(made, status=409)["code"] == code
            assert ann.cancel(made, status=409)["code"] == code


@pytest.mark.spec("C68", "C32")
def test_who_cannot_pay_the_stake_cannot_play(served: Served, ann_and_bob: People) -> None:
    ann, bob = ann_and_bob
    with unchanged(served):
        assert ann.challenge(bob, stake_amount=1001, status=422)["code"] == "insufficient_funds"
    bob.challenge(ann, stake_amount=950)
    made = ann.challenge(bob)
    with unchanged(served):
        assert bob.accept(made, status=422)["code"] == "insufficient_funds"
    assert ann.get(f"{C5}/challenges/{made['id']}")["status"] == "pending"


@pytest.mark.spec("C70")
def test_lists_are_filtered_and_paged(served: Served, ann_and_bob: People) -> None:
    ann, bob = ann_and_bob
    sent = [ann.challenge(bob, stake_amount=1)["id"] for _ in range(5)]
    received = bob.challenge(ann, stake_amount=1)["id"]
    ann.post(f"{C5}/challenges/{sent[0]}/cancel")

    def listed(query: str) -> list[str]:
        page = ann.get(f"{C5}/challenges?{query}")
        assert page["count"] == len(page["results"])
        return [challenge["id"] for challenge in page["results"]]

    everything = [received, *reversed(sent)]
    assert listed("") == listed("status=&mine=") == everything
    assert listed("mine=sent") == everything[1:]
    assert listed("mine=received") == [received]
    assert listed("status=cancelled") == [sent[0]]
    assert listed("status=pending&mine=sent") == everything[1:-1]
    assert listed("status=accepted") == []

    first = ann.get(f"{C5}/challenges?page_size=4&mine=")
    assert (first["count"], len(first["results"]), first["previous"]) == (6, 4, None)
    assert first["next"].startswith(served.url)
    second = ann.get(first["next"].removeprefix(served.url))
    assert [each["id"] for each in first["results"] + second["results"]] == everything
    assert (second["count"], second["next"]) == (6, None)
    assert ann.get(second["previous"].removeprefix(served.url)) == first
    assert len(ann.get(f"{C5}/challenges?page_size=5000")["results"]) == 6


@pytest.mark.spec("C70")
def test_a_list_goes_on_where_it_was_whatever_comes_meanwhile(
    served: Served, ann_and_bob: People
) -> None:
    ann, bob = ann_and_bob
    made = [
        (ann if n % 3 else bob).challenge(bob if n % 3 else ann, stake_amount=1)["id"]
        for n in range(7)
    ][::-1]
    for query in ("", "mine=&status=pending"):
        told: list[str] = []
        following = f"{C5}/challenges?page_size=2&{query}"
        while following:
            page = ann.get(following.removeprefix(served.url))
            told += [each["id"] for each in page["results"]]
            following = page["next"]
            ann.cancel(ann.challenge(bob, stake_amount=1))
        assert told[-7:] == made
        assert len(told) == len(set(told))


@pytest.mark.parametrize("path", [f"{C5}/challenges", f"{C5}/matches", "/api/notifications"])
def test_a_cursor_that_is_none_is_refused(ann_and_bob: People, path: str) -> None:
    ann, _ = ann_and_bob
    for cursor in ("x", "1.", ".x", "1.%00", "1.x%20y", "9" * 16 + ".x", "1." + "x" * 65):
        assert list(ann.get(f"{path}?cursor={cursor}", 400)) == ["cursor"]
    assert ann.get(f"{path}?cursor=1.x")["results"] == []
    assert ann.get(f"{path}?cursor=1.x&page=900")["results"] == []


@pytest.mark.spec("C20", "C21", "C36", "C72")
def test_a_challenge_expires_on_time_and_the_stake_returns() -> None:
    with serving(Settings.given(database_url="sqlite://", challenge_ttl_sec=0.2)) as served:
        ann, bob = pair(served)
        with ann.hearing("connect-five") as ear, ann.hearing("wallet") as purse:
            made = ann.challenge(bob)
            assert ear.hear("update.connect_five_challenge")["challenge"] == made
            assert purse.hear("update.wallet")["wallet"]["balance"] == 900
            expired = ear.hear("update.connect_five_challenge")["challenge"]
            assert (expired["id"], expired["status"]) == (made["id"], "expired")
            assert purse.hear("update.wallet")["wallet"]["balance"] == 1000
        with unchanged(served):
            assert bob.accept(made, status=410)["code"] == "challenge_expired"
            assert ann.cancel(made, status=409)["code"] == "challenge_expired"
        assert bob.get(f"{C5}/challenges?status=expired")["count"] == 1
        audited(served)


@pytest.mark.spec("C14", "C69", "C89")
def test_the_opponent_is_notified_now_and_later(ann_and_bob: People) -> None:
    ann, bob = ann_and_bob
    with bob.hearing("notifications") as ear, ann.hearing("notifications") as other:
        made = ann.challenge(bob)
        told = ear.hear("create.notification")
        assert told["total_unread_count"] == 1
        notification = told["notification"]
        assert notification["notification_type"] == "CONNECT_FIVE_CHALLENGE"
        assert notification["payload"]["challenge"] == made
        assert notification["is_read"] is False
        ann.challenge(bob, stake_amount=1)
        assert ear.hear("create.notification")["total_unread_count"] == 2
        assert ear.nothing_more()
        assert other.nothing_more()
    page = bob.get("/api/notifications")
    assert page["count"] == 2
    assert page["results"][1] == notification


def test_a_challenge_is_declined_by_whom_it_was_sent_to(
    served: Served, ann_and_bob: People
) -> None:
    (ann, bob), eve = ann_and_bob, Person(served)
    before = ann.balance
    made = ann.challenge(bob)
    path = f"{C5}/challenges/{made['id']}/decline"
    assert ann.post(path, status=403)["code"] == "permission_denied"
    eve.post(path, status=404)
    assert bob.get(f"{C5}/challenges/{made['id']}")["status"] == "pending"
    with ann.hearing("notifications") as bell, ann.hearing("connect-five") as news:
        declined = bob.post(path)
        assert declined["status"] == "cancelled"
        told = bell.hear("create.notification")["notification"]
        assert told["notification_type"] == "CONNECT_FIVE_DECLINED"
        assert told["payload"]["challenge"]["id"] == made["id"]
        assert news.hear("update.connect_five_challenge")["challenge"] == declined
    assert ann.balance == before
    assert [each["is_read"] for each in bob.get("/api/notifications")["results"]] == [True]
    assert bob.post(path, status=409)["code"] == "challenge_cancelled"
    assert bob.accept(made, status=409)["code"] == "challenge_cancelled"


def test_the_challenger_is_told_that_the_game_begins_and_nobody_is_told_of_what_was_dealt_with(
    ann_and_bob: People,
) -> None:
    ann, bob = ann_and_bob
    made, withdrawn = ann.challenge(bob), ann.challenge(bob)
    with ann.hearing("notifications") as bell:
        match = bob.accept(made)
        told = bell.hear("create.notification")["notification"]
        assert told["notification_type"] == "GAME_BEGUN"
        payload = told["payload"]
        assert (payload["game"], payload["opponent"]) == ("connect_five", bob.name)
        assert payload["challenge"] == made["uuid"]
        assert payload["match"] == match["uuid"]
    ann.cancel(withdrawn)
    assert [each["is_read"] for each in bob.get("/api/notifications")["results"]] == [True, True]
