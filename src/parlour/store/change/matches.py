"""What a step writes of its match: the row, the seats, the journal."""
# ruff: noqa: S608 (only names of our own are put into SQL; values are parameters)

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import attrgetter
from typing import Literal

from parlour.games.api import Millis, Seat
from parlour.store.change.change import (
    Conflict,
    Row,
    Write,
)
from parlour.store.change.statement import (
    Step,
    Steps,
    insert,
    run,
    statement,
)

Status = Literal["waiting", "active", "finished", "cancelled", "expired"]
"""`expired`: given up for lack of use; to everyone outside it no longer exists."""


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
    """As of which journal entry the row is; there may be more."""
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
    """Before when nothing is due that rules or play wait for."""
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


class CreateMatch(Write, frozen=True, kw_only=True):
    """A new match and its first seats. Taken: `public_id`, `code`, `open_game`, `secret`."""

    match: MatchRow
    seats: tuple[SeatRow, ...]


class AdvanceMatch(Write, frozen=True, kw_only=True):
    """The row of a match that goes on, as of `version`. Guard: it is of an earlier one.

    Stands behind the journal entry that made that version.
    """

    match_id: str
    version: int
    state: bytes
    updated_at: Millis
    deadline_at: Millis | None
    bot_at: Millis | None
    acted_0_at: Millis | None
    acted_1_at: Millis | None


class RewriteMatch(Write, frozen=True, kw_only=True):
    """The same where more than state and times changed. Guard: the row is of an earlier version."""

    match: MatchRow


class RearmMatch(Write, frozen=True, kw_only=True):
    """Moves a deadline that turned out to be too early. Guard: the row is of that `version`."""

    match_id: str
    version: int
    deadline_at: Millis | None


class FillSeat(Write, frozen=True, kw_only=True):
    """The second player sits down. Taken: `seat`, `open_game`."""

    match_id: str
    game: str
    seat: SeatRow


class SnapshotRating(Write, frozen=True, kw_only=True):
    """Ratings as they stand when play starts are kept with the seat that was there before."""

    match_id: str
    seat: Seat
    rating_before: int


class CloseSeat(Write, frozen=True, kw_only=True):
    """The match ended for this seat: it no longer counts as an open game."""

    match_id: str
    seat: Seat
    ending: str
    """The match's reason."""
    finished_at: Millis | None = None
    """Where it was played to its end, when; of a user who had both seats, the first has it."""
    rating_delta: int | None = None
    score: int | None = None


class JournalRow(Write, frozen=True, kw_only=True):
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


ADVANCE = statement(
    """UPDATE match SET version = :version, state = :state, updated_at = :updated_at,
    deadline_at = :deadline_at, bot_at = :bot_at, acted_0_at = :acted_0_at,
    acted_1_at = :acted_1_at
    WHERE id = :match_id AND version < :version""",
    Conflict,
    key=("match_id",),
)
ENTRY = JournalRow.__struct_fields__[1:]
_ENTER = f"""INSERT INTO journal (match_number, {", ".join(ENTRY)})
    SELECT number, {", ".join(f":{name}" for name in ENTRY)} FROM match WHERE id = :match_id"""
JOURNAL = statement(
    _ENTER,
    Conflict,
    # SQLite's triggers see to it. PostgreSQL is not asked for what its own would refuse.
    postgres=f"""{_ENTER} AND (:version = 1 OR (SELECT before.version FROM journal AS before
        WHERE match_number = match.number AND before.version = :version - 1) IS NOT NULL)
    ON CONFLICT (match_number, version) DO NOTHING""",
    key=("match_id",),
    needs={"match": "match_id"},
)

_FIXED = {"id", "game", "public_id", "seed", "created_at", "rules_version"}
_REWRITTEN = [name for name in MatchRow.__struct_fields__ if name not in _FIXED]
_REWRITTEN.sort(key=lambda name: name != "version")  # a statement for many begins with no null
_REWRITE = statement(
    f"""UPDATE match SET {", ".join(f"{name} = :{name}" for name in _REWRITTEN)}
    WHERE id = :id AND version < :version""",
    Conflict,
    key=("id",),
)
_CREATE = insert("match", MatchRow)
_SEAT = SeatRow.__struct_fields__
_seat_values = attrgetter(*_SEAT)
_SIT = statement(
    f"""INSERT INTO seat (match_id, game, created_at, finished_at, ending, {", ".join(_SEAT)})
    VALUES (:match_id, :game, :created_at, :finished_at, :ending,
        {", ".join(f":{name}" for name in _SEAT)})""",
    key=("match_id", "seat"),
)
_FILL = statement(
    f"""INSERT INTO seat (match_id, game, created_at, {", ".join(_SEAT)})
    VALUES (:match_id, :game, (SELECT created_at FROM match WHERE id = :match_id),
        {", ".join(f":{name}" for name in _SEAT)})""",
    key=("match_id", "seat"),
    needs={"match": "match_id"},
)


def _create(write: CreateMatch) -> Iterator[Step]:
    match = write.match
    yield _CREATE, _CREATE.values(match)
    ending = "open" if match.status in ("waiting", "active") else match.reason or match.status
    finished_at = match.ended_at if match.status == "finished" else None
    for seat, counts in zip(write.seats, counting(write.seats), strict=True):
        at = finished_at if counts else None
        listed = (match.created_at, at, ending)
        yield _SIT, (match.id, match.game, *listed, *_seat_values(seat))


def _rewrite(write: RewriteMatch) -> Iterator[Step]:
    yield _REWRITE, _REWRITE.values(write.match)


def _fill(write: FillSeat) -> Iterator[Step]:
    yield _FILL, (write.match_id, write.game, *_seat_values(write.seat))


WRITES: Steps = {
    CreateMatch: _create,
    AdvanceMatch: run(ADVANCE),
    RewriteMatch: _rewrite,
    RearmMatch: run(
        statement(
            """UPDATE match SET deadline_at = :deadline_at
            WHERE id = :match_id AND version = :version""",
            Conflict,
            key=("match_id",),
        )
    ),
    FillSeat: _fill,
    SnapshotRating: run(
        statement(
            """UPDATE seat SET rating_before = :rating_before
            WHERE match_id = :match_id AND seat = :seat""",
            Conflict,
            key=("match_id", "seat"),
        )
    ),
    CloseSeat: run(
        statement(
            """UPDATE seat SET ending = :ending, sole = false, rating_delta = :rating_delta,
            score = :score, finished_at = :finished_at
            WHERE match_id = :match_id AND seat = :seat""",
            Conflict,
            key=("match_id", "seat"),
        )
    ),
    JournalRow: run(JOURNAL),
}
