"""All that is stored, as plain rows."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

Row = Mapping[str, Any]

TABLES = (
    "match",
    "seat",
    "journal",
    "presence",
    "lease",
    "ticket",
    "challenge",
    "account",
    "ledger_entry",
    "escrow",
    "rating",
)
ORDER = {"journal": "match_number, version", "seat": "match_id, seat", "ledger_entry": "position"}


decoded = msgspec.json.Decoder().decode
"""What JSON holds."""


class Broken(AssertionError):
    """A promise was broken."""


def select(table: str) -> str:
    """The statement that reads a table whole."""
    order = f" ORDER BY {ORDER[table]}" if table in ORDER else ""
    return f'SELECT * FROM "{table}"{order}'  # noqa: S608 (names of our own)


class Books:
    """Tables of rows, and the few ways in which they hang together."""

    def __init__(self, tables: Mapping[str, Sequence[Row]]) -> None:
        self.tables = tables
        self.matches = {row["id"]: row for row in tables["match"]}
        self.seats: dict[str, list[Row]] = _by(tables["seat"], "match_id")
        self.accounts = {row["number"]: row["id"] for row in tables["account"]}
        """The id of each, by the number that the ledger knows it by."""
        numbers = {row["number"]: row["id"] for row in tables["match"]}
        self.journals: dict[str, list[Row]] = {}
        self._acts: dict[str, list[tuple[int, tuple[Any, ...]]]] = {}
        for entry in tables["journal"]:
            if entry["match_number"] not in numbers:
                raise Broken(f"there is a journal of no match {entry['match_number']}")
            self.journals.setdefault(numbers[entry["match_number"]], []).append(entry)

    @classmethod
    def of_sqlite(cls, connection: sqlite3.Connection) -> Books:
        """Read from a database that nobody writes to now."""
        return cls({table: _read(connection, table) for table in TABLES})

    def acts(self, match_id: str) -> list[tuple[int, tuple[Any, ...]]]:
        """What was done in a match, in order: who, and the action as the values of its JSON."""
        if match_id not in self._acts:
            self._acts[match_id] = [
                (entry["seat"], action(entry["action"]))
                for entry in self.journals.get(match_id, ())
                if entry["kind"] == "act"
            ]
        return self._acts[match_id]


def action(stored: bytes) -> tuple[Any, ...]:
    """An action as the values that its JSON holds: the same however it was written down."""
    return tuple(decoded(stored).values())


def _read(connection: sqlite3.Connection, table: str) -> list[Row]:
    found = connection.execute(select(table))
    names = [name for name, *_ in found.description]
    return [dict(zip(names, row, strict=True)) for row in found]


def _by(rows: Iterable[Row], column: str) -> dict[str, list[Row]]:
    found: dict[str, list[Row]] = {}
    for row in rows:
        found.setdefault(row[column], []).append(row)
    return found
