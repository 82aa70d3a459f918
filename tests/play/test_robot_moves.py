"""A bot thinks while it pauses, and moves when its time has come, whatever it thought."""

from __future__ import annotations

import asyncio
import pickle
from typing import Any

import msgspec
import pytest

from parlour.games.connect4.rules import Drop
from parlour.games.giving_up import Resign
from parlour.play import robot_moves, timers
from parlour.play.jobs import Job, choose
from parlour.play.keeper import GRACE_MS
from parlour.play.kernel import Kernel
from parlour.play.match import Match
from parlour.play.player import Player
from parlour.play.thinkers import NoThought
from parlour.store.api import Answer, Store
from parlour.store.change import Change, Unavailable
from tests.play.conftest import Ear, MakeKernel, SetClock, until


class Thinking:
    """Remembers what was asked, and answers once it may."""

    def __init__(self) -> None:
        self.asked: list[Job] = []
        self.given_up = 0
        self.may = asyncio.Event()

    async def __call__(self, job: Job) -> Any:
        self.asked.append(job)
        try:
            await self.may.wait()
        except asyncio.CancelledError:
            self.given_up += 1
            raise
        return choose(job, 0)


async def against_a_bot(kernel: Kernel) -> tuple[Match, Ear]:
    """A game of Connect 4 in which the bot is to begin."""
    options = kernel.runtime.policies["connect4"].options
    players = (Player(name="easy", bot="easy"), Player(name="ann"))
    match = await kernel.seating.start("connect4", players, options=options)
    ear = Ear()
    await kernel.watching.watch(match.id, ear)
    return match, ear


async def test_whoever_has_the_match_knows_that_a_bot_sits_there(make_kernel: MakeKernel) -> None:
    kernel, elsewhere = make_kernel(), make_kernel()
    people = (Player(name="ann"), Player(name="bob"))
    between_people = await kernel.seating.start("connect4", people)
    with_one, _ = await against_a_bot(kernel)
    assert (between_people.with_bot, with_one.with_bot) == (False, True)
    for match in (between_people, with_one):
        loaded = await elsewhere.finder.playable(match.id)
        assert loaded is not None
        assert loaded.match.with_bot == match.with_bot
        called_off = await kernel.seating.call_off(match.id)
        assert called_off.after.with_bot == match.with_bot


async def test_a_bot_thinks_while_it_pauses(make_kernel: MakeKernel, clock: SetClock) -> None:
    thinking = Thinking()
    kernel = make_kernel(think=thinking)
    match, ear = await against_a_bot(kernel)
    assert match.bot_at is not None
    assert match.bot_at > clock()
    thinking.may.set()
    await until(lambda: len(thinking.asked) == 1)
    assert ear.updates == [], "it does not move before its time"
    clock.now = match.bot_at + GRACE_MS
    await kernel.keeper.sweep()
    await ear.heard(1)
    assert len(thinking.asked) == 1, "what it thought of is what it does"


async def test_a_known_move_needs_no_task_and_is_made_after_a_store_that_failed(
    make_kernel: MakeKernel, store: Store, clock: SetClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(robot_moves, "RETRY_S", 0.01)
    kernel = make_kernel()
    lost: list[Change] = []

    def lose(change: Change, answer: Answer) -> bool:
        lost.append(change)
        asyncio.get_running_loop().call_soon(answer, Unavailable("nobody answers"))
        return True

    async def never(*_: Any, **__: Any) -> None:
        raise AssertionError("nothing else is due")

    match, ear = await against_a_bot(kernel)
    assert match.bot_at is not None
    monkeypatch.setattr(kernel.deadlines, "due", never)
    with monkeypatch.context() as broken:
        broken.setattr(store, "submit", lose)
        clock.now = match.bot_at
        await until(lambda: len(lost) == 1)
        assert ear.updates == []
    await ear.heard(1)
    assert [(update.entry.kind, update.entry.seat) for update in ear.updates] == [("act", 0)]


async def test_a_job_is_told_to_a_worker_without_what_follows_from_the_view(
    make_kernel: MakeKernel,
) -> None:
    thinking = Thinking()
    await against_a_bot(make_kernel(think=thinking))
    await until(lambda: len(thinking.asked) == 1)
    (job,) = thinking.asked
    told = pickle.dumps(job)
    assert b"Drop" not in told
    assert b"UNSET" not in told, "by a name that pickle need not look for in every module"
    assert pickle.loads(told) == job  # noqa: S301 (it is ours)
    thinking.may.set()


async def test_what_is_thought_of_a_match_that_moved_on_is_given_up(
    make_kernel: MakeKernel,
) -> None:
    thinking = Thinking()
    kernel = make_kernel(think=thinking)
    match, _ = await against_a_bot(kernel)
    await until(lambda: len(thinking.asked) == 1)
    await kernel.steps.act(match.id, 1, Resign())
    await until(lambda: thinking.given_up == 1)


async def test_a_bot_thinks_and_moves_where_its_opponent_is_connected(
    make_kernel: MakeKernel, clock: SetClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(timers, "BEHIND_S", 60.0)  # however slow this one is
    ours, theirs = Thinking(), Thinking()
    here, there = make_kernel(think=ours), make_kernel(think=theirs)
    match, _ = await against_a_bot(here)
    await here.connections.arrive(match.id, 1, "ann's", lambda: None)
    ear = Ear()
    await there.watching.watch(match.id, ear)
    ours.may.set()
    theirs.may.set()  # lest it waits for ever, should it be asked
    assert match.bot_at is not None
    clock.now = match.bot_at
    await ear.heard(1)
    assert len(ours.asked) == 1
    assert theirs.asked == []


async def test_a_bot_moves_elsewhere_when_that_process_does_not_see_to_it(
    make_kernel: MakeKernel, clock: SetClock
) -> None:
    stuck = Thinking()
    here, there = make_kernel(think=stuck), make_kernel()
    match, _ = await against_a_bot(here)
    await here.connections.arrive(match.id, 1, "ann's", lambda: None)
    ear = Ear()
    await there.watching.watch(match.id, ear)
    assert match.bot_at is not None
    clock.now = match.bot_at
    await ear.heard(1)
    assert [(update.entry.kind, update.entry.seat) for update in ear.updates] == [("act", 0)]
    stuck.may.set()


async def test_thoughts_are_asked_for_in_the_name_of_who_waits(make_kernel: MakeKernel) -> None:
    thinking = Thinking()
    kernel = make_kernel(think=thinking)
    process_id = kernel.runtime.process_id
    ann = Player(name="ann", connection="ann-1", process_id=process_id)
    match = await kernel.seating.start("connect4", (ann, Player(name="easy", bot="easy")))
    await kernel.connections.keep(match.id, 0, "ann-1", lambda: None, "198.51.100.7")
    await kernel.steps.act(match.id, 0, Drop(3))
    await until(lambda: len(thinking.asked) == 1)
    assert thinking.asked[0].whose == "198.51.100.7"


@pytest.mark.parametrize("wrong", [RuntimeError("no idea"), NoThought("failed")])
async def test_a_bot_moves_by_its_plain_level_when_its_thought_fails(
    make_kernel: MakeKernel, clock: SetClock, wrong: Exception
) -> None:
    jobs: list[Job] = []

    async def failing(job: Job) -> Any:
        jobs.append(job)
        raise wrong

    kernel = make_kernel(think=failing)
    match, ear = await against_a_bot(kernel)
    clock.now = (match.bot_at or 0) + GRACE_MS
    await kernel.keeper.sweep()
    await ear.heard(1)
    entry = ear.updates[0].entry
    assert entry.action == msgspec.json.encode(jobs[0].at_once())
