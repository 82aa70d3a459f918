"""Analytics events: written with the step they report, complete, and holding nothing hidden."""

from __future__ import annotations

import asyncio
from random import Random
from typing import Any

import msgspec
import pytest
from sqlalchemy import select

from parlour.events.outbox import of_step
from parlour.games.api import Refused
from parlour.games.connect4.rules import Claim, Drop
from parlour.games.memory.rules import Flip
from parlour.games.registry import all_rules
from parlour.play.deciding import Plan, Wanted
from parlour.play.match import Match, take
from parlour.store.api import Store
from parlour.store.change import JournalRow, SeatRow
from parlour.store.schema import outbox
from tests.play.conftest import MakeKernel, MakePlayer, SetClock

on_sqlite = pytest.mark.parametrize("engine", ["sqlite"], indirect=True)


async def events(store: Store) -> list[dict[str, Any]]:
    rows = await store.rows(select(outbox).order_by(outbox.c.position))
    decoded = [msgspec.json.decode(row["payload"]) for row in rows]
    for row, event in zip(rows, decoded, strict=True):
        assert list(event) == ["eventType", "gameId", "playerId", "timestamp", "metadata"]
        assert (row["key"], row["type"]) == (event["gameId"], event["eventType"])
    return decoded


@pytest.mark.spec("E41", "E42", "E43")
async def test_a_game_is_told_from_its_start_to_its_outcome(
    make_kernel: MakeKernel, player: MakePlayer, store: Store, clock: SetClock
) -> None:
    kernel = make_kernel(analytics=True)
    match = await kernel.seating.start("connect4", (await player("ann"), await player("bob")))
    for column in (0, 1, 0, 1, 0, 1, 0):
        clock.pass_ms(1_500)
        await kernel.steps.act(match.id, column, Drop(column))

    told = await events(store)
    assert [event["eventType"] for event in told] == [
        "player_joined",
        "player_joined",
        "game_started",
        *["move_made"] * 7,
        "game_completed",
    ]
    assert {event["gameId"] for event in told} == {match.id}
    started, first_move, completed = told[2], told[3], told[-1]
    assert started == {
        "eventType": "game_started",
        "gameId": match.id,
        "playerId": None,
        "timestamp": "2027-01-15T08:00:00.000Z",
        "metadata": {
            "game": "connect4",
            "mode": "online",
            "players": ["user-ann", "user-bob"],
        },
    }
    assert first_move["playerId"] == "user-ann"
    assert first_move["timestamp"] == "2027-01-15T08:00:01.500Z"
    assert first_move["metadata"] == {
        "game": "connect4",
        "seat": 0,
        "number": 2,
        "move": {"type": "drop", "column": 0},
        "durationMs": 1_500,
    }
    about = completed["metadata"]
    assert completed["playerId"] == "user-ann"
    assert (about["outcome"], about["reason"], about["durationMs"]) == ("win", "CONNECT4", 10_500)
    final = await kernel.finder.find(match.id)
    assert final is not None
    seen = all_rules()["connect4"].view(final.state, None)
    assert about["finalState"] == msgspec.json.decode(msgspec.json.encode(seen))


@on_sqlite
async def test_joining_leaving_and_coming_back_are_told(
    make_kernel: MakeKernel, player: MakePlayer, store: Store
) -> None:
    kernel = make_kernel(analytics=True)
    ann, bob = await player("ann"), await player("bob")
    waiting = await kernel.seating.open("connect4", ann)
    await kernel.seating.cancel(waiting.id, 0)
    told = await events(store)
    assert [(event["eventType"], event["playerId"]) for event in told] == [
        ("player_joined", "user-ann"),
        ("player_left", "user-ann"),
    ]

    match = await kernel.seating.start("memory", (ann, bob))
    resident = await kernel.finder.playable(match.id)
    assert resident is not None
    await kernel.steps.step(resident, lambda _: Plan((Wanted("gone", 1),)))
    await kernel.steps.step(resident, lambda _: Plan((Wanted("back", 1),)))
    told = (await events(store))[-2:]
    assert [(event["eventType"], event["playerId"]) for event in told] == [
        ("player_left", "user-bob"),
        ("player_reconnected", "user-bob"),
    ]


async def test_going_and_coming_back_are_told_where_they_are_no_steps(
    make_kernel: MakeKernel, player: MakePlayer, store: Store
) -> None:
    here, elsewhere = make_kernel(analytics=True), make_kernel(analytics=True)
    match = await here.seating.start("connect4", (await player("ann"), await player("bob")))
    before = len(await events(store))
    await here.connections.arrive(match.id, 0, "ann-1", lambda: None)
    await here.connections.depart(match.id, 0, "ann-1")
    await elsewhere.connections.arrive(match.id, 0, "ann-2", lambda: None)
    await elsewhere.connections.arrive(match.id, 0, "ann-3", lambda: None)
    told = (await events(store))[before:]
    assert [(event["eventType"], event["playerId"]) for event in told] == [
        ("player_left", "user-ann"),
        ("player_reconnected", "user-ann"),
    ]


