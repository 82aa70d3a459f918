"""Who waits for an opponent."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import (
    bindparam,
    select,
)

from parlour.games.api import Millis
from parlour.store import schema
from parlour.store.api import Store
from parlour.store.change import PutTicket
from parlour.store.queries.rows import (
    FIRST_MS,
    GAME,
    LIST_LIMIT,
    PROCESS,
    after_place,
    columns,
    holders_of,
    listed,
    read,
)

_TICKET_COLUMNS = columns(PutTicket, schema.ticket)
_HELD_TICKETS = (
    select(*_TICKET_COLUMNS)
    .where(schema.ticket.c.process_id == PROCESS, schema.ticket.c.id > bindparam("id"))
    .order_by(schema.ticket.c.id)
    .limit(bindparam("limit"))
)
_TICKET_HOLDERS = holders_of(schema.ticket)
_TICKETS = (
    select(*_TICKET_COLUMNS)
    .where(schema.ticket.c.game == GAME)
    .order_by(schema.ticket.c.joined_at, schema.ticket.c.id)
    .limit(bindparam("limit"))
)
_TICKET_OF = select(*_TICKET_COLUMNS).where(
    schema.ticket.c.user_id == bindparam("user_id"), schema.ticket.c.game == GAME
)
_TICKETS_BY_ID = select(schema.ticket.c.id).where(
    schema.ticket.c.id.in_(bindparam("ids", expanding=True))
)
_OVERDUE_TICKETS = (
    select(*_TICKET_COLUMNS)
    .where(
        schema.ticket.c.deadline_at <= bindparam("now"),
        after_place(schema.ticket.c.deadline_at, schema.ticket.c.id),
    )
    .order_by(schema.ticket.c.deadline_at, schema.ticket.c.id)
    .limit(bindparam("limit"))
)


async def ticket_holders(store: Store) -> set[str]:
    """Every process that holds a ticket."""
    return {record["id"] for record in await store.rows(_TICKET_HOLDERS)}


async def held_tickets(
    store: Store, process_id: str, after: PutTicket | None = None, limit: int = LIST_LIMIT
) -> list[PutTicket]:
    """Tickets held by connections of a process, in order; or those behind one."""
    behind = after.id if after else ""
    return await listed(
        store, PutTicket, _HELD_TICKETS, process_id=process_id, id=behind, limit=limit
    )


async def tickets(store: Store, game: str, limit: int = LIST_LIMIT) -> list[PutTicket]:
    """Who waits for an opponent, the one who waits longest first."""
    return await listed(store, PutTicket, _TICKETS, game=game, limit=limit)


async def ticket_of(store: Store, user_id: str, game: str) -> PutTicket | None:
    record = await store.row(_TICKET_OF, user_id=user_id, game=game)
    return read(PutTicket, record) if record else None


async def existing_tickets(store: Store, ids: Sequence[str]) -> set[str]:
    """Which of a portion of tickets are still there."""
    return {record["id"] for record in await store.rows(_TICKETS_BY_ID, ids=ids)}


async def overdue_tickets(
    store: Store, now: Millis, after: PutTicket | None = None, limit: int = LIST_LIMIT
) -> list[PutTicket]:
    """Tickets whose deadline has come, the longest overdue first; or those behind one."""
    after_at = FIRST_MS if after is None else after.deadline_at
    after_id = "" if after is None else after.id
    return await listed(
        store,
        PutTicket,
        _OVERDUE_TICKETS,
        now=now,
        after_at=after_at,
        after_id=after_id,
        limit=limit,
    )
