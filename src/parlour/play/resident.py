"""A match in the memory of this process: the version last known, who is here, who watches.

Laws: each part has one owner, and nobody else writes it. `match` is `Steps`', `here`, `both_here`,
`other_process`, `claims` and `kept_at` are `Presence`'s, `timer` and `armed_at` `Timers`',
`watchers` `Watching`'s.
When it was last used is noted by those who do: `Residents` and `Steps`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Protocol

from msgspec import Struct

from parlour.games.api import Millis, Seat
from parlour.games.registry import AnyRules
from parlour.places import Places
from parlour.play.match import Match, Update, Words
from parlour.play.other_rules import OtherRules
from parlour.play.policy import Policy


class Watcher(Protocol):
    """Someone who is told of a match, always from the event loop and never while it waits."""

    def moved(self, update: Update) -> Words | None:
        """A step became durable. Steps come in order, each once.

        What it had to put into words for all alike, if anything, is worth telling other processes.
        """
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


class Claim(Struct, frozen=True):
    """A connection of this process that says a seat is its own."""

    connection: str
    replaced: Callable[[], None]
    """To be told when another one takes the seat over."""
    origin: str | None = None
    """The address it comes from."""
    stays: bool = True
    """Whether it has a reason to sit there when the game is over."""


NOWHERE = Here()


class Resident:
    """The mutable part: everything else about a match is frozen."""

    __slots__ = (
        "armed_at",
        "both_here",
        "claims",
        "here",
        "kept_at",
        "lock",
        "match",
        "other_process",
        "policy",
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
        self.both_here = False
        """Whether connections of this process hold both seats; kept, as every step asks."""
        self.other_process: str | None = None
        """The one other process, where connections there, or there and here, hold both seats."""
        self.claims: dict[Seat, Claim] = {}
        self.kept_at: list[Millis] = [0, 0]
        """When each seat's last sighting was written down."""
        self.timer: asyncio.TimerHandle | None = None
        self.armed_at: Millis | None = None
        self.touched_at = now

    @property
    def playable(self) -> bool:
        """Whether it is there for those who play: not expired, and by the rules of today."""
        return self.match.status != "expired" and type(self.rules) is not OtherRules

    @property
    def idle(self) -> bool:
        """Nobody here needs it in memory."""
        return not self.watchers and not self.claims and bool(self.lock.free)
