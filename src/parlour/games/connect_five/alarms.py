"""What an operator should hear of: timeouts nobody noticed, transitions and pots that are wrong.

Each is a line in the log at warning and a counter in the metrics.
"""

from __future__ import annotations

import structlog
from prometheus_client import Counter
from sqlalchemy import bindparam, select

from parlour.games.connect_five.answers import KEY, staked
from parlour.host.sight import Facts
from parlour.money.ledger import pot_of
from parlour.net.services import Services
from parlour.store import queries
from parlour.store.schema import account

log = structlog.get_logger()

EXPECTED = frozenset({("active", "active"), ("active", "finished"), ("active", "cancelled")})
"""How a match may go on."""

_LEFT = select(account.c.balance).where(account.c.id == bindparam("id"))


class Alarms:
    """Watches over all that this process does to matches with stakes."""

    def __init__(self, services: Services) -> None:
        self._store = services.store
        self._spawn = services.kernel.runtime.background.spawn
        registry = services.metrics.registry
        self._swept = Counter(
            "parlour_connect_five_timeouts_swept",
            "Clocks whose fall only the sweep noticed.",
            registry=registry,
        )
        self._unexpected = Counter(
            "parlour_connect_five_unexpected_transitions",
            "Steps that no match should take.",
            registry=registry,
        )
        self._mismatches = Counter(
            "parlour_connect_five_escrow_mismatches",
            "Pots that do not hold what they should.",
            registry=registry,
        )

    def overdue(self, match: Facts) -> None:
        """The sweep came to a match whose flag had fallen; the sweep itself logs it."""
        if match.game == KEY:
            self._swept.inc()

    def stepped(self, before: Facts, match: Facts) -> None:
        """A step became durable: was it one that may be, and is the pot settled if it ended?"""
        if not staked(match):
            return
        if (before.status, match.status) not in EXPECTED:
            self.unexpected(match.id, f"{before.status} became {match.status}")
        if match.over:
            self._spawn(self._check_pot(match))

    def unexpected(self, subject: str, what: str) -> None:
        """Something happened that no rule allows."""
        self._unexpected.inc()
        log.warning("unexpected transition", subject=subject, what=what)

    def mismatch(self, subject: str, what: str) -> None:
        """A pot is not what it should be."""
        self._mismatches.inc()
        log.warning("escrow mismatch", subject=subject, what=what)

    async def _check_pot(self, match: Facts) -> None:
        stored = await queries.match_by_id(self._store, match.id)
        escrow = stored.escrow if stored else None
        if escrow is None:
            self.mismatch(match.id, "there is no pot")
            return
        if escrow.status != "settled":
            self.mismatch(escrow.id, "the match is over, the pot is not settled")
        if stored is not None and stored.pot != match.pot:
            self.mismatch(escrow.id, f"{stored.pot} were paid in, the match counts {match.pot}")
        left = await self._store.row(_LEFT, id=pot_of(escrow.id))
        if left is None or left["balance"] != 0:
            self.mismatch(escrow.id, "the settled pot still holds money")
