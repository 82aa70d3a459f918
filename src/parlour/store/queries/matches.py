"""Matches with all that stands around them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final, Literal

from msgspec import Struct
from sqlalchemy import (
    Select,
    and_,
    bindparam,
    select,
    text,
)
from sqlalchemy.sql.elements import ColumnElement

from parlour.games.api import Millis
from parlour.store import schema
from parlour.store.api import Record, Store
from parlour.store.change import JournalRow, MatchRow, SeatRow
from parlour.store.queries.connections import PresenceRow
from parlour.store.queries.rows import (
    GAME,
    columns,
    read,
)
from parlour.store.queries.standing import journal, last_version


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
    """A match with all that stands around it, as of one instant.

    Its row is a snapshot, and `since` the steps that were made after it, without a gap: every step
    that is not decided by the rules alone, or that ends the match, writes the row.
    """

    match: MatchRow
    seats: tuple[SeatRow, ...]
    presence: tuple[PresenceRow, ...]
    escrow: EscrowRow | None
    since: tuple[JournalRow, ...] = ()

    @property
    def version(self) -> int:
        """Where the match stands."""
        return self.since[-1].version if self.since else self.match.version

    @property
    def pot(self) -> tuple[int, int]:
        """What each seat has paid into the escrow."""
        return (self.escrow.a_contrib, self.escrow.b_contrib) if self.escrow else (0, 0)


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
    read_columns = (
        columns(MatchRow, match)
        + columns(SeatRow, seat, "seat_")
        + columns(PresenceRow, presence, "presence_")
        + columns(EscrowRow, escrow, "escrow_of_")
        + [last_version().label("last")]
    )
    return select(*read_columns).select_from(tables).where(condition)


_SEAT_AT: Final = len(MatchRow.__struct_fields__)
_PRESENCE_AT: Final = _SEAT_AT + len(SeatRow.__struct_fields__)
_ESCROW_AT: Final = _PRESENCE_AT + len(PresenceRow.__struct_fields__)
"""Where each of them begins among what is selected."""

_BY_ID = _stored(schema.match.c.id == bindparam("match_id"))
_BY_IDS = _stored(schema.match.c.id.in_(bindparam("ids", expanding=True)))
_PUBLIC_IDS = select(schema.match.c.id, schema.match.c.public_id).where(
    schema.match.c.id.in_(bindparam("ids", expanding=True))
)
_BY_PUBLIC_ID = _stored(
    and_(schema.match.c.game == GAME, schema.match.c.public_id == bindparam("public_id"))
)
_BY_CODE = _stored(and_(schema.match.c.game == GAME, schema.match.c.code == bindparam("code")))
_SEATED_BY = _stored(
    schema.match.c.id
    == select(schema.seat.c.match_id)
    .where(
        schema.seat.c.user_id == bindparam("user_id"),
        schema.seat.c.game == GAME,
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
        schema.seat.c.game == GAME,
        text("seat.sole"),  # as the index has it, word for word, or SQLite passes it over
    )
    .scalar_subquery()
)


async def match_by_id(store: Store, match_id: str) -> Stored | None:
    return await _whole(store, await store.rows(_BY_ID, match_id=match_id))


async def matches_by_id(store: Store, ids: Iterable[str]) -> list[Stored]:
    """Those of a page's worth of matches that exist, in the order asked for."""
    records: dict[str, list[Record]] = {match_id: [] for match_id in ids}
    found = await store.list_rows(_BY_IDS, ids=list(records)) if records else ()
    for record in found:
        records[record["id"]].append(record)
    wholes = [await _whole(store, each) for each in records.values()]
    return [stored for stored in wholes if stored is not None]


async def public_ids(store: Store, ids: Iterable[str]) -> dict[str, str]:
    """By what id each of a page's worth of matches is known in addresses."""
    wanted = list(ids)
    rows = await store.rows(_PUBLIC_IDS, ids=wanted) if wanted else ()
    return {row["id"]: row["public_id"] for row in rows}


async def match_by_public_id(store: Store, game: str, public_id: str) -> Stored | None:
    return await _whole(store, await store.rows(_BY_PUBLIC_ID, game=game, public_id=public_id))


async def match_by_code(store: Store, game: str, code: str) -> Stored | None:
    """The match that holds this private code or room name now."""
    return await _whole(store, await store.rows(_BY_CODE, game=game, code=code))


async def match_seated_by(
    store: Store, user_id: str, game: str, secret: str, since: Millis
) -> Stored | None:
    """An open game, begun since then, in which a user has the seat with that secret."""
    return await _whole(
        store, await store.rows(_SEATED_BY, user_id=user_id, game=game, secret=secret, since=since)
    )


async def open_match_of(store: Store, user_id: str, game: str) -> Stored | None:
    """The one open game of its kind that a user is in."""
    return await _whole(store, await store.rows(_OPEN_OF, user_id=user_id, game=game))


async def _whole(store: Store, found: Sequence[Record]) -> Stored | None:
    """What was found of one match, and the steps since its snapshot, of which there may be some."""
    if not found:
        return None
    records = sorted(found, key=_seat_number)
    first = records[0]
    match = read(MatchRow, first)
    since = await _since(store, match, first["last"] or 0)
    return Stored(
        match=match,
        seats=tuple(
            read(SeatRow, record, _SEAT_AT) for record in records if record["seat_seat"] is not None
        ),
        presence=tuple(
            read(PresenceRow, record, _PRESENCE_AT)
            for record in records
            if record["presence_seat"] is not None
        ),
        escrow=read(EscrowRow, first, _ESCROW_AT) if first["escrow_of_id"] is not None else None,
        since=since,
    )


async def _since(store: Store, match: MatchRow, last: int) -> tuple[JournalRow, ...]:
    """The steps after the snapshot up to the one that was last when it was read."""
    if last <= match.version:
        return ()
    return tuple(await journal(store, match.id, match.version, last))


def _seat_number(record: Record) -> int:
    return record["seat_seat"] or 0
