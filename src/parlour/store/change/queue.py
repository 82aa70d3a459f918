"""Who waits for an opponent."""

from __future__ import annotations

from parlour.games.api import Millis
from parlour.store.change.change import (
    Conflict,
    Write,
)
from parlour.store.change.statement import (
    Steps,
    insert,
    run,
    statement,
)


class PutTicket(Write, frozen=True, kw_only=True):
    """Waiting for an opponent. Taken: `ticket`."""

    id: str
    game: str
    user_id: str
    name: str
    joined_at: Millis
    seen_at: Millis
    deadline_at: Millis | None = None
    """When something happens to it if nobody came: a bot steps in, or it lapses."""
    connection: str | None = None
    process_id: str | None = None
    options: bytes | None = None
    """What its holder would like to play by; None: as usual."""


class TouchTicket(Write, frozen=True, kw_only=True):
    """A heartbeat; never in conflict with anything."""

    id: str
    seen_at: Millis
    deadline_at: Millis | None


class TakeTicket(Write, frozen=True, kw_only=True):
    """Guard: the ticket is still there."""

    id: str


WRITES: Steps = {
    PutTicket: run(insert("ticket", PutTicket)),
    TouchTicket: run(
        statement(
            """UPDATE ticket SET seen_at = :seen_at, deadline_at = :deadline_at
            WHERE id = :id AND seen_at <= :seen_at""",
            key=("id",),
        )
    ),
    TakeTicket: run(statement("DELETE FROM ticket WHERE id = :id", Conflict, key=("id",))),
}
