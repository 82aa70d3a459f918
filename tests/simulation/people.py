"""People who play whatever comes, badly, impatiently and with a bad connection."""

from __future__ import annotations

import asyncio
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Protocol, cast

from parlour.games.api import Refused
from parlour.net.drf import Rejected
from parlour.net.errors import Problem
from parlour.play.match import Gone
from parlour.play.player import Busy
from parlour.play.queue import AlreadyQueued
from parlour.store.change import StoreError, UserRow
from tests.simulation.line import HungUp, Line
from tests.simulation.players import anything
from tests.simulation.process import NoAnswer, Process

if TYPE_CHECKING:
    from tests.simulation.world import World

REFUSALS = (Refused, Gone, Busy, AlreadyQueued, StoreError, Problem, Rejected)
"""What somebody may be told instead of an answer. Anything else is a bug."""


class Client(Protocol):
    """How a game is played by its own surface: a module of `players`, found by the game's name."""

    async def play(self, person: Person) -> None:
        """Sit down somewhere and play, with whatever comes of it."""
        ...


@cache
def client_of(game: str) -> Client | None:
    """None: this game has no surface, or none that anybody here can use."""
    name = f"{anything.__name__.rpartition('.')[0]}.{game}"
    return cast("Client", import_module(name)) if find_spec(name) else None


class Person:
    """One user, at one thing at a time."""

    def __init__(self, world: World, name: str) -> None:
        self.world = world
        self.name = name
        self.random = world.random
        self.tally = world.tally
        self.auditor = world.auditor
        self._pace = self.random.choice((0.003, 0.01, 0.05))
        self.known: UserRow | None = None
        """Who this is to the server, once that has been said."""

    async def live(self) -> None:
        """Sit down somewhere, play, begin again."""
        games = tuple(self.world.rules)
        while not self.world.over:
            await self.pause(4)
            game = self.random.choice(games)
            client = None if game in self.world.by_kernel else client_of(game)
            try:
                if client is None:
                    await anything.play(self, game)
                else:
                    await client.play(self)
            except REFUSALS:
                self.tally["turned away"] += 1
            except (NoAnswer, HungUp):
                self.tally["nobody there"] += 1
                await asyncio.sleep(self.random.uniform(0.2, 1.0))

    async def pause(self, times: float = 1.0) -> None:
        """As long as it takes this person to think."""
        await asyncio.sleep(self.random.expovariate(1 / (times * self._pace)))

    def process(self) -> Process:
        """Wherever a request happens to land."""
        process = self.world.any_process()
        if process is None:
            raise NoAnswer
        return process

    async def user(self) -> UserRow:
        """Who this is to the server."""
        if self.known is None:
            self.known = await self.process().sign_in(self.name)
        return self.known

    @property
    def username(self) -> str:
        """What others see."""
        return self.known.username if self.known is not None else self.name

    async def request(self, route: str, **parts: Any) -> Any:
        """Ask any process for something."""
        return await self.process().request(route, await self.user(), **parts)

    def connect(self, path: str, **params: str) -> Line:
        """Open a socket to any process."""
        line = self.process().connect(path, **params)
        if self.world.suspicious:
            line.heard = self.auditor.overhear(self.name)
        self.world.lines.append(line)
        return line

    def stumble(self, line: Line) -> bool:
        """Maybe lose the connection, which the server may notice only much later."""
        if line.code is None and self.random.random() < self.world.cut:
            self.tally["cut"] += 1
            line.cut(self.random.choice((0.0, 0.0, 1.0, 8.0)))
            return True
        return False
