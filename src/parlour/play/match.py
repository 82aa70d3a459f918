"""A match, and the one function by which it changes.

Laws:

* `take(match, entry)` is the only way from one version to the next. It is pure: deciding a step,
  following another process and replaying a journal are the same call, so they cannot differ.
* A match at version n was made by n journal entries; entry n is the one that made it n.
* A refused entry changes nothing; `take` raises and the caller keeps the match it had.
* Where a game goes on from a position of before, the entry carries it: a journal needs no other,
  and an entry no earlier one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final, Literal

import msgspec
import structlog
from msgspec import Struct
from msgspec.structs import replace

from parlour.games.api import Charge, Dice, Env, Millis, Outcome, Refused, Seat, Step, with_seat
from parlour.games.registry import AnyRules
from parlour.people.ratings import rated, snapshots
from parlour.play.other_rules import governing
from parlour.store.change import JournalRow, MatchRow, SeatRow, Status

log = structlog.get_logger()

Kind = Literal[
    "open",  # one player waits for another
    "start",  # both seats are taken, play begins; in mid-game it carries the position
    "act",  # a player does something
    "takeback",  # a player goes back to before a move of its own; it carries the position
    "expire",  # a deadline of the rules passed
    "gone",  # a seat's connection went away
    "back",  # … and came back
    "rematch",  # a seat asks for another game; without a seat: it does no longer
    "rematched",  # … and the other agreed: the next match is linked
    "cancel",  # called off, by its host while waiting or by an operator
    "lapse",  # nobody used it for too long
]

LOOK_MS: Millis = 60_000
"""How late what is due may be found in the store, should no process have the match in memory."""

SOON_MS: Millis = 10_000
"""The same where the rules foresee that something may be due sooner: nobody looks more often."""

RESTS_MS: Millis = 2 * LOOK_MS
"""A match at which nothing happened for so long rests. It is more than the time after which a step
writes the row, so that who finds it at rest has long to say so before a step would not notice."""

RULES_KINDS = frozenset({"act", "expire", "gone", "back", "takeback"})
"""Entries whose effect follows from the journal alone."""


class Position(Struct, frozen=True):
    """Where a game is taken up that goes on from a position of before."""

    state: msgspec.Raw
    version: int
    """At which version a match stood there."""
    match: str | None = None
    """Which match did; None: this very one."""


class Gone(Exception):
    """There is no such match, or none any more."""


class Unreadable(ValueError):
    """What the store keeps of a match is not what any rules made."""


class Match(Struct, frozen=True, kw_only=True, gc=False):
    """A match as it is at one version."""

    id: str
    game: str
    public_id: str
    code: str | None = None
    mode: str = "online"
    status: Status
    version: int
    state: Any = None
    options: bytes
    seed: bytes
    seats: tuple[SeatRow, ...]
    with_bot: bool = False
    """Whether the computer sits at it (`has_bot`); kept, as it is asked at every step."""
    created_at: Millis
    updated_at: Millis
    started_at: Millis | None = None
    ended_at: Millis | None = None
    acted_at: tuple[Millis | None, Millis | None] = (None, None)
    rules_at: Millis | None = None
    """When the rules want to be called; kept, as it is asked for several times at every step."""
    bot_at: Millis | None = None
    idle_at: Millis | None = None
    """When to look whether anybody still uses it."""
    winner: Seat | None = None
    reason: str | None = None
    rematch_by: Seat | None = None
    rematch_id: str | None = None
    escrow_id: str | None = None
    pot: tuple[int, int] = (0, 0)
    """What each seat has paid into the escrow."""
    rules_version: int = 1
    """Which version of its game's rules it is played by."""

    @property
    def over(self) -> bool:
        return self.status not in ("waiting", "active")

    def seat_of(self, user_id: str) -> Seat | None:
        """Where a user sits, if at all."""
        for seat in self.seats:
            if seat.user_id == user_id:
                return seat.seat
        return None


def has_bot(seats: tuple[SeatRow, ...]) -> bool:
    """Whether the computer is among those who sit there."""
    return any(seat.bot is not None for seat in seats)


class Next(Struct, frozen=True, gc=False):
    """A match one version on, and what the rules said about it (None where they had no part)."""

    match: Match
    step: Step[Any] | None = None


Words = Mapping[str, bytes]
"""What is said of a step to all alike, in every process, by the name of the voice that says so."""

UNSAID: Final[Words] = {}


class Update(Struct, frozen=True, gc=False):
    """What watchers hear: a durable step, in order, once."""

    before: Match
    after: Match
    entry: JournalRow
    events: tuple[Any, ...] = ()
    said: Words = UNSAID
    """What the process that took it has put into words already."""


