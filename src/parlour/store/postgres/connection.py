"""One connection to the server: its errors by our own names, and queries on it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

import asyncpg

from parlour.store.change import Impossible, Unavailable
from parlour.store.change.statement import Values
from parlour.store.refusals import refusal

LOST = (
    OSError,
    TimeoutError,
    asyncpg.PostgresConnectionError,
    asyncpg.OperatorInterventionError,
    asyncpg.InsufficientResourcesError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,  # what the driver says when its farewell came between
)
"""The server, or the way to it, went away."""

CLASH = (
    asyncpg.SerializationError,
    asyncpg.DeadlockDetectedError,
    asyncpg.InvalidCachedStatementError,
)
"""Something was in the way, and the server undid everything."""


class Again(Exception):
    """Nothing was changed, and the same may well succeed a moment later."""


@contextmanager
def named(connection: Any, *, in_doubt: bool) -> Iterator[None]:
    """Errors of the driver by our own names; `in_doubt`: who is cut off may have committed."""
    try:
        yield
    except CLASH as error:
        raise Again from error
    except asyncpg.DataError as error:
        raise Impossible(str(error)) from error
    except LOST as error:
        with suppress(asyncpg.InterfaceError):
            connection.terminate()
        raise (Unavailable(str(error)) if in_doubt else Again()) from error
    except asyncpg.IntegrityConstraintViolationError as error:
        raise refusal(error.constraint_name or error.sqlstate) from error
    except asyncpg.PostgresError as error:
        raise Impossible(f"{error.sqlstate} {error}") from error


class Held:
    """A connection that is not given back to its pool between two uses.

    Giving it back takes the driver a task and some turns of the loop, for which players would wait.
    """

    def __init__(self, pool: Any) -> None:
        self._pool = pool
        self._connection: Any = None

    async def acquire(self) -> Any:
        """The same as before, unless it broke."""
        if self._connection is None or _is_broken(self._connection):
            await self.give_back()
            self._connection = await self._pool.acquire()
        return self._connection

    async def release(self, _: Any) -> None:
        """It is kept."""

    async def give_back(self) -> None:
        """Nothing more to do with it."""
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(*LOST, asyncpg.PostgresError):
                await self._pool.release(connection)


def _is_broken(connection: Any) -> bool:
    try:
        return bool(connection.is_closed())
    except asyncpg.InterfaceError:  # the pool has it back already
        return True


async def fetch(
    connection: Any, sql: str, values: Values, limit_s: float | None = None
) -> Sequence[Any]:
    """The answer to a query; `Unavailable` if that takes longer than the limit, where there is one.

    Without one, an answer that never comes is a server that went away.
    """
    with named(connection, in_doubt=False):
        try:
            rows: Sequence[Any] = await connection.fetch(sql, *values, timeout=limit_s)
        except TimeoutError as error:
            if limit_s is None:
                raise
            raise Unavailable("the read took too long") from error
    return rows
