"""What is written to the store: a `Change` is everything one step makes durable, as plain data.

Each module is about one thing and holds its rows, the writes that change them, and the statements
that make each write. `change` says what a change is and how it may fail, `steps` puts one into
statements.
"""

from __future__ import annotations

from parlour.store.change.analyses import (
    KeepAnalysis,
)
from parlour.store.change.challenges import (
    AnswerChallenge,
    ChallengeRow,
    ChallengeStatus,
)
from parlour.store.change.change import (
    Change,
    Conflict,
    Impossible,
    InsufficientFunds,
    StoreError,
    Taken,
    Unavailable,
    Withdrawn,
    Write,
)
from parlour.store.change.connections import (
    Arrive,
    Depart,
    EndLease,
    ForgetLease,
    FreeSeats,
    GetUp,
    HoldLease,
    Sighting,
    TakeLease,
)
from parlour.store.change.events import (
    AuditRow,
    ClearOutbox,
    OutboxRow,
)
from parlour.store.change.matches import (
    AdvanceMatch,
    CloseSeat,
    CreateMatch,
    FillSeat,
    JournalRow,
    MatchRow,
    RearmMatch,
    RewriteMatch,
    SeatRow,
    SnapshotRating,
    Status,
    counting,
)
from parlour.store.change.money import (
    AccountKind,
    AddToEscrow,
    OpenAccount,
    OpenEscrow,
    SettleEscrow,
    Transfer,
)
from parlour.store.change.people import (
    ChangeRating,
    ForgetAnswers,
    KeepAnswer,
    NotificationRow,
    PutRecovery,
    ReadNotification,
    ReadNotifications,
    RenameUser,
    SigningKeyRow,
    UseRecovery,
    UserRow,
)
from parlour.store.change.queue import (
    PutTicket,
    QueueUp,
    TakeTicket,
    TouchTicket,
)

__all__ = [
    "AccountKind",
    "AddToEscrow",
    "AdvanceMatch",
    "AnswerChallenge",
    "Arrive",
    "AuditRow",
    "ChallengeRow",
    "ChallengeStatus",
    "Change",
    "ChangeRating",
    "ClearOutbox",
    "CloseSeat",
    "Conflict",
    "CreateMatch",
    "Depart",
    "EndLease",
    "FillSeat",
    "ForgetAnswers",
    "ForgetLease",
    "FreeSeats",
    "GetUp",
    "HoldLease",
    "Impossible",
    "InsufficientFunds",
    "JournalRow",
    "KeepAnalysis",
    "KeepAnswer",
    "MatchRow",
    "NotificationRow",
    "OpenAccount",
    "OpenEscrow",
    "OutboxRow",
    "PutRecovery",
    "PutTicket",
    "QueueUp",
    "ReadNotification",
    "ReadNotifications",
    "RearmMatch",
    "RenameUser",
    "RewriteMatch",
    "SeatRow",
    "SettleEscrow",
    "Sighting",
    "SigningKeyRow",
    "SnapshotRating",
    "Status",
    "StoreError",
    "TakeLease",
    "TakeTicket",
    "Taken",
    "TouchTicket",
    "Transfer",
    "Unavailable",
    "UseRecovery",
    "UserRow",
    "Withdrawn",
    "Write",
    "counting",
]
