"""The trail for disputes, and the analytics events on their way out."""

from __future__ import annotations

import msgspec

from parlour.games.api import Millis
from parlour.store.change.change import (
    Write,
)
from parlour.store.change.statement import (
    Steps,
    insert,
    run,
    statement,
)


class AuditRow(Write, frozen=True, kw_only=True):
    """What happened around a challenge and its match, for disputes."""

    id: str
    subject_id: str
    """The challenge's id: the events of its match stand with it."""
    match_id: str | None = None
    actor_id: str | None = None
    type: str
    payload: bytes
    at: Millis


class OutboxRow(Write, frozen=True, kw_only=True):
    """An analytics event on its way out. Kept in order per key."""

    key: str
    type: str
    payload: bytes
    at: Millis


class ClearOutbox(Write, frozen=True, kw_only=True):
    """These events have arrived; those already gone are passed over."""

    positions: tuple[int, ...]


OUTBOX = insert("outbox", OutboxRow)
WRITES: Steps = {
    AuditRow: run(insert("audit", AuditRow)),
    OutboxRow: run(OUTBOX),
    ClearOutbox: run(
        statement(
            "DELETE FROM outbox WHERE position IN (SELECT value FROM json_each(:listed))",
            postgres="""DELETE FROM outbox WHERE position IN
            (SELECT CAST(value AS bigint) FROM json_array_elements_text(CAST(:listed AS json)))""",
            computed={"listed": lambda write: msgspec.json.encode(write.positions).decode()},
        )
    ),
}
