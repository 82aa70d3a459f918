"""Bots at the table: seated like anyone, fed with the views of their seat, thinking elsewhere.

A bot's move is part of the match's deadline (`bot_at`), so it survives a restart; what the bot
remembers is rebuilt from the journal. Two processes may think about the same move: the guard on
the version lets one of them make it.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from multiprocessing import get_context
from multiprocessing.pool import Pool
from typing import TYPE_CHECKING, Any

import structlog
from msgspec import Struct

from parlour.games.api import Dice, Millis, Refused, Seat
from parlour.games.registry import AnyBot, AnyRules
from parlour.games.registry import bots as registered_bots
from parlour.play.match import Match, Update
from parlour.play.replay import replay
from parlour.store.change import StoreError

if TYPE_CHECKING:
    from parlour.play.live import Live
    from parlour.play.play import Play

log = structlog.get_logger()

BUDGET_S = 1.0
"""How long a bot may think."""

OVERRUN_S = 2.0
"""How much longer it is waited for before it is given up."""

RETRY_S = 1.0


class Job(Struct, frozen=True):
    """All a bot gets to see when it is asked to choose."""

    game: str
    bot: str
    mind: Any
    view: Any
    legal: tuple[Any, ...]
    seed: bytes
    version: int


Think = Callable[[Job], Awaitable[Any]]


def choose(job: Job) -> Any:
    """Runs where the thinking is done."""
    ends = time.monotonic() + BUDGET_S
    bot = registered_bots(job.game)[job.bot]
    dice = Dice(job.seed, job.version, b"choose")
    return bot.choose(job.mind, job.view, job.legal, dice, lambda: ends - time.monotonic())


class Thinkers:
    """Worker processes, started when first needed; should one overrun, all are replaced.

    The first workers think with the code as it is, so that nobody waits; meanwhile others prepare
    themselves, and take over when they are ready.
    """

    def __init__(
        self,
        workers: int = 1,
        choose: Callable[[Job], Any] = choose,
        patience_s: float = BUDGET_S + OVERRUN_S,
        prepare: Callable[[], object] | None = None,
    ) -> None:
        self._workers = workers
        self._choose = choose
        self.patience_s = patience_s
        self._prepare = prepare
        self._pool: Pool | None = None
        self.preparing: asyncio.Task[None] | None = None
        self._free = asyncio.Semaphore(workers)

    async def __call__(self, job: Job) -> Any:
        async with self._free:
            if self._pool is None:
                self._pool = await self._start()
                if self._prepare is not None and self.preparing is None:
                    self.preparing = asyncio.create_task(self._take_over(self._prepare))
            work = _called(self._pool, self._choose, job)
            try:
                return await asyncio.wait_for(work, self.patience_s)
            except TimeoutError:
                await self._end()
                raise

    async def _start(self, prepare: Callable[[], object] | None = None) -> Pool:
        """Workers that are ready: no thought is charged for the time that takes."""
        pool = await asyncio.to_thread(get_context("spawn").Pool, self._workers, prepare)
        try:
            await _called(pool, _awake, None)
        except BaseException:
            await asyncio.to_thread(pool.terminate)
            raise
        return pool

    async def _take_over(self, prepare: Callable[[], object]) -> None:
        prepared = await self._start(prepare)
        for _ in range(self._workers):
            await self._free.acquire()
        await self._end()
        self._pool = prepared
        for _ in range(self._workers):
            self._free.release()

    async def _end(self) -> None:
        pool, self._pool = self._pool, None
        if pool is not None:
            await asyncio.to_thread(pool.terminate)

    async def close(self) -> None:
        """End the workers, whatever they are at."""
        if self.preparing is not None:
            self.preparing.cancel()
            await asyncio.gather(self.preparing, return_exceptions=True)
        await self._end()


def _awake(_: object) -> None:
    """Asked of a worker, it is answered once this module has been loaded there."""


def _called(pool: Pool, work: Callable[[Any], Any], job: Any) -> asyncio.Future[Any]:
    """What a worker makes of a job."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[Any] = loop.create_future()

    def tell(settle: Callable[[Any], None], value: Any) -> None:
        # From the pool's own thread, and perhaps after nobody waits any more.
        loop.call_soon_threadsafe(lambda: None if done.done() else settle(value))

    pool.apply_async(
        work,
        (job,),
        callback=lambda value: tell(done.set_result, value),
        error_callback=lambda error: tell(done.set_exception, error),
    )
    return done


