"""A step as data: what of a match, its players and their money becomes durable together."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from parlour.events import outbox
from parlour.games.api import Step
from parlour.games.registry import AnyRules
from parlour.money import escrow
from parlour.people.ratings import rating_changes
from parlour.play.match import Match, Next, deadline, lets_go, to_row
from parlour.store.change import (
    AdvanceMatch,
    ChangeHolding,
    CloseSeat,
    CreateMatch,
    FreeSeats,
    JournalRow,
    RewriteMatch,
    Write,
    counting,
)

_ENCODER = msgspec.json.Encoder()


def writes(
    rules: AnyRules, before: Match | None, entry: JournalRow, after: Next, analytics: bool
) -> tuple[Write, ...]:
    """All that one entry makes durable; `before` is None when the match is new."""
    match, step = after.match, after.step
    if before is not None and match.status == before.status == "active":
        made: tuple[Write, ...] = (_advance(rules, match), entry)
    else:
        made = (_whole(rules, before, match), entry)
    if step is not None and (step.charges or step.goods):
        made += tuple(_purchases(match, entry, step))
    if before is not None and match.over and not before.over:
        made += tuple(_closing(rules, match))
    if lets_go(entry, match):
        made += (FreeSeats(match_id=match.id, at=entry.at),)
    if analytics:
        made += outbox.of_step(rules, before, entry, match)
    return made


def _advance(rules: AnyRules, match: Match) -> AdvanceMatch:
    return AdvanceMatch(
        match_id=match.id,
        version=match.version,
        state=_ENCODER.encode(match.state),
        updated_at=match.updated_at,
        deadline_at=deadline(rules, match),
        bot_at=match.bot_at,
        acted_0_at=match.acted_at[0],
        acted_1_at=match.acted_at[1],
    )


def _whole(rules: AnyRules, before: Match | None, match: Match) -> Write:
    row = to_row(rules, match)
    if before is None:
        return CreateMatch(match=row, seats=match.seats)
    return RewriteMatch(match=row)


def _purchases(match: Match, entry: JournalRow, step: Step[Any]) -> Iterator[Write]:
    """Without an escrow, charges are play inside the match: the rules count them, nobody pays."""
    for charge in step.charges if match.escrow_id is not None else ():
        pot = pot_of(match)
        yield from escrow.purchase(pot, charge.seat, charge.amount, entry.version, entry.at)
    for goods in step.goods:
        yield ChangeHolding(match_id=match.id, seat=goods.seat, item=goods.item, delta=goods.delta)


def _closing(rules: AnyRules, match: Match) -> Iterator[Write]:
    """The match is over: seats are free, ratings move, the pot is paid out."""
    outcome = rules.outcome(match.state) if match.status == "finished" else None
    scores = outcome.scores if outcome else None
    assert match.reason is not None
    for seat, counts in zip(match.seats, counting(match.seats), strict=True):
        yield CloseSeat(
            match_id=match.id,
            seat=seat.seat,
            ending=match.reason,
            finished_at=match.ended_at if outcome and counts else None,
            rating_delta=seat.rating_delta,
            score=scores[seat.seat] if scores else None,
        )
    at = match.updated_at
    yield from rating_changes(match.game, rules.rating, match.seats, match.winner, at)
    if match.escrow_id is not None:
        yield from _settlement(match)


def _settlement(match: Match) -> tuple[Write, ...]:
    pot, at = pot_of(match), match.updated_at
    if match.status != "finished":
        return escrow.refund_cancelled(pot, at)
    if match.winner is None:
        return escrow.refund_draw(pot, at)
    return escrow.pay_winner(pot, match.winner, at)


def pot_of(match: Match) -> escrow.Pot:
    """The money on the table; only matches that were staked have any."""
    first, second = (seat.user_id for seat in match.seats)
    assert match.escrow_id is not None
    assert first is not None
    assert second is not None
    return escrow.Pot(match.escrow_id, (first, second), match.pot)
