"""A step whose commit the store could not vouch for is looked at again, also by who is alone."""

from __future__ import annotations

from typing import Any

import pytest

from parlour.bus.local import LocalBus
from parlour.games.connect4.rules import Drop, Options
from parlour.games.registry import all_rules
from parlour.play.doubts import Doubts
from parlour.play.kernel import Kernel
from parlour.play.player import Player
from parlour.store import queries
from parlour.store.api import Store
from parlour.store.change import Change, Unavailable
from tests.play.conftest import Ear, SetClock, policies, think_here


async def test_watchers_hear_of_a_step_whose_answer_and_first_look_were_lost(
    store: Store, clock: SetClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    kernel = Kernel(store, LocalBus(), all_rules(), policies(), think_here, clock=clock)
    players = (Player(name="ann"), Player(name="bob"))
    match = await kernel.seating.start("connect4", players, options=Options(starter=0))
    ear = Ear()
    await kernel.watching.watch(match.id, ear)
    commit = store.commit

    async def answer_lost(change: Change) -> None:
        await commit(change)
        raise Unavailable("the answer was lost")

    async def unreadable(*_: Any, **__: Any) -> Any:
        raise Unavailable("nobody answers")

    with monkeypatch.context() as broken:
        broken.setattr(store, "commit", answer_lost)
        broken.setattr(store, "rows", unreadable)
        with pytest.raises(Unavailable):
            await kernel.steps.act(match.id, 0, Drop(3))
    assert ear.updates == []
    with monkeypatch.context() as broken:
        broken.setattr(store, "rows", unreadable)
        broken.setattr(store, "row", unreadable)
        for _ in range(2):
            with pytest.raises(Unavailable):
                await kernel.keeper.check()
    assert match.id in kernel.steps.doubts, "it stays in doubt until it has been read"
    await kernel.keeper.check()
    assert match.id not in kernel.steps.doubts
    assert [update.entry.kind for update in ear.updates] == ["act"]
    await kernel.drain()


async def test_a_match_that_differs_stays_in_doubt_while_it_cannot_be_read(
    store: Store, clock: SetClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The standings of all matches are read at once; then only this one fails to be."""
    here, there = (
        Kernel(store, LocalBus(), all_rules(), policies(), think_here, clock=clock)
        for _ in range(2)
    )
    players = (Player(name="ann"), Player(name="bob"))
    match = await here.seating.start("connect4", players, options=Options(starter=0))
    ear = Ear()
    await here.watching.watch(match.id, ear)
    await there.steps.act(match.id, 0, Drop(3))
    here.steps.doubts.arise(match.id)

    async def unreadable(*_: Any) -> Any:
        raise ValueError("nobody can read this")

    with monkeypatch.context() as broken:
        broken.setattr(queries, "match_by_id", unreadable)
        for _ in range(2):
            await here.keeper.check()
    assert match.id in here.steps.doubts
    assert ear.updates == []
    await here.keeper.check()
    assert [update.entry.kind for update in ear.updates] == ["act"]
    for kernel in (here, there):
        await kernel.drain()


def test_a_doubt_is_settled_by_what_was_read_after_it_arose() -> None:
    doubts = Doubts()
    doubts.arise("match")
    earlier = doubts.of("match")
    doubts.arise("match")
    doubts.settle("match", earlier)
    assert "match" in doubts, "what was read may be older than the second one"
    doubts.settle("match", doubts.of("match"))
    assert "match" not in doubts
    doubts.arise("match")
    doubts.settle("match", None)
    assert "match" in doubts
    doubts.forget("match")
    assert "match" not in doubts
