"""A match's audit log, as its players may read it.

Nothing is written for it: it is the challenge's audit rows, then the journal, which the database
lets nobody change, then how the pot was settled. So it can neither lack a step nor invent one.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

import msgspec
from msgspec import Struct
from sqlalchemy import bindparam, select

from parlour.games.api import SEATS, Seat, other
from parlour.games.connect_five.answers import MatchSight, person_of
from parlour.games.connect_five.board import REACH, SIZE
from parlour.games.connect_five.numbers import MatchNumbers
from parlour.games.connect_five.table import PRICES, Action, Move, Purchase
from parlour.host.sight import Facts
from parlour.net.directory import Person
from parlour.net.paging import Cut, Page
from parlour.store import queries
from parlour.store.api import Record, Store
from parlour.store.change import JournalRow
from parlour.store.schema import audit
from parlour.timekeeping import iso

EventType = Literal[
    "challenge_created",
    "challenge_accepted",
    "match_started",
    "move",
    "purchase",
    "timeout",
    "cancelled",
    "settlement",
]

_AUDIT = (
    select(audit).where(audit.c.subject_id == bindparam("subject_id")).order_by(audit.c.position)
)
_ACTION: msgspec.json.Decoder[Action] = msgspec.json.Decoder(Action)


class MatchEvent(Struct, frozen=True, kw_only=True):
    """Something that happened to a match, for good."""

    id: int
    match: int
    actor: Person | None
    """None: the clock, the rules or an operator."""
    event_type: str
    payload: dict[str, Any]
    created_date: str


class EventPage(Page, frozen=True):
    """Part of what happened to a match."""

    results: list[MatchEvent]


async def events_of(
    store: Store, sight: MatchSight, numbers: MatchNumbers, cut: Cut
) -> tuple[list[MatchEvent], int]:
    """A page of what happened to a match, the oldest first, and how much that is in all."""
    match = sight.match
    rows = await store.rows(_AUDIT, subject_id=match.escrow_id)
    audited = [
        (row["at"], _audited(match, numbers, place, row)) for place, row in enumerate(rows, 1)
    ]
    before = [event for at, event in audited if at <= match.created_at]
    after = [event for at, event in audited if at > match.created_at]
    ending = [_settlement(match, numbers)] if match.over else []
    count = len(before) + match.version + len(ending) + len(after)

    first = max(0, cut.offset - len(before))
    until = min(match.version, cut.offset + cut.size - len(before))
    entries = await queries.journal(store, match.id, after=first, until=until)
    journalled = [_journalled(sight, numbers, entry) for entry in entries]

    opening = before[cut.offset : cut.offset + cut.size]
    closing_from = max(0, cut.offset - len(before) - match.version)
    closing = (ending + after)[closing_from:]
    return (opening + journalled + closing)[: cut.size], count


def _audited(match: Facts, numbers: MatchNumbers, place: int, row: Record) -> MatchEvent:
    seat = match.seat_of(row["actor_id"] or "")
    return MatchEvent(
        id=numbers.before_play(place),
        match=numbers.match,
        actor=None if seat is None else person_of(match.seats[seat], numbers),
        event_type=row["type"],
        payload=msgspec.json.decode(row["payload"]),
        created_date=iso(row["at"]),
    )


def _journalled(sight: MatchSight, numbers: MatchNumbers, entry: JournalRow) -> MatchEvent:
    match = sight.match
    actor = entry.seat if entry.kind == "act" else None
    event_type, payload = _told(sight, numbers, entry)
    return MatchEvent(
        id=numbers.step(entry.version),
        match=numbers.match,
        actor=None if actor is None else person_of(match.seats[actor], numbers),
        event_type=event_type,
        payload=payload,
        created_date=iso(entry.at),
    )


def _told(
    sight: MatchSight, numbers: MatchNumbers, entry: JournalRow
) -> tuple[EventType, dict[str, Any]]:
    """What an entry of the journal did, in the document's words."""
    match = sight.match
    if entry.kind == "start":
        first = sight.view.state.first
        return "match_started", {"active_player": person_of(match.seats[first], numbers)}
    if entry.kind == "cancel":
        return "cancelled", {}
    if entry.kind == "expire":
        assert match.winner is not None
        return "timeout", {"player": numbers.player(other(match.winner))}
    action = _ACTION.decode(entry.action or b"")
    return ("move", _moved(action)) if isinstance(action, Move) else ("purchase", _bought(action))


def _moved(move: Move) -> dict[str, Any]:
    cells = REACH[move.move_type][move.y * SIZE + move.x]
    bomb = move.move_type == "BOMB"
    return {
        "move_type": move.move_type,
        "x": move.x,
        "y": move.y,
        "placed": [] if bomb else cells,
        "removed": cells if bomb else [],
        "inventory": {} if move.move_type == "SINGLE" else {move.move_type: -1},
    }


def _bought(purchase: Purchase) -> dict[str, Any]:
    special, quantity = purchase.special_type, purchase.quantity
    return {
        "special_type": special,
        "quantity": quantity,
        "total_cost": PRICES[special] * quantity,
        "inventory": {special: quantity},
    }


def _settlement(match: Facts, numbers: MatchNumbers) -> MatchEvent:
    assert match.ended_at is not None
    return MatchEvent(
        id=numbers.settlement,
        match=numbers.match,
        actor=None,
        event_type="settlement",
        payload={
            "finish_reason": match.reason,
            "prize_pool_total": sum(match.pot),
            "payouts": {numbers.player(seat): paid for seat, paid in _payouts(match)},
        },
        created_date=iso(match.ended_at),
    )


def _payouts(match: Facts) -> Iterator[tuple[Seat, int]]:
    for seat in SEATS:
        if match.winner is None:
            yield seat, match.pot[seat]
        else:
            yield seat, sum(match.pot) if seat == match.winner else 0
