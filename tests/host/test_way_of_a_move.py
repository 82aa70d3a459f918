"""Through how many files a Connect 4 move goes on its way from the socket and back."""

from __future__ import annotations

import asyncio
import dis
import sys
from itertools import pairwise
from pathlib import Path
from types import FrameType
from typing import Any

import parlour
from tests.host.conftest import Enter
from tests.servers.parlour import Served

SOURCE = str(Path(parlour.__file__).parent)
RESUME = dis.opmap["RESUME"]

WAY = {
    "games/api.py",
    "games/connect4/rules.py",
    "host/attendance.py",
    "host/audience.py",
    "host/host.py",
    "host/messages.py",
    "host/shown.py",
    "host/sight.py",
    "host/visitor.py",
    "microtasks.py",
    "net/frames.py",
    "net/limits.py",
    "net/line.py",
    "net/metrics.py",
    "net/session.py",
    "places.py",
    "play/deciding.py",
    "play/match.py",
    "play/presence.py",
    "play/steps.py",
    "store/change/steps.py",
    "store/sqlite/commit.py",
    "store/sqlite/moves.py",
    "store/sqlite/store.py",
    "timekeeping.py",
}
"""Not to grow: a file that only passes a move on is one more that a reader opens."""

TURNS = 73
"""How often it goes from one package to another, at most."""


class Way:
    """The calls of our own that a server makes between two frames."""

    def __init__(self) -> None:
        self.files: list[str] = []

    def __call__(self, frame: FrameType, event: str, _: Any) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(SOURCE) and _begins(frame):
            self.files.append(code.co_filename.removeprefix(f"{SOURCE}/"))

    @property
    def turns(self) -> int:
        packages = [file.partition("/")[0] for file in self.files]
        return sum(one != other for one, other in pairwise(packages))


def _begins(frame: FrameType) -> bool:
    """Whether it is called, rather than going on after it waited."""
    code, at = frame.f_code.co_code, frame.f_lasti
    return code[at] != RESUME or code[at + 1] == 0


async def traced(house: Served, enter: Enter) -> Way:
    """The third move of a game, when everything that is made once has been."""
    pair = (await enter(), await enter())
    waiting = await pair[0].asks("open", game="connect4")
    table = await pair[1].asks("join", game="connect4", code=waiting["code"])
    way, match = Way(), table["match"]

    async def trace(on: bool) -> None:
        sys.setprofile(way if on else None)

    for number in range(3):
        mover, other = pair if (table["turn"] + number) % 2 == 0 else reversed(pair)
        version = table["version"] + number
        await asyncio.to_thread(house.run, trace(number == 2))
        drop = {"type": "drop", "column": 3}
        answer = await mover.asks("act", match=match, version=version, action=drop)
        assert answer["type"] != "error", answer
        while (await other.hears("step"))["version"] != version + 1:
            pass
    await asyncio.to_thread(house.run, trace(on=False))
    return way


async def test_a_move_goes_through_few_files(house: Served, enter: Enter) -> None:
    way = await traced(house, enter)
    assert set(way.files) <= WAY
    assert way.turns <= TURNS


async def test_a_move_that_nothing_is_in_the_way_of_begins_no_task(
    house: Served, enter: Enter
) -> None:
    one, two = await enter(), await enter()
    waiting = await one.asks("open", game="connect4")
    table = await two.asks("join", game="connect4", code=waiting["code"])
    mover = (one, two)[table["turn"]]
    begun: list[str] = []

    def note(loop: asyncio.AbstractEventLoop, work: Any, **more: Any) -> asyncio.Task[Any]:
        begun.append(work.__qualname__)
        return asyncio.Task(work, loop=loop, **more)

    async def watch(factory: Any) -> None:
        asyncio.get_running_loop().set_task_factory(factory)

    await asyncio.to_thread(house.run, watch(note))
    drop = {"type": "drop", "column": 3}
    wish = {"match": table["match"], "version": table["version"], "action": drop}
    assert (await mover.asks("act", **wish))["type"] == "done"
    await asyncio.to_thread(house.run, watch(None))
    assert not [name for name in begun if name.startswith(("Session", "Visitor", "_guarded"))]
