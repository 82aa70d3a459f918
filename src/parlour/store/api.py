"""What a store does: commit changes whole or not at all, and answer queries."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Protocol, overload

from sqlalchemy import Executable

from parlour.games.api import Millis
from parlour.microtasks import Microtasks
from parlour.places import Places
from parlour.store.change import Change
from parlour.store.texts import Asked, Texts

WAITING_LIMIT = 10_000
"""So many changes may be under way; who comes then waits for a place first."""

READ_LIMIT_S = 5.0
"""How long a read of what somebody asked for may take. None does; but should one, it ends."""


class Record(Protocol):
    """A row of an answer, by column name or number."""

    @overload
    def __getitem__(self, key: str, /) -> Any: ...
    @overload
    def __getitem__(self, key: int, /) -> Any: ...
    @overload
    def __getitem__(self, key: slice, /) -> tuple[Any, ...]: ...
    def __iter__(self) -> Iterator[Any]: ...
    def keys(self) -> Iterable[str]: ...


Answer = Callable[[Exception | None], None]
"""Hears what became of a change: None: it is durable; else what `commit` would have raised."""


class Store(ABC):
    """Where everything is kept."""

    def __init__(self, texts: Texts) -> None:
        self._texts = texts
        self._places = Places(WAITING_LIMIT)
        self.microtasks = Microtasks()
        """For who asks for changes and who tells of them: what is asked for together goes together,
        and is told before anything else is done."""
        self.overlong_reads = 0
        """Reads that were taken for short ones, and had to be moved out of the way."""

    @abstractmethod
    async def start(self) -> None:
        """Open the database, bringing it to the present schema."""

    @abstractmethod
    async def close(self) -> None:
        """Finish what was begun, then let go of the database."""

    @abstractmethod
    async def commit(self, change: Change) -> None:
        """Make a change whole or not at all: when this returns it is durable.

        Raises `Conflict`, `Taken`, `InsufficientFunds` or `Unavailable`, or `Withdrawn`. Waits
        while too much is under way.
        """

    def submit(self, change: Change, answer: Answer) -> bool:
        """As `commit`, for who does not wait: `answer` is called later, from the event loop.

        False: nothing was begun, as there is no place now or this store knows no such way.
        """
        del change, answer
        return False

    def withdraw(self, change: Change) -> bool:
        """Take back a change that was asked for and not begun; who asked hears `Withdrawn`.

        False: it was begun, or may have been.
        """
        del change
        return False

    @abstractmethod
    async def rows(self, query: Executable, /, **params: Any) -> Sequence[Record]:
        """The answer to a query, which sees all that was committed before.

        Queries with `bindparam`s that are built once are also compiled once. Raises `Unavailable`.
        For what an index answers at once: whoever plays waits while it is read.
        """

    async def list_rows(self, query: Executable, /, **params: Any) -> Sequence[Record]:
        """The same for lists and counts: few at a time, in nobody's way, given up after a while."""
        return await self.rows(query, **params)

    async def scan(self, query: Executable, /, **params: Any) -> Sequence[Record]:
        """The same for whole tables: in nobody's way, and however long it takes."""
        return await self.rows(query, **params)

    async def time(self) -> Millis | None:
        """What the database's own clock says; None: it has none but this machine's."""
        return None

    async def row(self, query: Executable, /, **params: Any) -> Record | None:
        """The first row of the answer, or None."""
        rows = await self.rows(query, **params)
        return rows[0] if rows else None

    def compiled(self, query: Executable, params: dict[str, Any]) -> Asked:
        """A query as SQL of the driver, and its parameters in order."""
        return self._texts.of(query, params)


def resolve(done: asyncio.Future[None], error: Exception | None) -> None:
    """The answer to one who waits; or has gone."""
    if done.done():
        return
    if error is None:
        done.set_result(None)
    else:
        done.set_exception(error)


def open_store(url: str, *, shared: bool = False) -> Store:
    """The store at `sqlite:///file`, `sqlite://` (nothing is kept) or `postgresql://…`.

    `shared`: a file may be used by other processes, too.
    """
    if url.startswith("sqlite:"):
        from parlour.store.sqlite.store import SqliteStore  # noqa: PLC0415 (it imports this module)

        return SqliteStore(url, shared=shared)
    from parlour.store.postgres.store import PostgresStore  # noqa: PLC0415 (it imports this module)

    return PostgresStore(url)