class Robots:
    """Which bots are to move, what they remember, and their way to the table."""

    def __init__(
        self, think: Think, bots: Callable[[str], Mapping[str, AnyBot]] = registered_bots
    ) -> None:
        self._think = think
        self._bots = bots
        self._minds: dict[str, dict[Seat, tuple[int, Any]]] = {}
        self._thinking: set[str] = set()

    def plays(self, match: Match) -> bool:
        """Whether a bot sits at a match that is being played."""
        if match.status == "active":
            for seat in match.seats:
                if seat.bot is not None:
                    return True
        return False

    def thinking(self, match: Match) -> bool:
        """Whether its bot's move is being thought about here."""
        return match.id in self._thinking

    def due(self, rules: AnyRules, match: Match, now: Millis) -> Millis | None:
        """When the bot to move will move; None if none is."""
        for seat in match.seats:
            if seat.bot is not None:
                view = rules.view(match.state, seat.seat)
                if rules.legal(view):
                    bot = self._bots(match.game)[seat.bot]
                    return now + bot.delay(view, Dice(match.seed, match.version, b"delay"))
        return None

    def hear(self, rules: AnyRules, update: Update) -> None:
        """Bots see what their seat sees, step by step."""
        match = update.after
        if not self.plays(match):
            self._minds.pop(match.id, None)
            return
        minds = self._minds.setdefault(match.id, {})
        for seat in match.seats:
            if seat.bot is None:
                continue
            bot = self._bots(match.game)[seat.bot]
            version, mind = minds.get(seat.seat, (-1, None))
            if update.entry.kind == "start":
                mind = bot.begin()
            elif version != update.before.version:
                minds.pop(seat.seat, None)
                continue
            minds[seat.seat] = (match.version, _observed(bot, rules, match, seat.seat, mind))

    def wake(self, play: Play, live: Live) -> None:
        """Have the bot that is to move think, and move."""
        if live.match.id not in self._thinking:
            self._thinking.add(live.match.id)
            play.spawn(self._move(play, live))

    async def _move(self, play: Play, live: Live) -> None:
        match = live.match
        try:
            for seat in match.seats:
                if seat.bot is None or not self.plays(match):
                    continue
                view = live.rules.view(match.state, seat.seat)
                legal = tuple(live.rules.legal(view))
                if legal:
                    await self._act(play, live, match, seat.seat, seat.bot, view, legal)
        except (StoreError, Refused) as error:
            # The match is as it was, and so is the bot's turn: come back to it in a while.
            if live.match.version == match.version:
                log.warning("bot could not move", match_id=match.id, error=repr(error))
                await asyncio.sleep(RETRY_S)
        finally:
            self._thinking.discard(match.id)
            play.arm(live)

    async def _act(
        self,
        play: Play,
        live: Live,
        match: Match,
        seat: Seat,
        name: str,
        view: Any,
        legal: tuple[Any, ...],
    ) -> None:
        mind = await self._mind(play, match, seat)
        job = Job(match.game, name, mind, view, legal, match.seed, match.version)
        dice = Dice(match.seed, match.version, b"stumble")
        try:
            action = await self._think(job)
        except Exception:
            log.exception("bot failed to choose", match_id=match.id, bot=name)
            action = dice.choice(legal)
        try:
            await play.act(match.id, seat, action, version=match.version)
        except Refused as refusal:
            if live.match.version != match.version:
                return
            log.warning("bot chose badly", match_id=match.id, bot=name, code=refusal.code)
            await play.act(match.id, seat, dice.choice(legal), version=match.version)

    async def _mind(self, play: Play, match: Match, seat: Seat) -> Any:
        """What the bot remembers, from the journal if this process did not see it all."""
        version, mind = self._minds.get(match.id, {}).get(seat, (-1, None))
        if version == match.version:
            return mind
        rules = play.rules[match.game]
        bot_name = match.seats[seat].bot
        assert bot_name is not None
        bot = self._bots(match.game)[bot_name]
        mind = bot.begin()
        for update in await replay(play.store, rules, match.id):
            if update.after.version > match.version:
                break
            if update.after.status == "active":
                mind = _observed(bot, rules, update.after, seat, mind)
        self._minds.setdefault(match.id, {})[seat] = (match.version, mind)
        return mind

    def forget(self, match_id: str) -> None:
        """The match left this process's memory."""
        self._minds.pop(match_id, None)


def _observed(bot: AnyBot, rules: AnyRules, match: Match, seat: Seat, mind: Any) -> Any:
    dice = Dice(match.seed, match.version, b"observe")
    return bot.observe(mind, rules.view(match.state, seat), dice)
