"""SQL with a guard: one text for both engines, what it means when it touches no row, and which rows
it is about, so that a store can tell what may be made together.
"""
# ruff: noqa: S608 (only names of our own are put into SQL; values are parameters)

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import attrgetter
from types import MappingProxyType
from typing import Any

from msgspec import Struct

from parlour.store.change.change import StoreError, Write
from parlour.store.schema.tables import metadata

Values = Sequence[Any]
Compute = Callable[[Any], Any]
Unmet = Callable[[], StoreError]
_NAME = re.compile(r":(\w+)")
_NUMBERED = re.compile(r"[?$](\d+)")
_TABLE = re.compile(r'(?:INSERT INTO|UPDATE|DELETE FROM) "?(\w+)')


class Rows(Struct, frozen=True):
    """Which rows of a table: those with these parameters as their key; without any, all."""

    table: str
    key: tuple[int, ...] = ()

    def of(self, values: Values) -> tuple[Any, ...]:
        """The same with the values a statement is run with."""
        return (self.table, *(values[place] for place in self.key))


class Statement(Struct, frozen=True, eq=False):
    """One statement with numbered parameters. Its guard is part of its WHERE."""

    sqlite: str
    postgres: str
    values: Callable[[Any], Values]
    """The parameters, in order, from a write."""
    touches: Rows
    """What it inserts, updates or deletes."""
    unmet: Unmet | None = None
    """What it means that no row was touched; None: nothing."""
    needs: tuple[Rows, ...] = ()
    """What must be there already; it reads nothing of them that ever changes."""
    follows: tuple[Rows, ...] = ()
    """What must have been written before it is begun: it reads what others wrote until then."""

    @property
    def is_new(self) -> bool:
        """Whether it makes the row it touches, or else fails."""
        return self.sqlite.startswith("INSERT") and not self.is_upsert

    @property
    def is_upsert(self) -> bool:
        """Whether it changes a row that is there, or else makes it."""
        return "ON CONFLICT" in self.sqlite

    @property
    def counts(self) -> bool:
        """Whether something is wrong if it touches fewer rows than it was meant for."""
        return self.unmet is not None or self.is_new


Step = tuple[Statement, Values]
Steps = dict[type[Write], Callable[[Any], Iterable[Step]]]
"""How each kind of write is made."""


class Always(Struct, frozen=True):
    """How a kind of write is made that always takes the same statements."""

    statements: tuple[Statement, ...]

    def __call__(self, write: Any) -> Iterable[Step]:
        """With the parameters they take from the write."""
        return [(each, each.values(write)) for each in self.statements]


def run(*statements: Statement) -> Always:
    """These statements."""
    return Always(statements)


def statement(
    sql: str,
    unmet: Unmet | None = None,
    *,
    key: Sequence[str] = (),
    needs: Mapping[str, str] = MappingProxyType({}),
    follows: Mapping[str, str] = MappingProxyType({}),
    postgres: str | None = None,
    computed: Mapping[str, Compute] = MappingProxyType({}),
) -> Statement:
    """A statement from SQL where `:name` stands for a write's field, or for what is `computed`.

    `key` names the parameters that tell the rows it touches, `needs` and `follows` those of rows of
    other tables.
    """
    names = list(dict.fromkeys(_NAME.findall(sql)))
    table = _TABLE.match(sql)
    assert table is not None

    def numbered(text: str, mark: str) -> str:
        return _NAME.sub(lambda found: f"{mark}{names.index(found[1]) + 1}", text)

    def rows(of: Mapping[str, str]) -> tuple[Rows, ...]:
        return tuple(Rows(other, (names.index(name),)) for other, name in of.items())

    return Statement(
        sqlite=numbered(sql, "?"),
        postgres=numbered(postgres or sql, "$"),
        values=_values(names, computed),
        touches=Rows(table[1], tuple(names.index(name) for name in key)),
        unmet=unmet,
        needs=rows(needs),
        follows=rows(follows),
    )


def for_many(sql: str) -> tuple[str, str]:
    """The same for many rows at once: what comes before the table of them, and what behind it.

    Their values are its columns p1, p2 and so on.
    """
    named = _NUMBERED.sub(r"new.p\1", sql)
    if sql.startswith("UPDATE"):
        head, _, condition = named.partition("WHERE ")
        return f"{head}FROM ", f" AS new WHERE {condition}"
    head, plain, values = named.partition("VALUES (")
    if plain:
        return f"{head}SELECT {values.removesuffix(')')} FROM ", " AS new"
    head, _, rest = named.partition("FROM ")
    return f"{head}FROM ", f" AS new CROSS JOIN {rest}"


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
    # What has but a number of the database's own is told by all it says.
    key = [each.name for each in metadata.tables[table].primary_key if each.name in given]
    return statement(
        f'INSERT INTO "{table}" ({names}) VALUES ({marks})',
        key=key or row.__struct_fields__,
        computed=computed,
    )


def _values(names: list[str], computed: Mapping[str, Compute]) -> Callable[[Any], Values]:
    if computed:
        getters = [computed.get(name) or attrgetter(name) for name in names]
        return lambda write: [get(write) for get in getters]
    get = attrgetter(*names)
    return get if len(names) > 1 else lambda write: (get(write),)
