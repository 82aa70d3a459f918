"""How Connect Five is hosted: by challenge, on its terms; or at any table, for nothing."""

from __future__ import annotations

from msgspec.structs import replace

from parlour.games.connect_five.settings import ConnectFiveSettings
from parlour.games.connect_five.table import Options
from parlour.games.connect_five.terms import terms_of
from parlour.play.policy import WAITING_TTL_MS, Policy, Stakes
from parlour.settings import Settings
from parlour.store.change import ChallengeRow


def policy(settings: Settings) -> Policy:
    """As the settings have it."""
    scale = settings.of(ConnectFiveSettings).connect_five_clock_scale

    def agreed(options: Options) -> Options:
        limit_ms = max(1, round(options.time_limit_seconds * 1000 * scale))
        return replace(options, time_limit_ms=limit_ms)

    def challenged(challenge: ChallengeRow) -> Options:
        terms = terms_of(challenge)
        options = Options(
            time_limit_seconds=terms.time_limit_seconds,
            stake=terms.stake_amount,
            max_spend=terms.max_spend_amount,
        )
        return agreed(options)

    return Policy(
        options=agreed(Options()),
        agreed=agreed,
        stakes=Stakes(options=challenged, currency=settings.default_currency_ticker),
        waiting_ttl_ms=WAITING_TTL_MS,
    )
