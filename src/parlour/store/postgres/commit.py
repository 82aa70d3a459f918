"""One change in one transaction, or many alike: as few statements as what they touch allows."""

from __future__ import annotations

from collections.abc import Coroutine, Sequence
from contextlib import closing
from typing import Any

from parlour.store.change import Conflict
from parlour.store.change.statement import Statement, Step, Values
from parlour.store.postgres.batches import all_at_once, batches, together
from parlour.store.postgres.connection import LOST, named


async def transact(connection: Any, plan: Sequence[Step]) -> None:
    """All of the steps or none."""
    if len(plan) == 1:
        with named(connection, in_doubt=True):
            await _step(connection, *plan[0])
    elif plan:
        await _within(connection, _all(connection, plan))


async def transact_all(connection: Any, plans: Sequence[Sequence[Step]]) -> None:
    """All of the steps of all of these, which are alike; or none, be it that one has failed."""
    await _within(connection, _each_for_all(connection, plans))


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


async def _all(connection: Any, plan: Sequence[Step]) -> None:
    for batch in batches(plan):
        if len(batch) == 1:
            await _step(connection, *batch[0])
        else:
            await _batch(connection, batch)


async def _batch(connection: Any, batch: Sequence[Step]) -> None:
    values = [value for _, values in batch for value in values]
    sql = together(tuple(statement for statement, _ in batch))
    unmet: int | None = await connection.fetchval(sql, *values)
    if unmet is not None:
        refused = batch[unmet][0].unmet
        assert refused is not None
        raise refused()


async def _each_for_all(connection: Any, plans: Sequence[Sequence[Step]]) -> None:
    begins = 0
    for batch in batches(plans[0]):
        ends = begins + len(batch)
        statements = tuple(statement for statement, _ in batch)
        types = tuple([await _types(connection, statement) for statement in statements])
        columns = [
            column
            for place in range(begins, ends)
            for column in zip(*(plan[place][1] for plan in plans), strict=True)
        ]
        touched = await connection.fetchrow(all_at_once(statements, types), *columns)
        for statement, count in zip(statements, touched, strict=True):
            if statement.counts and count < len(plans):
                raise Conflict
        begins = ends


async def _types(connection: Any, statement: Statement) -> tuple[str, ...]:
    """Of its parameters, as the server sees them."""
    if statement not in _TYPES:
        prepared = await connection.prepare(statement.postgres)
        _TYPES[statement] = tuple(each.name for each in prepared.get_parameters())
    return _TYPES[statement]


_TYPES: dict[Statement, tuple[str, ...]] = {}


async def _step(connection: Any, statement: Statement, values: Values) -> None:
    status: str = await connection.execute(statement.postgres, *values)
    if status.endswith(" 0") and statement.unmet:
        raise statement.unmet()
