"""What an operator may set for Quarto."""

from __future__ import annotations

from typing import Annotated

from parlour.variables import Declared, PositiveSeconds, milliseconds, says


class QuartoSettings(Declared, frozen=True, kw_only=True):
    """How long a player may be away, a room empty, a line uncalled."""

    quarto_reconnect_sec: Annotated[
        PositiveSeconds, says("time to come back before the game is lost")
    ] = 120.0
    quarto_room_ttl_sec: Annotated[PositiveSeconds, says("life of a room nobody is in")] = 1800.0
    quarto_final_call_sec: Annotated[
        PositiveSeconds, says("time to call Quarto on a full board")
    ] = 30.0

    @property
    def quarto_reconnect_ms(self) -> int:
        return milliseconds(self.quarto_reconnect_sec)

    @property
    def quarto_room_ttl_ms(self) -> int:
        return milliseconds(self.quarto_room_ttl_sec)

    @property
    def quarto_final_call_ms(self) -> int:
        return milliseconds(self.quarto_final_call_sec)


SETTINGS = QuartoSettings
