"""What the PostgreSQL store does on one connection: a change by itself, or many moves at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from operator import attrgetter
from typing import Any

import asyncpg

from parlour.store.change import AdvanceMatch, Change, Impossible, JournalRow, Unavailable
from parlour.store.refusals import refusal
from parlour.store.statements import Statement, Values
from parlour.store.writes import Step

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


async def fetch(connection: Any, sql: str, values: Values) -> Sequence[Any]:
    """The answer to a query."""
    with named(connection, in_doubt=False):
        rows: Sequence[Any] = await connection.fetch(sql, *values)
    return rows


async def transact(connection: Any, plan: Sequence[Step]) -> None:
    """All of the steps or none."""
    if len(plan) == 1:
        with named(connection, in_doubt=True):
            await _step(connection, *plan[0])
        return
    with named(connection, in_doubt=False):
        await connection.execute("BEGIN")
        try:
            for statement, values in plan:
                await _step(connection, statement, values)
        except LOST:
            raise
        except BaseException:
            await connection.execute("ROLLBACK")
            raise
    with named(connection, in_doubt=True):
        await connection.execute("COMMIT")


async def _step(connection: Any, statement: Statement, values: Values) -> None:
    status: str = await connection.execute(statement.postgres, *values)
    if status.endswith(" 0") and statement.unmet:
        raise statement.unmet()


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
