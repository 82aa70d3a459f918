"""A match through one viewer's eyes: what a surface is handed, whatever it speaks.

Laws:

* What a surface can reach of a match is what anybody may know of it (`Facts`), and what this viewer
  may know of its state: its view, and what `Rules.tell` lets it know of a step. The state, the seed
  and the secrets of others have no name here, so nothing can be built from them.
* Whatever is seen is computed when it is first asked for, and once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hashlib import blake2b
from typing import Any, Generic, Protocol, TypeVar, cast
from uuid import UUID

from msgspec import Struct

from parlour.games.api import SEATS, Claim, Millis, Outcome, Seat, Seen
from parlour.games.registry import AnyRules
from parlour.play.match import Match, Update
from parlour.play.other_rules import OtherRules
from parlour.play.practice import is_practice
from parlour.store.change import Status

Seats = tuple[Seat, ...]
"""Which seats a viewer holds: none, one, or both at one device."""


V = TypeVar("V")


def unseen() -> Seen:
    """Nobody was ever heard of."""
    return (None, None)


class SeatFacts(Protocol):
    """What anybody may know of who sits where."""

    @property
    def seat(self) -> Seat: ...
    @property
    def user_id(self) -> str | None: ...
    @property
    def name(self) -> str: ...
    @property
    def bot(self) -> str | None: ...
    @property
    def rating_before(self) -> int | None: ...
    @property
    def rating_delta(self) -> int | None: ...
    @property
    def score(self) -> int | None: ...


class Facts(Protocol):
    """What anybody may know of a match; a `Match` is one, and has more that this does not name."""

    @property
    def id(self) -> str: ...
    @property
    def game(self) -> str: ...
    @property
    def public_id(self) -> str: ...
    @property
    def code(self) -> str | None: ...
    @property
    def mode(self) -> str: ...
    @property
    def status(self) -> Status: ...
    @property
    def version(self) -> int: ...
    @property
    def rules_version(self) -> int: ...
    @property
    def options(self) -> bytes: ...
    @property
    def seats(self) -> Sequence[SeatFacts]: ...
    @property
    def created_at(self) -> Millis: ...
    @property
    def updated_at(self) -> Millis: ...
    @property
    def started_at(self) -> Millis | None: ...
    @property
    def ended_at(self) -> Millis | None: ...
    @property
    def acted_at(self) -> tuple[Millis | None, Millis | None]: ...
    @property
    def winner(self) -> Seat | None: ...
    @property
    def reason(self) -> str | None: ...
    @property
    def rematch_by(self) -> Seat | None: ...
    @property
    def rematch_id(self) -> str | None: ...
    @property
    def escrow_id(self) -> str | None: ...
    @property
    def pot(self) -> tuple[int, int]: ...
    @property
    def over(self) -> bool: ...
    def seat_of(self, user_id: str) -> Seat | None: ...


SeatsOf = Callable[[Facts], Seats]
"""Which seats are somebody's own, in a match as it is when that is asked."""


