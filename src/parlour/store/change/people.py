"""Users with their ratings, notifications and kept answers; the key of the guest issuer."""
# ruff: noqa: S608 (only names of our own are put into SQL; values are parameters)

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
from parlour.store.schema.people import STARTING_RATING, username_key


class UserRow(Write, frozen=True, kw_only=True):
    """A person or a bot. Taken: `subject`, `username` (regardless of case)."""

    id: str
    subject: str
    """Issuer and subject of the token that first brought this user."""
    username: str
    email: str | None = None
    is_guest: bool = False
    is_bot: bool = False
    created_at: Millis
    updated_at: Millis


class RenameUser(Write, frozen=True, kw_only=True):
    """Taken: `username`."""

    user_id: str
    username: str
    updated_at: Millis


class PutRecovery(Write, frozen=True, kw_only=True):
    """A guest's code, instead of the last."""

    user_id: str
    code_hash: str
    created_at: Millis


class UseRecovery(Write, frozen=True, kw_only=True):
    """A code is used. Conflict: there is none, or it was first used before `since`."""

    code_hash: str
    used_at: Millis
    since: Millis


class ChangeRating(Write, frozen=True, kw_only=True):
    """A finished game's effect on one player's rating and counts."""

    user_id: str
    game: str
    delta: int
    floor: int | None = None
    result: Literal["win", "loss", "draw"]
    at: Millis


class NotificationRow(Write, frozen=True, kw_only=True):
    """Something a user should hear of, now or later."""

    id: str
    user_id: str
    type: str
    payload: bytes
    is_read: bool = False
    created_at: Millis


class ReadNotification(Write, frozen=True, kw_only=True):
    """Guard: it is that user's."""

    id: str
    user_id: str


class ReadNotifications(Write, frozen=True, kw_only=True):
    """A portion of what a user was notified of until then; nothing if all of it is read."""

    user_id: str
    until: Millis


class SigningKeyRow(Write, frozen=True, kw_only=True):
    """The guest issuer's key, made once. Taken: `kid`."""

    kid: str
    private_pem: str
    created_at: Millis


class KeepAnswer(Write, frozen=True, kw_only=True):
    """The answer to a request that must not take effect twice. Taken: `idempotency_key`."""

    user_id: str
    key: str
    fingerprint: str
    answer: bytes
    created_at: Millis


class ForgetAnswers(Write, frozen=True, kw_only=True):
    """Answers from before then no longer count, and their keys are free again."""

    before: Millis


def _floored(rating: str) -> str:
    return f"CASE WHEN {rating} < :floor THEN :floor ELSE {rating} END"


_CHANGE_RATING = statement(
    f"""INSERT INTO rating (user_id, game, rating, wins, losses, draws, updated_at)
    VALUES (:user_id, :game, {_floored(f"{STARTING_RATING} + :delta")},
        :wins, :losses, :draws, :at)
    ON CONFLICT (user_id, game) DO UPDATE SET
        rating = {_floored("rating.rating + :delta")}, wins = rating.wins + excluded.wins,
        losses = rating.losses + excluded.losses, draws = rating.draws + excluded.draws,
        updated_at = excluded.updated_at""",
    key=("user_id", "game"),
    computed={
        "wins": lambda write: int(write.result == "win"),
        "losses": lambda write: int(write.result == "loss"),
        "draws": lambda write: int(write.result == "draw"),
    },
)

READ_AT_ONCE = 500
"""So many notifications are marked as read in one commit: others wait meanwhile."""

WRITES: Steps = {
    UserRow: run(insert("user", UserRow, username_key=lambda write: username_key(write.username))),
    RenameUser: run(
        statement(
            """UPDATE "user" SET username = :username, username_key = :key,
            updated_at = :updated_at WHERE id = :user_id""",
            Conflict,
            key=("user_id",),
            computed={"key": lambda write: username_key(write.username)},
        )
    ),
    PutRecovery: run(
        statement(
            """INSERT INTO recovery (user_id, code_hash, created_at, used_at)
            VALUES (:user_id, :code_hash, :created_at, NULL)
            ON CONFLICT (user_id) DO UPDATE SET code_hash = excluded.code_hash,
            created_at = excluded.created_at, used_at = NULL""",
            key=("user_id",),
        )
    ),
    UseRecovery: run(
        statement(
            """UPDATE recovery SET used_at = COALESCE(used_at, :used_at)
            WHERE code_hash = :code_hash AND (used_at IS NULL OR used_at > :since)""",
            Conflict,
        )
    ),
    ChangeRating: run(_CHANGE_RATING),
    NotificationRow: run(insert("notification", NotificationRow)),
    ReadNotification: run(
        statement(
            "UPDATE notification SET is_read = true WHERE id = :id AND user_id = :user_id",
            Conflict,
            key=("id",),
        )
    ),
    ReadNotifications: run(
        statement(
            f"""UPDATE notification SET is_read = true WHERE id IN (SELECT id FROM notification
            WHERE user_id = :user_id AND NOT is_read AND created_at <= :until
            LIMIT {READ_AT_ONCE})"""
        )
    ),
    SigningKeyRow: run(insert("signing_key", SigningKeyRow)),
    KeepAnswer: run(insert("kept_answer", KeepAnswer)),
    ForgetAnswers: run(statement("DELETE FROM kept_answer WHERE created_at < :before")),
}
