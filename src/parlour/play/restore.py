"""A match as the store has it: its snapshot, and the steps since then taken again.

Laws:

* A snapshot and the entries after it make the same match as if it had been written at every step.
* What does not follow from the journal alone stands in the row: entries after it are of the rules.
* What is in the pot is what the store says: it was read together with where the match stands.
* A gap is never stepped over: such a match is `Unreadable`.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from parlour.games.api import Refused
from parlour.games.registry import AnyRules
from parlour.play.match import (
    RULES_KINDS,
    Match,
    Unreadable,
    from_row,
    take,
)
from parlour.play.other_rules import OtherRules, governing
from parlour.store.change import JournalRow
from parlour.store.queries import Stored

Timed = Callable[[Match, Match, JournalRow], Match]
"""What play sets after a step: when a bot will move."""


def _as_it_is(_before: Match, after: Match, _entry: JournalRow) -> Match:
    return after


def restored(rules: AnyRules, stored: Stored, timed: Timed = _as_it_is) -> Match:
    """The match where it stands; `Unreadable` if what the store has leads nowhere."""
    rules = governing(rules, stored.match.rules_version)
    return since(rules, from_row(rules, stored.match, stored.seats, stored.pot), stored, timed)


def since(rules: AnyRules, match: Match, stored: Stored, timed: Timed) -> Match:
    """A match as of its snapshot, brought to where it stands."""
    for entry in stored.since:
        if entry.version != match.version + 1 or entry.kind not in RULES_KINDS:
            raise Unreadable(f"match {match.id} has no entry {match.version + 1} of its rules")
        if isinstance(rules, OtherRules):
            # Nobody takes its steps any more. Its state stays what it was, and nobody reads that.
            match = replace(match, version=entry.version, updated_at=entry.at)
            continue
        try:
            after = take(rules, match, entry).match
        except (Refused, ValueError) as error:
            raise Unreadable(f"match {match.id} cannot be read: {error}") from error
        match = timed(match, after, entry)
    if match.version < stored.version:
        raise Unreadable(f"match {match.id} has no entry {match.version + 1}")
    return match if match.pot == stored.pot else replace(match, pot=stored.pot)
