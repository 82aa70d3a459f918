"""What long lists cost everybody else: moves while four connections ask for the worst page.

    python -m benchmarks.lists [--quick] [--json]

A million matches, half of them one player's, and a hundred thousand rated players (a tenth of that
with --quick) in SQLite at full durability; one server process on one core. One game of Connect 4
is played over sockets in a closed loop, first alone, then while the same page is asked for over and
over by four others. Four that ask for next to nothing cost the game something, too: `little` is how
many times as long moves take as beside those, so it is what the lists themselves cost. Of every
page its time when nobody else asks is told as well.
"""

from __future__ import annotations

import asyncio
import sqlite3
import tempfile
import time
from contextlib import closing
from pathlib import Path

import uvloop

from benchmarks.connect4_http import by_socket, meet, meet_again, sit_down
from benchmarks.load import Http, request, server
from benchmarks.report import Figure, asked, show
from parlour.store.migrate import migrate_sqlite
from tests.filled import BUSY, Size, fill_sqlite

WHOLE = Size(matches=1_000_000, players=100_000, own=20_000)
QUICK = Size(matches=100_000, players=10_000, own=12_000)
ASKING = 4
PAGES_TIMED = 20

C5 = "/api/connect-five"
LITTLE = "/api/config"
PAGES = {
    "leaderboard, first page": "/api/leaderboard?game=connect4&limit=200",
    "leaderboard, farthest offset": "/api/leaderboard?game=connect4&limit=200&offset=9999",
    "leaderboard, beyond": "/api/leaderboard?game=connect4&offset=1000000",
    "leaderboard, by place": "/api/leaderboard?game=connect4&limit=200&after=1016.1.u100000300",
    "history, first page": "/api/history?game=connect4&limit=200",
    "history, farthest offset": "/api/history?game=connect4&limit=200&offset=9999",
    "games, farthest offset": "/api/users/me/games?limit=50&offset=9999",
    "challenges, first page": f"{C5}/challenges?page_size=100",
    "challenges, farthest page": f"{C5}/challenges?page_size=100&page=100",
    "matches, first page": f"{C5}/matches?page_size=100",
    "notifications, farthest page": "/api/notifications?page_size=100&page=100",
}


def become_busy(database: Path, subject: str) -> None:
    """From now on the one with that subject's token is the one who has played so much."""
    with closing(sqlite3.connect(database, timeout=10)) as connection, connection:
        connection.execute("UPDATE user SET subject = 'nobody' WHERE subject = ?", (subject,))
        connection.execute("UPDATE user SET subject = ? WHERE id = ?", (subject, BUSY))


class Bench:
    """A server with a past, one game on it, and one player who has played half of it."""

    def __init__(self, port: int, token: str, games: int) -> None:
        self._port = port
        self._token = token
        self._games = games

    async def moves(self) -> list[float]:
        """How long moves take, the quickest first."""
        http = await Http.open(self._port)
        pair = await meet(http, None)
        took: list[float] = []
        for _ in range(self._games):
            table = await sit_down(self._port, pair)
            await by_socket(table, pair, took)
            table.close()
            await meet_again(http, pair)
        http.close()
        return sorted(took)

    async def moves_while(self, path: str) -> list[float]:
        """The same while four ask for that page all the time."""
        enough = asyncio.Event()
        tasks = [asyncio.create_task(self._ask_until(enough, path)) for _ in range(ASKING)]
        took = await self.moves()
        enough.set()
        await asyncio.gather(*tasks)
        return took

    async def page(self, path: str) -> float:
        """How long half of the pages take at most."""
        http = await Http.open(self._port)
        took: list[float] = []
        for _ in range(PAGES_TIMED):
            began_at = time.perf_counter()
            await self._ask(http, path)
            took.append(time.perf_counter() - began_at)
        http.close()
        return sorted(took)[PAGES_TIMED // 2]

    async def _ask_until(self, enough: asyncio.Event, path: str) -> None:
        http = await Http.open(self._port)
        while not enough.is_set():
            await self._ask(http, path)
        http.close()

    async def _ask(self, http: Http, path: str) -> None:
        status, answer = await http.send(request("GET", path, self._token))
        if status != 200:
            raise RuntimeError(answer.decode())


async def measure(port: int, database: Path, games: int) -> list[Figure]:
    """All figures, on a server over that database."""
    http = await Http.open(port)
    guest = await http.call("POST", "/api/auth/guest")
    http.close()
    become_busy(database, f"guest:{guest['user']['firebaseUid']}")
    bench = Bench(port, guest["token"], games)
    await bench.moves()
    idle = await bench.moves()
    little = await bench.moves_while(LITTLE)
    figures = [_figure("alone", idle, share) for share in SHARES]
    figures += [_figure("beside four that ask for little", little, share, idle) for share in SHARES]
    for name, path in PAGES.items():
        figures.append(Figure(f"{name}: a page", 1000 * await bench.page(path), "ms"))
        took = await bench.moves_while(path)
        figures += [_figure(name, took, share, idle, little) for share in SHARES]
    return figures


SHARES = (50, 99)


def _figure(
    name: str,
    took: list[float],
    share: int,
    idle: list[float] | None = None,
    little: list[float] | None = None,
) -> Figure:
    def within(times: list[float]) -> float:
        return times[len(times) * share // 100]

    return Figure(
        f"{name}: moves, {share} % within",
        1000 * within(took),
        "ms",
        ratio=within(took) / within(idle) if idle else None,
        ratio_to="alone" if idle else None,
        settings={"little": round(within(took) / within(little), 2)} if little else {},
    )


def main() -> None:
    """Fill, serve, measure, print."""
    called = asked(__doc__)
    with tempfile.TemporaryDirectory(prefix="parlour-bench-") as folder:
        database = Path(folder) / "parlour.db"
        migrate_sqlite(str(database))
        fill_sqlite(str(database), QUICK if called.quick else WHOLE)
        with server(DATABASE_URL=f"sqlite:///{database}") as port:
            figures = uvloop.run(measure(port, database, 3 if called.quick else 6))
    show("Lists", figures, as_json=called.json)


if __name__ == "__main__":
    main()
