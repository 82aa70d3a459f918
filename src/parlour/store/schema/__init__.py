"""The tables and views, for queries and for comparison with the migrations.

Times are milliseconds since 1970, ids are text. The name of a constraint that a user can run into
is `pk_` or `uq_` followed by what a `Taken` error names. Triggers, which keep histories whole and
closed things closed, stand in `migrations/` beside the tables they guard.
"""

from __future__ import annotations

from parlour.store.schema.analyses import (
    analysis,
)
from parlour.store.schema.challenges import (
    challenge,
)
from parlour.store.schema.connections import (
    lease,
    presence,
)
from parlour.store.schema.events import (
    audit,
    outbox,
)
from parlour.store.schema.matches import (
    journal,
    match,
    seat,
)
from parlour.store.schema.money import (
    account,
    escrow,
    ledger_entry,
)
from parlour.store.schema.people import (
    STARTING_RATING,
    kept_answer,
    notification,
    rating,
    recovery,
    signing_key,
    user,
    username_key,
)
from parlour.store.schema.queue import (
    ticket,
)
from parlour.store.schema.tables import (
    metadata,
    whole,
)
from parlour.store.schema.views import (
    game_history,
    player_ratings,
)

__all__ = [
    "STARTING_RATING",
    "account",
    "analysis",
    "audit",
    "challenge",
    "escrow",
    "game_history",
    "journal",
    "kept_answer",
    "lease",
    "ledger_entry",
    "match",
    "metadata",
    "notification",
    "outbox",
    "player_ratings",
    "presence",
    "rating",
    "recovery",
    "seat",
    "signing_key",
    "ticket",
    "user",
    "username_key",
    "whole",
]
