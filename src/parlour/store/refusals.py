"""What it is called when the database itself refuses: from the name of a rule to an error."""

from __future__ import annotations

import sqlite3

from sqlalchemy import PrimaryKeyConstraint, UniqueConstraint
from sqlalchemy.dialects import sqlite

from parlour.store.change import Conflict, Impossible, InsufficientFunds, StoreError, Taken
from parlour.store.schema import metadata

_CONFLICTS = {"journal_gap", "match_version", "escrow_settled", "challenge_answered"}
_REPLACED = {"ledger_entry_replaced": "transfer", "escrow_replaced": "escrow"}
"""SQLite asks these triggers before it looks whether something is taken."""


def refusal(rule: str) -> StoreError:
    """The error for a broken constraint or trigger of that name."""
    if rule in _CONFLICTS:
        return Conflict()
    if rule == "ck_account_funds":
        return InsufficientFunds()
    if rule in _REPLACED:
        return Taken(_REPLACED[rule])
    if rule.startswith(("pk_", "uq_")):
        return Taken(rule[3:])
    return Impossible(rule)


def sqlite_refusal(error: sqlite3.IntegrityError) -> StoreError:
    """The same for SQLite, which names the columns of what must be unique, not the constraint."""
    kind, _, detail = str(error).partition(" constraint failed: ")
    if kind == "UNIQUE":
        return refusal(_UNIQUE.get(detail, detail))
    return refusal(detail or kind)


def _unique_columns() -> dict[str, str]:
    preparer = sqlite.dialect().identifier_preparer
    names: dict[str, str] = {}
    for table in metadata.tables.values():
        rules = [
            *(
                rule
                for rule in table.constraints
                if isinstance(rule, PrimaryKeyConstraint | UniqueConstraint)
            ),
            *(index for index in table.indexes if index.unique),
        ]
        for rule in rules:
            columns = ", ".join(f"{table.name}.{column.name}" for column in rule.columns)
            names[columns] = preparer.format_constraint(rule) or columns
    return names


_UNIQUE = _unique_columns()
