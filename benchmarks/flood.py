"""What a flood from one address does to everybody else, with rate limits and without.

    python -m benchmarks.flood [--quick] [--json]

Twenty games of Connect 4 are played over sockets, each with a move every tenth of a second, as
people who are quick might; the time is taken until both players have seen it. They play alone and
beside a flood from another address (127.0.0.2) by turns, kind by kind: requests over 4 and 200
connections, sign-ups, messages and refused messages on sockets, challenges at one person who
listens. A flood sends as fast as it is answered; `flood` is how much of it was done. The server has
one core. Players and flood share the others, each in a process of its own; the flood runs at the
lowest priority, or its own use of that core would count as a delay of the server's.

The quick form leaves out the comparison without limits.
"""

from __future__ import annotations

import asyncio
import gc
import multiprocessing
import os
import time
from collections.abc import Awaitable, Callable, Iterable, Iterator
from contextlib import suppress
from multiprocessing.connection import Connection

import uvloop
from msgspec import Struct

from benchmarks.connect4_http import DRAWN, MOVES, Pair, Table, meet, meet_again, sit_down
from benchmarks.load import HOST, Http, Socket, cores, frame, request, server, used_sec
from benchmarks.report import Asked, Figure, asked, show

GAMES = 20
THINK_SEC = 0.1
FLOODER = "127.0.0.2"
MOST_UNSENT = 64 * 1024
BEGIN_WITHIN_SEC = 60.0
LOWEST_PRIORITY = 19
TURNS = 3
"""How often players are alone and flooded in turn: what the machine does now and then hits both."""


# --- the players ------------------------------------------------------------------------------


async def play_on(port: int, pair: Pair, number: int, until: float, took: list[float]) -> None:
    """Game after game, at the pace of people."""
    http = await Http.open(port)
    await asyncio.sleep(THINK_SEC * number / GAMES)
    while time.perf_counter() < until:
        table = await sit_down(port, pair)
        await one_game(table, pair, until, took)
        table.close()
        if time.perf_counter() < until:
            await meet_again(http, pair)
    http.close()


async def one_game(table: Table, pair: Pair, until: float, took: list[float]) -> None:
    """Until it is over, or the time is."""
    for number, column in enumerate(DRAWN):
        began_at = time.perf_counter()
        if began_at >= until:
            return
        table.sockets[(pair.first + number) % 2].send(MOVES[column])
        await table.both_have_seen()
        spent = time.perf_counter() - began_at
        took.append(spent)
        await asyncio.sleep(max(0.0, THINK_SEC - spent))


class Delays(Struct, frozen=True):
    """How long moves took, in milliseconds."""

    half: float
    most: float
    server: float
    """How much of its core the server used, in percent."""
    moves: int


