"""Matches as viewers get them: pure, and made of views alone."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Raw

from parlour.games.api import SEATS, Millis, Seat
from parlour.games.registry import AnyRules
from parlour.host.messages import PlayerShown, Ref, Result, Stepped, Table
from parlour.play.match import Match, Update, rules_deadline

Seats = tuple[Seat, ...]
"""Which seats a viewer holds: none, one, or both at one device."""


def table_of(
    rules: AnyRules, match: Match, seats: Seats, here: tuple[bool, bool], now: Millis
) -> Table:
    """All that is needed to draw a table."""
    return Table(
        **_standing(rules, match, seats, now),
        game=match.game,
        public_id=match.public_id,
        code=match.code if seats else None,
        mode=match.mode,
        options=Raw(match.options),
        seat=seats[0] if seats else None,
        seats=seats,
        players=tuple(
            PlayerShown(
                name=row.name,
                user_id=row.user_id,
                bot=row.bot,
                rating=row.rating_before,
                here=here[row.seat] or row.bot is not None,
            )
            for row in match.seats
        ),
        rematch_by=match.rematch_by,
        next_match=match.rematch_id,
    )


def answered(table: Table, ref: Ref | None) -> Table:
    """A table as the answer to somebody who asked."""
    return table if ref is None else msgspec.structs.replace(table, ref=ref)


def step_of(rules: AnyRules, update: Update, seats: Seats, now: Millis) -> Stepped:
    """What happened, as far as that viewer may know."""
    entry, viewer = update.entry, _eye(rules, update.after, seats)
    action = None
    if entry.action is not None:
        done = msgspec.json.decode(entry.action, type=rules.action_type)
        action = rules.tell(done, entry.seat, viewer)
    events = (rules.tell(event, entry.seat, viewer) for event in update.events)
    return Stepped(
        **_standing(rules, update.after, seats, now),
        kind=entry.kind,
        by=entry.seat,
        action=action,
        events=tuple(event for event in events if event is not None),
    )


def turn_of(rules: AnyRules, match: Match) -> Seat | None:
    """Whose move it is."""
    return rules.turn(match.state) if match.status == "active" else None


def _eye(rules: AnyRules, match: Match, seats: Seats) -> Seat | None:
    """Through which seat's eyes a viewer looks: at one device, those of whoever is to move."""
    if len(seats) == len(SEATS):
        turn = turn_of(rules, match)
        return seats[0] if turn is None else turn
    return seats[0] if seats else None


def _standing(rules: AnyRules, match: Match, seats: Seats, now: Millis) -> dict[str, Any]:
    view, legal = None, ()
    if match.state is not None:
        viewer = _eye(rules, match, seats)
        view = rules.view(match.state, viewer)
        if viewer is not None and match.status == "active":
            legal = tuple(rules.legal(view))
    return {
        "match": match.id,
        "version": match.version,
        "status": match.status,
        "view": view,
        "legal": legal,
        "turn": turn_of(rules, match),
        "deadline_at": rules_deadline(rules, match),
        "now": now,
        "result": _result(rules, match),
    }


def _result(rules: AnyRules, match: Match) -> Result | None:
    if not match.over:
        return None
    outcome = rules.outcome(match.state) if match.status == "finished" else None
    changes = [row.rating_delta for row in match.seats]
    return Result(
        winner=match.winner,
        reason=match.reason or match.status,
        scores=outcome.scores if outcome else None,
        rating_changes=(changes[0], changes[1]) if len(changes) == len(SEATS) else (None, None),
    )
