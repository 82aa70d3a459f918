"""Everything at once, through processes that know nothing of each other but the database.

After each race the money is audited: what went in is what came out, and each pot ended once.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import permutations
from threading import Barrier, Event
from typing import Any

import httpx
import pytest

from parlour.games.api import Refused
from parlour.play.clock import wall_clock
from parlour.store.api import Answer
from parlour.store.change import AnswerChallenge, Change, JournalRow, StoreError
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


PATIENCE_S = 20


class Entrant:
    """One who has decided on what it found, and waits at the database for its turn."""

    def __init__(self, store: Any) -> None:
        self._store = store
        self._commit, self._submit = store.commit, store.submit
        self._decided, self._go = Event(), Event()
        self._tasks: set[asyncio.Task[None]] = set()
        store.commit, store.submit = self._held, self._held_at_once

    async def _held(self, change: Change) -> None:
        if any(isinstance(write, AnswerChallenge | JournalRow) for write in change.writes):
            # What is decided again goes straight through.
            self._store.commit, self._store.submit = self._commit, self._submit
            self._decided.set()
            await asyncio.to_thread(self._go.wait, PATIENCE_S)
        await self._commit(change)

    def _held_at_once(self, change: Change, answer: Answer) -> bool:
        async def later() -> None:
            try:
                await self._held(change)
            except StoreError as error:
                answer(error)
            else:
                answer(None)

        self._tasks.add(asyncio.get_running_loop().create_task(later()))
        return True

    def decided(self) -> None:
        assert self._decided.wait(PATIENCE_S)

    def go(self) -> None:
        self._go.set()


def in_order(order: tuple[str, ...], attempts: dict[str, tuple[Served, Attempt]]) -> dict[str, Any]:
    """All decide on the same state of things; then each commits, in that order, to its end."""
    entrants = {name: Entrant(served.services.store) for name, (served, _) in attempts.items()}
    with ThreadPoolExecutor(len(attempts)) as pool:
        running = {name: pool.submit(attempt) for name, (_, attempt) in attempts.items()}
        for entrant in entrants.values():
            entrant.decided()
        answers = {}
        for name in order:
            entrants[name].go()
            answers[name] = running[name].result(PATIENCE_S)
    return answers


def told(answer: httpx.Response) -> tuple[int, str | None]:
    """Status and code of an answer."""
    return answer.status_code, answer.json().get("code")


class Three:
    """Three servers on one database; the last one's clock runs ahead, and only when it is told."""

    def __init__(self, host: Host, **settings: Any) -> None:
        self.servers = tuple(host.start(**settings) for _ in range(3))
        self._ahead_ms = 0
        self._later_ms = 0
        for served in self.servers[:2]:
            served.services.kernel.runtime.clock = lambda: wall_clock() + self._later_ms
        last = self.servers[2]
        last.run(last.services.kernel.keeper.stop())
        last.services.kernel.runtime.clock = lambda: wall_clock() + self._later_ms + self._ahead_ms

    def pass_ms(self, span_ms: int) -> None:
        self._later_ms += span_ms

    def ahead_by(self, span_ms: int) -> None:
        self._ahead_ms = span_ms

    def at(self, place: int, person: Person, path: str, body: Any = None) -> tuple[Served, Attempt]:
        served = self.servers[place]
        return served, post(person.at(served), path, body)

    def check(self, *people: Person) -> int:
        """The books are right, and what these people hold together."""
        audited(self.servers[0])
        return sum(person.balance for person in people)


@pytest.fixture
def three(host: Host, redis_url: str) -> Three:
    return Three(host, redis_url=redis_url)


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


@pytest.mark.spec("C18", "C20", "C21", "C36", "C41", "C44", "C45", "C72", "C73")
def test_accept_cancel_and_expiry_end_a_challenge_once(three: Three) -> None:
    """All three found it pending; whichever is committed first stands, in every order."""
    ann, bob = pair(three.servers[0])
    three.ahead_by(300_000)
    late = {
        "accept": {"cancel": (409, "challenge_accepted")},
        "cancel": {"accept": (409, "challenge_cancelled")},
        "expire": {"accept": (410, "challenge_expired"), "cancel": (409, "challenge_expired")},
    }
    became = {"accept": "accepted", "cancel": "cancelled", "expire": "expired"}
    accepted = 0
    for order in permutations(became):
        made = ann.challenge(bob, stake_amount=10)
        path = f"challenges/{made['id']}"
        answers = in_order(
            order,
            {
                "accept": three.at(0, bob, f"{path}/accept"),
                "cancel": three.at(1, ann, f"{path}/cancel"),
                "expire": (three.servers[2], sweeping(three.servers[2])),
            },
        )
        first = order[0]
        for name in ("accept", "cancel"):
            expected = (200, None) if name == first else late[first][name]
            assert told(answers[name]) == expected, order
        accepted += first == "accept"
        ended = ann.get(f"{C5}/{path}")
        assert ended["status"] == became[first], order
        assert (ended["match_id"] is not None) == (first == "accept")
        assert three.check(ann, bob) == 2000 - 20 * accepted


