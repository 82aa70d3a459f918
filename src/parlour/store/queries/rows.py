"""How rows are read as structs, and lists of them in portions."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, TypeVar

from msgspec import Struct
from sqlalchemy import (
    BigInteger,
    Executable,
    Select,
    Table,
    Text,
    and_,
    bindparam,
    func,
    select,
    tuple_,
)
from sqlalchemy.sql.elements import ColumnElement

from parlour.games.api import Millis
from parlour.store.api import Record, Store

LIST_LIMIT = 500
"""So many rows are read in one statement, unless it is said how many."""


FIRST_MS: Millis = -(2**62)
"""Before every time there is."""


R = TypeVar("R", bound=Struct)


class Overdue(Struct, frozen=True):
    """Something whose time has come."""

    id: str
    due_at: Millis


GAME = bindparam("game", type_=Text)
PROCESS = bindparam("process_id", type_=Text)


def columns(row: type[Struct], table: Table, prefix: str = "") -> list[ColumnElement[Any]]:
    """What a query selects that is read as such a row: all its fields, in their order."""
    return [table.c[name].label(prefix + name) for name in row.__struct_fields__]


def read(row: type[R], record: Record, at: int = 0) -> R:
    """The row whose first field is the column of that number.

    By number, as SQLite looks through all columns for each name.
    """
    made: R = _maker(row)(*record[at : at + len(row.__struct_fields__)])
    return made


@cache
def _maker(row: type[R]) -> Callable[..., R]:
    """Makes such a row of its values in their order.

    As if the call were written out: by way of a dict each row would take five times as long.
    """
    names = row.__struct_fields__
    call = ", ".join(f"{name}={name}" for name in names)
    maker: Callable[..., R] = eval(  # noqa: S307 (only names of our own are put into it)
        f"lambda {', '.join(names)}: row({call})", {"row": row}
    )
    return maker


async def listed(store: Store, row: type[R], query: Executable, **params: Any) -> list[R]:
    return [read(row, record) for record in await store.rows(query, **params)]


def after_place(at: ColumnElement[int], of: ColumnElement[str]) -> ColumnElement[bool]:
    """Those behind one, in the order of a time and of ids within it."""
    behind = tuple_(bindparam("after_at", type_=BigInteger), bindparam("after_id", type_=Text))
    return and_(at >= bindparam("after_at", type_=BigInteger), tuple_(at, of) > behind)


async def overdue(
    store: Store, query: Executable, now: Millis, after: Overdue | None, limit: int
) -> list[Overdue]:
    behind = after or Overdue("", FIRST_MS)
    return await listed(
        store,
        Overdue,
        query,
        now=now,
        after_at=behind.due_at,
        after_id=behind.id,
        limit=limit,
    )


def holders_of(table: Table) -> Select[Any]:
    """The few processes that hold many rows, each found by one step in the index."""
    held = table.c.process_id
    found = select(func.min(held).label("id")).where(held.is_not(None)).cte(recursive=True)
    following = select(func.min(held)).where(held > found.c.id).scalar_subquery()
    found = found.union_all(select(following).where(found.c.id.is_not(None)))
    return select(found.c.id).where(found.c.id.is_not(None))
