"""What the PostgreSQL store does on one connection: a change by itself, or many moves at once."""

from __future__ import annotations

import re
from collections.abc import Coroutine, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from functools import lru_cache
from operator import attrgetter
from typing import Any

import asyncpg

from parlour.store.change import (
    AdvanceMatch,
    Change,
    Impossible,
    JournalRow,
    StoreError,
    Unavailable,
)
from parlour.store.refusals import refusal
from parlour.store.statements import Statement, Values
from parlour.store.writes import OUTBOX, Step

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


async def transact(connection: Any, plan: Sequence[Step]) -> None:
    """All of the steps or none."""
    if len(plan) == 1:
        with named(connection, in_doubt=True):
            await _step(connection, *plan[0])
        return
    if (sql := _at_once(tuple(statement for statement, _ in plan))) is not None:
        values = [value for _, values in plan for value in values]
        try:
            await _within(connection, connection.execute(sql, *values))
        except (Unavailable, Again):
            raise
        except StoreError:
            pass  # One of them failed, or they must follow each other: that tells which.
        else:
            return
    await _within(connection, _one_by_one(connection, plan))


async def _within(connection: Any, work: Coroutine[Any, Any, object]) -> None:
    """Work that is committed once it is done."""
    with closing(work), named(connection, in_doubt=False):
        await connection.execute("BEGIN")
        try:
            await work
        except LOST:
            raise
        except BaseException:
            await connection.execute("ROLLBACK")
            raise
    with named(connection, in_doubt=True):
        await connection.execute("COMMIT")


async def _one_by_one(connection: Any, plan: Sequence[Step]) -> None:
    for statement, values in plan:
        await _step(connection, statement, values)


async def _step(connection: Any, statement: Statement, values: Values) -> None:
    status: str = await connection.execute(statement.postgres, *values)
    if status.endswith(" 0") and statement.unmet:
        raise statement.unmet()


_PARAMETER = re.compile(r"\$(\d+)")


@lru_cache(maxsize=256)
def _at_once(statements: tuple[Statement, ...]) -> str | None:
    """One statement instead of many, which fails if any of their guards does; None: there is none.

    Its parts do not see what the others do. Where one touches a row of another nothing is found, so
    a guard fails, or the server refuses; parts that could miss something unnoticed are not for it.
    Nor is it for several events, whose order must be certain.
    """
    if statements.count(OUTBOX) > 1:
        return None
    parts: list[str] = []
    before = 0
    answer = "1"
    for number, statement in enumerate(statements):
        if not (statement.unmet or statement.postgres.startswith("INSERT")):
            return None
        parts.append(f"part_{number} AS ({_shifted(statement.postgres, before)} RETURNING 1)")
        before += max(map(int, _PARAMETER.findall(statement.postgres)))
    for number in reversed(range(len(statements))):
        # One after the other, as far as the server can be asked to.
        answer = f"CASE WHEN EXISTS (SELECT FROM part_{number}) THEN {answer} ELSE 0 END"
    return f"WITH {', '.join(parts)} SELECT 1 / ({answer})"


def _shifted(sql: str, by: int) -> str:
    """The same with parameters that begin after so many others."""
    return _PARAMETER.sub(lambda found: f"${int(found[1]) + by}", sql)


# --- moves ------------------------------------------------------------------------------------

_MOVES = """
WITH wanted AS (
    SELECT * FROM unnest(
        $1::text[], $2::int[], $3::bytea[], $4::bigint[], $5::bigint[], $6::bigint[],
        $7::bigint[], $8::bigint[],
        $9::bigint[], $10::text[], $11::smallint[], $12::bytea[], $13::bigint[], $14::bigint[]
    ) AS wanted (
        match_id, version, state, updated_at, deadline_at, bot_at, acted_0_at, acted_1_at,
        at, kind, seat, action, seen_0, seen_1
    )
), moved AS (
    UPDATE match SET version = wanted.version, state = wanted.state,
        updated_at = wanted.updated_at, deadline_at = wanted.deadline_at,
        bot_at = wanted.bot_at, acted_0_at = wanted.acted_0_at, acted_1_at = wanted.acted_1_at
    FROM wanted WHERE match.id = wanted.match_id AND match.version = wanted.version - 1
    RETURNING match.id
), entered AS (
    INSERT INTO journal (match_id, version, at, kind, seat, action, seen_0, seen_1)
    SELECT match_id, version, at, kind, seat, action, seen_0, seen_1
    FROM wanted JOIN moved ON moved.id = wanted.match_id
), sent AS (
    INSERT INTO outbox (key, type, payload, at)
    SELECT key, type, payload, at
    FROM unnest($15::text[], $16::text[], $17::text[], $18::bytea[], $19::bigint[])
        WITH ORDINALITY AS event (match_id, key, type, payload, at, place)
    JOIN moved ON moved.id = event.match_id ORDER BY place
)
SELECT id FROM moved
"""

_advance = attrgetter(*AdvanceMatch.__struct_fields__)
_entry = attrgetter(*JournalRow.__struct_fields__[2:])
_event = attrgetter("key", "type", "payload", "at")


async def move(connection: Any, moves: dict[str, Change]) -> set[str]:
    """Make those moves that their matches still wait for; says of which matches they were.

    One statement makes them all. There is one move of each match, under the match's id.
    """
    with named(connection, in_doubt=True):
        rows = await connection.fetch(_MOVES, *_columns(moves))
    return {row["id"] for row in rows}


def _columns(moves: dict[str, Change]) -> list[Sequence[Any]]:
    made = [(*_advance(move.writes[0]), *_entry(move.writes[1])) for move in moves.values()]
    events = [
        (match_id, *_event(event)) for match_id, move in moves.items() for event in move.writes[2:]
    ]
    return [*zip(*made, strict=True), *(zip(*events, strict=True) if events else [()] * 5)]
