"""A `Change`, and what may stand in its way.

Each write names what it was computed from. Where that no longer holds the whole change fails with
one of the errors below, and nothing of it is stored.
"""

from __future__ import annotations

from msgspec import Struct


class StoreError(Exception):
    """Base of what `commit` raises. Nothing was changed, unless it is `Unavailable`."""


class Conflict(StoreError):
    """A guard failed: what the change was computed from is no longer so. Load and decide again."""


class Taken(StoreError):
    """Something that must be unique already exists; `what` names the rule."""

    def __init__(self, what: str) -> None:
        super().__init__(what)
        self.what = what


class InsufficientFunds(StoreError):
    """An account does not hold what it should pay."""


class Impossible(StoreError):
    """The database refused what must never be, such as a player nobody knows; `rule` names why.

    Not for a client to answer: whoever made the change made a mistake.
    """

    def __init__(self, rule: str) -> None:
        super().__init__(rule)
        self.rule = rule


class Unavailable(StoreError):
    """The store cannot say whether the change was made: load and look."""


class Withdrawn(StoreError):
    """Whoever asked for the change thought better of it before it was begun."""


class Row(Struct, frozen=True, gc=False):
    """Base of what is stored and read."""


class Write(Row, frozen=True):
    """Base of what a change is made of; the statements of each stand beside it."""


class Change(Struct, frozen=True, gc=False):
    """Everything one step makes durable, whole or not at all: its writes, in order."""

    writes: tuple[Write, ...]
    patient: bool = False
    """Nobody minds some milliseconds more: it may wait for others, to share a transaction."""
