"""After a time of peace nothing is overdue, held by the dead, or left hanging."""

from __future__ import annotations

from tests.simulation.audit.books import Books, Broken

GRACE_MS = 5_000


def check(books: Books, now: int, alive: set[str]) -> None:
    """What should have been seen to by now."""
    late = now - GRACE_MS
    for row in (*books.tables["match"], *books.tables["ticket"]):
        if row["deadline_at"] is not None and row["deadline_at"] < late:
            raise Broken(f"{row['id']} is overdue and nobody sees to it")
    for row in books.tables["challenge"]:
        if row["status"] == "pending" and row["expires_at"] < late:
            raise Broken(f"challenge {row['id']} is overdue and nobody sees to it")
    for row in (*books.tables["presence"], *books.tables["ticket"]):
        if row["process_id"] is not None and row["process_id"] not in alive:
            raise Broken(f"{row} is held by the dead")
    for row in books.tables["lease"]:
        if row["process_id"] not in alive and row["until"] < late:
            raise Broken(f"the lease of {row['process_id']} was never ended")
