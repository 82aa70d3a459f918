"""Any match, rebuilt step by step from its journal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from parlour.games.registry import AnyRules
from parlour.play.match import Linked, Match, Update, from_row, take
from parlour.store import queries
from parlour.store.api import Store
from parlour.store.change import JournalRow


def blank(match: Match) -> Match:
    """The match before its first entry."""
    return replace(
        match,
        status="waiting",
        version=0,
        state=None,
        started_at=None,
        ended_at=None,
        acted_at=(None, None),
        bot_at=None,
        winner=None,
        reason=None,
        rematch_by=None,
        rematch_id=None,
        pot=(0, 0),
    )


async def replay(store: Store, rules: AnyRules, match_id: str) -> list[Update]:
    """All steps of a match, the first one first; empty if these rules know no such match."""
    stored = await queries.match_by_id(store, match_id)
    if stored is None or stored.match.rules_version != rules.version:
        return []
    match = blank(from_row(rules, stored.match, stored.seats))
    linked = Linked(stored.seats, stored.match.code, stored.match.rematch_id)
    updates = []
    for entry in await queries.journal(store, match_id):
        following = take(rules, match, entry, linked=linked)
        events = following.step.events if following.step else ()
        updates.append(Update(match, following.match, entry, events))
        match = following.match
    return updates


def state_after(rules: AnyRules, match: Match, entries: Sequence[JournalRow]) -> Any:
    """How a match that is played stood after these, the first of its journal.

    Taken again from the last one that sets a position, whatever was before it.
    """
    at = max(at for at, entry in enumerate(entries) if entry.kind in ("start", "takeback"))
    match = replace(match, version=entries[at].version - 1, state=None)
    for entry in entries[at:]:
        match = take(rules, match, entry).match
    return match.state
