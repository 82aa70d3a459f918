"""A change as statements: both engines run them in this order."""

from __future__ import annotations

from typing import Final, Literal

from parlour.store.change import (
    analyses,
    challenges,
    connections,
    events,
    matches,
    money,
    people,
    queue,
)
from parlour.store.change.change import Change
from parlour.store.change.connections import GetUp
from parlour.store.change.events import OutboxRow
from parlour.store.change.matches import AdvanceMatch, CloseSeat, JournalRow, RewriteMatch
from parlour.store.change.money import AddToEscrow, Transfer
from parlour.store.change.people import ChangeRating
from parlour.store.change.statement import Step, Steps

WRITES: Final[Steps] = {
    **matches.WRITES,
    **connections.WRITES,
    **queue.WRITES,
    **challenges.WRITES,
    **people.WRITES,
    **money.WRITES,
    **events.WRITES,
    **analyses.WRITES,
}

Kind = Literal["move", "purchase", "ending"]


def steps(change: Change) -> list[Step]:
    """The statements of a change with their parameters, in order."""
    return [step for write in change.writes for step in WRITES[type(write)](write)]


def is_move(change: Change) -> bool:
    """Whether it is the common step, of which stores make many at once.

    That is an entry of the journal, with the match's row behind it or without, and events.
    """
    writes = change.writes
    if not writes or type(entry := writes[0]) is not JournalRow:
        return False
    if len(writes) == 1:
        return True
    for write in writes[1:]:
        if type(write) is AdvanceMatch:
            same = write.match_id == entry.match_id and write.version == entry.version
            if write is not writes[1] or not same:
                return False
        elif type(write) is not OutboxRow:
            return False
    return True


def is_purchase(change: Change) -> bool:
    """Whether it is a step that a player pays for, of which stores make many at once, too.

    That is an entry of the journal, with the match's row behind it or without, then a payment.
    """
    writes = change.writes
    if len(writes) < 3 or type(writes[0]) is not JournalRow:
        return False
    paid = 2 if type(writes[1]) is AdvanceMatch else 1
    if type(writes[paid]) is not AddToEscrow or len(writes) == paid + 1:
        return False
    if type(writes[paid + 1]) is not Transfer:
        return False
    return len(writes) == paid + 2 or all(type(each) is OutboxRow for each in writes[paid + 2 :])


def is_ending(change: Change) -> bool:
    """Whether it is the last step of a match without money, of which many may come at once."""
    writes = change.writes
    return (
        len(writes) >= 3
        and type(writes[0]) is JournalRow
        and type(writes[1]) is RewriteMatch
        and all(type(write) in _OF_AN_ENDING for write in writes[2:])
    )


def kind_of(change: Change) -> Kind | None:
    """What it is that many may be of, to be made together; None: it is made by itself."""
    if is_move(change):
        return "move"
    if is_purchase(change):
        return "purchase"
    return "ending" if is_ending(change) else None


_OF_AN_ENDING: Final = frozenset({CloseSeat, ChangeRating, GetUp, OutboxRow})
