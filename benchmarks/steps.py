"""Durable steps per second through the whole kernel, beside the bare loop of the same SQL.

    python -m benchmarks.steps [--quick] [--json]

A thousand games of Connect 4 are in flight, hosted as a server hosts them: between people with
accounts, so that an end moves two ratings; with the time after which a game lapses, so that every
step carries a deadline; and with both players watching. A step is what a player's move is: the
rules decide, the change is committed under its guards, both watchers are told. A game that is over
is followed by a new one of the same two, which counts as a step too. PostgreSQL has fsync on. Every
change is written down, and the bare loop then makes the very same statements in a second database:
on SQLite in groups of the size the store had, on PostgreSQL a transaction each on as many
connections. Rounds alternate, so that a busy machine slows both alike. Python is set up as by
`parlour serve`.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Sequence
from pathlib import Path
from random import Random
from sqlite3 import Connection
from statistics import median
from time import perf_counter
from typing import Any
from uuid import uuid4

import asyncpg
import uvloop

from benchmarks.report import Figure, asked, show
from benchmarks.store import MATCHES, Round
from parlour.bus import Bus, LocalBus
from parlour.games.connect4.policy import policy
from parlour.games.connect4.rules import RULES
from parlour.play.kernel import Kernel
from parlour.play.match import Match, Update
from parlour.play.player import Player
from parlour.play.thinkers import Job, choose
from parlour.serving import set_pace
from parlour.settings import Settings
from parlour.store.api import Store
from parlour.store.change import Change, CreateMatch, JournalRow, UserRow
from parlour.store.change.steps import steps
from parlour.store.migrate import migrate, migrate_sqlite
from parlour.store.postgres import store as postgres
from parlour.store.sqlite.commit import connect
from parlour.store.sqlite.store import SqliteStore
from tests.servers.postgres import shared

GAME = "connect4"


async def think(job: Job) -> Any:
    return choose(job)


class Onlooker:
    """One of the two who watch a game: it counts what it is told."""

    def __init__(self) -> None:
        self.told = 0

    def moved(self, update: Update) -> None:
        assert update.after.version > 0
        self.told += 1

    def presence(self, match: Match, here: tuple[bool, bool]) -> None:
        """Nobody comes or goes here."""


class Table:
    """Two people, the game they are in, and their ears."""

    def __init__(self, number: int) -> None:
        self.people = tuple(
            Player(name=name, user_id=f"bench-{name}-{number}") for name in ("ann", "bob")
        )
        self.ears = (Onlooker(), Onlooker())
        self.match: Match | None = None


class Games:
    """Games that go on and on, each by itself, as fast as the kernel lets it."""

    def __init__(self, store: Store) -> None:
        policies = {GAME: policy(Settings())}
        self._store = store
        self._kernel = Kernel(store, LocalBus(), {GAME: RULES}, policies, think)
        self._random = Random(1)
        self._tables = [Table(number) for number in range(MATCHES)]
        self.made: list[Change] = []
        """All that became durable since it was last taken."""
        commit = store.commit

        async def written_down(change: Change) -> None:
            await commit(change)
            self.made.append(change)

        store.commit = written_down  # type: ignore[method-assign]  # to look on

    def tell_over(self, bus: Bus) -> None:
        """From now on steps are told over that bus, and nobody is looked for, as if connected."""
        self._kernel.runtime.bus = bus
        self._kernel.presence.sighting_ms = 10**9

    async def set_up(self) -> list[Change]:
        await asyncio.gather(*(self._settle_in(table) for table in self._tables))
        return self.taken()

    async def _settle_in(self, table: Table) -> None:
        for person in table.people:
            name = person.user_id or ""
            user = UserRow(id=name, subject=name, username=name, created_at=1, updated_at=1)
            await self._store.commit(Change((user,)))
        await self._begin(table)

    def taken(self) -> list[Change]:
        made, self.made[:] = self.made[:], []
        return made

    async def _begin(self, table: Table) -> None:
        """The next game of these two, watched by both."""
        first, second = table.people
        old, match = table.match, await self._kernel.seating.start(GAME, (first, second))
        for ear in table.ears:
            if old is not None:
                self._kernel.watching.unwatch(old.id, ear)
            await self._kernel.watching.watch(match.id, ear)
        table.match = match

    async def round(self, seconds: float) -> Round:
        latencies: list[float] = []
        begin = perf_counter()

        async def play(table: Table) -> None:
            before = perf_counter()
            while before - begin < seconds:
                await self._step(table)
                after = perf_counter()
                latencies.append(after - before)
                before = after

        await asyncio.gather(*map(play, self._tables))
        return Round(len(latencies), perf_counter() - begin, latencies, [1])

    async def _step(self, table: Table) -> None:
        match = table.match
        assert match is not None
        if match.over:
            await self._begin(table)
            return
        turn = match.state.turn
        action = self._random.choice(RULES.legal(RULES.view(match.state, turn)))
        told = [ear.told for ear in table.ears]
        table.match = (await self._kernel.steps.act(match.id, turn, action)).after
        assert [ear.told for ear in table.ears] == [count + 1 for count in told]


# --- SQLite -----------------------------------------------------------------------------------


class Grouping(SqliteStore):
    """Remembers how large its groups were."""

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self.groups: list[int] = []

    def _answer(self, answers: Any) -> None:
        self.groups.append(len(answers))
        super()._answer(answers)


def bare_sqlite(connection: Connection, changes: Sequence[Change], group: int) -> float:
    """The same statements in groups; how many changes a second."""
    begin = perf_counter()
    for start in range(0, len(changes), group):
        connection.execute("BEGIN IMMEDIATE")
        for change in changes[start : start + group]:
            for statement, values in steps(change):
                connection.execute(statement.sqlite, values)
        connection.execute("COMMIT")
    return len(changes) / (perf_counter() - begin)


async def compare_sqlite(rounds: int, seconds: float) -> list[Figure]:
    with tempfile.TemporaryDirectory() as folder:
        store = Grouping(f"sqlite:///{folder}/kernel.db")
        await store.start()
        bare_file = Path(folder) / "bare.db"
        await asyncio.to_thread(migrate_sqlite, str(bare_file))
        connection = connect(bare_file)
        games = Games(store)
        bare_sqlite(connection, await games.set_up(), MATCHES)
        stepped, bare = [], []
        for _ in range(rounds):
            store.groups.clear()
            stepped.append(await games.round(seconds))
            group = max(1, round(sum(store.groups) / len(store.groups)))
            bare.append(bare_sqlite(connection, games.taken(), group))
        connection.close()
        await store.close()
    return figures("SQLite", stepped, bare, {"group": group})


# --- PostgreSQL -------------------------------------------------------------------------------


class Shares:
    """Changes dealt out so that all of one table's are on one connection, in their order."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._table_of: dict[str, str] = {}

    def deal(self, changes: Sequence[Change]) -> list[list[Change]]:
        shares: list[list[Change]] = [[] for _ in range(self._count)]
        for change in changes:
            shares[int(self._table(change)) % self._count].append(change)
        return shares

    def _table(self, change: Change) -> str:
        """Whose number the accounts' names end in."""
        write = change.writes[0]
        if isinstance(write, UserRow):
            return write.id.rpartition("-")[2]
        if isinstance(write, CreateMatch):
            number = (write.seats[0].user_id or "").rpartition("-")[2]
            return self._table_of.setdefault(write.match.id, number)
        assert isinstance(write, JournalRow)
        return self._table_of[write.match_id]


