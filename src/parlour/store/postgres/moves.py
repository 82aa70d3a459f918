"""Many moves in one statement, which says of each whether it was made."""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter
from typing import Any

from parlour.store.change import AdvanceMatch, Change, JournalRow
from parlour.store.postgres.connection import named

_MOVES = """
WITH wanted AS (
    SELECT * FROM unnest(
        $1::text[], $2::int[], $3::bytea[], $4::bigint[], $5::bigint[], $6::bigint[],
        $7::bigint[], $8::bigint[],
        $9::bigint[], $10::text[], $11::smallint[], $12::bytea[], $13::bigint[], $14::bigint[]
    ) AS wanted (
        match_id, version, state, updated_at, deadline_at, bot_at, acted_0_at, acted_1_at,
        at, kind, seat, action, seen_0, seen_1
    )
), moved AS (
    UPDATE match SET version = wanted.version, state = wanted.state,
        updated_at = wanted.updated_at, deadline_at = wanted.deadline_at,
        bot_at = wanted.bot_at, acted_0_at = wanted.acted_0_at, acted_1_at = wanted.acted_1_at
    FROM wanted WHERE match.id = wanted.match_id AND match.version = wanted.version - 1
    RETURNING match.id
), entered AS (
    INSERT INTO journal (match_id, version, at, kind, seat, action, seen_0, seen_1)
    SELECT match_id, version, at, kind, seat, action, seen_0, seen_1
    FROM wanted JOIN moved ON moved.id = wanted.match_id
), sent AS (
    INSERT INTO outbox (key, type, payload, at)
    SELECT key, type, payload, at
    FROM unnest($15::text[], $16::text[], $17::text[], $18::bytea[], $19::bigint[])
        WITH ORDINALITY AS event (match_id, key, type, payload, at, place)
    JOIN moved ON moved.id = event.match_id ORDER BY place
)
SELECT id FROM moved
"""

_advance = attrgetter(*AdvanceMatch.__struct_fields__)
_entry = attrgetter(*JournalRow.__struct_fields__[2:])
_event = attrgetter("key", "type", "payload", "at")


async def move(connection: Any, moves: dict[str, Change]) -> set[str]:
    """Make those moves that their matches still wait for; says of which matches they were.

    One statement makes them all. There is one move of each match, under the match's id.
    """
    with named(connection, in_doubt=True):
        rows = await connection.fetch(_MOVES, *_columns(moves))
    return {row["id"] for row in rows}


def _columns(moves: dict[str, Change]) -> list[Sequence[Any]]:
    made = [(*_advance(move.writes[0]), *_entry(move.writes[1])) for move in moves.values()]
    events = [
        (match_id, *_event(event)) for match_id, move in moves.items() for event in move.writes[2:]
    ]
    return [*zip(*made, strict=True), *(zip(*events, strict=True) if events else [()] * 5)]