async def test_what_is_no_move_is_not_told_as_one(
    make_kernel: MakeKernel, player: MakePlayer, store: Store, clock: SetClock
) -> None:
    kernel = make_kernel(analytics=True)
    match = await kernel.seating.start("connect4", (await player("ann"), await player("bob")))
    await kernel.steps.act(match.id, 0, Drop(3))
    clock.pass_ms(60_000)
    resident = await kernel.finder.playable(match.id)
    assert resident is not None
    kernel.presence.saw(resident, 0)
    await kernel.steps.act(match.id, 0, Claim())
    told = [event["eventType"] for event in await events(store)]
    assert told[-2:] == ["move_made", "game_completed"]


@on_sqlite
async def test_without_analytics_nothing_is_written(
    make_kernel: MakeKernel, player: MakePlayer, store: Store
) -> None:
    kernel = make_kernel(analytics=False)
    match = await kernel.seating.start("connect4", (await player("ann"), await player("bob")))
    await kernel.steps.act(match.id, 0, Drop(3))
    assert await events(store) == []


def blank(game: str, seed: bytes, seats: tuple[SeatRow, ...] = ()) -> Match:
    options = all_rules()[game].options_type()
    return Match(
        id="match-1",
        game=game,
        public_id="PUBLICID",
        status="waiting",
        version=0,
        options=msgspec.json.encode(options),
        seed=seed,
        seats=seats
        or (
            SeatRow(seat=0, user_id="user-ann", name="Ann", secret="sesame-0"),
            SeatRow(seat=1, name="Bob", secret="sesame-1"),
        ),
        created_at=0,
        updated_at=0,
    )


def stepped(
    match: Match, kind: str, seat: int | None = None, action: Any = None
) -> tuple[Match, bytes]:
    """One entry further, and all it has to tell."""
    rules = all_rules()[match.game]
    entry = JournalRow(
        match_id=match.id,
        version=match.version + 1,
        at=match.updated_at + 1_000,
        kind=kind,
        seat=seat,
        action=None if action is None else msgspec.json.encode(action),
    )
    after = take(rules, match, entry).match
    before = None if match.version == 0 else match
    return after, b"\n".join(row.payload for row in of_step(rules, before, entry, after))


@pytest.mark.parametrize("game", all_rules())
@pytest.mark.parametrize("number", range(5))
def test_a_whole_game_tells_neither_seed_nor_secrets(game: str, number: int) -> None:
    random = Random(number)
    rules = all_rules()[game]
    seed = random.randbytes(32)
    match, told = stepped(blank(game, seed), "start")
    for _ in range(rules.longest):
        if match.over:
            break
        seats = [
            (seat, action)
            for seat in (0, 1)
            for action in rules.legal(rules.view(match.state, seat))
        ]
        if seats:
            match, more = stepped(match, "act", *random.choice(seats))
        else:
            match, more = stepped(match, "expire")
        told += more
    assert match.over
    assert told.count(b'"game_started"') == told.count(b'"game_completed"') == 1
    assert b"sesame" not in told
    assert b"seed" not in told
    assert msgspec.json.encode(seed)[1:-1] not in told


def test_games_that_differ_in_what_is_hidden_tell_the_same() -> None:
    twins = [blank("memory", bytes([number]) * 32) for number in (1, 2)]
    told: list[list[bytes]] = [[], []]
    starters = []
    for number, twin in enumerate(twins):
        match, said = stepped(twin, "start")
        told[number].append(said)
        starters.append(match.state.turn)
        match, said = stepped(match, "act", match.state.turn, Flip(0))
        told[number].append(said)
        match, said = stepped(match, "act", match.state.turn, Flip(1))
        told[number].append(said)
        assert match.state is not None
    assert starters[0] == starters[1], "choose seeds whose first seats agree"
    assert told[0] == told[1]


def test_players_are_named_by_account_or_as_bots_and_never_otherwise() -> None:
    seats = (
        SeatRow(seat=0, name="Ann"),
        SeatRow(seat=1, name="Thalia", bot="Thalia"),
    )
    _, told = stepped(blank("quarto", bytes(32), seats), "start")
    started = msgspec.json.decode(told.splitlines()[-1])
    assert started["metadata"]["players"] == [None, "ai:Thalia"]
    assert b"Ann" not in told


@on_sqlite
async def test_what_did_not_happen_is_not_told(
    make_kernel: MakeKernel, player: MakePlayer, store: Store
) -> None:
    first, second = make_kernel(analytics=True), make_kernel(analytics=True)
    match = await first.seating.start("connect4", (await player("ann"), await player("bob")))
    before = await events(store)
    with pytest.raises(Refused):
        await first.steps.act(match.id, 1, Drop(3))
    assert await events(store) == before

    moves = (kernel.steps.act(match.id, 0, Drop(3)) for kernel in (first, second))
    answers = await asyncio.gather(*moves, return_exceptions=True)
    assert sum(isinstance(answer, Refused) for answer in answers) == 1
    assert [event["eventType"] for event in (await events(store))[len(before) :]] == ["move_made"]
