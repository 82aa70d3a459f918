"""What a user's matches are listed by stands with the seat, however a match comes and goes."""

from __future__ import annotations

from typing import Any

from sqlalchemy import select

from parlour.games.connect4.rules import Drop
from parlour.games.quarto.rules import Leave
from parlour.people.history import past_matches
from parlour.play.keeper import GRACE_MS
from parlour.play.kernel import Kernel
from parlour.play.match import Match
from parlour.play.player import Player
from parlour.store.api import Store
from parlour.store.schema import match, seat
from tests.play.conftest import MakePlayer, SetClock

_LISTED = (
    select(
        match.c.status,
        match.c.reason,
        match.c.created_at.label("began_at"),
        match.c.ended_at,
        seat.c.created_at,
        seat.c.finished_at,
        seat.c.ending,
    )
    .join_from(match, seat, seat.c.match_id == match.c.id)
    .order_by(match.c.created_at, match.c.id, seat.c.seat)
)


async def listed(store: Store) -> list[tuple[Any, ...]]:
    """Status, when it was finished and how it ended, by seat; after a look at what is copied."""
    rows = await store.rows(_LISTED)
    for row in rows:
        assert row["created_at"] == row["began_at"]
        assert row["finished_at"] in (None, row["ended_at"])
        assert row["ending"] == (row["reason"] or "open")
    return [(row["status"], row["finished_at"], row["ending"]) for row in rows]


async def began(kernel: Kernel, clock: SetClock, *players: Player, game: str = "connect4") -> Match:
    clock.pass_ms(10)
    return await kernel.seating.start(game, (players[0], players[1]))


async def test_a_match_stands_in_the_lists_as_it_stands_in_the_store(
    kernel: Kernel, player: MakePlayer, clock: SetClock, store: Store
) -> None:
    ann, bob = await player("ann"), await player("bob")
    waiting = await kernel.seating.open("connect4", ann)
    assert await listed(store) == [("waiting", None, "open")]
    clock.pass_ms(5)
    await kernel.seating.join(waiting.id, bob)
    assert await listed(store) == [("active", None, "open")] * 2
    for column in (0, 1, 0, 1, 0, 1, 0):
        clock.pass_ms(5)
        await kernel.steps.act(waiting.id, column, Drop(column))
    won_at = clock()
    assert await listed(store) == [("finished", won_at, "CONNECT4")] * 2

    off = await began(kernel, clock, ann, bob)
    await kernel.seating.call_off(off.id)
    assert (await listed(store))[2:] == [("cancelled", None, "cancelled")] * 2

    await began(kernel, clock, ann, bob)
    clock.pass_ms(86_400_001 + GRACE_MS)
    await kernel.keeper.sweep()
    assert (await listed(store))[4:] == [("expired", None, "expired")] * 2
    assert await past_matches(store, "user-ann", "connect4", limit=9) == ([waiting.id], 1)
    assert await past_matches(store, "user-bob", "connect4", limit=9) == ([waiting.id], 1)


async def test_who_plays_both_sides_has_played_one_game(
    kernel: Kernel, player: MakePlayer, clock: SetClock, store: Store
) -> None:
    ann = await player("ann")
    alone = await began(kernel, clock, ann, ann, game="quarto")
    await kernel.steps.act(alone.id, 1, Leave())
    ((_, finished_at, ending), other) = await listed(store)
    assert finished_at == clock()
    assert other == ("finished", None, ending)
    assert await past_matches(store, "user-ann", "quarto", limit=9) == ([alone.id], 1)
