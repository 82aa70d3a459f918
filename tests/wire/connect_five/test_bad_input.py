"""Bad input of every kind: the document's status, the field at fault, and not a unit moved."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import select

from parlour.store import schema
from tests.servers.parlour import Served
from tests.wire.connect_five.people import (
    C5,
    TERMS,
    Person,
    audited,
    pair,
    playing,
    unchanged,
    win,
)

People = tuple[Person, Person]

NOT_INTEGERS: list[Any] = ["5", 5.0, 5.5, 1e3, True, None, [], {}, "", "5 TNB", float(10**20)]
AMOUNTS: list[Any] = [*NOT_INTEGERS, -1, -(10**30), 10**15 + 1, 10**19, 10**400]

NO_TYPES: list[Any] = ["", 5, None, [], {}, "x" * 9999]
NO_IDS: list[Any] = [
    "",
    0,
    -7,
    7.5,
    True,
    "0",
    "-7",
    "007",
    2**53,
    2**63,
    10**400,
    None,
    [],
    {},
    "bob",
    "\x00",
    "ai:Mnemosyne",
    "x" * 5000,
]

NOBODYS: list[Any] = [0, -1, "01", 2**53 - 1, 2**63, 10**30, "1.0", "nonsense", "%00", "x" * 300]
"""Ids in paths that are nobody's."""


@pytest.mark.spec("C61", "C68", "C78")
@pytest.mark.parametrize("field", ["stake_amount", "max_spend_amount"])
def test_amounts_are_whole_and_within_bounds(
    served: Served, ann_and_bob: People, field: str
) -> None:
    ann, bob = ann_and_bob
    with unchanged(served):
        for amount in AMOUNTS:
            refused = ann.challenge(bob, status=400, **{field: amount})
            assert list(refused) == [field]
            assert all(isinstance(text, str) and text for text in refused[field])


@pytest.mark.spec("C9", "C68", "C78")
def test_time_limits_are_the_four_there_are(served: Served, ann_and_bob: People) -> None:
    ann, bob = ann_and_bob
    with unchanged(served):
        for seconds in (*NOT_INTEGERS, 0, -300, 301, 1801, 300_000, 10**30):
            refused = ann.challenge(bob, status=400, time_limit_seconds=seconds)
            assert list(refused) == ["time_limit_seconds"]


@pytest.mark.spec("C2", "C68", "C78")
def test_an_opponent_is_somebody_else_who_exists(served: Served, ann_and_bob: People) -> None:
    ann, _ = ann_and_bob
    path = f"{C5}/challenges"
    with unchanged(served):
        for opponent in (*NO_IDS, ann.id, str(ann.id), ann.uuid, ann.uuid.upper()):
            refused = ann.post(path, {"opponent_id": opponent, **TERMS}, status=400)
            assert list(refused) == ["opponent_id"]
        for nobody in ("00000000-0000-4000-8000-000000000000", 2**53 - 1, str(2**53 - 1)):
            refused = ann.post(path, {"opponent_id": nobody, **TERMS}, status=404)
            assert refused["code"] == "opponent_not_found"


@pytest.mark.spec("C78")
def test_all_faults_of_a_form_are_named_at_once(served: Served, ann_and_bob: People) -> None:
    ann, _ = ann_and_bob
    with unchanged(served):
        assert ann.post(f"{C5}/challenges", {}, status=400) == {
            name: ["This field is required."] for name in ("opponent_id", *TERMS)
        }
        wish = {"opponent_id": None, "stake_amount": -1, "max_spend_amount": "1"}
        assert ann.post(f"{C5}/challenges", wish, status=400) == {
            "opponent_id": ["This field may not be null."],
            "stake_amount": ["Ensure this value is greater than or equal to 0."],
            "max_spend_amount": ["A valid integer is required."],
            "time_limit_seconds": ["This field is required."],
        }


BODIES = [
    b"",
    b"{",
    b"null",
    b"[]",
    b'"x"',
    b"7",
    b"\xff\xfe",
    b'{"a\xc3(": 1}',
    b"{" * 20_000,
    b'{"a":' * 9999,
]


@pytest.mark.spec("C78")
@pytest.mark.parametrize("body", BODIES, ids=lambda body: repr(body[:8]))
def test_what_is_no_json_object_is_refused(
    served: Served, ann_and_bob: People, body: bytes
) -> None:
    match, first, _ = playing(*ann_and_bob)
    with unchanged(served):
        for path in (
            f"{C5}/challenges",
            f"{C5}/matches/{match['id']}/move",
            f"{C5}/matches/{match['id']}/purchase",
        ):
            answer = first.ask("POST", path, content=body)
            assert answer.status_code == 400, answer.text
            assert list(answer.json()) in (["non_field_errors"], ["detail", "code"])


