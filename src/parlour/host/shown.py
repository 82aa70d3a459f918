"""Matches as `/ws/play` tells them, made of what a viewer sees and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import msgspec
from msgspec import Raw

from parlour.games.api import SEATS, Millis
from parlour.games.registry import analyst
from parlour.host.audience import CLOSING, Voice
from parlour.host.messages import (
    Analysed,
    ClaimShown,
    Help,
    Left,
    PlayerShown,
    Presence,
    Ref,
    RematchOffer,
    Result,
    Stepped,
    Table,
    encoded,
)
from parlour.host.sight import Facts, Sight, StepSeen
from parlour.play.analyses import Progress


class PlayVoice(Voice[Any]):
    """What everybody at a table hears."""

    def __init__(self, clock: Callable[[], Millis]) -> None:
        self._clock = clock

    def step(self, step: StepSeen[Any]) -> Iterable[bytes]:
        """Who waits for an opponent sees the whole table when one comes."""
        match, now = step.after.match, self._clock()
        if step.kind == "start":
            yield from self.arrived(step.after)
        elif step.kind == "rematch":
            yield encoded(RematchOffer(match=match.id, by=step.by))
        elif step.kind != "rematched":
            yield encoded(step_of(step, now))
            if step.kind in CLOSING and match.status != "finished":
                yield encoded(Left(match=match.id, why="declined" if _declined(step) else "closed"))

    def arrived(self, sight: Sight[Any]) -> Iterable[bytes]:
        """The whole table."""
        yield encoded(table_of(sight, self._clock()))

    def presence(self, sight: Sight[Any], before: tuple[bool, bool]) -> Iterable[bytes]:
        """Who is here now."""
        del before
        yield encoded(
            Presence(
                match=sight.match.id,
                here=sight.here,
                claims=_claims(sight),
                now=self._clock(),
            )
        )

    def next_game(self, sight: Sight[Any], following: Facts) -> Iterable[bytes]:
        """Its table follows, for those who sit at it."""
        match = sight.match
        yield encoded(RematchOffer(match=match.id, by=match.rematch_by, next=following.id))

    def analysed(self, progress: Progress) -> Iterable[bytes]:
        """As it is."""
        yield encoded(
            Analysed(
                match=progress.match,
                done=progress.done,
                total=progress.total,
                ready=progress.ready,
            )
        )


def _declined(step: StepSeen[Any]) -> bool:
    """Whether it was called off by somebody who had been invited, and never sat there."""
    return step.by is not None and step.by >= len(step.before.match.seats)


def table_of(sight: Sight[Any], now: Millis) -> Table:
    """All that is needed to draw a table."""
    match = sight.match
    return Table(
        **_standing(sight, now),
        game=match.game,
        public_id=match.public_id,
        code=match.code if sight.seats else None,
        mode=match.mode,
        options=Raw(match.options),
        seat=sight.seat,
        seats=sight.seats,
        players=tuple(
            PlayerShown(
                name=row.name,
                user_id=row.user_id,
                bot=row.bot,
                rating=row.rating_before,
                here=sight.here[row.seat] or row.bot is not None,
            )
            for row in match.seats
        ),
        rematch_by=match.rematch_by,
        next_match=match.rematch_id,
        help=_help(sight),
    )


def _help(sight: Sight[Any]) -> tuple[Help, ...]:
    if not sight.practice:
        return ()
    hint: tuple[Help, ...] = () if analyst(sight.match.game) is None else ("hint",)
    return hint if sight.hidden else (*hint, "takeback")


def answered(table: Table, ref: Ref | None) -> Table:
    """A table as the answer to somebody who asked."""
    return table if ref is None else msgspec.structs.replace(table, ref=ref)


def step_of(step: StepSeen[Any], now: Millis) -> Stepped:
    """What happened, as far as that viewer may know."""
    return Stepped(
        **_standing(step.after, now),
        kind=step.kind,
        by=step.by,
        action=step.action,
        events=step.events,
    )


def _standing(sight: Sight[Any], now: Millis) -> dict[str, Any]:
    match = sight.match
    return {
        "match": match.id,
        "version": match.version,
        "status": match.status,
        "view": sight.view if sight.begun else None,
        "legal": sight.legal,
        "claims": _claims(sight),
        "turn": sight.turn,
        "deadline_at": sight.deadline_at,
        "now": now,
        "result": _result(sight),
    }


def _claims(sight: Sight[Any]) -> tuple[ClaimShown, ...]:
    return tuple(ClaimShown(claim.action, claim.at) for claim in sight.claims)


def _result(sight: Sight[Any]) -> Result | None:
    match = sight.match
    if not match.over:
        return None
    outcome = sight.outcome
    changes = [row.rating_delta for row in match.seats]
    return Result(
        winner=match.winner,
        reason=match.reason or match.status,
        scores=outcome.scores if outcome else _kept_scores(match),
        rating_changes=(changes[0], changes[1]) if len(changes) == len(SEATS) else (None, None),
    )


def _kept_scores(match: Facts) -> tuple[int, int] | None:
    """As they stand with the seats, where the state of a match cannot be read."""
    scores = [row.score for row in match.seats if row.score is not None]
    return (scores[0], scores[1]) if len(scores) == len(SEATS) else None
