"""What it costs to look after games in which nothing happens.

    python benchmarks/idle.py [--games N] [--rounds N] [--url URL]

Opens games whose seats are held by connections of this process, then measures each periodic task:
the processor time of a round, and the longest pause of the event loop meanwhile. Once as one of
several processes, once alone on the database.
"""

from __future__ import annotations

import argparse
import asyncio
import time
from collections.abc import Awaitable, Callable

from parlour.bus.local import LocalBus
from parlour.games.registry import all_rules
from parlour.play.kernel import Kernel
from parlour.play.player import Player
from parlour.play.policy import Policy
from parlour.play.thinkers import Job
from parlour.store.api import Store, open_store


class JoinedBus(LocalBus):
    """As if others listened."""

    alone = False


async def unthinking(job: Job) -> object:
    raise NotImplementedError(job.bot)


async def longest_pause(work: Awaitable[None]) -> float:
    """How long, at most, the loop could do nothing else while this was done; in seconds."""
    longest = 0.0
    task = asyncio.ensure_future(work)
    while not task.done():
        before = time.perf_counter()
        await asyncio.sleep(0)
        longest = max(longest, time.perf_counter() - before)
    await task
    return longest


async def open_games(kernel: Kernel, count: int) -> None:
    async def one(number: int) -> None:
        players = (
            Player(name="a", connection=f"a{number}", process_id=kernel.runtime.process_id),
            Player(name="b", connection=f"b{number}", process_id=kernel.runtime.process_id),
        )
        match = await kernel.seating.start("quarto", players)
        for seat, player in enumerate(players):
            await kernel.connections.keep(match.id, seat, player.connection or "", lambda: None)

    for start in range(0, count, 250):
        await asyncio.gather(*(one(number) for number in range(start, min(start + 250, count))))


async def measure(store: Store, bus: LocalBus, games: int, rounds: int) -> None:
    rules = all_rules()
    policies = {key: Policy(options=each.options_type()) for key, each in rules.items()}
    kernel = Kernel(store, bus, rules, policies, unthinking)
    await open_games(kernel, games)
    tasks: list[tuple[str, Callable[[], Awaitable[None]]]] = [("check", kernel.keeper.check)]
    if hasattr(kernel.keeper, "reconcile"):
        tasks.append(("reconcile", kernel.keeper.reconcile))
    tasks.append(("sweep", kernel.keeper.sweep))
    for name, task in tasks:
        await task()
        began, processor = time.perf_counter(), time.process_time()
        for _ in range(rounds):
            await task()
        used = (time.process_time() - processor) / rounds
        took = (time.perf_counter() - began) / rounds
        pauses = [await longest_pause(task()) for _ in range(rounds)]
        print(
            f"{'alone' if bus.alone else 'joined':7} {name:10} {used * 1000:8.1f} ms of processor"
            f" {took * 1000:8.1f} ms in all, longest pause {max(pauses) * 1000:7.1f} ms"
        )
    await kernel.drain()


async def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--games", type=int, default=2500)
    options.add_argument("--rounds", type=int, default=10)
    options.add_argument("--url", default="sqlite://")
    chosen = options.parse_args()
    for bus in (JoinedBus(), LocalBus()):
        store = open_store(chosen.url)
        await store.start()
        try:
            await measure(store, bus, chosen.games, chosen.rounds)
        finally:
            await store.close()


if __name__ == "__main__":
    asyncio.run(main())
