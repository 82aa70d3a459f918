"""Matches, seats and journals: what each write does, and when it is refused."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from msgspec.structs import asdict, replace

from parlour.store import queries
from parlour.store.api import Store
from parlour.store.change import (
    AdvanceMatch,
    CloseSeat,
    Conflict,
    FillSeat,
    Impossible,
    RearmMatch,
    RewriteMatch,
    SnapshotRating,
    Taken,
)
from tests.store.rows import (
    NOW,
    advance,
    create,
    entry,
    event,
    make,
    match,
    move,
    seat,
    unchanged,
    user,
    versions_of,
)


async def stored(store: Store, match_id: str = "match") -> queries.Stored:
    found = await queries.match_by_id(store, match_id)
    assert found is not None
    return found


async def test_a_match_comes_back_as_it_was_stored(store: Store) -> None:
    whole = match(
        code="ABCDEF",
        mode="private",
        status="waiting",
        state=None,
        options=b'{"rows":6}',
        seed=bytes(range(32)),
        deadline_at=NOW + 5,
        bot_at=NOW + 6,
        acted_0_at=1,
        acted_1_at=2,
        started_at=3,
        ended_at=4,
        winner=1,
        reason="connect4",
        rematch_by=0,
        rematch_id="other",
    )
    sitting = (
        seat(0, "Ann", user_id="user-Ann", secret="s0", sole=True, rating_before=1000),
        seat(1, "Mnemosyne", bot="mnemosyne", secret="s1", rating_delta=-3, score=4),
    )
    await make(store, user("Ann"), replace(create(), match=whole, seats=sitting))
    assert await stored(store) == queries.Stored(whole, sitting, (), None)


@pytest.mark.spec("A22", "A23")
@pytest.mark.parametrize(
    ("fields", "what"),
    [
        ({"public_id": "public-match"}, "public_id"),
        ({"code": "ABCDEF"}, "code"),
        ({"match_id": "match", "public_id": "other"}, "match"),
    ],
)
async def test_what_a_match_is_found_by_is_unique(
    store: Store, fields: dict[str, Any], what: str
) -> None:
    await make(store, create(code="ABCDEF"))
    async with unchanged(store):
        with pytest.raises(Taken) as taken:
            await make(store, create(**{"match_id": "other", **fields}))
    assert taken.value.what == what


async def test_another_game_may_use_the_same_names(store: Store) -> None:
    await make(store, create(code="ABCDEF"))
    await make(store, create("other", game="quarto", code="ABCDEF", public_id="public-match"))
    found = await queries.match_by_code(store, "quarto", "ABCDEF")
    assert found is not None
    assert found.match.id == "other"


async def test_a_code_is_free_again_when_its_match_gives_it_up(store: Store) -> None:
    await make(store, create(code="ABCDEF"))
    await make(store, entry(1), RewriteMatch(match=match(version=1, status="expired")))
    await make(store, create("other", code="ABCDEF"))


@pytest.mark.spec("A124")
async def test_a_user_has_one_open_game_of_a_kind(store: Store) -> None:
    sole = seat(0, "Ann", user_id="user-Ann", sole=True)
    await make(store, user("Ann"), create("first", sole))
    async with unchanged(store):
        with pytest.raises(Taken) as taken:
            await make(store, create("second", sole))
    assert taken.value.what == "open_game"
    # Another kind of game, or a seat that does not count, is another matter.
    await make(store, create("third", sole, game="memory"))
    await make(store, create("fourth", replace(sole, sole=False)))
    opened = await queries.open_match_of(store, "user-Ann", "connect4")
    assert opened is not None
    assert opened.match.id == "first"
    await make(store, CloseSeat(match_id="first", seat=0, ending="won"))
    assert await queries.open_match_of(store, "user-Ann", "connect4") is None
    await make(store, create("second", sole))


async def test_both_seats_of_a_match_have_their_own_secret(store: Store) -> None:
    async with unchanged(store):
        with pytest.raises(Taken) as taken:
            await make(store, create("match", seat(0, "Ann", secret="s"), seat(1, "B", secret="s")))
    assert taken.value.what == "secret"
    # A rematch in the same room keeps its players' secrets.
    for match_id in ("first", "second"):
        await make(store, create(match_id, seat(0, "Ann", secret="a"), seat(1, "B", secret="b")))


async def test_advancing_moves_state_and_times_and_nothing_else(store: Store) -> None:
    await make(store, create(code="ABCDEF", deadline_at=NOW + 9))
    before = (await stored(store)).match
    step = advance(1, deadline_at=NOW + 9, bot_at=NOW + 1, acted_1_at=NOW + 2)
    await make(store, entry(1), step)
    after = asdict(step)
    after.pop("match_id")
    assert (await stored(store)).match == replace(before, **after)


@pytest.mark.parametrize(
    ("before", "after"), [(None, 5), (5, None), (5, 6), (5, 5), (None, None)], ids=str
)
async def test_advancing_sets_the_deadline(
    store: Store, before: int | None, after: int | None
) -> None:
    await make(store, create(deadline_at=before))
    await make(store, entry(1), advance(1, deadline_at=after))
    assert (await stored(store)).match.deadline_at == after
    overdue = await queries.overdue_matches(store, 10)
    assert overdue == ([queries.Overdue("match", after)] if after else [])


@pytest.mark.parametrize("version", [1, 2, 4])
@pytest.mark.parametrize("with_event", [False, True])
async def test_a_move_from_another_version_is_a_conflict(
    store: Store, version: int, with_event: bool
) -> None:
    await make(store, create())
    await store.commit(move(1))
    await store.commit(move(2))
    events = (event(),) if with_event else ()
    async with unchanged(store):
        with pytest.raises(Conflict):
            await make(store, entry(version), advance(version), *events)
    await make(store, entry(3), advance(3), *events)


async def test_a_move_of_no_match_is_a_conflict(store: Store) -> None:
    async with unchanged(store):
        with pytest.raises(Conflict):
            await store.commit(move(1, "nowhere"))


async def test_rewriting_changes_all_but_what_is_fixed(store: Store) -> None:
    await make(store, create(code="ABCDEF"))
    whole = match(
        version=1,
        mode="private",
        status="finished",
        state=b'{"over":true}',
        updated_at=NOW + 1,
        started_at=NOW,
        ended_at=NOW + 1,
        winner=0,
        reason="connect4",
        rematch_by=1,
        rematch_id="next",
    )
    await make(store, entry(1), RewriteMatch(match=whole))
    assert (await stored(store)).match == whole


async def test_rewriting_another_version_is_a_conflict(store: Store) -> None:
    await make(store, create())
    await store.commit(move(1))
    async with unchanged(store):
        for version in (1, 3):
            with pytest.raises(Conflict):
                await make(store, entry(version), RewriteMatch(match=match(version=version)))
        with pytest.raises(Conflict):
            await make(store, RewriteMatch(match=match(version=2)), entry(2))


async def test_a_deadline_is_moved_without_a_step(store: Store) -> None:
    await make(store, create(deadline_at=5))
    await make(store, RearmMatch(match_id="match", version=0, deadline_at=8))
    found = (await stored(store)).match
    assert (found.deadline_at, found.version) == (8, 0)
    await make(store, entry(1))
    async with unchanged(store):
        with pytest.raises(Conflict):
            await make(store, RearmMatch(match_id="match", version=1, deadline_at=9))


async def test_a_seat_is_filled_once(store: Store) -> None:
    await make(store, user("Bob"), create("match", seat(0, "Ann")))
    filled = seat(1, "Bob", user_id="user-Bob", secret="s", sole=True, rating_before=1000)
    await make(store, FillSeat(match_id="match", game="connect4", seat=filled))
    assert (await stored(store)).seats == (seat(0, "Ann"), filled)
    async with unchanged(store):
        with pytest.raises(Taken) as taken:
            await make(store, FillSeat(match_id="match", game="connect4", seat=seat(1, "Cid")))
    assert taken.value.what == "seat"


async def test_a_seat_is_not_filled_by_who_is_in_another_game(store: Store) -> None:
    sole = seat(0, "Ann", user_id="user-Ann", sole=True)
    await make(store, user("Ann"), create("first", sole), create("second", seat(0, "Bob")))
    async with unchanged(store):
        with pytest.raises(Taken) as taken:
            await make(
                store,
                FillSeat(match_id="second", game="connect4", seat=replace(sole, seat=1)),
            )
    assert taken.value.what == "open_game"


async def test_nobody_unknown_takes_a_seat(store: Store) -> None:
    async with unchanged(store):
        with pytest.raises(Impossible):
            await make(store, create("match", seat(0, "Ann", user_id="nobody")))
        with pytest.raises(Impossible):
            await make(store, FillSeat(match_id="none", game="connect4", seat=seat(1, "Bob")))


@pytest.mark.spec("A30", "A31")
async def test_a_seat_keeps_what_the_match_did_to_its_rating(store: Store) -> None:
    await make(store, create())
    await make(store, SnapshotRating(match_id="match", seat=0, rating_before=1200))
    await make(store, CloseSeat(match_id="match", seat=0, ending="won", rating_delta=-16, score=5))
    assert (await stored(store)).seats[0] == seat(
        0, "Ann", rating_before=1200, rating_delta=-16, score=5
    )
    async with unchanged(store):
        with pytest.raises(Conflict):
            await make(store, SnapshotRating(match_id="other", seat=0, rating_before=1))
        with pytest.raises(Conflict):
            await make(store, CloseSeat(match_id="match", seat=2, ending="won"))


async def test_a_journal_comes_back_in_order(store: Store) -> None:
    await make(store, create())
    entries = [
        entry(1, kind="start", seat=None, action=None, seen_0=None),
        entry(2, seen_1=NOW),
        entry(3),
    ]
    for each in entries:
        await make(store, each, advance(each.version))
    assert await queries.journal(store, "match") == entries
    assert await queries.journal(store, "match", after=2) == entries[2:]
    assert await queries.journal(store, "other") == []


@pytest.mark.parametrize("version", [1, 3])
async def test_a_journal_has_no_gap_and_no_repetition(store: Store, version: int) -> None:
    await make(store, create(), create("other"))
    await store.commit(move(1))
    async with unchanged(store):
        with pytest.raises(Conflict):
            await store.commit(move(version))
        with pytest.raises(Conflict):
            await make(store, entry(version), event())
        with pytest.raises(Conflict):
            await make(store, entry(2, "other"))


@pytest.mark.parametrize("version", [1, 3])
async def test_a_gap_among_many_moves_is_a_conflict_of_its_own(store: Store, version: int) -> None:
    names = [f"m{number}" for number in range(20)]
    await make(store, *map(create, names))
    await asyncio.gather(*(store.commit(move(1, name)) for name in names))
    wanted = [move(version if name == "m7" else 2, name) for name in names]
    made = await asyncio.gather(*map(store.commit, wanted), return_exceptions=True)
    assert [type(each) for each in made].count(Conflict) == 1
    assert isinstance(made[7], Conflict)
    assert set((await versions_of(store, names)).values()) == {1, 2}


async def test_a_match_stands_where_its_journal_does(store: Store) -> None:
    await make(store, create(), create("other"))
    await make(store, entry(1), advance(1))
    for version in (2, 3, 4):
        await store.commit(move(version))
    found = await stored(store)
    assert (found.match.version, found.version) == (1, 4)
    assert found.since == (entry(2), entry(3), entry(4))
    assert await queries.version(store, "match") == 4
    assert [each.version for each in await queries.matches_by_id(store, ["other", "match"])] == [
        0,
        4,
    ]
    await make(store, advance(4))
    assert (await stored(store)).since == ()


@pytest.mark.parametrize("size", [0, 1, 2, 3, 40])
async def test_any_number_of_matches_is_found_at_once(store: Store, size: int) -> None:
    await make(store, *(create(f"m{number}") for number in range(3)))
    await store.commit(move(1, "m1"))
    asked = [f"m{number}" for number in range(size)]
    known = {"m0": 0, "m1": 1, "m2": 0}
    standings = await queries.standings(store, asked)
    assert {match_id: each.version for match_id, each in standings.items()} == {
        match_id: version for match_id, version in known.items() if match_id in asked
    }
    found = await queries.matches_by_id(store, asked)
    assert [each.match.id for each in found] == [each for each in known if each in asked]


async def test_what_cannot_be_stored_is_impossible(store: Store) -> None:
    await make(store, create())
    async with unchanged(store):
        for value in (2**63, "\ud800", object()):
            step = AdvanceMatch(**{**asdict(advance(1)), "updated_at": value})
            with pytest.raises(Impossible):
                await make(store, step, entry(1))
            with pytest.raises(Impossible):
                await make(
                    store, step, entry(1), RearmMatch(match_id="m", version=0, deadline_at=1)
                )
    await store.commit(move(1))
