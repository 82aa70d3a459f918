"""Everything at once, through two processes that know nothing of each other but the database.

After each race the money is audited: what went in is what came out, and each pot ended once.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import httpx
import pytest

from parlour.games.api import Refused
from tests.servers.parlour import Served
from tests.wire.connect_five.conftest import Host
from tests.wire.connect_five.people import C5, Json, Person, audited, pair, playing

Attempt = Callable[[], Any]


def at_once(*attempts: Attempt) -> list[Any]:
    """All of them, from as many threads, from the same moment on."""
    start = Barrier(len(attempts))

    def go(attempt: Attempt) -> Any:
        start.wait(10)
        return attempt()

    with ThreadPoolExecutor(len(attempts)) as pool:
        return list(pool.map(go, attempts))


def post(person: Person, path: str, body: Any = None) -> Attempt:
    return lambda: person.ask("POST", f"{C5}/{path}", json=body)


def statuses(answers: list[httpx.Response]) -> Counter[int]:
    return Counter(answer.status_code for answer in answers)


class Two:
    """Two servers on one database, and the same people on both."""

    def __init__(self, host: Host, **settings: Any) -> None:
        self.servers = (host.start(**settings), host.start(**settings))

    def people(self) -> tuple[Person, Person]:
        return pair(self.servers[0])

    def of(self, person: Person, turn: int) -> Person:
        return person.at(self.servers[turn % 2])

    def check(self, *people: Person) -> int:
        """The books are right, and what these people hold together."""
        audited(self.servers[0])
        return sum(person.balance for person in people)


@pytest.fixture
def two(host: Host, redis_url: str) -> Two:
    return Two(host, redis_url=redis_url)


@pytest.mark.spec("C22", "C32", "C41", "C44", "C45")
def test_ten_accepts_make_one_match(two: Two) -> None:
    ann, bob = two.people()
    for _ in range(3):
        made = ann.challenge(bob, stake_amount=300)
        path = f"challenges/{made['id']}/accept"
        answers = at_once(*(post(two.of(bob, turn), path) for turn in range(10)))
        assert statuses(answers) == {200: 1, 409: 9}
        assert bob.get(f"{C5}/challenges/{made['id']}")["status"] == "accepted"
        assert two.check(ann, bob) == 2000 - 600 * bob.get(f"{C5}/matches")["count"]
    assert bob.get(f"{C5}/matches?status=active")["count"] == 3


@pytest.mark.spec("C18", "C20", "C21", "C36", "C41", "C44", "C45")
def test_accept_cancel_and_expiry_end_a_challenge_once(host: Host, redis_url: str) -> None:
    """The challenge expires within the race: all three meet."""
    two = Two(host, redis_url=redis_url, challenge_ttl_sec=0.1)
    ann, bob = two.people()
    outcomes: Counter[str] = Counter()
    for pause in (0.0, 0.03, 0.06, 0.085, 0.09, 0.095, 0.1):
        made = ann.challenge(bob, stake_amount=10)
        time.sleep(pause)
        attempts = [post(two.of(bob, turn), f"challenges/{made['id']}/accept") for turn in range(4)]
        attempts += [
            post(two.of(ann, turn), f"challenges/{made['id']}/cancel") for turn in range(4)
        ]
        answers = at_once(*attempts)
        assert set(statuses(answers)) <= {200, 409, 410}
        accepted, cancelled = statuses(answers[:4])[200], statuses(answers[4:])[200]
        ended = ann.get(f"{C5}/challenges/{made['id']}")
        assert ended["status"] != "pending"
        assert (accepted, cancelled) == (
            int(ended["status"] == "accepted"),
            int(ended["status"] == "cancelled"),
        )
        assert (ended["match_id"] is not None) == bool(accepted)
        outcomes[ended["status"]] += 1
        assert two.check(ann, bob) == 2000 - 20 * outcomes["accepted"]
    assert sum(outcomes.values()) == 7


@pytest.mark.spec("C33", "C39", "C40", "C44")
def test_twenty_purchases_stop_at_the_spend_limit(two: Two) -> None:
    ann, bob = two.people()
    match, first, second = playing(ann, bob, max_spend_amount=24)
    path, body = f"matches/{match['id']}/purchase", {"special_type": "CROSS4"}
    answers = at_once(*(post(two.of(first, turn), path, body) for turn in range(20)))
    assert statuses(answers) == {200: 3, 422: 17}
    codes = {answer.json()["code"] for answer in answers if answer.status_code == 422}
    assert codes == {"max_spend_exceeded"}
    after = second.look(match)
    mine = next(each for each in after["players"] if each["user"]["id"] == first.id)
    assert (mine["spent_total"], mine["inventory_cross4"]) == (24, 3)
    assert after["prize_pool_total"] == 224
    assert two.check(ann, bob) == 2000 - 224


@pytest.mark.spec("C33", "C44")
def test_purchases_in_several_matches_stop_at_the_balance(two: Two) -> None:
    ann, bob = two.people()
    matches = [playing(ann, bob, stake_amount=240, max_spend_amount=1000)[0] for _ in range(4)]
    body = {"special_type": "CROSS4"}
    answers = at_once(
        *(
            post(two.of(ann, turn), f"matches/{matches[turn % 4]['id']}/purchase", body)
            for turn in range(16)
        )
    )
    assert statuses(answers) == {200: 5, 422: 11}
    assert ann.balance == 0
    two.check()


@pytest.mark.spec("C29", "C44", "C45", "C51")
def test_one_move_is_made_in_a_turn(two: Two) -> None:
    ann, bob = two.people()
    match, first, second = playing(ann, bob)
    path = f"matches/{match['id']}/move"
    for turn, mover in enumerate((first, second, first)):
        answers = at_once(
            *(
                post(two.of(mover, n), path, {"move_type": "SINGLE", "x": n, "y": turn})
                for n in range(8)
            )
        )
        assert statuses(answers) == {200: 1, 403: 7}
        after = first.look(match)
        assert after["turn_number"] == turn + 2
        assert sum(mark > 0 for row in after["board_state"] for mark in row) == turn + 1
    two.check()


@pytest.mark.spec("C26", "C41", "C44", "C53", "C54")
def test_moves_against_the_flag(host: Host, redis_url: str) -> None:
    """Moves, purchases, looks and both sweeps around the instant at which the flag falls."""
    two = Two(host, redis_url=redis_url, connect_five_clock_scale=0.001)
    ann, bob = two.people()
    for round_, pause in enumerate((0.15, 0.27, 0.285, 0.295, 0.3)):
        match, first, second = playing(ann, bob, stake_amount=10)
        path = f"matches/{match['id']}"
        time.sleep(pause)
        move = {"move_type": "SINGLE", "x": round_, "y": 0}
        attempts = [post(two.of(first, turn), f"{path}/move", move) for turn in range(3)]
        attempts += [
            post(two.of(second, turn), f"{path}/purchase", {"special_type": "BOMB"})
            for turn in range(3)
        ]
        answers = at_once(*attempts)
        assert set(statuses(answers[:3])) <= {200, 403, 410}
        assert set(statuses(answers[3:])) <= {200, 409}
        ended = _ended(first, match)
        moved = statuses(answers[:3])[200]
        assert moved <= 1
        loser = second if moved else first
        assert ended["winner"] == (first if moved else second).id, loser.id
        assert ended["turn_number"] == 1 + moved
        assert ended["prize_pool_total"] == 20 + 3 * statuses(answers[3:])[200]
        assert two.check(ann, bob) == 2000


@pytest.mark.spec("C28", "C37", "C41", "C44")
def test_settlement_against_an_operators_cancel(two: Two) -> None:
    ann, bob = two.people()
    for _ in range(4):
        match, first, second = playing(ann, bob, stake_amount=50)
        for x in range(4):
            first.move(match, x, 0)
            second.move(match, x, 2)
        win = post(first, f"matches/{match['id']}/move", {"move_type": "SINGLE", "x": 4, "y": 0})
        answer, called_off, again = at_once(
            win, calling_off(two.servers[1], match), calling_off(two.servers[0], match)
        )
        ended = second.look(match)
        if answer.status_code == 200:
            assert (called_off, again) == ("NOT_ACTIVE", "NOT_ACTIVE")
            assert (ended["status"], ended["winner"]) == ("finished_connect5", first.id)
        else:
            assert answer.status_code == 409
            assert sorted((called_off, again)) == ["NOT_ACTIVE", "done"]
            assert (ended["status"], ended["winner"]) == ("cancelled", None)
        assert two.check(ann, bob) == 2000


def calling_off(served: Served, match: Json) -> Attempt:
    async def call_off() -> str:
        try:
            await served.services.kernel.seating.call_off(match["id"])
        except Refused as refused:
            return refused.code
        return "done"

    return lambda: served.run(call_off())


def _ended(person: Person, match: Json) -> Json:
    """The match, once its flag has fallen; both sweeps see to that."""
    while (found := person.look(match))["status"] == "active":
        time.sleep(0.02)
    return found
