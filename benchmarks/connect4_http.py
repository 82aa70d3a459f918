"""Connect 4 moves per second through a whole server, over REST and over the live socket.

    python -m benchmarks.connect4_http [--quick] [--json]

One server process on one core, SQLite at full durability, the players in another process. Every
game is a closed loop: the next move is sent when both players have seen the last one (over REST:
when it is answered), so with one game at a time a figure is a round trip. Games are drawn after 42
moves; what lies between two games (rematch, sockets) is not counted. `server` is the processor time
that the server spent on a move.
"""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import TypeVar

import uvloop
from msgspec import Struct

from benchmarks.load import Http, Socket, Spent, cores, disk_of, frame, request, server
from benchmarks.report import Asked, Figure, asked, show

T = TypeVar("T")
R = TypeVar("R")

DRAWN = tuple(map(int, "330254564223355224331121550404466660106011"))
"""Columns of a game that nobody wins."""

MOVES = tuple(frame(b'{"type":"move","payload":{"column":%d}}' % column) for column in range(7))
LINES = 20
"""Connections that games are set up over."""
TURN_OVER = (b'{"type":"turn_changed"', b'{"type":"game_ended"')


class Pair(Struct):
    """Two players and the game they are at."""

    tokens: tuple[str, str]
    game_id: str
    public_id: str
    first: int


async def meet(http: Http, _: None) -> Pair:
    """Two new guests begin a private game."""
    host = (await http.call("POST", "/api/auth/guest"))["token"]
    guest = (await http.call("POST", "/api/auth/guest"))["token"]
    code = (await http.call("POST", "/api/games", host))["code"]
    joined = await http.call("POST", f"/api/games/join/{code}", guest)
    first = joined["game"]["currentTurn"] - 1
    return Pair((host, guest), joined["gameId"], joined["publicId"], first)


async def meet_again(http: Http, pair: Pair) -> None:
    """The same two play once more; player 2 is now player 1, and begins."""
    path = f"/api/games/{pair.game_id}/rematch"
    for token in pair.tokens:
        answer = await http.call("POST", path, token)
    pair.tokens = (pair.tokens[1], pair.tokens[0])
    pair.game_id, pair.public_id, pair.first = answer["newGameId"], answer["newPublicId"], 0


class Table:
    """Both players' sockets; `seen` counts who knows of the last move."""

    def __init__(self) -> None:
        self.sockets: list[Socket] = []
        self._seen = 0
        self._both: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def hear(self, message: bytes) -> None:
        """One of the two was told."""
        if message.startswith(TURN_OVER) or message.startswith(b'{"type":"game",'):
            self._seen += 1
            if self._seen == 2:
                self._both.set_result(None)
        elif message.startswith(b'{"type":"error"'):
            self._both.set_exception(RuntimeError(message.decode()))

    def close(self) -> None:
        """Both leave."""
        for socket in self.sockets:
            socket.close()

    async def both_have_seen(self) -> None:
        """… and begin to count anew."""
        await self._both
        self._seen = 0
        self._both = asyncio.get_running_loop().create_future()


async def sit_down(port: int, pair: Pair, other: int | None = None) -> Table:
    """Open both sockets and wait until they show the game; the second at another server's port."""
    table = Table()
    path = f"/ws/connect4/{pair.public_id}"
    for token, at in zip(pair.tokens, (port, other or port), strict=True):
        table.sockets.append(await Socket.open(at, path, token, table.hear))
    await table.both_have_seen()
    return table


async def by_socket(table: Table, pair: Pair, took: list[float]) -> None:
    """One game over the live socket."""
    for number, column in enumerate(DRAWN):
        began_at = time.perf_counter()
        table.sockets[(pair.first + number) % 2].send(MOVES[column])
        await table.both_have_seen()
        took.append(time.perf_counter() - began_at)


async def by_rest(http: Http, pair: Pair, took: list[float]) -> None:
    """One game over REST."""
    path = f"/api/games/{pair.game_id}/move"
    for number, column in enumerate(DRAWN):
        token = pair.tokens[(pair.first + number) % 2]
        began_at = time.perf_counter()
        status, answer = await http.send(request("POST", path, token, {"column": column}))
        took.append(time.perf_counter() - began_at)
        if status != 200:
            raise RuntimeError(answer.decode())


async def spread(port: int, pairs: Sequence[T], work: Callable[[Http, T], Awaitable[R]]) -> list[R]:
    """Work on all of them over a few connections; the results in order."""
    results: dict[int, R] = {}

    async def share(start: int) -> None:
        http = await Http.open(port)
        for index in range(start, len(pairs), LINES):
            results[index] = await work(http, pairs[index])
        http.close()

    await asyncio.gather(*(share(start) for start in range(min(LINES, len(pairs)))))
    return [results[index] for index in range(len(pairs))]


async def measure(port: int, way: str, games: int, rounds: int) -> list[Figure]:
    """So many games at once, again and again."""
    pairs = await spread(port, [None] * games, meet)
    took: list[float] = []
    spent = Spent(port)
    for number in range(rounds):
        if number:
            await spread(port, pairs, meet_again)
        seats: list[Table] | list[Http]
        if way == "socket":
            seats = [await sit_down(port, pair) for pair in pairs]
            playing = [by_socket(seat, pair, took) for seat, pair in zip(seats, pairs, strict=True)]
        else:
            seats = [await Http.open(port) for _ in pairs]
            playing = [by_rest(seat, pair, took) for seat, pair in zip(seats, pairs, strict=True)]
        with spent:
            await asyncio.gather(*playing)
        for seat in seats:
            seat.close()
    return spent.figures(f"{way}, {games:,} at once", "move", took)


def rounds_of(games: int, way: str, quick: bool) -> int:
    """Enough for a few seconds each."""
    wanted = {1: 40, 100: 10, 1000: 2}[games] // (1 if way == "socket" else 4)
    return max(1, wanted // (4 if quick else 1))


async def run(options: Asked, port: int) -> list[Figure]:
    """Everything, one after another."""
    figures: list[Figure] = []
    for way in ("socket", "rest"):
        for games in (1, 100) if options.quick else (1, 100, 1000):
            figures += await measure(port, way, games, rounds_of(games, way, options.quick))
    return figures


def main() -> None:
    """Start a server, measure, print."""
    options = asked(__doc__)
    # Players wait here until everybody has sat down, which nobody should take for leaving.
    with server(ABANDON_THRESHOLD_SEC="3600") as port:
        figures = uvloop.run(run(options, port))
    where = f"{cores()} cores, database on {disk_of(Path(tempfile.gettempdir()))}"
    show(f"Connect 4 over the wire ({where})", figures, as_json=options.json)


if __name__ == "__main__":
    main()
