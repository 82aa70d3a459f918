"""Who waits for an opponent."""
# ruff: noqa: S608 (only names of our own are put into SQL; values are parameters)

from __future__ import annotations

from collections.abc import Iterator

from parlour.games.api import Millis
from parlour.store.change.change import (
    Conflict,
    Write,
)
from parlour.store.change.statement import (
    Step,
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


class QueueUp(Write, frozen=True, kw_only=True):
    """The same for one of whom nothing else is known. Guard: they sit at no open game."""

    ticket: PutTicket


class TouchTicket(Write, frozen=True, kw_only=True):
    """A heartbeat; never in conflict with anything."""

    id: str
    seen_at: Millis
    deadline_at: Millis | None


class TakeTicket(Write, frozen=True, kw_only=True):
    """Guard: the ticket is still there."""

    id: str


_TICKET = PutTicket.__struct_fields__
_QUEUE_UP = statement(
    f"""INSERT INTO ticket ({", ".join(_TICKET)}) SELECT {", ".join(f":{name}" for name in _TICKET)}
    WHERE NOT EXISTS (SELECT 1 FROM seat WHERE user_id = :user_id AND game = :game AND sole)""",
    Conflict,
    key=("id",),
)


def _queue_up(write: QueueUp) -> Iterator[Step]:
    yield _QUEUE_UP, _QUEUE_UP.values(write.ticket)


WRITES: Steps = {
    PutTicket: run(insert("ticket", PutTicket)),
    QueueUp: _queue_up,
    TouchTicket: run(
        statement(
            """UPDATE ticket SET seen_at = :seen_at, deadline_at = :deadline_at
            WHERE id = :id AND seen_at <= :seen_at""",
            key=("id",),
        )
    ),
    TakeTicket: run(statement("DELETE FROM ticket WHERE id = :id", Conflict, key=("id",))),
}
