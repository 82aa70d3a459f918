"""Many moves in a few statements.

While SQLite works on a statement, Python is free for the event loop. Were every move a statement of
its own, the two threads would take Python's lock from each other all the time.
"""
# ruff: noqa: S608 (only names of our own are put into SQL; values are parameters)

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import chain
from operator import attrgetter
from sqlite3 import Cursor

from parlour.store.change import AdvanceMatch, Change, JournalRow, OutboxRow, Write
from parlour.store.change.statement import Always, Statement, Values, for_many
from parlour.store.change.steps import WRITES

SIZES = (
    *range(1, 16),
    *(fourths << power for power in range(2, 6) for fourths in range(4, 8)),
    256,
)
"""How many rows a statement may have; what is missing, a fifth at most, is padded. Few sizes are
soon prepared."""

_ADVANCE = AdvanceMatch.__struct_fields__
_ENTRY = JournalRow.__struct_fields__
_EVENT = OutboxRow.__struct_fields__
_advanced, _entered, _told = attrgetter(*_ADVANCE), attrgetter(*_ENTRY), attrgetter(*_EVENT)

Execute = Callable[[str, Values], Cursor]


def make(execute: Execute, moves: Sequence[Change]) -> bool:
    """Make all of the moves; False: one of them cannot be, and the others must be undone."""
    entries: list[Values] = []
    advances: list[Values] = []
    events: list[Values] = []
    others: dict[type[Write], list[Write]] = {}
    for move in moves:
        entries.append(_entered(move.writes[0]))
        for write in move.writes[1:]:
            kind = type(write)
            if kind is AdvanceMatch:
                advances.append(_advanced(write))
            elif kind is OutboxRow:
                events.append(_told(write))
            else:
                others.setdefault(kind, []).append(write)
    for rows, values in _padded(entries):
        if execute(_enter(len(values)), values).rowcount < rows:
            return False
    for rows, values in _padded(advances):
        if execute(_advance(len(values)), values).rowcount < rows:
            return False
    for _, values in _padded(events):
        execute(_insert(len(values)), values)
    return all(_pay(execute, statement, rows) for statement, rows in _payments(others))


def _payments(
    writes: Mapping[type[Write], Sequence[Write]],
) -> Iterator[tuple[Statement, Sequence[Values]]]:
    """By which statements, and with which values, all writes of each kind are made."""
    for kind, alike in writes.items():
        make = WRITES[kind]
        if type(make) is Always:
            for statement in make.statements:
                yield statement, [statement.values(write) for write in alike]
            continue
        found: dict[Statement, list[Values]] = {}
        for write in alike:
            for statement, values in make(write):
                found.setdefault(statement, []).append(values)
        yield from found.items()


def _pay(execute: Execute, statement: Statement, rows: Sequence[Values]) -> bool:
    """Part of all payments, each of which is about accounts of its own; False: one cannot be."""
    if statement.is_upsert:  # for many it could not say what to add to a row that is there
        for row in rows:
            execute(statement.sqlite, row)
        return True
    for count, values in _padded(rows):
        touched = execute(_for_many(statement, len(rows[0]), len(values)), values).rowcount
        if touched < count and statement.counts:
            return False
    return True


def _padded(rows: Sequence[Values]) -> Iterator[tuple[int, Values]]:
    """How many rows, and their values one after the other, padded to a size."""
    for start in range(0, len(rows), SIZES[-1]):
        some = rows[start : start + SIZES[-1]]
        missing = next(size for size in SIZES if size >= len(some)) - len(some)
        yield len(some), [*chain.from_iterable(some), *[None] * (missing * len(rows[0]))]


@cache
def _enter(count: int) -> str:
    columns = ", ".join(_ENTRY[1:])
    # It must begin with INSERT or UPDATE, or else the driver does not count the rows.
    return f"""INSERT INTO journal (match_number, {columns})
        SELECT number, {", ".join(f"new.{name}" for name in _ENTRY[1:])}
        FROM ({_rows(_ENTRY, count)}) AS new CROSS JOIN match WHERE match.id = new.match_id"""


@cache
def _advance(count: int) -> str:
    moved = (name for name in _ADVANCE if name != "match_id")
    return f"""UPDATE match SET {", ".join(f"{name} = new.{name}" for name in moved)}
        FROM ({_rows(_ADVANCE, count)}) AS new
        WHERE match.id = new.match_id AND match.version < new.version"""


@cache
def _insert(count: int) -> str:
    return f"""INSERT INTO outbox ({", ".join(_EVENT)})
        SELECT * FROM ({_rows(_EVENT, count)}) WHERE {_EVENT[0]} IS NOT NULL"""


@cache
def _for_many(statement: Statement, columns: int, count: int) -> str:
    before, behind = for_many(statement.sqlite)
    rows = _rows(tuple(f"p{place}" for place in range(1, columns + 1)), count)
    # What pads has nothing in it, and no statement begins with a parameter that may be null.
    return f"{before}({rows} WHERE column1 IS NOT NULL){behind}"


def _rows(columns: tuple[str, ...], count: int) -> str:
    """A table of so many values."""
    named = ", ".join(f"column{place} AS {name}" for place, name in enumerate(columns, 1))
    row = f"({', '.join('?' * len(columns))})"
    return f"SELECT {named} FROM (VALUES {', '.join([row] * (count // len(columns)))})"