def sweeping(served: Served) -> Attempt:
    return lambda: served.run(served.services.kernel.challenges.sweep())


@pytest.mark.spec("C33", "C39", "C40", "C44", "C77")
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


@pytest.mark.spec("C26", "C29", "C41", "C44", "C50", "C53", "C54")
def test_a_move_and_a_purchase_against_the_flag(three: Three) -> None:
    """All found the clock where it was; only what is committed after the flag comes too late."""
    ann, bob = pair(three.servers[0])
    for order in permutations(("move", "purchase", "flag")):
        match, first, second = playing(ann, bob, stake_amount=10)
        three.pass_ms(100_000)
        first.move(match, 0, 0)
        second.move(match, 0, 1)
        three.ahead_by(200_000)  # the first one's clock has run out there, the other's never has
        path = f"matches/{match['id']}"
        move = {"move_type": "SINGLE", "x": 1, "y": 0}
        answers = in_order(
            order,
            {
                "move": three.at(0, first, f"{path}/move", move),
                "purchase": three.at(1, second, f"{path}/purchase", {"special_type": "BOMB"}),
                "flag": (three.servers[2], looking_at_the_clock(three.servers[2], match)),
            },
        )
        before_the_flag = set(order[: order.index("flag")])
        in_time = "move" in before_the_flag
        bought = in_time or "purchase" in before_the_flag
        assert told(answers["move"]) == ((200, None) if in_time else (410, "match_ended")), order
        assert told(answers["purchase"]) == ((200, None) if bought else (409, "match_ended")), order
        after = first.look(match)
        assert after["turn_number"] == 3 + in_time
        assert after["prize_pool_total"] == 20 + 3 * bought
        if in_time:
            assert (after["status"], after["active_player"]) == ("active", second.shown), order
            served = three.servers[0]
            served.run(served.services.kernel.seating.call_off(match["uuid"]))
        else:
            assert (after["status"], after["winner"]) == ("finished_timeout", second.id), order
        assert three.check(ann, bob) == 2000


def looking_at_the_clock(served: Served, match: Json) -> Attempt:
    async def look() -> None:
        live = await served.services.kernel.finder.playable(match["uuid"])
        assert live is not None
        await served.services.kernel.deadlines.due(live)

    return lambda: served.run(look())


@pytest.mark.spec("C28", "C34", "C37", "C41", "C44")
def test_settlement_against_an_operators_cancel(three: Three) -> None:
    """A winning move and two operators: the pot goes one way, whoever is first."""
    ann, bob = pair(three.servers[0])
    held = {ann: 1000, bob: 1000}
    for order in permutations(("win", "operator", "another")):
        match, first, second = playing(ann, bob, stake_amount=50)
        for x in range(4):
            first.move(match, x, 0)
            second.move(match, x, 2)
        fifth = {"move_type": "SINGLE", "x": 4, "y": 0}
        answers = in_order(
            order,
            {
                "win": three.at(0, first, f"matches/{match['id']}/move", fifth),
                "operator": (three.servers[1], calling_off(three.servers[1], match)),
                "another": (three.servers[2], calling_off(three.servers[2], match)),
            },
        )
        ended = second.look(match)
        won = order[0] == "win"
        expected = (200, None) if won else (409, "match_not_active")
        assert told(answers["win"]) == expected, order
        for operator in ("operator", "another"):
            assert answers[operator] == ("done" if operator == order[0] else "NOT_ACTIVE"), order
        status = ("finished_connect5", first.id) if won else ("cancelled", None)
        assert (ended["status"], ended["winner"]) == status, order
        held[first] += 50 * won
        held[second] -= 50 * won
        assert {person: person.balance for person in held} == held
        three.check()


def calling_off(served: Served, match: Json) -> Attempt:
    async def call_off() -> str:
        try:
            await served.services.kernel.seating.call_off(match["uuid"])
        except Refused as refused:
            return refused.code
        return "done"

    return lambda: served.run(call_off())
