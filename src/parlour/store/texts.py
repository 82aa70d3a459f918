"""Queries as the SQL of a database, each worked out once for all stores of its kind."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from weakref import WeakKeyDictionary

from sqlalchemy import Boolean, ClauseElement, Dialect, Executable
from sqlalchemy.sql.compiler import SQLCompiler

Asked = tuple[str, Sequence[Any]]
"""SQL of the driver, and its parameters in order."""


class Texts:
    """What has been worked out, for as long as somebody has the query."""

    def __init__(self, dialect: Dialect) -> None:
        self._dialect = dialect
        self._known: WeakKeyDictionary[Executable, _Plain | _Listing] = WeakKeyDictionary()
        self.booleans: dict[str, tuple[int, ...]] = {}
        """Which columns are booleans in the answers to texts that have any."""

    def of(self, query: Executable, params: dict[str, Any]) -> Asked:
        """A query with these parameters."""
        known = self._known.get(query)
        if known is None:
            assert isinstance(query, ClauseElement)
            compiled = query.compile(dialect=self._dialect)
            assert isinstance(compiled, SQLCompiler)
            known = (_Listing if compiled.post_compile_params else _Plain)(compiled)
            self._known[query] = known
        asked = known.asked(params)
        if known.booleans:
            self.booleans[asked[0]] = known.booleans
        return asked


class _Plain:
    """A query without lists: one text."""

    def __init__(self, compiled: SQLCompiler) -> None:
        places = [compiled.binds[name] for name in compiled.positiontup or ()]
        self._sql = compiled.string
        self.booleans = _booleans(compiled)
        self._binds = [(bind.key, bind.required, bind.effective_value) for bind in places]
        """The name of each parameter, whether it must be given, or else its value."""

    def asked(self, params: dict[str, Any]) -> Asked:
        return self._sql, [params[name] if given else value for name, given, value in self._binds]


class _Listing:
    """A query with lists: one text for each combination of their lengths."""

    def __init__(self, compiled: SQLCompiler) -> None:
        self._compiled = compiled
        self.booleans = _booleans(compiled)
        self._lists = [bind.key for bind in compiled.post_compile_params]
        self._fixed = {
            name: bind.effective_value for name, bind in compiled.binds.items() if not bind.required
        }
        self._known: dict[tuple[int, ...], tuple[str, list[tuple[str, int | None]]]] = {}
        """Which parameter stands at each place of a text: by name, and of a list by number."""

    def asked(self, params: dict[str, Any]) -> Asked:
        lists = {name: _padded(params[name]) for name in self._lists if name in params}
        lengths = tuple(map(len, lists.values()))
        if lengths not in self._known:
            state = self._compiled.construct_expanded_state(params | lists)
            items: dict[str, tuple[str, int | None]] = {
                item: (name, place)
                for name, names in state.parameter_expansion.items()
                for place, item in enumerate(names)
            }
            places = [items.get(at, (at, None)) for at in state.positiontup or ()]
            self._known[lengths] = state.statement, places
        sql, places = self._known[lengths]
        values = {**self._fixed, **params, **lists}
        return sql, [values[name] if at is None else values[name][at] for name, at in places]


def _booleans(compiled: SQLCompiler) -> tuple[int, ...]:
    columns = getattr(compiled.statement, "selected_columns", ())
    return tuple(at for at, column in enumerate(columns) if isinstance(column.type, Boolean))


def _padded(listed: Sequence[Any]) -> list[Any]:
    """A list of a length that is a power of two: few lengths make few statements to prepare."""
    if not listed:
        return []
    missing = (1 << (len(listed) - 1).bit_length()) - len(listed)
    return [*listed, *([listed[-1]] * missing)]
