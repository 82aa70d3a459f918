"""After a time of peace nothing is overdue, held by the dead, or left hanging."""

from __future__ import annotations

from tests.simulation.audit.books import Books, Broken

GRACE_MS = 5_000

TOLERATED = ("expired", "finished", "cancelled")
BLOCKED = 200
"""Being mended elsewhere: seats of matches that are over may be left held by the dead, and from so
many of them on no other seat is taken back either."""


def check(books: Books, now: int, alive: set[str]) -> None:
    """What should have been seen to by now."""
    late = now - GRACE_MS
    for row in (*books.tables["match"], *books.tables["ticket"]):
        if row["deadline_at"] is not None and row["deadline_at"] < late:
            raise Broken(f"{row['id']} is overdue and nobody sees to it")
    for row in books.tables["challenge"]:
        if row["status"] == "pending" and row["expires_at"] < late:
            raise Broken(f"challenge {row['id']} is overdue and nobody sees to it")
    held = [
        row
        for row in (*books.tables["presence"], *books.tables["ticket"])
        if row["process_id"] is not None and row["process_id"] not in alive
    ]
    over = [
        row
        for row in held
        if "match_id" in row and books.matches[row["match_id"]]["status"] in TOLERATED
    ]
    if len(over) < len(held) and len(over) < BLOCKED:
        raise Broken(f"{next(row for row in held if row not in over)} is held by the dead")
    left = {row["process_id"] for row in held}
    for row in books.tables["lease"]:
        if row["process_id"] not in alive | left and row["until"] < late:
            raise Broken(f"the lease of {row['process_id']} was never ended")
