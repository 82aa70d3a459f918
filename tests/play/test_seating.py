"""Coming together: private codes, rooms, one open game, calling off, once more."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

import pytest

from parlour.games.api import Refused
from parlour.games.connect4.rules import Drop
from parlour.play.keeper import GRACE_MS
from parlour.play.kernel import Kernel
from parlour.play.match import Gone, Match
from parlour.play.player import Busy
from parlour.store import queries
from parlour.store.api import Store
from parlour.store.change import Taken
from tests.play.conftest import MakeKernel, MakePlayer, SetClock


async def finished(kernel: Kernel, match: Match) -> Match:
    for column in (0, 1, 0, 1, 0, 1):
        await kernel.steps.act(match.id, column, Drop(column))
    return (await kernel.steps.act(match.id, 0, Drop(0))).after


@pytest.mark.spec("A23", "A105", "A106")
async def test_a_private_game_waits_under_a_code(kernel: Kernel, player: MakePlayer) -> None:
    match = await kernel.seating.open("connect4", await player("ann"))
    assert match.status == "waiting"
    assert match.state is None
    assert match.code is not None
    assert set(match.code) <= set("ABCDEFGHJKLMNPQRSTUVWXYZ23456789")
    assert (len(match.code), len(match.public_id)) == (6, 8)
    assert await kernel.finder.find_code("connect4", match.code) == match
    assert await kernel.finder.find_public("connect4", match.public_id) == match


@pytest.mark.spec("A39", "A101")
async def test_joining_starts_play_with_both_ratings_kept(
    kernel: Kernel, player: MakePlayer
) -> None:
    match = await kernel.seating.open("connect4", await player("ann"))
    update = await kernel.seating.join(match.id, await player("bob"))
    assert update.after.status == "active"
    assert [seat.name for seat in update.after.seats] == ["ann", "bob"]
    assert [seat.rating_before for seat in update.after.seats] == [1000, 1000]
    assert update.after.state is not None


@pytest.mark.spec("A39", "A102")
async def test_no_rated_game_begins_without_both_ratings(
    kernel: Kernel, player: MakePlayer, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, bob = await player("ann"), await player("bob")
    waiting = await kernel.seating.open("connect4", ann)
    before = await queries.match_by_id(store, waiting.id)

    async def forgetful(game: str, users: Iterable[str | None]) -> dict[str, int]:
        return {"user-ann": 1000}

    monkeypatch.setattr(kernel.new_matches, "ratings", forgetful)
    with pytest.raises(ValueError, match="not kept"):
        await kernel.seating.join(waiting.id, bob)
    assert await queries.match_by_id(store, waiting.id) == before
    await kernel.seating.cancel(waiting.id, 0)
    with pytest.raises(ValueError, match="not kept"):
        await kernel.seating.start("connect4", (ann, bob))
    assert await kernel.finder.open_match_of("connect4", "user-ann") is None


@pytest.mark.spec("A98", "A99")
async def test_one_cannot_join_twice_or_oneself(kernel: Kernel, player: MakePlayer) -> None:
    ann = await player("ann")
    match = await kernel.seating.open("connect4", ann)
    with pytest.raises(Refused, match="CANNOT_JOIN_OWN_GAME"):
        await kernel.seating.join(match.id, ann)
    await kernel.seating.join(match.id, await player("bob"))
    with pytest.raises(Refused, match="GAME_ALREADY_STARTED"):
        await kernel.seating.join(match.id, await player("eve"))


async def test_of_many_who_join_at_once_one_gets_the_seat(
    make_kernel: MakeKernel, player: MakePlayer, store: Store
) -> None:
    kernels = [make_kernel() for _ in range(2)]
    match = await kernels[0].seating.open("connect4", await player("ann"))
    guests = [await player(f"guest{n}") for n in range(20)]
    tries = [kernels[n % 2].seating.join(match.id, guest) for n, guest in enumerate(guests)]
    results = await asyncio.gather(*tries, return_exceptions=True)
    won = [result for result in results if not isinstance(result, BaseException)]
    lost = [result for result in results if isinstance(result, Refused)]
    assert (len(won), len(lost)) == (1, 19)
    assert {refusal.code for refusal in lost} == {"GAME_ALREADY_STARTED"}
    stored = await queries.match_by_id(store, match.id)
    assert stored is not None
    assert len(stored.seats) == 2


@pytest.mark.spec("A96", "A104", "A124")
async def test_a_user_has_one_open_game(kernel: Kernel, player: MakePlayer) -> None:
    ann, bob = await player("ann"), await player("bob")
    match = await kernel.seating.open("connect4", ann)
    with pytest.raises(Busy) as busy:
        await kernel.seating.open("connect4", ann)
    assert busy.value.match.id == match.id
    other = await kernel.seating.open("connect4", bob)
    with pytest.raises(Busy) as busy:
        await kernel.seating.join(other.id, ann)
    assert busy.value.match.id == match.id
    assert (await kernel.finder.find(other.id)) == other


async def test_a_finished_game_makes_room_for_the_next(kernel: Kernel, player: MakePlayer) -> None:
    ann, bob = await player("ann"), await player("bob")
    first = await kernel.seating.start("connect4", (ann, bob))
    with pytest.raises(Busy):
        await kernel.seating.start("connect4", (bob, ann))
    await finished(kernel, first)
    await kernel.seating.start("connect4", (bob, ann))


async def test_a_room_has_the_name_it_is_given(kernel: Kernel, player: MakePlayer) -> None:
    ann, bob = await player("ann"), await player("bob")
    match = await kernel.seating.open("quarto", ann, code="A3B7KP")
    assert match.code == "A3B7KP"
    with pytest.raises(Taken, match="code"):
        await kernel.seating.open("quarto", bob, code="A3B7KP")


async def test_the_host_may_call_it_off_while_nobody_came(
    kernel: Kernel, player: MakePlayer
) -> None:
    ann = await player("ann")
    match = await kernel.seating.open("connect4", ann)
    update = await kernel.seating.cancel(match.id, 0)
    assert update.after.status == "cancelled"
    assert update.after.code is None
    again = await kernel.seating.open("connect4", ann)
    await kernel.seating.join(again.id, await player("bob"))
    with pytest.raises(Refused, match="GAME_ALREADY_STARTED"):
        await kernel.seating.cancel(again.id, 0)


@pytest.mark.spec("A143")
async def test_a_waiting_game_lapses_when_its_host_is_not_heard_of(
    kernel: Kernel, player: MakePlayer, clock: SetClock, store: Store
) -> None:
    match = await kernel.seating.open("connect4", await player("ann"))
    resident = await kernel.finder.playable(match.id)
    assert resident is not None
    clock.pass_ms(600_000)
    kernel.presence.saw(resident, 0)
    clock.pass_ms(300_000 + GRACE_MS)
    await kernel.keeper.sweep()
    assert await kernel.finder.find(match.id) is not None, "seen five minutes ago"
    clock.pass_ms(600_000)
    await kernel.keeper.sweep()
    assert await kernel.finder.find(match.id) is None
    with pytest.raises(Gone):
        await kernel.seating.join(match.id, await player("bob"))
    assert [entry.kind for entry in await queries.journal(store, match.id)] == ["open", "lapse"]


@pytest.mark.spec("A84", "A88", "A89", "A90", "A91")
async def test_a_rematch_needs_both_and_swaps_sides(kernel: Kernel, player: MakePlayer) -> None:
    ann, bob = await player("ann"), await player("bob")
    match = await finished(kernel, await kernel.seating.start("connect4", (ann, bob)))
    assert await kernel.rematches.ask(match.id, 0, swap=True) is None
    assert await kernel.rematches.ask(match.id, 0, swap=True) is None
    new = await kernel.rematches.ask(match.id, 1, swap=True)
    assert new is not None
    assert [seat.name for seat in new.seats] == ["bob", "ann"]
    assert [seat.rating_before for seat in new.seats] == [984, 1016]
    assert new.status == "active"
    old = await kernel.finder.find(match.id)
    assert old is not None
    assert old.rematch_id == new.id
    assert await kernel.rematches.ask(match.id, 0, swap=True) == new


@pytest.mark.spec("A85", "A86")
async def test_no_rematch_of_a_game_that_goes_on(kernel: Kernel, player: MakePlayer) -> None:
    ann, bob = await player("ann"), await player("bob")
    waiting = await kernel.seating.open("connect4", ann)
    with pytest.raises(Refused, match="NO_OPPONENT"):
        await kernel.rematches.ask(waiting.id, 0, swap=True)
    await kernel.seating.join(waiting.id, bob)
    with pytest.raises(Refused, match="GAME_NOT_FINISHED"):
        await kernel.rematches.ask(waiting.id, 0, swap=True)


@pytest.mark.spec("A92")
async def test_both_asking_at_once_get_the_same_rematch(
    make_kernel: MakeKernel, player: MakePlayer
) -> None:
    here, there = make_kernel(), make_kernel()
    ann, bob = await player("ann"), await player("bob")
    for _ in range(5):
        match = await finished(here, await here.seating.start("connect4", (ann, bob)))
        results = await asyncio.gather(
            here.rematches.ask(match.id, 0, swap=True),
            there.rematches.ask(match.id, 1, swap=True),
        )
        new = [result for result in results if result is not None]
        assert len(new) in (1, 2)
        assert len({each.id for each in new}) == 1
        # One side may have heard "asked"; asking again tells where the game is.
        again = await here.rematches.ask(match.id, 0, swap=True)
        assert again is not None
        assert again.id == new[0].id
        await finished(here, again)


async def test_a_rematch_waits_until_both_are_free(kernel: Kernel, player: MakePlayer) -> None:
    ann, bob, eve = await player("ann"), await player("bob"), await player("eve")
    match = await finished(kernel, await kernel.seating.start("connect4", (ann, bob)))
    busy_with = await kernel.seating.start("connect4", (ann, eve))
    assert await kernel.rematches.ask(match.id, 0, swap=True) is None
    with pytest.raises(Busy) as busy:
        await kernel.rematches.ask(match.id, 1, swap=True)
    assert busy.value.match.id == busy_with.id
    old = await kernel.finder.find(match.id)
    assert old is not None
    assert old.rematch_id is None


async def test_a_rematch_outside_a_room_holds_no_seat_for_a_socket_of_the_old_game(
    kernel: Kernel, player: MakePlayer
) -> None:
    ann, bob = await player("ann"), await player("bob")
    match = await finished(kernel, await kernel.seating.start("connect4", (ann, bob)))
    await kernel.connections.arrive(match.id, 0, "old-socket", lambda: None)
    await kernel.rematches.ask(match.id, 0, swap=True)
    new = await kernel.rematches.ask(match.id, 1, swap=True)
    assert new is not None
    resident = await kernel.finder.playable(new.id)
    assert resident is not None
    assert kernel.presence.here(resident) == (False, False)


@pytest.mark.spec("A45", "A46")
async def test_a_public_id_in_use_is_drawn_again(
    kernel: Kernel, player: MakePlayer, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, bob = await player("ann"), await player("bob")
    first = await finished(kernel, await kernel.seating.start("connect4", (ann, bob)))
    await kernel.rematches.ask(first.id, 0, swap=True)
    word = kernel.runtime.chance.word
    clashes = [first.public_id] * 4

    def draw(length: int) -> str:
        return clashes.pop() if length == 8 and clashes else word(length)

    monkeypatch.setattr(kernel.runtime.chance, "word", draw)
    second = await kernel.rematches.ask(first.id, 1, swap=True)
    assert second is not None
    assert second.public_id != first.public_id
    await finished(kernel, second)
    clashes = [first.public_id, second.public_id] * 2
    third = await kernel.seating.open("connect4", ann)
    assert third.public_id not in (first.public_id, second.public_id)
    assert not clashes
    clashes = [first.public_id] * 10
    with pytest.raises(Taken, match="public_id"):
        await kernel.seating.open("connect4", bob)
    assert len(clashes) == 4, "five attempts, then an error; a sixth id is drawn in vain"
    assert await kernel.finder.open_match_of("connect4", "user-bob") is None


@pytest.mark.spec("A105")
async def test_a_code_in_use_is_drawn_again(
    kernel: Kernel, player: MakePlayer, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, bob = await player("ann"), await player("bob")
    first = await kernel.seating.open("connect4", ann)
    assert first.code is not None
    word = kernel.runtime.chance.word
    clashes = [first.code] * 4

    def draw(length: int) -> str:
        return clashes.pop() if length == 6 and clashes else word(length)

    monkeypatch.setattr(kernel.runtime.chance, "word", draw)
    second = await kernel.seating.open("connect4", bob)
    assert second.code not in (None, first.code)
    clashes = [first.code] * 10
    eve = await player("eve")
    with pytest.raises(Taken, match="code"):
        await kernel.seating.open("connect4", eve)
    assert len(clashes) == 5, "five attempts, then an error"
