"""Invitations of one user by another."""

from __future__ import annotations

from sqlalchemy import (
    bindparam,
    select,
    text,
)

from parlour.games.api import Millis
from parlour.store import schema
from parlour.store.api import Store
from parlour.store.change import ChallengeRow
from parlour.store.queries.rows import (
    LIST_LIMIT,
    Overdue,
    after_place,
    columns,
    overdue,
    read,
)

_CHALLENGE = select(*columns(ChallengeRow, schema.challenge)).where(
    schema.challenge.c.id == bindparam("id")
)
_OVERDUE_CHALLENGES = (
    select(schema.challenge.c.id, schema.challenge.c.expires_at.label("due_at"))
    .where(
        text("status = 'pending'"),  # as the index has it, or PostgreSQL passes it over
        schema.challenge.c.expires_at <= bindparam("now"),
        after_place(schema.challenge.c.expires_at, schema.challenge.c.id),
    )
    .order_by(schema.challenge.c.expires_at, schema.challenge.c.id)
    .limit(bindparam("limit"))
)


async def challenge(store: Store, challenge_id: str) -> ChallengeRow | None:
    record = await store.row(_CHALLENGE, id=challenge_id)
    return read(ChallengeRow, record) if record else None


async def overdue_challenges(
    store: Store, now: Millis, after: Overdue | None = None, limit: int = LIST_LIMIT
) -> list[Overdue]:
    """Pending challenges that have expired, the longest overdue first; or those behind one."""
    return await overdue(store, _OVERDUE_CHALLENGES, now, after, limit)
