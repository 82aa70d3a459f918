"""The relay: real store, real Kafka protocol, and everything that can happen between the two."""

from __future__ import annotations

import asyncio
import random
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import Any

import pytest
from sqlalchemy import Executable, func, select
from structlog.testing import capture_logs

from parlour.bus import Bus, LocalBus
from parlour.events import kafka as kafka_module
from parlour.events import relay as relay_module
from parlour.events.kafka import Kafka
from parlour.events.relay import LEASE_MS, Relay, trim
from parlour.store.api import Record, Store
from parlour.store.change import Change, ClearOutbox, OutboxRow
from parlour.store.schema import outbox
from tests.bus.ears import until
from tests.servers.kafka import MockKafka
from tests.simulation.bus import Hub

TOPIC = "game-events"
START = 1_800_000_000_000


class SetClock:
    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> int:
        return self.now


@pytest.fixture
def clock() -> SetClock:
    return SetClock()


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing here waits for seconds to pass."""
    monkeypatch.setattr(relay_module, "BACKSTOP_SEC", 0.01)
    monkeypatch.setattr(relay_module, "STANDBY_SEC", 0.01)
    monkeypatch.setattr(relay_module, "RETRY_SHORTEST_SEC", 0.01)


Start = Callable[..., Awaitable[Relay]]


@pytest.fixture
async def started(store: Store, kafka: MockKafka, clock: SetClock) -> AsyncIterator[Start]:
    relays: list[Relay] = []

    async def start(on: Store = store, bus: Bus | None = None) -> Relay:
        sink = Kafka(kafka.bootstrap_servers, TOPIC)
        relay = Relay(on, bus or LocalBus(), sink, clock)
        relays.append(relay)
        await relay.start()
        return relay

    yield start
    for relay in relays:
        await relay.close()


on_sqlite = pytest.mark.parametrize("engine", ["sqlite"], indirect=True)
"""For what does not depend on the database."""


async def write(store: Store, *events: tuple[str, int]) -> None:
    """Each event is a game and its number there."""
    rows = (
        OutboxRow(key=game, type="move_made", payload=b"%d" % number, at=START)
        for game, number in events
    )
    await store.commit(Change(tuple(rows)))


async def waiting(store: Store) -> int:
    row = await store.row(select(func.count().label("count")).select_from(outbox))
    assert row is not None
    return int(row["count"])


async def emptied(store: Store) -> None:
    async with asyncio.timeout(30):
        while await waiting(store):  # noqa: ASYNC110 -- a database does not call back
            await asyncio.sleep(0.01)


def per_game(kafka: MockKafka) -> dict[str, list[int]]:
    games = defaultdict(list)
    for message in kafka.read(TOPIC):
        games[(message.key() or b"").decode()].append(int(message.value() or b"-1"))
    return dict(games)


@pytest.mark.spec("E41", "E42", "E43", "E44")
async def test_every_event_arrives_once_and_in_the_order_of_its_game(
    store: Store, kafka: MockKafka, started: Start
) -> None:
    turns = [game for game in range(30) for _ in range(20)]
    random.Random(7).shuffle(turns)
    sent = [0] * 30
    await started()
    for start in range(0, len(turns), 25):
        events = []
        for game in turns[start : start + 25]:
            events.append((f"game-{game}", sent[game]))
            sent[game] += 1
        await write(store, *events)
    await emptied(store)
    assert per_game(kafka) == {f"game-{game}": list(range(20)) for game in range(30)}


@on_sqlite
async def test_it_is_woken_rather_than_looking_for_work(
    store: Store, kafka: MockKafka, started: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(relay_module, "BACKSTOP_SEC", 3_600)
    hub = Hub()
    publishing, other = await started(bus=hub.bus()), await started(bus=hub.bus())
    await write(store, ("game-1", 0))
    publishing.wake()
    await emptied(store)
    await write(store, ("game-1", 1))
    other.wake()
    await emptied(store)
    assert per_game(kafka) == {"game-1": [0, 1]}


@on_sqlite
async def test_an_outage_delays_events_but_loses_and_disorders_none(
    store: Store, kafka: MockKafka, started: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kafka_module, "DELIVERY_MS", 300)
    relay = await started()
    await write(store, ("game-1", 0), ("game-2", 0))
    await emptied(store)
    kafka.down()
    with capture_logs() as logs:
        for number in range(1, 6):
            await write(store, ("game-1", number), ("game-2", number))
        async with asyncio.timeout(30):
            while not logs:  # noqa: ASYNC110 -- nor does a log
                await asyncio.sleep(0.01)
    assert logs[0]["event"] == "relay cannot publish"
    assert await waiting(store) == 10
    kafka.up()
    await emptied(store)
    await until(lambda: relay.published == 12)
    games = per_game(kafka)
    assert {game: list(dict.fromkeys(numbers)) for game, numbers in games.items()} == {
        "game-1": [0, 1, 2, 3, 4, 5],
        "game-2": [0, 1, 2, 3, 4, 5],
    }


class CrashingStore(Store):
    """Another store, of a process that dies before it can note what it has published."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.crashed = asyncio.Event()

    async def start(self) -> None: ...

    async def close(self) -> None: ...

    async def commit(self, change: Change) -> None:
        if any(isinstance(write, ClearOutbox) for write in change.writes):
            self.crashed.set()
            await asyncio.Event().wait()
        await self._store.commit(change)

    async def rows(self, query: Executable, /, **params: Any) -> Sequence[Record]:
        return await self._store.rows(query, **params)


