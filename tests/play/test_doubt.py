"""A step whose commit the store could not vouch for is looked at again, also by who is alone."""

from __future__ import annotations

from typing import Any

import pytest

from parlour.bus.local import LocalBus
from parlour.games.connect4.rules import Drop, Options
from parlour.games.registry import all_rules
from parlour.play.kernel import Kernel
from parlour.play.player import Player
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
    await kernel.keeper.check()
    assert [update.entry.kind for update in ear.updates] == ["act"]
    await kernel.drain()
