"""One statement for many rows."""
# ruff: noqa: S608 (only names of our own are put into SQL; values are parameters)

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import chain
from sqlite3 import Cursor

from parlour.store.change.statement import Statement, Values, for_many

SIZES = tuple(1 << power for power in range(9))
"""How many rows a statement may have; what is missing is padded. Few sizes are soon prepared."""

Execute = Callable[[str, Values], Cursor]


def run_many(execute: Execute, statement: Statement, rows: Sequence[Values]) -> bool:
    """Run it for all of them, none of which may be about what another is; False: it failed."""
    for count, size, values in portions(rows):
        touched = execute(_text(statement, size, len(rows[0])), values).rowcount
        if touched < count and statement.counts:
            return False
    return True


def portions(rows: Sequence[Values]) -> Iterator[tuple[int, int, Values]]:
    """How many rows, to how many they are padded, and their values one after the other."""
    for start in range(0, len(rows), SIZES[-1]):
        some = rows[start : start + SIZES[-1]]
        size = next(size for size in SIZES if size >= len(some))
        missing = (size - len(some)) * len(rows[0])
        yield len(some), size, [*chain.from_iterable(some), *[None] * missing]


@cache
def _text(statement: Statement, rows: int, columns: int) -> str:
    before, behind = for_many(statement.sqlite)
    named = ", ".join(f"column{place} AS p{place}" for place in range(1, columns + 1))
    row = f"({', '.join('?' * columns)})"
    # What pads has nothing in it, and no statement begins with a parameter that may be null.
    table = f"(SELECT {named} FROM (VALUES {', '.join([row] * rows)}) WHERE column1 IS NOT NULL)"
    return f"{before}{table}{behind}"
