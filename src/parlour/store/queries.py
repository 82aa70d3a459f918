"""What play reads from the store, as typed rows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Literal, TypeVar

from msgspec import Struct
from sqlalchemy import (
    BigInteger,
    Executable,
    Integer,
    Select,
    Table,
    Text,
    and_,
    bindparam,
    func,
    select,
    text,
    tuple_,
)
from sqlalchemy.sql.elements import ColumnElement

from parlour.games.api import Millis, Seat
from parlour.store import schema
from parlour.store.api import Record, Store
from parlour.store.change import ChallengeRow, JournalRow, MatchRow, PutTicket, SeatRow

LIST_LIMIT = 500
"""So many rows are read in one statement, unless it is said how many."""

FIRST_MS: Millis = -(2**62)
"""Before every time there is."""

R = TypeVar("R", bound=Struct)


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


class Standing(Struct, frozen=True):
    """Where a match stands, and of each seat who holds it and when it was last heard of."""

    version: int
    seats: list[tuple[Seat, str | None, Millis]]


class Overdue(Struct, frozen=True):
    """Something whose time has come."""

    id: str
    due_at: Millis


class Outdated(Struct, frozen=True):
    """An open match of older rules than its game has now."""

    id: str
    rules_version: int


class EscrowRow(Struct, frozen=True, kw_only=True):
    """A pot and what each side put into it."""

    id: str
    challenge_id: str
    account_id: str
    currency: str
    a_contrib: int
    b_contrib: int
    total: int
    status: Literal["locked", "settled"]
    how: Literal["won", "refunded"] | None = None
    created_at: Millis
    settled_at: Millis | None = None


class Stored(Struct, frozen=True):
    """A match with all that stands around it, as of one instant."""

    match: MatchRow
    seats: tuple[SeatRow, ...]
    presence: tuple[PresenceRow, ...]
    escrow: EscrowRow | None

    @property
    def pot(self) -> tuple[int, int]:
        """What each seat has paid into the escrow."""
        return (self.escrow.a_contrib, self.escrow.b_contrib) if self.escrow else (0, 0)


# --- reading rows -----------------------------------------------------------------------------


def _columns(row: type[Struct], table: Table, prefix: str = "") -> list[ColumnElement[Any]]:
    return [table.c[name].label(prefix + name) for name in row.__struct_fields__]


def _read(row: type[R], record: Record, prefix: str = "") -> R:
    values = {name: record[prefix + name] for name in row.__struct_fields__}
    return row(**values)


async def _list(store: Store, row: type[R], query: Executable, **params: Any) -> list[R]:
    return [_read(row, record) for record in await store.rows(query, **params)]


# --- matches ----------------------------------------------------------------------------------


def _stored(condition: ColumnElement[bool]) -> Select[Any]:
    """One statement, so that match, seats and presence belong together; a row per seat."""
    match, seat, presence, escrow = schema.match, schema.seat, schema.presence, schema.escrow
    tables = (
        match.outerjoin(seat, seat.c.match_id == match.c.id)
        .outerjoin(
            presence,
            and_(presence.c.match_id == seat.c.match_id, presence.c.seat == seat.c.seat),
        )
        .outerjoin(escrow, escrow.c.id == match.c.escrow_id)
    )
    columns = (
        _columns(MatchRow, match)
        + _columns(SeatRow, seat, "seat_")
        + _columns(PresenceRow, presence, "presence_")
        + _columns(EscrowRow, escrow, "escrow_of_")
    )
    return select(*columns).select_from(tables).where(condition)


_GAME = bindparam("game", type_=Text)
_BY_ID = _stored(schema.match.c.id == bindparam("match_id"))
_BY_IDS = _stored(schema.match.c.id.in_(bindparam("ids", expanding=True)))
_PUBLIC_IDS = select(schema.match.c.id, schema.match.c.public_id).where(
    schema.match.c.id.in_(bindparam("ids", expanding=True))
)
_BY_PUBLIC_ID = _stored(
    and_(schema.match.c.game == _GAME, schema.match.c.public_id == bindparam("public_id"))
)
_BY_CODE = _stored(and_(schema.match.c.game == _GAME, schema.match.c.code == bindparam("code")))
_SEATED_BY = _stored(
    schema.match.c.id
    == select(schema.seat.c.match_id)
    .where(
        schema.seat.c.user_id == bindparam("user_id"),
        schema.seat.c.game == _GAME,
        schema.seat.c.ending == "open",
        schema.seat.c.created_at >= bindparam("since"),
        schema.seat.c.secret == bindparam("secret"),
    )
    .limit(1)
    .scalar_subquery()
)
_OPEN_OF = _stored(
    schema.match.c.id
    == select(schema.seat.c.match_id)
    .where(
        schema.seat.c.user_id == bindparam("user_id"),
        schema.seat.c.game == _GAME,
        text("seat.sole"),  # as the index has it, word for word, or SQLite passes it over
    )
    .scalar_subquery()
)


async def match_by_id(store: Store, match_id: str) -> Stored | None:
    return _gather(await store.rows(_BY_ID, match_id=match_id))


async def matches_by_id(store: Store, ids: Iterable[str]) -> list[Stored]:
    """Those of a page's worth of matches that exist, in the order asked for."""
    records: dict[str, list[Record]] = {match_id: [] for match_id in ids}
    found = await store.list_rows(_BY_IDS, ids=list(records)) if records else ()
    for record in found:
        records[record["id"]].append(record)
    return [stored for each in records.values() if (stored := _gather(each))]


