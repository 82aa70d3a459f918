"""A `Change`: everything one step makes durable, as plain data, whole or not at all.

Each write names what it was computed from. Where that no longer holds the whole change fails with
one of the errors below, and nothing of it is stored.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from msgspec import Struct

from parlour.games.api import Millis, Seat


class StoreError(Exception):
    """Base of what `commit` raises. Nothing was changed, unless it is `Unavailable`."""


class Conflict(StoreError):
    """A guard failed: what the change was computed from is no longer so. Load and decide again."""


class Taken(StoreError):
    """Something that must be unique already exists; `what` names the rule."""

    def __init__(self, what: str) -> None:
        super().__init__(what)
        self.what = what


class InsufficientFunds(StoreError):
    """An account does not hold what it should pay."""


class Impossible(StoreError):
    """The database refused what must never be, such as a player nobody knows; `rule` names why.

    Not for a client to answer: whoever made the change made a mistake.
    """

    def __init__(self, rule: str) -> None:
        super().__init__(rule)
        self.rule = rule


class Unavailable(StoreError):
    """The store cannot say whether the change was made: load and look."""


Status = Literal["waiting", "active", "finished", "cancelled", "expired"]
"""`expired`: given up for lack of use; to everyone outside it no longer exists."""


class Row(Struct, frozen=True, gc=False):
    """Base of the rows and writes below."""


# --- matches ----------------------------------------------------------------------------------


class SeatRow(Row, frozen=True, kw_only=True):
    """Who sits where, and what the match did to its rating."""

    seat: Seat
    user_id: str | None = None
    """None: a player without an account."""
    name: str
    secret: str | None = None
    """What proves this seat to a socket that returns; never shown to anyone else."""
    bot: str | None = None
    """The name of the bot that plays this seat."""
    sole: bool = False
    """This seat counts as the user's one open game of its kind; cleared when the match ends."""
    rating_before: int | None = None
    rating_delta: int | None = None
    score: int | None = None
    """Points at the end, in games that count them."""


def counting(seats: Sequence[SeatRow]) -> Iterator[bool]:
    """Which seats' users have the match in their history: who plays both sides plays one game."""
    for seat in seats:
        yield seat is seats[0] or seat.user_id is None or seat.user_id != seats[0].user_id


class MatchRow(Row, frozen=True, kw_only=True):
    """A match as the store keeps it."""

    id: str
    game: str
    public_id: str
    code: str | None = None
    """Private code or room name; unique per game while the match holds it."""
    mode: str = "online"
    status: Status
    version: int
    """How many journal entries the match has; every write of the match names the one before."""
    state: bytes | None = None
    """The rules' state as JSON; None while waiting for the second player."""
    options: bytes
    """The rules' options as JSON, until setup."""
    seed: bytes
    """Secret source of the match's dice."""
    created_at: Millis
    updated_at: Millis
    started_at: Millis | None = None
    ended_at: Millis | None = None
    deadline_at: Millis | None = None
    """When something is due: the earliest of all that rules and play wait for."""
    bot_at: Millis | None = None
    """When the bot to move will move."""
    acted_0_at: Millis | None = None
    acted_1_at: Millis | None = None
    """When each seat last acted."""
    winner: Seat | None = None
    reason: str | None = None
    rematch_by: Seat | None = None
    rematch_id: str | None = None
    escrow_id: str | None = None
    rules_version: int = 1
    """Which version of its game's rules it is played by; never changes."""


class CreateMatch(Row, frozen=True, kw_only=True):
    """A new match and its first seats. Taken: `public_id`, `code`, `open_game`, `secret`."""

    match: MatchRow
    seats: tuple[SeatRow, ...]


class AdvanceMatch(Row, frozen=True, kw_only=True):
    """The common step: only state and times move. Guard: the match is at `version - 1`."""

    match_id: str
    version: int
    state: bytes
    updated_at: Millis
    deadline_at: Millis | None
    bot_at: Millis | None
    acted_0_at: Millis | None
    acted_1_at: Millis | None


class RewriteMatch(Row, frozen=True, kw_only=True):
    """A step that changes more than state and times. Guard: the match is at `match.version - 1`."""

    match: MatchRow


class RearmMatch(Row, frozen=True, kw_only=True):
    """Moves a deadline that turned out to be too early; no step. Guard: still at `version`."""

    match_id: str
    version: int
    deadline_at: Millis | None


