"""Invitations of one user by another."""

from __future__ import annotations

from typing import Literal

from parlour.games.api import Millis
from parlour.store.change.change import (
    Conflict,
    Write,
)
from parlour.store.change.statement import (
    Steps,
    insert,
    run,
    statement,
)

ChallengeStatus = Literal["pending", "accepted", "expired", "cancelled"]


class ChallengeRow(Write, frozen=True, kw_only=True):
    """One user's invitation to another."""

    id: str
    game: str
    challenger_id: str
    opponent_id: str
    currency: str
    terms: bytes
    """What is played for and how, as JSON: the terms of the game it is a challenge to."""
    status: ChallengeStatus
    expires_at: Millis
    accepted_at: Millis | None = None
    match_id: str | None = None
    created_at: Millis
    modified_at: Millis


class AnswerChallenge(Write, frozen=True, kw_only=True):
    """The one way a challenge changes. Guard: it is still pending."""

    id: str
    status: ChallengeStatus
    accepted_at: Millis | None = None
    match_id: str | None = None
    modified_at: Millis


WRITES: Steps = {
    ChallengeRow: run(insert("challenge", ChallengeRow)),
    AnswerChallenge: run(
        statement(
            """UPDATE challenge SET status = :status, accepted_at = :accepted_at,
            match_id = :match_id, modified_at = :modified_at
            WHERE id = :id AND status = 'pending'""",
            Conflict,
            key=("id",),
        )
    ),
}
