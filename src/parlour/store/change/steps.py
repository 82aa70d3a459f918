"""A change as statements: both engines run them in this order."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from parlour.store.change import challenges, connections, events, matches, money, people, queue
from parlour.store.change.change import Change
from parlour.store.change.events import OutboxRow
from parlour.store.change.matches import AdvanceMatch, JournalRow
from parlour.store.change.statement import Step, Steps

WRITES: Final[Steps] = {
    **matches.WRITES,
    **connections.WRITES,
    **queue.WRITES,
    **challenges.WRITES,
    **people.WRITES,
    **money.WRITES,
    **events.WRITES,
}


def steps(change: Change) -> Iterator[Step]:
    """The statements of a change with their parameters, in order."""
    for write in change.writes:
        yield from WRITES[type(write)](write)


def is_move(change: Change) -> bool:
    """Whether it is the common step, of which stores make many at once."""
    writes = change.writes
    if len(writes) < 2:
        return False
    advance, entry, *events = writes
    return (
        type(advance) is AdvanceMatch
        and type(entry) is JournalRow
        and entry.match_id == advance.match_id
        and entry.version == advance.version
        and all(type(event) is OutboxRow for event in events)
    )