async def bare_postgres(
    connections: Sequence[Any], shares: Shares, changes: Sequence[Change]
) -> float:
    """The same statements, a transaction a change; what concerns one table on one connection."""

    async def work(connection: Any, share: list[Change]) -> None:
        for change in share:
            async with connection.transaction():
                for statement, values in steps(change):
                    await connection.execute(statement.postgres, *values)

    begin = perf_counter()
    await asyncio.gather(*map(work, connections, shares.deal(changes)))
    return len(changes) / (perf_counter() - begin)


async def compare_postgres(rounds: int, seconds: float) -> list[Figure]:
    server = shared(f"bench-{uuid4().hex[:12]}", synced=True)
    names = [f"parlour_bench_{uuid4().hex[:12]}" for _ in range(2)]
    console = await asyncpg.connect(server.url())
    for name in names:
        await console.execute(f"CREATE DATABASE {name}")
    store = postgres.PostgresStore(server.url(names[0]))
    await store.start()
    await migrate(server.url(names[1]))
    count = postgres.CONNECTIONS
    connections = [await asyncpg.connect(server.url(names[1])) for _ in range(count)]
    games, shares = Games(store), Shares(count)
    await bare_postgres(connections, shares, await games.set_up())
    stepped, bare = [], []
    for _ in range(rounds):
        stepped.append(await games.round(seconds))
        bare.append(await bare_postgres(connections, shares, games.taken()))
    await store.close()
    for connection in (*connections, console):
        await connection.close()
    server.remove()
    return figures("PostgreSQL", stepped, bare, {"connections": count})


# --- both -------------------------------------------------------------------------------------


def figures(
    engine: str, stepped: list[Round], bare: list[float], settings: dict[str, Any]
) -> list[Figure]:
    """The median round of each side, compared with the bare loop of the same minute."""
    base = f"{engine}, bare loop"
    name = f"{engine}, through the kernel"
    ratio = median(one.rate / other for one, other in zip(stepped, bare, strict=True))
    rate = median(each.rate for each in stepped)
    settings = {"in flight": MATCHES, **settings}
    made = [Figure(name, rate, "steps/s", ratio, base, settings)]
    for part in (50, 99):
        latency = median(each.latency_ms(part / 100) for each in stepped)
        made.append(Figure(f"{name}, p{part}", latency, "ms"))
    return [*made, Figure(base, median(bare), "steps/s")]


async def main(quick: bool) -> list[Figure]:
    rounds, seconds = (3, 1.0) if quick else (7, 4.0)
    set_pace()
    return [
        *await compare_sqlite(rounds, seconds),
        *await compare_postgres(rounds, seconds),
    ]


if __name__ == "__main__":
    called = asked(__doc__)
    show("Durable steps", uvloop.run(main(called.quick)), as_json=called.json)
