"""A hint is for who is to move, and made of what that seat was sent."""

from __future__ import annotations

import pytest

from parlour.games.api import Dice, Env, Refused, Weighed
from parlour.games.connect4.rules import Drop, Options
from parlour.games.registry import all_rules, analyst
from parlour.play.kernel import Kernel
from parlour.play.player import Player
from parlour.play.thinkers import Thinkers
from parlour.play.weighing import Weighing
from tests.play.analyst import OneAhead, analysing
from tests.play.conftest import MakePlayer

BOT = Player(name="Easy", bot="easy")


async def test_a_hint_is_given_to_who_is_to_move(kernel: Kernel, player: MakePlayer) -> None:
    ann = await player("ann")
    match = await kernel.seating.start(
        "connect4", (ann, BOT), options=Options(starter=0), mode="ai"
    )
    with analysing(connect4=OneAhead()):
        hint = await kernel.hints.give(match.id, 0)
        assert (hint.version, hint.action, hint.weighed.exact) == (1, Drop(0), False)
        await kernel.steps.act(match.id, 0, Drop(3))
        with pytest.raises(Refused, match="NOT_YOUR_TURN"):
            await kernel.hints.give(match.id, 0)
        await kernel.takebacks.take_back(match.id, 0)
    with analysing(), pytest.raises(Refused, match="NO_ANALYST"):
        await kernel.hints.give(match.id, 0)


@pytest.mark.skipif(analyst("connect4") is None, reason="nobody weighs its positions")
async def test_a_worker_weighs_what_it_is_sent() -> None:
    rules = all_rules()["connect4"]
    view = rules.view(rules.setup(Options(starter=0), Env(0, Dice(b"", 1))), 0)
    thinkers = Thinkers(1, longest_wait_s=60, overrun_s=60)  # a busy machine has no time for it
    try:
        job = Weighing("connect4", None, view, tuple(rules.legal(view)))
        weighed = await thinkers.ask(job, "ann")
    finally:
        await thinkers.close()
    assert {action for action, _ in weighed.moves} == set(job.legal)


@pytest.mark.parametrize(
    "nonsense",
    [
        None,
        {"value": 2.0, "exact": True, "moves": [], "note": ""},
        {"value": 0.0, "exact": True, "moves": [[2, 0.0]], "note": ""},
        {"value": 0.0, "exact": True, "moves": [[-1, 0.0]], "note": ""},
        {"value": 0.0, "exact": True, "moves": [], "note": "long" * 100},
    ],
)
def test_nonsense_of_a_worker_is_none_of_an_analyst(nonsense: object) -> None:
    job = Weighing("connect4", None, None, (Drop(0), Drop(1)))
    with pytest.raises(ValueError, match=r".+"):
        job.read(nonsense)
    sound = {"value": 0.5, "exact": False, "moves": [[1, 0.5], [0, 0]], "note": "fine"}
    assert job.read(sound) == Weighed(0.5, False, ((Drop(1), 0.5), (Drop(0), 0)), "fine")