def test_a_body_may_not_be_endless(served: Served, ann_and_bob: People) -> None:
    ann, _ = ann_and_bob
    with unchanged(served):
        huge = ann.ask("POST", f"{C5}/challenges", content=b"x" * 70_000)
        assert huge.status_code == 413

        def endless() -> Any:
            for _ in range(70):
                yield b"x" * 1000

        streamed = ann.ask("POST", f"{C5}/challenges", content=endless())
        assert streamed.status_code == 413


@pytest.mark.spec("C56", "C61", "C76", "C78")
def test_moves_stay_on_the_board(served: Served, ann_and_bob: People) -> None:
    match, first, _ = playing(*ann_and_bob)
    with unchanged(served):
        for x, y, field in (
            (14, 0, "x"),
            (-1, 0, "x"),
            (0, 14, "y"),
            (0, -1, "y"),
            (10**30, 0, "x"),
            (0, -(10**400), "y"),
            *((each, 0, "x") for each in NOT_INTEGERS),
            *((0, each, "y") for each in NOT_INTEGERS),
        ):
            refused = first.move(match, x, y, status=400)
            assert list(refused) == [field]


@pytest.mark.spec("C57", "C58", "C59", "C60", "C61", "C62", "C76")
def test_specials_must_fit_as_a_whole(served: Served, ann_and_bob: People) -> None:
    match, first, second = playing(*ann_and_bob)
    for special in ("H2", "V2", "CROSS4", "BOMB"):
        first.buy(match, special)
    first.move(match, 7, 7)
    second.move(match, 7, 9)
    with unchanged(served):
        for move_type, x, y, field in (
            ("H2", 13, 0, "x"),
            ("H2", 6, 7, "x"),
            ("H2", 7, 7, "x"),
            ("V2", 0, 13, "y"),
            ("V2", 7, 8, "x"),
            ("CROSS4", 0, 5, "x"),
            ("CROSS4", 5, 13, "y"),
            ("CROSS4", 7, 8, "x"),
            ("BOMB", 7, 7, "x"),
            ("BOMB", 0, 0, "x"),
            ("SINGLE", 7, 7, "x"),
        ):
            assert list(first.move(match, x, y, move_type, status=400)) == [field]


@pytest.mark.spec("C40", "C61", "C76")
def test_specials_one_does_not_own_cannot_be_used(served: Served, ann_and_bob: People) -> None:
    match, first, second = playing(*ann_and_bob)
    second.buy(match, "H2")
    with unchanged(served):
        for special in ("H2", "V2", "CROSS4", "BOMB"):
            assert list(first.move(match, 5, 5, special, status=400)) == ["move_type"]
    first.buy(match, "H2")
    first.move(match, 0, 0, "H2")
    second.move(match, 0, 1)
    with unchanged(served):
        assert list(first.move(match, 5, 5, "H2", status=400)) == ["move_type"]


@pytest.mark.spec("C61", "C76", "C77")
def test_types_are_the_ones_there_are(served: Served, ann_and_bob: People) -> None:
    match, first, _ = playing(*ann_and_bob)
    with unchanged(served):
        for nonsense in (*NO_TYPES, "DOUBLE", "H3", "SINGLE ", "\u017fingle"):
            assert list(first.move(match, 0, 0, nonsense, status=400)) == ["move_type"]
        for nonsense in (*NO_TYPES, "SINGLE", "NUKE"):
            assert list(first.buy(match, nonsense, status=400)) == ["special_type"]


@pytest.mark.spec("C29", "C45", "C76")
def test_nobody_moves_out_of_turn_or_twice(served: Served, ann_and_bob: People) -> None:
    match, first, second = playing(*ann_and_bob)
    with unchanged(served):
        assert second.move(match, 0, 0, status=403)["code"] == "not_your_turn"
    first.move(match, 0, 0)
    with unchanged(served):
        assert first.move(match, 0, 0, status=403)["code"] == "not_your_turn"
        assert first.move(match, 5, 5, status=403)["code"] == "not_your_turn"


@pytest.mark.spec("C33", "C39", "C77")
def test_nobody_buys_nothing_too_much_or_on_credit(served: Served) -> None:
    ann, bob = pair(served)
    match, first, _ = playing(ann, bob, stake_amount=900, max_spend_amount=10**15)
    with unchanged(served):
        for quantity in (*NOT_INTEGERS, 0, -1, -(10**30)):
            assert list(first.buy(match, "H2", quantity, status=400)) == ["quantity"]
        assert first.buy(match, "H2", 26, status=422)["code"] == "insufficient_funds"
        assert first.buy(match, "H2", 10**30, status=422)["code"] == "max_spend_exceeded"
        assert first.buy(match, "H2", 10**14, status=422)["code"] == "insufficient_funds"
    first.buy(match, "H2", 25)
    assert first.balance == 0
    with unchanged(served):
        assert first.buy(match, "BOMB", status=422)["code"] == "insufficient_funds"
    audited(served)


