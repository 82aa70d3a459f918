"""What a seed is about: how many processes, on what, and what goes wrong how often."""

from __future__ import annotations

from random import Random
from typing import Literal

from msgspec import Struct

from tests.simulation.disk import Faults

Kind = Literal["calm", "alone", "redis", "any bus", "crowd"]
Bus = Literal["none", "redis", "any"]

KINDS: tuple[tuple[Kind, bool], ...] = (
    ("calm", False),
    ("alone", False),
    ("redis", False),
    ("any bus", False),
    ("alone", True),
    ("redis", True),
    ("any bus", True),
    ("redis", False),
    ("alone", False),
    ("crowd", False),
)
"""By the last digit of the seed: what it runs on, and whether things go wrong to the very end."""


class Plan(Struct):
    """All of it follows from the seed."""

    kind: Kind
    to_the_end: bool
    """Nothing is ever calm: all processes die at one instant, and a fresh one recovers."""
    bus: Bus
    processes: int
    faults: Faults
    cut: float
    """How likely a player's line breaks, per message."""
    drop: float
    repeat: float
    """How likely a bus that may do so loses or repeats a message."""
    mischief_s: float | None
    """Mean time between a kill, a stop, a restart or a broken link; None: there are none."""
    people: int
    play_s: float
    analytics: bool
    suspicious: bool
    """Everything that anybody is sent is searched for what is not theirs."""

    @property
    def networked(self) -> bool:
        """The database is reached over a network, as several processes reach one."""
        return self.bus != "none"


def plan_of(seed: int) -> Plan:
    """The plan of a seed."""
    random = Random(seed)
    kind, to_the_end = KINDS[seed % len(KINDS)]
    calm, crowd = kind == "calm", kind == "crowd"
    bus: Bus = "none"
    if kind == "redis" or (crowd and seed // len(KINDS) % 2 == 0):
        bus = "redis"
    elif kind == "any bus":
        bus = "any"
    return Plan(
        kind=kind,
        to_the_end=to_the_end,
        bus=bus,
        processes=1 if bus == "none" else random.randint(2, 3),
        faults=Faults()
        if calm
        else Faults(
            crash=0 if crowd else random.choice((0, 0.002, 0.006)),
            failure=random.choice((0, 0.01, 0.03)),
            lost_answer=random.choice((0, 0.01, 0.03)),
        ),
        cut=0 if calm else random.choice((0, 0.01, 0.03)),
        drop=random.choice((0, 0.1, 0.5, 1)),
        repeat=random.choice((0, 0.1, 0.5)),
        mischief_s=None if calm or crowd else (1.5 if seed % 2 else random.choice((None, 4))),
        people=12 if crowd else random.randint(60, 100),
        play_s=60.0 if crowd else 15.0,
        analytics=random.random() < 0.3,
        suspicious=random.random() < 0.2,
    )
