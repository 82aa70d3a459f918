"""What is due happens on time, once, and never after the turn moved on."""

from __future__ import annotations

import asyncio

import pytest
from msgspec.structs import replace

from parlour.games.api import Refused
from parlour.games.memory.rules import Flip
from parlour.games.quarto.rules import Select
from parlour.play.clock import wall_clock
from parlour.play.keeper import GRACE_MS
from parlour.play.kernel import Kernel
from parlour.play.match import Match
from parlour.play.player import Player
from parlour.play.thinkers import Job
from parlour.store import queries
from parlour.store.api import Answer, Store
from parlour.store.change import AuditRow, Change, JournalRow, Unavailable
from tests.play.conftest import Ear, MakeKernel, SetClock, policies


async def memory(kernel: Kernel, **options: int) -> Match:
    told = kernel.runtime.policies["memory"].options
    players = (Player(name="ann"), Player(name="bob"))
    return await kernel.seating.start("memory", players, options=replace(told, **options))


async def test_a_deadline_is_met_by_the_process_that_serves_the_match(
    make_kernel: MakeKernel,
) -> None:
    kernel = make_kernel(clock=wall_clock)
    match = await memory(kernel, turn_limit_ms=30)
    ear = Ear()
    await kernel.watching.watch(match.id, ear)
    await asyncio.wait_for(ear.heard(1), 5)
    update = ear.updates[0]
    assert update.entry.kind == "expire"
    assert update.entry.at >= match.state.turn_ends_at
    assert update.after.state.turn == 1 - match.state.turn


async def test_a_deadline_that_was_put_off_is_met_at_its_new_time(
    kernel: Kernel, clock: SetClock
) -> None:
    """Memory: whoever finds a pair has a whole turn again."""
    match, ear = await memory(kernel, turn_limit_ms=30), Ear()
    clock.pass_ms(20)
    cards = [card.pair_id for card in match.state.cards]
    for index in (cards.index(0), cards.index(0, cards.index(0) + 1)):
        match = (await kernel.steps.act(match.id, match.state.turn, Flip(index))).after
    await kernel.watching.watch(match.id, ear)
    clock.pass_ms(20)  # the first deadline has passed, the second has not
    assert clock() < match.state.turn_ends_at
    clock.pass_ms(20)
    await asyncio.wait_for(ear.heard(1), 5)
    assert ear.updates[0].entry.kind == "expire"
    assert ear.updates[0].entry.at >= match.state.turn_ends_at


@pytest.mark.parametrize("landed", [True, False])
async def test_a_deadline_is_met_though_the_store_did_not_answer(
    make_kernel: MakeKernel, store: Store, monkeypatch: pytest.MonkeyPatch, landed: bool
) -> None:
    kernel = make_kernel(clock=wall_clock)
    submit = store.submit

    def lost(change: Change, answer: Answer) -> bool:
        monkeypatch.setattr(store, "submit", submit)
        gone = Unavailable("the answer was lost")
        if landed:
            return submit(change, lambda _: answer(gone))
        asyncio.get_running_loop().call_soon(answer, gone)
        return True

    monkeypatch.setattr(store, "submit", lost)
    match = await memory(kernel, turn_limit_ms=30)
    ear = Ear()
    await kernel.watching.watch(match.id, ear)
    await asyncio.wait_for(ear.heard(1), 5)
    assert [entry.kind for entry in await queries.journal(store, match.id)][:2] == [
        "start",
        "expire",
    ]
    assert ear.updates[0].after.version == match.version + 1


async def test_a_due_deadline_is_stepped_before_what_arrives_after_it(
    kernel: Kernel, clock: SetClock, store: Store
) -> None:
    match = await memory(kernel, turn_limit_ms=1_000)
    clock.pass_ms(1_000)
    with pytest.raises(Refused):
        await kernel.steps.act(match.id, match.state.turn, Flip(0))
    kinds = [entry.kind for entry in await queries.journal(store, match.id)]
    assert kinds == ["start", "expire"], "committed though the flip was refused"
    update = await kernel.steps.act(match.id, 1 - match.state.turn, Flip(0))
    assert update.after.version == 3


