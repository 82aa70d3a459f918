"""How Quarto is hosted: rooms that live as long as somebody comes back to them."""

from __future__ import annotations

from parlour.games.quarto.rules import Options
from parlour.games.quarto.settings import QuartoSettings
from parlour.play.policy import Policy
from parlour.settings import Settings


def policy(settings: Settings) -> Policy:
    """As the settings have it."""
    ours = settings.of(QuartoSettings)
    return Policy(
        options=Options(
            reconnect_ms=ours.quarto_reconnect_ms,
            final_call_ms=ours.quarto_final_call_ms,
        ),
        held=True,
        names_chosen=True,
        kept_by_anyone=True,
        waiting_ttl_ms=ours.quarto_room_ttl_ms,
        active_ttl_ms=ours.quarto_room_ttl_ms,
        finished_ttl_ms=ours.quarto_room_ttl_ms,
    )