class FillSeat(Row, frozen=True, kw_only=True):
    """The second player sits down. Taken: `seat`, `open_game`."""

    match_id: str
    game: str
    seat: SeatRow


class SnapshotRating(Row, frozen=True, kw_only=True):
    """Ratings as they stand when play starts are kept with the seat that was there before."""

    match_id: str
    seat: Seat
    rating_before: int


class CloseSeat(Row, frozen=True, kw_only=True):
    """The match ended for this seat: it no longer counts as an open game."""

    match_id: str
    seat: Seat
    ending: str
    """The match's reason."""
    finished_at: Millis | None = None
    """Where it was played to its end, when; of a user who had both seats, the first has it."""
    rating_delta: int | None = None
    score: int | None = None


class JournalRow(Row, frozen=True, kw_only=True):
    """One step, with all that is needed to take it again. Guard: no gap, no repetition."""

    match_id: str
    version: int
    at: Millis
    kind: str
    """`start`, `act`, `expire`, `gone`, `back`, …"""
    seat: Seat | None = None
    action: bytes | None = None
    seen_0: Millis | None = None
    seen_1: Millis | None = None


class ChangeHolding(Row, frozen=True, kw_only=True):
    """What a seat owns in a match, kept by the database as well. Guard: never below zero."""

    match_id: str
    seat: Seat
    item: str
    delta: int


# --- people -----------------------------------------------------------------------------------


class UserRow(Row, frozen=True, kw_only=True):
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


class RenameUser(Row, frozen=True, kw_only=True):
    """Taken: `username`."""

    user_id: str
    username: str
    updated_at: Millis


class ChangeRating(Row, frozen=True, kw_only=True):
    """A finished game's effect on one player's rating and counts."""

    user_id: str
    game: str
    delta: int
    floor: int | None = None
    result: Literal["win", "loss", "draw"]
    at: Millis


class NotificationRow(Row, frozen=True, kw_only=True):
    """Something a user should hear of, now or later."""

    id: str
    user_id: str
    type: str
    payload: bytes
    is_read: bool = False
    created_at: Millis


class ReadNotification(Row, frozen=True, kw_only=True):
    """Guard: it is that user's."""

    id: str
    user_id: str


class ReadNotifications(Row, frozen=True, kw_only=True):
    """A portion of what a user was notified of until then; nothing if all of it is read."""

    user_id: str
    until: Millis


class SigningKeyRow(Row, frozen=True, kw_only=True):
    """The guest issuer's key, made once. Taken: `kid`."""

    kid: str
    private_pem: str
    created_at: Millis


class KeepAnswer(Row, frozen=True, kw_only=True):
    """The answer to a request that must not take effect twice. Taken: `idempotency_key`."""

    user_id: str
    key: str
    fingerprint: str
    answer: bytes
    created_at: Millis


class ForgetAnswers(Row, frozen=True, kw_only=True):
    """Answers from before then no longer count, and their keys are free again."""

    before: Millis


# --- presence, queue, challenges --------------------------------------------------------------


class HoldLease(Row, frozen=True, kw_only=True):
    """This process lives until `until` unless it says so again."""

    process_id: str
    until: Millis


class TakeLease(Row, frozen=True, kw_only=True):
    """What one process at a time may do, such as publishing the outbox, is taken or kept.

    Guard: the lease still runs until `seen_until` (None: nobody has it). So of two who see it run
    out one gets it, and who lost it in the meantime learns so when renewing.
    """

    process_id: str
    seen_until: Millis | None
    until: Millis


class EndLease(Row, frozen=True, kw_only=True):
    """This process is gone, and holds nothing any more."""

    process_id: str


class ForgetLease(Row, frozen=True, kw_only=True):
    """A process whose lease ran out at `until` holds nothing any more, unless it has renewed it."""

    process_id: str
    until: Millis


class Sighting(Row, frozen=True, kw_only=True):
    """A seat was heard of; never in conflict with anything, and never moves back."""

    match_id: str
    seat: Seat
    seen_at: Millis


class Arrive(Row, frozen=True, kw_only=True):
    """A connection takes a seat, replacing an older one."""

    match_id: str
    seat: Seat
    seen_at: Millis
    connection: str
    process_id: str


class Depart(Row, frozen=True, kw_only=True):
    """A connection leaves its seat. Guard: it is still the one that holds it."""

    match_id: str
    seat: Seat
    seen_at: Millis
    connection: str


