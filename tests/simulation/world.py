"""A few processes, a handful of players and one disk, from one seed."""

from __future__ import annotations

import asyncio
from random import Random
from typing import Any

from parlour.games.registry import all_rules
from parlour.money.wallets import open_wallet
from parlour.play.kernel import Kernel
from parlour.play.policy import Policy
from parlour.play.robots import Job, choose
from parlour.store.change import Change, UserRow
from tests.simulation.auditor import Auditor
from tests.simulation.bus import Hub
from tests.simulation.disk import Disk, DiskStore, Faults
from tests.simulation.loop import FakeTimeLoop
from tests.simulation.players import Person

START_MS = 1_800_000_000_000
PLAY_S = 240.0
"""How long the players go at it while things fail."""

QUIET_S = 150.0
"""How long nothing fails before the books are checked: longer than every deadline below."""

TTL_MS = 100_000
RECONNECT_MS = 30_000


def policies() -> dict[str, Policy]:
    """The four games as they are served, so that every way to sit down is used."""
    options = {key: rules.options_type for key, rules in all_rules().items()}
    return {
        "connect4": Policy(
            options=options["connect4"](),
            sole=True,
            waiting_ttl_ms=TTL_MS,
            active_ttl_ms=TTL_MS,
        ),
        "memory": Policy(
            options=options["memory"](reconnect_ms=RECONNECT_MS, turn_limit_ms=10_000),
            sole=True,
            held=True,
            order="uniform",
            active_ttl_ms=TTL_MS,
            bot_after_ms=15_000,
            bots=("Mnemosyne", "Thalia"),
            rated_bots=True,
        ),
        "quarto": Policy(
            options=options["quarto"](reconnect_ms=RECONNECT_MS),
            held=True,
            waiting_ttl_ms=TTL_MS,
            active_ttl_ms=TTL_MS,
            finished_ttl_ms=TTL_MS,
        ),
        "connect_five": Policy(
            options=options["connect_five"](),
            challenged=lambda challenge: options["connect_five"](
                time_limit_ms=challenge.time_limit_seconds * 1000,
                stake=challenge.stake_amount,
                max_spend=challenge.max_spend_amount,
            ),
        ),
    }


async def think_here(job: Job) -> Any:
    return choose(job)


class Process:
    """One server process: a kernel, until it crashes."""

    def __init__(self, world: World, number: int) -> None:
        self.number = number
        self.store = DiskStore(world.disk)
        self.bus = world.hub.bus(alone=world.size == 1)
        self.kernel = Kernel(
            self.store,
            self.bus,
            all_rules(),
            policies(),
            think_here,
            clock=world.clock,
            entropy=world.random.randbytes,
            analytics=True,
        )

    @property
    def alive(self) -> bool:
        return not self.store.crashed

    def stop_hearing(self) -> None:
        self.bus.cut = True


class World:
    """Everything in one simulation."""

    def __init__(self, seed: int, loop: FakeTimeLoop) -> None:
        self.random = Random(seed)
        self._loop = loop
        self.faults = Faults(
            crash=self.random.choice((0, 0.001, 0.004)),
            failure=self.random.choice((0, 0.01, 0.05)),
            lost_answer=self.random.choice((0, 0.01, 0.05)),
        )
        self.disk = Disk(self.random, self.faults)
        self.hub = Hub(
            self.random,
            drop=self.random.choice((0, 0.1, 0.5, 1)),
            repeat=self.random.choice((0, 0.1, 0.5)),
        )
        self.size = self.random.randint(1, 3)
        """How many processes there are at a time."""
        self.auditor = Auditor(self.disk.connection)
        self.processes: list[Process] = []
        self.rooms: list[str] = []
        self.over = False

    def clock(self) -> int:
        return START_MS + int(self._loop.time() * 1000)

    async def run(self) -> dict[str, int]:
        """Play, with faults; then peace; then the verdict."""
        for number in range(self.size):
            await self._start(number)
        people = [await self._person(n) for n in range(self.random.randint(3, 6))]
        tasks = [asyncio.create_task(person.live()) for person in people]
        watchman = asyncio.create_task(self._restart_crashed())
        await asyncio.sleep(PLAY_S)
        self.over = True
        self.faults.crash = self.faults.failure = self.faults.lost_answer = 0
        self.hub.drop = 0
        await asyncio.sleep(60)
        for task in (watchman, *tasks):
            task.cancel()
        results = await asyncio.gather(watchman, *tasks, return_exceptions=True)
        await asyncio.sleep(QUIET_S)
        for process in self.processes:
            await process.kernel.keeper.stop()
        for result in results:
            if isinstance(result, BaseException) and not isinstance(result, asyncio.CancelledError):
                raise result
        alive = {each.kernel.play.process_id for each in self.processes if each.alive}
        return self.auditor.verdict(self.clock(), alive) | {"processes": len(self.processes)}

    async def _start(self, number: int) -> Process:
        process = Process(self, number)
        self.processes.append(process)
        process.kernel.keeper.start()
        return process

    async def _restart_crashed(self) -> None:
        """Where a process crashed, a new one starts a while later."""
        replaced: set[int] = set()
        while True:
            await asyncio.sleep(self.random.uniform(1, 20))
            for process in tuple(self.processes):
                if not process.alive and process.number not in replaced:
                    replaced.add(process.number)
                    process.stop_hearing()
                    await process.kernel.keeper.stop()
                    await self._start(len(self.processes))

    async def _person(self, number: int) -> Person:
        now = self.clock()
        name = f"person{number}"
        user = UserRow(
            id=f"user-{name}", subject=name, username=name, created_at=now, updated_at=now
        )
        calm = DiskStore(Disk.__new__(Disk))
        calm._disk = self.disk
        crash, self.disk.faults = self.disk.faults, Faults()
        await calm.commit(Change((user,)))
        await open_wallet(calm, user.id, 1000, now)
        self.disk.faults = crash
        return Person(self, user)

    def any_process(self) -> Process | None:
        """Wherever a request happens to land."""
        alive = [process for process in self.processes if process.alive]
        return self.random.choice(alive) if alive else None


def simulate(seed: int) -> dict[str, int]:
    """Run one seed to its verdict."""

    async def run() -> dict[str, int]:
        loop = asyncio.get_running_loop()
        assert isinstance(loop, FakeTimeLoop)
        world = World(seed, loop)
        try:
            return await world.run()
        finally:
            await _cancel_the_rest()
            world.disk.connection.close()

    with asyncio.Runner(loop_factory=FakeTimeLoop) as runner:
        return runner.run(run())


async def _cancel_the_rest() -> None:
    """What crashed processes had begun hangs for ever, and may begin more when it is cancelled."""
    while others := asyncio.all_tasks() - {asyncio.current_task()}:
        for task in others:
            task.cancel()
        await asyncio.wait(others)
