"""Kernels for the tests of play: real stores, a clock that can be moved, several processes."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import pytest

from parlour.games.registry import all_rules
from parlour.play.kernel import Kernel
from parlour.play.match import Match, Update
from parlour.play.player import Player
from parlour.play.policy import Policy
from parlour.play.thinkers import Job, choose
from parlour.store.api import Store
from parlour.store.change import Change, Unavailable, UserRow, Write
from tests.simulation.bus import Hub

RENEWED_MS = 3_000


class SetClock:
    """Stands still until it is moved."""

    def __init__(self, now: int = 1_800_000_000_000) -> None:
        self.now = now

    def __call__(self) -> int:
        return self.now

    def pass_ms(self, span: int) -> None:
        self.now += span


class Ear:
    """A watcher that remembers what it heard."""

    def __init__(self) -> None:
        self.updates: list[Update] = []
        self.here: list[tuple[bool, bool]] = []
        self._more = asyncio.Event()

    def moved(self, update: Update) -> None:
        self.updates.append(update)
        self._more.set()

    def presence(self, match: Match, here: tuple[bool, bool]) -> None:  # noqa: ARG002 (a Watcher)
        self.here.append(here)
        self._more.set()

    async def heard(self, count: int) -> None:
        """Until so many steps were heard of."""
        while len(self.updates) < count:
            self._more.clear()
            await self._more.wait()

    async def told(self, count: int) -> None:
        """Until it was told so often who is here."""
        while len(self.here) < count:
            self._more.clear()
            await self._more.wait()

    @property
    def versions(self) -> list[int]:
        return [update.after.version for update in self.updates]


async def think_here(job: Job) -> Any:
    return choose(job)


def policies() -> dict[str, Policy]:
    """As the games are played, without their surfaces."""
    made = {key: Policy(options=rules.options_type()) for key, rules in all_rules().items()}
    made["connect4"] = Policy(
        options=all_rules()["connect4"].options_type(starter=0),
        sole=True,
        waiting_ttl_ms=900_000,
        active_ttl_ms=86_400_000,
    )
    made["memory"] = Policy(options=all_rules()["memory"].options_type(), sole=True, held=True)
    return made


MakeKernel = Callable[..., Kernel]


@pytest.fixture
def clock() -> SetClock:
    return SetClock()


@pytest.fixture
async def make_kernel(store: Store, clock: SetClock) -> AsyncIterator[MakeKernel]:
    """One process after another on the same store, joined by a bus that loses nothing."""
    hub = Hub()
    kernels: list[Kernel] = []

    def make(**settings: Any) -> Kernel:
        settings = {"clock": clock, **settings}
        games = settings.pop("policies", policies())
        rules = settings.pop("rules", all_rules())
        think = settings.pop("think", think_here)
        kernel = Kernel(store, hub.bus(), rules, games, think, **settings)
        kernels.append(kernel)
        return kernel

    yield make
    for kernel in kernels:
        await kernel.keeper.stop()
        await kernel.drain()


@pytest.fixture
def kernel(make_kernel: MakeKernel) -> Kernel:
    return make_kernel()


async def until(met: Callable[[], bool | Awaitable[bool]], *, within_s: float = 30) -> None:
    """Wait for something that comes about soon, or not at all."""
    ends = time.monotonic() + within_s
    while time.monotonic() < ends:
        found = met()
        if found if isinstance(found, bool) else await found:
            return
        await asyncio.sleep(0.002)
    raise AssertionError("it never came about")


async def live_on(clock: SetClock, span_ms: int, *kernels: Kernel) -> None:
    """Time passes, and these processes renew their leases as they go."""
    for passed in range(0, span_ms, RENEWED_MS):
        for kernel in kernels:
            await kernel.lease.renew()
        clock.pass_ms(min(RENEWED_MS, span_ms - passed))
    for kernel in kernels:
        await kernel.lease.renew()


MakePlayer = Callable[[str], Awaitable[Player]]


@pytest.fixture
def player(store: Store, clock: SetClock) -> MakePlayer:
    """A user, ready to sit down."""

    async def make(name: str) -> Player:
        row = UserRow(
            id=f"user-{name}",
            subject=f"test:{name}",
            username=name,
            created_at=clock(),
            updated_at=clock(),
        )
        await store.commit(Change((row,)))
        return Player(name=name, user_id=row.id)

    return make


Lose = Callable[[bool], None]


@pytest.fixture
def lose(store: Store, monkeypatch: pytest.MonkeyPatch) -> Lose:
    """The answer to the next commit is lost, whether or not it landed."""
    real = store.commit

    def arm(landed: bool) -> None:
        async def commit(change: Change) -> None:
            monkeypatch.setattr(store, "commit", real)
            if landed:
                await real(change)
            raise Unavailable

        monkeypatch.setattr(store, "commit", commit)

    return arm


@pytest.fixture
def made(store: Store, monkeypatch: pytest.MonkeyPatch) -> list[Write]:
    """What becomes durable, but for what was taken back."""
    found: list[Write] = []
    commit = store.commit

    async def noted(change: Change) -> None:
        await commit(change)
        found.extend(change.writes)

    monkeypatch.setattr(store, "commit", noted)
    return found