async def test_a_crash_between_publishing_and_noting_it_repeats_but_loses_nothing(
    store: Store, kafka: MockKafka, clock: SetClock, started: Start
) -> None:
    await write(store, *((f"game-{n % 3}", n // 3) for n in range(15)))
    dying = CrashingStore(store)
    died = await started(on=dying)
    async with asyncio.timeout(30):
        await dying.crashed.wait()
    assert died._task is not None
    died._task.cancel()
    died._until = None
    await write(store, ("game-0", 5))

    clock.now += LEASE_MS + 1
    await started()
    await emptied(store)
    games = per_game(kafka)
    assert games["game-0"] == [0, 0, 1, 2, 3, 4, 5]
    assert games["game-1"] == games["game-2"] == [0, 0, 1, 2, 3, 4]


async def test_of_two_relays_one_publishes_and_the_other_takes_over_when_it_ends(
    store: Store, kafka: MockKafka, started: Start
) -> None:
    first, second = await started(), await started()
    for number in range(10):
        await write(store, ("game-1", number), (f"other-{number}", 0))
    await emptied(store)
    await until(lambda: first.published + second.published >= 20)
    assert sorted((first.published, second.published)) == [0, 20]
    publishing, idle = (first, second) if first.published else (second, first)

    await publishing.close()
    await write(store, *(("game-1", number) for number in range(10, 20)))
    await emptied(store)
    await until(lambda: idle.published == 10)
    assert per_game(kafka)["game-1"] == list(range(20))


@on_sqlite
async def test_whoever_lost_the_lease_in_its_sleep_publishes_no_more(
    store: Store, clock: SetClock, kafka: MockKafka, started: Start
) -> None:
    asleep = await started()
    await write(store, ("game-1", 0))
    await until(lambda: asleep.published == 1)  # which is counted behind the commit
    assert asleep._task is not None
    asleep._task.cancel()

    clock.now += LEASE_MS + 1
    successor = await started()
    await write(store, ("game-1", 1))
    await emptied(store)
    asleep._task = asyncio.create_task(asleep._run())
    for number in range(2, 20):
        await write(store, ("game-1", number))
    await emptied(store)
    await until(lambda: (asleep.published, successor.published) == (1, 19))


@on_sqlite
async def test_a_long_backlog_is_worked_off_in_bounded_windows(
    store: Store, kafka: MockKafka, started: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(relay_module, "WINDOW", 50)
    monkeypatch.setattr(relay_module, "BACKSTOP_SEC", 3_600)
    await write(store, *((f"game-{n % 10}", n // 10) for n in range(500)))
    relay = await started()
    await emptied(store)
    await until(lambda: relay.published == 500)
    assert per_game(kafka) == {f"game-{game}": list(range(50)) for game in range(10)}


@on_sqlite
async def test_an_event_kafka_will_never_take_is_reported_and_passed_over(
    store: Store, kafka: MockKafka, started: Start
) -> None:
    huge = OutboxRow(key="game-1", type="game_completed", payload=bytes(2_000_000), at=START)
    await store.commit(Change((huge,)))
    await write(store, ("game-1", 1))
    with capture_logs() as logs:
        await started()
        await emptied(store)
    assert [entry["match_id"] for entry in logs if entry["event"] == "event refused"] == ["game-1"]
    assert per_game(kafka) == {"game-1": [1]}


async def test_without_kafka_the_outbox_is_trimmed(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(relay_module, "WINDOW", 50)
    await write(store, *((f"game-{n % 10}", n // 10) for n in range(120)))
    await trim(store)
    assert await waiting(store) == 0
