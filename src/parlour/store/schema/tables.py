"""What the tables have in common."""

from __future__ import annotations

from typing import Any

from sqlalchemy import BigInteger, Column, Index, Integer, MetaData, Table, text

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


# What a database is told when it makes a table or an index stands in their `info`, as SQLAlchemy
# loads all of a database's dialect where it is told so itself, and a server needs one of the two.

ROOMY = {"postgresql_with": {"fillfactor": "60"}}
"""It is rewritten in place: room on the page spares the indexes of PostgreSQL."""


def only(condition: str) -> dict[str, Any]:
    """An index of those rows alone."""
    return {"sqlite_where": text(condition), "postgresql_where": text(condition)}


def whole() -> MetaData:
    """The tables with all that databases are told when they make them."""
    for table in metadata.tables.values():
        made: tuple[Table | Index, ...] = (table, *table.indexes)
        for each in made:
            for option, value in each.info.items():
                dialect, _, name = option.partition("_")
                each.dialect_options[dialect][name] = value
    return metadata


def number() -> Column[int]:
    """By which a client may name the row: the database gives it when the row is made, for good."""
    return Column("number", BigInteger)


def numbered(table: Table) -> None:
    """No number is given twice."""
    Index(f"uq_{table.name}_number", table.c.number, unique=True)
