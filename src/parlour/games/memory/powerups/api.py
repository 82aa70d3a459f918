"""What a power-up is: a name, a description, and what it does to the table.

A new one is a class in a file of its own, put at the end of the registry beside it. Its place there
gives the pair that grants it; nothing else knows it by name.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import ClassVar

from msgspec import Struct

from parlour.games.api import Dice, Millis, Seat
from parlour.games.memory.board import State, View
from parlour.games.memory.solver import Standing


class Use(Struct, frozen=True):
    """One use of a power-up, already found to be allowed."""

    seat: Seat
    target: int | None
    """The hidden card it is aimed at, if it needs one."""
    pair_id: int
    """The pair that grants this power-up."""
    now: Millis
    dice: Dice


class Prospect(Struct, frozen=True):
    """What lies before a bot that wonders whether to use a power-up now."""

    view: View
    remembered: Mapping[int, int]
    """The hidden cards it remembers, and their pairs."""
    pair: tuple[int, int] | None
    """Two of them that match."""
    target: int | None


class PowerUp(ABC):
    """Something to be used on one's own turn before the first flip. It does not end the turn."""

    id: ClassVar[str]
    name: ClassVar[str]
    description: ClassVar[str]
    needs_target: ClassVar[bool] = False

    @abstractmethod
    def effect(self, state: State, use: Use) -> State:
        """The table afterwards; the copy used up is already gone from the hand."""

    def appeal(self, prospect: Prospect) -> int:  # noqa: ARG002 - for those that look closer
        """How likely, in percent, a bot uses it with this prospect."""
        return 25

    def chances(self, prospect: Prospect, standing: Standing) -> float | None:  # noqa: ARG002 - as above
        """What `Standing.chances` will be after its use; None: nobody has worked that out."""
        return None
