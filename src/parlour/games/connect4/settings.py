"""What an operator may set for Connect 4."""

from __future__ import annotations

from typing import Annotated

from parlour.variables import Declared, PositiveSeconds, milliseconds, says


class Connect4Settings(Declared, frozen=True, kw_only=True):
    """Who is gone, and how long what nobody uses is kept."""

    abandon_threshold_sec: Annotated[
        PositiveSeconds, says("silence after which the opponent may claim the win")
    ] = 30.0
    queue_stale_sec: Annotated[
        PositiveSeconds, says("silence after which a queue entry lapses")
    ] = 30.0
    waiting_game_ttl_sec: Annotated[
        PositiveSeconds, says("life of a private game nobody joined, since its host was seen")
    ] = 900.0
    active_game_ttl_sec: Annotated[
        PositiveSeconds, says("life of a running game that nobody touches")
    ] = 86400.0

    @property
    def abandon_threshold_ms(self) -> int:
        return milliseconds(self.abandon_threshold_sec)

    @property
    def queue_stale_ms(self) -> int:
        return milliseconds(self.queue_stale_sec)

    @property
    def waiting_game_ttl_ms(self) -> int:
        return milliseconds(self.waiting_game_ttl_sec)

    @property
    def active_game_ttl_ms(self) -> int:
        return milliseconds(self.active_game_ttl_sec)


SETTINGS = Connect4Settings