class Linked(Struct, frozen=True, gc=False):
    """What an entry cannot say by itself: known to the decider, and in the row to a follower."""

    seats: tuple[SeatRow, ...]
    code: str | None
    rematch_id: str | None


def take(
    rules: AnyRules,
    match: Match,
    entry: JournalRow,
    action: Any = None,
    linked: Linked | None = None,
) -> Next:
    """The match after `entry`; `action` saves decoding it, `linked` comes with entries of play."""
    if entry.version != match.version + 1:
        raise ValueError(f"entry {entry.version} cannot follow version {match.version}")
    if entry.kind in RULES_KINDS:
        return _ruled(rules, match, entry, action)
    return _played(rules, match, entry, linked)


def _ruled(rules: AnyRules, match: Match, entry: JournalRow, action: Any) -> Next:
    env = _env(match, entry)
    acted_at, seat, kind = match.acted_at, entry.seat, entry.kind
    if match.status != "active":
        if match.status == "finished" and kind == "act" and seat is not None:
            rules.act(match.state, seat, action, env)  # refuses, in the game's own words
        raise Refused("NOT_ACTIVE", "This game is not being played.")
    if kind == "act":
        assert seat is not None
        if action is None:
            action = rules.actions.decode(entry.action or b"")
        step = rules.act(match.state, seat, action, env)
        acted_at = (entry.at, acted_at[1]) if seat == 0 else (acted_at[0], entry.at)
    elif kind == "expire":
        step = rules.expire(match.state, env)
    elif kind == "takeback":
        assert seat is not None
        step = Step(_resumed(rules, match, entry))
        acted_at = with_seat(acted_at, seat, entry.at)
    else:
        assert seat is not None
        step = rules.presence(match.state, seat, kind == "back", env)
    state = step.state
    outcome = rules.outcome(state)
    after = replace(
        match,
        version=entry.version,
        state=state,
        updated_at=entry.at,
        acted_at=acted_at,
        rules_at=None if outcome is not None else rules.deadline(state),
    )
    if step.charges and match.escrow_id is not None:
        after = replace(after, pot=_paid(match.pot, step.charges))
    return Next(after if outcome is None else _ended(rules, after, outcome), step)


def _paid(pot: tuple[int, int], charges: Iterable[Charge]) -> tuple[int, int]:
    for charge in charges:
        pot = with_seat(pot, charge.seat, pot[charge.seat] + charge.amount)
    return pot


def _env(match: Match, entry: JournalRow) -> Env:
    return Env(entry.at, Dice(match.seed, entry.version), (entry.seen_0, entry.seen_1))


def _ended(rules: AnyRules, match: Match, outcome: Outcome) -> Match:
    return replace(
        match,
        status="finished",
        ended_at=match.updated_at,
        bot_at=None,
        winner=outcome.winner,
        reason=outcome.reason,
        seats=rated(rules.rating, match.seats, outcome),
    )


def _played(rules: AnyRules, match: Match, entry: JournalRow, linked: Linked | None) -> Next:
    changes: dict[str, Any] = {"version": entry.version, "updated_at": entry.at}
    if linked is not None:
        changes |= {"seats": linked.seats, "with_bot": has_bot(linked.seats), "code": linked.code}
    if entry.kind == "start":
        snapshots(rules.rating, changes.get("seats", match.seats))
        state = _set_up(rules, match, entry)
        changes |= {
            "state": state,
            "rules_at": rules.deadline(state),
            "status": "active",
            "started_at": entry.at,
            "acted_at": (None, None),
        }
    elif entry.kind == "rematch":
        changes |= {"rematch_by": entry.seat}
    elif entry.kind == "rematched":
        changes |= {"rematch_id": linked.rematch_id if linked else None}
    elif entry.kind == "cancel":
        changes |= {"status": "cancelled", "ended_at": entry.at, "reason": "cancelled"}
        changes |= {"rules_at": None, "bot_at": None, "code": None}
    elif entry.kind == "lapse":
        # A finished game keeps its result and gives up its room; an open one is given up whole.
        changes |= {"code": None, "bot_at": None, "idle_at": None}
        if not match.over:
            changes |= {"status": "expired", "ended_at": entry.at, "reason": "expired"}
            changes |= {"rules_at": None}
    return Next(replace(match, **changes))


def _set_up(rules: AnyRules, match: Match, entry: JournalRow) -> Any:
    if entry.action is not None:
        return _resumed(rules, match, entry)
    return rules.setup(_options(rules, match), _env(match, entry))


