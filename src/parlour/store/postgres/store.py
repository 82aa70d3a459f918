"""The store in PostgreSQL: many players' moves share a statement, all else has a transaction."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from functools import partial
from typing import Any, TypeVar

import asyncpg
import structlog
from sqlalchemy import BigInteger, Executable, cast, extract, func, make_url, select

from parlour.games.api import Millis
from parlour.places import Places
from parlour.store.api import READ_LIMIT_S, Answer, Record, Store, resolve
from parlour.store.change import Change, Conflict, JournalRow, StoreError, Unavailable
from parlour.store.change.steps import is_move, is_purchase, steps
from parlour.store.migrate import migrate
from parlour.store.postgres.apart import Apart, persist
from parlour.store.postgres.connection import Held, fetch
from parlour.store.postgres.moves import move
from parlour.store.texts import Texts

CONNECTIONS = 8
"""For moves and queries,"""
APART = 8
"""… and so many for changes that are more than a move."""
GROUPS = 3
"""So many groups of moves may be under way; more of them would only be smaller ones."""
GROUP_LIMIT = 250
"""So many moves share a statement at most."""
TURNS_TO_ANSWER = 3
"""So many turns of the loop pass until those who were told of a group have been heard again."""
LISTS = 4
"""So many lists may be read at once, whoever else asks for one."""
TIMEOUT_S = 30.0

_TIME = select(
    cast(func.floor(extract("epoch", func.clock_timestamp()) * 1000), BigInteger).label("now")
)

log = structlog.get_logger()

TEXTS = Texts(make_url("postgresql+asyncpg://").get_dialect()())

T = TypeVar("T")
Waiting = tuple[Change, Answer]


class PostgresStore(Store):
    """A change that was handed over is made or refused, whatever becomes of who asked for it."""

    def __init__(self, url: str) -> None:
        super().__init__(TEXTS)
        self._url = url
        self._pool: Any = None
        self._open = False
        self._loop: asyncio.AbstractEventLoop
        self._apart: Apart
        self._lists = Places(LISTS)
        self._tasks: set[asyncio.Task[None]] = set()
        self._moves: list[Waiting] = []
        self._groups = 0
        self._under_way = 0
        """So many moves are in them, or were in one whose players may be about to answer."""
        self._group_begins = False
        """One more group is about to take what waits."""

    async def start(self) -> None:
        await migrate(self._url)
        self._pool = await self._open_pool(CONNECTIONS)
        self._loop = asyncio.get_running_loop()
        # All that is changed is found by its key, and plans are kept from when tables were empty.
        self._apart = Apart(partial(self._open_pool, enable_seqscan="off"), APART)
        await self._apart.start()
        self._open = True

    async def _open_pool(self, connections: int, **settings: str) -> Any:
        return await asyncpg.create_pool(
            self._url,
            min_size=1,
            max_size=connections,
            command_timeout=TIMEOUT_S,
            statement_cache_size=500,
            reset=_leave_clean,
            server_settings={
                "application_name": "parlour",
                "default_transaction_isolation": "read committed",
                "jit": "off",
                **settings,
            },
        )

    async def close(self) -> None:
        if not self._open:
            return
        self._open = False
        while self._tasks:
            await asyncio.wait(self._tasks)
        await self._apart.close()
        await self._pool.close()

    async def commit(self, change: Change) -> None:
        async with self._places:
            if not self._open:
                raise Unavailable("the store is closed")
            if is_move(change):
                done: asyncio.Future[None] = self._loop.create_future()
                self._join_group(change, partial(resolve, done))
                await done
            else:
                await self._alone(change)

    def submit(self, change: Change, answer: Answer) -> bool:
        if not self._open or not self._places.take():
            return False
        leave = partial(self._leave, answer)
        if is_move(change):
            self._join_group(change, leave)
        else:
            self._hand_over(change, leave)
        return True

    def _hand_over(self, change: Change, answer: Answer) -> None:
        """A change that is more than a move."""
        make = self._apart.share if is_purchase(change) else self._apart.submit
        make(steps(change), answer)

    def _leave(self, answer: Answer, error: Exception | None) -> None:
        self._places.leave()
        answer(error)

    async def rows(self, query: Executable, /, **params: Any) -> Sequence[Record]:
        if not self._open:
            raise Unavailable("the store is closed")
        sql, values = self.compiled(query, params)
        return await self._persist(lambda connection: fetch(connection, sql, values))

    async def list_rows(self, query: Executable, /, **params: Any) -> Sequence[Record]:
        if not self._open:
            raise Unavailable("the store is closed")
        sql, values = self.compiled(query, params)
        async with self._lists:
            return await self._persist(
                lambda connection: fetch(connection, sql, values, READ_LIMIT_S)
            )

    async def time(self) -> Millis:
        (row,) = await self.rows(_TIME)
        now: Millis = row["now"]
        return now

    async def _alone(self, change: Change) -> None:
        done: asyncio.Future[None] = self._loop.create_future()
        self._hand_over(change, partial(resolve, done))
        await done

    async def _persist(self, work: Callable[[Any], Awaitable[T]]) -> T:
        return await persist(self._pool, work)

    def _spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = self._loop.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    # --- moves together -----------------------------------------------------------------------

    def _join_group(self, change: Change, answer: Answer) -> None:
        self._moves.append((change, answer))
        self._begin_group()

    def _begin_group(self) -> None:
        """It takes all that has come by the next turn of the loop."""
        if not self._group_begins and self._groups < GROUPS and self._enough():
            self._group_begins = True
            self._groups += 1
            self._spawn(self._make_groups())

    def _enough(self) -> bool:
        """Whether as many wait as are in groups under way; fewer wait until one of these ends."""
        waiting = len(self._moves)
        return waiting > 0 and waiting >= self._under_way

    async def _make_groups(self) -> None:
        self._group_begins = False
        held = Held(self._pool)
        try:
            while self._enough():
                group = self._take_group()
                self._under_way += len(group)
                if self._moves:
                    self._begin_group()
                try:
                    await self._make_and_tell(held, group)
                    if len(group) > 1:  # a lone player waits for nobody
                        for _ in range(TURNS_TO_ANSWER):
                            await asyncio.sleep(0)
                finally:
                    self._under_way -= len(group)
        finally:
            self._groups -= 1
            self._begin_group()  # should it have failed, others may have waited for its end
            await held.give_back()

    async def _make_and_tell(self, held: Held, group: dict[str, Waiting]) -> None:
        """Make the moves of a group, and answer each."""
        moves = {match_id: change for match_id, (change, _) in group.items()}
        answers = {match_id: answer for match_id, (_, answer) in group.items()}
        try:
            errors: Mapping[str, Exception] = await self._make_group(held, moves)
        except Exception as error:
            _tell_all(answers, dict.fromkeys(answers, error))
            raise
        except asyncio.CancelledError:
            _tell_all(answers, dict.fromkeys(answers, Unavailable("given up")))
            raise
        _tell_all(answers, errors)

    def _take_group(self) -> dict[str, Waiting]:
        """What waits, but of each match only the first, by match."""
        group: dict[str, Waiting] = {}
        left: list[Waiting] = []
        for waiting in self._moves:
            entry = waiting[0].writes[0]
            assert isinstance(entry, JournalRow)
            if entry.match_id in group or len(group) == GROUP_LIMIT:
                left.append(waiting)
            else:
                group[entry.match_id] = waiting
        self._moves = left
        # All groups take their rows in the same order, and so never wait for each other in a ring.
        return dict(sorted(group.items()))

    async def _make_group(self, held: Held, moves: dict[str, Change]) -> Mapping[str, StoreError]:
        """Make the moves; what went wrong with which."""
        try:
            moved = await persist(held, lambda connection: move(connection, moves))
        except Unavailable as error:
            return {match_id: Unavailable(str(error)) for match_id in moves}
        except StoreError:
            # The database refused one of them, and therefore all: find out which.
            return await self._make_each(moves)
        if len(moved) == len(moves):
            return {}
        return {match_id: Conflict() for match_id in moves.keys() - moved}

    async def _make_each(self, moves: dict[str, Change]) -> dict[str, StoreError]:
        errors: dict[str, StoreError] = {}
        for match_id, change in moves.items():
            try:
                await self._alone(change)
            except StoreError as error:
                errors[match_id] = error
        return errors


def _tell_all(answers: Mapping[str, Answer], errors: Mapping[str, Exception]) -> None:
    for match_id, answer in answers.items():
        try:
            answer(errors.get(match_id))
        except Exception:  # it keeps nobody else from hearing
            log.exception("answer failed")


async def _leave_clean(connection: Any) -> None:
    """Nothing to reset but a transaction that was cut short: sessions are never changed."""
    if connection.is_in_transaction():
        await connection.execute("ROLLBACK")