async def test_many_processes_step_a_deadline_once(
    make_kernel: MakeKernel, clock: SetClock, store: Store
) -> None:
    kernels = [make_kernel() for _ in range(4)]
    match = await memory(kernels[0], turn_limit_ms=1_000)
    residents = [await kernel.finder.playable(match.id) for kernel in kernels]
    clock.pass_ms(1_500)
    await asyncio.gather(
        *(
            kernel.deadlines.due(resident)
            for kernel, resident in zip(kernels, residents, strict=True)
            if resident
        )
    )
    kinds = [entry.kind for entry in await queries.journal(store, match.id)]
    assert kinds == ["start", "expire"]


async def test_what_comes_with_a_deadline_is_written_with_its_step_and_once(
    kernel: Kernel, clock: SetClock, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = await memory(kernel, turn_limit_ms=1_000)
    resident = await kernel.finder.playable(match.id)
    assert resident is not None
    note = AuditRow(id="note", subject_id="admin:x", type="admin_settle", payload=b"{}", at=0)
    commit, changes = store.commit, list[Change]()

    async def spied(change: Change) -> None:
        changes.append(change)
        await commit(change)

    monkeypatch.setattr(store, "commit", spied)
    clock.pass_ms(2_500)
    await kernel.deadlines.due(resident, lambda _: (note,))
    with_note = [change for change in changes if note in change.writes]
    assert len(with_note) == 1
    entries = [write for write in with_note[0].writes if isinstance(write, JournalRow)]
    assert [entry.kind for entry in entries] == ["expire"]


async def test_a_stale_look_at_the_clock_does_not_end_a_turn_that_moved_on(
    make_kernel: MakeKernel, clock: SetClock, store: Store
) -> None:
    here, there = make_kernel(), make_kernel()
    match = await memory(here, turn_limit_ms=1_000, reveal_ms=100)
    stale = await there.finder.playable(match.id)
    assert stale is not None
    there.runtime.bus.cut = True  # type: ignore[attr-defined]  # the hub's own switch
    turn = match.state.turn
    pairs: dict[int, list[int]] = {}
    for index, card in enumerate(match.state.cards):
        pairs.setdefault(card.pair_id, []).append(index)
    clock.pass_ms(900)
    for index in pairs[5]:  # a match: the turn's clock begins anew
        await here.steps.act(match.id, turn, Flip(index))
    clock.pass_ms(200)
    await there.deadlines.due(stale)
    after = await there.finder.find(match.id)
    assert after is not None
    assert after.state.turn == turn
    assert [entry.kind for entry in await queries.journal(store, match.id)][-1] == "act"


async def test_the_sweep_finds_what_no_timer_waits_for(
    make_kernel: MakeKernel, clock: SetClock
) -> None:
    before = make_kernel()
    match = await memory(before, turn_limit_ms=1_000)
    await before.drain()
    clock.pass_ms(5_000)
    after_restart = make_kernel()
    await after_restart.keeper.sweep()
    found = await after_restart.finder.find(match.id)
    assert found is not None
    assert found.state.turn == 1 - match.state.turn


async def test_a_bot_plays_through_the_same_door_and_survives_a_restart(
    make_kernel: MakeKernel, clock: SetClock, store: Store
) -> None:
    jobs: list[Job] = []
    over = asyncio.Event()

    async def too_late(job: Job) -> object:
        jobs.append(job)
        await over.wait()
        raise RuntimeError

    before = make_kernel(think=too_late)
    match = await before.seating.start(
        "memory", (Player(name="ann"), Player(name="Thalia", bot="Thalia"))
    )
    while (now := await before.finder.find(match.id)) and now.state.turn == 0:
        clock.pass_ms(60_000)
        await before.keeper.sweep()
    assert now is not None
    assert now.bot_at is not None
    clock.now = max(clock.now, now.bot_at + GRACE_MS)
    after_restart = make_kernel()
    ear = Ear()
    await after_restart.watching.watch(match.id, ear)
    await after_restart.keeper.sweep()
    await asyncio.wait_for(ear.heard(1), 5)
    over.set()
    entry = ear.updates[0].entry
    assert (entry.kind, entry.seat) == ("act", 1)
    for job in jobs:
        assert all(card.pair_id is None for card in job.view.cards if card.state == "hidden")


async def test_coming_and_going_does_not_put_off_the_move_of_a_bot(
    kernel: Kernel, clock: SetClock
) -> None:
    process_id = kernel.runtime.process_id
    ann = Player(name="ann", connection="ann-1", process_id=process_id)
    match = await kernel.seating.start("quarto", (Player(name="easy", bot="easy"), ann), mode="ai")
    if match.bot_at is None:
        await kernel.steps.act(match.id, 1, Select(0))
    waiting = await kernel.finder.find(match.id)
    assert waiting is not None
    clock.pass_ms(1)
    await kernel.connections.depart(match.id, 1, "ann-1")
    clock.pass_ms(1)
    await kernel.connections.arrive(match.id, 1, "ann-2", lambda: None)
    after = await kernel.finder.find(match.id)
    assert after is not None
    assert after.version == waiting.version + 2
    assert after.bot_at == waiting.bot_at is not None


async def test_a_bot_that_fails_to_choose_moves_all_the_same(
    make_kernel: MakeKernel, clock: SetClock
) -> None:
    async def broken(job: Job) -> object:
        raise RuntimeError(job.bot)

    kernel = make_kernel(think=broken)
    options = kernel.runtime.policies["connect4"].options
    match = await kernel.seating.start(
        "connect4", (Player(name="easy", bot="easy"), Player(name="ann")), options=options
    )
    assert match.bot_at is not None
    ear = Ear()
    await kernel.watching.watch(match.id, ear)
    clock.now = match.bot_at + GRACE_MS
    await kernel.keeper.sweep()
    await asyncio.wait_for(ear.heard(1), 5)
    assert ear.updates[0].entry.seat == 0


async def test_a_bot_that_thinks_does_not_keep_a_deserted_match_alive(
    make_kernel: MakeKernel, clock: SetClock
) -> None:
    """Nor does the match ask for its deadline over and over until the bot has moved."""
    games = policies()
    options = replace(games["quarto"].options, first=1)
    games["quarto"] = replace(games["quarto"], options=options, active_ttl_ms=60_000)
    never: asyncio.Future[object] = asyncio.get_running_loop().create_future()

    async def ponder(_: Job) -> object:
        return await never

    kernel = make_kernel(policies=games, think=ponder)
    players = (Player(name="ann"), Player(name="easy", bot="easy"))
    match = await kernel.seating.start("quarto", players, mode="ai")
    resident = await kernel.finder.playable(match.id)
    assert resident is not None
    assert match.bot_at is not None
    ear = Ear()
    await kernel.watching.watch(match.id, ear)
    clock.pass_ms(120_000)
    await kernel.deadlines.due(resident)
    try:
        await asyncio.wait_for(ear.heard(1), 5)
        assert ear.updates[0].after.status == "expired"
        assert resident.armed_at is None
    finally:
        never.cancel()


async def test_a_match_that_its_rules_wait_for_keeps_its_timer_though_nobody_asks_for_it(
    kernel: Kernel, clock: SetClock
) -> None:
    timed = await memory(kernel, turn_limit_ms=600_000)
    untimed = await kernel.seating.start("quarto", (Player(name="ann"), Player(name="bob")))
    clock.pass_ms(300_000)
    await kernel.keeper.tidy()
    resident = kernel.residents.by_id.get(timed.id)
    assert resident is not None
    assert resident.timer is not None
    assert kernel.residents.by_id.get(untimed.id) is None
