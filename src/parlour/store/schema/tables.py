"""What the tables have in common."""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, Index, Integer, MetaData, Table

metadata = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "uq": "uq_%(constraint_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "ix": "ix_%(table_name)s_%(column_0_name)s",
    }
)

Position = BigInteger().with_variant(Integer, "sqlite")
"""A number the database counts up; SQLite counts only what it calls INTEGER."""


def number() -> Column[int]:
    """By which a client may name the row: the database gives it when the row is made, for good."""
    return Column("number", BigInteger)


def numbered(table: Table) -> None:
    """No number is given twice."""
    Index(f"uq_{table.name}_number", table.c.number, unique=True)
