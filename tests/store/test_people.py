"""Users, ratings, notifications, keys and kept answers, and the views of people's records."""

from __future__ import annotations

import pytest
from msgspec.structs import asdict, replace
from sqlalchemy import select

from parlour.store import queries, schema
from parlour.store.api import Store
from parlour.store.change import (
    ChangeRating,
    CloseSeat,
    Conflict,
    ForgetAnswers,
    Impossible,
    KeepAnswer,
    NotificationRow,
    ReadNotification,
    RenameUser,
    RewriteMatch,
    SigningKeyRow,
    Taken,
)
from tests.store.rows import NOW, create, entry, make, match, seat, unchanged, user


@pytest.mark.spec("A11", "A12", "A13", "A15", "A18")
async def test_a_user_comes_back_as_stored(store: Store) -> None:
    ann = user("Ann", email="ann@example.org", is_guest=True, is_bot=False)
    await make(store, ann)
    found = await store.row(select(schema.user))
    assert found is not None
    kept = dict(zip(found.keys(), found, strict=True))
    assert kept.pop("number") >= 1
    assert kept == asdict(ann) | {"username_key": "ann"}


@pytest.mark.spec("A12", "A14")
@pytest.mark.parametrize(
    ("fields", "what"),
    [({"username": "aNN"}, "username"), ({"subject": "guest:Ann"}, "subject"), ({}, "user")],
)
async def test_users_are_unique(store: Store, fields: dict[str, str], what: str) -> None:
    await make(store, user("Ann"))
    other = user("Bob", **fields) if fields else user("Bob", id="user-Ann")
    async with unchanged(store):
        with pytest.raises(Taken) as taken:
            await make(store, other)
    assert taken.value.what == what


async def test_a_user_takes_a_free_name(store: Store) -> None:
    await make(store, user("Ann"), user("Bob"))

    def rename(user_id: str, username: str) -> RenameUser:
        return RenameUser(user_id=user_id, username=username, updated_at=NOW + 1)

    async with unchanged(store):
        with pytest.raises(Taken) as taken:
            await make(store, rename("user-Bob", "ANN"))
        assert taken.value.what == "username"
        with pytest.raises(Conflict):
            await make(store, rename("nobody", "Cid"))
    await make(store, rename("user-Ann", "ANN"), rename("user-Bob", "Cid"))
    names = await store.rows(select(schema.user.c.username, schema.user.c.updated_at))
    assert {tuple(row) for row in names} == {("ANN", NOW + 1), ("Cid", NOW + 1)}


def rated(delta: int, result: str, floor: int | None = None, game: str = "memory") -> ChangeRating:
    fields = {"user_id": "user-Ann", "game": game, "delta": delta, "floor": floor}
    return ChangeRating(**fields, result=result, at=NOW)  # type: ignore[arg-type]


@pytest.mark.spec("A16", "A17")
async def test_ratings_begin_at_a_thousand_and_count_results(store: Store) -> None:
    await make(store, user("Ann"), user("Bob"))
    assert await queries.ratings(store, ["user-Ann", "user-Bob"], "memory") == {
        "user-Ann": 1000,
        "user-Bob": 1000,
    }
    for delta, result in ((16, "win"), (-20, "loss"), (1, "draw"), (2, "win")):
        await make(store, rated(delta, result))
    await make(store, rated(-5, "loss", game="connect4"))
    found = await store.rows(select(schema.rating).order_by(schema.rating.c.game))
    assert [tuple(row) for row in found] == [
        ("user-Ann", "connect4", 995, 0, 1, 0, NOW),
        ("user-Ann", "memory", 999, 2, 1, 1, NOW),
    ]
    assert (await queries.ratings(store, ["user-Ann"], "memory")) == {"user-Ann": 999}


@pytest.mark.spec("B88")
async def test_a_floor_holds_and_without_one_ratings_fall_below_zero(store: Store) -> None:
    await make(store, user("Ann"))
    await make(store, rated(-1500, "loss", floor=0))
    await make(store, rated(-1500, "loss", game="connect4"))
    await make(store, rated(-1, "loss", floor=0), rated(-1, "loss", game="connect4"))
    assert (await queries.ratings(store, ["user-Ann"], "memory")) == {"user-Ann": 0}
    assert (await queries.ratings(store, ["user-Ann"], "connect4")) == {"user-Ann": -501}


