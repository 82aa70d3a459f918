"""Where matches stand: their journals and versions, and what is due."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from sqlalchemy import (
    Integer,
    Text,
    bindparam,
    func,
    select,
    text,
    tuple_,
)
from sqlalchemy.sql.elements import ColumnElement

from parlour.games.api import Millis, Seat
from parlour.store import schema
from parlour.store.api import Store
from parlour.store.change import JournalRow
from parlour.store.queries.rows import (
    LIST_LIMIT,
    Overdue,
    after_place,
    listed,
    overdue,
    read,
)

LAST = 2**31 - 1
"""After every version there is."""


class Standing(Struct, frozen=True):
    """Where a match stands, and of each seat who holds it and when it was last heard of."""

    version: int
    seats: list[tuple[Seat, str | None, Millis]]


class Outdated(Struct, frozen=True):
    """An open match of older rules than its game has now."""

    id: str
    rules_version: int


_ENTRY_COLUMNS = [
    schema.match.c.id.label("match_id"),
    *(schema.journal.c[name] for name in JournalRow.__struct_fields__[1:]),
]
_ENTRIES = (
    select(*_ENTRY_COLUMNS)
    .join_from(schema.match, schema.journal, schema.journal.c.match_number == schema.match.c.number)
    .where(schema.match.c.id == bindparam("match_id"))
)
_JOURNAL = _ENTRIES.where(
    schema.journal.c.version > bindparam("after"), schema.journal.c.version <= bindparam("until")
).order_by(schema.journal.c.version)
_JOURNAL_ENTRY = _ENTRIES.where(schema.journal.c.version == bindparam("version"))


def last_version() -> ColumnElement[int]:
    """Where a match stands, beside its row: what its journal has come to."""
    return (
        select(func.max(schema.journal.c.version))
        .where(schema.journal.c.match_number == schema.match.c.number)
        .scalar_subquery()
    )


_STANDINGS = (
    select(
        schema.match.c.id,
        func.coalesce(last_version(), 0).label("version"),
        schema.presence.c.seat,
        schema.presence.c.connection,
        schema.presence.c.seen_at,
    )
    .join_from(
        schema.match,
        schema.presence,
        schema.presence.c.match_id == schema.match.c.id,
        isouter=True,
    )
    .where(schema.match.c.id.in_(bindparam("ids", expanding=True)))
)
_VERSION = select(func.coalesce(last_version(), 0).label("version")).where(
    schema.match.c.id == bindparam("match_id")
)
_OVERDUE_MATCHES = (
    select(schema.match.c.id, schema.match.c.deadline_at.label("due_at"))
    .where(
        schema.match.c.deadline_at <= bindparam("now"),
        after_place(schema.match.c.deadline_at, schema.match.c.id),
    )
    .order_by(schema.match.c.deadline_at, schema.match.c.id)
    .limit(bindparam("limit"))
)
_OUTDATED_MATCHES = (
    select(schema.match.c.id, schema.match.c.rules_version)
    .where(
        text("match.status IN ('waiting', 'active')"),  # as the index has it
        schema.match.c.game == bindparam("game", type_=Text),
        schema.match.c.rules_version < bindparam("rules_version", type_=Integer),
        schema.match.c.rules_version >= bindparam("after_version", type_=Integer),
        tuple_(schema.match.c.rules_version, schema.match.c.id)
        > tuple_(bindparam("after_version", type_=Integer), bindparam("after_id", type_=Text)),
    )
    .order_by(schema.match.c.rules_version, schema.match.c.id)
    .limit(bindparam("limit"))
)


async def journal(
    store: Store, match_id: str, after: int = 0, until: int = LAST
) -> list[JournalRow]:
    """The entries after version `after`, in order."""
    return await listed(store, JournalRow, _JOURNAL, match_id=match_id, after=after, until=until)


async def journal_entry(store: Store, match_id: str, version: int) -> JournalRow | None:
    """The entry that led to a version; None if the match has not come so far."""
    if not 1 <= version < 2**31:
        return None
    record = await store.row(_JOURNAL_ENTRY, match_id=match_id, version=version)
    return read(JournalRow, record) if record else None


async def version(store: Store, match_id: str) -> int | None:
    """Where a match stands; None if there is no such match."""
    record = await store.row(_VERSION, match_id=match_id)
    return record["version"] if record else None


async def standings(store: Store, ids: Sequence[str]) -> dict[str, Standing]:
    """Where each of a portion of matches stands; unknown ones are left out."""
    found: dict[str, Standing] = {}
    for match_id, version, seat, connection, seen_at in await store.rows(_STANDINGS, ids=ids):
        standing = found.get(match_id)
        if standing is None:
            standing = found[match_id] = Standing(version, [])
        if seat is not None:
            standing.seats.append((seat, connection, seen_at))
    return found


async def overdue_matches(
    store: Store, now: Millis, after: Overdue | None = None, limit: int = LIST_LIMIT
) -> list[Overdue]:
    """Matches whose deadline has come, the longest overdue first; or those behind one."""
    return await overdue(store, _OVERDUE_MATCHES, now, after, limit)


async def outdated_matches(
    store: Store, game: str, rules_version: int, after: Outdated | None, limit: int
) -> list[Outdated]:
    """Open matches of a game whose rules are older than that, or those of them behind one."""
    behind = after or Outdated("", 0)
    return await listed(
        store,
        Outdated,
        _OUTDATED_MATCHES,
        game=game,
        rules_version=rules_version,
        after_version=behind.rules_version,
        after_id=behind.id,
        limit=limit,
    )
