"""How long computer opponents take to answer, one alone and very many at once, and what that does
to people who play each other.

    python -m benchmarks.robots [--quick] [--json]

Server, workers and clients share all cores, as on a machine that has nothing else. People play
twenty games of Connect 4 with a move every tenth of a second (as in `flood`), by themselves and
beside the games against the computer by turns, so that what else the machine does meets both. Their
clients go before all else there, if the system lets them: elsewhere they are on machines of their
own, and here how long they wait for a processor would count as the server's delay. Those
who play the computer make any legal move, a second or two after it is their turn. An answer is the
time from the step that has the computer move until it has moved; in Quarto until it has both placed
and given. First one game of each kind is played alone.

Where cards of Memory were shown by Clairvoyance, an answer is counted from when they are hidden
again: how long they lie open is fixed by the game's document (`POWERUP_CLAIRVOYANCE_REVEAL_MS`, two
seconds), none of them can be turned over meanwhile, and who used it waits for them.

The games against the computer are two hundred against the strongest level of every game, all at
once; the full form also has two hundred of each kind by itself. It ends with 1 if an answer takes
5 s, one alone 1 s, or if moves between people take (p99) twice as long as without the computer's
games. Of the turns the middle one counts, each way.

Some disks stand still for a while now and then, whoever uses them, and whoever moves meanwhile is
the slowest hundredth of a turn. So a file of its own is synced a hundred times a second, and it is
told in how many turns one of these syncs took long, with the computer's games and without. Such
turns count as any other: where they are more often beside these games, these may be why.
"""

from __future__ import annotations

import asyncio
import gc
import multiprocessing
import os
import re
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection
from random import Random
from statistics import median, quantiles
from typing import Any, Final

import msgspec
import uvloop
from msgspec import Struct

from benchmarks.connect4_http import Pair
from benchmarks.disk import Disk
from benchmarks.flood import Delays, Played, gather, measure
from benchmarks.load import HOST, Http, Socket, cores, sharing_server
from benchmarks.report import Asked, Figure, asked, show

GAMES: Final = 200
TURNS: Final = 5
THINK_SEC: Final = (1.0, 2.0)
"""How long a person takes to move."""
STAND_BACK: Final = 5
"""Priority of those who play the computer: below server and people, above the workers."""
BEGIN_WITHIN_SEC: Final = 120.0
ALONE_SEC: Final = 10.0
FEWEST_ALONE: Final = 3
"""The first of them does not count."""
STALL_SEC: Final = 0.02
"""A sync that takes as long is worth telling."""
LONGEST_ALONE_SEC: Final = 1.0
LONGEST_SEC: Final = 5.0
MOST_SLOWED: Final = 2.0


Took = dict[str, list[float]]
"""How long answers took, by game, in seconds."""


class Level(Struct, frozen=True):
    """An opponent of a game."""

    game: str
    bot: str


async def strongest(port: int) -> list[Level]:
    """The strongest of every game that has any."""
    http = await Http.open(port)
    listed = await http.call("GET", "/api/play/games")
    http.close()
    return [
        Level(game["key"], game["opponents"][-1]["name"]) for game in listed if game["opponents"]
    ]


# --- who plays the computer -------------------------------------------------------------------


class Opponent:
    """Somebody who plays the computer game after game, and takes the time of its answers."""

    def __init__(self, level: Level, seed: int, took: Took) -> None:
        self._level = level
        self._random = Random(seed)
        self._took = took.setdefault(level.game, [])
        self._socket: Socket | None = None
        self._asked_at: float | None = None
        """Since when the computer is to move."""
        self._standing: dict[str, Any] = {}
        self.answers = 0

    async def sit_down(self, port: int, token: str) -> None:
        """Begin to play."""
        self._socket = await Socket.open(port, "/ws/play", token, self._hear)
        self._begin()

    def _begin(self) -> None:
        self._asked_at = None
        self._say(type="play_bot", game=self._level.game, bot=self._level.bot, seat=0)

    def _say(self, **message: Any) -> None:
        assert self._socket is not None
        self._socket.send(_frame(msgspec.json.encode(message)))

    def _hear(self, text: bytes) -> None:
        heard = msgspec.json.decode(text)
        if heard["type"] in ("table", "step"):
            self._see(heard)
        elif heard["type"] == "error":
            # Something else was legal only by what the view tells: try another one.
            self._later(self._move)

    def _see(self, standing: dict[str, Any]) -> None:
        now = time.perf_counter()
        self._standing = standing
        mine = bool(standing["legal"]) and standing["turn"] in (0, None)
        moved = standing.get("kind") == "act" and standing.get("by") == 1
        if moved and self._asked_at is not None and not self._goes_on(standing):
            self._took.append(now - self._asked_at)
            self.answers += 1
            self._asked_at = None
        if standing["turn"] != 1:
            self._asked_at = None  # it was to move, and the time for that has passed
        elif self._asked_at is None or standing.get("kind") == "expire":
            self._asked_at = now  # it is to move; or cards that were shown for a while are hidden
        if standing["status"] != "active":
            self._later(self._begin)
        elif mine:
            self._later(self._move)

    def _goes_on(self, standing: dict[str, Any]) -> bool:
        """Whether its answer is not whole yet."""
        return (
            self._level.game == "quarto"
            and standing["status"] == "active"
            and standing["turn"] == 1
        )

    def _later(self, act: Callable[[], None]) -> None:
        def unless_closed() -> None:
            if self._socket is not None and not self._socket.closed:
                act()

        asyncio.get_running_loop().call_later(self._random.uniform(*THINK_SEC), unless_closed)

    def _move(self) -> None:
        standing = self._standing
        if standing["legal"]:
            self._say(
                type="act",
                match=standing["match"],
                version=standing["version"],
                action=self._random.choice(standing["legal"]),
            )

    def leave(self) -> None:
        """Get up."""
        if self._socket is not None:
            self._socket.closed = True
            self._socket.close()


