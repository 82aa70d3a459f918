"""What an operator may set for Connect Five."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from parlour.variables import Declared, PositiveSeconds, milliseconds, says


class ConnectFiveSettings(Declared, frozen=True, kw_only=True):
    """How long challenges and clocks last."""

    challenge_ttl_sec: Annotated[PositiveSeconds, says("life of an unanswered challenge")] = 300.0
    connect_five_clock_scale: Annotated[
        float, Meta(gt=0, le=1000), says("multiplies all clocks; below 1 for demos and tests")
    ] = 1.0

    @property
    def challenge_ttl_ms(self) -> int:
        return milliseconds(self.challenge_ttl_sec)


SETTINGS = ConnectFiveSettings