def _resumed(rules: AnyRules, match: Match, entry: JournalRow) -> Any:
    """The position that an entry carries, played on from then."""
    position = msgspec.json.decode(entry.action or b"", type=Position)
    state = rules.load(bytes(position.state)).state
    return rules.resume(state, _options(rules, match), _env(match, entry))


def _options(rules: AnyRules, match: Match) -> Any:
    return msgspec.json.decode(match.options, type=rules.options_type)


def from_row(
    rules: AnyRules, row: MatchRow, seats: tuple[SeatRow, ...], pot: tuple[int, int] = (0, 0)
) -> Match:
    """A match as the store knows it; the state of one of other rules is left unread."""
    rules = governing(rules, row.rules_version)
    state = None if row.state is None else _loaded(rules, row.id, row.state)
    return Match(
        id=row.id,
        game=row.game,
        public_id=row.public_id,
        code=row.code,
        mode=row.mode,
        status=row.status,
        version=row.version,
        state=state,
        options=row.options,
        seed=row.seed,
        seats=seats,
        with_bot=has_bot(seats),
        created_at=row.created_at,
        updated_at=row.updated_at,
        started_at=row.started_at,
        ended_at=row.ended_at,
        acted_at=(row.acted_0_at, row.acted_1_at),
        rules_at=rules.deadline(state) if row.status == "active" else None,
        bot_at=row.bot_at,
        winner=row.winner,
        reason=row.reason,
        rematch_by=row.rematch_by,
        rematch_id=row.rematch_id,
        escrow_id=row.escrow_id,
        pot=pot,
        rules_version=row.rules_version,
    )


def _loaded(rules: AnyRules, match_id: str, stored: bytes) -> Any:
    try:
        loaded = rules.load(stored)
    except ValueError as error:
        raise Unreadable(f"match {match_id} cannot be read: {error}") from error
    if loaded.lost is not None:
        log.warning("part of a match cannot be read", match_id=match_id, lost=loaded.lost)
    return loaded.state


def lets_go(entry: JournalRow, after: Match) -> bool:
    """Whether nobody has a reason to sit there after an entry, so that no seat is held any more.

    A room that goes on to its next match takes its name and whoever is in it along.
    """
    moved_on = entry.kind == "rematched" and after.code is None
    return moved_on or entry.kind in ("cancel", "lapse")


def deadline(match: Match, *, thinking: bool = False) -> Millis | None:
    """The earliest of all that rules and play wait for; of a bot's move unless it is `thinking`."""
    due, idle_at = match.rules_at, match.idle_at
    bot_at = None if thinking else match.bot_at
    if bot_at is not None and (due is None or bot_at < due):
        due = bot_at
    if idle_at is not None and (due is None or idle_at < due):
        due = idle_at
    return due


def row_deadline(rules: AnyRules, match: Match, now: Millis) -> Millis | None:
    """What the row says when it is written now: when somebody is to look at the match.

    Of one that the computer plays at in a while, be its move nearer, or all else it waits for far
    away: a bot's move comes nearer with every step, and does not write the row again. One at which
    nothing has happened for long says when it is due; the next step of it writes the row. Of others
    it is what the rules foresee, so that what comes nearer then need not be written either.
    """
    if match.status != "active":
        return deadline(match)
    if match.with_bot:
        if now - match.updated_at >= RESTS_MS:
            return deadline(match)
        due, look_at = deadline(match, thinking=True), now + LOOK_MS
        return look_at if due is None else min(due, look_at)
    due, foreseen = deadline(match), rules.horizon(match.state, now)
    return due if due is None or foreseen is None else min(due, max(foreseen, now + SOON_MS))


def to_row(match: Match, deadline_at: Millis | None) -> MatchRow:
    """A match as the store keeps it."""
    return MatchRow(
        id=match.id,
        game=match.game,
        public_id=match.public_id,
        code=match.code,
        mode=match.mode,
        status=match.status,
        version=match.version,
        state=None if match.state is None else msgspec.json.encode(match.state),
        options=match.options,
        seed=match.seed,
        created_at=match.created_at,
        updated_at=match.updated_at,
        started_at=match.started_at,
        ended_at=match.ended_at,
        deadline_at=deadline_at,
        bot_at=match.bot_at,
        acted_0_at=match.acted_at[0],
        acted_1_at=match.acted_at[1],
        winner=match.winner,
        reason=match.reason,
        rematch_by=match.rematch_by,
        rematch_id=match.rematch_id,
        escrow_id=match.escrow_id,
        rules_version=match.rules_version,
    )
