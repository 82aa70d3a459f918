"""Whether journals are whole: what the database does not make sure of when they are written."""

from __future__ import annotations

from collections.abc import AsyncIterator

from msgspec import Struct
from sqlalchemy import and_, func, or_, select

from parlour.store.api import Store
from parlour.store.schema import journal, match

FINDINGS_MAX = 1_000
"""So many findings tell enough."""

_KEPT = (
    select(
        journal.c.match_number,
        func.count().label("entries"),
        func.min(journal.c.version).label("first"),
        func.max(journal.c.version).label("last"),
    )
    .group_by(journal.c.match_number)
    .subquery()
)
_BROKEN = (
    select(_KEPT, match.c.id, match.c.version)
    .select_from(_KEPT.outerjoin(match, match.c.number == _KEPT.c.match_number))
    .where(
        or_(
            match.c.id.is_(None),
            _KEPT.c.first != 1,
            _KEPT.c.entries != _KEPT.c.last,
            match.c.version > _KEPT.c.last,
            and_(match.c.status != "active", match.c.version != _KEPT.c.last),
        )
    )
    .limit(FINDINGS_MAX)
)
BEHIND = (
    select(match.c.id)
    .join(_KEPT, _KEPT.c.match_number == match.c.number)
    .where(match.c.version < _KEPT.c.last, match.c.status == "active")
)
"""Matches whose rows are older than their journals."""


class Fault(Struct, frozen=True):
    """What is wrong with a journal."""

    subject: str
    problem: str


async def faults(store: Store) -> AsyncIterator[Fault]:
    """Every journal with a gap, of no match, or behind the row of its match."""
    for row in await store.scan(_BROKEN):
        if row["id"] is None:
            yield Fault(f"match number {row['match_number']}", "has a journal and is no match")
        elif row["first"] != 1 or row["entries"] != row["last"]:
            yield Fault(row["id"], f"{row['entries']} entries lead to version {row['last']}")
        else:
            yield Fault(row["id"], f"is written down at {row['version']}, not {row['last']}")
