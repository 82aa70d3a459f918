"""Idempotency-Key: the same request twice has one effect and one answer."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from parlour.net.once import KEPT_MS
from parlour.play.clock import wall_clock
from parlour.settings import Settings
from tests.servers.parlour import Served, serving
from tests.wire.connect_five.conftest import Host
from tests.wire.connect_five.people import (
    C5,
    TERMS,
    Person,
    answered,
    audited,
    pair,
    playing,
    unchanged,
)

People = tuple[Person, Person]


def test_creating_accepting_cancelling_and_buying_happen_once(
    served: Served, ann_and_bob: People
) -> None:
    ann, bob = ann_and_bob
    wish = {"opponent_id": bob.id, **TERMS}

    def twice(person: Person, path: str, body: Any, status: int = 200) -> Any:
        first = person.ask("POST", path, "the key", json=body)
        with unchanged(served):
            again = person.ask("POST", path, "the key", json=body)
        assert again.content == first.content
        assert again.status_code == first.status_code
        return answered(first, status)

    made = twice(ann, f"{C5}/challenges", wish, 201)
    match = twice(bob, f"{C5}/challenges/{made['id']}/accept", None)
    assert match["id"] == ann.get(f"{C5}/challenges/{made['id']}")["match_id"]
    eve = Person(served)
    bought = twice(eve, f"{C5}/challenges", wish, 201)
    assert bought["id"] != made["id"], "keys are each user's own"
    other = bob.challenge(ann)
    path = f"{C5}/challenges/{other['id']}/cancel"
    first = bob.post(path, key="another")
    with unchanged(served):
        assert bob.post(path, key="another") == first
    path = f"{C5}/matches/{match['id']}/purchase"
    first = ann.post(path, {"special_type": "H2", "quantity": 2}, key="to buy")
    with unchanged(served):
        again = ann.post(path, {"quantity": 2, "special_type": "H2"}, key="to buy")
    assert again == first
    assert ann.balance == 892
    audited(served)


def test_a_key_is_good_for_one_request_only(served: Served, ann_and_bob: People) -> None:
    ann, bob = ann_and_bob
    match, first, _ = playing(ann, bob)
    path = f"{C5}/matches/{match['id']}/purchase"
    first.post(path, {"special_type": "H2"}, key="k")
    with unchanged(served):
        for body in ({"special_type": "V2"}, {"special_type": "H2", "quantity": 2}):
            assert first.post(path, body, key="k", status=422)["code"] == "idempotency_key_reused"
        wish = {"opponent_id": ann.id if first is bob else bob.id, **TERMS}
        assert first.post(f"{C5}/challenges", wish, key="k", status=422)


def test_refusals_are_not_kept(served: Served, ann_and_bob: People) -> None:
    ann, bob = ann_and_bob
    held = bob.challenge(ann, stake_amount=950)
    made = ann.challenge(bob)
    path = f"{C5}/challenges/{made['id']}/accept"
    with unchanged(served):
        assert bob.post(path, key="k", status=422)["code"] == "insufficient_funds"
    bob.cancel(held)
    assert bob.post(path, key="k")["status"] == "active"


@pytest.mark.parametrize("key", ["", "x" * 256, "tab\there"])
def test_a_key_must_look_like_one(served: Served, ann_and_bob: People, key: str) -> None:
    ann, bob = ann_and_bob
    with unchanged(served):
        refused = ann.post(
            f"{C5}/challenges", {"opponent_id": bob.id, **TERMS}, key=key, status=400
        )
        assert list(refused) == ["Idempotency-Key"]


@pytest.mark.spec("C45")
def test_many_at_once_with_one_key_charge_once(host: Host, redis_url: str) -> None:
    servers = [host.start(redis_url=redis_url), host.start(redis_url=redis_url)]
    ann, bob = pair(servers[0])
    match, first, _ = playing(ann, bob)
    path = f"{C5}/matches/{match['id']}/purchase"
    twins = [first.at(served) for served in servers]
    with ThreadPoolExecutor(10) as pool:
        answers = list(
            pool.map(
                lambda turn: twins[turn % 2].ask(
                    "POST", path, "k", json={"special_type": "BOMB", "quantity": 3}
                ),
                range(10),
            )
        )
    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.content for answer in answers}) == 1
    assert first.balance == 891
    audited(servers[1])


def test_an_answer_outlives_the_server_but_not_the_day(host: Host) -> None:
    before = host.start()
    ann, bob = pair(before)
    match, first, _ = playing(ann, bob)
    path, body = f"{C5}/matches/{match['id']}/purchase", {"special_type": "H2"}
    bought = first.post(path, body, key="k")
    host.stop(before)
    after = host.start(connect_five_clock_scale=1000)
    first = first.at(after)
    with unchanged(after):
        assert first.post(path, body, key="k") == bought
    audited(after)


def test_after_a_day_a_key_is_free_again() -> None:
    with serving(Settings.given(database_url="sqlite://", connect_five_clock_scale=1000)) as served:
        ann, bob = pair(served)
        match, first, _ = playing(ann, bob)
        path = f"{C5}/matches/{match['id']}/purchase"
        first.post(path, {"special_type": "H2"}, key="k")
        runtime = served.services.kernel.runtime
        runtime.clock = lambda: wall_clock() + KEPT_MS - 60_000
        first.post(path, {"special_type": "V2"}, key="k", status=422)
        runtime.clock = lambda: wall_clock() + KEPT_MS
        first.post(path, {"special_type": "V2"}, key="k")
        assert first.balance == 892
        audited(served)
