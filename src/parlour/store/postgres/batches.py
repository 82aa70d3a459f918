"""Several steps of a change as one statement.

The parts of such a statement do not see what the others do, and a row is changed by one of them
only. So steps go together as far as none is about what another of them writes; what a step is about
stands with it (`Statement.touches`, `needs` and `follows`).

Each part waits for the one before it, and does nothing if that one's guard was not met: nothing is
tried that the server would have to refuse. The answer tells the first guard that was not met.
"""
# ruff: noqa: S608 (only names of our own are put into SQL; values are parameters)

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

from parlour.store.change.statement import Statement, Step, for_many

_PARAMETER = re.compile(r"\$(\d+)")

Key = tuple[Any, ...]


def batches(plan: Sequence[Step]) -> Iterator[list[Step]]:
    """The steps in order, as many at a time as can be one statement."""
    batch: list[Step] = []
    written = _Written()
    for statement, values in plan:
        if written.concerns(statement, values):
            yield batch
            batch, written = [], _Written()
        batch.append((statement, values))
        written.add(statement, values)
    if batch:
        yield batch


class _Written:
    """What the steps of one batch write."""

    def __init__(self) -> None:
        self._made: set[Key] = set()
        self._changed: set[Key] = set()
        self._tables: dict[str, bool] = {}
        """Every table that is written to, and whether all of it is."""

    def add(self, statement: Statement, values: Sequence[Any]) -> None:
        rows = statement.touches
        (self._made if statement.is_new else self._changed).add(rows.of(values))
        self._tables[rows.table] = self._tables.get(rows.table, False) or not rows.key

    def concerns(self, statement: Statement, values: Sequence[Any]) -> bool:
        """Whether a statement is about something that is written here."""
        rows = statement.touches
        if rows.table in self._tables and (self._tables[rows.table] or not rows.key):
            return True
        return (
            self._has(rows.of(values))
            or any(each.of(values) in self._made for each in statement.needs)
            or any(self._has(each.of(values)) for each in statement.follows)
        )

    def _has(self, row: Key) -> bool:
        return row in self._made or row in self._changed


def alike(plans: Sequence[Sequence[Step]], limit: int) -> list[int]:
    """Which of these can be made together: of the first one's statements, each about rows of its
    own.
    """
    written = _Written()
    found: list[int] = []
    for number, plan in enumerate(plans):
        same = len(plan) == len(plans[0]) and all(
            statement is first for (statement, _), (first, _) in zip(plan, plans[0], strict=True)
        )
        if same and not any(written.concerns(*step) for step in plan):
            found.append(number)
            for step in plan:
                written.add(*step)
        if len(found) == limit:
            break
    return found


@lru_cache(maxsize=256)
def all_at_once(statements: tuple[Statement, ...], types: tuple[tuple[str, ...], ...]) -> str:
    """One statement instead of these for many rows each, whose values come in columns of such
    types; it answers how many rows each of them touched.
    """
    parts: list[str] = []
    parameters = 0
    for number, (statement, kinds) in enumerate(zip(statements, types, strict=True)):
        before, behind = for_many(statement.postgres)
        columns = ", ".join(
            f"${parameters + place}::{kind}[]" for place, kind in enumerate(kinds, 1)
        )
        names = ", ".join(f"p{place}" for place in range(1, len(kinds) + 1))
        rows = f"(SELECT * FROM unnest({columns}) AS given ({names}))"
        parts.append(f"part_{number} AS ({before}{rows}{behind} RETURNING 1)")
        parameters += len(kinds)
    counts = ", ".join(f"(SELECT count(*) FROM part_{number})" for number in range(len(parts)))
    return f"WITH {', '.join(parts)} SELECT {counts}"


@lru_cache(maxsize=256)
def together(statements: tuple[Statement, ...]) -> str:
    """One statement instead of several; it answers with the number of the first unmet guard."""
    parts: list[str] = []
    unmet = ""
    parameters = 0
    before: int | None = None
    for number, statement in enumerate(statements):
        sql = _shifted(statement.postgres, parameters)
        if before is not None:
            sql = _if_touched(f"part_{before}", sql)
        parts.append(f"part_{number} AS ({sql} RETURNING 1)")
        parameters += max(map(int, _PARAMETER.findall(statement.postgres)))
        if statement.unmet:
            unmet += f"WHEN NOT EXISTS (SELECT FROM part_{number}) THEN {number} "
        if statement.unmet or sql.startswith("INSERT"):
            before = number  # it has touched a row, or else nothing further happens
    answer = f"CASE {unmet}END" if unmet else "NULL::int"
    return f"WITH {', '.join(parts)} SELECT {answer}"


def _shifted(sql: str, by: int) -> str:
    """The same with parameters that begin after so many others."""
    return _PARAMETER.sub(lambda found: f"${int(found[1]) + by}", sql)


def _if_touched(part: str, sql: str) -> str:
    """The same, done only if an earlier part touched a row."""
    condition = f"EXISTS (SELECT FROM {part})"
    if not sql.startswith("INSERT"):
        return f"{sql} AND {condition}"
    if "VALUES (" not in sql:
        chosen, conflict, rest = sql.partition("ON CONFLICT")
        return f"{chosen} AND {condition} {conflict}{rest}"
    head, _, rest = sql.partition("VALUES (")
    end = _closing(rest)
    return f"{head}SELECT {rest[:end]} WHERE {condition}{rest[end + 1 :]}"


def _closing(sql: str) -> int:
    """Where the parenthesis ends that was opened before."""
    depth = 1
    for place, letter in enumerate(sql):
        depth += (letter == "(") - (letter == ")")
        if depth == 0:
            return place
    raise AssertionError(sql)
