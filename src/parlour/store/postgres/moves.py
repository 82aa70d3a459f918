"""Many moves in one statement, which says of each whether it was made."""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter
from typing import Any

from parlour.store.change import AdvanceMatch, Change, JournalRow
from parlour.store.postgres.connection import named

_ENTRIES = """
WITH wanted AS (
    SELECT number, wanted.* FROM unnest(
        $1::text[], $2::int[], $3::bigint[], $4::text[], $5::smallint[], $6::bytea[],
        $7::bigint[], $8::bigint[]
    ) AS wanted (match_id, version, at, kind, seat, action, seen_0, seen_1)
    JOIN match ON match.id = wanted.match_id
), entered AS (
    INSERT INTO journal (match_number, version, at, kind, seat, action, seen_0, seen_1)
    SELECT number, version, at, kind, seat, action, seen_0, seen_1 FROM wanted ORDER BY match_id
    ON CONFLICT (match_number, version) DO NOTHING
    RETURNING match_number
), moved AS (
    SELECT match_id FROM wanted JOIN entered ON entered.match_number = wanted.number
)"""
_MOVED = "SELECT match_id FROM moved"

MOVES = f"{_ENTRIES} {_MOVED}"
"""Entries alone, as of most moves,"""
MOVES_AND_MORE = f"""{_ENTRIES}, advanced AS (
    UPDATE match SET version = new.version, state = new.state, updated_at = new.updated_at,
        deadline_at = new.deadline_at, bot_at = new.bot_at, acted_0_at = new.acted_0_at,
        acted_1_at = new.acted_1_at
    FROM unnest(
        $9::text[], $10::int[], $11::bytea[], $12::bigint[], $13::bigint[], $14::bigint[],
        $15::bigint[], $16::bigint[]
    ) AS new (
        match_id, version, state, updated_at, deadline_at, bot_at, acted_0_at, acted_1_at
    ) JOIN moved ON moved.match_id = new.match_id
    WHERE match.id = new.match_id AND match.version < new.version
), sent AS (
    INSERT INTO outbox (key, type, payload, at)
    SELECT key, type, payload, at
    FROM unnest($17::text[], $18::text[], $19::text[], $20::bytea[], $21::bigint[])
        WITH ORDINALITY AS event (match_id, key, type, payload, at, place)
    JOIN moved ON moved.match_id = event.match_id ORDER BY place
) {_MOVED}"""  # noqa: S608 (text of our own)
"""… and with rows that are brought up to them, and events."""

_advance = attrgetter(*AdvanceMatch.__struct_fields__)
_entry = attrgetter(*JournalRow.__struct_fields__)
_event = attrgetter("key", "type", "payload", "at")

Columns = list[Sequence[Any]]


async def move(connection: Any, moves: dict[str, Change]) -> set[str]:
    """Make those moves that their matches still wait for; says of which matches they were.

    One statement makes them all. There is one move of each match, under the match's id.
    """
    entries, more = _columns(moves)
    with named(connection, in_doubt=True):
        if more:
            rows = await connection.fetch(MOVES_AND_MORE, *entries, *more)
        else:
            rows = await connection.fetch(MOVES, *entries)
    return {row["match_id"] for row in rows}


def _columns(moves: dict[str, Change]) -> tuple[Columns, Columns]:
    """Of the entries, and of what comes with them, if anything does."""
    entries: list[Sequence[Any]] = []
    advances: list[Sequence[Any]] = []
    events: list[Sequence[Any]] = []
    for match_id, move in moves.items():
        entries.append(_entry(move.writes[0]))
        for write in move.writes[1:]:
            if type(write) is AdvanceMatch:
                advances.append(_advance(write))
            else:
                events.append((match_id, *_event(write)))
    more = [*_turned(advances, 8), *_turned(events, 5)] if advances or events else []
    return _turned(entries, 8), more


def _turned(rows: list[Sequence[Any]], width: int) -> Columns:
    return list(zip(*rows, strict=True)) if rows else [()] * width