@pytest.mark.spec("C33", "C39", "C77")
def test_nobody_spends_more_than_was_agreed(served: Served, ann_and_bob: People) -> None:
    match, first, _ = playing(*ann_and_bob)
    with unchanged(served):
        assert first.buy(match, "CROSS4", 6, status=422)["code"] == "max_spend_exceeded"
    first.buy(match, "CROSS4", 5)
    with unchanged(served):
        assert first.buy(match, "BOMB", status=422)["code"] == "max_spend_exceeded"


@pytest.mark.spec("C76", "C77")
def test_strangers_find_no_match(served: Served, ann_and_bob: People) -> None:
    match, _, _ = playing(*ann_and_bob)
    eve = Person(served)
    missing = "00000000-0000-7000-8000-000000000000"
    with unchanged(served):
        for match_id in (match["id"], match["uuid"], missing, *NOBODYS):
            path = f"{C5}/matches/{match_id}"
            move, purchase = {"move_type": "SINGLE", "x": 0, "y": 0}, {"special_type": "H2"}
            assert eve.get(path, 404)["code"] == "not_found"
            assert eve.get(f"{path}/events", 404)["code"] == "not_found"
            assert eve.post(f"{path}/move", move, status=404)["code"] == "not_found"
            assert eve.post(f"{path}/purchase", purchase, status=404)["code"] == "not_found"


def test_matches_of_other_games_are_none_here(served: Served, ann_and_bob: People) -> None:
    ann, _ = ann_and_bob
    game = ann.post("/api/games", status=201)
    known = select(schema.match.c.number).where(schema.match.c.id == game["gameId"])
    (row,) = served.run(served.services.store.rows(known))
    with unchanged(served):
        for match_id in (game["gameId"], row["number"]):
            ann.get(f"{C5}/matches/{match_id}", 404)
            ann.post(f"{C5}/matches/{match_id}/purchase", {"special_type": "H2"}, status=404)


@pytest.mark.spec("C70", "C75", "C78")
@pytest.mark.parametrize(
    ("path", "query", "field"),
    [
        ("challenges", "status=PENDING", "status"),
        ("challenges", "status=nonsense", "status"),
        ("challenges", "mine=both", "mine"),
        ("challenges", "page=0", "page"),
        ("challenges", "page=two", "page"),
        ("challenges", "page_size=-1", "page_size"),
        ("matches", "status=finished", "status"),
        ("matches", "status=%00", "status"),
        ("matches", "page=", "page"),
        ("matches", "page_size=1.5", "page_size"),
    ],
)
def test_bad_filters_are_named(ann_and_bob: People, path: str, query: str, field: str) -> None:
    ann, _ = ann_and_bob
    assert list(ann.get(f"{C5}/{path}?{query}", 400)) == [field]


@pytest.mark.spec("C78")
@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [
        ("GET", C5, 404, "not_found"),
        ("GET", f"{C5}/nothing", 404, "not_found"),
        ("POST", f"{C5}/matches/x/move/again", 404, "not_found"),
        ("GET", "/api/wallet/nothing", 404, "not_found"),
        ("DELETE", f"{C5}/challenges", 405, "method_not_allowed"),
        ("GET", f"{C5}/matches/x/move", 405, "method_not_allowed"),
        ("PUT", "/api/wallet", 405, "method_not_allowed"),
        ("POST", "/api/notifications/", 405, "method_not_allowed"),
        ("DELETE", "/api/users/search", 405, "method_not_allowed"),
    ],
)
def test_what_no_route_answers_is_refused_in_the_same_shape(
    ann_and_bob: People, method: str, path: str, status: int, code: str
) -> None:
    answer = ann_and_bob[0].ask(method, path)
    assert answer.status_code == status
    assert set(answer.json()) == {"detail", "code"}
    assert answer.json()["code"] == code
    assert ("allow" in answer.headers) == (status == 405)


@pytest.mark.spec("C78")
def test_a_body_that_is_too_large_is_refused_in_the_same_shape(
    served: Served, ann_and_bob: People
) -> None:
    ann, bob = ann_and_bob
    with unchanged(served):
        refused = ann.challenge(bob, status=413, padding="x" * 70_000)
    assert set(refused) == {"detail", "code"}
    assert refused["code"] == "body_too_large"


def test_other_surfaces_keep_theirs(served: Served) -> None:
    for path in ("/api/connect-fives", "/api/users", "/api/walle"):
        assert set(served.ask("GET", path).json()) == {"error", "code", "message"}


def test_replays_change_nothing_more(served: Served, ann_and_bob: People) -> None:
    """The very same bytes once more, after each kind of request."""
    ann, bob = ann_and_bob
    made = ann.challenge(bob)
    match = bob.accept(made)
    with unchanged(served):
        bob.accept(made, status=409)
    first, second = (ann, bob) if match["active_player"]["id"] == ann.id else (bob, ann)
    win(match, first, second)
    with unchanged(served):
        first.move(match, 4, 0, status=410)
    cancelled = ann.challenge(bob)
    ann.cancel(cancelled)
    with unchanged(served):
        ann.cancel(cancelled, status=409)
    audited(served)
