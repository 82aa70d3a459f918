"""Who is here: the leases of processes, and which connection holds which seat."""
# ruff: noqa: S608 (only names of our own are put into SQL; values are parameters)

from __future__ import annotations

from parlour.games.api import Millis, Seat
from parlour.store.change.change import (
    Conflict,
    Write,
)
from parlour.store.change.statement import (
    Steps,
    run,
    statement,
)


class HoldLease(Write, frozen=True, kw_only=True):
    """This process lives until `until` unless it says so again."""

    process_id: str
    until: Millis


class TakeLease(Write, frozen=True, kw_only=True):
    """What one process at a time may do, such as publishing the outbox, is taken or kept.

    Guard: the lease still runs until `seen_until` (None: nobody has it). So of two who see it run
    out one gets it, and who lost it in the meantime learns so when renewing.
    """

    process_id: str
    seen_until: Millis | None
    until: Millis


class EndLease(Write, frozen=True, kw_only=True):
    """This process is gone, and holds nothing any more."""

    process_id: str


class ForgetLease(Write, frozen=True, kw_only=True):
    """A process whose lease ran out at `until` holds nothing any more, unless it has renewed it."""

    process_id: str
    until: Millis


class Sighting(Write, frozen=True, kw_only=True):
    """A seat was heard of; never in conflict with anything, and never moves back."""

    match_id: str
    seat: Seat
    seen_at: Millis


class Arrive(Write, frozen=True, kw_only=True):
    """A connection takes a seat, replacing an older one."""

    match_id: str
    seat: Seat
    seen_at: Millis
    connection: str
    process_id: str


class Depart(Write, frozen=True, kw_only=True):
    """A connection leaves its seat. Guard: it is still the one that holds it."""

    match_id: str
    seat: Seat
    seen_at: Millis
    connection: str


class GetUp(Write, frozen=True, kw_only=True):
    """These connections stay no longer, at most one a seat; who holds its seat no more has got up
    before.
    """

    match_id: str
    at: Millis
    connection_0: str | None
    connection_1: str | None


class FreeSeats(Write, frozen=True, kw_only=True):
    """The match is let go, and with it every seat that a connection still holds."""

    match_id: str
    at: Millis


_LATER = """CASE WHEN presence.seen_at < excluded.seen_at
    THEN excluded.seen_at ELSE presence.seen_at END"""
WRITES: Steps = {
    HoldLease: run(
        statement(
            """INSERT INTO lease (process_id, until) VALUES (:process_id, :until)
            ON CONFLICT (process_id) DO UPDATE SET until = excluded.until""",
            key=("process_id",),
        )
    ),
    TakeLease: run(
        statement(
            """INSERT INTO lease (process_id, until) VALUES (:process_id, :until)
            ON CONFLICT (process_id) DO UPDATE SET until = excluded.until
            WHERE lease.until = :seen_until""",
            Conflict,
            key=("process_id",),
        )
    ),
    EndLease: run(
        statement("DELETE FROM lease WHERE process_id = :process_id", key=("process_id",))
    ),
    ForgetLease: run(
        statement(
            "DELETE FROM lease WHERE process_id = :process_id AND until = :until",
            key=("process_id",),
        )
    ),
    Sighting: run(
        statement(
            f"""INSERT INTO presence (match_id, seat, seen_at) VALUES (:match_id, :seat, :seen_at)
            ON CONFLICT (match_id, seat) DO UPDATE SET seen_at = {_LATER}""",
            key=("match_id",),
        )
    ),
    Arrive: run(
        statement(
            f"""INSERT INTO presence (match_id, seat, seen_at, connection, process_id)
            VALUES (:match_id, :seat, :seen_at, :connection, :process_id)
            ON CONFLICT (match_id, seat) DO UPDATE SET seen_at = {_LATER},
            connection = excluded.connection, process_id = excluded.process_id,
            left_at = NULL""",
            key=("match_id",),
        )
    ),
    Depart: run(
        statement(
            """UPDATE presence SET connection = NULL, process_id = NULL, left_at = :seen_at,
            seen_at = CASE WHEN seen_at < :seen_at THEN :seen_at ELSE seen_at END
            WHERE match_id = :match_id AND seat = :seat AND connection = :connection""",
            Conflict,
            key=("match_id",),
        )
    ),
    GetUp: run(
        statement(
            """UPDATE presence SET connection = NULL, process_id = NULL, left_at = :at,
            seen_at = CASE WHEN seen_at < :at THEN :at ELSE seen_at END
            WHERE match_id = :match_id AND connection IN (:connection_0, :connection_1)""",
            key=("match_id",),
        )
    ),
    FreeSeats: run(
        statement(
            """UPDATE presence SET connection = NULL, process_id = NULL, left_at = :at
            WHERE match_id = :match_id AND connection IS NOT NULL""",
            key=("match_id",),
        )
    ),
}
