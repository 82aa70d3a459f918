"""Who is here, and what each process holds."""

from __future__ import annotations

from msgspec import Struct
from sqlalchemy import (
    Integer,
    Text,
    bindparam,
    select,
    tuple_,
)

from parlour.games.api import Millis, Seat
from parlour.store import schema
from parlour.store.api import Store
from parlour.store.queries.queue import ticket_holders
from parlour.store.queries.rows import (
    LIST_LIMIT,
    PROCESS,
    columns,
    holders_of,
    listed,
)


class PresenceRow(Struct, frozen=True, kw_only=True):
    """When a seat was last heard of, and which connection of which process holds it.

    `left_at`: when the last one that held it went.
    """

    match_id: str
    seat: Seat
    seen_at: Millis
    connection: str | None = None
    process_id: str | None = None
    left_at: Millis | None = None


_PRESENCE_COLUMNS = columns(PresenceRow, schema.presence)
_PRESENCE = (
    select(*_PRESENCE_COLUMNS)
    .where(schema.presence.c.match_id == bindparam("match_id"))
    .order_by(schema.presence.c.seat)
)
_LEASES = select(schema.lease.c.process_id, schema.lease.c.until)
_HELD_SEATS = (
    select(*_PRESENCE_COLUMNS)
    .where(
        schema.presence.c.process_id == PROCESS,
        tuple_(schema.presence.c.match_id, schema.presence.c.seat)
        > tuple_(bindparam("match_id", type_=Text), bindparam("seat", type_=Integer)),
    )
    .order_by(schema.presence.c.match_id, schema.presence.c.seat)
    .limit(bindparam("limit"))
)
_SEAT_HOLDERS = holders_of(schema.presence)


async def presence(store: Store, match_id: str) -> list[PresenceRow]:
    return await listed(store, PresenceRow, _PRESENCE, match_id=match_id)


async def leases(store: Store) -> list[tuple[str, Millis]]:
    """Every process that holds or held a lease, and until when."""
    return [(record["process_id"], record["until"]) for record in await store.rows(_LEASES)]


async def holders(store: Store) -> list[str]:
    """Every process that holds a seat or a ticket, in order."""
    seats = {record["id"] for record in await store.rows(_SEAT_HOLDERS)}
    return sorted(seats | await ticket_holders(store))


async def held_seats(
    store: Store, process_id: str, after: PresenceRow | None = None, limit: int = LIST_LIMIT
) -> list[PresenceRow]:
    """Seats held by connections of a process, in order; or those behind one."""
    match_id, seat = (after.match_id, after.seat) if after else ("", 0)
    return await listed(
        store,
        PresenceRow,
        _HELD_SEATS,
        process_id=process_id,
        match_id=match_id,
        seat=seat,
        limit=limit,
    )
