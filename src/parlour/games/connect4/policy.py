"""How Connect 4 is hosted: one open game each, first come first served."""

from __future__ import annotations

from parlour.games.connect4.rules import Options
from parlour.play.policy import Policy
from parlour.settings import Settings


def policy(settings: Settings) -> Policy:
    """As the settings have it."""
    return Policy(
        options=Options(abandon_ms=settings.abandon_threshold_ms),
        sole=True,
        waiting_ttl_ms=settings.waiting_game_ttl_ms,
        active_ttl_ms=settings.active_game_ttl_ms,
        ticket_ttl_ms=settings.queue_stale_ms,
    )
