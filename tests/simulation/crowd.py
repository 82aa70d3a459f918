"""So many at once that every limit on what is done in one go is passed, of any game.

A crowd opens rooms and sits in them, queues, and challenges each other; then the process that
holds all of it dies, and another one has to see to everything in portions.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from parlour.games.connect_five.terms import Terms
from tests.simulation.people import REFUSALS, Person
from tests.simulation.players.anything import CHALLENGE_MS, TIME_LIMIT_S, Sitting
from tests.simulation.process import NoAnswer

if TYPE_CHECKING:
    from tests.simulation.world import World

ROOMS = 900
"""More than there are ids in a statement, in all; and more than a round reaps or sweeps."""
TICKETS = 260
"""More than share a transaction."""
CHALLENGES = 300
"""More than a round expires, though some of them come to nothing."""

RECOVERY_S = 16.0
"""By then the lease of the dead has run out, and their seats have been taken back."""
AWAY_S = 25.0
"""Then nobody is there until everything is overdue."""


class Crowd:
    """All of them come at once."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._people = [Person(world, f"crowd{n}") for n in range(ROOMS)]

    async def come(self) -> None:
        """Sit down everywhere, and have the ground pulled from under one's feet."""
        world = self._world
        games = tuple(world.rules)
        await self._all(lambda person: person.user(), self._people)
        await self._all(
            lambda person: self._open(person, games[int(person.name[5:]) % len(games)]),
            self._people,
        )
        await asyncio.sleep(4)  # they are watched: their process looks whether all is as it thinks
        challenged = [game for game in games if world.policies[game].stakes]
        for game in challenged:
            await self._all(
                lambda person, game=game: self._challenge(person, game),  # type: ignore[misc]
                self._people[:CHALLENGES],
            )
        queued = [game for game in games if not world.policies[game].stakes]
        queueing = asyncio.gather(
            *(
                self._refusable(self._queue(person, queued[0]))
                for person in (Person(world, f"queue{n}") for n in range(TICKETS))
            )
        )
        await self._until(lambda: self._count("ticket") >= TICKETS - 40)
        self._blow()
        await queueing
        await asyncio.sleep(RECOVERY_S)
        world.closed = True
        self._blow()
        await asyncio.sleep(AWAY_S)
        world.closed = False

    def _blow(self) -> None:
        for process in self._world.processes:
            process.die()

    async def _all(self, work: Callable[[Person], Awaitable[object]], people: list[Person]) -> None:
        await asyncio.gather(*(self._refusable(work(person)) for person in people))

    async def _refusable(self, work: Awaitable[object]) -> None:
        with suppress(*REFUSALS, NoAnswer):
            await work

    async def _open(self, person: Person, game: str) -> None:
        """A room, held by a connection and watched."""
        process = person.process()
        who = Sitting(person, game, process)
        player = await who.as_player(connected=True)
        match = await process.ask(process.kernel.seating.open(game, player))
        await process.ask(
            process.kernel.connections.arrive(match.id, 0, who.connection, lambda: None)
        )

    async def _challenge(self, person: Person, game: str) -> None:
        user, process = await person.user(), person.process()
        others = self._world.known_users()
        opponent = person.random.choice([other for other in others if other != user.id])
        terms = Terms(5, 50, TIME_LIMIT_S)
        create = process.kernel.challenges.create(game, user.id, opponent, terms, CHALLENGE_MS)
        await process.ask(create)

    async def _queue(self, person: Person, game: str) -> None:
        process = person.process()
        who = Sitting(person, game, process)
        player = await who.as_player(connected=False)
        await process.ask(process.kernel.queue.join(game, player))

    def _count(self, table: str) -> int:
        found = self._world.disk.connection.execute(f"SELECT count(*) FROM {table}")  # noqa: S608
        count: int = found.fetchone()[0]
        return count

    async def _until(self, true: Callable[[], bool]) -> None:
        for _ in range(1000):
            if true():
                return
            await asyncio.sleep(0.001)
