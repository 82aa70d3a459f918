"""How Memory is hosted: one open game each, paired at random, a robot when nobody comes."""

from __future__ import annotations

from parlour.games.memory.board import Options
from parlour.games.memory.bot import STAND_INS
from parlour.games.memory.settings import MemorySettings
from parlour.play.policy import ACTIVE_TTL_MS, Policy, StandIns
from parlour.settings import Settings


def policy(settings: Settings) -> Policy:
    """As the settings have it."""
    ours = settings.of(MemorySettings)
    return Policy(
        options=Options(
            rows=ours.board_rows,
            cols=ours.board_cols,
            reveal_ms=ours.reveal_duration_ms,
            turn_limit_ms=ours.turn_limit_ms,
            countdown_show_ms=ours.turn_countdown_show_ms,
            reconnect_ms=ours.reconnect_timeout_ms,
            clairvoyance_ms=ours.powerup_clairvoyance_reveal_ms,
            necromancy_revives_itself=ours.necromancy_revives_itself,
        ),
        sole=True,
        held=True,
        names_chosen=True,
        active_ttl_ms=ACTIVE_TTL_MS,
        order="uniform",
        stand_ins=StandIns(names=STAND_INS, after_ms=ours.ai_pair_timeout_ms, rated=True),
    )
