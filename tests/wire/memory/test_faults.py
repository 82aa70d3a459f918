"""While the store is away: who asks is told so, and nothing is lost or left behind."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from parlour.net.errors import GENERAL
from parlour.store import queries
from parlour.store.api import Answer
from parlour.store.change import Change, HoldLease, Unavailable
from tests.servers.parlour import Served
from tests.wire.memory.conftest import Client, Parlour

TRY_AGAIN = GENERAL["UNAVAILABLE"][1]

Lose = Callable[[bool], None]


@pytest.fixture
def lose(served: Served, monkeypatch: pytest.MonkeyPatch) -> Lose:
    """The answer to the next commit for a player is lost, whether or not it landed."""
    store = served.services.store
    real, real_submit = store.commit, store.submit

    def arm(landed: bool) -> None:
        async def commit(change: Change) -> None:
            if isinstance(change.writes[0], HoldLease):
                await real(change)
                return
            monkeypatch.setattr(store, "commit", real)
            monkeypatch.setattr(store, "submit", real_submit)
            if landed:
                await real(change)
            raise Unavailable

        def submit(change: Change, answer: Answer) -> bool:
            async def later() -> None:
                try:
                    await commit(change)
                except Unavailable as error:
                    answer(error)

            served.services.kernel.runtime.background.spawn(later())
            return True

        monkeypatch.setattr(store, "commit", commit)
        monkeypatch.setattr(store, "submit", submit)

    return arm


async def tickets(parlour: Parlour) -> list[str]:
    work = queries.tickets(parlour.served.services.store, "memory")
    return [each.user_id for each in await asyncio.to_thread(parlour.served.run, work)]


async def sweep(parlour: Parlour) -> None:
    await parlour.pass_sec(0)


async def try_to_queue(client: Client, name: str) -> None:
    await client.say("set_name", name=name)
    assert (await client.hears("error"))["message"] == TRY_AGAIN


async def test_a_flip_that_could_not_be_kept_is_not_made(parlour: Parlour, lose: Lose) -> None:
    mover, other = await parlour.pair()
    lose(False)
    assert await mover.refused("flip_card", index=0) == TRY_AGAIN
    await other.hears_nothing()
    await mover.flip(0)
    for each in (mover, other):
        await each.hears("game_state")


async def test_a_flip_that_was_kept_after_all_is_made(parlour: Parlour, lose: Lose) -> None:
    mover, other = await parlour.pair()
    lose(True)
    await mover.flip(0)
    for each in (mover, other):
        await each.hears("game_state")
        await each.hears_nothing()


@pytest.mark.parametrize("landed", [True, False])
async def test_who_could_not_queue_may_try_again(
    parlour: Parlour, lose: Lose, landed: bool
) -> None:
    ann = await parlour.client()
    lose(landed)
    await try_to_queue(ann, "Ann")
    await ann.say("set_name", name="Ann")
    await ann.hears("waiting_for_match")
    assert await tickets(parlour) == [ann.user["id"]]
    bob = await parlour.client()
    await bob.say("set_name", name="Bob")
    await bob.hears("waiting_for_match", "match_found", "game_state")
    await ann.hears("match_found", "game_state")


@pytest.mark.parametrize("landed", [True, False])
async def test_who_could_not_queue_and_went_is_not_waited_for(
    parlour: Parlour, lose: Lose, landed: bool
) -> None:
    ann = await parlour.client()
    lose(landed)
    await try_to_queue(ann, "Ann")
    await ann.line.close()
    await sweep(parlour)
    assert await tickets(parlour) == []


async def test_who_went_while_the_store_was_away_is_missed_later(
    parlour: Parlour, lose: Lose
) -> None:
    mover, other = await parlour.pair()
    lose(False)
    await other.line.close()
    await mover.hears_nothing()
    while not (await parlour.match(mover)).state.away_until[other.seat]:
        await sweep(parlour)
    await mover.hears("opponent_reconnecting", "game_state")


@pytest.mark.parametrize("landed", [True, False])
async def test_who_could_not_come_back_may_try_again(
    parlour: Parlour, lose: Lose, landed: bool
) -> None:
    mover, other = await parlour.pair()
    await other.line.close()
    await mover.hears("opponent_reconnecting", "game_state")
    back = await parlour.again(other)
    await back.hears_nothing()
    lose(landed)
    await back.say("rejoin_my_game")
    if not landed:
        assert (await back.hears("error"))["message"] == TRY_AGAIN
        await back.say("rejoin_my_game")
    await back.hears("match_found", "game_state")
    await mover.hears("opponent_reconnected", "game_state")
    for each in (back, mover):
        await each.hears_nothing()


async def test_who_signs_in_while_the_store_is_away_is_asked_to_come_later(
    parlour: Parlour, monkeypatch: pytest.MonkeyPatch
) -> None:
    token, user = parlour.served.guest()

    async def away(*_: object) -> None:
        raise Unavailable

    with monkeypatch.context() as patched:
        patched.setattr(parlour.served.services.users, "of", away)
        ann = await parlour.client(token, user)
        assert (await ann.hears("error"))["message"] == TRY_AGAIN
        assert await ann.closed() == 1013
    ann = await parlour.client(token, user)
    await ann.hears_nothing()