def _frame(text: bytes) -> bytes:
    """A text message of a client; its mask is all zeros, which changes nothing."""
    size = len(text)
    head = (
        bytes((0x81, 0x80 | size)) if size < 126 else bytes((0x81, 0xFE)) + size.to_bytes(2, "big")
    )
    return head + b"\0\0\0\0" + text


async def play(port: int, levels: Sequence[Level], took: Took) -> list[Opponent]:
    """One against each of these."""
    http = await Http.open(port)
    opponents = []
    for number, level in enumerate(levels):
        token = (await http.call("POST", "/api/auth/guest"))["token"]
        opponent = Opponent(level, number, took)
        await opponent.sit_down(port, token)
        opponents.append(opponent)
    http.close()
    return opponents


def play_until_told(port: int, levels: Sequence[Level], line: Connection) -> None:
    """The process that plays the computer: begins, waits for a word, and tells its times."""
    os.nice(STAND_BACK)
    gc.disable()  # after a pause for the players' garbage all would move at once

    async def run() -> Took:
        took: Took = {}
        opponents = await play(port, levels, took)
        while not all(opponent.answers for opponent in opponents):  # noqa: ASYNC110 -- counts do not call
            await asyncio.sleep(0.05)
        line.send(None)
        await asyncio.to_thread(line.recv)
        for opponent in opponents:
            opponent.leave()
        return took

    line.send(uvloop.run(run()))


async def alone(port: int, level: Level, seconds: float) -> list[float]:
    """The answers of one, with nobody else there; for longer where there are few of them."""
    took: Took = {}
    (opponent,) = await play(port, [level], took)
    await asyncio.sleep(seconds)
    async with asyncio.timeout(BEGIN_WITHIN_SEC):
        while opponent.answers < FEWEST_ALONE:  # noqa: ASYNC110 -- counts do not call
            await asyncio.sleep(0.05)
    opponent.leave()
    return took[level.game]


# --- the figures ------------------------------------------------------------------------------


class Judged(Struct):
    """The figures, and what must not be among them."""

    figures: list[Figure] = []
    broken: list[str] = []

    def add(self, name: str, value: float, most: float, **told: Any) -> None:
        """One that may not be that much."""
        self.figures.append(Figure(name, value, **told))
        if value >= most:
            self.broken.append(f"{name}: {value:.2f}, and should be below {most}")


def parts(took: Sequence[float]) -> tuple[float, float, float]:
    """p50, p99 and the longest, in seconds."""
    if len(took) < 2:
        return (took[0],) * 3 if took else (0.0,) * 3
    cuts = quantiles(took, n=100, method="inclusive")
    return cuts[49], cuts[98], max(took)


async def unsearched(port: int) -> tuple[float, float]:
    """How many moves were made without search so far, and how many with it."""
    http = await Http.open(port)
    _, page = await http.send(f"GET /metrics HTTP/1.1\r\nHost: {HOST}\r\n\r\n".encode())
    http.close()
    without = re.findall(rb"^parlour_moves_without_search_total\S* (\S+)", page, re.MULTILINE)
    thoughts = re.findall(rb"^parlour_thought_seconds_count (\S+)", page, re.MULTILINE)
    return sum(map(float, without)), sum(map(float, thoughts))


def played(port: int, pairs: list[Pair], seconds: float, disk: Disk) -> Turn:
    """How people's moves fare."""
    people = Played()
    disk.longest()
    with going_first():
        uvloop.run(measure(port, pairs, seconds, people))
    return Turn(people.delays, disk.longest() >= STALL_SEC)


