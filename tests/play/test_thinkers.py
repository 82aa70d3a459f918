"""Bots think in processes of their own, no longer than they may, and whatever becomes of those."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from parlour.games.api import Dice, Env
from parlour.games.connect4.rules import DROPS, RULES, Options
from parlour.play.jobs import Job
from parlour.play.thinkers import NoThought, Thinkers
from tests.garbage import no_garbage
from tests.play.conftest import until
from tests.play.thoughts import Absorbed, Dying, Held, Lying, Raising, Stubborn, Whose, unprepared

PATIENT = 60.0
"""Longer than any machine takes: what is waited for here comes about."""


def job(bot: str = "easy", kind: type[Job] = Job) -> Job:
    state = RULES.setup(Options(starter=0), Env(0, Dice(b"seed", 1)))
    view = RULES.view(state, 0)
    return kind("connect4", bot, None, view, tuple(RULES.legal(view)), b"seed", 1)


def running(pid: int) -> bool:
    with suppress(ProcessLookupError):
        os.kill(pid, 0)
        return True
    return False


@asynccontextmanager
async def thinking(workers: int = 1, **settings: Any) -> AsyncIterator[Thinkers]:
    """Workers that are all gone afterwards."""
    thinkers = Thinkers(workers, **{"longest_wait_s": PATIENT, "overrun_s": PATIENT} | settings)
    try:
        yield thinkers
    finally:
        pids = thinkers.pids
        await thinkers.close()
        assert not any(map(running, pids))


async def begun(file: Path) -> int:
    """Which process has begun to think there."""
    mark = file.with_suffix(".begun")
    await until(lambda: mark.exists() and bool(mark.read_text()))
    return int(await asyncio.to_thread(mark.read_text))


async def held_up(thinkers: Thinkers, file: Path, whose: str = "ann") -> asyncio.Task[Any]:
    """Somebody's thought, which ends when there is such a file."""
    held = asyncio.create_task(thinkers.ask(Held(str(file)), whose))
    await begun(file)
    return held


async def test_a_bot_thinks_in_another_process() -> None:
    async with thinking() as thinkers:
        first, _ = await thinkers.ask(Whose(), "ann")
        assert first != os.getpid()
        assert (await thinkers.ask(Whose(), "ann"))[0] == first, "which serves the next one too"


async def test_who_is_absorbed_in_a_thought_gives_way_all_the_same() -> None:
    async with thinking() as thinkers:
        pid, every_s = await thinkers.ask(Absorbed(), "ann")
        assert 0 < every_s < 0.001
        assert await thinkers.ask(Absorbed(), "ann") == (pid, every_s), "and it survives that"


async def test_a_real_bot_answers_with_a_legal_move() -> None:
    async with thinking() as thinkers:
        assert await thinkers(job()) in DROPS
        assert thinkers.tally.thoughts == 1
        assert thinkers.tally.without.total() == 0


@pytest.mark.parametrize(
    ("bad", "why"),
    [
        (Dying(), "died"),
        (Stubborn(), "hung"),
        (Raising(), "raised"),
        (job(kind=Lying), "nonsense"),
    ],
    ids=["died", "hung", "raised", "nonsense"],
)
async def test_a_worker_that_fails_is_replaced_alone(tmp_path: Path, bad: Any, why: str) -> None:
    async with thinking(2) as thinkers:
        file = tmp_path / "go"
        held = asyncio.create_task(thinkers.ask(Held(str(file)), "ann"))
        other = await begun(file)
        thinkers._overrun_s = 0.1 if why == "hung" else PATIENT
        with pytest.raises(NoThought, match="failed"):
            await thinkers.ask(bad, "bob")
        thinkers._overrun_s = PATIENT
        assert thinkers.tally.replaced == {why: 1}
        next_one, _ = await thinkers.ask(Whose(), "bob")
        assert next_one != other
        file.touch()
        assert (await held)[0] == other, "the other one thinks on"


async def test_one_that_is_killed_while_idle_costs_nobody_a_thought() -> None:
    async with thinking() as thinkers:
        first, _ = await thinkers.ask(Whose(), "ann")
        os.kill(first, signal.SIGKILL)
        await until(lambda: all(each.failed for each in thinkers._idle))
        second, _ = await thinkers.ask(Whose(), "ann")
        assert second != first
        assert thinkers.tally.replaced == {"died": 1}


@pytest.mark.parametrize(
    "program",
    ["print('no use')", "import os; os.write(0, b'x' * 100_000); input()", "import nothing"],
    ids=["ends", "babbles", "broken"],
)
async def test_where_no_worker_can_be_had_nobody_waits_for_one(program: str) -> None:
    async with thinking(command=(sys.executable, "-c", program)) as thinkers:
        for _ in range(3):
            with pytest.raises(NoThought, match="no workers"):
                await thinkers(job())
        assert thinkers.tally.without == {"no workers": 3}
        assert job().at_once() in DROPS


