"""Analytics events: what of a step is worth counting, as rows written together with the step.

An event tells who did what and when. Nothing hidden gets in: of a player only the user's id, of a
game only what any onlooker may see.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal, Protocol

import msgspec
from msgspec import Struct

from parlour.games.api import Millis, Rules, Seat
from parlour.store.change import JournalRow, OutboxRow, SeatRow, Status
from parlour.timekeeping import iso

EventType = Literal[
    "game_started",
    "move_made",
    "game_completed",
    "player_joined",
    "player_left",
    "player_reconnected",
]


class Event(Struct, frozen=True, rename="camel"):
    """What goes out. `player_id` is None where no one player is meant, or one without account."""

    event_type: EventType
    game_id: str
    player_id: str | None
    timestamp: str
    metadata: dict[str, Any]


class Played(Protocol):
    """What must be known of a match."""

    @property
    def id(self) -> str: ...
    @property
    def game(self) -> str: ...
    @property
    def mode(self) -> str: ...
    @property
    def status(self) -> Status: ...
    @property
    def state(self) -> Any: ...
    @property
    def seats(self) -> tuple[SeatRow, ...]: ...
    @property
    def updated_at(self) -> Millis: ...
    @property
    def started_at(self) -> Millis | None: ...
    @property
    def winner(self) -> Seat | None: ...
    @property
    def reason(self) -> str | None: ...


def of_step(
    rules: Rules[Any, Any, Any], before: Played | None, entry: JournalRow, after: Played
) -> tuple[OutboxRow, ...]:
    """The events of one journal entry, in the order they are to be read."""
    return tuple(_events(rules, before, entry, after))


def _events(
    rules: Rules[Any, Any, Any], before: Played | None, entry: JournalRow, after: Played
) -> Iterator[OutboxRow]:
    at = entry.at
    seated = {seat.seat for seat in before.seats} if before is not None else set()
    for newcomer in after.seats:
        if newcomer.seat not in seated:
            yield player_joined(after, newcomer, at)
    if entry.kind == "start":
        yield game_started(after, at)
    if before is None:
        return
    if entry.seat is not None:
        match entry.kind:
            case "act" if _tag(entry) not in rules.asides:
                yield move_made(after, entry.seat, entry, at - before.updated_at)
            case "gone":
                yield player_left(after, after.seats[entry.seat], at)
            case "back":
                yield player_reconnected(after, after.seats[entry.seat], at)
            case _:
                pass
    if before.status == "active" and after.status != "active":
        yield game_completed(rules, after, at)
    elif before.status == "waiting" and after.status in ("cancelled", "expired"):
        for seat in before.seats:
            yield player_left(after, seat, at)


def game_started(match: Played, at: Millis) -> OutboxRow:
    """Both seats are taken and play begins."""
    return _row("game_started", match, None, at, {"mode": match.mode, "players": _players(match)})


def move_made(match: Played, seat: Seat, entry: JournalRow, took_ms: Millis) -> OutboxRow:
    """A player made a move, `took_ms` after the match last changed."""
    metadata = {
        "number": entry.version,
        "move": msgspec.Raw(entry.action or b"null"),
        "durationMs": took_ms,
    }
    return _row("move_made", match, match.seats[seat], entry.at, metadata)


def game_completed(rules: Rules[Any, Any, Any], match: Played, at: Millis) -> OutboxRow:
    """Play is over, one way or another: every game that was started is completed once."""
    winner = None if match.winner is None else match.seats[match.winner]
    metadata = {
        "mode": match.mode,
        "outcome": _outcome(match),
        "reason": match.reason,
        "durationMs": at - (match.started_at or at),
        "players": _players(match),
        "finalState": rules.view(match.state, None),
    }
    return _row("game_completed", match, winner, at, metadata)


def player_joined(match: Played, seat: SeatRow, at: Millis) -> OutboxRow:
    """A player sat down."""
    return _row("player_joined", match, seat, at)


def player_left(match: Played, seat: SeatRow, at: Millis) -> OutboxRow:
    """A player's connection went away, or the player gave up waiting."""
    return _row("player_left", match, seat, at)


def player_reconnected(match: Played, seat: SeatRow, at: Millis) -> OutboxRow:
    """A player who had gone is back."""
    return _row("player_reconnected", match, seat, at)


class _Tagged(Struct, frozen=True):
    type: str


_TAG = msgspec.json.Decoder(_Tagged)


def _tag(entry: JournalRow) -> str:
    """Which of its game's actions it was."""
    assert entry.action is not None, "an act without an action"
    return _TAG.decode(entry.action).type


def _outcome(match: Played) -> str:
    if match.status != "finished":
        return match.status
    return "draw" if match.winner is None else "win"


def _players(match: Played) -> list[str | None]:
    return [_player_id(seat) for seat in match.seats]


def _player_id(seat: SeatRow) -> str | None:
    if seat.user_id is None and seat.bot is not None:
        return f"ai:{seat.bot}"
    return seat.user_id


def _row(
    event_type: EventType,
    match: Played,
    seat: SeatRow | None,
    at: Millis,
    metadata: dict[str, Any] | None = None,
) -> OutboxRow:
    about: dict[str, Any] = {"game": match.game}
    if seat is not None:
        about["seat"] = seat.seat
    event = Event(
        event_type=event_type,
        game_id=match.id,
        player_id=None if seat is None else _player_id(seat),
        timestamp=iso(at),
        metadata=about | (metadata or {}),
    )
    return OutboxRow(key=match.id, type=event_type, payload=msgspec.json.encode(event), at=at)
