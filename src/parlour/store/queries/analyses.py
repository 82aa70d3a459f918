"""What was made of a finished game."""

from __future__ import annotations

from sqlalchemy import bindparam, select

from parlour.store import schema
from parlour.store.api import Store

_ANALYSIS = select(schema.analysis.c.analysis).where(
    schema.analysis.c.match_id == bindparam("match_id")
)


async def analysis(store: Store, match_id: str) -> bytes | None:
    """As it was kept; None: there is none."""
    rows = await store.rows(_ANALYSIS, match_id=match_id)
    return bytes(rows[0]["analysis"]) if rows else None
