"""SQL with a guard: one text for both engines, and what it means when it touches no row."""
# ruff: noqa: S608 (only names of our own are put into SQL; values are parameters)

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from operator import attrgetter
from types import MappingProxyType
from typing import Any

from msgspec import Struct

from parlour.store.change import StoreError

Values = Sequence[Any]
Compute = Callable[[Any], Any]
Unmet = Callable[[], StoreError]

_NAME = re.compile(r":(\w+)")


class Statement(Struct, frozen=True, eq=False):
    """One statement with numbered parameters. Its guard is part of its WHERE."""

    sqlite: str
    postgres: str
    values: Callable[[Any], Values]
    """The parameters, in order, from a write."""
    unmet: Unmet | None = None
    """What it means that no row was touched; None: nothing."""
    first: str | None = None
    """What SQLite tries first, with the same parameters; that it touches a row is enough."""


def statement(
    sql: str,
    unmet: Unmet | None = None,
    *,
    first: str | None = None,
    postgres: str | None = None,
    computed: Mapping[str, Compute] = MappingProxyType({}),
) -> Statement:
    """A statement from SQL where `:name` stands for a write's field, or for what is `computed`."""
    names = list(dict.fromkeys(_NAME.findall(sql)))
    values = _values(names, computed)

    def numbered(text: str, mark: str) -> str:
        return _NAME.sub(lambda found: f"{mark}{names.index(found[1]) + 1}", text)

    return Statement(
        numbered(sql, "?"),
        numbered(postgres or sql, "$"),
        values,
        unmet,
        numbered(first, "?") if first else None,
    )


def insert(table: str, row: type[Struct], **columns: str | Compute) -> Statement:
    """A new row of a struct's fields, and of further columns: SQL, or computed from the struct."""
    given = dict.fromkeys((*row.__struct_fields__, *columns), "")
    computed: dict[str, Compute] = {}
    for name in given:
        column = columns.get(name)
        given[name] = column if isinstance(column, str) else f":{name}"
        if callable(column):
            computed[name] = column
    names, marks = ", ".join(given), ", ".join(given.values())
    return statement(f'INSERT INTO "{table}" ({names}) VALUES ({marks})', computed=computed)


def _values(names: list[str], computed: Mapping[str, Compute]) -> Callable[[Any], Values]:
    if computed:
        getters = [computed.get(name) or attrgetter(name) for name in names]
        return lambda write: [get(write) for get in getters]
    get = attrgetter(*names)
    return get if len(names) > 1 else lambda write: (get(write),)
