"""On what terms one challenges another to Connect Five."""

from __future__ import annotations

from msgspec.json import Decoder

from parlour.money.escrow import Stakes
from parlour.store.change import ChallengeRow


class Terms(Stakes, frozen=True):
    """What is played for, and how long."""

    time_limit_seconds: int
    """On each player's clock."""


_DECODER = Decoder(Terms)


def terms_of(challenge: ChallengeRow) -> Terms:
    """As they were agreed on."""
    return _DECODER.decode(challenge.terms)