class FreeSeats(Row, frozen=True, kw_only=True):
    """The match is let go, and with it every seat that a connection still holds."""

    match_id: str
    at: Millis


class PutTicket(Row, frozen=True, kw_only=True):
    """Waiting for an opponent. Taken: `ticket`."""

    id: str
    game: str
    user_id: str
    name: str
    joined_at: Millis
    seen_at: Millis
    deadline_at: Millis | None = None
    """When something happens to it if nobody came: a bot steps in, or it lapses."""
    connection: str | None = None
    process_id: str | None = None


class TouchTicket(Row, frozen=True, kw_only=True):
    """A heartbeat; never in conflict with anything."""

    id: str
    seen_at: Millis
    deadline_at: Millis | None


class TakeTicket(Row, frozen=True, kw_only=True):
    """Guard: the ticket is still there."""

    id: str


ChallengeStatus = Literal["pending", "accepted", "expired", "cancelled"]


class ChallengeRow(Row, frozen=True, kw_only=True):
    """One user's invitation to another, with its terms."""

    id: str
    game: str
    challenger_id: str
    opponent_id: str
    currency: str
    stake_amount: int
    max_spend_amount: int
    time_limit_seconds: int
    status: ChallengeStatus
    expires_at: Millis
    accepted_at: Millis | None = None
    match_id: str | None = None
    created_at: Millis
    modified_at: Millis


class AnswerChallenge(Row, frozen=True, kw_only=True):
    """The one way a challenge changes. Guard: it is still pending."""

    id: str
    status: ChallengeStatus
    accepted_at: Millis | None = None
    match_id: str | None = None
    modified_at: Millis


# --- money ------------------------------------------------------------------------------------

AccountKind = Literal["wallet", "escrow", "mint"]


class OpenAccount(Row, frozen=True, kw_only=True):
    """Taken: `account`."""

    id: str
    kind: AccountKind
    user_id: str | None = None
    currency: str
    created_at: Millis


class Transfer(Row, frozen=True, kw_only=True):
    """Two ledger rows, two balances. InsufficientFunds unless the payer (mint aside) holds it."""

    id: str
    payer: str
    payee: str
    amount: int
    action: str
    escrow_id: str | None = None
    at: Millis


class OpenEscrow(Row, frozen=True, kw_only=True):
    """Locks the pot of a challenge, empty. Taken: `escrow`."""

    id: str
    challenge_id: str
    account_id: str
    currency: str
    created_at: Millis


class AddToEscrow(Row, frozen=True, kw_only=True):
    """Guard: the escrow is locked."""

    id: str
    seat: Seat
    amount: int


class SettleEscrow(Row, frozen=True, kw_only=True):
    """Guard: the escrow is locked; it never is again."""

    id: str
    how: Literal["won", "refunded"]
    at: Millis


# --- audit and events -------------------------------------------------------------------------


class AuditRow(Row, frozen=True, kw_only=True):
    """What happened around a challenge and its match, for disputes."""

    id: str
    subject_id: str
    """The challenge's id: the events of its match stand with it."""
    match_id: str | None = None
    actor_id: str | None = None
    type: str
    payload: bytes
    at: Millis


class OutboxRow(Row, frozen=True, kw_only=True):
    """An analytics event on its way out. Kept in order per key."""

    key: str
    type: str
    payload: bytes
    at: Millis


class ClearOutbox(Row, frozen=True, kw_only=True):
    """These events have arrived; those already gone are passed over."""

    positions: tuple[int, ...]


Write = (
    CreateMatch
    | AdvanceMatch
    | RewriteMatch
    | RearmMatch
    | FillSeat
    | SnapshotRating
    | CloseSeat
    | JournalRow
    | ChangeHolding
    | UserRow
    | RenameUser
    | ChangeRating
    | NotificationRow
    | ReadNotification
    | ReadNotifications
    | SigningKeyRow
    | KeepAnswer
    | ForgetAnswers
    | HoldLease
    | TakeLease
    | EndLease
    | ForgetLease
    | Sighting
    | Arrive
    | Depart
    | FreeSeats
    | PutTicket
    | TouchTicket
    | TakeTicket
    | ChallengeRow
    | AnswerChallenge
    | OpenAccount
    | Transfer
    | OpenEscrow
    | AddToEscrow
    | SettleEscrow
    | AuditRow
    | OutboxRow
    | ClearOutbox
)


class Change(Struct, frozen=True, gc=False):
    """The writes of one step, in the order they are made."""

    writes: tuple[Write, ...]
