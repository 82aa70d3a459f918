"""How Memory is hosted: one open game each, paired at random, a robot when nobody comes."""

from __future__ import annotations

from parlour.games.memory.bot import BOTS
from parlour.games.memory.table import Options
from parlour.play.policy import Policy
from parlour.settings import Settings


def policy(settings: Settings) -> Policy:
    """As the settings have it."""
    return Policy(
        options=Options(
            rows=settings.board_rows,
            cols=settings.board_cols,
            reveal_ms=settings.reveal_duration_ms,
            turn_limit_ms=settings.turn_limit_ms,
            countdown_show_ms=settings.turn_countdown_show_ms,
            reconnect_ms=settings.reconnect_timeout_ms,
            clairvoyance_ms=settings.powerup_clairvoyance_reveal_ms,
            necromancy_revives_itself=settings.necromancy_revives_itself,
        ),
        sole=True,
        held=True,
        order="uniform",
        bot_after_ms=settings.ai_pair_timeout_ms,
        bots=tuple(BOTS),
        rated_bots=True,
    )
