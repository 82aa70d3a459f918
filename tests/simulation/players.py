"""People who play whatever comes, badly and with a bad connection."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import TYPE_CHECKING, Any, TypeVar

from parlour.games.api import Refused
from parlour.games.connect4.rules import Claim, Drop
from parlour.games.connect_five.table import Purchase
from parlour.games.memory.rules import Flip, Leave
from parlour.games.quarto.rules import Call
from parlour.play.challenges import Terms
from parlour.play.match import Match, Update
from parlour.play.play import Gone
from parlour.play.queue import AlreadyQueued
from parlour.play.seating import Busy, Player
from parlour.store.change import (
    ChallengeRow,
    Conflict,
    InsufficientFunds,
    StoreError,
    Taken,
    UserRow,
)
from tests.simulation.auditor import Stream

if TYPE_CHECKING:
    from tests.simulation.world import Process, World

T = TypeVar("T")

PATIENCE_S = 10.0
"""How long anyone waits for an answer before taking the process for dead."""

STEPS = 400
TIME_LIMIT_S = 60

NONSENSE = {
    "connect4": (Drop(9), Drop(-1), Claim()),
    "memory": (Flip(99), Flip(0), Leave()),
    "quarto": (Call(),),
    "connect_five": (Purchase("BOMB", 1_000_000),),
}

Expected = (Refused, Gone, Busy, AlreadyQueued, StoreError)


class NoAnswer(Exception):
    """The process died, or might as well have."""


class Person:
    """One user, at one thing at a time."""

    def __init__(self, world: World, user: UserRow) -> None:
        self.world = world
        self.user = user
        self.random = world.random
        self.process: Process | None = None
        self.connection: str | None = None

    async def live(self) -> None:
        """Sit down somewhere, play, begin again."""
        ways = (self._connect4, self._memory, self._quarto, self._connect_five)
        while not self.world.over:
            await asyncio.sleep(self.random.expovariate(1))
            self.process = self.world.any_process()
            if self.process is None:
                continue
            self.connection = f"{self.user.id}-{self.random.getrandbits(40):x}"
            try:
                match = await self.random.choice(ways)()
                if match is not None:
                    await self._play(match)
            except (*Expected, NoAnswer):
                continue

    @property
    def kernel(self) -> Any:
        assert self.process is not None
        return self.process.kernel

    async def _answer(self, work: Awaitable[T]) -> T:
        """What a process answers, if it does."""
        try:
            return await asyncio.wait_for(work, PATIENCE_S)
        except TimeoutError:
            raise NoAnswer from None

    # --- sitting down -----------------------------------------------------------------------

    def _as_player(self, *, connected: bool = False) -> Player:
        return Player(
            name=self.user.username,
            user_id=self.user.id,
            connection=self.connection if connected else None,
            process_id=self.kernel.play.process_id if connected else None,
        )

    async def _connect4(self) -> Match | None:
        if self.random.random() < 0.5:
            return await self._queue("connect4")
        seating = self.kernel.seating
        return await self._room("connect4", seating, None, connected=False)

    async def _memory(self) -> Match | None:
        """With a line over which the wait ends; who loses patience looks for a match."""
        told: asyncio.Future[Match] = asyncio.get_running_loop().create_future()

        def matched(match: Match) -> None:
            if not told.done():
                told.set_result(match)

        queue, player = self.kernel.queue, self._as_player(connected=True)
        try:
            found = await self._answer(queue.join("memory", player, matched))
        except Busy as busy:
            return busy.match if busy.user_id == self.user.id else None
        if isinstance(found, Match):
            return found
        await asyncio.wait([told], timeout=self.random.uniform(5, 40))
        if told.done():
            return told.result()
        if await self._answer(queue.drop(found)):
            return None
        return await self._answer(self.kernel.play.open_match_of("memory", self.user.id))

    async def _queue(self, game: str) -> Match | None:
        """By asking again and again."""
        try:
            found = await self._answer(self.kernel.queue.join(game, self._as_player()))
        except Busy as busy:
            return busy.match if busy.user_id == self.user.id else None
        for _ in range(20):
            if isinstance(found, Match):
                return found
            await asyncio.sleep(self.random.uniform(1, 3))
            found = await self._answer(self.kernel.queue.poll(game, self.user.id))
            if found is None:
                found = await self._answer(self.kernel.play.open_match_of(game, self.user.id))
        await self._answer(self.kernel.queue.leave(game, self.user.id))
        return None

    async def _quarto(self) -> Match | None:
        code = self.kernel.play.chance.word(6)
        return await self._room("quarto", self.kernel.seating, code, connected=True)

    async def _room(
        self, game: str, seating: Any, code: str | None, *, connected: bool
    ) -> Match | None:
        waiting = [room for room in self.world.rooms if room.startswith(f"{game}:")]
        player = self._as_player(connected=connected)
        if waiting and self.random.random() < 0.7:
            room = self.random.choice(waiting)
            self.world.rooms.remove(room)
            match = await self._answer(self.kernel.play.find_code(game, room.partition(":")[2]))
            if match is None:
                return None
            update: Update = await self._answer(seating.join(match.id, player))
            self.world.auditor.acknowledged(update)
            return update.after
        opened: Match = await self._answer(seating.open(game, player, code=code))
        self.world.rooms.append(f"{game}:{opened.code}")
        for _ in range(15):
            await asyncio.sleep(2)
            now = await self._answer(self.kernel.play.find(opened.id))
            if now is None or now.status != "waiting":
                return now  # type: ignore[no-any-return]
        await self._answer(seating.cancel(opened.id, 0))
        return None

    async def _connect_five(self) -> Match | None:
        challenges = self.kernel.challenges
        mine = [room for room in self.world.rooms if room.startswith(f"challenge:{self.user.id}:")]
        if mine:
            self.world.rooms.remove(mine[0])
            challenge_id = mine[0].rpartition(":")[2]
            if self.random.random() < 0.1:
                await self._answer(challenges.cancel(challenge_id))
                return None
            _, match = await self._answer(challenges.accept(challenge_id, _both))
            return match  # type: ignore[no-any-return]
        others = [n for n in range(6) if self.user.id != f"user-person{n}"]
        opponent = f"user-person{self.random.choice(others)}"
        terms = Terms(self.random.choice((0, 5, 400, 2000)), 50, TIME_LIMIT_S)
        try:
            challenge: ChallengeRow = await self._answer(
                challenges.create("connect_five", self.user.id, opponent, terms, 60_000)
            )
        except InsufficientFunds:
            return None
        self.world.rooms.append(f"challenge:{opponent}:{challenge.id}")
        for _ in range(35):
            await asyncio.sleep(2)
            now = await self._answer(challenges.find(challenge.id))
            if now is not None and now.status != "pending":
                break
        if now is None or now.match_id is None:
            return None
        return await self._answer(self.kernel.play.find(now.match_id))

    # --- playing ----------------------------------------------------------------------------

    async def _play(self, match: Match) -> None:
        seat = match.seat_of(self.user.id)
        if seat is None:
            return
        stream = Stream(self.world.auditor, seat)
        held = match.game in ("memory", "quarto")
        for _ in range(STEPS):
            await asyncio.sleep(self.random.expovariate(2))
            try:
                if stream.last is None or not self.process or not self.process.alive:
                    self.process = self.world.any_process()
                    if self.process is None:
                        continue
                    stream = await self._connect(match, seat, held)
                if not await self._once(match, seat):
                    break
                if held and self.random.random() < 0.02:
                    await self._vanish(match, seat, stream)
                    stream = Stream(self.world.auditor, seat)
            except NoAnswer:
                stream = Stream(self.world.auditor, seat)
            except (Gone, Busy):
                return
            except StoreError:
                continue
            if self.world.over:
                break
        if self.process is not None and self.process.alive:
            self.kernel.play.unwatch(match.id, stream)

    async def _connect(self, match: Match, seat: int, held: bool) -> Stream:
        stream = Stream(self.world.auditor, seat)
        stream.begin(await self._answer(self.kernel.play.watch(match.id, stream)))
        if held:
            self.connection = f"{self.user.id}-{self.random.getrandbits(40):x}"
            await self._answer(
                self.kernel.presence.arrive(match.id, seat, self.connection, lambda: None)
            )
        return stream

    async def _vanish(self, match: Match, seat: int, stream: Stream) -> None:
        self.kernel.play.unwatch(match.id, stream)
        await self._answer(self.kernel.presence.depart(match.id, seat, self.connection))
        if self.random.random() < 0.2:
            await asyncio.sleep(60)
        else:
            await asyncio.sleep(self.random.uniform(0, 30))

    async def _once(self, match: Match, seat: int) -> bool:
        """One action, sensible or not; False when the game is over."""
        now: Match | None = await self._answer(self.kernel.play.find(match.id))
        if now is None or now.over:
            await self._again(now, seat)
            return False
        if now.status != "active":
            return True
        rules = self.kernel.play.rules[match.game]
        legal = tuple(rules.legal(rules.view(now.state, seat)))
        if self.random.random() < 0.03:
            legal = NONSENSE[match.game]
        if not legal:
            return True
        action = self.random.choice(legal)
        try:
            update = await self._answer(self.kernel.play.act(match.id, seat, action))
        except (Refused, Conflict, InsufficientFunds, Taken):
            return True
        except (StoreError, NoAnswer):
            self.world.auditor.unanswered(match.id, seat)
            raise
        self.world.auditor.acted(match.id, seat)
        self.world.auditor.acknowledged(update)
        return True

    async def _again(self, match: Match | None, seat: int) -> None:
        rematches = match is not None and match.game in ("connect4", "quarto")
        if match is None or not rematches or self.random.random() < 0.5:
            return
        swap = match.game == "connect4"
        new = await self._answer(
            self.kernel.seating.rematch(match.id, seat, swap=swap, keep_code=not swap)
        )
        if new is not None and self.random.random() < 0.9:
            await self._play(new)


def _both(challenge: ChallengeRow) -> tuple[Player, Player]:
    return (
        Player(name=challenge.challenger_id, user_id=challenge.challenger_id),
        Player(name=challenge.opponent_id, user_id=challenge.opponent_id),
    )
