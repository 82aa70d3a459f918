"""How Connect 4 is hosted: one open game each, first come first served."""

from __future__ import annotations

from parlour.games.connect4.rules import Options
from parlour.games.connect4.settings import Connect4Settings
from parlour.play.policy import Policy
from parlour.settings import Settings


def policy(settings: Settings) -> Policy:
    """As the settings have it."""
    ours = settings.of(Connect4Settings)
    return Policy(
        options=Options(abandon_ms=ours.abandon_threshold_ms),
        silence_ms=ours.abandon_threshold_ms,
        sole=True,
        waiting_ttl_ms=ours.waiting_game_ttl_ms,
        active_ttl_ms=ours.active_game_ttl_ms,
        ticket_ttl_ms=ours.queue_stale_ms,
    )
