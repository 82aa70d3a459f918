"""What play reads from the store, as typed rows; each module is about one thing."""

from __future__ import annotations

from parlour.store.queries.analyses import (
    analysis,
)
from parlour.store.queries.challenges import (
    challenge,
    overdue_challenges,
)
from parlour.store.queries.connections import (
    PresenceRow,
    held_seats,
    holders,
    leases,
    presence,
)
from parlour.store.queries.matches import (
    EscrowRow,
    Stored,
    match_by_code,
    match_by_id,
    match_by_public_id,
    match_seated_by,
    matches_by_id,
    open_match_of,
    public_ids,
)
from parlour.store.queries.people import (
    ratings,
    users_by_id,
)
from parlour.store.queries.queue import (
    existing_tickets,
    held_tickets,
    overdue_tickets,
    ticket_holders,
    ticket_of,
    tickets,
)
from parlour.store.queries.rows import (
    FIRST_MS,
    LIST_LIMIT,
    Overdue,
)
from parlour.store.queries.standing import (
    Outdated,
    Standing,
    journal,
    journal_entry,
    outdated_matches,
    overdue_matches,
    standings,
    version,
)

__all__ = [
    "FIRST_MS",
    "LIST_LIMIT",
    "EscrowRow",
    "Outdated",
    "Overdue",
    "PresenceRow",
    "Standing",
    "Stored",
    "analysis",
    "challenge",
    "existing_tickets",
    "held_seats",
    "held_tickets",
    "holders",
    "journal",
    "journal_entry",
    "leases",
    "match_by_code",
    "match_by_id",
    "match_by_public_id",
    "match_seated_by",
    "matches_by_id",
    "open_match_of",
    "outdated_matches",
    "overdue_challenges",
    "overdue_matches",
    "overdue_tickets",
    "presence",
    "public_ids",
    "ratings",
    "standings",
    "ticket_holders",
    "ticket_of",
    "tickets",
    "users_by_id",
    "version",
]
