"""What the bus over PostgreSQL costs: durable steps with it, beside those with the one in-process.

    python -m benchmarks.bus [--quick] [--json]

The games of `benchmarks.steps` on one PostgreSQL, three times over: told within the process, over
PostgreSQL while nobody else listens, and over PostgreSQL to another process's bus. Rounds
alternate, so that a busy machine slows all three alike; the processor's time is this process's, and
the other's where another listens.
"""

from __future__ import annotations

from contextlib import AsyncExitStack
from statistics import median
from time import process_time
from uuid import uuid4

import asyncpg
import uvloop

from benchmarks.report import Figure, asked, show
from benchmarks.steps import Games
from parlour.bus import Bus, LocalBus
from parlour.bus.postgres import PostgresBus
from parlour.serving import set_pace
from parlour.store.postgres.store import PostgresStore
from tests.servers.postgres import shared

BASE = "in-process bus"
KINDS = (BASE, "PostgreSQL bus, nobody else listens", "PostgreSQL bus, another listens")


async def main(quick: bool) -> list[Figure]:
    rounds, seconds = (9, 0.5) if quick else (15, 1.5)
    set_pace()
    server = shared(f"bench-{uuid4().hex[:12]}", synced=True)
    name = f"parlour_bench_{uuid4().hex[:12]}"
    console = await asyncpg.connect(server.url())
    await console.execute(f"CREATE DATABASE {name}")
    store = PostgresStore(server.url(name))
    await store.start()
    games = Games(store)
    await games.set_up()
    rates: dict[str, list[float]] = {kind: [] for kind in KINDS}
    costs: dict[str, list[float]] = {kind: [] for kind in KINDS}
    for _ in range(rounds):
        for kind in KINDS:
            async with AsyncExitStack() as stack:
                buses: list[Bus] = [LocalBus() if kind == BASE else PostgresBus(server.url(name))]
                if kind == KINDS[2]:
                    buses.append(PostgresBus(server.url(name)))
                for bus in buses:
                    await bus.start()
                    stack.push_async_callback(bus.close)
                games.tell_over(buses[0])
                before = process_time()
                done = await games.round(seconds)
                rates[kind].append(done.rate)
                costs[kind].append((process_time() - before) / len(games.taken()))
    await store.close()
    await console.close()
    server.remove()
    return [
        figure
        for kind in KINDS
        for figure in (
            Figure(kind, median(rates[kind]), "steps/s", _ratio(rates, kind), BASE),
            Figure(
                f"{kind}, processor",
                median(costs[kind]) * 1e6,
                "µs/step",
                _ratio(costs, kind),
                BASE,
            ),
        )
    ]


def _ratio(found: dict[str, list[float]], kind: str) -> float:
    """To the base, in the same round."""
    return median(one / other for one, other in zip(found[kind], found[BASE], strict=True))


if __name__ == "__main__":
    called = asked(__doc__)
    show("The bus over PostgreSQL", uvloop.run(main(called.quick)), as_json=called.json)