class Played(Struct):
    """All that was measured of one kind."""

    took: list[float] = []
    spent: float = 0.0
    used: float = 0.0

    @property
    def delays(self) -> Delays:
        """In figures."""
        # Where nobody came to move at all, a move took at least that long.
        took = sorted(self.took) or [self.spent]
        return Delays(
            half=took[len(took) // 2] * 1000,
            most=took[len(took) * 99 // 100] * 1000,
            server=self.used / self.spent * 100,
            moves=len(took),
        )


async def gather(port: int) -> list[Pair]:
    """People who are about to play."""
    http = await Http.open(port)
    pairs = [await meet(http, None) for _ in range(GAMES)]
    http.close()
    return pairs


async def measure(port: int, pairs: list[Pair], seconds: float, played: Played) -> None:
    """They play for that long."""
    began_at, used = time.perf_counter(), used_sec(port)
    until = began_at + seconds
    gc.disable()  # the players' garbage is not the server's
    await asyncio.gather(
        *(play_on(port, pair, number, until, played.took) for number, pair in enumerate(pairs))
    )
    gc.enable()
    played.used += used_sec(port) - used
    played.spent += time.perf_counter() - began_at


# --- the floods -------------------------------------------------------------------------------


class Tally:
    """What became of a flood."""

    def __init__(self, done: float = 0, refused: float = 0) -> None:
        self.done = done
        self.refused = refused

    def add(self, more: Tally) -> None:
        """What became of another."""
        self.done += more.done
        self.refused += more.refused


Flood = Callable[[int, Tally], Awaitable[None]]


def asking(connections: int, method: str, path: str) -> Flood:
    """The same request, over so many connections."""
    content = request(method, path)

    async def one(port: int, tally: Tally) -> None:
        http = await Http.open(port, FLOODER)
        while True:
            status, _ = await http.send(content)
            if status == 429:
                tally.refused += 1
            else:
                tally.done += 1

    async def flood(port: int, tally: Tally) -> None:
        await asyncio.gather(*(one(port, tally) for _ in range(connections)))

    return flood


def talking(sockets: int, message: bytes) -> Flood:
    """The same message on sockets of one user's, without waiting for answers."""

    async def one(port: int, path: str, token: str, tally: Tally) -> None:
        def hear(heard: bytes) -> None:
            if b"RATE_LIMITED" in heard:
                tally.refused += 1
            else:
                tally.done += 1

        while True:
            try:
                socket = await Socket.open(port, path, token, hear, FLOODER)
            except OSError:
                await asyncio.sleep(0.1)
                continue
            with suppress(ConnectionError):
                while not socket.closed:
                    if socket.backlog < MOST_UNSENT:
                        socket.send(frame(message) * 8)
                    await asyncio.sleep(0.01)  # just below what cuts a socket off at once

    async def flood(port: int, tally: Tally) -> None:
        http = await Http.open(port, FLOODER)
        pair = await meet(http, None)
        path = f"/ws/connect4/{pair.public_id}"
        await asyncio.gather(*(one(port, path, pair.tokens[0], tally) for _ in range(sockets)))

    return flood


async def challenging(port: int, tally: Tally) -> None:
    """Challenges of many at one person, who hears of each."""
    http = await Http.open(port, FLOODER)
    victim = await http.call("POST", "/api/auth/guest")
    people = [(await http.call("POST", "/api/auth/guest"))["token"] for _ in range(20)]
    for what in ("connect-five", "notifications"):
        path = f"/ws/{what}/{victim['user']['id']}"
        await Socket.open(port, path, victim["token"], lambda _: None, HOST)
    wish = {
        "opponent_id": victim["user"]["id"],
        "stake_amount": 0,
        "max_spend_amount": 0,
        "time_limit_seconds": 300,
    }

    async def one(token: str) -> None:
        line = await Http.open(port, FLOODER)
        content = request("POST", "/api/connect-five/challenges", token, wish)
        while True:
            status, _ = await line.send(content)
            if status == 429:
                tally.refused += 1
            else:
                tally.done += 1

    await asyncio.gather(*map(one, people))


FLOODS: dict[str, Flood] = {
    "requests, 4 connections": asking(4, "GET", "/api/leaderboard"),
    "requests, 200 connections": asking(200, "GET", "/api/leaderboard"),
    "pages, 200 connections": asking(200, "GET", "/"),
    "sign-ups, 50 connections": asking(50, "POST", "/api/auth/guest"),
    "messages, 8 sockets": talking(8, b'{"type":"ping"}'),
    "refused messages, 8 sockets": talking(8, b'{"type":"move","payload":{"column":9}}'),
    "challenges at one person": challenging,
}


def flood_until_told(name: str, port: int, line: Connection) -> None:
    """The process that floods: begins, waits for a word, and says how much came of it."""
    tally = Tally()
    os.nice(LOWEST_PRIORITY)

    async def run() -> None:
        flooding = asyncio.ensure_future(FLOODS[name](port, tally))
        while not (tally.done or tally.refused or flooding.done()):  # noqa: ASYNC110 -- a tally cannot call
            await asyncio.sleep(0.01)
        line.send(None)
        await asyncio.wait(
            [flooding, asyncio.ensure_future(asyncio.to_thread(line.recv))],
            return_when=asyncio.FIRST_COMPLETED,
        )
        if flooding.done():
            flooding.result()
        flooding.cancel()

    uvloop.run(run())
    line.send((tally.done, tally.refused))


def beside(name: str, port: int, seconds: float, played: Played) -> Tally:
    """How moves fare beside a flood, and what became of that."""
    ours, theirs = multiprocessing.get_context("spawn").Pipe()
    flooder = multiprocessing.get_context("spawn").Process(
        target=flood_until_told, args=(name, port, theirs), daemon=True
    )
    pairs = uvloop.run(gather(port))
    flooder.start()
    try:
        if not ours.poll(BEGIN_WITHIN_SEC):
            raise TimeoutError(f"{name}: the flood does not begin")
        ours.recv()
        uvloop.run(measure(port, pairs, seconds, played))
        ours.send(None)
        return Tally(*ours.recv())
    finally:
        flooder.terminate()
        flooder.join()


# --- the figures ------------------------------------------------------------------------------


def figures_of(limits: str, seconds: float, names: Iterable[str]) -> Iterator[Figure]:
    """Floods, one after the other, each on a server of its own beside its idle time."""
    for name in names:
        alone, beside_it, done = Played(), Played(), Tally()
        with server(RATE_LIMITS=limits, ABANDON_THRESHOLD_SEC="3600") as port:
            for _ in range(TURNS):
                pairs = uvloop.run(gather(port))
                uvloop.run(measure(port, pairs, seconds / TURNS, alone))
                done.add(beside(name, port, seconds / TURNS, beside_it))
        idle, flooded = alone.delays, beside_it.delays
        settings = {"limits": limits, "moves": flooded.moves}
        for label, unit, before, after in (
            ("p50", "ms", idle.half, flooded.half),
            ("p99", "ms", idle.most, flooded.most),
            ("server", "% of a core", idle.server, flooded.server),
        ):
            ratio = after / before if before else None
            yield Figure(f"{name}: {label}", after, unit, ratio, "idle", settings)
        yield Figure(f"{name}: flood", done.done / beside_it.spent, "done/s", settings=settings)
        yield Figure(f"{name}: refused", done.refused / beside_it.spent, "/s", settings=settings)


def run(options: Asked) -> list[Figure]:
    """With limits, and for comparison without."""
    if options.quick:
        return [*figures_of("on", 6.0, FLOODS)]
    return [*figures_of("on", 30.0, FLOODS), *figures_of("off", 30.0, FLOODS)]


def main() -> None:
    """Measure and print."""
    options = asked(__doc__)
    figures = run(options)
    title = f"Moves of {GAMES} games beside a flood from one address ({cores()} cores)"
    show(title, figures, as_json=options.json)


if __name__ == "__main__":
    main()
