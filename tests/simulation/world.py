"""A few processes, some people and one database, from one seed."""

from __future__ import annotations

import asyncio
import gc
from collections import Counter
from collections.abc import Callable, Mapping
from contextvars import copy_context
from functools import cache
from hashlib import blake2b
from random import Random
from typing import Any

from parlour.app import assemble, surfaces
from parlour.bus.api import Bus
from parlour.bus.local import LocalBus
from parlour.games.registry import AnyRules, all_rules
from parlour.settings import Settings
from parlour.store.api import Store
from tests.simulation.audit.auditor import Auditor, Terms
from tests.simulation.audit.books import Books, Broken
from tests.simulation.bus import Hub, HubBus
from tests.simulation.chance import START_MS, seeded
from tests.simulation.complaints import Complaints
from tests.simulation.crowd import Crowd
from tests.simulation.disk import Disk, DiskStore
from tests.simulation.line import Line
from tests.simulation.loop import FakeTimeLoop
from tests.simulation.mischief import Mischief
from tests.simulation.people import Person
from tests.simulation.plan import Plan, plan_of
from tests.simulation.postgres import JumpingLoop, WatchedPostgres, read_books
from tests.simulation.process import LONGEST_S, Process, policy_of
from tests.simulation.pubsub import Redis

SETTLE_S = 10.0
"""After the last fault: by then everybody who still listens has heard of everything."""

LATE_S = 8.0
"""How late a broken line is noticed."""

LEASE_S = 10.0
"""How late a process is known to be dead."""

QUIET_S = LATE_S + LEASE_S + LONGEST_S + 10.0
"""Then nobody is there any more, and after this there is nothing left to wait for."""


TOLD_WITHIN_S = 1.0
"""How soon whoever listens has heard of what is durable, once nothing goes wrong any more."""


class World:
    """Everything in one simulation."""

    def __init__(
        self,
        plan: Plan,
        random: Random,
        rules: Mapping[str, AnyRules],
        postgres_url: str | None = None,
    ) -> None:
        self.plan = plan
        self.postgres_url = postgres_url
        """Where the database is, if it is a real one."""
        self.random = random
        self.rules = rules
        self.policies = {key: policy_of(key, each) for key, each in rules.items()}
        self.context = copy_context()
        """Whatever belongs to no process."""
        self.tally: Counter[str] = Counter()
        self._loop = asyncio.get_running_loop()
        self.disk = Disk(random, plan.faults, self.tally, far=plan.networked)
        self.redis = Redis(random, self.tally)
        self._hub = Hub(random, drop=plan.drop, repeat=plan.repeat)
        self.auditor = Auditor(
            {
                key: Terms(sole=self.policies[key].sole, rating=each.rating)
                for key, each in rules.items()
            }
        )
        self.processes: list[Process] = []
        self.people: list[Person] = []
        self.lines: list[Line] = []
        self._offers: dict[str, list[str]] = {}
        self.by_kernel = {game for game in rules if random.random() < 0.2}
        """Games that everybody plays through the kernel here, not by a surface."""
        self.cut = plan.cut
        self.suspicious = plan.suspicious
        self.over = False
        self.closed = False
        """No process is started for a while."""

    # --- what its parts ask for -------------------------------------------------------------

    def clock(self) -> int:
        return START_MS + int(self._loop.time() * 1000)

    def loop_call_later(self, seconds: float, callback: Callable[..., object], *args: Any) -> None:
        """Something that happens whatever becomes of the processes."""
        self._loop.call_later(seconds, callback, *args, context=self.context)

    def new_store(self, process: Process) -> Store:
        if self.postgres_url is not None:
            return WatchedPostgres(self.postgres_url, self.disk, process, process.die)
        return DiskStore(self.disk, process.die)

    def new_bus(self) -> Bus:
        if self.plan.bus == "redis":
            return self.redis.bus()
        return self._hub.bus() if self.plan.bus == "any" else LocalBus()

    def offers(self, what: str) -> list[str]:
        """What people tell each other: codes, rooms and invitations."""
        return self._offers.setdefault(what, [])

    def known_users(self) -> list[str]:
        """Those who have ever signed in."""
        return [person.known.id for person in self.people if person.known is not None]

    def any_process(self) -> Process | None:
        """Wherever a request happens to land."""
        ready = [process for process in self.processes if process.ready and process.alive]
        return self.random.choice(ready) if ready else None

    def died(self, process: Process) -> None:
        """A process is gone, and its end of everything."""
        self.tally["death"] += 1
        self.redis.forget(process)
        if isinstance(process.bus, HubBus):
            process.bus.cut = True
        if isinstance(process.store, WatchedPostgres):
            process.store.cut_off()

    async def start_process(self) -> Process:
        process = Process(self, len(self.processes))
        self.processes.append(process)
        await process.start()
        return process

    # --- a run ------------------------------------------------------------------------------

    async def run(self) -> None:
        """Play while things go wrong; then peace, or one last blow and a recovery."""
        for _ in range(self.plan.processes):
            await self.start_process()
        mischief = Mischief(self)
        keeping = asyncio.create_task(mischief.keep_running())
        pranks = asyncio.create_task(mischief.play_pranks())
        self.people = [Person(self, f"person{n}") for n in range(self.plan.people)]
        living = [asyncio.create_task(person.live()) for person in self.people]
        if self.plan.kind == "crowd":
            living.append(asyncio.create_task(Crowd(self).come()))
        await asyncio.sleep(self.plan.play_s)
        pranks.cancel()
        if self.plan.to_the_end:
            keeping.cancel()
            await self._end_everything(living)
        else:
            await self._calm_down(mischief)
            await self._send_home(living)
        await asyncio.sleep(QUIET_S)
        keeping.cancel()

    async def _calm_down(self, mischief: Mischief) -> None:
        self.over = True
        self.cut = 0
        self.plan.faults.end()
        self._hub.drop = 0
        mischief.end()
        await asyncio.sleep(SETTLE_S)
        books, listening = await self.books(), [line for line in self.lines if line.code is None]
        await asyncio.sleep(
            TOLD_WITHIN_S
        )  # some play on, and what is durable is told a moment later
        # What has come to somebody who does not look was told, and is not known.
        reading = [line for line in listening if line.code is None and not line.unread]
        self.tally["lines to the last"] += self.auditor.up_to_date(books, reading)

    async def _end_everything(self, living: list[asyncio.Task[None]]) -> None:
        """All processes die at one instant; some time later one is started."""
        self.over = True
        for process in self.processes:
            process.die()
        self.redis.away = False
        self.plan.faults.end()
        await self._send_home(living)
        await asyncio.sleep(self.random.choice((0.0, 5.0, 15.0)))
        await self.start_process()

    async def _send_home(self, living: list[asyncio.Task[None]]) -> None:
        """Nobody plays any more; what they raised meanwhile is raised here."""
        for task in living:
            task.cancel()
        for result in await asyncio.gather(*living, return_exceptions=True):
            if isinstance(result, Exception):
                raise result
        for line in self.lines:
            line.hang_up()

    # --- the verdict ------------------------------------------------------------------------

    async def books(self) -> Books:
        """All that is stored."""
        if self.postgres_url is not None:
            return await read_books(self.postgres_url)
        return Books.of_sqlite(self.disk.connection)

    async def verdict(self) -> Counter[str]:
        """What was done and checked, or `Broken`."""
        alive = [process for process in self.processes if process.alive]
        for process in alive:
            if process.unanswered(QUIET_S):
                raise Broken(f"process {process.number} never answered a request")
        ids = {process.kernel.runtime.process_id for process in alive}
        found = self.auditor.verdict(await self.books(), self.clock(), ids)
        self.tally.update(found)
        self.tally["processes"] = len(self.processes)
        return self.tally