async def public_ids(store: Store, ids: Iterable[str]) -> dict[str, str]:
    """By what id each of a page's worth of matches is known in addresses."""
    wanted = list(ids)
    rows = await store.rows(_PUBLIC_IDS, ids=wanted) if wanted else ()
    return {row["id"]: row["public_id"] for row in rows}


async def match_by_public_id(store: Store, game: str, public_id: str) -> Stored | None:
    return _gather(await store.rows(_BY_PUBLIC_ID, game=game, public_id=public_id))


async def match_by_code(store: Store, game: str, code: str) -> Stored | None:
    """The match that holds this private code or room name now."""
    return _gather(await store.rows(_BY_CODE, game=game, code=code))


async def match_seated_by(
    store: Store, user_id: str, game: str, secret: str, since: Millis
) -> Stored | None:
    """An open game, begun since then, in which a user has the seat with that secret."""
    return _gather(
        await store.rows(_SEATED_BY, user_id=user_id, game=game, secret=secret, since=since)
    )


async def open_match_of(store: Store, user_id: str, game: str) -> Stored | None:
    """The one open game of its kind that a user is in."""
    return _gather(await store.rows(_OPEN_OF, user_id=user_id, game=game))


def _gather(found: Sequence[Record]) -> Stored | None:
    if not found:
        return None
    records = sorted(found, key=_seat_number)
    first = records[0]
    return Stored(
        match=_read(MatchRow, first),
        seats=tuple(
            _read(SeatRow, record, "seat_") for record in records if record["seat_seat"] is not None
        ),
        presence=tuple(
            _read(PresenceRow, record, "presence_")
            for record in records
            if record["presence_seat"] is not None
        ),
        escrow=_read(EscrowRow, first, "escrow_of_") if first["escrow_of_id"] is not None else None,
    )


def _seat_number(record: Record) -> int:
    return record["seat_seat"] or 0


