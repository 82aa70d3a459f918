"""What a step makes durable beyond the match: purchases, and at its end seats, ratings, the pot."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from parlour.games.api import Step
from parlour.games.registry import AnyRules
from parlour.money import escrow
from parlour.people.ratings import rating_changes
from parlour.play.match import Match
from parlour.store.change import CloseSeat, JournalRow, Write, counting


def purchases(match: Match, entry: JournalRow, step: Step[Any]) -> tuple[Write, ...]:
    """Without an escrow, charges are play inside the match: the rules count them, nobody pays."""
    made: tuple[Write, ...] = ()
    if match.escrow_id is not None:
        pot = _pot(match)
        for charge in step.charges:
            made += escrow.purchase(pot, charge.seat, charge.amount, entry.version, entry.at)
    return made


def closing(rules: AnyRules, match: Match) -> Iterator[Write]:
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
    pot, at = _pot(match), match.updated_at
    if match.status != "finished":
        return escrow.refund_cancelled(pot, at)
    if match.winner is None:
        return escrow.refund_draw(pot, at)
    return escrow.pay_winner(pot, match.winner, at)


def _pot(match: Match) -> escrow.Pot:
    """The money on the table; only matches that were staked have any."""
    first, second = (seat.user_id for seat in match.seats)
    assert match.escrow_id is not None
    assert first is not None
    assert second is not None
    return escrow.Pot(match.escrow_id, (first, second), match.pot)