async def test_only_known_users_are_rated(store: Store) -> None:
    async with unchanged(store):
        with pytest.raises(Impossible):
            await make(store, rated(1, "win"))


async def test_a_notification_is_read_by_whom_it_is_for(store: Store) -> None:
    await make(store, user("Ann"))
    note = NotificationRow(id="n", user_id="user-Ann", type="X", payload=b"{}", created_at=NOW)
    await make(store, note)
    async with unchanged(store):
        with pytest.raises(Conflict):
            await make(store, ReadNotification(id="n", user_id="user-Bob"))
        with pytest.raises(Taken):
            await make(store, note)
        with pytest.raises(Impossible):
            await make(store, replace(note, id="m", user_id="nobody"))
    await make(store, ReadNotification(id="n", user_id="user-Ann"))
    found = await store.row(select(schema.notification.c.is_read))
    assert found is not None
    assert found["is_read"] is True


async def test_a_signing_key_is_made_once(store: Store) -> None:
    await make(store, SigningKeyRow(kid="k", private_pem="one", created_at=NOW))
    async with unchanged(store):
        with pytest.raises(Taken) as taken:
            await make(store, SigningKeyRow(kid="k", private_pem="two", created_at=NOW))
    assert taken.value.what == "kid"


async def test_an_answer_is_kept_until_it_is_forgotten(store: Store) -> None:
    await make(store, user("Ann"), user("Bob"))

    def keep(name: str, at: int = NOW) -> KeepAnswer:
        fields = {"key": "k", "fingerprint": "f", "answer": b"{}", "created_at": at}
        return KeepAnswer(user_id=f"user-{name}", **fields)  # type: ignore[arg-type]

    await make(store, keep("Ann"))
    await make(store, keep("Bob"))
    async with unchanged(store):
        with pytest.raises(Taken) as taken:
            await make(store, ForgetAnswers(before=NOW), keep("Ann"))
        assert taken.value.what == "idempotency_key"
    await make(store, ForgetAnswers(before=NOW + 1), keep("Ann", NOW + 1))
    kept = await store.rows(select(schema.kept_answer.c.user_id, schema.kept_answer.c.created_at))
    assert [tuple(row) for row in kept] == [("user-Ann", NOW + 1)]


@pytest.mark.spec("B87")
async def test_finished_games_and_ratings_can_be_read_as_the_documents_name_them(
    store: Store,
) -> None:
    await make(store, user("Ann"), user("Bot", is_bot=True))
    seats = (
        seat(0, "Ann", user_id="user-Ann", rating_before=1000),
        seat(1, "Bot", user_id="user-Bot", rating_before=1016),
    )
    await make(store, create("match", *seats, game="memory"), create("going on"))
    await make(
        store,
        entry(1),
        RewriteMatch(
            match=match(
                game="memory", version=1, status="finished", ended_at=NOW + 9, reason="score"
            )
        ),
        CloseSeat(match_id="match", seat=0, ending="score", rating_delta=1, score=4),
        CloseSeat(match_id="match", seat=1, ending="score", rating_delta=-1, score=4),
        rated(1, "draw"),
    )
    history = await store.rows(select(schema.game_history))
    assert [dict(zip(row.keys(), row, strict=True)) for row in history] == [
        {
            "id": "match",
            "game_id": "match",
            "game": "memory",
            "played_at": NOW + 9,
            "player0_user_id": "user-Ann",
            "player1_user_id": "user-Bot",
            "player0_name": "Ann",
            "player1_name": "Bot",
            "player0_score": 4,
            "player1_score": 4,
            "winner_index": None,
            "end_reason": "score",
            "player0_elo_before": 1000,
            "player0_elo_after": 1001,
            "player1_elo_before": 1016,
            "player1_elo_after": 1015,
        }
    ]
    ratings = await store.rows(select(schema.player_ratings))
    assert [dict(zip(row.keys(), row, strict=True)) for row in ratings] == [
        {
            "user_id": "user-Ann",
            "game": "memory",
            "display_name": "Ann",
            "elo": 1001,
            "wins": 0,
            "losses": 0,
            "draws": 1,
            "is_bot": False,
            "updated_at": NOW,
        }
    ]
