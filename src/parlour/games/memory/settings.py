"""What an operator may set for Memory."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, ClassVar

from msgspec import Meta

from parlour.variables import (
    Declared,
    Duration,
    PositiveSeconds,
    Seconds,
    SettingsError,
    milliseconds,
    says,
)

Side = Annotated[int, Meta(ge=1, le=20)]


class MemorySettings(Declared, frozen=True, kw_only=True):
    """The board, and how long everything takes.

    >>> MemorySettings(turn_limit_sec=1.5).turn_limit_ms
    1500
    """

    spellings: ClassVar[Mapping[str, str]] = {
        "TurnLimitSec": "turn_limit_sec",
        "TurnCountdownShowSec": "turn_countdown_show_sec",
        "ReconnectTimeoutSec": "reconnect_timeout_sec",
    }

    board_rows: Annotated[Side, says("rows of cards")] = 4
    board_cols: Annotated[Side, says("columns of cards; rows times columns must be even")] = 4
    reveal_duration_ms: Annotated[Duration, says("how long a mismatch stays open")] = 1000
    max_name_length: Annotated[
        int, Meta(ge=1, le=100), says("longest display name, in characters")
    ] = 24
    ai_pair_timeout_sec: Annotated[Seconds, says("wait before a robot steps in")] = 15.0
    turn_limit_sec: Annotated[Seconds, says("time for a turn; 0: no limit")] = 60.0
    turn_countdown_show_sec: Annotated[Seconds, says("show the countdown for the last …")] = 30.0
    reconnect_timeout_sec: Annotated[
        PositiveSeconds, says("time to come back before the game is lost")
    ] = 120.0
    powerup_clairvoyance_reveal_ms: Annotated[Duration, says("how long clairvoyance shows")] = 2000
    necromancy_revives_itself: Annotated[
        bool, says("necromancy brings back the pair that grants it, too")
    ] = True
    powerup_shuffle_cost: Annotated[int | None, says("read, without effect")] = None

    @property
    def ai_pair_timeout_ms(self) -> int:
        return milliseconds(self.ai_pair_timeout_sec)

    @property
    def turn_limit_ms(self) -> int:
        return milliseconds(self.turn_limit_sec)

    @property
    def turn_countdown_show_ms(self) -> int:
        return milliseconds(self.turn_countdown_show_sec)

    @property
    def reconnect_timeout_ms(self) -> int:
        return milliseconds(self.reconnect_timeout_sec)

    def check(self) -> None:
        """Every card is one of a pair."""
        cards = self.board_rows * self.board_cols
        if cards % 2 or cards < 4:
            raise SettingsError(
                f"BOARD_ROWS, BOARD_COLS: expected an even number of cards, 4 or more, got {cards}"
            )

    def remarks(self) -> Iterator[str]:
        """A price that nobody asks for."""
        if self.powerup_shuffle_cost is not None:
            yield "POWERUP_SHUFFLE_COST has no effect: power-ups are free"


SETTINGS = MemorySettings
