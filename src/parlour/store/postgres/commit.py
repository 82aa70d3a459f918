"""One change in one transaction: as few statements as what it touches allows."""

from __future__ import annotations

from collections.abc import Coroutine, Sequence
from contextlib import closing
from typing import Any

from parlour.store.change.statement import Statement, Step, Values
from parlour.store.postgres.batches import batches, together
from parlour.store.postgres.connection import LOST, named


async def transact(connection: Any, plan: Sequence[Step]) -> None:
    """All of the steps or none."""
    if len(plan) == 1:
        with named(connection, in_doubt=True):
            await _step(connection, *plan[0])
    elif plan:
        await _within(connection, _all(connection, plan))


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


async def _step(connection: Any, statement: Statement, values: Values) -> None:
    status: str = await connection.execute(statement.postgres, *values)
    if status.endswith(" 0") and statement.unmet:
        raise statement.unmet()
