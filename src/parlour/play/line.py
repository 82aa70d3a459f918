"""How a match came to where it stands: its steps without those that were taken back.

Law: a takeback goes back to where the line stood at the version it names, whatever was taken back
before; so after it the line ends there.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec
from msgspec import Struct

from parlour.games.api import Seat
from parlour.games.registry import AnyRules
from parlour.play.match import Position, Update
from parlour.store.change import JournalRow


class _Tagged(Struct, frozen=True):
    type: str


_TAG = msgspec.json.Decoder(_Tagged)
_POSITION = msgspec.json.Decoder(Position)


def line(updates: Sequence[Update]) -> list[Update]:
    """The steps that led to where a match stands, the first one first."""
    led = {entry.version for entry in standing(update.entry for update in updates)}
    return [update for update in updates if update.entry.version in led]


def standing(entries: Iterable[JournalRow]) -> list[JournalRow]:
    """The entries of a journal that led to where a match stands, the first one first."""
    led: list[JournalRow] = []
    for entry in entries:
        if entry.kind != "takeback":
            led.append(entry)
            continue
        version = _POSITION.decode(entry.action or b"").version
        while led and led[-1].version > version:
            led.pop()
    return led


def is_move(rules: AnyRules, entry: JournalRow, seat: Seat | None = None) -> bool:
    """Whether an entry is a move, of that seat or of any."""
    if entry.kind != "act" or entry.action is None or seat not in (None, entry.seat):
        return False
    return _TAG.decode(entry.action).type not in rules.asides
