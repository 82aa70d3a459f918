"""Bots think in processes of their own, and no longer than they may."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import time

import pytest

from parlour.games.api import Dice, Env
from parlour.games.connect4.rules import DROPS, RULES, Options
from parlour.play.thinkers import Job, Thinkers


def job(bot: str = "hard") -> Job:
    state = RULES.setup(Options(starter=0), Env(0, Dice(b"seed", 1)))
    view = RULES.view(state, 0)
    return Job("connect4", bot, None, view, tuple(RULES.legal(view)), b"seed", 1)


def whose(_: Job) -> int:
    return os.getpid()


def slow_if_hard(job: Job) -> int:
    while job.bot == "hard":
        time.sleep(1)
    return os.getpid()


def failing(_: Job) -> None:
    raise LookupError("no idea")


async def test_a_bot_thinks_in_another_process() -> None:
    thinkers = Thinkers(choose=whose, patience_s=60)
    first = await thinkers(job())
    assert first != os.getpid()
    assert await thinkers(job()) == first, "which serves the next one too"
    await thinkers.close()


async def test_a_real_bot_answers_with_a_legal_move() -> None:
    thinkers = Thinkers(patience_s=60)
    assert await thinkers(job("easy")) in DROPS
    await thinkers.close()


async def test_one_that_overruns_is_ended_and_the_next_one_served() -> None:
    thinkers = Thinkers(choose=slow_if_hard, patience_s=20)
    first = await thinkers(job("easy"))
    thinkers.patience_s = 0.1
    with pytest.raises(TimeoutError):
        await thinkers(job("hard"))
    thinkers.patience_s = 20
    assert await thinkers(job("easy")) != first
    await thinkers.close()


async def test_who_closes_while_workers_are_being_made_leaves_none() -> None:
    before = set(multiprocessing.active_children())
    thinkers = Thinkers(choose=whose, patience_s=60)
    asking = asyncio.create_task(thinkers(job()))
    await asyncio.sleep(0)  # it has begun
    asking.cancel()
    await thinkers.close()
    with pytest.raises(asyncio.CancelledError):
        await asking
    await asyncio.get_running_loop().shutdown_default_executor()
    assert set(multiprocessing.active_children()) <= before


async def test_what_a_bot_raises_is_told() -> None:
    thinkers = Thinkers(choose=failing, patience_s=60)
    with pytest.raises(LookupError, match="no idea"):
        await thinkers(job())
    await thinkers.close()


async def test_prepared_workers_take_over_when_they_are_ready() -> None:
    thinkers = Thinkers(choose=whose, patience_s=60, prepare=time.perf_counter)
    first = await thinkers(job())
    assert thinkers.preparing is not None
    await thinkers.preparing
    assert await thinkers(job()) != first
    await thinkers.close()
