"""What every part of play in one process shares: where it keeps things, and what it hosts."""

from __future__ import annotations

from collections.abc import Mapping

from parlour.bus.api import Bus
from parlour.games.registry import AnyRules
from parlour.play.background import Background
from parlour.play.clock import Chance, Clock, wall_clock
from parlour.play.policy import Policy
from parlour.store.api import Store


class Runtime:
    """Set up once, and then only read."""

    __slots__ = (
        "analytics",
        "background",
        "bus",
        "chance",
        "clock",
        "policies",
        "process_id",
        "rules",
        "store",
    )

    def __init__(
        self,
        store: Store,
        bus: Bus,
        rules: Mapping[str, AnyRules],
        policies: Mapping[str, Policy],
        *,
        clock: Clock = wall_clock,
        chance: Chance | None = None,
        analytics: bool = False,
    ) -> None:
        self.store = store
        self.bus = bus
        self.rules = rules
        self.policies = policies
        self.clock = clock
        self.chance = chance or Chance(clock=clock)
        self.analytics = analytics
        """Whether steps are told to the outbox."""
        self.process_id = self.chance.id()
        self.background = Background()