async def test_thoughts_are_had_in_turn(tmp_path: Path) -> None:
    """However many games one plays, another's is thought about next but one."""
    async with thinking() as thinkers:
        file = tmp_path / "go"
        held = await held_up(thinkers, file, "greedy")
        order: list[str] = []

        async def ask(whose: str) -> None:
            await thinkers.ask(Whose(), whose)
            order.append(whose)

        asking = [asyncio.create_task(ask("greedy")) for _ in range(30)]
        await asyncio.sleep(0)
        asking.append(asyncio.create_task(ask("ann")))
        await asyncio.sleep(0)
        file.touch()
        await asyncio.gather(held, *asking)
        assert order.index("ann") <= 1


async def test_the_more_wait_the_shorter_the_thought(tmp_path: Path) -> None:
    async with thinking() as thinkers:
        _, alone = await thinkers.ask(Whose(), "ann")
        assert alone <= 0.35
        file = tmp_path / "go"
        held = await held_up(thinkers, file)
        asking = [asyncio.create_task(thinkers.ask(Whose(), f"visitor {n}")) for n in range(20)]
        await asyncio.sleep(0)
        file.touch()
        times = [had for _, had in await asyncio.gather(*asking)]
        await held
        assert times[0] <= 1 / 20, "so that all have had their turn within a second"
        assert max(times) <= 0.35


async def test_who_waited_too_long_moves_without_a_thought(tmp_path: Path) -> None:
    async with thinking() as thinkers:
        file = tmp_path / "go"
        held = await held_up(thinkers, file)
        thinkers._longest_wait_s = 0.01
        with pytest.raises(NoThought, match="waited"):
            await thinkers(job())
        assert thinkers.tally.without == {"waited": 1}
        assert thinkers.waiting == 0
        file.touch()
        assert (await held)[1] <= 0.35, "what is being thought about is not given up"


async def test_a_thought_that_there_will_not_be_leaves_no_garbage(tmp_path: Path) -> None:
    async with thinking() as thinkers:
        file = tmp_path / "go"
        held = await held_up(thinkers, file)
        thinkers._longest_wait_s = 0.01
        with no_garbage(Job, NoThought):
            with suppress(NoThought):
                await thinkers(job())
            assert thinkers.tally.without == {"waited": 1}
        file.touch()
        await held


async def test_who_has_waited_thinks_less(tmp_path: Path) -> None:
    async with thinking(longest_wait_s=10 * PATIENT, budget_s=10 * PATIENT) as thinkers:
        file = tmp_path / "go"
        held = await held_up(thinkers, file)
        late = asyncio.create_task(thinkers.ask(Whose(), "bob"))
        await asyncio.sleep(0)
        thinkers._longest_wait_s = 0.000_001  # a moment is as long as anybody may wait
        file.touch()
        await held
        assert (await late)[1] <= 0


async def test_no_more_wait_than_there_is_room_for(tmp_path: Path) -> None:
    async with thinking() as thinkers:
        file = tmp_path / "go"
        held = await held_up(thinkers, file)
        asking = [asyncio.create_task(thinkers(job())) for _ in range(500)]
        await asyncio.sleep(0)
        assert thinkers.waiting < 100
        file.touch()
        answers = await asyncio.gather(*asking, return_exceptions=True)
        await held
        moves = [each for each in answers if each in DROPS]
        assert thinkers.tally.without == {"full": 500 - len(moves)}
        assert 0 < len(moves) < 100


async def test_who_no_longer_wants_to_know_waits_no_more(tmp_path: Path) -> None:
    async with thinking() as thinkers:
        file = tmp_path / "go"
        held = await held_up(thinkers, file)
        asking = asyncio.create_task(thinkers(job()))
        await asyncio.sleep(0)
        assert thinkers.waiting == 1
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking
        assert thinkers.waiting == 0
        file.touch()
        await held


async def test_who_closes_leaves_nobody_waiting_and_nothing_running(tmp_path: Path) -> None:
    file = tmp_path / "never"
    async with thinking(2) as thinkers:
        asking = [asyncio.create_task(thinkers.ask(Held(str(file)), "ann")) for _ in range(5)]
        await begun(file)
        assert thinkers.pids
    assert {str(each) for each in await asyncio.gather(*asking, return_exceptions=True)} == {
        "closed"
    }
    with pytest.raises(NoThought, match="closed"):
        await thinkers(job())


async def test_who_closes_while_workers_are_being_started_leaves_none() -> None:
    before = children()
    async with thinking(2) as thinkers:
        asking = [asyncio.create_task(thinkers(job())) for _ in range(2)]
        await until(lambda: bool(children() - before))
    await asyncio.gather(*asking, return_exceptions=True)
    assert not children() - before


def children() -> set[int]:
    """The processes that this one has started and not seen the end of."""
    listed = Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()
    return set(map(int, listed))


async def test_prepared_workers_take_over_when_they_are_ready() -> None:
    async with thinking(prepare=time.perf_counter) as thinkers:
        first, _ = await thinkers.ask(Whose(), "ann")
        await until(lambda: first not in thinkers.pids)
        assert (await thinkers.ask(Whose(), "ann"))[0] != first
        await until(lambda: not running(first))
        assert len(thinkers.pids) == 1


async def test_where_none_can_prepare_itself_the_first_think_on() -> None:
    async with thinking(prepare=unprepared) as thinkers:
        first, _ = await thinkers.ask(Whose(), "ann")
        await until(lambda: thinkers.tally.replaced.total() == 1)
        assert (await thinkers.ask(Whose(), "ann"))[0] == first