_JOURNAL = (
    select(*_columns(JournalRow, schema.journal))
    .where(
        schema.journal.c.match_id == bindparam("match_id"),
        schema.journal.c.version > bindparam("after"),
    )
    .order_by(schema.journal.c.version)
)
_JOURNAL_ENTRY = select(*_columns(JournalRow, schema.journal)).where(
    schema.journal.c.match_id == bindparam("match_id"),
    schema.journal.c.version == bindparam("version"),
)
_PRESENCE_COLUMNS = _columns(PresenceRow, schema.presence)
_STANDINGS = (
    select(
        schema.match.c.id,
        schema.match.c.version,
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
_VERSION = select(schema.match.c.version).where(schema.match.c.id == bindparam("match_id"))


def _after(at: ColumnElement[int], of: ColumnElement[str]) -> ColumnElement[bool]:
    """Those behind one, in the order of a time and of ids within it."""
    behind = tuple_(bindparam("after_at", type_=BigInteger), bindparam("after_id", type_=Text))
    return and_(at >= bindparam("after_at", type_=BigInteger), tuple_(at, of) > behind)


_OVERDUE_MATCHES = (
    select(schema.match.c.id, schema.match.c.deadline_at.label("due_at"))
    .where(
        schema.match.c.deadline_at <= bindparam("now"),
        _after(schema.match.c.deadline_at, schema.match.c.id),
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


async def journal(store: Store, match_id: str, after: int = 0) -> list[JournalRow]:
    """The entries after version `after`, in order."""
    return await _list(store, JournalRow, _JOURNAL, match_id=match_id, after=after)


async def journal_entry(store: Store, match_id: str, version: int) -> JournalRow | None:
    """The entry that led to a version; None if the match has not come so far."""
    if not 1 <= version < 2**31:
        return None
    record = await store.row(_JOURNAL_ENTRY, match_id=match_id, version=version)
    return _read(JournalRow, record) if record else None


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
    return await _overdue(store, _OVERDUE_MATCHES, now, after, limit)


async def outdated_matches(
    store: Store, game: str, rules_version: int, after: Outdated | None, limit: int
) -> list[Outdated]:
    """Open matches of a game whose rules are older than that, or those of them behind one."""
    behind = after or Outdated("", 0)
    return await _list(
        store,
        Outdated,
        _OUTDATED_MATCHES,
        game=game,
        rules_version=rules_version,
        after_version=behind.rules_version,
        after_id=behind.id,
        limit=limit,
    )


async def _overdue(
    store: Store, query: Executable, now: Millis, after: Overdue | None, limit: int
) -> list[Overdue]:
    behind = after or Overdue("", FIRST_MS)
    return await _list(
        store,
        Overdue,
        query,
        now=now,
        after_at=behind.due_at,
        after_id=behind.id,
        limit=limit,
    )


# --- presence ---------------------------------------------------------------------------------

_PRESENCE = (
    select(*_PRESENCE_COLUMNS)
    .where(schema.presence.c.match_id == bindparam("match_id"))
    .order_by(schema.presence.c.seat)
)
_LEASES = select(schema.lease.c.process_id, schema.lease.c.until)
_PROCESS = bindparam("process_id", type_=Text)
_HELD_SEATS = (
    select(*_PRESENCE_COLUMNS)
    .where(
        schema.presence.c.process_id == _PROCESS,
        tuple_(schema.presence.c.match_id, schema.presence.c.seat)
        > tuple_(bindparam("match_id", type_=Text), bindparam("seat", type_=Integer)),
    )
    .order_by(schema.presence.c.match_id, schema.presence.c.seat)
    .limit(bindparam("limit"))
)
_TICKET_COLUMNS = _columns(PutTicket, schema.ticket)
_HELD_TICKETS = (
    select(*_TICKET_COLUMNS)
    .where(schema.ticket.c.process_id == _PROCESS, schema.ticket.c.id > bindparam("id"))
    .order_by(schema.ticket.c.id)
    .limit(bindparam("limit"))
)


def _holders(table: Table) -> Select[Any]:
    """The few processes that hold many rows, each found by one step in the index."""
    held = table.c.process_id
    found = select(func.min(held).label("id")).where(held.is_not(None)).cte(recursive=True)
    following = select(func.min(held)).where(held > found.c.id).scalar_subquery()
    found = found.union_all(select(following).where(found.c.id.is_not(None)))
    return select(found.c.id).where(found.c.id.is_not(None))


_SEAT_HOLDERS = _holders(schema.presence)
_TICKET_HOLDERS = _holders(schema.ticket)


async def presence(store: Store, match_id: str) -> list[PresenceRow]:
    return await _list(store, PresenceRow, _PRESENCE, match_id=match_id)


async def leases(store: Store) -> list[tuple[str, Millis]]:
    """Every process that holds or held a lease, and until when."""
    return [(record["process_id"], record["until"]) for record in await store.rows(_LEASES)]


async def holders(store: Store) -> list[str]:
    """Every process that holds a seat or a ticket, in order."""
    seats, tickets = await store.rows(_SEAT_HOLDERS), await store.rows(_TICKET_HOLDERS)
    return sorted({record["id"] for record in (*seats, *tickets)})


async def held_seats(
    store: Store, process_id: str, after: PresenceRow | None = None, limit: int = LIST_LIMIT
) -> list[PresenceRow]:
    """Seats held by connections of a process, in order; or those behind one."""
    match_id, seat = (after.match_id, after.seat) if after else ("", 0)
    return await _list(
        store,
        PresenceRow,
        _HELD_SEATS,
        process_id=process_id,
        match_id=match_id,
        seat=seat,
        limit=limit,
    )


async def held_tickets(
    store: Store, process_id: str, after: PutTicket | None = None, limit: int = LIST_LIMIT
) -> list[PutTicket]:
    """Tickets held by connections of a process, in order; or those behind one."""
    behind = after.id if after else ""
    return await _list(
        store, PutTicket, _HELD_TICKETS, process_id=process_id, id=behind, limit=limit
    )


# --- queue and challenges ---------------------------------------------------------------------

_TICKETS = (
    select(*_TICKET_COLUMNS)
    .where(schema.ticket.c.game == _GAME)
    .order_by(schema.ticket.c.joined_at, schema.ticket.c.id)
    .limit(bindparam("limit"))
)
_TICKET_OF = select(*_TICKET_COLUMNS).where(
    schema.ticket.c.user_id == bindparam("user_id"), schema.ticket.c.game == _GAME
)
_TICKETS_BY_ID = select(schema.ticket.c.id).where(
    schema.ticket.c.id.in_(bindparam("ids", expanding=True))
)
_OVERDUE_TICKETS = (
    select(*_TICKET_COLUMNS)
    .where(
        schema.ticket.c.deadline_at <= bindparam("now"),
        _after(schema.ticket.c.deadline_at, schema.ticket.c.id),
    )
    .order_by(schema.ticket.c.deadline_at, schema.ticket.c.id)
    .limit(bindparam("limit"))
)
_CHALLENGE = select(*_columns(ChallengeRow, schema.challenge)).where(
    schema.challenge.c.id == bindparam("id")
)
_OVERDUE_CHALLENGES = (
    select(schema.challenge.c.id, schema.challenge.c.expires_at.label("due_at"))
    .where(
        text("status = 'pending'"),  # as the index has it, or PostgreSQL passes it over
        schema.challenge.c.expires_at <= bindparam("now"),
        _after(schema.challenge.c.expires_at, schema.challenge.c.id),
    )
    .order_by(schema.challenge.c.expires_at, schema.challenge.c.id)
    .limit(bindparam("limit"))
)


async def tickets(store: Store, game: str, limit: int = LIST_LIMIT) -> list[PutTicket]:
    """Who waits for an opponent, the one who waits longest first."""
    return await _list(store, PutTicket, _TICKETS, game=game, limit=limit)


async def ticket_of(store: Store, user_id: str, game: str) -> PutTicket | None:
    record = await store.row(_TICKET_OF, user_id=user_id, game=game)
    return _read(PutTicket, record) if record else None


async def existing_tickets(store: Store, ids: Sequence[str]) -> set[str]:
    """Which of a portion of tickets are still there."""
    return {record["id"] for record in await store.rows(_TICKETS_BY_ID, ids=ids)}


async def overdue_tickets(
    store: Store, now: Millis, after: PutTicket | None = None, limit: int = LIST_LIMIT
) -> list[PutTicket]:
    """Tickets whose deadline has come, the longest overdue first; or those behind one."""
    after_at = FIRST_MS if after is None else after.deadline_at
    after_id = "" if after is None else after.id
    return await _list(
        store,
        PutTicket,
        _OVERDUE_TICKETS,
        now=now,
        after_at=after_at,
        after_id=after_id,
        limit=limit,
    )


async def challenge(store: Store, challenge_id: str) -> ChallengeRow | None:
    record = await store.row(_CHALLENGE, id=challenge_id)
    return _read(ChallengeRow, record) if record else None


async def overdue_challenges(
    store: Store, now: Millis, after: Overdue | None = None, limit: int = LIST_LIMIT
) -> list[Overdue]:
    """Pending challenges that have expired, the longest overdue first; or those behind one."""
    return await _overdue(store, _OVERDUE_CHALLENGES, now, after, limit)


# --- people -----------------------------------------------------------------------------------

_USERS = select(schema.user.c.id, schema.user.c.username, schema.user.c.is_bot).where(
    schema.user.c.id.in_(bindparam("ids", expanding=True))
)

# Whatever they play: were the game named too, SQLite would go through all who play it.
_RATINGS = select(schema.rating.c.user_id, schema.rating.c.game, schema.rating.c.rating).where(
    schema.rating.c.user_id.in_(bindparam("ids", expanding=True))
)


async def ratings(store: Store, user_ids: Iterable[str], game: str) -> dict[str, int]:
    """The rating of each of these users, which for a newcomer is where everyone starts."""
    found = dict.fromkeys(user_ids, schema.STARTING_RATING)
    for record in await store.rows(_RATINGS, ids=list(found)):
        if record["game"] == game:
            found[record["user_id"]] = record["rating"]
    return found


async def users_by_id(store: Store, ids: Iterable[str]) -> dict[str, Record]:
    """What each of these users is called, and whether it is a bot."""
    return {record["id"]: record for record in await store.rows(_USERS, ids=list(ids))}