def beside(
    port: int, levels: Sequence[Level], seconds: float, disk: Disk
) -> tuple[Turn, Took, float]:
    """The same beside these games; and the computer's times, and moves unsearched."""
    ours, theirs = multiprocessing.get_context("spawn").Pipe()
    process = multiprocessing.get_context("spawn").Process(
        target=play_until_told, args=(port, levels, theirs), daemon=True
    )
    pairs = uvloop.run(gather(port))
    process.start()
    try:
        if not ours.poll(BEGIN_WITHIN_SEC):
            raise TimeoutError("the computer does not answer everybody")
        ours.recv()
        before = uvloop.run(unsearched(port))
        turn = played(port, pairs, seconds, disk)
        after = uvloop.run(unsearched(port))
        ours.send(None)
        if not ours.poll(BEGIN_WITHIN_SEC):
            raise TimeoutError("those who play the computer do not end")
        made = sum(after) - sum(before)
        return turn, ours.recv(), (after[0] - before[0]) / made if made else 0.0
    finally:
        process.terminate()
        process.join()


@contextmanager
def going_first() -> Iterator[None]:
    """This thread runs as soon as it has anything to do; not what it starts, and not for long."""
    if hasattr(os, "SCHED_FIFO"):
        with suppress(PermissionError):
            first = os.SCHED_FIFO | os.SCHED_RESET_ON_FORK
            os.sched_setscheduler(0, first, os.sched_param(1))
    try:
        yield
    finally:
        if hasattr(os, "SCHED_FIFO"):
            os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))


def crowded(port: int, name: str, levels: Sequence[Level], seconds: float, judged: Judged) -> None:
    """So many games at once, and people beside them."""
    took: Took = {level.game: [] for level in levels}
    unthought: list[float] = []

    idle: list[Turn] = []
    busy: list[Turn] = []
    with Disk() as disk:
        for _ in range(TURNS):
            pairs = uvloop.run(gather(port))
            idle.append(played(port, pairs, seconds / TURNS, disk))
            turn, times, without = beside(port, levels, seconds / TURNS, disk)
            busy.append(turn)
            for game, more in times.items():
                took[game] += more
            unthought.append(without)
    for game, answers in took.items():
        half, most, longest = parts(answers)
        settings = {"games": len(levels), "answers": len(answers)}
        for label, value in (("p50", half), ("p99", most)):
            figure = Figure(f"{name}: {game} answers, {label}", value, "s", settings=settings)
            judged.figures.append(figure)
        longest_name = f"{name}: {game} answers, longest"
        judged.add(longest_name, longest, LONGEST_SEC, unit="s", settings=settings)
    share = sum(unthought) / len(unthought) * 100
    judged.figures.append(Figure(f"{name}: without search", share, "% of moves"))
    usual, now = middle(idle), middle(busy)
    used = {
        "server, % of a core": f"{usual.server:.0f} idle, {now.server:.0f} now",
        f"turns of {TURNS} with a slow disk": f"{stalled(idle)} idle, {stalled(busy)} now",
    }
    for label, one, other in (("p50", usual.half, now.half), ("p99", usual.most, now.most)):
        people = f"{name}: people's moves, {label}"
        judged.figures.append(Figure(people, other, "ms", other / one, "idle", used))
    judged.add(f"{name}: people's p99 slowed", now.most / usual.most, MOST_SLOWED, unit="times")


class Turn(Struct, frozen=True):
    """How people's moves fared for a while."""

    delays: Delays
    stalled: bool
    """Whether the disk stood still meanwhile."""


def stalled(turns: Sequence[Turn]) -> int:
    """In how many of them the disk did."""
    return sum(turn.stalled for turn in turns)


def middle(turns: Sequence[Turn]) -> Delays:
    """Of each figure the middle one."""
    delays = [turn.delays for turn in turns]
    return Delays(
        half=median(each.half for each in delays),
        most=median(each.most for each in delays),
        server=median(each.server for each in delays),
        moves=sum(each.moves for each in delays),
    )


def crowds(levels: Sequence[Level], *, quick: bool) -> Iterator[tuple[str, list[Level]]]:
    """What is played at once."""
    yield "every kind at once", [level for _ in range(GAMES) for level in levels]
    if not quick:
        for level in levels:
            yield f"{level.game} {level.bot}", [level] * GAMES


def run(options: Asked) -> Judged:
    """Alone, then crowded."""
    judged = Judged()
    settings = {"RATE_LIMITS": "off", "ABANDON_THRESHOLD_SEC": "3600"}
    with sharing_server(**settings) as port:
        levels = uvloop.run(strongest(port))
        for level in levels:
            took = uvloop.run(alone(port, level, ALONE_SEC / (2 if options.quick else 1)))
            *_, longest = parts(took[1:])  # the first has the workers start
            name = f"{level.game} {level.bot}, alone: answer, longest"
            answers = {"answers": len(took)}
            judged.add(name, longest, LONGEST_ALONE_SEC, unit="s", settings=answers)
        for name, crowd in crowds(levels, quick=options.quick):
            crowded(port, name, crowd, 9.0 if options.quick else 30.0, judged)
    return judged


def main() -> None:
    """Measure, print, judge."""
    options = asked(__doc__)
    judged = run(options)
    title = f"Computer opponents, many at once ({cores()} cores)"
    show(title, judged.figures, as_json=options.json)
    for broken in judged.broken:
        print(broken, file=sys.stderr)
    raise SystemExit(1 if judged.broken else 0)


if __name__ == "__main__":
    main()