class Sight(Struct, Generic[V], eq=False):
    """A match as whoever holds these seats may know it; without any, as everybody may."""

    _rules: AnyRules
    match: Facts
    """What anybody may know."""
    seats: Seats
    here: tuple[bool, bool]
    """Who has a connection."""
    _seen: Callable[[], Seen] = unseen
    _view: V | None = None
    _legal: tuple[Any, ...] | None = None

    @property
    def _match(self) -> Match:
        """All there is to it, which is for this module alone."""
        return cast("Match", self.match)

    def after(self, update: Update) -> Sight[V]:
        """The match after a step, through the same eyes."""
        return Sight(self._rules, update.after, self.seats, self.here, self._seen)

    @property
    def seen(self) -> Seen:
        """When each seat was last heard of, as far as is known now."""
        return self._seen()

    @property
    def seat(self) -> Seat | None:
        """One's own; at one device the first; None: one looks on."""
        return self.seats[0] if self.seats else None

    @property
    def eye(self) -> Seat | None:
        """Through which seat's eyes one looks: at one device, those of whoever is to move."""
        seats = self.seats
        if len(seats) == len(SEATS):
            turn = self.turn
            return seats[0] if turn is None else turn
        return seats[0] if seats else None

    @property
    def begun(self) -> bool:
        """Whether there is anything to see: both sit, and the game is of today's rules."""
        return self._match.state is not None and type(self._rules) is not OtherRules

    @property
    def view(self) -> V:
        """What is seen of a game that has begun."""
        view = self._view
        if view is None:
            seats = self.seats
            eye = seats[0] if len(seats) == 1 else self.eye
            state = self.match.state  # type: ignore[attr-defined]  # `_match`, without a call
            view = self._view = self._rules.view(state, eye)
        return view

    @property
    def legal(self) -> tuple[Any, ...]:
        """What one may do now."""
        if self._legal is None:
            may_act = self._match.status == "active" and self.eye is not None
            self._legal = tuple(self._rules.legal(self.view)) if may_act else ()
        return self._legal

    @property
    def claims(self) -> tuple[Claim[Any], ...]:
        """What one may claim, and from when on."""
        match = self._match
        if match.status != "active" or self.eye is None:
            return ()
        first, second = self.seen
        here = [self.here[row.seat] or row.bot is not None for row in match.seats]
        gone = (None if here[0] else first, None if here[1] else second)
        return self._rules.claims(self.view, gone)

    @property
    def practice(self) -> bool:
        """Whether one plays the computer here for nothing, and may be helped."""
        playing = self._match.status == "active" and bool(self.seats)
        return playing and is_practice(self._rules, self._match)

    @property
    def hidden(self) -> bool:
        """Whether a seat sees less than all of this game."""
        return self._rules.hidden

    @property
    def turn(self) -> Seat | None:
        """Whose move it is."""
        match = self._match
        return self._rules.turn(match.state) if match.status == "active" else None

    @property
    def deadline_at(self) -> Millis | None:
        """When the game moves on by itself."""
        return self._match.rules_at

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, in the words of its rules; None: it goes on, or was called off."""
        match = self._match
        return self._rules.outcome(match.state) if match.status == "finished" else None

    def key_of(self, seat: Seat) -> str | None:
        """By what that seat is known to this viewer: its secret if it is one's own, else a name
        that tells nothing of the secret. None: the seat has no secret.
        """
        secret = self._match.seats[seat].secret
        if secret is None or seat in self.seats:
            return secret
        return str(UUID(bytes=blake2b(secret.encode(), digest_size=16).digest(), version=4))


class StepSeen(Struct, Generic[V], eq=False):
    """A durable step, as far as one viewer may know of it."""

    _rules: AnyRules
    _update: Update
    after: Sight[V]
    _before: Sight[V] | None = None
    """The match before it through the same eyes, where that is known."""

    @classmethod
    def of(
        cls, rules: AnyRules, update: Update, seats: Seats, here: tuple[bool, bool]
    ) -> StepSeen[V]:
        """A step, to whoever holds these seats."""
        return cls(rules, update, Sight(rules, update.after, seats, here))

    @property
    def kind(self) -> str:
        """What kind of step it was: one of `Kind`."""
        return self._update.entry.kind

    @property
    def by(self) -> Seat | None:
        """Whose step it was; None: time's, or an operator's."""
        return self._update.entry.seat

    @property
    def at(self) -> Millis:
        """When it was taken."""
        return self._update.entry.at

    @property
    def before(self) -> Sight[V]:
        """The match before it, through the same eyes."""
        if self._before is None:
            after = self.after
            self._before = Sight(self._rules, self._update.before, after.seats, after.here)
        return self._before

    @property
    def action(self) -> Any:
        """What was done; None: no action, or one that this viewer may not know of."""
        entry = self._update.entry
        if entry.kind != "act" or entry.action is None:
            return None
        done = self._rules.actions.decode(entry.action)
        return self._rules.tell(done, entry.seat, self.after.eye)

    @property
    def events(self) -> tuple[Any, ...]:
        """What the rules said about it."""
        if not self._update.events:
            return ()
        by, eye = self._update.entry.seat, self.after.eye
        told = [self._rules.tell(event, by, eye) for event in self._update.events]
        return tuple([event for event in told if event is not None])

    @property
    def ends(self) -> bool:
        """Whether the game was over with it."""
        return self._update.after.over and not self._update.before.over
