"""A match in the memory of this process: the version last known, who is here, who watches."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Protocol

from msgspec import Struct

from parlour.games.api import Millis, Seat
from parlour.games.registry import AnyRules
from parlour.places import Places
from parlour.play.match import Match, Update
from parlour.play.other_rules import OtherRules
from parlour.play.policy import Policy


class Watcher(Protocol):
    """Someone who is told of a match, always from the event loop and never while it waits."""

    def moved(self, update: Update) -> None:
        """A step became durable. Steps come in order, each once."""
        ...

    def presence(self, match: Match, here: tuple[bool, bool]) -> None:
        """Somebody's connection came or went."""
        ...


class Here(Struct, frozen=True):
    """What is known of a seat's presence."""

    seen_at: Millis | None = None
    connection: str | None = None
    process_id: str | None = None
    left_at: Millis | None = None
    """Since when no connection has held the seat, after one had."""


NOWHERE = Here()


class Live:
    """The mutable part: everything else about a match is frozen."""

    __slots__ = (
        "armed_at",
        "here",
        "kept_at",
        "lock",
        "match",
        "policy",
        "replaced",
        "rules",
        "timer",
        "touched_at",
        "watchers",
    )

    def __init__(self, match: Match, rules: AnyRules, policy: Policy, now: Millis) -> None:
        self.match = match
        self.rules = rules
        self.policy = policy
        self.lock = Places()
        self.watchers: list[Watcher] = []
        self.here: list[Here] = [NOWHERE, NOWHERE]
        self.kept_at: list[Millis] = [0, 0]
        """When each seat's last sighting was written down."""
        self.replaced: dict[Seat, tuple[str, Callable[[], None]]] = {}
        """Seats connected to this process: the connection, and whom to tell when it is replaced."""
        self.timer: asyncio.TimerHandle | None = None
        self.armed_at: Millis | None = None
        self.touched_at = now

    @property
    def playable(self) -> bool:
        """Whether it is there for those who play: not expired, and by the rules of today."""
        return self.match.status != "expired" and not isinstance(self.rules, OtherRules)

    @property
    def idle(self) -> bool:
        """Nobody here needs it in memory."""
        return not self.watchers and not self.replaced and not self.lock.full

    def let_go(self, at: Millis) -> None:
        """Nobody holds a seat any more; those who sat there hear of the step that made it so."""
        self.replaced.clear()
        self.here = [
            here if here.connection is None else Here(here.seen_at, left_at=at)
            for here in self.here
        ]

    def disarm(self) -> None:
        """Forget the timer."""
        if self.timer is not None:
            self.timer.cancel()
        self.timer = None
        self.armed_at = None
