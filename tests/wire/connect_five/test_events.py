"""The audit log of a match: complete, in order, and the same for ever."""

from __future__ import annotations

import pytest

from tests.servers.parlour import Served
from tests.wire.connect_five.people import C5, Json, Person, playing, unchanged, win

People = tuple[Person, Person]


def kinds(events: list[Json]) -> list[str]:
    return [event["event_type"] for event in events]


@pytest.mark.spec("C82", "C102")
def test_everything_that_happened_is_told_in_order(ann_and_bob: People) -> None:
    ann, bob = ann_and_bob
    match, first, second = playing(ann, bob)
    bought = second.buy(match, "BOMB", 2)
    moved = first.move(match, 7, 7)
    bombed = second.move(match, 7, 7, "BOMB")
    events = ann.events(match)
    assert events == bob.events(match)
    assert kinds(events) == [
        "challenge_created",
        "challenge_accepted",
        "match_started",
        "purchase",
        "move",
        "move",
    ]
    actors = [event["actor"] and event["actor"]["id"] for event in events]
    assert actors == [ann.id, bob.id, None, second.id, first.id, second.id]
    assert {event["match"] for event in events} == {match["id"]}
    assert events[0]["payload"]["stake_amount"] == 100
    assert events[2]["payload"] == {"active_player": first.shown}
    assert events[3]["id"] == bought["event_id"]
    assert events[3]["payload"] == {
        "special_type": "BOMB",
        "quantity": 2,
        "total_cost": 6,
        "inventory": {"BOMB": 2},
    }
    assert events[4]["id"] == moved["event_id"]
    assert events[4]["payload"] == {
        "move_type": "SINGLE",
        "x": 7,
        "y": 7,
        "placed": [[7, 7]],
        "removed": [],
        "inventory": {},
    }
    assert events[5]["id"] == bombed["event_id"]
    assert events[5]["payload"]["removed"] == [[7, 7]]
    assert events[5]["payload"]["inventory"] == {"BOMB": -1}
    dates = [event["created_date"] for event in events]
    assert dates == sorted(dates)
    assert dates[4] == moved["server_time"]


@pytest.mark.spec("C82", "C102")
def test_a_win_ends_with_the_settlement(ann_and_bob: People) -> None:
    match, first, second = playing(*ann_and_bob)
    win(match, first, second)
    last = first.events(match)[-1]
    assert (last["event_type"], last["actor"]) == ("settlement", None)
    assert last["payload"] == {
        "finish_reason": "connect5",
        "prize_pool_total": 200,
        "payouts": {str(first.id): 200, str(second.id): 0},
    }


@pytest.mark.spec("C102")
def test_being_called_off_is_told_with_what_came_back(served: Served, ann_and_bob: People) -> None:
    match, first, second = playing(*ann_and_bob)
    first.buy(match, "H2")
    served.run(served.services.kernel.seating.call_off(match["uuid"]))
    events = first.events(match)
    assert kinds(events)[-2:] == ["cancelled", "settlement"]
    assert events[-1]["payload"]["payouts"] == {str(first.id): 104, str(second.id): 100}


@pytest.mark.spec("C82")
def test_pages_of_any_size_tell_the_same_story(served: Served, ann_and_bob: People) -> None:
    match, first, second = playing(*ann_and_bob)
    win(match, first, second)
    whole = first.events(match)
    assert len(whole) == 2 + 10 + 1
    for size in (1, 2, 3, 5, 12, 13):
        told: list[Json] = []
        following = f"{C5}/matches/{match['id']}/events?page_size={size}"
        while following:
            page = first.get(following.removeprefix(served.url))
            assert page["count"] == len(whole)
            assert len(page["results"]) <= size
            told += page["results"]
            following = page["next"]
        assert told == whole


@pytest.mark.spec("C82")
def test_refusals_leave_no_trace_and_strangers_read_nothing(
    served: Served, ann_and_bob: People
) -> None:
    match, first, second = playing(*ann_and_bob)
    eve = Person(served)
    with unchanged(served):
        second.move(match, 0, 0, status=403)
        first.move(match, 14, 0, status=400)
        eve.get(f"{C5}/matches/{match['id']}/events", 404)
        first.get(f"{C5}/matches/{match['id']}/events?page=99", 404)
    assert kinds(first.events(match))[-1] == "match_started"
