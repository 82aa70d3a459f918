"""Connect Five moves per second with money in play, over REST and with both players listening.

    python -m benchmarks.connect_five [--quick] [--json]

One server process on one core, the players in another process; every match has its stakes in
escrow and both players' sockets open. A match is a closed loop: the next step is sent when the
last one was answered and both players were told of it. Every sixth step is a purchase, whose
special is used in the next. SQLite at full durability, then PostgreSQL, which shares the cores.

How long `parlour admin audit` takes over a million ledger rows is what `benchmarks.audit` measures.
"""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any
from uuid import uuid4

import asyncpg
import uvloop
from msgspec import Struct

from benchmarks.load import Http, Socket, Spent, cores, disk_of, request, server
from benchmarks.report import Asked, Figure, asked, show
from tests.servers.postgres import Postgres, shared

SIZE = 14
SPECIAL_EVERY = 5
IDLE_SEC = 3.0
"""After so long a connection is not used again: some servers close it after five seconds."""
SETTING_UP = 50
"""Connections that bring the players together."""

UPDATE = b'{"type":"update.connect_five_match"'

Step = tuple[int, str, dict[str, Any]]
"""Whose turn it is (0: who moves first), what is asked for, and the body."""


def steps() -> Iterator[Step]:
    """A match that fills the board two by two and never comes to five in a row."""
    pairs = [
        [(x, y) for y in range(SIZE) for x in range(0, SIZE, 2) if (x // 2 + y) % 2 == mine]
        for mine in range(2)
    ]
    halves: list[list[tuple[int, int]]] = [[], []]
    for turn in count():
        seat = turn % 2
        if halves[seat]:
            x, y = halves[seat].pop()
            yield seat, "move", {"move_type": "SINGLE", "x": x, "y": y}
            continue
        if not pairs[seat]:
            return
        x, y = pairs[seat].pop()
        if (turn // 2) % SPECIAL_EVERY == 0:
            yield seat, "purchase", {"special_type": "H2"}
            yield seat, "move", {"move_type": "H2", "x": x, "y": y}
        else:
            halves[seat].append((x + 1, y))
            yield seat, "move", {"move_type": "SINGLE", "x": x, "y": y}


class Table:
    """A match, its two players' lines, and how many of their sockets know of the last step."""

    def __init__(self, match: dict[str, Any], tokens: dict[int | str, str]) -> None:
        people = [match["player_a"]["id"], match["player_b"]["id"]]
        # Once it was the id alone.
        first = match["active_player"] in (match["player_a"], people[0])
        self.people = people if first else people[::-1]
        self.tokens = [tokens[person] for person in self.people]
        self.path = f"/api/connect-five/matches/{match['id']}"
        self._port = 0
        self.http: list[Http] = []
        self.sockets: list[Socket] = []
        self._told = 0
        self._both: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    async def sit_down(self, port: int) -> None:
        """Open both sockets, and wait until they are let in."""
        self._port = port
        for person, token in zip(self.people, self.tokens, strict=True):
            path = f"/ws/connect-five/{person}"
            self.sockets.append(await Socket.open(port, path, token, self._hear))
        await self.both_told()

    async def pick_up(self) -> None:
        """Open the lines for requests and have each answered once: steps are what is measured.

        Last of all, as they may not be idle for long.
        """
        for _ in self.people:
            line = await Http.open(self._port)
            await line.call("GET", "/api/health")
            self.http.append(line)

    def _hear(self, message: bytes) -> None:
        if message.startswith((UPDATE, b'{"type":"auth_ok"')):
            self._told += 1
            if self._told == 2:
                self._both.set_result(None)

    async def both_told(self) -> None:
        """… and begin to count anew."""
        await self._both
        self._told = 0
        self._both = asyncio.get_running_loop().create_future()

    async def play(self, until: float, took: list[float]) -> None:
        """Step after step until the time is over."""
        for seat, what, body in steps():
            if time.perf_counter() - self.http[seat].used_at > IDLE_SEC:
                self.http[seat].close()
                self.http[seat] = await Http.open(self._port)
            began_at = time.perf_counter()
            if began_at >= until:
                return
            asks = request("POST", f"{self.path}/{what}", self.tokens[seat], body)
            status, answer = await self.http[seat].send(asks)
            if status != 200:
                raise RuntimeError(answer.decode())
            await self.both_told()
            took.append(time.perf_counter() - began_at)

    def leave(self) -> None:
        """Hang up."""
        for http, socket in zip(self.http, self.sockets, strict=True):
            http.close()
            socket.close()


async def meet(port: int, matches: int) -> list[Table]:
    """Two new guests for every match, one of whom challenges the other."""
    lines = [await Http.open(port) for _ in range(min(matches, SETTING_UP))]

    async def some(http: Http, number: int) -> list[Table]:
        return [await one(http) for _ in range(number, matches, len(lines))]

    async def one(http: Http) -> Table:
        guests = [await http.call("POST", "/api/auth/guest") for _ in range(2)]
        # Once there were no numbers.
        ann, bob = (
            (guest["user"].get("number", guest["user"]["id"]), guest["token"]) for guest in guests
        )
        terms = {"stake_amount": 100, "max_spend_amount": 500, "time_limit_seconds": 1800}
        made = await http.call(
            "POST", "/api/connect-five/challenges", ann[1], {"opponent_id": bob[0], **terms}
        )
        path = f"/api/connect-five/challenges/{made['id']}/accept"
        return Table(await http.call("POST", path, bob[1]), dict((ann, bob)))

    found = await asyncio.gather(*(some(http, number) for number, http in enumerate(lines)))
    for line in lines:
        line.close()
    return [table for tables in found for table in tables]


class Plan(Struct, frozen=True):
    """How much to measure."""

    matches: tuple[int, ...]
    seconds: float


async def run(plan: Plan, port: int, engine: str) -> list[Figure]:
    """So many matches at once, for so long."""
    figures: list[Figure] = []
    for matches in plan.matches:
        tables = await meet(port, matches)
        for table in tables:
            await table.sit_down(port)
        for table in tables:
            await table.pick_up()
        took: list[float] = []
        with Spent(port) as spent:
            until = time.perf_counter() + plan.seconds
            await asyncio.gather(*(table.play(until, took) for table in tables))
        for table in tables:
            table.leave()
        figures += spent.figures(f"{engine}, {matches:,} matches", "step", took)
    return figures


@contextmanager
def new_database(postgres: Postgres) -> Iterator[str]:
    """The address of an empty one, which is removed afterwards."""
    name = f"parlour_{uuid4().hex}"
    asyncio.run(_do(postgres.url(), f"CREATE DATABASE {name}"))
    yield postgres.url(name)
    asyncio.run(_do(postgres.url(), f"DROP DATABASE {name} WITH (FORCE)"))


async def _do(url: str, sql: str) -> None:
    connection = await asyncpg.connect(url)
    await connection.execute(sql)
    await connection.close()


def main() -> None:
    """Start a server on each database, measure, print."""
    options: Asked = asked(__doc__)
    plan = Plan((100,), 3) if options.quick else Plan((100, 1000), 15)
    with server() as port:
        figures = uvloop.run(run(plan, port, "SQLite"))
    postgres = shared("connect_five", synced=True)
    try:
        with new_database(postgres) as url, server(DATABASE_URL=url) as port:
            figures += uvloop.run(run(plan, port, "PostgreSQL"))
    finally:
        postgres.remove()
    where = f"{cores()} cores, database on {disk_of(Path(tempfile.gettempdir()))}"
    show(f"Connect Five over the wire ({where})", figures, as_json=options.json)


if __name__ == "__main__":
    main()
