"""A step that nothing is in the way of is decided at once, and told when it is durable."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from parlour.games.connect4.rules import Drop, Options
from parlour.play.kernel import Kernel
from parlour.play.match import Match
from parlour.store import queries
from parlour.store.api import Answer, Store
from parlour.store.change import Change, Conflict, Impossible, Unavailable
from tests.play.conftest import Ear, MakeKernel, MakePlayer

Outcome = int | Exception | None


async def begun(kernel: Kernel, player: MakePlayer, *names: str) -> Match:
    first, second = names or ("ann", "bob")
    players = (await player(first), await player(second))
    return await kernel.seating.start("connect4", players, options=Options(starter=0))


class Act:
    """An action, and what became of it."""

    def __init__(
        self, kernel: Kernel, match: Match, column: int, seat: int = 0, version: int | None = None
    ) -> None:
        self._outcome: asyncio.Future[Outcome] = asyncio.get_running_loop().create_future()
        steps = kernel.steps
        self.begun = steps.act_at_once(match.id, seat, Drop(column), version, self._told)

    def _told(self, outcome: Outcome) -> None:
        self._outcome.set_result(outcome)

    async def outcome(self) -> Outcome:
        assert self.begun
        return await asyncio.wait_for(self._outcome, 20)


async def test_it_is_told_when_it_is_durable_and_everybody_has_heard(
    kernel: Kernel, player: MakePlayer, store: Store
) -> None:
    match, ear = await begun(kernel, player), Ear()
    await kernel.watching.watch(match.id, ear)
    act = Act(kernel, match, 3, version=match.version)
    assert ear.updates == []
    assert await act.outcome() == match.version + 1
    assert [update.after.version for update in ear.updates] == [match.version + 1]
    stored = await queries.journal(store, match.id, after=match.version)
    assert stored == [update.entry for update in ear.updates]


async def test_while_it_is_under_way_others_wait_for_it(kernel: Kernel, player: MakePlayer) -> None:
    match = await begun(kernel, player)
    act = Act(kernel, match, 3)
    assert not Act(kernel, match, 3, seat=1).begun, "the first is not durable yet"
    second = await kernel.steps.act(match.id, 1, Drop(3))
    assert second.after.version == match.version + 2
    assert await act.outcome() == match.version + 1
    assert Act(kernel, match, 4).begun


async def test_what_the_rules_refuse_or_came_too_late_is_left_to_who_can_ask_the_store(
    kernel: Kernel, player: MakePlayer
) -> None:
    match = await begun(kernel, player)
    assert not Act(kernel, match, 3, seat=1).begun, "it is not their turn"
    assert not Act(kernel, match, 7).begun
    assert not Act(kernel, match, 3, version=match.version - 1).begun
    unknown = kernel.steps.act_at_once("nobody-knows", 0, Drop(3), None, print)
    assert not unknown
    assert (await kernel.steps.act(match.id, 0, Drop(3))).after.version == match.version + 1


async def test_who_was_not_quick_enough_tries_again(
    make_kernel: MakeKernel, player: MakePlayer
) -> None:
    here, there = make_kernel(), make_kernel()
    match, ear = await begun(here, player), Ear()
    await here.watching.watch(match.id, ear)
    for kernel in (here, there):
        kernel.runtime.bus.alone = True  # type: ignore[misc]  # so that memory is believed
    await there.steps.act(match.id, 0, Drop(3))
    assert await Act(here, match, 5).outcome() is None
    assert [update.after.state.moves[-1][0] for update in ear.updates] == [3]
    assert (await here.steps.act(match.id, 1, Drop(5))).after.version == match.version + 2


@pytest.mark.parametrize("landed", [True, False])
async def test_an_answer_that_was_lost_is_looked_for(
    kernel: Kernel,
    player: MakePlayer,
    store: Store,
    monkeypatch: pytest.MonkeyPatch,
    landed: bool,
) -> None:
    match, ear = await begun(kernel, player), Ear()
    await kernel.watching.watch(match.id, ear)
    submit = store.submit

    def lost(change: Change, answer: Answer) -> bool:
        gone = Unavailable("the answer was lost")
        if landed:
            return submit(change, lambda _: answer(gone))
        asyncio.get_running_loop().call_soon(answer, gone)
        return True

    with monkeypatch.context() as broken:
        broken.setattr(store, "submit", lost)
        outcome = await Act(kernel, match, 3).outcome()
    if landed:
        assert outcome == match.version + 1
        assert [update.after.version for update in ear.updates] == [match.version + 1]
    else:
        assert isinstance(outcome, Unavailable)
        assert ear.updates == []
    assert match.id in kernel.steps.doubts
    await kernel.keeper.check()
    following = await kernel.steps.act(match.id, int(landed), Drop(4))
    assert following.after.version == match.version + 1 + landed


@pytest.mark.parametrize("error", [Conflict(), Impossible("no such thing")])
async def test_what_the_store_refuses_for_no_reason_we_know_is_told(
    kernel: Kernel,
    player: MakePlayer,
    store: Store,
    monkeypatch: pytest.MonkeyPatch,
    error: Exception,
) -> None:
    match = await begun(kernel, player)

    def refuses(_: Change, answer: Answer) -> bool:
        asyncio.get_running_loop().call_soon(answer, error)
        return True

    with monkeypatch.context() as broken:
        broken.setattr(store, "submit", refuses)
        assert await Act(kernel, match, 3).outcome() is error
    assert await Act(kernel, match, 3).outcome() == match.version + 1


async def test_one_who_fails_to_hear_keeps_nobody_else_from_it(
    kernel: Kernel, player: MakePlayer
) -> None:
    match, other = await begun(kernel, player), await begun(kernel, player, "cem", "dag")

    def fails(_: Any) -> None:
        raise RuntimeError("secret detail")

    assert kernel.steps.act_at_once(match.id, 0, Drop(3), None, fails)
    assert await Act(kernel, other, 3).outcome() == other.version + 1
    assert await Act(kernel, match, 4, seat=1).outcome() == match.version + 2
