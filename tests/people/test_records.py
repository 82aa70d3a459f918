"""History, leaderboard and notifications, as the databases answer."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import select

from parlour.people import leaderboard, notifications
from parlour.people.history import past_games, past_matches, place_of
from parlour.people.leaderboard import Standing, best, standing_of
from parlour.store import lists
from parlour.store.api import Store
from parlour.store.change import (
    Change,
    ChangeRating,
    CreateMatch,
    MatchRow,
    NotificationRow,
    SeatRow,
    UserRow,
)
from parlour.store.schema import game_history, notification, player_ratings

USERS = ("ann", "bob", "cleo")


@pytest.fixture(autouse=True)
async def people(store: Store) -> None:
    rows = tuple(
        UserRow(id=name, subject=name, username=name.title(), created_at=0, updated_at=0)
        for name in USERS
    )
    bot = UserRow(
        id="ai:Thalia",
        subject="ai:Thalia",
        username="ai:Thalia",
        is_bot=True,
        created_at=0,
        updated_at=0,
    )
    await store.commit(Change((*rows, bot)))


def seat(number: int, user_id: str | None, **more: Any) -> SeatRow:
    return SeatRow(seat=number, user_id=user_id, name=(user_id or "nobody").title(), **more)


def match(number: int, *seats: SeatRow, **more: Any) -> CreateMatch:
    return CreateMatch(
        match=MatchRow(
            **{
                "id": f"match-{number:03}",
                "game": "memory",
                "public_id": f"public-{number}",
                "status": "finished",
                "version": 0,
                "options": b"{}",
                "seed": bytes(32),
                "created_at": number,
                "updated_at": number,
                "started_at": number,
                "ended_at": 1_000 + number,
                "reason": "completed",
                **more,
            }
        ),
        seats=seats,
    )


@pytest.mark.spec("B89", "B87")
async def test_a_finished_game_is_remembered_from_both_sides(store: Store) -> None:
    seats = (
        seat(0, "ann", rating_before=1000, rating_delta=16, score=5),
        seat(1, "bob", rating_before=1000, rating_delta=-16, score=3),
    )
    await store.commit(Change((match(1, *seats, winner=0),)))
    (hers,) = await past_games(store, "ann", "memory", limit=10)
    assert hers.id == hers.game_id == "match-001"
    assert (hers.game, hers.played_at, hers.end_reason) == ("memory", 1_001, "completed")
    assert (hers.player0_user_id, hers.player1_user_id) == ("ann", "bob")
    assert (hers.player0_name, hers.player1_name) == ("Ann", "Bob")
    assert (hers.player0_score, hers.player1_score) == (5, 3)
    assert (hers.winner_index, hers.your_index) == (0, 0)
    assert (hers.player0_elo_before, hers.player0_elo_after) == (1000, 1016)
    assert (hers.player1_elo_before, hers.player1_elo_after) == (1000, 984)
    (his,) = await past_games(store, "bob", "memory", limit=10)
    assert his.your_index == 1
    assert his.id == hers.id
    assert await past_games(store, "cleo", "memory", limit=10) == []
    (row,) = await store.rows(select(game_history))
    assert row["player0_user_id"] == "ann"


async def test_only_finished_games_of_that_kind_count_and_the_newest_comes_first(
    store: Store,
) -> None:
    both = (seat(0, "ann"), seat(1, "bob"))
    await store.commit(
        Change(
            (
                match(1, *both, winner=None),
                match(2, seat(0, "bob"), seat(1, "ann"), winner=1),
                match(3, *both, status="active", ended_at=None, reason=None),
                match(4, *both, status="cancelled", reason="cancelled"),
                match(5, *both, status="expired", reason="expired"),
                match(6, *both, game="quarto", winner=0),
                match(7, seat(0, "ann"), status="waiting", ended_at=None, reason=None),
                match(8, seat(0, "ann"), seat(1, None), winner=1),
                match(9, seat(0, "cleo"), seat(1, "cleo"), winner=1),
            )
        )
    )
    played = await past_games(store, "ann", "memory", limit=10)
    assert [(each.id, each.your_index, each.winner_index) for each in played] == [
        ("match-008", 0, 1),
        ("match-002", 1, 1),
        ("match-001", 0, None),
    ]
    assert [each.id for each in await past_games(store, "ann", "quarto", limit=10)] == ["match-006"]
    assert await past_matches(store, "ann", "memory", limit=2) == (["match-008", "match-002"], 3)
    alone = await past_games(store, "cleo", "memory", limit=10)
    assert [each.your_index for each in alone] == [0]


@pytest.mark.spec("A129")
async def test_pages_cover_everything_once(store: Store) -> None:
    both = (seat(0, "ann"), seat(1, "bob"))
    # Many at the same instant: the order must not depend on the page.
    await store.commit(Change(tuple(match(n, *both, ended_at=1_000 + n // 7) for n in range(45))))
    pages = [
        await past_matches(store, "ann", "memory", limit=10, offset=offset)
        for offset in range(0, 50, 10)
    ]
    assert [total for _, total in pages] == [45] * 5
    listed = [match_id for page, _ in pages for match_id in page]
    assert len(listed) == len(set(listed)) == 45
    assert listed == sorted(listed, reverse=True)


@pytest.mark.spec("A129")
async def test_an_offset_reaches_only_so_far_and_a_place_any_distance(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    both = (seat(0, "ann"), seat(1, "bob"))
    await store.commit(Change(tuple(match(n, *both) for n in range(8))))
    await store.commit(Change(tuple(change(name, n) for n, name in enumerate(USERS))))
    for module in (lists, leaderboard):
        monkeypatch.setattr(module, "REACH", 2)
    assert len(await past_games(store, "ann", "memory", limit=3, offset=1)) == 3
    assert await past_games(store, "ann", "memory", limit=3, offset=2) == []
    place = await place_of(store, "ann", "memory", "match-003")
    assert place is not None
    older = await past_games(store, "ann", "memory", limit=10, before=place)
    assert [each.id for each in older] == ["match-002", "match-001", "match-000"]
    assert [each.user_id for each in await best(store, "memory", limit=9, offset=1)] == [
        "bob",
        "ann",
    ]
    assert await best(store, "memory", limit=9, offset=2) == []


async def test_a_count_counts_only_so_far(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    await store.commit(Change(tuple(note(n) for n in range(30))))
    theirs = select(notification.c.id).where(notification.c.user_id == "ann")
    assert await lists.counted(store, lists.count_of(theirs)) == 30
    monkeypatch.setattr(lists, "REACH", 7)
    assert await lists.counted(store, lists.count_of(theirs)) == 7


def change(user_id: str, delta: int, result: Any = "win", game: str = "memory") -> ChangeRating:
    return ChangeRating(user_id=user_id, game=game, delta=delta, result=result, at=1)


@pytest.mark.spec("B86", "B87", "B90")
async def test_the_leaderboard_ranks_people_and_bots_by_rating(store: Store) -> None:
    await store.commit(
        Change(
            (
                change("ann", 16),
                change("ann", -3, "loss"),
                change("bob", 13),
                change("ai:Thalia", 40),
                change("cleo", 90, game="quarto"),
                change("bob", 0, "draw"),
            )
        )
    )
    assert await best(store, "memory", limit=10) == [
        Standing("ai:Thalia", "Thalia", 1040, 1, 0, 0, is_bot=True, updated_at=1),
        Standing("ann", "Ann", 1013, 1, 1, 0, is_bot=False, updated_at=1),
        Standing("bob", "Bob", 1013, 1, 0, 1, is_bot=False, updated_at=1),
    ]
    assert [each.user_id for each in await best(store, "memory", limit=1, offset=1)] == ["ann"]
    assert await standing_of(store, "quarto", "cleo") == Standing(
        "cleo", "Cleo", 1090, 1, 0, 0, is_bot=False, updated_at=1
    )
    assert await standing_of(store, "memory", "cleo") is None
    rows = await store.rows(select(player_ratings).order_by(player_ratings.c.user_id))
    assert [row["user_id"] for row in rows] == ["ai:Thalia", "ann", "bob", "cleo"]


def note(number: int, user_id: str = "ann") -> NotificationRow:
    return NotificationRow(
        id=f"note-{number:02}", user_id=user_id, type="T", payload=b"{}", created_at=number
    )


async def test_notifications_are_listed_counted_and_read(store: Store) -> None:
    await store.commit(Change((*(note(n) for n in range(25)), note(99, "bob"))))
    listed, total = await notifications.page(store, "ann", limit=10, offset=20)
    assert [each.id for each in listed] == ["note-04", "note-03", "note-02", "note-01", "note-00"]
    assert total == 25
    assert await notifications.unread_count(store, "ann") == 25

    read = await notifications.mark_read(store, "ann", "note-07")
    assert read is not None
    assert read.is_read
    assert await notifications.mark_read(store, "ann", "note-07") == read
    assert await notifications.unread_count(store, "ann") == 24
    assert await notifications.unread_count(store, "cleo") == 0


async def test_nobody_reads_the_notifications_of_others(store: Store) -> None:
    await store.commit(Change((note(1, "bob"),)))
    before = await store.rows(select(notification))
    assert await notifications.mark_read(store, "ann", "note-01") is None
    assert await notifications.mark_read(store, "ann", "nowhere") is None
    assert [dict(row) for row in await store.rows(select(notification))] == [
        dict(row) for row in before
    ]


async def test_a_flood_at_one_hides_nothing_from_others(store: Store) -> None:
    flood = tuple(
        NotificationRow(id=f"n{n:04}", user_id="ann", type="T", payload=b"{}", created_at=n)
        for n in range(1_200)
    )
    await store.commit(Change((*flood, note(3, "bob"), note(5, "cleo"))))
    found = await notifications.since(store, USERS, at=4)
    assert [row.created_at for row in found] == sorted(row.created_at for row in found)
    heard = [row.id for row in found if row.user_id == "ann"]
    assert heard == [f"n{n:04}" for n in range(700, 1_200)]
    assert [row.id for row in found if row.user_id != "ann"] == ["note-05"]