def simulate(
    seed: int,
    rules: Mapping[str, AnyRules] | None = None,
    plan: Plan | None = None,
    postgres_url: str | None = None,
    *,
    tidy: bool = True,
) -> Counter[str]:
    """Run one seed to its verdict; what was done and checked, or `Broken`.

    `tidy` is for processes that live on: what a seed leaves behind is ended and found.
    """
    loop = FakeTimeLoop() if postgres_url is None else JumpingLoop()
    calm = (plan or plan_of(seed)).kind == "calm"
    _load()
    gc.disable()

    async def run() -> Counter[str]:
        world = World(plan or plan_of(seed), random, rules or all_rules(), postgres_url)
        complaints = Complaints(loop.complaints, world.tally, calm=calm)
        complaints.listen()
        try:
            await world.run()
            if loop.complaints:
                raise Broken(loop.complaints[0])
            tally = await world.verdict()
        finally:
            complaints.stop_listening()
            if tidy:
                await _end(world)
        return tally

    try:
        with seeded(seed, loop.time) as random:
            return loop.run_until_complete(run())
    finally:
        loop.close()
        if tidy:
            gc.collect()
            gc.enable()


@cache
def _load() -> None:
    """What a process loads when it starts, for that draws chance, and only the first one does."""
    surfaces(assemble(Settings(database_url="sqlite://")))
    gc.freeze()  # it stays, so that what is left of a seed is soon found


async def _end(world: World) -> None:
    """What dead processes had begun hangs for ever, and may begin more when it is cancelled."""
    loop = asyncio.get_running_loop()
    assert isinstance(loop, FakeTimeLoop | JumpingLoop)
    for process in world.processes:
        loop.go_on(process)
        if isinstance(process.store, WatchedPostgres):
            process.store.cut_off()
            await asyncio.sleep(0.1)
    while others := asyncio.all_tasks() - {asyncio.current_task()}:
        for task in others:
            task.cancel()
        await asyncio.wait(others, timeout=1)  # who cleans up may wait again, and for ever
    world.disk.close()


def digest(tally: Counter[str]) -> str:
    """The same for the same run."""
    return blake2b(repr(sorted(tally.items())).encode(), digest_size=8).hexdigest()
